"""A track whose readers read the tags of the pieces: each piece is known, and since when it is there."""

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
"""Seconds, until the track reports the duration of a sweep (`settle.py`)."""


class _Standing(NamedTuple):
    """The sensors that read a piece's tag, and since when exactly these; `before`, its former standing."""

    spaces: frozenset[int]
    since: float
    before: _Standing | None = None

    def then(self, spaces: frozenset[int], now: float, blink: float) -> _Standing:
        """Return the standing once it is read here; a tag that was elsewhere for a blink keeps its former
        one.
        """
        if self.spaces == spaces:
            return self
        before = self.before
        if before is not None and before.spaces == spaces:
            away = now - self.since
            if away < blink and away < self.since - before.since:  # else it had only passed
                return before
        return _Standing(spaces, now, self._replace(before=None))

    def blinks(self, sensor: int, now: float, after: Settle) -> bool:
        """Return True if it rested there, and has been read nowhere for no longer than a blink."""
        if self.before is None or self.spaces or self.before.spaces != {sensor}:
            return False
        return self.since >= self.before.since + after.track and now < self.since + after.blink


class TaggedTrack:
    """The state of the readers under the spaces."""

    def __init__(self, item_of: Callable[[str], Item | None], after: Settle) -> None:
        """Watch a track whose tags `item_of` looks up; pieces come to rest after the times `after`."""
        self._item_of = item_of
        self._after = after
        self._spaces: Mapping[int, frozenset[str] | None] = {}
        self._standing: dict[str, _Standing] = {}
        self._spaces_at_decision: Mapping[str, frozenset[int]] | None = None  # the last, or when first read

    def accepts(self, message: TrackSeen | PresenceSeen) -> bool:
        """Return True for messages with tags by space."""
        return isinstance(message, TrackSeen)

    def read(self, message: TrackSeen | PresenceSeen, now: float) -> frozenset[str]:
        """Take in the tags that are read. A piece read on another space has to come to rest there again."""
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
        if self._spaces_at_decision is None:
            self.decided()
        return frozenset(anew)

    def set_settle_times(self, after: Settle) -> None:
        """Set the times; they apply to pieces that are there already too."""
        self._after = after

    def advance(self, match: Match | None, now: float, trusted: frozenset[str]) -> None:
        """Do nothing: the tags identify the pieces in any position."""

    def decided(self) -> None:
        """Remember where each tag is read at this decision."""
        self._spaces_at_decision = {uid: standing.spaces for uid, standing in self._standing.items()}

    def checked(self) -> None:
        """Do nothing: the tags leave nothing to check."""

    def is_reporting(self, sensor: int) -> bool:
        """Return True if this reader reports now."""
        return self._spaces.get(sensor) is not None

    def is_sensing(self) -> bool:
        """Return True if any reader reports now."""
        return any(tags is not None for tags in self._spaces.values())

    def positions(self, race: Race) -> Mapping[str, int | None]:
        """Return the space on which each piece of this race is read now; None: on none, or on two."""
        return self._positions_of(race, {uid: standing.spaces for uid, standing in self._standing.items()})

    def last_positions(self, race: Race) -> Mapping[str, int]:
        """Return the space on which each piece was read at the last decision, or when it was first read."""
        positions = self._positions_of(race, self._spaces_at_decision or {})
        return {piece: at for piece, at in positions.items() if at is not None}

    def _positions_of(self, race: Race, read: Mapping[str, frozenset[int]]) -> Mapping[str, int | None]:
        """Return the space of each piece of this race, from the sensors that read each tag."""
        tags = self.tags(race)
        positions: dict[str, int | None] = {}
        for piece in race.field():
            sensors = {sensor for uid in tags.get(piece, ()) for sensor in read.get(uid, ())}
            positions[piece] = sensors.pop() + race.first_space if len(sensors) == 1 else None
        return positions

    def tags(self, race: Race) -> Mapping[str, list[str]]:
        """Return the tags of each piece that were ever read."""
        tags: dict[str, list[str]] = {}
        for uid in self._standing:
            item = self._item_of(uid)
            if item is not None and item.game == race.name and item.kind == "piece":
                tags.setdefault(item.colour, []).append(uid)
        return tags

    def _sensors(self, uids: Iterable[str]) -> set[int]:
        return {sensor for uid in uids for sensor in self._standing[uid].spaces}

    def unseen(self, race: Race) -> frozenset[str]:
        """Return nothing: a piece that is not read is reported missing, or its reader is silent."""
        return frozenset()

    def is_still(self, race: Race, piece: str, now: float) -> bool:
        """Return True if this piece has been read on one space for long enough, longer on an
        unexpected one.
        """
        uids = self.tags(race).get(piece, [])
        sensors = self._sensors(uids)
        long = self._after.track if _may_stand(race, piece, sensors) else self._after.stray
        return len(sensors) <= 1 and all(now >= self._standing[uid].since + long for uid in uids)

    def is_at_rest(self) -> bool:
        """Return True: each piece comes to rest independently."""
        return True

    def is_lost_for_a_blink(self, race: Race, piece: str, sensor: int, now: float) -> bool:
        """Return True if the readers have lost a piece for a blink from where it rested."""
        tags = [self._standing[uid] for uid in self.tags(race).get(piece, ())]
        return not any(tag.spaces for tag in tags) and any(
            tag.blinks(sensor, now, self._after) for tag in tags
        )

    def trust_after(
        self, race: Race, piece: str, was: int | None, now: float, *, is_current: bool
    ) -> Literal["goes on", "rests", "over"]:
        """Return "over" once the piece has come to rest elsewhere; a silent reader leaves that unknown."""
        at = self.positions(race)[piece]
        if at is None and was is not None and not self.is_reporting(was - race.first_space):
            return "goes on"
        return "over" if self.is_still(race, piece, now) else "goes on"

    def was_lined_up(self, piece: str) -> bool:
        """Return False: a piece lined up by tap must be put where it should be, wherever it is read."""
        return False

    def is_in_doubt(self, piece: str) -> bool:
        """Return False: a tag is never another one."""
        return False

    def colours_to_check(self, race: Race) -> Sentence | None:
        """Return None: the tags identify the pieces."""
        return None

    def may_be_in_hand(self, piece: str) -> bool:
        """Return False: the track reads which piece is set down."""
        return False

    def note_held_to_pad(self, piece: str) -> None:
        """Do nothing: the track reads which piece is set down."""

    def strangers(self, race: Race | None) -> Mapping[str, Sentence]:
        """Return messages about tags on the track that are no piece of this game."""
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
        """Return True if this tag has been read there long enough to be reported."""
        return key not in self._standing or now >= self._standing[key].since + self._after.stray

    def reading(self, uid: str) -> Reading | None:
        """Return the sensors that read this tag; None: none."""
        standing = self._standing.get(uid)
        return None if standing is None or not standing.spaces else Reading(standing.spaces, standing.since)

    def deadlines(self, evaluated_at: float) -> Iterator[float]:
        """Yield the times at which each tag will have been read long enough, by each of the settle times."""
        return (standing.since + long for standing in self._standing.values() for long in self._after)


def _may_stand(race: Race, piece: str, sensors: set[int]) -> bool:
    """Return True if a piece is read exactly where this position has it; a piece without a place may be
    anywhere.
    """
    place = race.layout().get(piece)
    if place is None:
        return True
    return sensors == (set() if place.space is None else {place.space - race.first_space})


_STRANGE_TAG = N_("an unknown tag lies on {space}: take it away")
_CARD_ON_TRACK = N_("a card lies on {space}: cards go on the pad")
_STRANGE_PIECE = N_("a piece of another game stands on {space}: take it away")
_NO_PART = N_("{piece} takes no part in this game: take it off {space}")
_STRANGE = {"card": _CARD_ON_TRACK, "piece": _STRANGE_PIECE}
