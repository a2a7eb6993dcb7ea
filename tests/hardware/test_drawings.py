"""What is drawn is the whole circuit and nothing else, read back from the places of wires, names and legs."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from math import dist

import pytest

from hardware import files, parts, tiers
from hardware.circuit import Circuit, opened, swapped, valued
from hardware.drawing import board, board_sheets, pi_sheets, row_sheets, sheets, track_sheets
from hardware.drawing.boards import sides
from hardware.drawing.page import CAPITAL, Label, Leg, Name, Sheet, Stroke, Text, Wire, svg, texts
from hardware.drawing.pen import MIDDLE
from hardware.faults import every_fault
from tests.support.hardware.reading import clashes, nets

SVG = "{http://www.w3.org/2000/svg}"


def pi_tier(draw: Callable[[Circuit, str], Sheet]) -> Callable[[Circuit], list[Sheet]]:
    return lambda circuit: [draw(circuit, "")]


def track_schematic(circuit: Circuit) -> list[Sheet]:
    """Return all sheets, one for each group and one for each reader: those that are in no file too."""
    found = [track_sheets.power(circuit, ""), track_sheets.pico(circuit, "")]
    found += [track_sheets.group(circuit, group, "") for group in track_sheets.groups_of(circuit)]
    return found + [track_sheets.readers(circuit, [n], "") for n in track_sheets.readers_of(circuit)]


def track_wiring(circuit: Circuit) -> list[Sheet]:
    found = [track_sheets.power_wiring(circuit, ""), track_sheets.pico_wiring(circuit, "")]
    found += [track_sheets.group_wiring(circuit, group, "") for group in track_sheets.groups_of(circuit)]
    return found + [
        track_sheets.readers(circuit, [n], "", real=True) for n in track_sheets.readers_of(circuit)
    ]


Row = Callable[[Circuit, list[str], list[str], str], Sheet]


def row_of(draw: Row) -> Callable[[Circuit], list[Sheet]]:
    """Return a function that draws a sheet a pair of chips with as many switches, the first with the Pico."""

    def drawn(circuit: Circuit) -> Iterator[Sheet]:
        chips = row_sheets.chips_of(circuit)
        for chip in chips:
            switches = row_sheets.switches_of(circuit, chip)
            for n in range(0, len(switches), 2):
                yield draw(circuit, [chip], switches[n : n + 2], "")

    def once(circuit: Circuit) -> list[Sheet]:
        """Return the sheets with what is on several of them (the Pico, a chip) taken from the first."""
        seen: set[object] = set()
        found = []
        for sheet in drawn(circuit):
            legs = {mark.terminal for mark in sheet.marks if isinstance(mark, Leg)}
            marks = tuple(m for m in sheet.marks if not isinstance(m, Leg) or m.terminal not in seen)
            seen |= legs
            found.append(replace(sheet, marks=marks))
        return found

    return once


Draw = Callable[[Circuit], list[Sheet]]
TIERS: dict[str, tuple[Circuit, Draw, Draw]] = {
    "pad": (tiers.pad(), pi_tier(pi_sheets.schematic), pi_tier(pi_sheets.wiring)),
    "panel": (tiers.panel(), pi_tier(pi_sheets.schematic), pi_tier(pi_sheets.wiring)),
    "pad and panel": (tiers.pi_tiers(), pi_tier(pi_sheets.schematic), pi_tier(pi_sheets.wiring)),
    "strip of 3": (tiers.reader_track(3), track_schematic, track_wiring),
    "track of 22": (tiers.reader_track(monitor=True), track_schematic, track_wiring),
    "track of 40": (tiers.reader_track(40, monitor=True), track_schematic, track_wiring),
    "switches 22": (tiers.presence_track(), row_of(row_sheets.schematic), row_of(row_sheets.wiring)),
    "switches 9": (tiers.presence_track(9), row_of(row_sheets.schematic), row_of(row_sheets.wiring)),
}


@pytest.mark.parametrize("name", TIERS)
def test_what_is_drawn_is_the_circuit(name: str) -> None:
    """Net by net and terminal by terminal, on the schematics and on the wiring drawings."""
    circuit, *ways = TIERS[name]
    for draw in ways:
        assert nets(draw(circuit)) == circuit.nets


@pytest.mark.parametrize("name", TIERS)
def test_every_part_has_its_name_and_value(name: str) -> None:
    circuit, *ways = TIERS[name]
    for draw in ways:
        drawn = {
            (mark.ref, mark.value): mark.text.words
            for s in draw(circuit)
            for mark in s.marks
            if isinstance(mark, Name)
        }
        for ref, part in circuit.parts.items():
            assert part.value in drawn[ref, part.value]
            assert any(key[0] == ref and re.search(rf"\b{ref}\b", words) for key, words in drawn.items())


FILED = {
    "track": (tiers.reader_track(monitor=True), ("track-power", "track-pico", "track-group", "track-reader")),
    "strip": (tiers.reader_track(3), ("strip-power", "strip-pico", "strip-group", "strip-reader")),
    "pad": (tiers.pad(), ("pad",)),
    "panel": (tiers.panel(), ("panel",)),
    "both": (tiers.pi_tiers(), ("pad-and-panel",)),
    "row": (tiers.presence_track(), ("presence",)),
}


@pytest.mark.parametrize("name", FILED)
def test_the_files_have_the_circuit(name: str) -> None:
    """Of repeated parts the files have one: what they have is as in the circuit, and small ones have all."""
    circuit, names = FILED[name]
    for kind in ("", "-wiring"):
        drawn = nets(sheets.sheet(f"{sheets.FOLDER}/{each}{kind}.svg") for each in names)
        refs = {ref for terminals in drawn.values() for ref, _ in terminals}
        wanted = {
            net: frozenset(t for t in terminals if t[0] in refs) for net, terminals in circuit.nets.items()
        }
        assert drawn == {net: terminals for net, terminals in wanted.items() if terminals}
        assert name in ("track", "row") or refs == circuit.parts.keys()


@pytest.mark.parametrize("name", ["pad", "panel"])
@pytest.mark.parametrize("way", [0, 1])
def test_every_fault_in_the_circuit_is_in_the_drawing(name: str, way: int) -> None:
    """Pins exchanged, nets shorted, a wire off: another drawing each time, and it reads as the faulty circuit."""
    circuit, *ways = TIERS[name]
    draw = ways[way]
    before = svg(draw(circuit)[0])
    for fault in every_fault(circuit):
        after = draw(fault.circuit)
        assert nets(after) == fault.circuit.nets, str(fault)
        even = fault.what == "swap" and circuit.parts[fault.ref].type.even
        assert even or svg(after[0]) != before, str(fault)


def test_a_fault_on_the_track_is_in_the_drawing() -> None:
    circuit = tiers.reader_track(3)
    for fault in (
        swapped(circuit, "U11", 1, 2),
        swapped(circuit, "U13", 16, 14),
        swapped(circuit, "A1", 24, 25),
        opened(circuit, "RD1", "MISO"),
        swapped(circuit, "C1", 1, 2),
    ):
        for draw in (track_schematic, track_wiring):
            assert nets(draw(fault)) == fault.nets
            assert [*map(svg, draw(fault))] != [*map(svg, draw(circuit))]


def test_a_value_is_the_circuits() -> None:
    odd = valued(tiers.panel(), "R4", "333 Ω")
    for draw in (pi_sheets.schematic, pi_sheets.wiring):
        assert "R4 333 Ω" in svg(draw(odd, ""))


@pytest.mark.parametrize("draw", [track_sheets.power, track_sheets.power_wiring])
def test_the_stripe_of_an_electrolytic_capacitor_is_minus(draw: Callable[[Circuit, str], Sheet]) -> None:
    """In both orientations what is black is at leg 2, and a + stands at leg 1 of the symbol."""
    circuit = tiers.reader_track(40)
    for way in (circuit, swapped(circuit, "C1", 1, 2)):
        marks = draw(way, "").marks
        legs = {mark.terminal: mark for mark in marks if isinstance(mark, Leg)}
        for ref in ("C1", "C2"):
            plus, minus = (legs[ref, number] for number in (1, 2))
            black = [mark.points[0] for mark in marks if isinstance(mark, Stroke) and mark.filled]
            assert min(dist(minus.at, point) for point in black) < min(
                dist(plus.at, point) for point in black
            )
            assert (plus.text, minus.text) != (None, None)
            if draw is track_sheets.power:
                assert [leg.text and leg.text.words for leg in (plus, minus)] == ["+", "-"]


def test_legs_lie_as_they_do_in_the_hand() -> None:
    """From above chips and Pico count down at the left and up at the right, the header across."""
    ends = {
        parts.HC138: (1, 8, 16, 9),
        parts.HC244: (1, 10, 20, 11),
        tiers.TRACK_PICO: (1, 20, 40, 21),
        tiers.PAD_PI: (1, 39, 2, 40),
        parts.INA180A1: (1, 3, 5, 4),
    }
    for kind, (top_left, bottom_left, top_right, bottom_right) in ends.items():
        left, right = sides(kind)
        assert (left[0], left[-1], right[0], right[-1]) == (top_left, bottom_left, top_right, bottom_right)
        assert sorted([*left, *right]) == sorted(kind.by_number)
    assert [[*side] for side in sides(parts.MFRC522)] == [[1, 2, 3, 4, 5, 6, 7, 8], []]


@pytest.mark.parametrize("path", sheets.MADE)
def test_nothing_covers_a_text_or_runs_along_a_wire(path: str) -> None:
    assert list(clashes(sheets.sheet(path))) == []


@pytest.mark.parametrize("path", sheets.MADE)
def test_names_and_numbers_are_what_they_stand_for(path: str) -> None:
    """The words at a wire begin with its net's name, those at a leg have its number or its sign."""
    for mark in sheets.sheet(path).marks:
        if isinstance(mark, Label):
            assert mark.text.words.split(" · ")[0] == mark.net
        elif isinstance(mark, Leg) and mark.text is not None and mark.text.words not in ("+", "-", ""):
            assert f"{mark.terminal[1]}" in mark.text.words.split()


