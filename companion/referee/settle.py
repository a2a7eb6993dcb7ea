"""How long a piece must stand before it counts: seconds that hands take, and sweeps that readers take."""

from __future__ import annotations

from typing import NamedTuple

_GOES_ON = 2
"""Sweeps for which the readers go on telling a piece that was lifted: two looks in a row must miss it."""
_USUAL = 0.1
"""Seconds of a sweep where the track has not told how long it takes: 22 to 34 readers, and some to spare."""
_FASTEST, _SLOWEST = 0.05, 0.5
"""Seconds. None faster was tried under hands; one slower is no track to play on, or was told wrongly."""


class Settle(NamedTuple):
    """How long, in seconds, before it counts; each is what hands may take, and two sweeps.

    `track`: a piece must stand where it should. One that only touches that space, counted on to another,
    does not count: it rests there for up to 0.25 s, and is within reach for up to 0.2 s before and after.

    `stray`: anything must stand where it should not before it is told. A slip lasts up to 0.47 s until it is
    caught; let go out of a low hover and lifted slowly it is within reach for up to 0.6 s more. A piece that
    stands there for 1.35 s or longer (docs/hands.md) is still told: the readers go on telling it for as long.

    `blink`: a piece may be lost, or read next door: back where it stood for longer, it never left. Two looks
    in a row are enough that miss it, or hear it from there. Shorter than `track`, so that nothing that has
    come to rest in between was a blink.
    """

    track: float
    stray: float
    blink: float


_HANDS = Settle(track=0.45, stray=1.1, blink=0.3)


def settle_times(sweep: float = 0.0) -> Settle:
    """What a track needs whose readers take so many seconds to look at all spaces; 0: nobody knows.

    >>> settle_times()
    Settle(track=0.65, stray=1.3, blink=0.5)
    >>> settle_times(0.3)
    Settle(track=1.05, stray=1.7, blink=0.9)
    """
    counted = min(max(sweep, _FASTEST), _SLOWEST) if sweep > 0 else _USUAL
    return Settle(*(round(hands + _GOES_ON * counted, 3) for hands in _HANDS))
