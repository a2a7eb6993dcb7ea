"""The time a piece must stay before it counts: seconds for hands, plus sweeps of the readers."""

from __future__ import annotations

from typing import NamedTuple

_GOES_ON = 2
"""Sweeps for which the readers still report a piece that was lifted: two polls in a row must miss it."""
_USUAL = 0.1
"""Seconds of a sweep until the track reports its duration: 22 to 34 readers, and some to spare."""
_FASTEST, _SLOWEST = 0.05, 0.5
"""Seconds. None faster was tried under hands; a slower one is unplayable, or a wrong report."""


class Settle(NamedTuple):
    """The times, in seconds, before something counts; each allows for hands, and two sweeps.

    `track`: a piece must stay on its expected space. One that only touches that space, counted on to another,
    does not count: it rests there for up to 0.25 s, and is within reach for up to 0.2 s before and after.

    `stray`: anything must stay on an unexpected space before it is reported. A slip lasts up to 0.47 s until
    it is caught; let go out of a low hover and lifted slowly it is within reach for up to 0.6 s more. A piece
    that stays there for 1.35 s or longer (docs/hands.md) is still reported: the readers report it for as
    long.

    `blink`: a piece may be lost, or read next door: back where it was before for longer, it never left. Two
    polls in a row that miss it, or read it next door, are enough. Shorter than `track`, so that nothing that
    has come to rest in between was a blink.
    """

    track: float
    stray: float
    blink: float


_HANDS = Settle(track=0.45, stray=1.1, blink=0.3)


def settle_times(sweep: float = 0.0) -> Settle:
    """Return the times for a track whose readers take `sweep` seconds to poll all spaces; 0: unknown.

    >>> settle_times()
    Settle(track=0.65, stray=1.3, blink=0.5)
    >>> settle_times(0.3)
    Settle(track=1.05, stray=1.7, blink=0.9)
    """
    counted = min(max(sweep, _FASTEST), _SLOWEST) if sweep > 0 else _USUAL
    return Settle(*(round(hands + _GOES_ON * counted, 3) for hands in _HANDS))
