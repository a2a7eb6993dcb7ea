"""Comparison of the sensed track with the expected position, and what people should do about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from companion.games.race import Race
from companion.games.terms import Decision, Place
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.referee.reports import Offer, Todo
from companion.referee.sensed import SensedTrack
from companion.referee.trust import Trust


class Difference(NamedTuple):
    """A piece sensed on another space than expected, or (not `still`) moving."""

    piece: str
    at: int | None
    still: bool


@dataclass(frozen=True)
class Comparison:
    """The comparison of a match with this track now."""

    track: SensedTrack
    trust: Trust
    match: Match
    now: float

    def positions(self, race: Race) -> Mapping[str, int | None] | None:
        """Return the space where the track senses each piece of this race now; None if no sensor reports."""
        return self.track.positions(race) if self.track.is_sensing() else None

    def differences(self, race: Race) -> Iterator[Difference]:
        """Yield each piece that is sensed where `race` does not have it, or that has not come to rest yet."""
        positions = self.positions(race)
        if positions is None:
            return
        layout, unseen = race.layout(), self.track.unseen(race)
        places = list(layout.values())
        for piece, place in layout.items():
            if place.space is None or places.count(place) > 2 or piece in race.unsensed():
                continue
            at, still = positions[piece], self.track.is_still(race, piece, self.now)
            sensor = place.space - race.first_space
            if at is None and self.track.is_lost_for_a_blink(race, piece, sensor, self.now):
                continue
            unsensed = piece in unseen or (at is None and not self.track.is_reporting(sensor))
            differs = at != place.space and not unsensed and not self._is_trusted(race, piece, at)
            if differs or (at == place.space and not still):
                yield Difference(piece, at, still)

    def _is_trusted(self, race: Race, piece: str, at: int | None) -> bool:
        return self.trust.covers(self.track, self.match, race, piece, at, self.now)

    def differs(self, race: Race) -> bool:
        """Return True if the table differs from this position, or may differ because a piece is
        still moving.
        """
        return any(True for _ in self.differences(race))

    def is_wrong(self) -> bool:
        """Return True if a piece has come to rest on a wrong space."""
        return any(difference.still for difference in self.differences(self.match.race))

    # --- the to-do list --------------------------------------------------------------------------

    def todo(self) -> list[Todo]:
        """Return the pieces to move: those of the last change first, then any other on a wrong space."""
        race = self.match.race
        differences = {d.piece: d for d in self.differences(race)}
        positions, before = self.positions(race) or {}, self._before()
        moved, other = [], []
        for piece, place in race.layout().items():
            difference = differences.get(piece)
            if before.get(piece) != place:
                if difference or self._must_be_listed(piece, positions.get(piece)):
                    moved.append(self._todo(piece, before.get(piece), place, difference, positions))
            elif difference and difference.still:
                other.append(self._todo(piece, place, place, difference, positions))
        return moved + other

    def _before(self) -> Mapping[str, Place]:
        """Return the place of each piece before the last change.

        A piece without a place in the race until then has the place where it was sensed when it got one,
        possibly where the last race left it.
        """
        before, layout = self.match.before or {}, self.match.race.layout()
        stood = {
            piece: Place("track", at) for piece, at in self.track.last_positions(self.match.race).items()
        }
        felt = {piece: place for piece, place in layout.items() if self.track.was_lined_up(piece)}
        return {**stood, **felt, **before}

    def _must_be_listed(self, piece: str, at: int | None) -> bool:
        """Return True if a move must be listed although no sensor misses it: none can see it, nor is it
        trusted.
        """
        place = self.match.race.layout()[piece]
        if place.zone != "track" and self._reports_everywhere(self.match.race):
            return at is not None  # its arrival cannot be sensed, but its departure can
        off = place.zone != "track" or at != place.space
        return off and not self._is_trusted(self.match.race, piece, at)

    def _reports_everywhere(self, race: Race) -> bool:
        """Return True if a piece that no sensor reports is on no space of the track."""
        return all(self.track.is_reporting(sensor) for sensor in range(race.track()["spaces"]))

    def _todo(
        self,
        piece: str,
        stood: Place | None,
        to: Place,
        difference: Difference | None,
        positions: Mapping[str, int | None],
    ) -> Todo:
        at = difference.at if difference else None
        start = stood if at is None else Place("track", at)
        text = self._task(piece, at, stood, to, positions)
        astray = difference is not None and (stood == to if start == to else start != stood)
        return Todo(piece, start, to, difference is not None, text, astray)

    def _task(
        self,
        piece: str,
        at: int | None,
        stood: Place | None,
        to: Place,
        positions: Mapping[str, int | None],
    ) -> Sentence:
        values = {"piece": piece, "space": to.space, "space_from": at}
        if to.zone != "track":
            return Sentence(_OFF_TRACK[to.zone], values)
        if stood is None and at is None:
            return Sentence(_PUT, values)
        if at is None:
            return Sentence(_PUT_BACK if stood == to else _MOVE, values)
        if at == to.space:
            return Sentence(_MOVE, values)
        if self.track.is_in_doubt(piece):
            return Sentence(_MOVE_THAT, values)
        if sum(space == at for space in positions.values()) > 1:
            return Sentence(_TWO_ON_SPACE, values)
        return Sentence(_MOVE_FROM, values)

    # --- explanations of the table ---------------------------------------------------------------

    def offer(self) -> Offer | None:
        """Return the decision that the pieces on the track mean, where pieces can make the due one (a
        line-up).
        """
        race = self.match.race
        positions = self.positions(race)
        if positions is None or not self.track.is_at_rest():
            return None
        if not all(self.track.is_still(race, piece, self.now) for piece in positions):
            return None
        places = {piece: Place("track", at) for piece, at in positions.items() if at is not None}
        decision = race.meant_by(places)
        if decision is None:
            return None
        tags = self.track.tags(race)
        return Offer(decision, tuple(sorted(uid for piece in places for uid in tags.get(piece, ()))))

    def early(self) -> Decision | None:
        """Return the one decision that would explain the table now: a piece was moved before its card."""
        race, awaited = self.match.race, self.match.race.awaits()
        if awaited is None or len(awaited.seats) != 1 or awaited.do != "play" or self.match.private():
            return None
        if race.seen_by(None) != race:
            return None  # the suggestion would reveal what others have chosen
        differ = {difference.piece for difference in self.differences(race)}
        before = self._before()
        due = {piece for piece, place in race.layout().items() if before.get(piece) != place}
        if not differ or differ & due:  # its last move is not made yet: then a piece astray is just wrong
            return None
        decisions = race.decisions(awaited.seats[0])
        fits = [decision for decision in decisions if not self.differs(race.after(decision))]
        return fits[0] if len(fits) == 1 else None

    def table_says(self) -> Literal["undo"] | Decision | None:
        """Return the change of the last decision that would agree with the table, "undo", or None."""
        match = self.match
        group = match.last_group()
        if not group or match.takes_change_back() or not self.differs(match.race):
            return None
        if not all(difference.still for difference in self.differences(match.race)):
            return None
        race = match.position(len(match.turns) - len(group))
        last = group[0].decision
        if race.layout() and not self.differs(race):
            return "undo"
        if last.do != "play" or len(group) > 1 or match.deal != "people":
            return None
        for decision in race.decisions(last.seat):
            if decision != last and not self.differs(race.after(decision)):
                return decision
        return None


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
