"""How much of a reader's field goes through a tag: by place, height and size of both coils.

The mutual inductance of two flat coils is Neumann's integral over their turns. Nothing was measured; the
bench tests `height`, `ghosts` and `nearer` settle it. Lengths in millimetres, inductances in nanohenry.

A tag that is half outside of its reader's coil gets as much of the field up as of the field down, which is
nothing: its null. Farther out it gets the field that returns outside of the coil.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardware.sizes import sizes

Array = NDArray[np.float64]


class Coil(NamedTuple):
    """A reader's coil: along and across the track outside, so many turns at a distance from each other."""

    along: float
    across: float
    turns: int = 3
    apart: float = 1.0


class Tag(NamedTuple):
    """A round sticker's coil: its outer diameter, so many turns at a distance from each other."""

    diameter: float
    turns: int = 4
    apart: float = 0.75


READERS: Final = (Coil(38, 36), Coil(36, 36), Coil(34, 30))
"""The coil on a board of 60 × 40 mm: boards differ [assumed]; the first is the widest that has room."""
TAGS: Final = (Tag(23), Tag(22))
"""A sticker of 25 mm: its coil ends a millimetre or more inside [assumed]."""
HEIGHTS: Final = (3.4, 5.0, 8.0, 12.0)
"""From coil to sticker: on a tile, the coil on either side of its board; through a board of 2 mm; the highest
that is taken to read.
"""
POWER_STEP: Final = 1.5
"""The firmware lowers the power by at most this factor a step: scanner.py, CONTEST_POWERS."""
SPREAD: Final = 2.0
"""So many times as strong as another may a reader be that is set alike [assumed]."""


