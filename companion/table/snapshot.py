"""A snapshot of everything that is shown at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.devices.readings import PartIs
from companion.games.terms import Decision
from companion.history.evening import Evening
from companion.match.match import Match
from companion.match.turn import Turn
from companion.message import Sentence
from companion.odds.chance import wins
from companion.referee.evaluation import Evaluation
from companion.referee.reports import Alert, Fix, Gathered, Offer, Todo
from companion.table.faces import Face
from companion.table.messages import LuckIs, OddsAre
from companion.table.preferences import Switches
from companion.tags.enrolment import Enrolment


@dataclass(frozen=True)
class Snapshot:
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
    boxes: Mapping[str, str] = field(default_factory=dict)  # the edition in the house, by game
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


def win_chances(picture: Snapshot) -> dict[int, list[float]]:
    """Return each seat's chance to win, 0 to 1, by the entry after which it applied."""
    seats = len(picture.match.race.seats) if picture.match is not None else 0
    return {odds.seq: wins(odds.chances, seats) for odds in picture.odds}


def compared(picture: Snapshot, evaluation: Evaluation) -> Snapshot:
    """Return the snapshot with what the referee says: positions, tasks, alerts and fixes."""
    return replace(
        picture,
        match=evaluation.match,
        seen=evaluation.seen,
        todo=evaluation.todo,
        alerts=evaluation.alerts,
        offer=evaluation.offer,
        early=evaluation.early,
        gathered=evaluation.gathered,
        fixes=evaluation.fixes,
    )
