"""Wires between a board at the left and parts at the right: an upright trunk for each net, level wires to it.

A net that goes on to other sheets is led out at the left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from hardware.circuit import Terminal
from hardware.drawing.page import Label, Leg, Point, Text, Wire
from hardware.drawing.pen import ABOVE, BESIDE, GROUND, MANY, MIDDLE, Pen, Place, at, told

Ends = Sequence[tuple[Point, Terminal]]
STEP = 2.4  # from trunk to trunk


def across(pen: Pen, places: Sequence[Place], right: float, pitch: float) -> list[tuple[Point, Terminal]]:
    """Return the ends of a board's wires at its right: those of its left legs run under the board, between
    its legs.
    """
    found = []
    for place in places:
        if place.terminal not in pen.circuit.net_of:
            continue
        x, y = place.at
        end = place.at
        if place.way < 0:
            end = at(right, y + pitch / 2)
            pen.marks.append(Wire((place.at, at(x - 2.5, y), at(x - 2.5, end[1]), end)))
        found.append((end, place.terminal))
    return found


def wired(pen: Pen, left: Ends, right: Sequence[Place], start: float) -> float:
    """Draw trunks from `start` on, one for each net of several ends, each wire named; return their right
    edge.
    """
    lanes = [pen.through(place) for place in right]
    ends: dict[str, tuple[list[Point], list[Point]]] = {}
    for side, each in enumerate((left, lanes)):
        for point, terminal in each:
            net = pen.circuit.net_of.get(terminal)
            if net is not None:
                ends.setdefault(net, ([], []))[side].append(point)
    order = _ordered({net: both for net, both in ends.items() if len(both[0]) + len(both[1]) > 1})
    trunks = {net: round(start + STEP * n, 2) for n, net in enumerate(order)}
    for net, x in trunks.items():
        points = [point for side in ends[net] for point in side]
        levels = sorted(y for _, y in points)
        if levels[0] != levels[-1]:
            pen.marks.append(Wire(((x, levels[0]), (x, levels[-1]))))
        pen.marks += [Wire((point, (x, point[1]))) for point in points]
    fed: set[str] = set()
    board = {terminal for _, terminal in left}
    drawn = {mark.terminal for mark in pen.marks if isinstance(mark, Leg)}
    for point, terminal in lanes:
        net = pen.circuit.net_of.get(terminal)
        if net in trunks:
            there = pen.circuit.nets[net] & board
            name = f"{net} · {told(pen.circuit, there)}" if there else pen.name(terminal)
            pen.marks.append(Label(net, point, Text(at(point[0] - BESIDE, point[1] - ABOVE), name, "end")))
            elsewhere = pen.circuit.nets[net] - drawn
            if elsewhere and net not in fed:
                fed.add(net)
                few = len(elsewhere) <= MANY and net != GROUND
                away = f"{net} · {told(pen.circuit, elsewhere)}" if few else pen.name(terminal)
                pen.marks.append(Wire(((trunks[net], point[1]), at(start - 3, point[1]))))
                pen.marks.append(Label(net, point, Text(at(start - 4, point[1] + MIDDLE), away, "end")))
        elif net is not None:
            pen.end(point, -1, net, terminal)
    for point, terminal in left:
        if pen.circuit.net_of[terminal] not in trunks:
            pen.end(point, 1, pen.circuit.net_of[terminal], terminal, short=1.5)
    return start + STEP * len(order)


def _ordered(ends: Mapping[str, tuple[list[Point], list[Point]]]) -> list[str]:
    """Return nets from left to right, so that few wires cross: each is tried everywhere until none gets
    better.
    """
    levels = {net: sorted(y for side in both for _, y in side) for net, both in ends.items()}

    def within(net: str, points: Sequence[Point]) -> int:
        return sum(levels[net][0] < y < levels[net][-1] for _, y in points)

    cost = {}
    for one, other in combinations(ends, 2):
        cost[one, other] = within(one, ends[other][0]) + within(other, ends[one][1])
        cost[other, one] = within(other, ends[one][0]) + within(one, ends[other][1])
    order = list(ends)

    def crossings(row: Sequence[str]) -> int:
        return sum(cost[pair] for pair in combinations(row, 2))

    better = True
    while better:
        better = False
        for net in list(order):
            rest = [other for other in order if other != net]
            rows = [[*rest[:n], net, *rest[n:]] for n in range(len(order))]
            best = min(rows, key=crossings)
            if crossings(best) < crossings(order):
                order, better = best, True
    return order
