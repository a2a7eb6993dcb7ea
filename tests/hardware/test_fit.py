"""The parts to print fit together: tiles, keys, boards, plugs, wires and the parts of the pad."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from manifold3d import Manifold, OpType

from hardware import bom, files, fit, oval, tiers
from hardware.board import reader
from hardware.oval import Pose, Tile
from hardware.sizes import sizes

GAP = 0.3
FLUSH = 0.5
OVAL = oval.oval()


def _neighbours() -> list[tuple[Tile, Tile]]:
    return list(zip(OVAL, OVAL[1:] + OVAL[:1], strict=True))


JOINTS = range(len(OVAL))


def test_the_oval_closes() -> None:
    """The last seam of 22 tiles is the first one's start."""
    assert len(OVAL) == 22
    end = OVAL[-1].seam
    assert (end.x, end.y, end.turn) == pytest.approx((0, 0, -360), abs=1e-6)


def test_the_guide_says_how_large_the_track_is() -> None:
    """wiring.md and the page on what fits give the size of the oval as drawn."""
    tiles = [fit.put(fit.model(f"reader-{tile.shape}"), tile.pose).bounding_box() for tile in OVAL]
    wide = max(box[3] for box in tiles) - min(box[0] for box in tiles)
    deep = max(box[4] for box in tiles) - min(box[1] for box in tiles)
    for name in ("wiring.md", "hardware/fit.md"):
        assert f"{wide:.0f} × {deep:.0f} mm" in (files.HOME / name).read_text(encoding="utf-8")


def test_coils_are_a_pitch_apart_everywhere() -> None:
    """The claims on radio are for 60 mm: in bends the coils, not the tiles' edges, are that far apart.

    Computed; the bench test `ghosts` settles what 60 mm is worth.
    """
    apart = [math.dist(one.pose[:2], other.pose[:2]) for one, other in _neighbours()]
    assert min(apart) == pytest.approx(sizes()["pitch"], abs=1e-6)
    assert max(apart) < sizes()["pitch"] + 0.5


@pytest.mark.parametrize("sensor", ["reader", "switch"])
def test_no_two_tiles_of_the_oval_overlap(sensor: str) -> None:
    """All 22 tiles with their 44 keys fill as much as each by itself: no two are in one place."""
    bodies = [fit.put(fit.model(f"{sensor}-{tile.shape}"), tile.pose) for tile in OVAL]
    keys = [fit.put(fit.model("key"), pose) for tile in OVAL for pose in oval.key_poses(tile.seam, sensor)]
    assert len(keys) == 44
    together = Manifold.batch_boolean([*bodies, *keys], OpType.Add).volume()
    assert together == pytest.approx(sum(body.volume() for body in [*bodies, *keys]), abs=1)


@pytest.mark.parametrize("sensor", ["reader", "switch"])
@pytest.mark.parametrize("joint", JOINTS)
def test_neighbours_meet(joint: int, sensor: str) -> None:
    """Two tiles of the oval never overlap, are at most 0.3 mm apart, and their outer edges are flush.

    Rests on the STL files; the bench test `tiles` settles how much a print grows.
    """
    one, other = _neighbours()[joint]
    left, right = (fit.put(fit.model(f"{sensor}-{tile.shape}"), tile.pose) for tile in (one, other))
    assert (left ^ right).volume() < 0.01
    assert fit.gap(left, right) <= GAP
    for y in (sizes("tile")[f"outer_{sensor}"], -sizes("tile")["inner"]):
        corner = one.seam.ahead(0, y)
        assert _edge(left, corner) == pytest.approx(0, abs=FLUSH)
        assert _edge(right, corner) == pytest.approx(0, abs=FLUSH)


def _edge(body: Manifold, corner: Pose) -> float:
    """Return how far the nearest corner of a tile is from where the edge of the track should be."""
    return min(math.dist(corner[:2], (x, y)) for x, y, _ in body.to_mesh().vert_properties[:, :3])


