"""Footprints as values: pads, outline and the room that a part takes. Millimetres, x to the right, y down.

Everything is for through-holes and 2.54 mm, so that anyone who can solder wires can solder it. Sizes are
those that such parts commonly have [check them with the parts in hand].
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class Pad:
    """A plated hole with copper on both sides; the first one of a part is square."""

    number: int
    at: Point
    size: float
    drill: float
    square: bool = False


@dataclass(frozen=True)
class Footprint:
    """The room that a part needs on a board. `room` is closed to other parts; `lines` are printed."""

    name: str
    pads: tuple[Pad, ...]
    room: Box
    lines: tuple[tuple[Point, Point], ...]
    below: bool = False  # the part is on the lower side; its pads are given as seen from above


def turned(at: Point, degrees: float) -> Point:
    """Return a point turned counterclockwise, in the view of the reader."""
    x, y = at
    c, s = round(cos(radians(degrees))), round(sin(radians(degrees)))
    return x * c + y * s, y * c - x * s


def _box(box: Box) -> tuple[tuple[Point, Point], ...]:
    left, top, right, bottom = box
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return tuple(zip(corners, (*corners[1:], corners[0]), strict=True))


def _pads(points: list[Point], size: float, drill: float) -> tuple[Pad, ...]:
    return tuple(Pad(n, at, size, drill, square=n == 1) for n, at in enumerate(points, start=1))


def dip(pins: int) -> Footprint:
    """Return a chip of 7.62 mm, in a socket or not; its notch is between the rows at pin 1."""
    side, last = pins // 2, 2.54 * (pins // 2 - 1)
    points = [(0.0, 2.54 * n) for n in range(side)] + [(7.62, last - 2.54 * n) for n in range(side)]
    outline = (1.27, -1.4, 6.35, last + 1.4)
    _, top, _, bottom = outline
    notch: tuple[tuple[Point, Point], ...] = (((2.81, top), (3.81, top + 1)), ((3.81, top + 1), (4.81, top)))
    room = (-1.1, top - 0.1, 8.72, bottom + 0.1)
    return Footprint(f"DIP-{pins}", _pads(points, 1.6, 0.8), room, (*_box(outline), *notch))


RESISTOR: Final = Footprint(
    "resistor, lying, 10.16",
    tuple(Pad(n, (10.16 * (n - 1), 0), 1.6, 0.8) for n in (1, 2)),
    (-1.05, -1.35, 11.21, 1.35),
    (*_box((1.88, -1.25, 8.28, 1.25)), ((0.95, 0), (1.88, 0)), ((8.28, 0), (9.21, 0))),
)
CAPACITOR: Final = Footprint(
    "capacitor, 5.08",
    tuple(Pad(n, (5.08 * (n - 1), 0), 1.6, 0.8) for n in (1, 2)),
    (-1.05, -1.5, 6.13, 1.5),
    (((0.9, -1.3), (4.18, -1.3)), ((0.9, 1.3), (4.18, 1.3))),
)


CAPACITOR_BELOW: Final = Footprint(
    "capacitor below, 5.08", CAPACITOR.pads, (-1.05, -1.2, 6.13, 1.2), (), below=True
)
POLYFUSE: Final = Footprint(
    "polyfuse, 5.08",
    tuple(Pad(n, (5.08 * (n - 1), 0), 2.0, 1.0) for n in (1, 2)),
    (-3.3, -1.9, 8.4, 1.9),
    _box((-3.1, -1.7, 8.2, 1.7)),
)
ELECTROLYTIC: Final = Footprint(
    "electrolytic, 8 mm",
    (Pad(1, (0, 0), 1.8, 0.9, square=True), Pad(2, (3.81, 0), 1.8, 0.9)),
    (-2.5, -4.4, 6.3, 4.4),
    (*_box((-2.3, -4.2, 6.1, 4.2)), ((-1.9, -2.6), (-0.7, -2.6)), ((-1.3, -3.2), (-1.3, -2.0))),
)
"""8 mm wide; its legs, 3.5 mm apart, are bent a little. The plus is at leg 1."""


def pico() -> Footprint:
    """Return a Raspberry Pi Pico on two strips of 20, its USB socket between pins 1 and 40."""
    last, across = 48.26, 17.78
    points = [(0.0, 2.54 * n) for n in range(20)] + [(across, last - 2.54 * n) for n in range(20)]
    outline = (-1.61, -1.37, across + 1.61, last + 1.37)
    left, top, right, bottom = outline
    usb = (
        ((across / 2 - 4, top), (across / 2 - 4, top + 3)),
        ((across / 2 + 4, top), (across / 2 + 4, top + 3)),
    )
    room = (left - 0.1, top - 1.4, right + 0.1, bottom + 0.1)
    return Footprint("Pico", _pads(points, 1.7, 1.0), room, (*_box(outline), *usb))


def header(pins: int) -> Footprint:
    """Return a row of pins."""
    last = 2.54 * (pins - 1)
    return Footprint(
        f"header 1 × {pins}",
        _pads([(2.54 * n, 0.0) for n in range(pins)], 1.7, 1.0),
        (-1.4, -1.4, last + 1.4, 1.4),
        (*_box((-1.3, -1.3, last + 1.3, 1.3)), ((1.27, -1.3), (1.27, 1.3))),
    )


def box_header(pins: int) -> Footprint:
    """Return two rows in a box with a gap on the side of pin 1, for the plug of a flat cable."""
    last = 2.54 * (pins // 2 - 1)
    points = [(2.54 * side, 2.54 * n) for n in range(pins // 2) for side in (0, 1)]
    left, top, right, bottom = outline = (-3.28, -5.1, 5.82, last + 5.1)
    middle = last / 2
    gap: tuple[tuple[Point, Point], ...] = tuple(
        ((left, middle + at), (left + 1.2, middle + at)) for at in (-2.25, 2.25)
    )
    room = (left - 0.15, top - 0.15, right + 0.15, bottom + 0.15)
    return Footprint(f"box header 2 × {pins // 2}", _pads(points, 1.6, 1.0), room, (*_box(outline), *gap))


TERMINAL: Final = Footprint(
    "screw terminal, 5.08",
    _pads([(0.0, 0.0), (5.08, 0.0)], 2.6, 1.3),
    (-2.8, -5.3, 7.88, 5.3),
    (*_box((-2.54, -5.1, 7.62, 5.1)), ((-2.54, 3.1), (7.62, 3.1))),
)
FOR: Final[dict[str, Footprint]] = {
    "74HC138": dip(16),
    "74HC251": dip(16),
    "74HC244": dip(20),
    "resistor": RESISTOR,
    "capacitor": CAPACITOR,
    "Raspberry Pi Pico": pico(),
    "polyfuse": POLYFUSE,
    "electrolytic": ELECTROLYTIC,
    "header 1 × 2": header(2),
    "header 1 × 8": header(8),
    "box header 2 × 5": box_header(10),
    "box header 2 × 8": box_header(16),
    "screw terminal 2": TERMINAL,
}
"""By type of part."""
