"""A track whose readers tell the tags of the pieces: who is who is read, and since when each stands there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from companion.devices.readings import PresenceSeen, TrackSeen
from companion.games.race import Race
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.referee.sensed import Reading
from companion.referee.settle import Settle, settle_times
from companion.tags.item import Item

TRACK_STILL, STRAY_STILL, BLINK = settle_times()
"""Seconds, where the track has not told how long a sweep takes (`settle.py`)."""


class _Standing(NamedTuple):
    """Where a piece's tag is read, and since when it is just there; `before`, how it stood earlier."""

    spaces: frozenset[int]
    since: float
    before: _Standing | None = None

    def then(self, spaces: frozenset[int], now: float, blink: float) -> _Standing:
        """As it stands now that it is read here; what was elsewhere for a blink goes on as it was."""
        if self.spaces == spaces:
            return self
        before = self.before
        if before is not None and before.spaces == spaces:
            away = now - self.since
            if away < blink and away < self.since - before.since:  # else it had only passed
                return before
        return _Standing(spaces, now, self._replace(before=None))

    def blinks(self, sensor: int, now: float, after: Settle) -> bool:
        """Whether it rested there, and has not been read anywhere for no longer than a blink."""
        if self.before is None or self.spaces or self.before.spaces != {sensor}:
            return False
        return self.since >= self.before.since + after.track and now < self.since + after.blink


