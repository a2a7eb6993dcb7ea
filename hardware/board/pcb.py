"""A board as KiCad's file: parts, nets, tracks, texts, the poured ground. Its format is KiCad 6's."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Iterator
from typing import Final

from hardware.board import placement
from hardware.board.footprints import Point, turned
from hardware.board.placement import HEAD, HOLE, RULES, SMALL, THICK, VIA, VIA_DRILL, Design
from hardware.board.router import Track, Via
from hardware.circuit import Part

CORNER: Final = (50.0, 50.0)
"""Where the board's upper left corner is on KiCad's sheet."""


def written(design: Design, tracks: Iterable[Track], vias: Iterable[Via]) -> str:
    """Return the whole file; the same board gives the same file."""
    circuit = design.circuit
    nets = {"": 0} | {net: n for n, net in enumerate(sorted(circuit.nets), start=1)}
    lines = [
        '(kicad_pcb (version 20211014) (generator "hardware.board")',
        "  (general (thickness 1.6))",
        '  (paper "A4")',
        f'  (title_block (title "{circuit.name}") (company "race companion"))',
        "  (layers",
        *(f'    ({number} "{name}" {kind})' for number, name, kind in _LAYERS),
        "  )",
        "  (setup (pad_to_mask_clearance 0.05)",
        f"    (aux_axis_origin {_n(CORNER[0])} {_n(CORNER[1] + design.size[1])}))",
        *(f'  (net {n} "{net}")' for net, n in nets.items()),
    ]
    for part in circuit.parts.values():
        lines += _part(design, part, nets)
    for n, at in enumerate(design.holes, start=1):
        lines += _hole(f"H{n}", at)
    lines += _outline(design.size)
    for text in design.texts:
        lines.append(_text(*text))
    for track in tracks:
        ends = f"(start {_at(track.start)}) (end {_at(track.end)})"
        lines.append(
            f'  (segment {ends} (width {_n(track.width)}) (layer "{track.layer}")'
            f" (net {nets[track.net]}) (tstamp {_id(track.net, track.layer, ends)}))"
        )
    for via in vias:
        lines.append(
            f"  (via (at {_at(via.at)}) (size {_n(VIA)}) (drill {_n(VIA_DRILL)})"
            f' (layers "F.Cu" "B.Cu") (net {nets[via.net]}) (tstamp {_id(via.net, _at(via.at))}))'
        )
    for layer in ("F.Cu", "B.Cu"):
        lines += _poured(design.size, nets["GND"], layer)
    return "\n".join([*lines, ")", ""])


def laid(text: str) -> tuple[list[Track], list[Via]]:
    """Return the tracks and vias of a file that `written` made."""
    nets = dict(re.findall(r'^  \(net (\d+) "(.*)"\)$', text, re.MULTILINE))
    tracks = [
        Track(nets[net], layer, float(width), _from(start), _from(end))
        for start, end, width, layer, net in re.findall(
            r'\(segment \(start (.*?)\) \(end (.*?)\) \(width (.*?)\) \(layer "(.*?)"\) \(net (\d+)\)', text
        )
    ]
    vias = [Via(nets[net], _from(at)) for at, net in re.findall(r"\(via \(at (.*?)\).*\(net (\d+)\)", text)]
    return tracks, vias


def rewritten(design: Design, text: str) -> str:
    """Return the file in the present format, with its tracks, except those of nets that no longer exist."""
    tracks, vias = laid(text)
    nets = design.circuit.nets
    return written(design, [t for t in tracks if t.net in nets], [via for via in vias if via.net in nets])


def project(design: Design) -> str:
    """Return KiCad's settings for the file: the rules of its check, and the findings that are errors."""
    severities = dict.fromkeys(_ERRORS, "error") | dict.fromkeys(_IGNORED, "ignore")
    rules = {
        "min_clearance": RULES["clearance"],
        "min_copper_edge_clearance": RULES["edge"],
        "min_hole_clearance": RULES["hole to copper"],
        "min_hole_to_hole": RULES["hole to hole"],
        "min_through_hole_diameter": RULES["drill"],
        "min_track_width": RULES["track"],
        "min_via_annular_width": RULES["ring"],
        "min_via_diameter": RULES["drill"] + 2 * RULES["ring"],
        "solder_mask_min_width": 0.0,
    }
    netclass = {
        "name": "Default",
        "clearance": placement.CLEARANCE,
        "track_width": placement.SIGNAL,
        "via_diameter": VIA,
        "via_drill": VIA_DRILL,
        "nets": [],
    }
    settings = {
        "board": {"design_settings": {"meta": {"version": 2}, "rule_severities": severities, "rules": rules}},
        "meta": {"filename": f"{design.name}.kicad_pro", "version": 1},
        "net_settings": {"classes": [netclass], "meta": {"version": 2}},
    }
    return json.dumps(settings, indent=2) + "\n"


