"""The board of the Pico: its supply, the master decoder, and a plug for each of three groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hardware.board.footprints import Point
from hardware.board.placement import (
    GRID,
    GROUND,
    RAIL,
    SIGNAL,
    SMALL,
    SMALLEST,
    SUPPLY,
    Design,
    Hand,
    Place,
    Text,
)
from hardware.parts import BUS
from hardware.tiers import GROUPS_A_BUCK, pico_board

SIZE: Final = (100.0, 85.09)
HOLES: Final[tuple[Point, ...]] = ((3.8, 3.8), (96.2, 3.8), (3.8, 63.5), (96.2, 63.5))

PICO: Final = (5.08, 27.94)  # pin 1; its USB socket is at the left edge
DECODER: Final = (60.96, 27.94)
RESISTORS, GROUP_RESISTORS = 36.83, 52.07  # upper ends
APART: Final = 7 * GRID
FIRST: Final = 9 * GRID
PLUGS: Final = {group: 12.7 + 45 * GRID * group for group in range(GROUPS_A_BUCK)}
PLUG_ROW: Final = 80.645  # of pin 1
EVEN_ROW: Final = PLUG_ROW - 2.54
TERMINALS: Final = {"J11": 20.32, "J12": 31.75, "J13": 43.18, "J14": 54.61}
EDGE: Final = 93.98  # of the terminals' pins

ROW: Final = tuple(f"R{n}" for n in (1, 2, 3, 6, 7, 8, 9, 10, 11, 16, 14, 12, 13, 15, 17, 18, 19))
"""The resistors from the left; leg 1 of each is above."""


def _resistor(column: int, top: float) -> Place:
    at = (round(FIRST + APART * column, 4), top)
    return Place(at, 270, (2.0, 5.08), (0.0, 5.08), True)


def _of_groups() -> Iterator[tuple[str, Place]]:
    """Yield plug and resistors of each group."""
    for group, x in PLUGS.items():
        yield f"J{100 * group + 110}", Place((x, PLUG_ROW), 90, (8.89, 2.15))
        for n, ref in enumerate((f"R{100 * group + 108}", f"R{100 * group + 109}")):
            at = (round(x + APART * n, 4), GROUP_RESISTORS)
            yield ref, Place(at, 270, (2.0, 5.08), (0.0, 5.08), True)


PLACES: Final[dict[str, Place]] = {
    "A1": Place(PICO, 90, (24.13, -9.9), (24.13, -7.9)),
    "U1": Place(DECODER, 90, (8.89, -4.75), (8.89, -2.85)),
    "C10": Place((60.96, 15.24), 0, (2.54, 0)),
    "F1": Place((82.55, 20.32), 270, (0, 2.54), upright=True),
    "C1": Place((83.82, 58.42), 180, (-1.9, 2.6)),
    **{ref: _resistor(column, RESISTORS) for column, ref in enumerate(ROW)},
    **dict(_of_groups()),
    **{ref: Place((EDGE, y), 90, (-3.6, -2.54), upright=True) for ref, y in TERMINALS.items()},
    "J15": Place((82.55, 66.04), 0, (1.27, -2.1)),
}

WIDE, SIDE, ALONG, LEFT = 1.5, 88.265, 32.385, 58.42
_DIVIDER: Final = PLACES["R17"].at
HAND: Final[tuple[Hand, ...]] = (
    ("5V PLUG", "B.Cu", WIDE, ((EDGE, TERMINALS["J11"]), PLACES["F1"].at)),
    ("5V", "B.Cu", WIDE, ((82.55, 25.4), (82.55, TERMINALS["J12"]), (EDGE, TERMINALS["J12"]))),
    (
        RAIL,
        "B.Cu",
        WIDE,
        ((EDGE, TERMINALS["J13"]), (SIDE, TERMINALS["J13"]), (SIDE, 58.42), PLACES["C1"].at),
    ),
    (RAIL, "B.Cu", WIDE, ((SIDE, TERMINALS["J14"]), (EDGE, TERMINALS["J14"]))),
    (
        RAIL,
        "B.Cu",
        SUPPLY,
        (
            (SIDE, TERMINALS["J13"]),
            (78.74, TERMINALS["J13"]),
            (78.74, ALONG),
            (LEFT, ALONG),
            (LEFT, 15.24),
            (60.96, 15.24),
        ),
    ),
    (RAIL, "B.Cu", SUPPLY, ((LEFT, 20.32), (60.96, 20.32))),
    (RAIL, "B.Cu", SUPPLY, ((_DIVIDER[0], ALONG), _DIVIDER)),
    *((GROUND, "F.Cu", SIGNAL, ((x, EVEN_ROW), (x + 17.78, EVEN_ROW))) for x in PLUGS.values()),
    (GROUND, "F.Cu", SIGNAL, ((66.04, 15.24), (80.645, 15.24), (80.645, 27.94), (78.74, 27.94))),
)
"""5 V from its terminal through the fuse to the buck; 3.3 V from the buck to the ring, and along to the
decoder and the divider; GND along the plugs and to the decoder's capacitor. The rest is poured."""


def _texts() -> Iterator[Text]:
    """Yield the printed texts in addition to the names of the parts."""
    for group, x in PLUGS.items():
        yield f"GROUP {group}", (x + 8.89, PLUG_ROW - 10.4), 0, 1.2, "F.SilkS"
        for n, name in enumerate(BUS):
            at = (x + 2.54 * n, PLUG_ROW - 7.7)
            yield name.replace("NRST", "RST"), at, 90, SMALLEST, "F.SilkS"
    labels = {
        "J11": ("5V IN", "+"),
        "J12": ("BUCK IN", "+"),
        "J13": ("BUCK OUT", "3.3V"),
        "J14": ("RING", "3.3V"),
    }
    for ref, (what, plus) in labels.items():
        y = TERMINALS[ref]
        yield what, (85.9, y - 2.54), 90, SMALL, "F.SilkS"
        yield plus, (87.6, y), 90, SMALLEST, "F.SilkS"
        yield "GND", (87.6, y - 5.08), 90, SMALLEST, "F.SilkS"
    yield "MONITOR", (83.82, 68.4), 0, SMALL, "F.SilkS"
    yield "USB", (8.2, 19.05), 90, 1.2, "F.SilkS"
    x, y = PICO
    yield "1", (x, y - 2.0), 0, SMALL, "F.SilkS"
    x, y = DECODER
    yield "1", (x, y + 1.6), 0, SMALL, "F.SilkS"
    yield "RACE COMPANION, PICO", (29.2, 6.0), 0, 1.2, "F.SilkS"
    yield "5 V, NEVER ON VBUS", (29.2, 3.6), 0, 1.2, "F.SilkS"
    yield "RACE COMPANION, PICO: SOLDER SIDE", (50, 49), 0, 1.2, "B.SilkS"


DESIGN: Final = Design("pico", "the Pico", pico_board, SIZE, PLACES, HAND, tuple(_texts()), HOLES)
