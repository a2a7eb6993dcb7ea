"""The board of a group of eight readers: places, printed texts, and the tracks of the supply."""

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
from hardware.tiers import GROUP, group_board

SIZE: Final = (100.0, 65.0)
HOLES: Final[tuple[Point, ...]] = ((3.8, 3.8), (96.2, 3.8), (3.8, 61.2), (96.2, 61.2))

ACROSS: Final = 4  # readers
TOP, BOTTOM = 6.35, 58.42  # the inner row of the readers' plugs: that of pin 1
INNER: Final = {TOP: (11.43, 21.59), BOTTOM: (53.34, 43.18)}  # of their resistors: outer and inner end
PITCH: Final = 34 * GRID
FIRST: Final = 14 * GRID
PLUG: Final = 6 * GRID  # from there to the first column of its plug
LONG: Final = 10.16  # of a plug, from its first column to its last
APART: Final = 7 * GRID  # of a reader's resistors
NUMBER_AT: Final = (19.9, 5.6)  # of a reader


def _left(n: int) -> float:
    """Return where a reader's parts begin: 0 to 3 along the upper edge, 4 to 7 back along the lower one."""
    return FIRST + PITCH * (n if n < ACROSS else 2 * ACROSS - 1 - n)


def _at_reader(n: int) -> dict[str, Place]:
    """Return plug and resistors of a reader; those of the lower edge are the upper ones turned round."""
    x, y = _left(n), TOP if n < ACROSS else BOTTOM
    outer, inner = INNER[y]
    upper = y == TOP
    down = 1 if upper else -1
    turn = 90 if upper else 270
    plug = x + PLUG + (0 if upper else LONG)
    columns = [x + 6 * GRID + APART * place for place in ((0, 1, 2) if upper else (2, 1, 0))]
    series = (2.0, -5.08 * down), (0.0, -5.08 * down), True
    to_ground = (2.0, 5.08 * down), (0.0, 5.08 * down), True
    return {
        f"J{100 + n}": Place((plug, y), turn, (5.08 * down, 2.15 * down)),
        f"R{1000 + n}": Place((columns[0], inner), turn, *series),
        f"R{1100 + n}": Place((columns[1], inner), turn, *series),
        f"R{100 + n}": Place((columns[2], outer), turn + 180, *to_ground),
    }


CHIPS: Final = {"1": 15.24, "2": 38.1, "3": 60.96}
LOWER_ROW, CAPACITORS = 36.195, 24.765

PLACES: Final[dict[str, Place]] = {
    **{ref: place for n in range(2 * ACROSS) for ref, place in _at_reader(n).items()},
    **{f"U1{n}": Place((x, LOWER_ROW), 90, (8.89, -4.75), (8.89, -2.85)) for n, x in CHIPS.items()},
    **{f"C1{n}": Place((x, CAPACITORS), 0, (2.54, 0)) for n, x in CHIPS.items()},
    "R110": Place((45.72, 40.64), 0, (5.08, 0)),
    "J108": Place((5.08, 22.86), 0, (3.6, -6.3)),
    "J109": Place((93.98, 34.925), 90, (0, 5.6)),
}

