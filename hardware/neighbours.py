"""What the tuned coils of idle readers do to the one that reads, by their quality.

A reader whose antenna is off still has its coil and capacitors: a circuit tuned to 13.56 MHz. The field of
the next reader drives a current in it, which weakens that reader, and lights a tag over the idle coil. Coils
are alike, and tuned exactly: the worst case. Nothing was measured; the bench test `neighbours` settles it.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardware.coils import HEIGHTS, READERS, TAGS, Coil, Tag, inductance
from hardware.sizes import sizes

QUALITIES: Final = (5, 10, 20, 30, 40)
"""Of the antenna of a common board, its matching and its driver off, 10 to 35 [assumed]."""
CARRIER_HZ: Final = 13.56e6
ASIDE: Final = 2  # one on either side


def self_inductance(coil: Coil) -> float:
    """Return a flat coil's own inductance in nanohenry, by Wheeler's formula for flat squares (Mohan, 1999).

    >>> 600 < self_inductance(READERS[0]) < 1000
    True
    """
    out = math.sqrt(coil.along * coil.across)
    within = out - 2 * coil.apart * (coil.turns - 1)
    mean, fill = (out + within) / 2, (out - within) / (out + within)
    return 2.34 * 0.4 * math.pi * coil.turns**2 * mean / (1 + 2.75 * fill)


@cache
def coupling(pitch: float) -> float:
    """Return the greatest coupling factor of two readers' coils so far apart on one level."""
    return max(abs(float(inductance(c, c, [pitch], 0.0)[0])) / self_inductance(c) for c in READERS)


class Effect(NamedTuple):
    """The effect of idle neighbours of one quality."""

    quality: float
    current: float  # in an idle coil, of that in the reader's
    lost: float  # part of the reader's current that two of them cost
    ghosts_from: float  # mm: who reads so high over the middle may read a tag over an idle coil


def effect(quality: float, pitch: float) -> Effect:
    """Return what neighbours of this quality do at this pitch.

    The idle coil takes k·Q of the current. By it the reader's own resistance grows to 1 + k²·Q² for each.
    """
    share = coupling(pitch) * quality
    return Effect(quality, share, 1 - 1 / (1 + ASIDE * share**2), _as_high(share))


def _as_high(share: float) -> float:
    """Return the height over a reader's middle where a tag gets as much as one close to an idle coil."""
    found = []
    for reader in READERS:
        for tag in TAGS:
            above = _above(reader, tag)
            close = share * float(inductance(reader, tag, [0.0], HEIGHTS[0])[0])
            found.append(float(_OVER[np.argmax(above < close)]))
    return min(found)


_OVER: Final = np.arange(5.0, 80.0)


@cache
def _above(reader: Coil, tag: Tag) -> NDArray[np.float64]:
    """Return what a tag gets of a reader over its middle, by height."""
    return np.array([float(inductance(reader, tag, [0.0], high)[0]) for high in _OVER])


def across(quality: float) -> float:
    """Return the ohms across any coil of the list that leave it at most this quality."""
    return quality * 2 * math.pi * CARRIER_HZ * min(map(self_inductance, READERS)) * 1e-9


def effects() -> list[Effect]:
    """Return the effects at the track's pitch, by quality."""
    return [effect(quality, sizes()["pitch"]) for quality in QUALITIES]
