"""A track of switches: which piece is where follows from lifting and setting down (`occupancy.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Self

from companion.devices.readings import PresenceSeen, TrackSeen
from companion.games.race import Race
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.referee.occupancy import Expected, Occupancy
from companion.referee.placing import may_be_in_hand, placement, strangers, to_check
from companion.referee.sensed import Sensed, SensedTrack, Tags
from companion.referee.steps import Checked, Compared, Decided, Event, HeldToPad, NoMatch, SwitchesRead, step
from companion.tags.item import Item


@dataclass(frozen=True)
class SwitchedTrack(SensedTrack):
    """The switches under the spaces and what follows from them."""

    occupancy: Occupancy = field(default_factory=Occupancy)

    def _after(self, event: Event) -> Self:
        return replace(self, occupancy=step(self.occupancy, event))

    def accepts(self, message: TrackSeen | PresenceSeen) -> bool:
        """Return True for presence messages, and for any message that no sensor reports: the
        track is gone.
        """
        return isinstance(message, PresenceSeen) or all(tags is None for tags in message.spaces.values())

    def after_reading(self, message: TrackSeen | PresenceSeen, now: float) -> tuple[Self, frozenset[str]]:
        """Return the track with these switches, and no strangers: a space is reported as one only once."""
        spaces = {sensor: None if there is None else bool(there) for sensor, there in message.spaces.items()}
        return self._after(SwitchesRead(spaces, now)), frozenset()

    def advanced(self, match: Match | None, now: float, trusted: frozenset[str]) -> Self:
        """Return the track at `now`: the expected places of this match decide what the switches leave
        open.
        """
        if match is None:
            return self._after(NoMatch(now))
        race = match.race
        return self._after(Compared(match.id, race.field(), Expected.of(race), now, trusted))

    def after_decision(self) -> Self:
        """Return the track with unsensed moves assumed made, and without a doubt that was shown."""
        return self._after(Decided())

    def after_check(self) -> Self:
        """Return the track after people have looked: the pieces are what they should be."""
        return self._after(Checked())

    def after_holding(self, piece: str) -> Self:
        """Return the track after this piece was held to the pad: it is set down next."""
        return self._after(HeldToPad(piece))

    # --- pieces ----------------------------------------------------------------------------------

    def pieces(self, race: Race, tags: Tags, now: float) -> Mapping[str, Sensed]:
        """Return the space on which each piece must be, with open questions decided as this position has
        them.
        """
        expected, first = Expected.of(race), race.first_space
        placed, layout = placement(self.occupancy, expected), race.layout()
        pieces = {}
        for piece in race.field():
            sensor, place = placed.at.get(piece), layout.get(piece)
            due = None if place is None or place.space is None else place.space - first
            silent = sensor is None and due is not None and not self.is_reporting(due)
            at = None if sensor is None else sensor + first
            pieces[piece] = Sensed(at, self.occupancy.is_still(piece), silent or piece in placed.unseen)
        return pieces

    def is_reporting(self, sensor: int) -> bool:
        """Return True if this switch reports closed or open, even for a moment."""
        switch = self.occupancy.switches.by_sensor.get(sensor)
        return switch is not None and switch.reported is not None

    def is_sensing(self) -> bool:
        """Return True if any switch reports closed or open."""
        return any(self.is_reporting(sensor) for sensor in self.occupancy.switches.by_sensor)

    def trust_after(
        self, piece: Sensed, was: int | None, *, is_current: bool
    ) -> Literal["goes on", "rests", "over"]:
        """Return "over" once all is at rest; in motion another position may explain the switches too."""
        return "over" if is_current and self.is_at_rest() and self.is_sensing() else "rests"

    def is_at_rest(self) -> bool:
        """Return True if no switch has changed just now."""
        return self.occupancy.is_at_rest()

    def was_lined_up(self, piece: str) -> bool:
        """Return True if this piece was sensed where it was lined up, though it was lined up by tap."""
        stand = self.occupancy.stands.get(piece)
        return stand is not None and stand.agreed is not None

    def is_in_doubt(self, piece: str) -> bool:
        """Return True if this piece may be another one."""
        return piece in self.occupancy.doubted()

    def colours_to_check(self, race: Race) -> Sentence | None:
        """Return a message that pieces may have changed places unsensed; None: there is no doubt."""
        doubted = to_check(self.occupancy)
        if not doubted:
            return None
        if len(doubted) > _MOST_NAMED:
            return Sentence(_CHECK_ALL_COLOURS)
        *others, sentence = (
            Sentence(_STANDS_ON, {"piece": piece, "space": sensor + race.first_space})
            for piece, sensor in doubted.items()
        )
        for part in reversed(others):
            sentence = Sentence(_AND_THEN, {"news_a": part, "then": sentence})
        return Sentence(_CHECK_COLOURS, {"then": sentence})

    def may_be_in_hand(self, piece: str) -> bool:
        """Return True if holding this piece to the pad adds information: it may be in a hand."""
        return may_be_in_hand(self.occupancy, piece)

    # --- other things on the track ---------------------------------------------------------------

    def strangers(self, race: Race | None, items: Mapping[str, Item]) -> Mapping[str, Sentence]:
        """Return messages about spaces with something that is no piece of this game.

        A space that `colours_to_check` is about is left out: the thing there may be its piece.
        """
        first = race.first_space if race is not None else 0
        doubted = set(to_check(self.occupancy).values())
        spaces = {s: {"space": s + first} for s in strangers(self.occupancy) if s not in doubted}
        return {f"space {sensor}": Sentence(_SOMETHING, values) for sensor, values in spaces.items()}

    def deadlines(self) -> Iterable[float]:
        """Return the times at which each changed switch will have been stable for long enough."""
        return self.occupancy.switches.deadlines()


_MOST_NAMED = 3  # pieces in one sentence; all are drawn where they should stand

_CHECK_COLOURS = N_("check the colours: {then}")
_CHECK_ALL_COLOURS = N_("check the colours: each piece should stand where it is drawn")
_STANDS_ON = N_("{piece} on {space}")
_AND_THEN = N_("{news_a}, {then}")
_SOMETHING = N_("something stands on {space}, where no piece should: take it away")
