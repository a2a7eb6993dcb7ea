"""The messages of the parts at the table to the table's inbox.

Every message is a whole snapshot, never a difference: a lost message costs nothing. A tag is written as its
UID in upper-case hex: 8, 14 or 20 digits, so that the length is part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from companion.message import Sentence

PartName = Literal["pad", "track", "panel"]
PartState = Literal["ok", "tap", "lost"]


class PadSeen(NamedTuple):
    """The tags on the card pad now; `unreadable`: there is something there that no read explains.

    `why`: what is known about it, such as what a reader typed.
    """

    tags: frozenset[str]
    unreadable: bool = False
    why: Sentence | None = None


class TrackSeen(NamedTuple):
    """The tags on every sensed space; None: not known (a silent reader, a lost link), which is not empty.

    Spaces are numbered from 0 by reader. A space that has no reader is not in the mapping.
    """

    spaces: Mapping[int, frozenset[str] | None]


class PresenceSeen(NamedTuple):
    """Whether there is a piece on every sensed space: one or more, which is not known.

    None: not known (a fault, a lost link), which is not empty. Spaces are numbered from 0 by sensor. A space
    that has no sensor is not in the mapping.
    """

    spaces: Mapping[int, bool | None]


class SweepIs(NamedTuple):
    """The time that the readers of the track need to poll every space, in milliseconds, if notably new."""

    ms: int


class Pressed(NamedTuple):
    """A button of the panel was pressed."""

    button: Literal["confirm", "undo", "next"]


class PartIs(NamedTuple):
    """The state of a part, and `why` if it is not simply well.

    `ok` with a `why`: it works, with a fault. `tap`: it never answered and is replaced by taps; it may still
    come. `lost`: it was there and is gone; its last state does not count until it reports again.
    """

    part: PartName
    state: PartState
    why: Sentence | None = None


Seen = PadSeen | TrackSeen | PresenceSeen | SweepIs | Pressed | PartIs
Tell = Callable[[Seen], None]
