"""A track that senses pieces, with any kind of sensor: one frozen value after another.

Sensors are numbered from 0, spaces as the race has them; time is in seconds, any origin.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self

from companion.devices.readings import PresenceSeen, TrackSeen
from companion.games.race import Race
from companion.match.match import Match
from companion.message import Sentence
from companion.referee.settle import Settle
from companion.tags.item import Item

Tags = Mapping[str, Sequence[str]]
"""The tags of each piece of a game that were ever read on the track."""


class Reading(NamedTuple):
    """The sensors that read a tag, and since when exactly these."""

    spaces: frozenset[int]
    since: float


class Sensed(NamedTuple):
    """A piece as the track senses it in one position: its space `at`; None: on none, or unknown.

    `still`: it has come to rest. `hidden`: it may be where the position has it although no sensor reports it
    there now.
    """

    at: int | None
    still: bool
    hidden: bool


@dataclass(frozen=True)
class SensedTrack(ABC):
    """The sensed state of a track. Each change returns the next one.

    By default nothing is left open: a kind of sensor that identifies no piece overrides the questions.
    """

    @abstractmethod
    def accepts(self, message: TrackSeen | PresenceSeen) -> bool:
        """Return True if such a track sends this message."""

    # --- changes ---------------------------------------------------------------------------------

    @abstractmethod
    def after_reading(self, message: TrackSeen | PresenceSeen, now: float) -> tuple[Self, frozenset[str]]:
        """Return the track after this message, and the keys of strangers that are new or gone."""

    @abstractmethod
    def after_decision(self) -> Self:
        """Return the track after a decision was made or taken back."""

    def with_settle_times(self, settle: Settle) -> Self:
        """Return the track with these times after which pieces count as at rest."""
        return self

    def advanced(self, match: Match | None, now: float, trusted: frozenset[str]) -> Self:
        """Return the track at `now` in this match, in which these pieces are trusted to be elsewhere."""
        return self

    def after_check(self) -> Self:
        """Return the track after people have looked: the pieces are what they should be."""
        return self

    def after_holding(self, piece: str) -> Self:
        """Return the track after this piece was held to the pad: it is set down next."""
        return self

    # --- pieces ----------------------------------------------------------------------------------

    @abstractmethod
    def pieces(self, race: Race, tags: Tags, now: float) -> Mapping[str, Sensed]:
        """Return each piece of this position as it is sensed."""

    @abstractmethod
    def is_reporting(self, sensor: int) -> bool:
        """Return True if this sensor reports now."""

    @abstractmethod
    def is_sensing(self) -> bool:
        """Return True if any sensor reports now."""

    @abstractmethod
    def trust_after(
        self, piece: Sensed, was: int | None, *, is_current: bool
    ) -> Literal["goes on", "rests", "over"]:
        """Return whether the trust in a piece continues that is no longer on the sensor where it `was` when
        it was trusted.

        `is_current`: it is sensed in the current position, not in a hypothetical one.
        """

    def tags(self, items: Mapping[str, Item], game: str) -> Tags:
        """Return the tags of this game's pieces."""
        return {}

    def last_sensors(self, tags: Iterable[str]) -> frozenset[int]:
        """Return the sensors that read these tags at the last decision, or when a tag was first read."""
        return frozenset()

    def is_at_rest(self) -> bool:
        """Return True if nothing moves that may be any piece."""
        return True

    def was_lined_up(self, piece: str) -> bool:
        """Return True if this piece was sensed where it was lined up, though it was lined up by tap."""
        return False

    def is_in_doubt(self, piece: str) -> bool:
        """Return True if this piece may be another one."""
        return False

    def colours_to_check(self, race: Race) -> Sentence | None:
        """Return a message that pieces may have changed places unsensed; None: there is no doubt."""
        return None

    def may_be_in_hand(self, piece: str) -> bool:
        """Return True if holding this piece to the pad adds information: it may be in a hand."""
        return False

    # --- other things on the track ---------------------------------------------------------------

    @abstractmethod
    def strangers(self, race: Race | None, items: Mapping[str, Item]) -> Mapping[str, Sentence]:
        """Return messages about things on the track that are no piece of this game, by tag or space."""

    def has_stayed(self, key: str, now: float) -> bool:
        """Return True if this stranger has been there long enough to be reported."""
        return True

    def reading(self, uid: str) -> Reading | None:
        """Return the sensors that read this tag; None: none."""
        return None

    @abstractmethod
    def deadlines(self) -> Iterable[float]:
        """Return the times at which something will have been still for long enough; earlier ones are
        allowed.
        """
