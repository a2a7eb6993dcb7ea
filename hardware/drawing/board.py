"""Perforated boards: the hole of each leg, and the list of connections.

The places of chips are given by hand; a part of two legs is next to a leg of the same net, so that a drop of
solder joins them. Everything else is a wire from hole to hole, by the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hardware.circuit import Circuit, Terminal
from hardware.drawing import faces, symbols
from hardware.drawing.boards import sides
from hardware.drawing.page import Leg, Mark, Name, Point, Ring, Sheet, Stroke, Text, Wire, texts
from hardware.drawing.pen import MANY, MIDDLE, Pen, at, ends, legs_text

Hole = tuple[int, int]  # column, row; both from 1
STEP: Final = 4.6  # between holes on the page: 2.54 mm on the board
LONG: Final = 4  # holes from leg to leg of a resistor
HOLES: Final = 28  # mm for the names of a net's holes in the list
SHORT: Final = 2  # of a ceramic capacitor
ROWS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass
class Plan:
    """Legs in holes, in the order of their placement."""

    circuit: Circuit
    holes: dict[Terminal, Hole] = field(default_factory=dict)
    way: dict[str, int] = field(default_factory=dict)  # of parts with two legs: -1 if they point to the left
    wide: dict[str, int] = field(default_factory=dict)  # of chips: holes from row to row

    def chip(self, ref: str, column: int, row: int, wide: int) -> None:
        """Place a chip or Pico, its leg 1 in a hole."""
        self.wide[ref] = wide
        for n, legs in enumerate(sides(self.circuit.parts[ref].type)):
            for down, number in enumerate(legs):
                self.holes[ref, number] = column + wide * n, row + down

    def next_to(self, ref: str, leg: int) -> None:
        """Place a part of two legs, one of them next to the first leg of the same net; ValueError without
        room.
        """
        net = self.circuit.net_of.get((ref, leg))
        for terminal, (column, row) in list(self.holes.items()):
            if self.circuit.net_of.get(terminal) == net is not None:
                way = self._outward(terminal)
                for down in (0, 1, -1):
                    near, far = (column + way, row + down), (column + way * (1 + LONG), row + down)
                    if self._free(near, far):
                        self.holes[ref, leg], self.holes[ref, 3 - leg] = near, far
                        self.way[ref] = way
                        return
        raise ValueError(f"{ref} has no place on the board: give it one in hardware/drawing")

    def alone(self, ref: str, column: int, row: int) -> None:
        """Place a part of two legs by itself, its leg 1 in this hole."""
        self.holes[ref, 1], self.holes[ref, 2] = (column, row), (column + LONG, row)
        self.way[ref] = 1

    def above(self, ref: str, chip: str) -> None:
        """Place a capacitor across the upper end of a chip, over the supply's leg."""
        column, row = self.holes[chip, len(self.circuit.parts[chip].type.pins)]
        self.holes[ref, 1], self.holes[ref, 2] = (column, row - 1), (column - SHORT, row - 1)
        self.way[ref] = -1

    def _outward(self, terminal: Terminal) -> int:
        ref, number = terminal
        if ref in self.way:
            return self.way[ref]
        return -1 if number in sides(self.circuit.parts[ref].type)[0] else 1

    def _free(self, one: Hole, other: Hole) -> bool:
        first, last = sorted((one[0], other[0]))
        taken = set(self.holes.values())
        return not any((column, one[1]) in taken for column in range(first, last + 1)) and first > 0


def hole(place: Hole) -> str:
    """Return a hole's name: its column's number and its row's letter."""
    return f"{place[0]}{ROWS[place[1] - 1]}"


def drops(plan: Plan) -> list[tuple[Terminal, Terminal]]:
    """Return the legs of one net in neighbouring holes, which solder joins."""
    at_hole = {place: terminal for terminal, place in plan.holes.items()}
    found = []
    for (column, row), terminal in sorted(at_hole.items()):
        for neighbour in ((column + 1, row), (column, row + 1)):
            other = at_hole.get(neighbour)
            net = plan.circuit.net_of.get(terminal)
            if other and net is not None and net == plan.circuit.net_of.get(other):
                found.append((terminal, other))
    return found


def joined(plan: Plan) -> dict[str, list[Hole]]:
    """Return the holes of each net on a board, in the order of the circuit's nets."""
    return {
        net: sorted(plan.holes[t] for t in terminals if t in plan.holes)
        for net, terminals in plan.circuit.nets.items()
        if any(t in plan.holes for t in terminals)
    }


# -- the sheet


