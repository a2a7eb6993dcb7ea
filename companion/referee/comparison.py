"""Comparison of the sensed track with a position: the pieces that are elsewhere, and what to move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from companion.games.race import Race
from companion.games.terms import Decision, Place
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.referee.reports import Todo
from companion.referee.sensed import Sensed, SensedTrack, Tags


class Difference(NamedTuple):
    """A piece sensed on another space than expected, or (not `still`) moving."""

    at: int | None
    still: bool


@dataclass(frozen=True)
class Comparison:
    """The comparison of a position of this match, the current one or a hypothetical one, with the track.

    `tags`: those of each piece; `ended_trust`: the entries whose trust in a piece has ended. Everything that
    follows is computed once, when it is first asked for.
    """

    track: SensedTrack
    tags: Tags
    match: Match
    race: Race
    now: float
    ended_trust: frozenset[int]

    def of(self, race: Race) -> Comparison:
        """Return the comparison of another position with the same track."""
        return replace(self, race=race)

    def after(self, decision: Decision) -> Comparison:
        """Return the comparison of the position after this decision, made once for each."""
        known = self._after.get(decision)
        if known is None:
            known = self._after[decision] = self.of(self.race.after(decision))
        return known

    @cached_property
    def _after(self) -> dict[Decision, Comparison]:
        return {}

    @cached_property
    def layout(self) -> Mapping[str, Place]:
        """The expected place of each piece."""
        return self.race.layout()

    @cached_property
    def pieces(self) -> Mapping[str, Sensed]:
        """The pieces as they are sensed; empty if no sensor reports."""
        return self.track.pieces(self.race, self.tags, self.now) if self.track.is_sensing() else {}

    # --- differences -----------------------------------------------------------------------------

    @cached_property
    def differences(self) -> Mapping[str, Difference]:
        """The pieces that are sensed elsewhere than expected, or that have not come to rest there yet.

        Pieces that wait, and more than two on one space, are not compared.
        """
        if not self.pieces:
            return {}
        on_place, waiting = Counter(self.layout.values()), self.race.unsensed()
        differences = {}
        for piece, place in self.layout.items():
            at, still, hidden = self.pieces[piece]
            if place.space is None or on_place[place] > 2 or piece in waiting or hidden:
                continue
            if not still if at == place.space else not self._is_trusted(piece, at):
                differences[piece] = Difference(at, still)
        return differences

    @property
    def differs(self) -> bool:
        """True if the table differs from this position, or may differ because a piece is still moving."""
        return bool(self.differences)

    @property
    def is_wrong(self) -> bool:
        """True if a piece has come to rest on a wrong space."""
        return any(difference.still for difference in self.differences.values())

    def _is_trusted(self, piece: str, at: int | None) -> bool:
        """Return True if this piece may be on a wrong space: people said so, and it has not moved since."""
        trusted = (self.match.trusted or {}).get(piece)
        if trusted is None or trusted.seq in self.ended_trust or trusted.expected != self.layout[piece]:
            return False
        return trusted.seen == at or self._trust_after(piece, trusted.seen) == "goes on"

    def _trust_after(self, piece: str, seen: int | None) -> str:
        """Return whether the trust in a piece continues that is no longer where it was `seen`."""
        was = None if seen is None else seen - self.race.first_space
        sensed = self.pieces.get(piece, Sensed(None, still=False, hidden=False))
        return self.track.trust_after(sensed, was, is_current=self.race is self.match.race)

    def ending_trust(self) -> frozenset[int]:
        """Return the entries whose trust ends now: their piece has come to rest on another wrong space."""
        trusted = (self.match.trusted or {}).items()
        return frozenset(by.seq for piece, by in trusted if self._is_wrong_elsewhere(piece, by.seen))

    def _is_wrong_elsewhere(self, piece: str, seen: int | None) -> bool:
        """Return True if a piece rests neither where it should nor where it was `seen`, as a sensor says."""
        sensed, place = self.pieces.get(piece), self.layout.get(piece)
        if sensed is None or place is None or sensed.hidden or sensed.at in (seen, place.space):
            return False
        return self._trust_after(piece, seen) == "over"

    # --- the to-do list of the current position --------------------------------------------------

    def todo(self) -> list[Todo]:
        """Return the pieces to move: those of the last change first, then any other on a wrong space.

        Pieces that are lined up come in the order of the line, the front one first.
        """
        moved, other = [], []
        for piece, place in self.layout.items():
            difference, before = self.differences.get(piece), self.before.get(piece)
            if before != place:
                if difference or self._must_be_listed(piece, place):
                    moved.append(self._todo(piece, before, place, difference))
            elif difference and difference.still:
                other.append(self._todo(piece, place, place, difference))
        moved.sort(key=self._behind)
        return moved + other

    def _behind(self, task: Todo) -> int:
        """Return how many spaces behind the starting line a piece is lined up; 0 for any other move."""
        new = task.to.zone == "track" and self.before.get(task.piece) is None
        return -(task.to.space or 0) % int(self.race.track()["spaces"]) if new else 0

    @cached_property
    def before(self) -> Mapping[str, Place]:
        """The place of each piece before the last change.

        A piece without a place in the race until then has the place where it was sensed when it got one,
        possibly where the last race left it.
        """
        stood = {}
        for piece in self.race.field():
            sensors = self.track.last_sensors(self.tags.get(piece, ()))
            if self.track.was_lined_up(piece) and piece in self.layout:
                stood[piece] = self.layout[piece]
            elif len(sensors) == 1:
                stood[piece] = Place("track", min(sensors) + self.race.first_space)
        return {**stood, **(self.match.before or {})}

    def _must_be_listed(self, piece: str, place: Place) -> bool:
        """Return True if a move must be listed although no sensor misses it: none can see it, nor is it
        trusted.
        """
        at = self.pieces[piece].at if self.pieces else None
        if place.zone == "track":
            return at != place.space and not self._is_trusted(piece, at)
        if all(self.track.is_reporting(sensor) for sensor in range(self.race.track()["spaces"])):
            return at is not None  # its arrival cannot be sensed, but its departure can
        return not self._is_trusted(piece, at)

    def _todo(self, piece: str, before: Place | None, to: Place, difference: Difference | None) -> Todo:
        at = difference.at if difference else None
        start = before if at is None else Place("track", at)
        astray = difference is not None and (before == to if start == to else start != before)
        values = {"piece": piece, "space": to.space, "space_from": at}
        text = Sentence(self._template(piece, at, before, to), values)
        return Todo(piece, start, to, difference is not None, text, astray)

    def _template(self, piece: str, at: int | None, before: Place | None, to: Place) -> str:
        """Return the sentence for this move."""
        if to.zone != "track":
            return _OFF_TRACK[to.zone]
        if at is None:
            return _PUT if before is None else _PUT_BACK if before == to else _MOVE
        if at == to.space:
            return _MOVE
        if self.track.is_in_doubt(piece):
            return _MOVE_THAT
        together = sum(other.at == at for other in self.pieces.values())
        return _TWO_ON_SPACE if together > 1 else _MOVE_FROM


_OFF_TRACK = {
    "gate": N_("put {piece} into the gate"),
    "home": N_("{piece} is home: take it off the track"),
    "out": N_("{piece} is out: take it off the track"),
}
_MOVE = N_("move {piece} to {space}")
_MOVE_FROM = N_("move {piece} from {space_from} to {space}")
_PUT = N_("put {piece} on {space}")
_PUT_BACK = N_("put {piece} back on {space}")
_TWO_ON_SPACE = N_("two pieces on {space_from}: move {piece} to {space}")
_MOVE_THAT = N_("move the piece on {space_from} to {space}")
