"""Tracks for a circuit on two layers: a maze router on a grid, that gives way and tries again.

Every net is led along the cheapest way over free points, and may cross another at a price that rises with
every round and stays at the points that were fought for, until no two nets meet (PathFinder: L. McMurchie and
C. Ebeling, 1995). The same circuit and places give the same tracks.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from hardware.board.footprints import Point
from hardware.board.placement import CLEARANCE, GRID, HEAD, RULES, SIGNAL, VIA, Design, PadAt

LAYERS: Final = ("F.Cu", "B.Cu")
STEEP, DIAGONAL, THROUGH = 1.25, 1.5, 12.0
ROUNDS: Final = 60
Node = int  # layer, row, column
_NONE: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True)
class Track:
    """A straight piece of copper."""

    net: str
    layer: str
    width: float
    start: Point
    end: Point


@dataclass(frozen=True)
class Via:
    """A plated hole from one layer to the other."""

    net: str
    at: Point


class NoWay(Exception):
    """A circuit that does not fit with these places; its message names the obstacle."""


Way = list[Node]


def by_hand(design: Design) -> list[Track]:
    """Return the supply's tracks."""
    return [
        Track(net, layer, width, one, other)
        for net, layer, width, points in design.hand
        for one, other in pairwise(points)
    ]


def routed(design: Design, pads: Iterable[PadAt] | None = None) -> tuple[list[Track], list[Via]]:
    """Return tracks and vias of all nets of a board, or of other pads on it; NoWay if it gives up."""
    pads = design.pads() if pads is None else list(pads)
    nets: dict[str, list[PadAt]] = {}
    for pad in pads:
        if pad.net is not None and pad.net not in design.by_hand:
            nets.setdefault(pad.net, []).append(pad)
    nets = {net: ends for net, ends in nets.items() if len(ends) > 1}
    maze = _Maze(design, pads, nets)
    tracks, vias = by_hand(design), []
    for net, of_net in maze.solved().items():
        for way in of_net:
            more, through = maze.grid.copper(net, way)
            tracks += more
            vias += through
    return tracks, sorted(set(vias), key=lambda via: (via.net, via.at))