@pytest.mark.parametrize("sensor", ["reader", "switch"])
@pytest.mark.parametrize("joint", JOINTS)
def test_keys_fit(joint: int, sensor: str) -> None:
    """Both keys of a joint go into the holes of both tiles, with at most 0.3 mm of play any way along the
    table.
    """
    one, other = _neighbours()[joint]
    bodies = [fit.put(fit.model(f"{sensor}-{tile.shape}"), tile.pose) for tile in (one, other)]
    for pose in oval.key_poses(one.seam, sensor):
        for tile in bodies:
            assert (fit.put(fit.model("key"), pose) ^ tile).volume() < 0.01
        joined = bodies[0] + bodies[1]
        for x, y in ((GAP, 0), (-GAP, 0), (0, GAP), (0, -GAP)):
            assert (fit.put(fit.model("key"), pose.ahead(x, y)) ^ joined).volume() > 0.01


def test_a_key_two_millimetres_off_does_not_fit() -> None:
    """Holes 25.98 mm apart in one tile and 24 mm in the next, as they were in bends, are found."""
    one, other = _neighbours()[6]
    inner, outer = oval.key_poses(one.seam)
    off = outer.ahead(0, (outer.y - inner.y) * (1 / math.cos(math.radians(22.5)) - 1))
    tile = fit.put(fit.model(f"reader-{other.shape}"), other.pose)
    assert (fit.put(fit.model("key"), off) ^ tile).volume() > 1


@pytest.mark.parametrize("shape", ["straight", "bend"])
def test_board_plug_and_wires_fit_under_their_tile(shape: str) -> None:
    """The board with a plug on angled pins fits, its eight wires turn back with three diameters inside, and
    go to the infield; nothing is pressed on the table.

    Plug, pins and wires have common sizes [assumed]; callipers and the bench test `tiles` settle them.
    """
    size = sizes("tile")
    assert size["wire_bend"] >= 3 * size["wire"]
    tile = fit.model(f"reader-{shape}")
    parts = fit.reader_parts()
    for name, part in parts.items():
        assert (part ^ tile).volume() < 0.01, name
        assert part.bounding_box()[2] >= 0, name
    for one, other in combinations(parts.items(), 2):
        assert (one[1] ^ other[1]).volume() < 0.01 or {one[0], other[0]} == {"wires", "bend of the wires"}


@pytest.mark.parametrize("shape", ["straight", "bend"])
def test_a_carrier_and_its_cable_fit_under_their_tile(shape: str) -> None:
    """The carrier of a reader stands at its pins, its box below the board; the flat cable turns out of its plug and
    goes to the infield. Nothing overlaps, nothing is pressed on the table.

    Pins, box, plug and cable have common sizes [assumed]; callipers and the bench test `tiles` settle them.
    """
    tile = fit.model(f"reader-{shape}")
    parts = fit.carrier_parts()
    for name, part in parts.items():
        assert (part ^ tile).volume() < 0.01, name
        assert part.bounding_box()[2] >= 0.3, name
    for one, other in combinations(parts.items(), 2):
        assert (one[1] ^ other[1]).volume() < 0.01, (one[0], other[0])


def test_the_carrier_is_the_printed_board() -> None:
    """Its size, and the places of its pins and its box, are those of the board that is ordered."""
    size, design = sizes("tile"), reader.DESIGN
    assert design.size == (size["carrier_long"], size["carrier_high"])
    pads = {ref: [pad.at for pad in design.pads() if pad.ref == ref] for ref in ("J1100", "J1000")}
    middle = {ref: np.mean(places, axis=0) for ref, places in pads.items()}
    assert middle["J1100"] == pytest.approx((size["carrier_long"] / 2, size["carrier_pins"]))
    assert middle["J1000"] == pytest.approx((size["carrier_long"] / 2, size["carrier_box"]))
    left, top, right, bottom = design.body("J1000")
    assert right - left <= size["box_long"] + 0.1
    assert bottom - top <= size["box_thick"] + 0.1


