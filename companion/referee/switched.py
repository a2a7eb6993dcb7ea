"""A track of switches: which piece is where follows from lifting and setting down (`occupancy.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from companion.devices.readings import PresenceSeen, TrackSeen
from companion.games.race import Race
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.referee.occupancy import Expected, Occupancy
from companion.referee.placing import Placement, may_be_in_hand, placement, strangers, to_check
from companion.referee.sensed import Reading
from companion.referee.settle import Settle
from companion.referee.steps import Checked, Compared, Decided, Event, HeldToPad, NoMatch, SwitchesRead, step


class SwitchedTrack:
    """The switches under the spaces and what follows from them: one `Occupancy` after another."""

    def __init__(self) -> None:
        self._occupancy = Occupancy()
        self._placement: tuple[Race, Placement] | None = None  # the last that was asked for

    def _step(self, event: Event) -> None:
        self._occupancy, self._placement = step(self._occupancy, event), None

    def accepts(self, message: TrackSeen | PresenceSeen) -> bool:
        """Return True for presence messages, and for any message that no sensor reports: the
        track is gone.
        """
        return isinstance(message, PresenceSeen) or all(tags is None for tags in message.spaces.values())

    def read(self, message: TrackSeen | PresenceSeen, now: float) -> frozenset[str]:
        """Take in the state of the switches. Return nothing: a space is reported as a stranger only once."""
        spaces = {sensor: None if there is None else bool(there) for sensor, there in message.spaces.items()}
        self._step(SwitchesRead(spaces, now))
        return frozenset()

    def set_settle_times(self, after: Settle) -> None:
        """Do nothing: polling a switch takes no time."""

    def advance(self, match: Match | None, now: float, trusted: frozenset[str]) -> None:
        """Advance to `now`: the expected places of this match decide what the switches leave open."""
        if match is None:
            self._step(NoMatch(now))
        else:
            race = match.race
            self._step(Compared(match.id, race.field(), Expected.of(race), now, trusted))

    def decided(self) -> None:
        """Assume that unsensed moves were made, and end a doubt that was shown."""
        self._step(Decided())

    def checked(self) -> None:
        """Note that people have looked and the pieces are what they should be."""
        self._step(Checked())

    def is_reporting(self, sensor: int) -> bool:
        """Return True if this switch reports closed or open, even for a moment."""
        switch = self._occupancy.switches.by_sensor.get(sensor)
        return switch is not None and switch.reported is not None

    def is_sensing(self) -> bool:
        """Return True if any switch reports closed or open."""
        return any(self.is_reporting(sensor) for sensor in self._occupancy.switches.by_sensor)

    def _placed(self, race: Race) -> Placement:
        if self._placement is None or self._placement[0] is not race:
            self._placement = race, placement(self._occupancy, Expected.of(race))
        return self._placement[1]

    def positions(self, race: Race) -> Mapping[str, int | None]:
        """Return the space on which each piece must be, with open questions decided as this position has
        them.
        """
        at = self._placed(race).at
        return {p: None if (s := at.get(p)) is None else s + race.first_space for p in race.field()}

    def last_positions(self, race: Race) -> Mapping[str, int]:
        """Return nothing: which piece a switch sensed before the race had a place for it is unknown."""
        return {}

    def tags(self, race: Race) -> Mapping[str, list[str]]:
        """Return nothing: a switch senses a magnet and no tag."""
        return {}

    def unseen(self, race: Race) -> frozenset[str]:
        """Return the pieces that may be where this position has them although no sensor reports it."""
        return self._placed(race).unseen

    def is_still(self, race: Race, piece: str, now: float) -> bool:
        """Return True if this piece, or any that may be it, has come to rest."""
        return self._occupancy.is_still(piece)

    def is_at_rest(self) -> bool:
        """Return True if no switch has changed just now."""
        return self._occupancy.is_at_rest()

    def is_lost_for_a_blink(self, race: Race, piece: str, sensor: int, now: float) -> bool:
        """Return False: a switch that opens for a blink is not believed."""
        return False

    def trust_after(
        self, race: Race, piece: str, was: int | None, now: float, *, is_current: bool
    ) -> Literal["goes on", "rests", "over"]:
        """Return "over" once all is at rest; in motion another position may explain the switches too."""
        return "over" if is_current and self.is_at_rest() and self.is_sensing() else "rests"

    def was_lined_up(self, piece: str) -> bool:
        """Return True if this piece was sensed where it was lined up, though it was lined up by tap."""
        stand = self._occupancy.stands.get(piece)
        return stand is not None and stand.agreed is not None

    def is_in_doubt(self, piece: str) -> bool:
        """Return True if this piece may be another one."""
        return piece in self._occupancy.doubted()

    def colours_to_check(self, race: Race) -> Sentence | None:
        """Return a message that pieces may have changed places unsensed; None: there is no doubt."""
        doubted = to_check(self._occupancy)
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
        return may_be_in_hand(self._occupancy, piece)

    def note_held_to_pad(self, piece: str) -> None:
        """Note that this piece was held to the pad: it is set down next."""
        self._step(HeldToPad(piece))

    def strangers(self, race: Race | None) -> Mapping[str, Sentence]:
        """Return messages about spaces with something that is no piece of this game."""
        first = race.first_space if race is not None else 0
        spaces = {sensor: {"space": sensor + first} for sensor in strangers(self._occupancy)}
        return {f"space {sensor}": Sentence(_SOMETHING, values) for sensor, values in spaces.items()}

    def has_stayed(self, key: str, now: float) -> bool:
        """Return True: a thing becomes a stranger only after it has stayed long enough."""
        return True

    def reading(self, uid: str) -> Reading | None:
        """Return None: a switch reads no tags."""
        return None

    def deadlines(self, evaluated_at: float) -> Iterator[float]:
        """Yield the times at which each changed switch will have been stable for long enough."""
        return self._occupancy.switches.deadlines()


_MOST_NAMED = 3  # pieces in one sentence; all are drawn where they should stand

_CHECK_COLOURS = N_("check the colours: {then}")
_CHECK_ALL_COLOURS = N_("check the colours: each piece should stand where it is drawn")
_STANDS_ON = N_("{piece} on {space}")
_AND_THEN = N_("{news_a}, {then}")
_SOMETHING = N_("something stands on {space}, where no piece should: take it away")
