"""The content of a game's page of rules: chapters of short sentences, rulings, and drawings.

A scene holds no drawing, only decisions: the rules themselves play them, so that the drawing is true.

A picture holds no drawing, only decisions: the rules themselves play them, so what it shows is true.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from companion.games.panel import Panel
from companion.games.terms import Decision
from companion.message import N_

PEOPLE: Final = ("Ada", "Ben", "Cleo", "Dan")


class Scene(NamedTuple):
    """A drawing: a game played up to a moment by `before`, and the result of the decisions `then`.

    `text` is its caption. It shows the course from the first to the last space of `window` (progress on a
    loop, which may be negative; None: the whole course), or the panel of that name. `shows` are the kinds of
    news that are drawn; `cards`: the cards of `then` next to it; `purse`: the seat whose food before and
    after is shown. `explains` is the explanation of a first game that has this drawing.
    """

    text: str
    before: tuple[Decision, ...] = ()
    then: tuple[Decision, ...] = ()
    seats: int = 2
    options: Mapping[str, Any] = {}
    window: tuple[int, int] | None = None
    panel: str = ""
    shows: tuple[str, ...] = ()
    cards: bool = True
    purse: int | None = None
    explains: str = ""


class Ruling(NamedTuple):
    """A situation that people could argue about, the ruling, and other readings or ways to play it."""

    when: str
    counts: str
    others: str = ""


Block = str | Scene | Ruling | Panel


class Chapter(NamedTuple):
    """A heading and its content: sentences, drawings, tables, rulings.

    Sentences and rulings may name options, as in {rounds}: the page fills in their values in the running
    game.
    """

    title: str
    blocks: tuple[Block, ...]


AIM: Final = N_("The aim")
NEEDS: Final = N_("What you need")
BEFORE: Final = N_("Before you start")
TURN: Final = N_("Your turn")
END: Final = N_("The end")
ARGUE: Final = N_("So that nobody argues")

OURS: Final = N_(
    "Where the printed rules say nothing, or can be read in two ways, these rulings of ours count. How "
    "others play stands below."
)
SHARED: Final = Ruling(
    N_("Two players are equal at the end."), N_("They share the place, and the victory too.")
)
FORBIDDEN: Final = Ruling(
    N_("Somebody does what the rules forbid."),
    N_("Nothing has happened. The companion says why, and the same player decides again."),
)
UNKNOWN_HANDS: Final = Ruling(
    N_("You dealt real cards, so the companion does not know your hands."),
    N_("It checks what all of you can see: a card is played once, a colour as often as it is printed."),
)