WIDE, SIDE = 1.5, 89.535
UPPER, LOWER, ALONG, UNDER = TOP + 2.54, BOTTOM - 2.54, 26.67, 32.385
UPPER_ROW: Final = LOWER_ROW - 7.62
_UPPER_PLUGS: Final = tuple(_left(n) + PLUG + LONG for n in range(ACROSS))
_LOWER_PLUGS: Final = tuple(_left(n) + PLUG for n in range(2 * ACROSS - 1, ACROSS - 1, -1))
_GROUNDS: Final = {
    x: x + 2.54 * (pins // 2 - 1) for x, pins in zip(CHIPS.values(), (16, 16, 20), strict=True)
}


def _grounds_of_plugs() -> Iterator[Hand]:
    """Yield the tracks around pin 8 of each reader's plug, from GND to GND: the reset runs past there."""
    for n in range(2 * ACROSS):
        x, y = PLACES[f"J{100 + n}"].at
        way = 1 if n < ACROSS else -1
        one, other = x + 5.08 * way, x + 10.16 * way
        row, outside = y - 2.54 * way, y - 4.445 * way
        yield GROUND, "F.Cu", SIGNAL, ((one, row), (one, outside), (other, outside), (other, row))


HAND: Final[tuple[Hand, ...]] = (
    (RAIL, "B.Cu", WIDE, ((_UPPER_PLUGS[0], UPPER), (SIDE, UPPER), (SIDE, LOWER), (_LOWER_PLUGS[0], LOWER))),
    (RAIL, "B.Cu", WIDE, ((_UPPER_PLUGS[-1], UPPER), (SIDE, UPPER))),
    (RAIL, "B.Cu", WIDE, ((_LOWER_PLUGS[-1], LOWER), (SIDE, LOWER))),
    (RAIL, "B.Cu", WIDE, ((SIDE, 34.925), (93.98, 34.925))),
    *((RAIL, "B.Cu", WIDE, ((x, TOP), (x, UPPER))) for x in _UPPER_PLUGS),
    *((RAIL, "B.Cu", WIDE, ((x, BOTTOM), (x, LOWER))) for x in _LOWER_PLUGS),
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
    *_grounds_of_plugs(),
    (GROUND, "F.Cu", SIGNAL, ((21.59, INNER[TOP][1]), (21.59, 23.495), (20.32, CAPACITORS))),
    (GROUND, "F.Cu", SIGNAL, ((43.18, INNER[TOP][1]), (43.18, CAPACITORS))),
    (GROUND, "F.Cu", SIGNAL, ((64.77, INNER[TOP][1]), (64.77, 23.495), (66.04, CAPACITORS))),
    (GROUND, "F.Cu", SIGNAL, ((63.5, UPPER_ROW), (63.5, UNDER), (67.31, UNDER))),
)
"""The 3.3 V from the terminal around the board to the plugs, and along the chips to G1 of the decoder; each
capacitor's way to the GND of its chip, and GND where what is poured does not reach."""


def _texts() -> Iterator[Text]:
    """Yield the printed texts in addition to the names of the parts."""
    for n in range(GROUP):
        x, (y, down) = _left(n), (TOP, 1) if n < ACROSS else (BOTTOM, -1)
        yield "READER", (x + NUMBER_AT[0], y + NUMBER_AT[1] * down), 0, SMALL, "F.SilkS"
        yield str(n), (x + NUMBER_AT[0], y + (NUMBER_AT[1] + 2.7) * down), 0, 2.6, "F.SilkS"
    x, y = PLACES["J108"].at
    for n, name in enumerate(BUS):
        yield name.replace("NRST", "RST"), (x + 7.35, y + 2.54 * n + 0.25), 0, SMALLEST, "F.SilkS"
    yield "EVEN PINS GND", (x + 1.27, y + 24.2), 0, SMALLEST, "F.SilkS"
    yield "1", (x, y - 6.3), 0, SMALL, "F.SilkS"
    yield "BUS", (x + 1.27, y - 8), 0, 1.2, "F.SilkS"
    x, y = PLACES["J109"].at
    yield "3.3V", (x, y + 3.8), 0, 1.2, "F.SilkS"
    yield "GND", (x, y - 8.9), 0, 1.2, "F.SilkS"
    for chip in ("U11", "U12", "U13"):
        x, y = PLACES[chip].at
        yield "1", (x, y + 1.6), 0, SMALL, "F.SilkS"
    yield "GROUP  0  1  2  3  4", (26.8, 38.7), 0, SMALL, "F.SilkS"
    yield "8 READERS", (51, 38.5), 0, SMALL, "F.SilkS"
    yield "3.3 V, NEVER 5 V", (74.5, 39.1), 0, 1.2, "F.SilkS"
    yield "RACE COMPANION, 8 READERS: SOLDER SIDE", (50, 38.9), 0, 1.2, "B.SilkS"


DESIGN: Final = Design(
    "group", "a group of eight readers", group_board, SIZE, PLACES, HAND, tuple(_texts()), HOLES
)