@pytest.mark.parametrize("path", sheets.MADE)
def test_the_svg_is_a_page_of_a4_in_black_and_white(path: str) -> None:
    """A4 in millimetres; a title and a description; capitals of 2.2 mm at least; no colour; every word and wire."""
    sheet = sheets.sheet(path)
    root = ET.fromstring(sheets.drawn(path))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("210mm", "297mm", "0 0 210 297")
    assert root.findtext(f"{SVG}title") == sheet.title != ""
    assert root.findtext(f"{SVG}desc") == sheet.says != ""
    sizes = [float(each.get("font-size", "9")) for each in root.iter() if each.get("font-size")]
    assert min(sizes) * CAPITAL >= 2.2
    colours = {each.get(name) for each in root.iter() for name in ("fill", "stroke")} - {None}
    assert colours == {"#000", "#fff", "none"}
    assert [each.text for each in root.iter(f"{SVG}text")] == [
        text.words for text in texts(sheet) if text.words
    ]
    wires = [mark for mark in sheet.marks if isinstance(mark, Wire)]
    thick = next(group for group in root.iter(f"{SVG}g") if group.get("stroke-width") == ".35")
    paths = [
        [float(n) for n in re.findall(r"[\d.]+", each.get("d", ""))] for each in thick.findall(f"{SVG}path")
    ]
    assert paths == [[round(n, 2) for point in wire.points for n in point] for wire in wires]
    assert "None of this was ever built" in sheets.drawn(path)


