"""An exploded view of the documented oval: tiles, keys, reader boards with carriers, and some pieces.

    python -m hardware.exploded             into hardware/models/oval.png
    python -m hardware.exploded /tmp/o.png  into another file

It is drawn from the STL files and the solids of hardware/fit.py, by a z-buffer: no other program is needed.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from manifold3d import Manifold
from numpy.typing import NDArray
from PIL import Image

from hardware import fit, oval
from hardware.sizes import sizes

PNG: Final = Path(__file__).resolve().parent / "models" / "oval.png"
SIZE: Final = (1400, 900)
FINER: Final = 2
"""So many times as large it is drawn, and then made smaller: its edges get smooth."""
COLOURS: Final = 200
UP: Final = {"key": -95.0, "reader": 0.0, "tile": 85.0, "piece": 165.0}
"""Millimetres by which each layer is lifted out of its place."""
PIECES: Final = (1, 4, 9, 15, 19)
"""The spaces with a piece, counted from 0."""
TURN, TILT = math.radians(-28), math.radians(38)
LIGHT: Final = np.array([-0.35, -0.5, 0.79])
Array = NDArray[np.float64]
Colour = tuple[int, int, int]

TILE: Final[Colour] = (214, 206, 190)
BEND: Final[Colour] = (196, 205, 196)
DISH: Final[Colour] = (176, 172, 160)
KEY: Final[Colour] = (222, 138, 60)
FOOT: Final[Colour] = (236, 236, 236)
COVER: Final[Colour] = (190, 84, 84)
OF_PART: Final[dict[str, Colour]] = {
    "board": (52, 92, 166),
    "pins": (206, 190, 120),
    "carrier": (40, 120, 70),
    "box": (48, 48, 52),
    "plug": (90, 90, 96),
    "bend of the cable": (150, 150, 150),
    "cable": (150, 150, 150),
    "capacitors": (206, 170, 90),
}


class Body(NamedTuple):
    """Something to draw, in a colour."""

    solid: Manifold
    colour: Colour


def bodies() -> Iterator[Body]:
    """Yield everything on the picture, where it is drawn."""
    parts, foot, cover = fit.carrier_parts(), fit.model("base-foot"), fit.model("base-cover")
    size, high = sizes(), fit.height()
    floor = fit.dish()
    for n, tile in enumerate(oval.oval()):
        model = fit.model(f"reader-{tile.shape}")
        yield Body(fit.put(model, tile.pose, UP["tile"]), BEND if tile.shape == "bend" else TILE)
        yield Body(fit.put(floor, tile.pose, UP["tile"] + high - size["dish_deep"]), DISH)
        for name, part in parts.items():
            yield Body(fit.put(part, tile.pose, UP["reader"]), OF_PART[name])
        for pose in oval.key_poses(tile.seam):
            yield Body(fit.put(fit.model("key"), pose, UP["key"]), KEY)
        if n in PIECES:
            above = UP["piece"] + high
            turned = cover.rotate((180, 0, 0)).translate((0, 0, cover.bounding_box()[5]))
            yield Body(fit.put(foot, tile.pose, above), FOOT)
            yield Body(fit.put(turned, tile.pose, above + 25), COVER)


def drawn() -> Image.Image:
    """Return the picture."""
    corners, colours = _scene()
    seen = _turned(corners)
    wide, high = SIZE[0] * FINER, SIZE[1] * FINER
    low, top = seen.reshape(-1, 3).min(axis=0), seen.reshape(-1, 3).max(axis=0)
    scale = 0.96 * min(wide / (top[0] - low[0]), high / (top[1] - low[1]))
    middle = (low + top) / 2
    x = (seen[..., 0] - middle[0]) * scale + wide / 2
    y = high / 2 - (seen[..., 1] - middle[1]) * scale
    picture = np.full((high, wide, 3), 255, np.uint8)
    depth = np.full((high, wide), -np.inf)
    for place, across, down, far in zip(range(len(colours)), x, y, seen[..., 2], strict=True):
        _fill(picture, depth, (across, down, far), colours[place])
    image = Image.fromarray(picture).resize(SIZE, Image.Resampling.LANCZOS)
    return image.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _scene() -> tuple[Array, NDArray[np.uint8]]:
    """Return the triangles of all bodies that face the viewer, and the shaded colour of each."""
    all_corners, all_colours = [], []
    towards = _turned(np.array([[0.0, 0.0, 0.0]]), back=True)[0]
    for body in bodies():
        mesh = body.solid.to_mesh()
        corners = np.asarray(mesh.vert_properties, float)[:, :3][np.asarray(mesh.tri_verts)]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
        facing = normals @ towards > 1e-6
        shade = 0.52 + 0.48 * np.clip(normals[facing] @ LIGHT, 0, 1)
        all_corners.append(corners[facing])
        all_colours.append((shade[:, None] * body.colour).astype(np.uint8))
    return np.concatenate(all_corners), np.concatenate(all_colours)


def _turned(points: Array, back: bool = False) -> Array:
    """Return places as the viewer sees them: right, up, towards; `back`: the direction towards the viewer."""
    c, s, ct, st = math.cos(TURN), math.sin(TURN), math.cos(TILT), math.sin(TILT)
    view = np.array([[c, -s, 0], [s * st, c * st, ct], [-s * ct, -c * ct, st]])
    return np.array([view[2]]) if back else points @ view.T


def _fill(
    picture: NDArray[np.uint8], depth: Array, corners: tuple[Array, Array, Array], colour: NDArray[np.uint8]
) -> None:
    """Draw a triangle where it is nearer than what is drawn already."""
    x, y, far = corners
    left, right = max(0, math.floor(x.min())), min(picture.shape[1] - 1, math.ceil(x.max()))
    upper, lower = max(0, math.floor(y.min())), min(picture.shape[0] - 1, math.ceil(y.max()))
    area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
    if abs(area) < 1e-9 or left > right or upper > lower:
        return
    across = np.arange(left, right + 1) + 0.5
    down = (np.arange(upper, lower + 1) + 0.5)[:, None]
    one = ((x[1] - across) * (y[2] - down) - (x[2] - across) * (y[1] - down)) / area
    two = ((x[2] - across) * (y[0] - down) - (x[0] - across) * (y[2] - down)) / area
    three = 1 - one - two
    near = one * far[0] + two * far[1] + three * far[2]
    before = depth[upper : lower + 1, left : right + 1]
    shown = (one >= 0) & (two >= 0) & (three >= 0) & (near > before)
    before[shown] = near[shown]
    picture[upper : lower + 1, left : right + 1][shown] = colour


def main() -> None:
    """Draw the picture, and write it where it differs."""
    to = Path(sys.argv[1]) if sys.argv[1:] else PNG
    image = drawn()
    if to.exists() and is_like(image, to):
        print(f"{to} is up to date")
        return
    image.save(to, optimize=True)
    print(f"{to} written")


def is_like(image: Image.Image, stored: Path) -> bool:
    """Return whether a stored picture shows the same, but for how other processors round."""
    before = Image.open(stored)
    if before.size != image.size:
        return False
    now, then = (np.asarray(each.convert("L"), dtype=np.int16) for each in (image, before))
    return float((np.abs(now - then) > 24).mean()) < 0.002


if __name__ == "__main__":
    main()
