"""A snapshot of everything that is shown at one moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from companion.devices.readings import PartIs
from companion.games.terms import Decision
from companion.history.evening import Evening
from companion.match.match import Match
from companion.match.turn import Turn
from companion.message import Sentence
from companion.odds.chance import wins
from companion.referee.referee import Referee
from companion.referee.reports import Alert, Gathered, Offer, Todo
from companion.table.faces import Face
from companion.table.messages import LuckIs, OddsAre
from companion.table.preferences import Switches
from companion.tags.enrolment import Enrolment


class Fix(NamedTuple):
    """A way to trust one side where the table differs: ignore a piece, or change the decisions."""

    side: Literal["app", "table"]
    piece: str
    change: Literal["ignore", "undo"] | Decision


@dataclass(frozen=True)
class Picture:
    """A snapshot of everything that is shown at one moment. Immutable: pages read it from any thread."""

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
    switches: Switches = field(default_factory=Switches)  # the host's switches
    faces: Mapping[str, Face] = field(default_factory=dict)  # the looks of people, by `same_name`
    odds: tuple[OddsAre, ...] = ()  # one per moment of the match, the newest last
    no_odds: Sentence | None = None  # why there are none
    luck: LuckIs | None = None  # once the game is finished and looked back on
    evening: Evening | None = None  # the same, once the odds of every moment are known too
    tags: Mapping[str, str] = field(default_factory=dict)  # the meaning of every known tag
    enrolment: Enrolment | None = None  # the box that gets its tags now; None: none does
    explaining: bool = False  # whether each step is explained once
    explain: str | None = None  # the present explanation: a key of the game's `explains`

    @property
    def ending(self) -> bool:
        """True while the game is finished and a sensed piece is not at its final place: no winner is
        announced.

        That place may be off the track, or a space without a sensor.
        """
        if self.match is None or not self.match.finished:
            return False
        seen = self.seen or {}
        return any(task.held or seen.get(task.piece) not in (None, task.to.space) for task in self.todo)


def last_turn(match: Match) -> Turn | None:
    """Return the last decision, if it is the latest event."""
    group = match.last_played()
    return group[0] if group and match.last in ("decide", "redo", "trust") else None


def win_chances(picture: Picture) -> dict[int, list[float]]:
    """Return each seat's chance to win, 0 to 1, by the entry after which it applied."""
    seats = len(picture.match.race.seats) if picture.match is not None else 0
    return {odds.seq: wins(odds.chances, seats) for odds in picture.odds}


def compared(picture: Picture, match: Match | None, referee: Referee, now: float) -> Picture:
    """Return the snapshot with the referee's view of this match: positions, tasks, alerts and fixes."""
    picture = replace(picture, match=match, alerts=tuple(referee.alerts(match, now)))
    if match is None:
        return replace(picture, seen=None, todo=(), offer=None, early=None, gathered=(), fixes=())
    todo = tuple(referee.todo(match, now))
    return replace(
        picture,
        seen=referee.positions(match.race),
        todo=todo,
        offer=referee.offer(match, now),
        early=referee.early(match, now),
        gathered=tuple(referee.gathered(match)),
        fixes=_fixes(match, todo, referee, now),
    )


def _fixes(match: Match, todo: Sequence[Todo], referee: Referee, now: float) -> tuple[Fix, ...]:
    held = [task.piece for task in todo if task.held]
    fixes = [Fix("app", piece, "ignore") for piece in held]
    change = referee.table_says(match, now) if held else None
    if change is not None:
        fixes.append(Fix("table", held[0], change))
    return tuple(fixes)