def test_every_drawing_is_shown_in_the_text() -> None:
    text = (files.HOME / "wiring.md").read_text(encoding="utf-8")
    shown = re.findall(r"!\[([^\]]+)\]\((hardware/drawings/[^)]+)\)", text)
    assert sorted(path for _, path in shown) == sorted(sheets.MADE)
    assert len({alt for alt, _ in shown}) == len(shown)
    lying = (files.HOME / sheets.FOLDER).iterdir()
    assert sorted(f"{sheets.FOLDER}/{path.name}" for path in lying) == sorted(sheets.MADE)


# -- perforated boards


TRACKS = {"22": tiers.reader_track(monitor=True), "3": tiers.reader_track(3), "40": tiers.reader_track(40)}
PLANS = {
    **{f"Pico of {name}": board_sheets.pico_plan(circuit) for name, circuit in TRACKS.items()},
    **{
        f"group {group} of {name}": board_sheets.group_plan(circuit, group)
        for name, circuit in TRACKS.items()
        for group in track_sheets.groups_of(circuit)
    },
}


@pytest.mark.parametrize("name", PLANS)
def test_every_leg_has_a_hole_of_its_own(name: str) -> None:
    """All legs of all parts of the sheet, none twice; and a capacitor no further than three holes from its chip's supply."""
    plan = PLANS[name]
    group = re.match(r"group (\d)", name)
    starting = {
        ref for n in track_sheets.groups_of(plan.circuit) for ref in track_sheets.group_refs(n).starting
    }
    named = (
        [ref for ref in track_sheets.group_refs(int(group[1])).all if ref not in starting]
        if group
        else [*track_sheets.pico_refs(), *starting]  # where the groups' own wires begin
    )
    refs = [ref for ref in named if ref in plan.circuit.parts]
    assert plan.holes.keys() == {(ref, n) for ref in refs for n in plan.circuit.parts[ref].type.by_number}
    assert len(set(plan.holes.values())) == len(plan.holes)
    for ref in refs:
        if near := plan.circuit.parts[ref].near:
            supply = plan.holes[near, plan.circuit.parts[near].type.number("VCC")]
            assert max(abs(a - b) for a, b in zip(plan.holes[ref, 1], supply, strict=True)) <= 3


