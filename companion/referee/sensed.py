"""The interface between the referee and a track that senses pieces, with any kind of sensor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, Protocol

from companion.devices.readings import PresenceSeen, TrackSeen
from companion.games.race import Race
from companion.match.match import Match
from companion.message import Sentence
from companion.referee.settle import Settle


class Reading(NamedTuple):
    """The sensors that read a tag, and since when exactly these."""

    spaces: frozenset[int]
    since: float


class SensedTrack(Protocol):
    """The sensed state of a track: the known place of each piece of a race, and the open questions.

    Sensors are numbered from 0, spaces as the race has them; time is in seconds, any origin.
    """

    def accepts(self, message: TrackSeen | PresenceSeen) -> bool:
        """Return True if such a track sends this message."""

    def read(self, message: TrackSeen | PresenceSeen, now: float) -> frozenset[str]:
        """Take in the state of the track, and return the keys of strangers that are new or gone."""

    def set_settle_times(self, after: Settle) -> None:
        """Set the times after which pieces count as at rest, for readers that take time to poll."""

    def advance(self, match: Match | None, now: float, trusted: frozenset[str]) -> None:
        """Advance to `now` in this match, in which these pieces are trusted to be elsewhere."""

    def decided(self) -> None:
        """Note that a decision was made or taken back."""

    def checked(self) -> None:
        """Note that people have looked and the pieces are what they should be."""

    def is_reporting(self, sensor: int) -> bool:
        """Return True if this sensor reports now."""

    def is_sensing(self) -> bool:
        """Return True if any sensor reports now."""

    def positions(self, race: Race) -> Mapping[str, int | None]:
        """Return the space of each piece of this race now; None: on none, or unknown."""

    def last_positions(self, race: Race) -> Mapping[str, int]:
        """Return the space of each piece at the last decision; pieces on none are left out."""

    def tags(self, race: Race) -> Mapping[str, list[str]]:
        """Return the tags of each piece that were ever read."""

    def unseen(self, race: Race) -> frozenset[str]:
        """Return the pieces that may be where this position has them although no sensor reports it."""

    def is_still(self, race: Race, piece: str, now: float) -> bool:
        """Return True if this piece has come to rest."""

    def is_at_rest(self) -> bool:
        """Return True if nothing moves that may be any piece."""

    def is_lost_for_a_blink(self, race: Race, piece: str, sensor: int, now: float) -> bool:
        """Return True if a piece that no sensor reports now rested there, and is hardly gone."""

    def trust_after(
        self, race: Race, piece: str, was: int | None, now: float, *, is_current: bool
    ) -> Literal["goes on", "rests", "over"]:
        """Return whether the trust in a piece continues that is no longer sensed where it `was` when it was
        trusted.

        `is_current`: the race is the current position, not a hypothetical one.
        """

    def was_lined_up(self, piece: str) -> bool:
        """Return True if this piece was sensed where it was lined up, though it was lined up by tap."""

    def is_in_doubt(self, piece: str) -> bool:
        """Return True if this piece may be another one."""

    def colours_to_check(self, race: Race) -> Sentence | None:
        """Return a message that pieces may have changed places unsensed; None: there is no doubt."""

    def may_be_in_hand(self, piece: str) -> bool:
        """Return True if holding this piece to the pad adds information: it may be in a hand."""

    def note_held_to_pad(self, piece: str) -> None:
        """Note that this piece was held to the pad: it is set down next."""

    def strangers(self, race: Race | None) -> Mapping[str, Sentence]:
        """Return messages about things on the track that are no piece of this game, by tag or space."""

    def has_stayed(self, key: str, now: float) -> bool:
        """Return True if this stranger has been there long enough to be reported."""

    def reading(self, uid: str) -> Reading | None:
        """Return the sensors that read this tag; None: none."""

    def deadlines(self, evaluated_at: float) -> Iterator[float]:
        """Yield the times at which something will have been still for long enough; earlier ones
        are allowed.
        """
