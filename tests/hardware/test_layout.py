"""The layout of every board, without KiCad: names stand at their parts, parts do not overlap, copper keeps apart."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from hardware import files
from hardware.board import pcb
from hardware.board.designs import DESIGNS
from hardware.board.footprints import Box, Point, turned
from hardware.board.placement import GROUND, HEAD, RULES, SUPPLY, VIA, Design, PadAt
from hardware.board.router import Track, Via

pytestmark = pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)


def _apart(one: Box, other: Box) -> float:
    """Return the distance of two boxes."""
    dx = max(one[0] - other[2], other[0] - one[2], 0)
    dy = max(one[1] - other[3], other[1] - one[3], 0)
    return math.hypot(dx, dy)


def _misread(design: Design) -> Iterator[str]:
    """Yield each part's name that is nearer to another part of its side, or as near."""
    parts = design.circuit.parts
    for ref, part in parts.items():
        below = design.footprint(part).below
        name = design.name_box(ref)
        own = _apart(name, design.body(ref))
        for other in parts.keys() - {ref}:
            if design.footprint(parts[other]).below == below and _apart(name, design.body(other)) <= own:
                yield f"{ref} is printed at {other}"


def test_every_name_stands_at_its_own_part(design: Design) -> None:
    """No printed name is nearer to another part than to its own, or as near: R106 was read as that of R110."""
    assert sorted(_misread(design)) == []


def test_a_name_at_another_part_is_found(design: Design) -> None:
    """A name that is moved next to another part is named."""
    ref, other = list(design.places)[:2]
    left, top, _, _ = design.body(other)
    x, y = design.places[ref].at
    moved = replace(design.places[ref], name_at=(left - x, top - y))
    assert any(
        line.startswith(f"{ref} ") for line in _misread(replace(design, places={**design.places, ref: moved}))
    )


def test_parts_do_not_overlap(design: Design) -> None:
    """All parts stand on the board, off its screws, and no two of one side take the same room."""
    rooms: dict[str, tuple[Box, bool]] = {}
    assert set(design.places) == set(design.circuit.parts)
    for ref, part in design.circuit.parts.items():
        place, shape = design.places[ref], design.footprint(part)
        left, top, right, bottom = shape.room
        ends = [turned(corner, place.turn) for corner in ((left, top), (right, bottom))]
        xs, ys = (sorted(place.at[n] + end[n] for end in ends) for n in (0, 1))
        assert 0 <= xs[0] < xs[1] <= design.size[0], ref
        assert 0 <= ys[0] < ys[1] <= design.size[1], ref
        rooms[ref] = (xs[0], ys[0], xs[1], ys[1]), shape.below
        for x, y in design.holes:
            assert _apart(rooms[ref][0], (x, y, x, y)) >= HEAD / 2, ref
    for (one, (room, side)), (other, (another, beside)) in combinations(rooms.items(), 2):
        assert side != beside or _apart(room, another) > 0, f"{one} and {other}"


# -- copper


def _copper(design: Design) -> tuple[list[Track], list[Via]]:
    return pcb.laid((files.HOME / f"hardware/board/{design.name}.kicad_pcb").read_text("utf-8"))


def _between(one: Track, other: Track) -> float:
    """Return the distance of two straight tracks, from edge to edge."""
    if _cross(one, other):
        return -1.0
    ends = [(one, other.start), (one, other.end), (other, one.start), (other, one.end)]
    return min(_from_line(track, end) for track, end in ends) - (one.width + other.width) / 2


def _cross(one: Track, other: Track) -> bool:
    def side(track: Track, at: Point) -> float:
        (x1, y1), (x2, y2) = track.start, track.end
        return (x2 - x1) * (at[1] - y1) - (y2 - y1) * (at[0] - x1)

    return (
        side(one, other.start) * side(one, other.end) < 0
        and side(other, one.start) * side(other, one.end) < 0
    )


def _from_line(track: Track, at: Point) -> float:
    (x1, y1), (x2, y2) = track.start, track.end
    length = (x2 - x1) ** 2 + (y2 - y1) ** 2
    along = ((at[0] - x1) * (x2 - x1) + (at[1] - y1) * (y2 - y1)) / length if length else 0.0
    along = min(max(along, 0.0), 1.0)
    return math.dist(at, (x1 + along * (x2 - x1), y1 + along * (y2 - y1)))


def _half(pad: PadAt) -> float:
    """Return how far a pad reaches at most: to the corner of a square one."""
    return pad.pad.size / 2 * (1.3 if pad.pad.square else 1.0)


def test_tracks_of_two_nets_keep_apart(design: Design) -> None:
    """Tracks, pads and holes of two nets are as far apart as makers of boards need; supplies are wide."""
    tracks, vias = _copper(design)
    pads = design.pads()
    least = RULES["clearance"]
    supplies = design.by_hand - {GROUND}
    assert all(track.width >= SUPPLY for track in tracks if track.net in supplies)
    for one, other in combinations(tracks, 2):
        if one.layer == other.layer and one.net != other.net and _near(one, other):
            assert _between(one, other) >= least - 1e-6, (one, other)
    for track in tracks:
        for pad in pads:
            if pad.net != track.net:
                gap = _from_line(track, pad.at) - track.width / 2 - pad.pad.size / 2
                assert gap >= least - 1e-6, (track, pad)
        for via in vias:
            if via.net != track.net:
                gap = _from_line(track, via.at) - (track.width + VIA) / 2
                assert gap >= least - 1e-6, (track, via)
    for via in vias:
        for pad in pads:
            if pad.net != via.net:
                assert math.dist(via.at, pad.at) - VIA / 2 - _half(pad) >= least - 1e-6, (via, pad)


def _near(one: Track, other: Track) -> bool:
    boxes = [
        (min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))
        for a, b in ((one.start, one.end), (other.start, other.end))
    ]
    return _apart(boxes[0], boxes[1]) < 2.5


def test_every_net_is_joined(design: Design) -> None:
    """The tracks of each net join all of its pads; GND is poured."""
    tracks, vias = _copper(design)
    pads = design.pads()
    for net, terminals in design.circuit.nets.items():
        if net == GROUND or len(terminals) < 2:
            continue
        mine = [track for track in tracks if track.net == net]
        holes = [pad.at for pad in pads if pad.net == net] + [via.at for via in vias if via.net == net]
        reached, waiting = {holes[0]}, [holes[0]]
        left = list(mine)
        while waiting:
            at = waiting.pop()
            touched = [track for track in left if _from_line(track, at) < 0.01]
            while touched:
                track = touched.pop()
                if track not in left:
                    continue
                left.remove(track)
                touched += [
                    other for other in left if other.layer == track.layer and _between(track, other) < 0
                ]
                more = [hole for hole in holes if hole not in reached and _from_line(track, hole) < 0.01]
                reached.update(more)
                waiting += more
        assert reached == set(holes), net
        assert left == [], net