def drawn(plan: Plan, title: str, says: str, columns: int, *subtitle: str, below: bool = False) -> Sheet:
    """Return the board from above and the list of its wires; or from below, mirrored, as one solders it."""
    pen = Pen(plan.circuit, (), real=True)
    left, top = 15.0, 43.0

    def spot(place: Hole) -> Point:
        column = columns - place[0] if below else place[0] - 1
        return at(left + STEP * column, top + STEP * (place[1] - 1))

    rows = 1 + max(row for _, row in plan.holes.values())
    for ref in plan.wide:
        spots = {t: spot(h) for t, h in plan.holes.items() if t[0] == ref}
        pen.marks += _chip(plan, ref, spots, below)
    for ref in plan.way:
        pen.marks += _two_legs(plan, ref, *(spot(plan.holes[ref, leg]) for leg in (1, 2)))
    pen.marks += [Wire((spot(plan.holes[a]), spot(plan.holes[b]))) for a, b in drops(plan)]
    for column in (1, *range(5, columns + 1, 5)):
        pen.marks.append(Text(at(spot((column, 1))[0], top - 3.2), f"{column}", "middle"))
    for row in range(1, rows + 1):
        pen.marks.append(Text(at(left - 3.4, spot((1, row))[1] + MIDDLE), ROWS[row - 1], "middle"))
    covered = _covered(plan)
    written = [text.box for text in texts(Sheet("", "", tuple(pen.marks)))]
    for place in ((column, row) for column in range(1, columns + 1) for row in range(1, rows + 1)):
        if place not in covered and not any(_near(spot(place), box) for box in written):
            pen.marks.append(Ring(spot(place), 0.35))
    _list(pen, plan, spot((1, rows))[1] + 8)
    return pen.sheet(title, says, *subtitle)


def _covered(plan: Plan) -> set[Hole]:
    """Return the holes with a leg or under a part."""
    found = set(plan.holes.values())
    for ref in (*plan.wide, *plan.way):
        mine = [place for (part, _), place in plan.holes.items() if part == ref]
        columns, rows = ([place[n] for place in mine] for n in (0, 1))
        across = range(min(columns), max(columns) + 1)
        found |= {(column, row) for column in across for row in range(min(rows), max(rows) + 1)}
    return found


def _near(point: Point, box: tuple[float, float, float, float]) -> bool:
    return box[0] - 0.6 < point[0] < box[2] + 0.6 and box[1] - 0.6 < point[1] < box[3] + 0.6


def _chip(plan: Plan, ref: str, spots: Mapping[Terminal, Point], below: bool) -> Iterable[Mark]:
    part = plan.circuit.parts[ref]
    xs, ys = {x for x, _ in spots.values()}, {y for _, y in spots.values()}
    left, right, top, bottom = min(xs) + 0.9, max(xs) - 0.9, min(ys) - 2, max(ys) + 2
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    yield Stroke(tuple(at(*corner) for corner in corners), closed=True, board=True)
    if not below:
        yield from faces.from_above(part.type, at(left, top), right - left, bottom - top)
    name = f"{ref} {part.type.name.removeprefix('Raspberry Pi ')}"
    yield Name(ref, part.value, Text(at((left + right) / 2, bottom + 3.6), name, "middle", bold=True))
    for terminal, (x, y) in spots.items():
        way = 1 if x < left else -1
        number = Text(at(x + way * 1.7, y + MIDDLE), f"{terminal[1]}", "start" if way > 0 else "end")
        yield Leg(terminal, (x, y), number)
        yield Ring((x, y), 0.8)
        if terminal[1] == 1:
            yield faces.first((x, y))


def _two_legs(plan: Plan, ref: str, one: Point, other: Point) -> Iterable[Mark]:
    part = plan.circuit.parts[ref]
    start, end = sorted((one, other))
    yield Leg((ref, 1), one)
    yield Leg((ref, 2), other)
    yield from (Ring(point, 0.8) for point in (one, other))
    middle = (start[0] + end[0]) / 2
    yield from symbols.body(part.type.name, start, end)
    above = end[0] - start[0] < LONG * STEP - 1
    name = at(middle, start[1] - 2.9) if above else at(middle, start[1] + MIDDLE)
    yield Name(ref, part.value, Text(name, ref, "middle"))


def _list(pen: Pen, plan: Plan, y: float) -> None:
    """Draw each net's holes and its ends off the board, in two columns; long ones and values below."""
    lines, long = list[tuple[str, str, str]](), list[tuple[str, str]]()
    for net, holes in joined(plan).items():
        away = ends(plan.circuit, net, {t for t in plan.circuit.nets[net] if t not in plan.holes})
        names = " ".join(hole(place) for place in holes)
        if len(holes) > MANY or Text((0, 0), names).wide > HOLES - 1:
            away = away or ("every other GND" if net == "GND" else "")
            long.append((f"{net}:", " · ".join(filter(None, (names, away)))))
        else:
            lines.append((net, names, away))
    half = -(-len(lines) // 2)
    below = max(
        pen.table(10 + 95 * n, y, (27, HOLES, 40), [("net", "holes", "and off the board"), *part])
        for n, part in enumerate((lines[:half], lines[half:]))
    )
    values: dict[str, set[Terminal]] = {}
    for ref in plan.way:
        values.setdefault(plan.circuit.parts[ref].value, set()).add((ref, 1))
    long += [(f"{value}:", legs_text(plan.circuit, legs)) for value, legs in values.items()]
    for net, words in long:
        indent = Text((0, 0), net).wide + 1.5
        pen.words(12, below, net)
        for line in _wrapped(words.split(), 186 - indent):
            pen.words(12 + indent, below, line)
            below += 4.4


def _wrapped(words: Sequence[str], wide: float) -> list[str]:
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if Text((0, 0), longer).wide > wide:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