@dataclass(frozen=True)
class _Grid:
    """The points of a board that a track may turn at, on both layers."""

    columns: int
    rows: int

    @property
    def plane(self) -> int:
        """The number of points of a layer."""
        return self.columns * self.rows

    def point(self, node: Node) -> Point:
        """Return where a node is."""
        row, column = divmod(node % self.plane, self.columns)
        return round(column * GRID, 4), round(row * GRID, 4)

    def node(self, at: Point, layer: int) -> Node:
        """Return the node nearest to a point."""
        column, row = round(at[0] / GRID), round(at[1] / GRID)
        return layer * self.plane + row * self.columns + column

    def copper(self, net: str, way: Way) -> tuple[list[Track], list[Via]]:
        """Return a way as tracks as long as they are straight, and the vias between."""
        tracks, vias, start = [], [], 0
        for n in range(1, len(way)):
            if way[n] // self.plane != way[n - 1] // self.plane:
                vias.append(Via(net, self.point(way[n])))
                start = n
            elif n + 1 == len(way) or way[n + 1] - way[n] != way[n] - way[n - 1]:
                layer = LAYERS[way[n] // self.plane]
                tracks.append(Track(net, layer, SIGNAL, self.point(way[start]), self.point(way[n])))
                start = n
        return tracks, vias


class _Maze:
    """The grid, its fixed contents, and the number of conflicts at each point."""

    def __init__(self, design: Design, pads: list[PadAt], nets: dict[str, list[PadAt]]) -> None:
        self.nets = nets
        width, height = design.size
        self.grid = _Grid(int(width / GRID) + 1, int(height / GRID) + 1)
        self.by_hand = by_hand(design)
        rows, columns = np.mgrid[0 : self.grid.rows, 0 : self.grid.columns]
        x, y = columns.ravel() * GRID, rows.ravel() * GRID
        self.x, self.y = x, y
        self.fought = [0.0] * (2 * self.grid.plane)
        self.copper: dict[Node, set[str]] = {}
        self.reserved: dict[Node, set[str]] = {}
        self.ways: dict[str, list[Way]] = {}
        margin = SIGNAL / 2 + RULES["edge"] + 0.2
        self.edge = (x < margin) | (y < margin) | (x > width - margin) | (y > height - margin)
        for at in design.holes:
            self.edge |= np.hypot(x - at[0], y - at[1]) < HEAD / 2 + SIGNAL / 2 + 0.05
        self.pads = pads
        self.closed = {net: self._closed(net) for net in nets}

    def _closed(self, net: str) -> tuple[bytes, bytes]:
        """Return the points closed to tracks of a net, on both layers; and those closed to vias."""
        shut = [self.edge.copy(), self.edge.copy()]
        via = self.edge.copy()
        for pad in self.pads:
            if pad.net == net:
                via |= self._within(pad.at, pad.at, pad.pad.size / 2 + VIA / 2)
                continue
            reach = pad.pad.size / 2 + CLEARANCE
            if pad.pad.square:
                dx, dy = np.abs(self.x - pad.at[0]), np.abs(self.y - pad.at[1])
                half = pad.pad.size / 2
                apart = np.hypot(np.maximum(dx - half, 0), np.maximum(dy - half, 0))
                near = apart < CLEARANCE + SIGNAL / 2 - 1e-6
                via |= apart < CLEARANCE + VIA / 2 - 1e-6
            else:
                near = self._within(pad.at, pad.at, reach + SIGNAL / 2)
                via |= self._within(pad.at, pad.at, reach + VIA / 2)
            shut = [each | near for each in shut]
        for track in self.by_hand:
            side = LAYERS.index(track.layer)
            apart = track.width / 2 + CLEARANCE
            shut[side] |= self._within(track.start, track.end, apart + SIGNAL / 2)
            via |= self._within(track.start, track.end, apart + VIA / 2)
        return np.concatenate(shut).tobytes(), via.tobytes()

    def _within(self, one: Point, other: Point, reach: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return the points nearer than `reach` to a line."""
        dx, dy = other[0] - one[0], other[1] - one[1]
        length = dx * dx + dy * dy
        along = ((self.x - one[0]) * dx + (self.y - one[1]) * dy) / (length or 1.0)
        along = np.clip(along, 0, 1) if length else np.zeros_like(self.x)
        found = np.hypot(self.x - one[0] - along * dx, self.y - one[1] - along * dy) < reach - 1e-6
        return np.asarray(found)

    def solved(self) -> dict[str, list[Way]]:
        """Return the ways of all nets, none of which meets another."""
        order = sorted(self.nets, key=lambda net: (_span(self.nets[net]), net))
        wanted, price = order, 0.5
        for _ in range(ROUNDS):
            for net in wanted:
                self._free(net)
                self.ways[net] = self._led(net, price)
                self._mark(net)
            fighting = self._fighting()
            if not fighting:
                return self.ways
            wanted = [net for net in order if net in fighting]
            price = min(price * 1.3, 20.0)
        raise NoWay(f"no way without a crossing for {', '.join(sorted(wanted))}: move parts apart")

    def _fighting(self) -> set[str]:
        """Return the nets that meet another's copper, or come too near to it; their points become dearer."""
        fighting: set[str] = set()
        for node, nets in self.copper.items():
            others = nets | self.reserved.get(node, set())
            if nets and len(others) > 1:
                self.fought[node] += 1.0
                fighting |= others
        return fighting

    def _free(self, net: str) -> None:
        for node in self._copper_of(net):
            self.copper[node].discard(net)
        for node in self._reserved_by(net):
            self.reserved[node].discard(net)

    def _mark(self, net: str) -> None:
        for node in self._copper_of(net):
            self.copper.setdefault(node, set()).add(net)
        for node in self._reserved_by(net):
            self.reserved.setdefault(node, set()).add(net)

    def _copper_of(self, net: str) -> set[Node]:
        return {node for way in self.ways.get(net, []) for node in way}

    def _reserved_by(self, net: str) -> set[Node]:
        """Return the points closed to other nets' copper: around vias, next to diagonals."""
        found: set[Node] = set()
        for way in self.ways.get(net, []):
            for one, other in pairwise(way):
                found.update(self._reserved(one, other))
        return found

    def _led(self, net: str, price: float) -> list[Way]:
        """Return ways that join all pads of a net, from the first on always to the nearest."""
        closed, no_via = self.closed[net]
        ends = self.nets[net]
        reached = {self.grid.node(ends[0].at, layer) for layer in (0, 1)}
        missing = [{self.grid.node(pad.at, layer) for layer in (0, 1)} for pad in ends[1:]]
        ways = []
        while missing:
            goals = set().union(*missing)
            way = self._way(reached, goals, closed, no_via, net, price)
            ways.append(way)
            reached.update(way)
            there = next(pad for pad in missing if way[-1] in pad)
            missing.remove(there)
            reached |= there
        return ways

    def _cost(self, node: Node, net: str, price: float) -> float:
        copper, reserved = self.copper.get(node, _NONE), self.reserved.get(node, _NONE)
        if not copper and not reserved:
            return 1.0 + 0.3 * self.fought[node]
        met = len(copper - {net}) + len(reserved - {net})
        return (1.0 + self.fought[node]) * (1.0 + price * met) if met else 1.0 + 0.3 * self.fought[node]

    def _way(
        self, sources: set[Node], goals: set[Node], closed: bytes, no_via: bytes, net: str, price: float
    ) -> Way:
        """Return the cheapest way from the points reached (A*); NoWay if pads and supply alone bar it."""
        best = dict.fromkeys(sources, 0.0)
        before: dict[Node, Node] = {}
        plane, wide = self.grid.plane, self.grid.columns
        rows = [node % plane // wide for node in goals]
        columns = [node % plane % wide for node in goals]
        top, bottom, left, right = min(rows), max(rows), min(columns), max(columns)

        def least(node: Node) -> float:
            """Return the least cost from here to the goals."""
            row, column = divmod(node % plane, wide)
            down = max(top - row, row - bottom, 0)
            across = max(left - column, column - right, 0)
            return down + across - 0.5 * min(down, across)

        queue = [(least(node), node) for node in sorted(sources)]
        done: set[Node] = set()
        while queue:
            node = heapq.heappop(queue)[1]
            if node in done:
                continue
            done.add(node)
            cost = best[node]
            if node in goals:
                way = [node]
                while way[-1] in before:
                    way.append(before[way[-1]])
                return way[::-1]
            for to, step in self._steps(node, closed, no_via):
                if to in done:
                    continue
                new = cost + step * self._cost(to, net, price)
                for around in self._reserved(node, to):
                    if self.copper.get(around, _NONE) - {net}:
                        new += price * (1 + self.fought[around])
                if new < best.get(to, 1e9):
                    best[to] = new
                    before[to] = node
                    heapq.heappush(queue, (new + least(to), to))
        raise NoWay(f"{net} is barred by pads and supply: move parts apart")

    def _steps(self, node: Node, closed: bytes, no_via: bytes) -> Iterator[tuple[Node, float]]:
        plane, columns = self.grid.plane, self.grid.columns
        right, left = not closed[node + 1], not closed[node - 1]
        down, up = not closed[node + columns], not closed[node - columns]
        # across the layer's grain costs a little more: ways of one layer then do not wall off each other
        level, steep = (STEEP, 1.0) if node < plane else (1.0, STEEP)
        if right:
            yield node + 1, level
        if left:
            yield node - 1, level
        if down:
            yield node + columns, steep
        if up:
            yield node - columns, steep
        for across, sideways in ((right, 1), (left, -1)):
            for along, ahead in ((down, columns), (up, -columns)):
                if across and along and not closed[node + ahead + sideways]:
                    yield node + ahead + sideways, DIAGONAL
        other = node + plane if node < plane else node - plane
        if not closed[other] and not no_via[node % plane]:
            yield other, THROUGH

    def _reserved(self, one: Node, other: Node) -> tuple[Node, ...]:
        """Return the points closed to others when copper goes from one point to the next."""
        plane, columns = self.grid.plane, self.grid.columns
        step = other - one
        if abs(step) == plane:
            around = (1, -1, columns, -columns, columns + 1, columns - 1, -columns + 1, -columns - 1)
            return tuple(node + n for node in (one, other) for n in around)
        if abs(step) in (1, columns):
            return ()
        sideways = step - columns if step > 0 else step + columns
        return one + sideways, other - sideways


def _span(pads: list[PadAt]) -> float:
    """Return half of the perimeter of the box around a net's pads."""
    xs, ys = [pad.at[0] for pad in pads], [pad.at[1] for pad in pads]
    return max(xs) - min(xs) + max(ys) - min(ys)