@pytest.mark.parametrize("name", TRACKS)
def test_all_groups_lie_alike(name: str) -> None:
    """One board is drawn for all: the same holes, though the last group may have fewer readers."""
    circuit = TRACKS[name]
    plans = [board_sheets.group_plan(circuit, group) for group in track_sheets.groups_of(circuit)]
    for group, plan in enumerate(plans):
        names = dict(zip(track_sheets.group_refs(group).all, track_sheets.group_refs(0).all, strict=True))
        assert {(names[ref], leg): hole for (ref, leg), hole in plan.holes.items()} == plans[0].holes


@pytest.mark.parametrize("name", PLANS)
def test_solder_joins_what_the_circuit_joins(name: str) -> None:
    """It joins only legs of one net, in neighbouring holes; each resistor has a drop at one end at least."""
    plan = PLANS[name]
    drops = board.drops(plan)
    for one, other in drops:
        assert plan.circuit.net_of[one] == plan.circuit.net_of[other]
        (a, b), (c, d) = plan.holes[one], plan.holes[other]
        assert abs(a - c) + abs(b - d) == 1
    free = {
        ref
        for group in track_sheets.groups_of(plan.circuit)
        for ref in track_sheets.group_refs(group).starting
    }
    assert {ref for ref in plan.way if ref[0] == "R"} - free <= {ref for drop in drops for ref, _ in drop}


@pytest.mark.parametrize("name", PLANS)
def test_the_list_of_a_board_has_every_leg_at_its_net(name: str) -> None:
    """On the sheet the holes in the line of each net are those of its legs."""
    plan = PLANS[name]
    words = [m for m in board.drawn(plan, "", "", 39).marks if isinstance(m, Text) and m.at[1] > 100]
    listed: dict[str, set[str]] = {}
    net = ""
    for text in sorted(words, key=lambda each: (each.at[0] >= 105, each.at[1], each.at[0])):
        if text.words.removesuffix(":") in plan.circuit.nets and not text.bold:
            net = text.words.removesuffix(":")
        elif re.fullmatch(r"(\d+[A-Z] ?)+( · .*)?", text.words):
            listed.setdefault(net, set()).update(text.words.split(" · ")[0].split())
    assert listed == {net: {board.hole(hole) for hole in holes} for net, holes in board.joined(plan).items()}
    for terminal, hole in plan.holes.items():
        if terminal in plan.circuit.net_of:
            assert board.hole(hole) in listed[plan.circuit.net_of[terminal]]


