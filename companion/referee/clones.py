"""Tags that are read on the pad and on the track at once: two tags with the same number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.match.match import Match
from companion.message import N_, Sentence
from companion.referee.pad import PadWatch
from companion.referee.sensed import SensedTrack
from companion.tags.item import Item

TWICE_STILL = 1.0
"""Seconds a tag must be read on pad and track at once: the track needs a while to see that it was lifted."""


class Clone(NamedTuple):
    """A tag that has been read twice since `since`; `sensor` is the first one of the track that reads it."""

    uid: str
    since: float
    sensor: int

    def is_certain(self, now: float) -> bool:
        """Return True once this has lasted for `TWICE_STILL`."""
        return now >= self.since + TWICE_STILL


def clones(pad: PadWatch, track: SensedTrack) -> Iterator[Clone]:
    """Yield the tags that are read both on the pad and on the track."""
    for uid in pad.tags():
        on_pad_since, reading = pad.since(uid), track.reading(uid)
        if on_pad_since is not None and reading is not None:
            yield Clone(uid, max(on_pad_since, reading.since), min(reading.spaces))


def clone_message(clone: Clone, item: Item | None, match: Match | None) -> Sentence:
    """Return the message about a tag that is read twice."""
    first = match.race.first_space if match is not None else 0
    values = {"uid": clone.uid, "space": clone.sensor + first}
    if item is None or match is None or item.game != match.race.name:
        return Sentence(_TAG_TWICE, values)
    if item.kind == "card":
        return Sentence(_CARD_TWICE, {**values, "card": item.colour})  # its number may be a secret
    return Sentence(_PIECE_TWICE, {**values, "piece": item.colour})


_TAG_TWICE = N_("two tags have the number {uid}, one on the card pad, one on {space}: replace one of them")
_PIECE_TWICE = N_(
    "{piece} is read on the card pad and on {space} at once: two tags have the same number, "
    "replace one of them"
)
_CARD_TWICE = N_(
    "a {card} card is read on the card pad and on {space} at once: "
    "two tags have the same number, replace one of them"
)
