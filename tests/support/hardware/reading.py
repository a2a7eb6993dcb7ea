"""Drawings read back: which legs the wires and labels on the sheets join, and what covers what.

Nothing here knows the circuit: only where marks are. Two wires that cross are not joined; what has the same
name is, on all sheets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from hardware.circuit import Terminal
from hardware.drawing.page import (
    HIGH,
    MARGIN,
    WIDE,
    Label,
    Leg,
    Point,
    Sheet,
    Stroke,
    Text,
    Wire,
    meets,
    spans,
    texts,
)

Span = tuple[Point, Point]
APART: Final = 0.8  # between wires, in millimetres


class _Groups:
    """Sets of things that are one, found by any of them."""

    def __init__(self) -> None:
        self.above: dict[object, object] = {}

    def top(self, of: object) -> object:
        self.above.setdefault(of, of)
        while self.above[of] != of:
            of = self.above[of]
        return of

    def join(self, one: object, other: object) -> None:
        self.above[self.top(one)] = self.top(other)


def nets(sheets: Iterable[Sheet]) -> dict[str, frozenset[Terminal]]:
    """Return the nets that sheets show together.

    ValueError for wires that have two names or none, and for a leg that is drawn twice.
    """
    groups, legs, named = _Groups(), dict[Terminal, object](), list[tuple[str, object]]()
    for number, sheet in enumerate(sheets):
        wires = [mark for mark in sheet.marks if isinstance(mark, Wire)]
        lines = [(span, (number, wire.points[0])) for wire in wires for span in spans(wire.points)]
        for mark in sheet.marks:
            places: tuple[Point, ...] = ()
            if isinstance(mark, Wire):
                places = mark.points
                for place in places:
                    groups.join((number, place), (number, places[0]))
            elif isinstance(mark, Label):
                places = (mark.at,)
                named.append((mark.net, (number, mark.at)))
                groups.join((number, mark.at), mark.net)
            elif isinstance(mark, Leg):
                places = (mark.at,)
                if mark.terminal in legs:
                    raise ValueError(f"{mark.terminal} is drawn twice")
                legs[mark.terminal] = number, mark.at
            for place in places:
                for line, start in lines:
                    if meets(place, line):
                        groups.join((number, place), start)
    names: dict[object, set[str]] = {}
    for net, at in named:
        names.setdefault(groups.top(at), set()).add(net)
    found: dict[object, set[Terminal]] = {}
    for leg, at in legs.items():
        found.setdefault(groups.top(at), set()).add(leg)
    for top, joined in found.items():
        told = names.get(top, set())
        if len(told) > 1 or (not told and len(joined) > 1):
            raise ValueError(f"{sorted(joined)} are joined, with the names {sorted(told)}")
    return {min(names[top]): frozenset(joined) for top, joined in found.items() if top in names}


def clashes(sheet: Sheet) -> Iterator[str]:
    """Yield what confuses readers: text on text or on a line, wire along wire, marks out of the page."""
    words = list(texts(sheet))
    wires = [span for mark in sheet.marks if isinstance(mark, Wire) for span in spans(mark.points)]
    strokes = [mark for mark in sheet.marks if isinstance(mark, Stroke)]
    outlines = [(span, mark.board) for mark in strokes for span in spans(mark.points, mark.closed)]
    for n, text in enumerate(words):
        left, top, right, bottom = text.box
        if left < MARGIN - 0.1 or right > WIDE - MARGIN + 0.1 or top < MARGIN or bottom > HIGH - MARGIN + 1:
            yield f"{text.words!r} is out of the page"
        for other in words[n + 1 :]:
            if _overlap(text, other):
                yield f"{text.words!r} is on {other.words!r}"
        for line in (*wires, *(span for span, _ in outlines)):
            if _on(line, text):
                yield f"{text.words!r} is on the line {line}"
    for n, wire in enumerate(wires):
        if not all(MARGIN <= x <= WIDE - MARGIN and MARGIN <= y <= HIGH - MARGIN for x, y in wire):
            yield f"the wire {wire} is out of the page"
        for other_wire in wires[n + 1 :]:
            if _along(wire, other_wire):
                yield f"the wire {wire} lies on {other_wire}"
        for line, board in outlines:
            if not board and _cross(wire, line):
                yield f"the wire {wire} crosses the outline {line}"


def _overlap(one: Text, other: Text) -> bool:
    a, b = one.box, other.box
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _box(line: Span) -> tuple[float, float, float, float]:
    (x0, y0), (x1, y1) = line
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _on(line: Span, text: Text) -> bool:
    a, b = _box(line), text.box
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _along(one: Span, other: Span) -> bool:
    """Return whether two level or upright lines run so near each other that they look like one."""
    a, b = _box(one), _box(other)
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    level, upright = a[1] == a[3] and b[1] == b[3], a[0] == a[2] and b[0] == b[2]
    return (level and wide > 0 and high > -APART) or (upright and high > 0 and wide > -APART)


def _cross(wire: Span, line: Span) -> bool:
    """Return whether a wire goes through a line, not only up to it."""
    a, b = _box(wire), _box(line)
    level = a[0] < b[0] and b[2] < a[2] and b[1] < a[1] and a[3] < b[3]
    upright = b[0] < a[0] and a[2] < b[2] and a[1] < b[1] and b[3] < a[3]
    return level or upright