class TaggedTrack:
    """What the readers under the spaces read, remembered."""

    def __init__(self, item_of: Callable[[str], Item | None], after: Settle) -> None:
        """`item_of` says what a tag is; `after` so long it has come to rest."""
        self._item_of = item_of
        self._after = after
        self._spaces: Mapping[int, frozenset[str] | None] = {}
        self._standing: dict[str, _Standing] = {}
        self._stood: Mapping[str, frozenset[int]] | None = None  # at the last decision, or when first read

    def takes(self, message: TrackSeen | PresenceSeen) -> bool:
        """Only tags by space are."""
        return isinstance(message, TrackSeen)

    def read(self, message: TrackSeen | PresenceSeen, now: float) -> frozenset[str]:
        """The readers read these tags now. A piece read somewhere else starts to stand anew."""
        assert isinstance(message, TrackSeen)
        self._spaces = message.spaces
        where: dict[str, set[int]] = {}
        for sensor, tags in message.spaces.items():
            for uid in tags or ():
                where.setdefault(uid, set()).add(sensor)
        anew = set()
        for uid in self._standing.keys() | where.keys():
            spaces = frozenset(where.get(uid, ()))
            stood = self._standing.get(uid)
            if stood is None or stood.spaces != spaces:
                anew.add(uid)
                blink = self._after.blink
                self._standing[uid] = stood.then(spaces, now, blink) if stood else _Standing(spaces, now)
        if self._stood is None:
            self.decided()
        return frozenset(anew)

    def settles(self, after: Settle) -> None:
        """Pieces that stand already come to rest after these times too."""
        self._after = after

    def follow(self, match: Match | None, now: float, trusted: frozenset[str]) -> None:
        """The tags say who is who, in any position."""

    def decided(self) -> None:
        """What is read stays what it is; where it was read now is remembered."""
        self._stood = {uid: standing.spaces for uid, standing in self._standing.items()}

    def checked(self) -> None:
        """The tags leave nothing to be checked."""

    def knows(self, sensor: int) -> bool:
        """Whether this reader tells anything now."""
        return self._spaces.get(sensor) is not None

    def senses(self) -> bool:
        """Whether any reader tells anything now."""
        return any(tags is not None for tags in self._spaces.values())

    def positions(self, race: Race) -> Mapping[str, int | None]:
        """The space on which each piece of this race is read now; None: on none, or on two."""
        return self._told(race, {uid: standing.spaces for uid, standing in self._standing.items()})

    def stood(self, race: Race) -> Mapping[str, int]:
        """The space on which each piece was read at the last decision, or when it was first read."""
        told = self._told(race, self._stood or {})
        return {piece: at for piece, at in told.items() if at is not None}

    def _told(self, race: Race, read: Mapping[str, frozenset[int]]) -> Mapping[str, int | None]:
        """What tags read there say of the pieces of this race."""
        tags = self.tags(race)
        told: dict[str, int | None] = {}
        for piece in race.field():
            sensors = {sensor for uid in tags.get(piece, ()) for sensor in read.get(uid, ())}
            told[piece] = sensors.pop() + race.first_space if len(sensors) == 1 else None
        return told

    def tags(self, race: Race) -> Mapping[str, list[str]]:
        """The tags of each piece that were ever read."""
        tags: dict[str, list[str]] = {}
        for uid in self._standing:
            item = self._item_of(uid)
            if item is not None and item.game == race.name and item.kind == "piece":
                tags.setdefault(item.colour, []).append(uid)
        return tags

    def _sensors(self, uids: Iterable[str]) -> set[int]:
        return {sensor for uid in uids for sensor in self._standing[uid].spaces}

    def unseen(self, race: Race) -> frozenset[str]:
        """None: a piece that is not read is told, or its reader is silent."""
        return frozenset()

    def is_still(self, race: Race, piece: str, now: float) -> bool:
        """Whether this piece has been read at one space long enough, longer where it should not be."""
        uids = self.tags(race).get(piece, [])
        sensors = self._sensors(uids)
        long = self._after.track if _may_stand(race, piece, sensors) else self._after.stray
        return len(sensors) <= 1 and all(now >= self._standing[uid].since + long for uid in uids)

    def is_at_rest(self) -> bool:
        """Each piece comes to rest by itself."""
        return True

    def is_lost_for_a_blink(self, race: Race, piece: str, sensor: int, now: float) -> bool:
        """Whether the readers have lost a piece for a blink from where it rested."""
        tags = [self._standing[uid] for uid in self.tags(race).get(piece, ())]
        return not any(tag.spaces for tag in tags) and any(
            tag.blinks(sensor, now, self._after) for tag in tags
        )

    def trust_after(
        self, race: Race, piece: str, was: int | None, now: float, *, is_current: bool
    ) -> Literal["goes on", "rests", "over"]:
        """It is over once the piece has come to rest elsewhere; where a reader is silent nobody knows."""
        at = self.positions(race)[piece]
        if at is None and was is not None and not self.knows(was - race.first_space):
            return "goes on"
        return "over" if self.is_still(race, piece, now) else "goes on"

    def has_arrived(self, piece: str) -> bool:
        """Lined up by tap, a piece is to be put where it should stand, wherever it is read."""
        return False

    def is_in_doubt(self, piece: str) -> bool:
        """A tag is never another one."""
        return False

    def colours_to_check(self, race: Race) -> Sentence | None:
        """None: the tags say who is who."""
        return None

    def may_be_in_hand(self, piece: str) -> bool:
        """Nobody needs to be told: the track reads who is set down."""
        return False

    def held_to_pad(self, piece: str) -> None:
        """The track reads who is set down."""

    def strangers(self, race: Race | None) -> Mapping[str, Sentence]:
        """The tags on the track that are no piece of this game, with what to do."""
        first = race.first_space if race is not None else 0
        strangers: dict[str, Sentence] = {}
        for uid, standing in self._standing.items():
            if standing.spaces:
                text = self._stranger(self._item_of(uid), race, min(standing.spaces) + first)
                strangers |= {uid: text} if text is not None else {}
        return strangers

    def _stranger(self, item: Item | None, race: Race | None, space: int) -> Sentence | None:
        if item is None or item.kind not in _STRANGE:
            return Sentence(_STRANGE_TAG, {"space": space})
        if item.kind != "piece" or (race is not None and item.game != race.name):
            return Sentence(_STRANGE[item.kind], {"space": space})
        if race is None or item.colour in race.field():
            return None
        return Sentence(_NO_PART, {"space": space, "piece": item.colour})

    def has_stayed(self, key: str, now: float) -> bool:
        """Whether this tag has been read there long enough to be told."""
        return key not in self._standing or now >= self._standing[key].since + self._after.stray

    def reading(self, uid: str) -> Reading | None:
        """Where this tag is read; None: nowhere."""
        standing = self._standing.get(uid)
        return None if standing is None or not standing.spaces else Reading(standing.spaces, standing.since)

    def deadlines(self, looked: float) -> Iterator[float]:
        """When each tag will have been read long enough where it is, for whatever it may be."""
        return (standing.since + long for standing in self._standing.values() for long in self._after)


def _may_stand(race: Race, piece: str, sensors: set[int]) -> bool:
    """Whether a piece is read just where this position has it; it may be anywhere if it has no place."""
    place = race.layout().get(piece)
    if place is None:
        return True
    return sensors == (set() if place.space is None else {place.space - race.first_space})


_STRANGE_TAG = N_("an unknown tag lies on {space}: take it away")
_CARD_ON_TRACK = N_("a card lies on {space}: cards go on the pad")
_STRANGE_PIECE = N_("a piece of another game stands on {space}: take it away")
_NO_PART = N_("{piece} takes no part in this game: take it off {space}")
_STRANGE = {"card": _CARD_ON_TRACK, "piece": _STRANGE_PIECE}
