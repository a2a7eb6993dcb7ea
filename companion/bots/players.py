"""Players that the companion plays: each decides from what its own seat may see, and from nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from typing import Final, NamedTuple

from companion.bots.registry import heuristics_of
from companion.bots.thinker import thinker
from companion.errors import InvalidInput, refuse
from companion.games.race import Race, picked
from companion.games.terms import Decision
from companion.message import N_
from companion.odds.styles import Belief, learned

Player = Callable[[Race, int, random.Random], Decision]
"""Decides for a seat: asked with its own view, the seat, and chance."""

WHIM: Final = 0.4  # how often an easy player thinks before it decides


class Strength(NamedTuple):
    """A bot as a host chooses it: its name, what it does in one line, and the kind that plays."""

    title: str
    means: str
    kind: str


def thoughtless(view: Race, seat: int, rng: random.Random) -> Decision:
    """Anything that the rules allow."""
    return view.at_random(seat, rng)


def greedy(view: Race, seat: int, rng: random.Random) -> Decision:
    """What brings most now."""
    return heuristics_of(view).greedy(view, seat, rng)


def careful(view: Race, seat: int, rng: random.Random) -> Decision:
    """What a player's rules of thumb say."""
    return heuristics_of(view).careful(view, seat, rng)


def playful(view: Race, seat: int, rng: random.Random) -> Decision:
    """Now and then what brings most, else anything."""
    return (greedy if rng.random() < WHIM else thoughtless)(view, seat, rng)


def careless(view: Race, seat: int, rng: random.Random) -> Decision:
    """Now and then by a player's rules of thumb, else anything."""
    return (careful if rng.random() < WHIM else thoughtless)(view, seat, rng)


KINDS: Final[Mapping[str, Player]] = {
    "random": thoughtless,
    "playful": playful,
    "careless": careless,
    "greedy": greedy,
    "careful": careful,
    "thinker": thinker,
}
"""Every kind of bot, by name."""

STRENGTHS: Final[Mapping[str, Strength]] = {
    "easy": Strength(
        N_("easy"), N_("Plays whatever comes to hand, now and then something good."), "careless"
    ),
    "medium": Strength(N_("medium"), N_("Plays by the rules of thumb of a careful player."), "careful"),
    "strong": Strength(N_("strong"), N_("Thinks ahead: plays what wins most often from here."), "thinker"),
}
"""What a host chooses from, weakest first."""


def decide(
    kind: str,
    race: Race,
    seat: int,
    rng: random.Random,
    playouts: int | None = None,
    belief: Belief = (),
) -> Decision:
    """What a bot of this kind (or strength) decides for a seat that owes a decision; always legal.

    It is shown the seat's own view of the race and nothing else. The same view, `rng` and `belief` decide the
    same. `playouts` is how much a thinker thinks, for each decision that it tries, if not as much as it
    should; `belief` what the public has learned of how each seat plays. Refusal if the seat's cards are not
    known: people dealt them, and who does not see his cards cannot play them. InvalidInput if there is no
    such kind, ValueError if the seat owes nothing.

    >>> from companion.games.galloping import GallopingPigs
    >>> decide("random", GallopingPigs.new(["Ada", "Ben"]), 0, random.Random(1)).do
    'line-up'
    """
    player = KINDS[kind_of(kind)]
    if player is thinker:
        player = partial(thinker, playouts=playouts, belief=belief)
    view = race.seen_by(seat)
    due = view.awaits()
    if due is None or seat not in due.seats:
        raise ValueError(f"seat {seat} owes no decision: ask for one of those that are due")
    if cards_unknown(view, seat):
        raise refuse(_DEALT_BY_PEOPLE, text=view.seats[seat])
    return player(view, seat, rng)


def next_decision(
    race: Race,
    bots: Sequence[str],
    rng: random.Random,
    playouts: int | None = None,
    past: Sequence[Race] = (),
) -> Decision | None:
    """What happens next where a bot plays each seat: a draw, or what a seat's bot decides; None: nothing.

    `past` are the positions of the game from its opening to this one, from which a thinker learns how the
    others play; none, and it has seen nobody play.

    >>> from companion.games.galloping import GallopingPigs
    >>> next_decision(GallopingPigs.new(["Ada", "Ben"]), ["easy", "random"], random.Random(1)).seat
    0
    """
    due = race.awaits()
    if due is None:
        return None
    if not due.seats or race.may_deal():
        return race.drawn(rng)
    seat = due.seats[0] if len(due.seats) == 1 else picked(due.seats, rng)
    belief = learned(past) if past and kind_of(bots[seat]) == "thinker" else ()
    return decide(bots[seat], race, seat, rng, playouts, belief)


def kind_of(name: str) -> str:
    """The kind that a kind or a strength names; InvalidInput if there is none.

    >>> kind_of("strong")
    'thinker'
    """
    if name in STRENGTHS:
        return STRENGTHS[name].kind
    if name not in KINDS:
        raise InvalidInput(f"no bot called {name!r}: there are {', '.join((*KINDS, *STRENGTHS))}")
    return name


def cards_unknown(view: Race, seat: int) -> bool:
    """Whether the decision that this seat owes comes from cards that people dealt and nobody told."""
    due = view.awaits()
    if due is None or due.do not in view.from_hand or not view.numbers:
        return False
    return not {"hand", "sets"}.intersection(view.secrets_of(seat))


def has_hands(game: type[Race]) -> bool:
    """Whether cards are dealt in this game, which a bot must know to play them."""
    return game.drawn is not Race.drawn


def check_seats(opening: Race, deal: str, played_by: Sequence[str]) -> None:
    """Refusal, or InvalidInput, unless bots of these strengths (by seat; "": a person) can play this game.

    >>> from companion.games.giro import GiroGaloppo
    >>> check_seats(GiroGaloppo.new(["Ada", "Ben"]), "people", ["", "easy"])
    """
    if not any(played_by):
        return
    if len(played_by) != len(opening.seats):
        raise InvalidInput("bots must have one entry for each seat")
    for seat, strength in enumerate(played_by):
        if strength and strength not in STRENGTHS:
            raise InvalidInput(f"there is no bot {strength!r}: take {', '.join(STRENGTHS)}")
        if strength and deal != "companion" and has_hands(type(opening)):
            raise refuse(
                _DEALT_BY_PEOPLE,
                text=opening.seats[seat],
            )
        if strength and STRENGTHS[strength].kind == "thinker" and not find_spec("numpy"):
            raise refuse(_NO_NUMPY)


_DEALT_BY_PEOPLE = N_(
    "{text} is played by the companion, which does not know these cards: let the companion deal"
)
_NO_NUMPY = N_("thinking ahead needs NumPy: install it, or choose another bot")