def rules() -> str:
    """Return KiCad's further rules: the supply's width, and the ring of copper that is left around a part's
    hole.
    """
    return f"""(version 1)
(rule "the supply is wide"
  (condition "A.NetName == '{placement.RAIL}' && A.Type == 'Track'")
  (constraint track_width (min {placement.SUPPLY}mm)))
(rule "ring around a hole"
  (constraint annular_width (min {RULES["ring"]}mm)))
"""


_LAYERS: Final = (
    (0, "F.Cu", "signal"),
    (31, "B.Cu", "signal"),
    (36, "B.SilkS", "user"),
    (37, "F.SilkS", "user"),
    (38, "B.Mask", "user"),
    (39, "F.Mask", "user"),
    (44, "Edge.Cuts", "user"),
    (46, "B.CrtYd", "user"),
    (47, "F.CrtYd", "user"),
    (49, "F.Fab", "user"),
)
_ERRORS: Final = (
    "annular_width", "clearance", "copper_edge_clearance", "courtyards_overlap", "drill_out_of_range",
    "duplicate_footprints", "hole_clearance", "hole_near_hole", "holes_co_located", "invalid_outline",
    "item_on_disabled_layer", "items_not_allowed", "malformed_courtyard", "net_conflict",
    "npth_inside_courtyard", "padstack", "pth_inside_courtyard", "shorting_items", "silk_over_copper",
    "silk_overlap", "through_hole_pad_without_hole", "too_many_vias", "track_dangling", "track_width",
    "tracks_crossing", "unconnected_items", "unresolved_variable", "via_dangling", "via_diameter",
    "zone_has_empty_net", "zones_intersect",
)  # fmt: skip
_IGNORED: Final = ("missing_courtyard", "missing_footprint", "extra_footprint")
"""These compare with a schematic of KiCad's own, and there is none: `kicad.wrong` takes the net list."""


def _n(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _at(point: Point) -> str:
    return f"{_n(CORNER[0] + point[0])} {_n(CORNER[1] + point[1])}"


def _from(at: str) -> Point:
    x, y = map(float, at.split())
    return round(x - CORNER[0], 4), round(y - CORNER[1], 4)


def _id(*of: object) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_OID, repr(of))


def _part(design: Design, part: Part, nets: dict[str, int]) -> Iterator[str]:
    place, shape = design.places[part.ref], design.footprint(part)
    side = "B" if shape.below else "F"
    yield f'  (footprint "board:{shape.name}" (layer "F.Cu") (tstamp {_id(part.ref)})'
    yield f"    (at {_at(place.at)} {place.turn})"
    yield "    (attr through_hole)"
    angle = 90 if place.upright else 0
    yield _own_text(
        "reference", part.ref, turned(place.name_at, -place.turn), angle, f"{side}.SilkS", part.ref
    )
    value_at, layer = (place.value_at, f"{side}.SilkS") if place.value_at else ((0.0, 0.0), "F.Fab")
    value = _short(part.value) or part.type.name
    yield _own_text("value", value, turned(value_at, -place.turn), angle, layer, part.ref)
    for one, other in shape.lines:
        yield (
            f"    (fp_line (start {_n(one[0])} {_n(one[1])}) (end {_n(other[0])} {_n(other[1])})"
            f' (layer "{side}.SilkS") (width {THICK}) (tstamp {_id(part.ref, one, other)}))'
        )
    left, top, right, bottom = shape.room
    yield (
        f"    (fp_rect (start {_n(left)} {_n(top)}) (end {_n(right)} {_n(bottom)})"
        f' (layer "{side}.CrtYd") (width 0.05) (tstamp {_id(part.ref, "room")}))'
    )
    for pad in shape.pads:
        net = design.circuit.net_of.get((part.ref, pad.number))
        of_net = f' (net {nets[net]} "{net}")' if net else ""
        yield (
            f'    (pad "{pad.number}" thru_hole {"rect" if pad.square else "circle"}'
            f" (at {_n(pad.at[0])} {_n(pad.at[1])} {place.turn}) (size {_n(pad.size)} {_n(pad.size)})"
            f' (drill {_n(pad.drill)}) (layers "*.Cu" "*.Mask"){of_net} (tstamp {_id(part.ref, pad)}))'
        )
    yield "  )"


