"""The parts to print, put together: tiles of the oval, keys, boards, their plugs or carriers, as solids.

Lengths are in millimetres. A tile's own x runs along the track, y outwards, z up; its origin is below the
middle of its coil.
"""

from __future__ import annotations

import atexit
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
from manifold3d import Manifold, Mesh

from hardware.oval import Pose
from hardware.printing import STL, corners
from hardware.sizes import sizes


def put(body: Manifold, pose: Pose, z: float = 0.0) -> Manifold:
    """Return a body at a pose, lifted by z."""
    return body.rotate((0, 0, pose.turn)).translate((pose.x, pose.y, z))


@cache
def model(name: str, folder: Path = STL) -> Manifold:
    """Load the solid of an STL file. ValueError if it is not one closed body."""
    triangles = corners(folder / f"{name}.stl")
    points, index = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    body = Manifold(Mesh(points.astype(np.float32), index.reshape(-1, 3).astype(np.uint32)))
    if body.is_empty() or len(body.decompose()) != 1:
        raise ValueError(f"{name}.stl is not one closed body: {body.status()}")
    return body


atexit.register(model.cache_clear)  # the library reports a body that outlives it as a leak


def height(sensor: str = "reader") -> float:
    """Return how high a tile is."""
    size = sizes("tile")
    if sensor == "reader":
        return size["skin"] + size["board_thick"] + size["pins_deep"]
    return size["switch_skin"] + size["board_thick"] + size["switch_deep"]


def box(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> Manifold:
    """Return a cuboid between these limits."""
    cube = Manifold.cube((x[1] - x[0], y[1] - y[0], z[1] - z[0]))
    return cube.translate((x[0], y[0], z[0]))


def reader_parts() -> Mapping[str, Manifold]:
    """Return what is under a tile: the board, the plug on angled pins, and its wires on their way to the
    infield.

    The sizes of plug and wires are assumed from common ones [assumed]: callipers, and the bench test `tiles`,
    settle them.
    """
    size = sizes("tile")
    under = height() - size["skin"] - size["board_thick"]  # the underside of the board
    end = size["board_long"] - size["coil_from_end"]
    wide, axis, wire, bend = (size[name] for name in ("plug_wide", "plug_axis", "wire", "wire_bend"))
    aside, thick, tip = wide / 2, size["plug_thick"] / 2, end + size["plug_out"]
    low = under - axis - 2 * bend - 1.5 * wire  # the underside of the wires on their way back
    return {
        "board": box(
            (-size["board_wide"] / 2, size["board_wide"] / 2),
            (-size["coil_from_end"], end),
            (under, under + size["board_thick"]),
        ),
        "plug": box((-aside, aside), (end - 3, tip), (under - axis - thick, under - axis + thick)),
        "bend of the wires": box((-aside, aside), (tip, tip + bend + wire), (low, under - axis + wire / 2)),
        "wires": box((-7, 7), (-size["inner"] - 5, tip), (low, low + 2 * wire)),
        "capacitors": box((-8, 8), (end - 22, end - 14), (under - 7, under)),
    }


def carrier_parts() -> Mapping[str, Manifold]:
    """Return what is under a tile with a carrier: both boards, the pins between them, and the flat cable.

    Its sizes are those of the printed board; those of pins, box, plug and cable are assumed from common ones
    [assumed]: callipers, and the bench test `tiles`, settle them.
    """
    size = sizes("tile")
    under = height() - size["skin"] - size["board_thick"]
    end = size["board_long"] - size["coil_from_end"]
    face, axis = end + size["carrier_out"], under - size["plug_axis"]
    top = axis + size["carrier_pins"]
    back, middle = face + size["carrier_thick"], top - size["carrier_box"]
    mouth = face - size["box_deep"]
    half, thick = size["box_long"] / 2, size["box_thick"] / 2
    plug, flat = size["idc_thick"] / 2, size["cable_wide"] / 2
    turn = size["cable_bend"] + size["cable_thick"]
    slot = mouth - size["idc_out"] / 2  # of the plug, where its cable comes out
    base = size["plug_base"] / 2
    return {
        "board": reader_parts()["board"],
        "pins": box((-10.16, 10.16), (face - size["plug_base"], face), (axis - base, axis + base)),
        "carrier": box(
            (-size["carrier_long"] / 2, size["carrier_long"] / 2),
            (face, back),
            (top - size["carrier_high"], top),
        ),
        "box": box((-half, half), (mouth, face), (middle - thick, middle + thick)),
        "plug": box(
            (-size["idc_long"] / 2, size["idc_long"] / 2),
            (mouth - size["idc_out"], mouth),
            (middle - plug, middle + plug),
        ),
        "bend of the cable": box((-flat, flat), (slot - turn, slot), (middle + plug, middle + plug + turn)),
        "cable": box((-flat, flat), (-size["inner"] - 5, mouth - size["idc_out"] - turn), (2, 2 + 2 * turn)),
        "capacitors": _capacitors(back, axis),
    }


def _capacitors(back: float, axis: float) -> Manifold:
    """Return both capacitors, on the outer side of a carrier."""
    one, other = (box((x - 1.6, x + 1.6), (back, back + 7), (axis - 9, axis - 3)) for x in (-11.4, 11.4))
    return one + other


def dish() -> Manifold:
    """Return the floor of a reader's dish, as a thin solid: it holds a piece, or two side by side."""
    size = sizes()
    end = Manifold.cylinder(0.05, size["base"] / 2 + size["near"], circular_segments=72)
    aside = size["near_across"] - size["near"]
    return Manifold.batch_hull([end.translate((0, aside, 0)), end.translate((0, -aside, 0))])


def gap(one: Manifold, other: Manifold, most: float = 5.0) -> float:
    """Return the least distance between two bodies; `most` if they are farther apart."""
    return float(one.min_gap(other, most))


def button() -> Manifold:
    """Return a push button of the panel, the underside of its nut at z = 0: neck, body and lugs below, nut
    above.

    Its sizes are assumed from a common one, PBS-33B [assumed]; callipers settle them.
    """
    size = sizes("pad")
    neck = Manifold.cylinder(size["button_deep"], size["button_neck"] / 2, circular_segments=64)
    nut = Manifold.cylinder(2.5, size["button_nut"] / 2, circular_segments=6)
    return neck.translate((0, 0, -size["button_deep"])) + nut


def button_places() -> list[tuple[float, float]]:
    """Return the middle of each button in the pad's lid."""
    size = sizes("pad")
    return [(size["long"] * n / 5, size["front"] / 2) for n in (1, 2, 3)]
