"""The documented oval: where its 22 tiles, their seams and their keys are. No solids are needed for that.

Lengths are in millimetres. A tile's own x runs along the track, y outwards; its origin is the middle of its
coil.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from hardware.printing import BEND
from hardware.sizes import sizes

STRAIGHTS: Final = 7
BENDS: Final = 4
"""Tiles of one straight, and of one bend, of the documented oval."""


class Pose(NamedTuple):
    """Where a tile is, and how far it is turned to the left, in degrees."""

    x: float
    y: float
    turn: float

    def ahead(self, x: float, y: float = 0.0) -> Pose:
        """Return the pose so far ahead (x) and to the left (y), turned alike."""
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return Pose(self.x + c * x - s * y, self.y + s * x + c * y, self.turn)


class Tile(NamedTuple):
    """A tile of the oval: its model's shape, its pose, and the pose of its far seam, on the line of the
    coils.
    """

    shape: str
    pose: Pose
    seam: Pose


def radius() -> float:
    """Return the radius of the circle on which the coils of a bend are, so that they are `pitch` apart."""
    return sizes()["pitch"] / 2 / math.sin(math.radians(BEND / 2))


def oval() -> list[Tile]:
    """Return the tiles of the documented oval, from the first straight on; the infield is at the right."""
    seam, tiles = Pose(0.0, 0.0, 0.0), []
    half = sizes()["pitch"] / 2
    for shape in (["straight"] * STRAIGHTS + ["bend"] * BENDS) * 2:
        if shape == "straight":
            pose = seam.ahead(half)
            seam = pose.ahead(half)
        else:
            middle = seam.ahead(0, -radius())
            pose = _around(middle, seam.turn - BEND / 2)
            seam = _around(middle, seam.turn - BEND)
        tiles.append(Tile(shape, pose, seam))
    return tiles


def _around(middle: Pose, turn: float) -> Pose:
    """Return the place on the circle of the coils, around its middle, that points that way."""
    return Pose(middle.x, middle.y, turn).ahead(0, radius())


def key_poses(seam: Pose, sensor: str = "reader") -> tuple[Pose, Pose]:
    """Return where the two keys of a seam are."""
    tile = sizes("tile")
    return seam.ahead(0, tile["key_in"]), seam.ahead(0, tile[f"outer_{sensor}"] - tile["key_out"])
