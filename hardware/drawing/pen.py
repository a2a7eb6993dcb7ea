"""A pen that draws parts of a circuit: boxes with legs, wires from leg to leg, names at their ends.

Places are given by hand; every connection, number, name and value comes from the circuit. Where the circuit
has no net at a leg a cross is drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hardware.circuit import Circuit, Kind, Part, Terminal
from hardware.drawing import faces, symbols
from hardware.drawing.page import (
    HIGH,
    MARGIN,
    WIDE,
    Label,
    Leg,
    Mark,
    Name,
    Point,
    Ring,
    Sheet,
    Stroke,
    Text,
    Wire,
)

GROUND: Final = "GND"
STUB: Final = 7.0
BESIDE: Final = 1.3  # from a leg to the text over its wire
ABOVE: Final = 0.9  # from a wire to the foot of the text above it
MIDDLE: Final = 1.1  # from a wire to the foot of a text in its line
RAILS: Final = (Kind.GROUND, Kind.POWER_IN, Kind.POWER_OUT)
MANY: Final = 6  # ends of a supply that are named one by one
FOOT: Final = (
    "Made by python -m hardware of the circuits in hardware/tiers.py: change those, not the drawing.",
    "None of this was ever built; pins of chips are from notes: check them against the maker's data sheet.",
)


def at(x: float, y: float) -> Point:
    """Return a point, to a hundredth of a millimetre, so that points can be compared."""
    return round(x, 2), round(y, 2)


@dataclass(frozen=True)
class Place:
    """The place of a leg and the direction of its wire: -1 to the left, 1 to the right."""

    terminal: Terminal
    at: Point
    way: int


class Pen:
    """Draws `refs` of a circuit; `real` draws bodies of parts and names the end of each wire."""

    def __init__(self, circuit: Circuit, refs: Iterable[str], real: bool = False) -> None:
        self.circuit = circuit
        self.waiting = [ref for ref in refs if ref in circuit.parts]
        self.real = real
        self.marks: list[Mark] = []

    def sheet(self, title: str, says: str, *subtitle: str) -> Sheet:
        """Return the drawing, with title and foot; ValueError where a part waits undrawn."""
        if self.waiting:
            raise ValueError(f"{title}: {', '.join(self.waiting)} not drawn: give them a place")
        head = [Text((MARGIN + 2, 16.5), title, bold=True, size=5.0)]
        head += [Text((MARGIN + 2, 22 + 4.2 * n), line) for n, line in enumerate(subtitle)]
        foot = [Text((MARGIN + 2, HIGH - MARGIN - 6 + 4.2 * n), line) for n, line in enumerate(FOOT)]
        rule = Stroke(((MARGIN, HIGH - MARGIN - 10), (WIDE - MARGIN, HIGH - MARGIN - 10)))
        return Sheet(title, says, (*head, *self.marks, rule, *foot))

    def words(self, x: float, y: float, *lines: str) -> None:
        """Draw lines of text from a point down."""
        self.marks += [Text(at(x, y + 4.2 * n), line) for n, line in enumerate(lines)]

    def table(self, x: float, y: float, widths: Sequence[float], rows: Sequence[Sequence[str]]) -> float:
        """Draw a table, its first row bold; return the height below it."""
        for n, row in enumerate(rows):
            left = x
            for cell, wide in zip(row, widths, strict=True):
                self.marks.append(Text(at(left + 1, y + 4.6 * n), cell, bold=n == 0))
                left += wide
        self.marks.append(Stroke((at(x, y + 1.2), at(x + sum(widths), y + 1.2))))
        return y + 4.6 * len(rows)

    # -- parts with many legs

    def rest(self, ref: str, drawn: Iterable[int | str | None]) -> list[int]:
        """Return the connected legs of a part that are not in `drawn`."""
        done = {self.circuit.parts[ref].type.number(pin) for pin in drawn if pin is not None}
        return sorted(n for part, n in self.circuit.net_of if part == ref and n not in done)

    def box(
        self,
        ref: str,
        corner: Point,
        wide: float,
        left: Sequence[int | str | None],
        right: Sequence[int | str | None],
        pitch: float,
        title: str = "",
    ) -> list[Place]:
        """Draw a part as a box, its legs at both sides from above, None for a gap; return the
        legs' places.
        """
        self.waiting.remove(ref)
        part = self.circuit.parts[ref]
        high = pitch * max(len(left), len(right)) + (1 if self.real else 2)
        x, y = corner
        outline = (at(x, y), at(x + wide, y), at(x + wide, y + high), at(x, y + high))
        self.marks.append(Stroke(outline, closed=True, board=self.real))
        told = " ".join(filter(None, (ref, title or part.type.name, part.value)))
        named = Text(at(x, y - 1.2), told, bold=True)
        if x + named.wide > WIDE - MARGIN:
            named = Text(at(x + wide, y - 1.2), told, "end", bold=True)
        self.marks.append(Name(ref, part.value, named))
        if self.real:
            self.marks += faces.lying(part.type, corner, wide, high)
        places = []
        for way, pins in ((-1, left), (1, right)):
            edge = x if way < 0 else x + wide
            for n, pin in enumerate(pins):
                if pin is not None:
                    place = at(edge, y + pitch * (n + 0.5) + (0.5 if self.real else 1))
                    places.append(self._leg((ref, part.type.number(pin)), place, way))
        if not self.real:
            rows = {self.circuit.pin(place.terminal).name: place.at[1] for place in places}
            self.marks += faces.within(part.type, corner, wide, rows)
        return places

    def _leg(self, terminal: Terminal, edge: Point, way: int) -> Place:
        """Draw a leg at the edge of a box: its name within; its number within too on a board, otherwise
        outside.
        """
        name = self.circuit.pin(terminal).name
        x, y = edge
        inside = "start" if way < 0 else "end"
        if self.real:
            both = [f"{terminal[1]}", name] if name != f"{terminal[1]}" else [name]
            words = " ".join(both[::-way])
            self.marks.append(Leg(terminal, edge, Text(at(x - way * 1.8, y + MIDDLE), words, inside)))
            self.marks.append(Ring(edge, 0.7))
            if terminal[1] == 1 and len(self.circuit.parts[terminal[0]].type.pins) > 2:
                self.marks.append(faces.first(edge))
            return Place(terminal, edge, way)
        end = at(x + way * STUB, y)
        self.marks.append(Text(at(x - way * 1.5, y + MIDDLE), name, inside))
        number = Text(at(x + way * STUB / 2, y - ABOVE), f"{terminal[1]}", "middle")
        self.marks += [Leg(terminal, end, number), Stroke((edge, end))]
        return Place(terminal, end, way)

    # -- wires

    def join(self, places: Sequence[Place], meeting: Sequence[Place] = (), series: bool = True) -> None:
        """Draw wires outward from legs: through parts in series, to a leg of the same net in
        line, or a name.
        """
        for place in places:
            if series:
                self.lane(place, meeting)
            else:
                self.lane_end(place.at, place.way, place.terminal, 3.0)
        done = {mark.points[-1] for mark in self.marks if isinstance(mark, Wire)}
        for place in meeting:
            if place.at not in done:
                self.lane(place)

    def lane(self, place: Place, meeting: Sequence[Place] = ()) -> None:
        """Draw one wire outward from a leg, to its end."""
        here, came = self.through(place)
        net = self.circuit.net_of.get(came)
        if net is None:
            self.cross(here, place.way)
            return
        for other in meeting:
            if other.at[1] == here[1] and self.circuit.net_of.get(other.terminal) == net:
                middle = (here[0] + other.at[0]) / 2
                named = Text(at(middle, here[1] - ABOVE), net, "middle")
                self.marks += [Wire((here, other.at)), Label(net, here, named)]
                return
        self.end(here, place.way, net, came)

    def through(self, place: Place) -> tuple[Point, Terminal]:
        """Draw outward from a leg through all parts in series; return the point and the terminal of the last
        leg.
        """
        here, way, came = place.at, place.way, place.terminal
        while (net := self.circuit.net_of.get(came)) is not None and (ref := self.in_series(net, came)):
            named = Text(at(here[0] + way * BESIDE, here[1] - ABOVE), net, "start" if way > 0 else "end")
            after = at(here[0] + way * (named.wide + 2 * BESIDE), here[1])
            self.marks += [Wire((here, after)), Label(net, here, named)]
            leg = next(number for part, number in self.circuit.nets[net] if part == ref)
            here, came = self.two_pole(ref, leg, after, way), (ref, 3 - leg)
        return here, came

    def in_series(self, net: str, came: Terminal) -> str | None:
        """Return the undrawn part of two legs that alone shares a net with a leg, unless it only holds that
        net.
        """
        others = self.circuit.nets[net] - {came}
        if len(others) != 1:
            return None
        ((ref, leg),) = others
        if ref not in self.waiting or not symbols.two_legs(self.circuit.parts[ref]):
            return None
        holds = self.circuit.parts[ref].type.name in ("resistor", "capacitor")
        far = self.circuit.net_of.get((ref, 3 - leg), "")
        return None if holds and (rail(self.circuit, net) or rail(self.circuit, far)) else ref

    def end(self, here: Point, way: int, net: str, came: Terminal, short: float = 3.0) -> None:
        """Draw a wire to the name of its net, or to ground."""
        x, y = at(here[0] + way * short, here[1])
        anchor = "start" if way > 0 else "end"
        self.marks.append(Wire((here, (x, y))))
        gap = 1.0
        if net == GROUND:
            self.marks += symbols.ground((x, y), way)
            gap = 2.6
        self.marks.append(Label(net, here, Text(at(x + way * gap, y + MIDDLE), self.name(came), anchor)))

    def name(self, came: Terminal) -> str:
        """Return the text at the end of a leg's wire: its net, and on a wiring drawing the net's
        other ends.
        """
        net = self.circuit.net_of.get(came, "")
        tail = ends(self.circuit, net, self.circuit.nets[net] - {came}) if self.real and net else ""
        return f"{net} · {tail}" if tail else net

    def cross(self, here: Point, way: int) -> None:
        """Draw a cross where nothing is connected, on purpose; a leg of a board shows that by itself."""
        if self.real:
            return
        x, y = here[0] + way * 1.2, here[1]
        for rise in (-0.9, 0.9):
            self.marks.append(Stroke((at(x - 0.9, y - rise), at(x + 0.9, y + rise))))

    # -- parts with two legs

    def two_pole(self, ref: str, leg: int, start: Point, way: int) -> Point:
        """Draw a part level in a wire, entered by one leg; return the point of the other one."""
        self.waiting.remove(ref)
        part = self.circuit.parts[ref]
        told = title(part)
        x, y = start
        if self.real:
            end = at(x + way * symbols.long(Text((0, 0), told).wide), y)
            named = Text(at((x + end[0]) / 2, y + MIDDLE), told, "middle")
            self.marks += symbols.body(part.type.name, *((start, end) if leg == 1 else (end, start)))
        else:
            text = Text((0, 0), told)
            lead = max(0.0, (text.wide + 2 - symbols.LONG) / 2)
            end = at(x + way * (2 * lead + symbols.LONG), y)
            named = Text(at((x + end[0]) / 2, y - 3.5), told, "middle")
            near, far = at(x + way * lead, y), at(end[0] - way * lead, y)
            self.marks += [Stroke((start, near)), Stroke((far, end))]
            self.marks += symbols.symbol(part.type.name, *((near, far) if leg == 1 else (far, near)))
        self.marks.append(Name(ref, part.value, named))
        self._two_legs(ref, leg, start, end)
        return end

    def _two_legs(self, ref: str, leg: int, start: Point, end: Point) -> None:
        even = self.circuit.parts[ref].type.even
        for number, place, other in ((leg, start, end), (3 - leg, end, start)):
            text = None
            if not even:
                across, along = (1.6, 0) if start[0] == end[0] else (0, 1)
                toward = 1 if other[0] > place[0] else -1
                name = self.circuit.pin((ref, number)).name
                down = 2.6 if along else (3.0 if other[1] > place[1] else -0.8)
                spot = at(place[0] + along * toward * 1.2 + across, place[1] + down)
                text = Text(spot, name if not self.real else "", "middle")
            self.marks.append(Leg((ref, number), place, text))

    def columns(self, refs: Sequence[str], x: float, y: float, right: float, high: float = 31.0) -> float:
        """Draw parts of two legs upright, in rows between two edges, each with its nets; return the height
        below.
        """
        left = x
        for ref in [ref for ref in refs if ref in self.waiting]:
            part = self.circuit.parts[ref]
            nets = [self.circuit.net_of.get((ref, number)) for number in (1, 2)]
            top = 2 if nets[0] == GROUND else 1
            words = [Text((0, 0), net or "") for net in nets]
            told = [Text((0, 0), word) for word in (ref, part.value or part.use)]
            half = max([*(word.wide / 2 for word in words), 3.0])
            beside = max([half, *(3.2 + word.wide for word in told)])
            if left + half + beside > right:
                left, y = x, y + high
            self._column(ref, top, at(left + half, y + 8))
            left += half + beside + 3
        return y + high

    def _column(self, ref: str, top: int, start: Point) -> None:
        self.waiting.remove(ref)
        part = self.circuit.parts[ref]
        x, y = start
        end = at(x, y + symbols.LONG)
        self.marks += symbols.symbol(part.type.name, *((start, end) if top == 1 else (end, start)))
        self.marks.append(Name(ref, "", Text(at(x + 3.2, y + 4.2), ref)))
        self.marks.append(Name(ref, part.value, Text(at(x + 3.2, y + 8.2), part.value or part.use)))
        self._two_legs(ref, top, start, end)
        for number, place, way in ((top, start, -1), (3 - top, end, 1)):
            net = self.circuit.net_of.get((ref, number))
            far = at(x, place[1] + way * 3)
            if net is None:
                self.cross(at(x - 1.2, place[1]), 1)
                continue
            self.marks.append(Wire((place, far)))
            below = 4.2 if way > 0 else -ABOVE
            if net == GROUND:
                self.marks += symbols.ground_below(far, way)
                below = 4.8 if way > 0 else -2.5
            self.marks.append(Label(net, far, Text(at(x, far[1] + below), net, "middle")))

    def rows(self, refs: Sequence[str], x: float, y: float, pitch: float = 6.0) -> float:
        """Draw parts of two legs level, one below the other, each with its nets; return the height below.

        `x` is the left edge of the longest name; rows that would leave the page at the right begin further
        left.
        """
        refs = [ref for ref in refs if ref in self.waiting]
        first = {ref: 2 if self.circuit.net_of.get((ref, 1)) == GROUND else 1 for ref in refs}
        longest = max((Text((0, 0), self.name((ref, first[ref]))).wide for ref in refs), default=0)
        for ref in refs:
            after = Text((0, 0), self.name((ref, 3 - first[ref]))).wide + 5
            part = self.circuit.parts[ref]
            long = symbols.long(Text((0, 0), title(part)).wide)
            start = at(min(x + longest + 5, WIDE - MARGIN - after - long), y)
            end = self.two_pole(ref, first[ref], start, 1)
            self.lane_end(start, -1, (ref, first[ref]))
            self.lane_end(end, 1, (ref, 3 - first[ref]))
            y += pitch
        return y

    def lane_end(self, here: Point, way: int, terminal: Terminal, short: float = 2.0) -> None:
        """Draw a wire from a leg straight to its name."""
        net = self.circuit.net_of.get(terminal)
        if net is None:
            self.cross(here, way)
        else:
            self.end(here, way, net, terminal, short)


# -- where wires go, in words


def title(part: Part) -> str:
    """Return the text at a part of two legs."""
    return f"{part.ref} {part.value or part.use or part.type.name}"


def rail(circuit: Circuit, net: str) -> bool:
    """Return whether a net is ground or a supply."""
    return any(circuit.pin(t).kind in RAILS for t in circuit.nets.get(net, ()))


def ends(circuit: Circuit, net: str, others: Collection[Terminal]) -> str:
    """Return the other ends of a net; of a supply with many its source, of ground nothing."""
    if net == GROUND:
        return ""
    if len(others) > MANY and rail(circuit, net):
        kinds = ("buck 3.3 V", "shunt", "Raspberry Pi Pico")
        return told(circuit, [t for t in others if circuit.parts[t[0]].type.name in kinds])
    return told(circuit, others)


def _order(terminal: Terminal) -> tuple[str, int, int]:
    letters, number = split(terminal[0])
    return letters, number, terminal[1]


def split(ref: str) -> tuple[str, int]:
    """Return letters and number of a reference."""
    letters = ref.rstrip("0123456789")
    return letters, int(ref[len(letters) :])


def told(circuit: Circuit, terminals: Iterable[Terminal]) -> str:
    """Return legs in short form: `U11/21/31-1, U13-4/8, R6`; a part without polarity has no numbers."""

    legs: dict[str, list[str]] = {}
    for ref, number in sorted(terminals, key=_order):
        legs.setdefault(ref, []).append("" if circuit.parts[ref].type.even else f"{number}")
    alike: dict[tuple[str, str], list[str]] = {}
    for ref, numbers in legs.items():
        letters, number = split(ref)
        alike.setdefault((letters, "/".join(numbers)), []).append(f"{number}")
    words = (f"{name}{'/'.join(refs)}" + (f"-{of}" if of else "") for (name, of), refs in alike.items())
    return ", ".join(words)
