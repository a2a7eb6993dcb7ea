"""The magnet in a piece over the hall switch below its space: where it closes for certain, and where it may.

Computed from sizes.scad, the limits of the switch and the spread of magnets; no magnet was measured. Lengths
in millimetres, fields in millitesla, remanence in tesla. The bench test `hall` settles it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardware.sizes import sizes

Array = NDArray[np.float64]


class Magnet(NamedTuple):
    """A disc, magnetized through its thickness, of any grade between two remanences."""

    diameter: float
    thick: float
    least: float = 1.17  # N35, the weakest that a maker lets pass
    most: float = 1.37  # N45

    @property
    def name(self) -> str:
        """Its size as sellers write it."""
        return f"{self.diameter:g} × {self.thick:g} mm"


class Switch(NamedTuple):
    """When a switch closes and opens, for either pole."""

    closes_surely: float
    closes_typically: float
    closes_at_least: float
    opens_surely: float


DRV5032FA: Final = Switch(4.8, 3.0, 1.5, 0.5)
"""TI DRV5032 data sheet SLVSDC7H: 4.8 mT at most, section 4; 3 mT typical, 1.5 at least, and released at 0.5
mT in the worst case, section 6 [check].
"""

ELEMENT: Final = (0.3, 2.5)
"""What senses, below the roof: in a body of 1.52 mm that is glued flat to it, its mark up or down, with up to
a millimetre of glue [assumed].
"""
LIFTED: Final = 0.5
"""Glue below a magnet, and a print that is too high [assumed]."""
BESIDE: Final = 0.5
"""So far a switch may be off the middle of its space [assumed]."""
TILT: Final = math.radians(5)
"""So far a switch may lie aslant [assumed]."""
GRIP: Final = 2.5
"""Grams that hold a piece of 12 g on printed plastic: friction of 0.2 [assumed]."""


def chosen() -> Magnet:
    """Return the magnet of the bases in hardware/models."""
    return Magnet(sizes()["magnet"], sizes()["magnet_thick"])


def gaps() -> tuple[float, float]:
    """Return how far below the underside of a magnet the switch senses, at least and at most."""
    size = sizes()
    solid = size["switch_skin"] - size["dish_deep"] + size["floor_thick"]
    return solid + ELEMENT[0], solid + ELEMENT[1] + LIFTED


def field(magnet: Magnet, remanence: float, aside: Array, below: float) -> tuple[Array, Array]:
    """Return the field down and outwards, in mT, so far aside of a magnet's axis and below its underside.

    The two faces of a disc carry the field like charges: summed over rings and spokes, the same as the exact
    solution from a distance of 3 mm on (a nightly test compares it with magpylib's).
    """
    points, weights = np.polynomial.legendre.leggauss(_RINGS)
    ring, share = (points + 1) * magnet.diameter / 4, weights * magnet.diameter / 4
    spoke = (np.arange(_SPOKES) + 0.5) * 2 * np.pi / _SPOKES
    area = (share * ring)[:, None] * np.full(_SPOKES, 2 * np.pi / _SPOKES)
    x, y = ring[:, None] * np.cos(spoke), ring[:, None] * np.sin(spoke)
    away = np.asarray(aside, dtype=float)[..., None, None] - x
    down, outwards = np.zeros(np.shape(aside)), np.zeros(np.shape(aside))
    for depth, sign in ((below, 1), (below + magnet.thick, -1)):
        cube = (away**2 + y**2 + depth**2) ** 1.5
        down += sign * (area * depth / cube).sum((-1, -2))
        outwards += sign * (area * away / cube).sum((-1, -2))
    scale = 1000 * remanence / (4 * math.pi)
    return scale * down, scale * outwards


_RINGS, _SPOKES = 12, 24


class Verdict(NamedTuple):
    """What becomes of a piece with this magnet on a presence track."""

    magnet: Magnet
    certain: float  # closes its switch from the middle so far with any parts
    typical: float  # so far with usual parts
    null: float  # where the field turns over, at the nearest
    reach: float  # so far any switch may close
    beside: float  # mT of two neighbours at a switch
    pull: float  # grams between two pieces whose bases touch

    def deaf(self) -> float:
        """Return which part of the dish's area is not sensed for certain."""
        return max(0.0, 1 - (self.certain / sizes()["switch_near"]) ** 2)

    def faults(self, switch: Switch = DRV5032FA) -> Iterator[str]:
        """Yield what is wrong with it."""
        size = sizes()
        if self.certain < size["switch_near"] + size["play"]:
            deaf = f"{100 * self.deaf():.0f} %" if self.deaf() else "the edge"
            yield f"{deaf} of the dish is deaf"
        if self.reach >= size["pitch"] / 2:
            yield "it may close two switches at once"
        if self.beside >= switch.opens_surely:
            yield "two neighbours may keep a switch closed"
        if self.pull > GRIP:
            yield "pieces that touch move each other"


@cache
def verdict(magnet: Magnet, switch: Switch = DRV5032FA) -> Verdict:
    """Compute the verdict on a magnet for the sizes of the models, in the worst case of all spreads."""
    size = sizes()
    aside = np.arange(0, size["pitch"], 0.1)
    apart = size["pitch"] - size["switch_near"] - size["play"] - BESIDE
    beside = 2 * float(_at_most(*field(magnet, magnet.most, np.array([apart]), gaps()[0]))[0])
    fields = [field(magnet, 1.0, aside, gap) for gap in np.linspace(*gaps(), 5)]  # of 1 T
    usual = (magnet.least + magnet.most) / 2
    weakest = magnet.least * np.min([_at_least(*of) for of in fields], axis=0) - beside
    middling = usual * fields[len(fields) // 2][0]
    strongest = magnet.most * np.max([_at_most(*of) for of in fields], axis=0)
    return Verdict(
        magnet,
        certain=_first(aside, weakest < switch.closes_surely) - BESIDE,
        typical=_first(aside, middling < switch.closes_typically),
        null=_first(aside, np.min([down for down, _ in fields], axis=0) < 0),
        reach=float(aside[strongest >= switch.closes_at_least].max()) + BESIDE,
        beside=beside,
        pull=_pull(magnet, size["magnet_base"]),
    )


def pair(magnet: Magnet) -> float:
    """Return the least field, in mT, that a switch senses between two pieces whose bases touch over it."""
    apart = np.array([sizes()["magnet_base"] / 2])
    return min(2 * magnet.least * abs(float(field(magnet, 1.0, apart, gap)[0][0])) for gap in gaps())


def _at_least(down: Array, outwards: Array) -> Array:
    """Return the field that a switch senses that is aslant the worst way."""
    return down * math.cos(TILT) - np.abs(outwards) * math.sin(TILT)


def _at_most(down: Array, outwards: Array) -> Array:
    """Return the strongest field, of either pole, that a switch senses that is aslant."""
    return np.abs(down) * math.cos(TILT) + np.abs(outwards) * math.sin(TILT)


def _first(aside: Array, wrong: NDArray[np.bool_]) -> float:
    """Return the first place where something is wrong."""
    return float(aside[np.argmax(wrong)]) if wrong.any() else float(aside[-1])


def _pull(magnet: Magnet, apart: float) -> float:
    """Return the greatest force between two upright magnets so far apart, in grams, as between dipoles."""
    volume = math.pi / 4 * magnet.diameter**2 * magnet.thick * 1e-9
    moment = magnet.most / (4e-7 * math.pi) * volume
    return 3e-7 * moment**2 / (apart * 1e-3) ** 4 / 9.81 * 1000


CANDIDATES: Final = tuple(
    Magnet(*of) for of in ((5, 2), (8, 3), (10, 2), (10, 3), (12, 2), (12, 3), (15, 2), (15, 3), (20, 2))
)
"""Discs that many shops have."""