def _short(value: str) -> str:
    """Return a value in the letters that fit: 100 kΩ is 100k."""
    return value.replace(" ", "").replace("Ω", "").replace("µ", "u")


def _own_text(kind: str, text: str, at: Point, angle: int, layer: str, ref: str) -> str:
    mirrored = " (justify mirror)" if layer.startswith("B") else ""
    return (
        f'    (fp_text {kind} "{text}" (at {_n(at[0])} {_n(at[1])} {angle}) (layer "{layer}")'
        f" (effects (font (size {SMALL} {SMALL}) (thickness {THICK})){mirrored}) (tstamp {_id(ref, kind)}))"
    )


def _hole(ref: str, at: Point) -> Iterator[str]:
    apart = (HEAD - HOLE) / 2
    yield f'  (footprint "board:M3" (layer "F.Cu") (tstamp {_id(ref)}) (at {_at(at)})'
    yield "    (attr exclude_from_pos_files exclude_from_bom)"
    yield _own_text("reference", ref, (0, 0), 0, "F.Fab", ref)
    yield _own_text("value", "M3", (0, 2), 0, "F.Fab", ref)
    yield (
        f'    (fp_circle (center 0 0) (end {_n(HEAD / 2)} 0) (layer "F.CrtYd") (width 0.05) (fill none)'
        f" (tstamp {_id(ref, 'room')}))"
    )
    yield (
        f'    (pad "" np_thru_hole circle (at 0 0) (size {HOLE} {HOLE}) (drill {HOLE})'
        f' (layers "*.Cu" "*.Mask") (clearance {_n(apart)}) (tstamp {_id(ref, "hole")}))'
    )
    yield "  )"


def _outline(size: Point) -> Iterator[str]:
    right, bottom = size
    corners: list[Point] = [(0, 0), (right, 0), (right, bottom), (0, bottom)]
    for one, other in zip(corners, [*corners[1:], corners[0]], strict=True):
        ends = f"(start {_at(one)}) (end {_at(other)})"
        yield f'  (gr_line {ends} (layer "Edge.Cuts") (width 0.1) (tstamp {_id("edge", one)}))'


def _poured(size: Point, net: int, layer: str) -> Iterator[str]:
    inset = 0.5
    right, bottom = size[0] - inset, size[1] - inset
    corners = ((inset, inset), (right, inset), (right, bottom), (inset, bottom))
    yield f'  (zone (net {net}) (net_name "GND") (layer "{layer}") (tstamp {_id("poured", layer)})'
    yield "    (hatch edge 0.508) (connect_pads (clearance 0.3)) (min_thickness 0.25)"
    yield "    (fill yes (thermal_gap 0.4) (thermal_bridge_width 0.6))"
    yield f"    (polygon (pts {' '.join(f'(xy {_at(at)})' for at in corners)}))"
    yield "  )"


def _text(text: str, at: Point, angle: int, height: float, layer: str) -> str:
    mirrored = " (justify mirror)" if layer.startswith("B") else ""
    return (
        f'  (gr_text "{text}" (at {_at(at)} {angle}) (layer "{layer}") (tstamp {_id(text, at)})'
        f" (effects (font (size {_n(height)} {_n(height)}) (thickness {_n(height * 0.15)})){mirrored}))"
    )
