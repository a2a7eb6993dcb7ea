"""A track whose readers read the tags of the pieces: each piece is known, and since when it is there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Self

from companion.devices.readings import PresenceSeen, TrackSeen
from companion.games.race import Race
from companion.games.terms import Place
from companion.message import N_, Sentence
from companion.referee.sensed import Reading, Sensed, SensedTrack, Tags
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


@dataclass(frozen=True)
class TaggedTrack(SensedTrack):
    """The state of the readers under the spaces.

    `standing` by tag, for every tag that was ever read; `at_decision`: the sensors that read each tag at the
    last decision, or when the track was first read.
    """

    settle: Settle = field(default_factory=settle_times)
    spaces: Mapping[int, frozenset[str] | None] = field(default_factory=dict)
    standing: Mapping[str, _Standing] = field(default_factory=dict)
    at_decision: Mapping[str, frozenset[int]] | None = None

    def accepts(self, message: TrackSeen | PresenceSeen) -> bool:
        """Return True for messages with tags by space."""
        return isinstance(message, TrackSeen)

    def after_reading(self, message: TrackSeen | PresenceSeen, now: float) -> tuple[Self, frozenset[str]]:
        """Return the track with these tags. A piece read on another space has to come to rest there again."""
        assert isinstance(message, TrackSeen)
        where: dict[str, set[int]] = {}
        for sensor, tags in message.spaces.items():
            for uid in tags or ():
                where.setdefault(uid, set()).add(sensor)
        standing, anew = dict(self.standing), set()
        for uid in dict.fromkeys((*self.standing, *where)):
            spaces, stood = frozenset(where.get(uid, ())), self.standing.get(uid)
            if stood is None or stood.spaces != spaces:
                anew.add(uid)
                blink = self.settle.blink
                standing[uid] = stood.then(spaces, now, blink) if stood else _Standing(spaces, now)
        after = replace(self, spaces=message.spaces, standing=standing)
        return (after if self.at_decision is not None else after.after_decision()), frozenset(anew)

    def after_decision(self) -> Self:
        """Return the track that remembers where each tag is read at this decision."""
        return replace(self, at_decision={uid: standing.spaces for uid, standing in self.standing.items()})

    def with_settle_times(self, settle: Settle) -> Self:
        """Return the track with these times; they apply to pieces that are there already too."""
        return replace(self, settle=settle)

    # --- pieces ----------------------------------------------------------------------------------

    def tags(self, items: Mapping[str, Item], game: str) -> Tags:
        """Return the tags of this game's pieces that were ever read."""
        tags: dict[str, list[str]] = {}
        for uid in self.standing:
            item = items.get(uid)
            if item is not None and item.game == game and item.kind == "piece":
                tags.setdefault(item.colour, []).append(uid)
        return tags

    def pieces(self, race: Race, tags: Tags, now: float) -> Mapping[str, Sensed]:
        """Return the space on which each piece of this race is read now, and if for long enough."""
        layout = race.layout()
        return {
            piece: self._piece(tags.get(piece, ()), layout.get(piece), race.first_space, now)
            for piece in race.field()
        }

    def _piece(self, uids: Sequence[str], place: Place | None, first: int, now: float) -> Sensed:
        """Return a piece with these tags; it has to stay longer on an unexpected space.

        A piece without a place may be anywhere.
        """
        sensors, since = frozenset[int](), -math.inf
        for uid in uids:
            sensors, since = sensors | self.standing[uid].spaces, max(since, self.standing[uid].since)
        due = None if place is None or place.space is None else place.space - first
        expected = place is None or sensors == (frozenset() if due is None else {due})
        long = self.settle.track if expected else self.settle.stray
        still = len(sensors) <= 1 and now >= since + long
        hidden = due is not None and len(sensors) != 1 and self._may_be_over(due, uids, sensors, now)
        return Sensed(min(sensors) + first if len(sensors) == 1 else None, still, hidden)

    def _may_be_over(self, sensor: int, uids: Sequence[str], sensors: frozenset[int], now: float) -> bool:
        """Return True if this reader is silent, or has lost a piece for a blink that rested there."""
        if not self.is_reporting(sensor):
            return True
        return not sensors and any(self.standing[uid].blinks(sensor, now, self.settle) for uid in uids)

    def is_reporting(self, sensor: int) -> bool:
        """Return True if this reader reports now."""
        return self.spaces.get(sensor) is not None

    def is_sensing(self) -> bool:
        """Return True if any reader reports now."""
        return any(tags is not None for tags in self.spaces.values())

    def last_sensors(self, tags: Iterable[str]) -> frozenset[int]:
        """Return the sensors that read these tags at the last decision, or when a tag was first read."""
        read = self.at_decision or {}
        return frozenset[int]().union(*(read.get(uid, ()) for uid in tags))

    def trust_after(
        self, piece: Sensed, was: int | None, *, is_current: bool
    ) -> Literal["goes on", "rests", "over"]:
        """Return "over" once the piece has come to rest elsewhere; a silent reader leaves that unknown."""
        if piece.at is None and was is not None and not self.is_reporting(was):
            return "goes on"
        return "over" if piece.still else "goes on"

    # --- other tags ------------------------------------------------------------------------------

    def strangers(self, race: Race | None, items: Mapping[str, Item]) -> Mapping[str, Sentence]:
        """Return messages about tags on the track that are no piece of this game."""
        first = race.first_space if race is not None else 0
        strangers: dict[str, Sentence] = {}
        for uid, standing in self.standing.items():
            if standing.spaces:
                text = _stranger(items.get(uid), race, min(standing.spaces) + first)
                strangers |= {uid: text} if text is not None else {}
        return strangers

    def has_stayed(self, key: str, now: float) -> bool:
        """Return True if this tag has been read there long enough to be reported."""
        return key not in self.standing or now >= self.standing[key].since + self.settle.stray

    def reading(self, uid: str) -> Reading | None:
        """Return the sensors that read this tag; None: none."""
        standing = self.standing.get(uid)
        return None if standing is None or not standing.spaces else Reading(standing.spaces, standing.since)

    def deadlines(self) -> Iterable[float]:
        """Return the times at which each tag will have been read long enough, by each of the settle times."""
        return [standing.since + long for standing in self.standing.values() for long in self.settle]


def _stranger(item: Item | None, race: Race | None, space: int) -> Sentence | None:
    """Return the message about a tag on this space; None if it is a piece of this game."""
    if item is None or item.kind not in _STRANGE:
        return Sentence(_STRANGE_TAG, {"space": space})
    if item.kind != "piece" or (race is not None and item.game != race.name):
        return Sentence(_STRANGE[item.kind], {"space": space})
    if race is None or item.colour in race.field():
        return None
    return Sentence(_NO_PART, {"space": space, "piece": item.colour})


_STRANGE_TAG = N_("an unknown tag lies on {space}: take it away")
_CARD_ON_TRACK = N_("a card lies on {space}: cards go on the pad")
_STRANGE_PIECE = N_("a piece of another game stands on {space}: take it away")
_NO_PART = N_("{piece} takes no part in this game: take it off {space}")
_STRANGE = {"card": _CARD_ON_TRACK, "piece": _STRANGE_PIECE}