@pytest.mark.parametrize("below", [False, True])
@pytest.mark.parametrize("name", PLANS)
def test_holes_are_named_as_the_edges_of_the_board_are(name: str, below: bool) -> None:
    """A leg's row is that whose letter stands in its height, its column is counted from the numbers above;
    from below the numbers run from right to left.
    """
    plan = PLANS[name]
    marks = board.drawn(plan, "", "", 39, below=below).marks
    edge = [mark for mark in marks if isinstance(mark, Text)]
    rows = {round(text.at[1] - MIDDLE, 2): text.words for text in edge if re.fullmatch("[A-Z]", text.words)}
    columns = {text.at[0]: int(text.words) for text in edge if text.at[1] < 42 and text.words.isdigit()}
    (left, first), *_, (right, last) = sorted(columns.items())
    assert (first > last) is below
    for mark in marks:
        if isinstance(mark, Leg):
            column = first + (mark.at[0] - left) / (right - left) * (last - first)
            assert board.hole(plan.holes[mark.terminal]) == f"{round(column)}{rows[mark.at[1]]}"
            assert column == pytest.approx(round(column), abs=0.01)


def test_a_board_follows_its_circuit() -> None:
    """Two legs exchanged: other drops and another list; a resistor whose leg no chip has is not put anywhere."""
    circuit = TRACKS["3"]
    for odd in (swapped(circuit, "U12", 1, 2), swapped(circuit, "U13", 4, 5)):
        assert svg(board.drawn(board_sheets.group_plan(odd, 0), "", "", 39)) != svg(
            board.drawn(board_sheets.group_plan(circuit, 0), "", "", 39)
        )
    with pytest.raises(ValueError, match="R100 has no place"):
        board_sheets.group_plan(opened(circuit, "U12", "D0"), 0)


# -- reading back


def drawing(*marks: Wire | Label | Leg | Text | Stroke) -> list[Sheet]:
    return [Sheet("", "", marks)]


def leg(ref: str, x: float, y: float) -> Leg:
    return Leg((ref, 1), (x, y))


def label(net: str, x: float, y: float) -> Label:
    return Label(net, (x, y), Text((x, y), net))


def test_wires_that_cross_are_not_joined_and_those_that_end_on_one_are() -> None:
    level, upright = Wire(((0, 10), (20, 10))), Wire(((10, 0), (10, 20)))
    legs = (leg("A1", 0, 10), leg("B1", 10, 0), label("A", 20, 10), label("B", 10, 20))
    assert nets(drawing(level, upright, *legs)) == {"A": {("A1", 1)}, "B": {("B1", 1)}}
    ended = Wire(((10, 0), (10, 10)))
    assert nets(drawing(level, ended, *legs[:3])) == {"A": {("A1", 1), ("B1", 1)}}


def test_what_has_one_name_is_joined_on_all_sheets() -> None:
    one, other = drawing(leg("A1", 0, 0), label("A", 0, 0)), drawing(leg("B1", 5, 5), label("A", 5, 5))
    assert nets([*one, *other]) == {"A": {("A1", 1), ("B1", 1)}}


@pytest.mark.parametrize(
    "marks",
    [
        (leg("A1", 0, 0), label("A", 0, 0), label("B", 0, 0)),  # two names
        (Wire(((0, 0), (9, 0))), leg("A1", 0, 0), leg("B1", 9, 0)),  # none
        (leg("A1", 0, 0), leg("A1", 9, 0)),  # a leg twice
    ],
)
def test_what_cannot_be_read_is_refused(marks: tuple[Wire | Label | Leg, ...]) -> None:
    with pytest.raises(ValueError, match="A1"):
        nets(drawing(*marks))


@pytest.mark.parametrize(
    ("marks", "fault"),
    [
        ((Text((20, 20), "one"), Text((21, 21), "two")), "'one' is on 'two'"),
        ((Text((20, 20), "one"), Wire(((10, 19), (50, 19)))), "'one' is on the line"),
        ((Text((20, 20), "one"), Stroke(((21, 10), (21, 30)))), "'one' is on the line"),
        ((Text((205, 20), "one"),), "'one' is out of the page"),
        ((Wire(((20, 20), (250, 20))),), "is out of the page"),
        ((Wire(((20, 20), (50, 20))), Wire(((40, 20.2), (60, 20.2)))), "lies on"),
        ((Wire(((20, 20), (50, 20))), Stroke(((40, 10), (40, 30)))), "crosses the outline"),
    ],
)
def test_confusing_marks_are_named(marks: Iterable[Wire | Text | Stroke], fault: str) -> None:
    assert any(fault in line for line in clashes(drawing(*marks)[0]))
