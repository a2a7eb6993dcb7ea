"""The place of each part, the printed texts next to it, and the tracks of the supply, which are
laid by hand.

Millimetres from the board's upper left corner; parts are on `GRID`, on which the router works.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hardware.board.footprints import FOR, Footprint, Pad, Point, turned
from hardware.circuit import Circuit, Part

SIZE: Final = (100.0, 60.0)
GRID: Final = 0.635
HOLES: Final[tuple[Point, ...]] = ((3.8, 3.8), (96.2, 3.8), (3.8, 56.2), (96.2, 56.2))
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

READERS_ACROSS: Final = 4
TOP, BOTTOM = 3.81, 56.515  # rows of the readers' plugs
INNER: Final = {TOP: (9.525, 19.685), BOTTOM: (50.8, 40.64)}  # of their resistors: outer and inner end
PITCH: Final = 34 * GRID
FIRST: Final = 14 * GRID
APART: Final = 7 * GRID  # of a reader's resistors


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


def _at_reader(n: int) -> dict[str, Place]:
    """Return plug and resistors of a reader: 0 to 3 along the upper edge, 4 to 7 back along the lower one."""
    x = FIRST + PITCH * (n if n < READERS_ACROSS else 2 * READERS_ACROSS - 1 - n)
    y = TOP if n < READERS_ACROSS else BOTTOM
    outer, inner = INNER[y]
    down = 1 if y == TOP else -1
    turn = 90 if y == TOP else 270
    series = (APART / 2, -5.08 * down), (0.0, -5.08 * down), True
    to_ground = (APART / 2, 5.08 * down), (0.0, 5.08 * down), True
    return {
        f"J{100 + n}": Place((x, y), 0, (8.89, -2.2 * down)),
        f"R{1000 + n}": Place((x + 3.81, inner), turn, *series),
        f"R{1100 + n}": Place((x + 3.81 + APART, inner), turn, *series),
        f"R{100 + n}": Place((x + 3.81 + 2 * APART, outer), turn + 180, *to_ground),
    }


CHIPS: Final = {"1": 15.24, "2": 38.1, "3": 60.96}
LOWER_ROW, CAPACITORS = 34.29, 22.86

PLACES: Final[dict[str, Place]] = {
    **{ref: place for n in range(2 * READERS_ACROSS) for ref, place in _at_reader(n).items()},
    **{f"U1{n}": Place((x, LOWER_ROW), 90, (8.89, -4.75), (8.89, -2.85)) for n, x in CHIPS.items()},
    **{f"C1{n}": Place((x, CAPACITORS), 0, (2.54, 0)) for n, x in CHIPS.items()},
    "R106": Place((43.18, 50.8), 90, (APART / 2, -10.9), (0.0, -5.08), True),  # its name: R110 is next to it
    "R110": Place((46.99, 50.165), 90, (0.0, -5.08), upright=True),
    "J108": Place((5.08, 20.955), 0, (3.6, -6.3)),
    "J109": Place((93.98, 33.02), 90, (0, 5.6)),
}

GROUND, RAIL = "GND", "3V3 TRACK 1"
WIDE, SIDE = 1.5, 89.535
UPPER, LOWER, ALONG, UNDER = 6.35, 53.975, 24.765, 30.48
UPPER_ROW: Final = LOWER_ROW - 7.62
_PLUGS: Final = tuple(FIRST + 17.78 + PITCH * n for n in range(READERS_ACROSS))
_GROUNDS: Final = {
    x: x + 2.54 * (pins // 2 - 1) for x, pins in zip(CHIPS.values(), (16, 16, 20), strict=True)
}
HAND: Final[tuple[tuple[str, str, float, tuple[Point, ...]], ...]] = (
    (RAIL, "B.Cu", WIDE, ((_PLUGS[0], UPPER), (SIDE, UPPER), (SIDE, LOWER), (_PLUGS[0], LOWER))),
    (RAIL, "B.Cu", WIDE, ((_PLUGS[-1], UPPER), (SIDE, UPPER))),
    (RAIL, "B.Cu", WIDE, ((_PLUGS[-1], LOWER), (SIDE, LOWER))),
    (RAIL, "B.Cu", WIDE, ((SIDE, 33.02), (93.98, 33.02))),
    *((RAIL, "B.Cu", WIDE, ((x, TOP), (x, UPPER))) for x in _PLUGS),
    *((RAIL, "B.Cu", WIDE, ((x, BOTTOM), (x, LOWER))) for x in _PLUGS),
    (RAIL, "B.Cu", SUPPLY, ((SIDE, ALONG), (CHIPS["1"], ALONG))),
    *((RAIL, "B.Cu", SUPPLY, ((x, CAPACITORS), (x, UPPER_ROW))) for x in CHIPS.values()),
    (RAIL, "B.Cu", SUPPLY, ((15.24, UPPER_ROW), (15.24, UNDER), (27.94, UNDER), (27.94, LOWER_ROW))),
    *(
        (
            GROUND,
            "F.Cu",
            SIGNAL,
            (
                (x + 5.08, CAPACITORS),
                (x + 6.35, CAPACITORS + 1.27),
                (x + 6.35, UNDER),
                (end, UNDER),
                (end, LOWER_ROW),
            ),
        )
        for x, end in _GROUNDS.items()
    ),
)
"""Net, layer, width, points. The 3.3 V from the terminal around the board to the plugs, and along the chips
to G1 of the decoder; each capacitor's way to the GND of its chip. The rest of the ground is poured."""


@dataclass(frozen=True)
class PadAt:
    """A pad on the board, and its net."""

    ref: str
    pad: Pad
    at: Point
    net: str | None


def footprint(part: Part) -> Footprint:
    """Return the footprint of a part; KeyError if it has none."""
    return FOR[part.type.name]


def pads(circuit: Circuit) -> list[PadAt]:
    """Return all pads of a circuit's parts; KeyError for a part without a place."""
    found = []
    for part in circuit.parts.values():
        place = PLACES[part.ref]
        for pad in footprint(part).pads:
            dx, dy = turned(pad.at, place.turn)
            at = (round(place.at[0] + dx, 4), round(place.at[1] + dy, 4))
            found.append(PadAt(part.ref, pad, at, circuit.net_of.get((part.ref, pad.number))))
    return found
