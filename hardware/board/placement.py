"""What every board has: its rules, the place of each part, and the tracks that are laid by hand.

Millimetres from the board's upper left corner; parts are on `GRID`, on which the router works.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from hardware.board.footprints import FOR, Box, Footprint, Pad, Point, turned
from hardware.circuit import Circuit, Part

GRID: Final = 0.635
HOLE: Final = 3.2  # for M3
HEAD: Final = 6.4  # of its screw: no copper there

SIGNAL, SUPPLY = 0.35, 1.0  # widths of tracks
VIA, VIA_DRILL = 0.9, 0.4
CLEARANCE: Final = 0.25
RULES: Final = {
    "track": 0.2,
    "clearance": 0.2,
    "drill": 0.3,
    "ring": 0.15,
    "edge": 0.3,
    "hole to hole": 0.25,
    "hole to copper": 0.25,
}
"""The published minimum capabilities of cheap makers, in mm [compare with your maker's page]."""

GROUND, RAIL = "GND", "3V3 TRACK 1"
THICK: Final = 0.15  # lines and strokes that are printed
SMALLEST, SMALL = 0.8, 1.0  # heights of letters


@dataclass(frozen=True)
class Place:
    """The place of a part's pin 1, its counterclockwise turn, and the places of its printed name
    and value.

    Both of these are from pin 1, on the unturned board; `upright` texts are read from the right. A value
    without a place is not printed.
    """

    at: Point
    turn: int
    name_at: Point
    value_at: Point | None = None
    upright: bool = False


@dataclass(frozen=True)
class PadAt:
    """A pad on the board, and its net."""

    ref: str
    pad: Pad
    at: Point
    net: str | None


Text = tuple[str, Point, int, float, str]  # text, its middle, its turn in degrees, its height, layer
Hand = tuple[str, str, float, tuple[Point, ...]]  # net, layer, width, points


@dataclass(frozen=True)
class Design:
    """A board: its circuit, its size, the place of each part, what is printed, the tracks laid by hand.

    `hand` has the tracks of the supplies: the router leads none of their nets. GND is poured.
    """

    name: str  # of its files
    title: str
    make: Callable[[], Circuit]
    size: Point
    places: Mapping[str, Place]
    hand: tuple[Hand, ...]
    texts: tuple[Text, ...]
    holes: tuple[Point, ...] = ()
    footprints: Mapping[str, Footprint] = field(default_factory=dict)

    @cached_property
    def circuit(self) -> Circuit:
        """The circuit on the board."""
        return self.make()

    @property
    def by_hand(self) -> frozenset[str]:
        """The nets that need no way."""
        return frozenset({GROUND, *(net for net, *_ in self.hand)})

    def footprint(self, part: Part) -> Footprint:
        """Return the footprint of a part; KeyError if it has none."""
        return self.footprints.get(part.ref) or FOR[part.type.name]

    def pads(self) -> list[PadAt]:
        """Return all pads of the circuit's parts; KeyError for a part without a place."""
        found = []
        for part in self.circuit.parts.values():
            place = self.places[part.ref]
            for pad in self.footprint(part).pads:
                dx, dy = turned(pad.at, place.turn)
                at = (round(place.at[0] + dx, 4), round(place.at[1] + dy, 4))
                found.append(PadAt(part.ref, pad, at, self.circuit.net_of.get((part.ref, pad.number))))
        return found

    def body(self, ref: str) -> Box:
        """Return the box around a part: its pads and its printed lines."""
        place, shape = self.places[ref], self.footprint(self.circuit.parts[ref])
        points = [point for line in shape.lines for point in line]
        for pad in shape.pads:
            half = pad.size / 2
            points += [(pad.at[0] - half, pad.at[1] - half), (pad.at[0] + half, pad.at[1] + half)]
        there = [turned(point, place.turn) for point in points]
        xs, ys = [place.at[0] + x for x, _ in there], [place.at[1] + y for _, y in there]
        return min(xs), min(ys), max(xs), max(ys)

    def name_box(self, ref: str) -> Box:
        """Return the box around a part's printed name, in the strokes of KiCad's own letters.

        A letter is nine tenths as wide as high [assumed].
        """
        place = self.places[ref]
        x, y = place.at[0] + place.name_at[0], place.at[1] + place.name_at[1]
        along, across = 0.45 * SMALL * len(ref) + THICK / 2, SMALL / 2 + THICK / 2
        wide, high = (across, along) if place.upright else (along, across)
        return x - wide, y - high, x + wide, y + high
