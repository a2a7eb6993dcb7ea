"""Everything that is shown at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from companion.devices.seen import PartIs
from companion.games.race import Decision
from companion.match.match import Match
from companion.match.turn import Turn
from companion.message import Sentence
from companion.referee.referee import Alert, Gathered, Offer, Todo
from companion.table.messages import LuckIs, OddsAre
from companion.tags.enrolment import Enrolment

Lamp = Literal["off", "green", "yellow", "red", "blue"]


class Fix(NamedTuple):
    """A way to trust one side where the table differs: ignore a piece, or change the decisions."""

    side: Literal["app", "table"]
    piece: str
    change: Literal["ignore", "undo"] | Decision


@dataclass(frozen=True)
class Picture:
    """Everything that is shown at one moment. Never changed: pages read it from any thread."""

    seq: int
    mock: bool
    match: Match | None = None
    seen: Mapping[str, int | None] | None = None
    todo: tuple[Todo, ...] = ()
    alerts: tuple[Alert, ...] = ()
    offer: Offer | None = None
    early: Decision | None = None
    gathered: tuple[Gathered, ...] = ()
    fixes: tuple[Fix, ...] = ()
    parts: Mapping[str, PartIs] | None = None
    used_cards: bool = False  # whether used cards are shown where a game leaves that to memory
    odds: tuple[OddsAre, ...] = ()  # one per moment of the match, the newest last
    no_odds: Sentence | None = None  # why there are none
    luck: LuckIs | None = None  # once the game is finished and looked back on
    tags: Mapping[str, str] = field(default_factory=dict)  # what every known tag means
    enrolment: Enrolment | None = None  # the box that gets its tags now; None: none does
    explaining: bool = False  # whether each step is explained once
    explain: str | None = None  # what is explained now: a key of the game's `explains`


def last_turn(match: Match) -> Turn | None:
    """The last decision that anybody made, if it is what happened last."""
    group = match.last_played()
    return group[0] if group and match.last in ("decide", "redo", "trust") else None
