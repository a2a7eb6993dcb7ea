"""Symbols of parts with two legs (shapes as in IEC 60617, own drawings), their bodies from above, ground."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hardware.circuit import Part
from hardware.drawing.page import Mark, Point, Ring, Stroke

LONG: Final = 10.0  # of a symbol, from leg to leg
Line = Sequence[Point]

# lines along the axis from leg to leg and across it: open ones, closed ones
_BAR: Final[Line] = ((2, -1.2), (8, -1.2), (8, 1.2), (2, 1.2))
SHAPES: Final[dict[str, tuple[Sequence[Line], Sequence[Line]]]] = {
    "resistor": ([((0, 0), (2, 0)), ((8, 0), (10, 0))], [_BAR]),
    "shunt": ([((0, 0), (2, 0)), ((8, 0), (10, 0))], [_BAR]),
    "polyfuse": ([((0, 0), (2, 0)), ((8, 0), (10, 0)), ((1.6, 2), (3, 2), (7, -2))], [_BAR]),
    "capacitor": (
        [((0, 0), (4.4, 0)), ((4.4, -2.2), (4.4, 2.2)), ((5.6, -2.2), (5.6, 2.2)), ((5.6, 0), (10, 0))],
        [],
    ),
    "electrolytic": (
        [((0, 0), (4.0, 0)), ((5.8, -2.2), (5.8, 2.2)), ((5.8, 0), (10, 0))],
        [((4.0, -2.2), (4.7, -2.2), (4.7, 2.2), (4.0, 2.2))],
    ),
    "button": (
        [((0, 0), (2.5, 0)), ((7.5, 0), (10, 0)), ((2.5, -1.4), (7.5, -1.4)), ((5, -1.4), (5, -2.4))],
        [],
    ),
    "piezo": (
        [((0, 0), (3, 0)), ((3, -2.2), (3, 2.2)), ((7, -2.2), (7, 2.2)), ((7, 0), (10, 0))],
        [((4, -1.7), (6, -1.7), (6, 1.7), (4, 1.7))],
    ),
}


def two_legs(part: Part) -> bool:
    """Return whether a part is drawn in a wire."""
    return part.type.name in SHAPES


def long(text: float) -> float:
    """Return the length of a body, including leads, that holds a text of some width."""
    return text + 9


def _laid(line: Line, start: Point, end: Point) -> tuple[Point, ...]:
    along = (end[0] - start[0]) / LONG, (end[1] - start[1]) / LONG
    return tuple(
        (
            round(start[0] + u * along[0] - v * along[1], 2),
            round(start[1] + u * along[1] + v * abs(along[0]), 2),
        )
        for u, v in line
    )


def symbol(kind: str, start: Point, end: Point) -> list[Mark]:
    """Return the symbol of a kind of part between two points that are LONG apart."""
    opened, closed = SHAPES[kind]
    lines: list[Mark] = [Stroke(_laid(line, start, end)) for line in opened]
    lines += [Stroke(_laid(line, start, end), closed=True) for line in closed]
    if kind == "electrolytic":
        plate = ((5.8, -2.2), (6.3, -2.2), (6.3, 2.2), (5.8, 2.2))
        lines.append(Stroke(_laid(plate, start, end), closed=True, filled=True))
    if kind == "button":
        lines += [Ring(_laid([(u, 0)], start, end)[0], 0.4) for u in (2.5, 7.5)]
    return lines


def body(kind: str, start: Point, end: Point) -> list[Mark]:
    """Return a part seen from above, between two points on a level: room for its name inside."""
    left, right = sorted((start[0], end[0]))
    y = start[1]
    way = 1 if end[0] > start[0] else -1
    a, b = left + 2.5, right - 2.5
    leads: list[Mark] = [Stroke(((left, y), (a, y))), Stroke(((b, y), (right, y)))]
    cut = {"resistor": 0.0, "shunt": 0.0, "capacitor": 1.5, "polyfuse": 1.5, "electrolytic": 0.0}.get(
        kind, 0.7
    )
    outline = (
        (a + cut, y - 2), (b - cut, y - 2), (b, y - 2 + cut), (b, y + 2 - cut),
        (b - cut, y + 2), (a + cut, y + 2), (a, y + 2 - cut), (a, y - 2 + cut),
    )  # fmt: skip
    marks = [*leads, Stroke(tuple((round(u, 2), round(v, 2)) for u, v in outline), closed=True)]
    if kind in ("resistor", "shunt"):
        marks += [Stroke(((x, y - 2), (x, y + 2))) for x in (a + 1, b - 1)]
    if kind == "electrolytic":
        minus = b - 1.2 if way > 0 else a
        stripe = ((minus, y - 2), (minus + 1.2, y - 2), (minus + 1.2, y + 2), (minus, y + 2))
        marks.append(Stroke(stripe, closed=True, filled=True))
    return marks


def ground(tip: Point, way: int) -> list[Mark]:
    """Return ground at the end of a level wire."""
    x, y = tip
    return [
        Stroke(((x + way * d, y - h), (x + way * d, y + h))) for d, h in ((0, 1.6), (0.8, 1.0), (1.6, 0.4))
    ]


def ground_below(tip: Point, way: int) -> list[Mark]:
    """Return ground at the end of an upright wire."""
    x, y = tip
    return [
        Stroke(((x - h, y + way * d), (x + h, y + way * d))) for d, h in ((0, 1.6), (0.8, 1.0), (1.6, 0.4))
    ]
