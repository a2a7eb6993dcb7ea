"""Whether a part can be printed without supports, in the orientation of its file.

A layer is laid on what is below it. A flat ceiling is laid as a bridge: each of its threads ends on something
at both ends. A slope that leans out by more than 45° hangs in free air, and so does a ceiling with a loose
edge. Lengths in millimetres.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from manifold3d import CrossSection, Manifold
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageDraw

BRIDGE: Final = 42.0
"""The longest bridge that a printer with good cooling makes [assumed]: the roof of a tile's pocket. The bench
test `tiles` settles it.
"""
LEAN: Final = 45.0
LEDGE: Final = 0.6
"""So far a layer may stand out without a bridge: a wall's line and a half."""
LITTLE: Final = 5.0
"""Square millimetres that may hang free: some short threads at a curved edge, which droop a little."""
CELL: Final = 0.2
DIRECTIONS: Final = (0, 90, 45, 135, 22.5, 67.5, 112.5, 157.5)
"""Degrees in which the threads of a bridge are tried."""
Grid = NDArray[np.bool_]


class Overhang(NamedTuple):
    """What hangs in free air at a height: square millimetres."""

    z: float
    area: float


class Report(NamedTuple):
    """What is laid on nothing: overhangs, and the length of the longest bridge."""

    overhangs: tuple[Overhang, ...]
    longest_bridge: float


def report(body: Manifold, longest: float = BRIDGE) -> Report:
    """Return what hangs in free air when a body is printed as it stands, its lowest point on the bed."""
    mesh = body.to_mesh()
    corners = np.asarray(mesh.vert_properties)[:, :3][np.asarray(mesh.tri_verts)]
    found, bridge = list(_slopes(corners)), 0.0
    levels = np.unique(np.round(corners[..., 2], 3))
    for z in levels[1:-1]:
        below, above = body.slice(z - 0.01), body.slice(z + 0.01)
        new = above - below
        if new.area() < 0.5:
            continue
        free, length = _bridged(new, below, longest)
        bridge = max(bridge, length)
        if free > LITTLE:
            found.append(Overhang(float(z), free))
    return Report(tuple(found), bridge)


def _slopes(corners: NDArray[np.float32]) -> list[Overhang]:
    """Return the facets that lean out too far, without those that are level."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1) / 2
    down = -normals[:, 2] / np.maximum(2 * areas, 1e-12)
    leaning = (down > math.sin(math.radians(LEAN)) + 1e-3) & (down < 0.999) & (areas > LITTLE)
    return [
        Overhang(float(z), float(area))
        for z, area in zip(corners[leaning, :, 2].min(axis=1), areas[leaning], strict=True)
    ]


def _bridged(new: CrossSection, below: CrossSection, longest: float) -> tuple[float, float]:
    """Return the square millimetres of a ceiling that no bridge carries, and the length of its longest
    bridge.

    All threads of a ceiling are parallel: of the directions tried, the one that leaves least in free air
    counts.
    """
    free, bridge = 0.0, 0.0
    for ceiling in new.decompose():
        if ceiling.area() < CELL**2:
            continue
        area, length = min(_threads(ceiling.rotate(turn), below.rotate(turn), longest) for turn in DIRECTIONS)
        free, bridge = free + area, max(bridge, length)
    return free, bridge


def _threads(ceiling: CrossSection, below: CrossSection, longest: float) -> tuple[float, float]:
    """Return the same for one ceiling whose threads run along x."""
    x0, y0, x1, y1 = ceiling.bounds()
    origin = (x0 - 2, y0 - 2)
    shape = (int((x1 - x0 + 4) / CELL) + 1, int((y1 - y0 + 4) / CELL) + 1)
    hanging, held = (_raster(section, origin, shape) for section in (ceiling, below))
    carried = _grown(held, round(LEDGE / CELL))
    lengths = _runs(hanging & ~carried, carried) + 2 * LEDGE  # on which the threads begin and end
    spanned = lengths[lengths <= longest]
    free = float((lengths > longest).sum() * CELL**2)
    return free, float(spanned.max()) if spanned.size else 0.0


def _raster(section: CrossSection, origin: tuple[float, float], shape: tuple[int, int]) -> Grid:
    """Return which cells of a grid a section covers; a hole is a contour inside another."""
    image = Image.new("1", shape)
    for contour in section.to_polygons():
        layer = Image.new("1", shape)
        points = [tuple(point) for point in (np.asarray(contour) - origin) / CELL]
        ImageDraw.Draw(layer).polygon(points, fill=1)
        image = ImageChops.logical_xor(image, layer)
    return np.array(image, dtype=bool)


def _grown(grid: Grid, cells: int) -> Grid:
    """Return a grid with each covered cell grown by some cells in all four directions."""
    grown = grid.copy()
    for _ in range(cells):
        grown[1:] |= grown[:-1].copy()
        grown[:-1] |= grown[1:].copy()
        grown[:, 1:] |= grown[:, :-1].copy()
        grown[:, :-1] |= grown[:, 1:].copy()
    return grown


def _runs(hanging: Grid, carried: Grid) -> NDArray[np.float64]:
    """Return for each hanging cell the length of the thread along its row; inf where its end is loose."""
    lengths: list[float] = []
    for row, cells in zip(carried, hanging, strict=True):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], cells.view(np.int8), [0]))))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            ends_held = start > 0 and end < cells.size and row[start - 1] and row[end]
            lengths += [(end - start) * CELL if ends_held else math.inf] * int(end - start)
    return np.array(lengths)
