"""What the referee asks a track that senses pieces, whatever it senses them with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, Protocol

from companion.devices.readings import PresenceSeen, TrackSeen
from companion.games.race import Race
from companion.match.match import Match
from companion.message import Sentence
from companion.referee.settle import Settle


class Reading(NamedTuple):
    """Where a tag is read, by sensor, and since when just there."""

    spaces: frozenset[int]
    since: float


class SensedTrack(Protocol):
    """A track as its sensors tell it: what is known of each piece of a race, and what cannot be known.

    Sensors are numbered from 0, spaces as the race has them; time is in seconds, any origin.
    """

    def takes(self, message: TrackSeen | PresenceSeen) -> bool:
        """Whether this is a message of such a track."""

    def read(self, message: TrackSeen | PresenceSeen, now: float) -> frozenset[str]:
        """The track is so now. Gives the keys of the strangers that stand anew, or are gone."""

    def settles(self, after: Settle) -> None:
        """From now on pieces come to rest after these times, where readers take their time to look."""

    def follow(self, match: Match | None, now: float, trusted: frozenset[str]) -> None:
        """Come up to `now` in this match, in which these pieces are trusted to stand elsewhere."""

    def decided(self) -> None:
        """A decision was made or taken back."""

    def checked(self) -> None:
        """People have looked: the pieces are what they should be."""

    def knows(self, sensor: int) -> bool:
        """Whether this sensor tells anything now."""

    def senses(self) -> bool:
        """Whether any sensor tells anything now."""

    def positions(self, race: Race) -> Mapping[str, int | None]:
        """The space on which each piece of this race is sensed now; None: on none, or nobody knows."""

    def stood(self, race: Race) -> Mapping[str, int]:
        """The space on which each piece was told when the last decision was made; those on none left out."""

    def tags(self, race: Race) -> Mapping[str, list[str]]:
        """The tags of each piece that were ever read."""

    def unseen(self, race: Race) -> frozenset[str]:
        """The pieces that may stand where this position has them without any sensor telling it."""

    def is_still(self, race: Race, piece: str, now: float) -> bool:
        """Whether this piece has come to rest."""

    def is_at_rest(self) -> bool:
        """Whether nothing moves that may be any piece."""

    def is_lost_for_a_blink(self, race: Race, piece: str, sensor: int, now: float) -> bool:
        """Whether a piece that no sensor tells now rested there, and is hardly gone."""

    def trust_after(
        self, race: Race, piece: str, was: int | None, now: float, *, is_current: bool
    ) -> Literal["goes on", "rests", "over"]:
        """What becomes of the trust in a piece that is no longer sensed where it `was` when it was trusted.

        `is_current`: the race is how it stands now, and not a position that is only thought of.
        """

    def has_arrived(self, piece: str) -> bool:
        """Whether this piece was felt where it was lined up, though it was lined up by tap."""

    def is_in_doubt(self, piece: str) -> bool:
        """Whether this piece may be another one."""

    def colours_to_check(self, race: Race) -> Sentence | None:
        """That pieces may have changed places while nobody could see it; None: there is no doubt."""

    def may_be_in_hand(self, piece: str) -> bool:
        """Whether holding this piece to the pad tells something: it may be in a hand."""

    def held_to_pad(self, piece: str) -> None:
        """This piece was held to the pad: it is set down next."""

    def strangers(self, race: Race | None) -> Mapping[str, Sentence]:
        """What is on the track and no piece of this game, by tag or space, with what to do."""

    def has_stayed(self, key: str, now: float) -> bool:
        """Whether this stranger has stood there long enough to be told."""

    def reading(self, uid: str) -> Reading | None:
        """Where this tag is read; None: nowhere."""

    def deadlines(self, looked: float) -> Iterator[float]:
        """When something will have stood long enough; times until `looked` may be among them."""