def rectangle(along: float, across: float, pieces: int) -> tuple[Array, Array]:
    """Return the middles and the lengths, as vectors, of the pieces of a rectangular turn."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]) * (along / 2, across / 2)
    share = ((np.arange(pieces) + 0.5) / pieces)[:, None]
    sides = list(pairwise(corners))
    middles = np.concatenate([start + (end - start) * share for start, end in sides])
    return middles, np.concatenate([np.tile((end - start) / pieces, (pieces, 1)) for start, end in sides])


def circle(diameter: float, pieces: int) -> tuple[Array, Array]:
    """Return the middles and the lengths, as vectors, of the pieces of a round turn."""
    angle = (np.arange(pieces) + 0.5) * 2 * np.pi / pieces
    out = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    onwards = np.stack([-out[:, 1], out[:, 0]], axis=1)
    return out * diameter / 2, onwards * math.pi * diameter / pieces


def turns(coil: Coil | Tag, pieces: int = 20) -> tuple[Array, Array]:
    """Return the pieces of all turns of a coil; a round turn has two fifths of a rectangle's pieces."""
    inwards = [2 * coil.apart * n for n in range(coil.turns)]
    if isinstance(coil, Tag):
        found = [circle(coil.diameter - less, 8 * pieces // 5) for less in inwards]
    else:
        found = [rectangle(coil.along - less, coil.across - less, pieces) for less in inwards]
    middles, lengths = zip(*found, strict=True)
    return np.concatenate(middles), np.concatenate(lengths)


def inductance(
    one: Coil | Tag, other: Coil | Tag, aside: Sequence[float] | Array, high: float, pieces: int = 20
) -> Array:
    """Return the mutual inductance of two flat coils, by how far their middles are apart along the track.

    It is negative where the field goes through backwards.
    """
    (places, lengths), (others, other_lengths) = turns(one, pieces), turns(other, pieces)
    together = lengths @ other_lengths.T
    across = (places[:, None, 1] - others[None, :, 1]) ** 2 + high**2
    along = places[:, None, 0] - others[None, :, 0]
    return 0.1 * np.array([(together / np.sqrt((along - x) ** 2 + across)).sum() for x in aside])


def pairs() -> Iterator[tuple[Coil, Tag, float]]:
    """Yield each reader with each tag at each height."""
    for reader in READERS:
        for tag in TAGS:
            for high in HEIGHTS:
                yield reader, tag, high


class Hold(NamedTuple):
    """How a tag so far off the middle of its reader is shared with the next one, in the worst case of all
    sizes.
    """

    aside: float
    own: float  # part of what it gets in the middle, at the least
    ratio: float  # of what it gets from its own reader to what it gets from the next, at the least


@cache
def holds(pitch: float, places: tuple[float, ...] = tuple(range(31))) -> tuple[Hold, ...]:
    """Return how well a tag is held by its reader, by place, when readers are so far apart."""
    aside = np.array(places, dtype=float)
    own, ratio = np.full(aside.shape, np.inf), np.full(aside.shape, np.inf)
    for reader, tag, high in pairs():
        curve = np.abs(inductance(reader, tag, np.concatenate(([0.0], aside, pitch - aside)), high))
        near, far = curve[1 : aside.size + 1], curve[aside.size + 1 :]
        own, ratio = np.minimum(own, near / curve[0]), np.minimum(ratio, near / far)
    return tuple(Hold(*map(float, of)) for of in zip(aside, own, ratio, strict=True))


def surely_nearer(pitch: float) -> float:
    """Return so far off the middle, in whole millimetres, falling power tells which of two readers is nearer.

    The nearer one must get more by a step of power, times the spread of readers.
    """
    right = [hold.ratio >= POWER_STEP * SPREAD for hold in holds(pitch)]
    return float(right.index(False) - 1 if False in right else len(right) - 1)


def wrongly_nearer(pitch: float) -> tuple[float, float]:
    """Return between which places the farther reader may get more of a tag than the nearer one."""
    wrong = [hold.aside for hold in holds(pitch) if hold.ratio < 1 and hold.aside < pitch / 2]
    return min(wrong), max(wrong)


def null(high: float) -> tuple[float, float]:
    """Return between which places, by size of the coils, a tag at this height gets nothing."""
    aside = np.arange(15, 35, 0.25)
    found = [
        float(aside[np.argmax(inductance(reader, tag, aside, high) < 0)])
        for reader in READERS
        for tag in TAGS
    ]
    return min(found), max(found)


def ghosts_from(pitch: float) -> float:
    """Return how high over its middle a reader must read a tag so that it may read one in the next dish too.

    The tag is at the edge of that dish, nearest to the reader, and answers at the same field.
    """
    size = sizes()
    edge = pitch - size["near"] - size["play"]
    heights = np.arange(5.0, 90.0)
    found = []
    for reader in READERS:
        for tag in TAGS:
            most = max(abs(float(inductance(reader, tag, [edge], high)[0])) for high in HEIGHTS)
            above = [float(inductance(reader, tag, [0.0], high)[0]) for high in heights]
            found.append(float(heights[np.argmax(np.array(above) < most)]))
    return min(found)


class Field:
    """The coupling of one reader's coil and one tag, anywhere near it, quickly: as part of that at a height.

    Interpolated between places of a grid, so that its null and its turn of sign stay.
    """

    def __init__(self, reader: Coil, tag: Tag, unit_high: float) -> None:
        self.low, self.rise, self.step = 4.0, 2.5, 1.0
        places, heights = np.arange(0.0, 80.0, self.step), np.arange(self.low, 80.0, self.rise)
        unit = float(inductance(reader, tag, [0.0], unit_high)[0])
        rows = [inductance(reader, tag, places, high, pieces=14) / unit for high in heights]
        self.rows: list[list[float]] = [row.tolist() for row in rows]

    def at(self, aside: float, high: float) -> float:
        """Return the coupling so far off the middle, so high over the coil; 0 outside of the grid."""
        row, column = (high - self.low) / self.rise, aside / self.step
        y, x = int(row), int(column)
        if not (row >= 0 and y + 1 < len(self.rows) and x + 1 < len(self.rows[0])):
            return 0.0
        up, out = row - y, column - x
        below, above = self.rows[y], self.rows[y + 1]
        return (1 - up) * ((1 - out) * below[x] + out * below[x + 1]) + up * (
            (1 - out) * above[x] + out * above[x + 1]
        )


@cache
def usual() -> Field:
    """Return the field of the first coil and tag of the lists, of which 1 is that of a piece on its tile."""
    return Field(READERS[0], TAGS[0], STANDS)


STANDS: Final = 5.0
"""Millimetres from coil to sticker of a piece that stands on its tile, the coil below its board."""