def test_a_carrier_under_a_flatter_tile_touches_the_table() -> None:
    """With the 11 mm below a board that a plug with wires needs, the carrier would not fit: the test can fail."""
    lower = 11 - sizes("tile")["pins_deep"]
    assert fit.carrier_parts()["carrier"].bounding_box()[2] + lower < 0


def _straight(under: float) -> Manifold:
    """Return a plug on straight pins below a board whose underside is at this height, with its wires' bend."""
    size = sizes("tile")
    deep = size["plug_base"] + size["plug_long"] + size["wire_bend"] + size["wire"]
    return fit.box((-size["plug_wide"] / 2, size["plug_wide"] / 2), (36, 39), (under - deep, under))


def test_a_plug_on_straight_pins_fits_the_pad_but_no_tile() -> None:
    """Pins, plug and the bend of its wires are 21 mm: in the pad's box there is room, under a tile they touch
    the table even without the bend.
    """
    size, pad = sizes("tile"), sizes("pad")
    below_tile = fit.height() - size["skin"] - size["board_thick"]
    assert _straight(below_tile).bounding_box()[2] + size["wire_bend"] + size["wire"] < 0
    below_lid = pad["deep"] - pad["board_thick"]
    plug = _straight(below_lid).translate((pad["long"] / 2, pad["wide"] / 2 - 36, 0))
    assert (plug ^ fit.model("pad-box")).volume() < 0.01
    assert plug.bounding_box()[2] >= pad["wall"]


def test_the_buttons_fit_the_lid_of_the_pad() -> None:
    """The neck of each button goes through the lid with at most 0.3 mm of play, its nut rests on it, and
    nothing else touches lid or box.

    The button has common sizes [assumed]; callipers settle them.
    """
    deep = sizes("pad")["deep"]
    lid, box = fit.model("pad-lid").translate((0, 0, deep)), fit.model("pad-box")
    top = deep + sizes("pad")["card_skin"] + sizes("pad")["tray_deep"]
    for x, y in fit.button_places():
        button = fit.button().translate((x, y, top))
        assert (button ^ lid).volume() < 0.01
        assert (button ^ box).volume() < 0.01
        assert fit.gap(button, lid) < 0.01
        tact = fit.box((x - 6, x + 6), (y - 6, y + 6), (deep - 3, top))
        assert (tact ^ lid).volume() > 1, "a square switch of 12 mm does not go through"
        for aside in (GAP, -GAP):
            assert (button.translate((aside, 0, 0)) ^ lid).volume() > 0.01


LEGS = {"PBS-33B": 2, "L-154A4SURKQBDZGW": 4, "PKM13EPYH4000-A0": 2, "B3F-4055": 4}
"""Legs of what the panel may be made of, by its number on the list of parts."""


def test_parts_of_the_panel_are_drawn_with_all_their_legs() -> None:
    """A button, lamp or buzzer to buy has as many legs as its symbol: a switch of four legs is no part of two."""
    for kind in ("button", "RGB LED", "piezo"):
        [part, *_] = tiers.panel().of_type(kind)
        assert LEGS[bom.ARTICLES[kind, ""].number] == len(part.type.pins), kind


def test_two_pieces_fit_side_by_side_into_a_dish() -> None:
    """Two bases are within the floor of a reader's dish, and cannot be farther out than their stickers are read."""
    size = sizes()
    base = Manifold.cylinder(0.05, size["base"] / 2, circular_segments=72)
    apart = size["base"] / 2 + 0.1
    pair = base.translate((0, apart, 0)) + base.translate((0, -apart, 0))
    assert (pair - fit.dish()).volume() < 0.01
    farther = base.translate((0, size["near_across"] + size["play"], 0))
    assert (farther - fit.dish()).volume() > 0.01
