"""The carrier of a reader: it is soldered to the reader's pins, and gives it one plug that goes in one way.

It stands upright under the tile, at the end of the reader with the pins; its upper side, with the plug, looks
to the infield, its capacitors are on the other one. Seen from the infield, with the reader's parts below, the
pins of most boards go from SDA at the left to 3.3 V at the right [check]: for the others there is a mirrored
carrier.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hardware.board.footprints import CAPACITOR_BELOW
from hardware.board.placement import RAIL, SMALLEST, SUPPLY, Design, Hand, Place, Text
from hardware.parts import READER_PLUG
from hardware.tiers import reader_board

SIZE: Final = (25.4, 13.6)
PINS, UPPER, LOWER = 2.54, 7.62, 10.16  # rows: of the reader's pins, of the plug
FIRST, LAST = 3.81, 21.59  # of the reader's pins
PLUG_FIRST, PLUG_LAST = 7.62, 17.78
CAPACITORS, UNDER = 11.43, 12.2


def _places(mirrored: bool) -> dict[str, Place]:
    """Return where the parts are: in both, the plug's pins 1 and 9 are below the reader's SDA and 3.3 V."""
    if mirrored:
        pins = Place((LAST, PINS), 180, (2.61, 0.4), upright=True)
        plug = Place((PLUG_LAST, UPPER), 270, (2.9, 1.27), upright=True)
    else:
        pins = Place((FIRST, PINS), 0, (20.39, 0.4), upright=True)
        plug = Place((PLUG_FIRST, LOWER), 90, (-2.9, -1.27), upright=True)
    return {
        "J1100": pins,
        "J1000": plug,
        "C1000": Place((1.27, CAPACITORS), 90, (2.3, -2.54), upright=True),
        "C1100": Place((24.13, CAPACITORS), 90, (-2.3, -2.54), upright=True),
    }


def _hand(mirrored: bool) -> Iterator[Hand]:
    pin, plug, plug_row = (FIRST, PLUG_FIRST, UPPER) if mirrored else (LAST, PLUG_LAST, LOWER)
    yield RAIL, "B.Cu", SUPPLY, ((pin, PINS), (pin, UNDER))
    yield RAIL, "B.Cu", SUPPLY, ((1.27, CAPACITORS), (1.27, UNDER), (24.13, UNDER), (24.13, CAPACITORS))
    yield RAIL, "B.Cu", SUPPLY, ((plug, plug_row), (pin, plug_row))


def _texts(mirrored: bool) -> Iterator[Text]:
    for pin in READER_PLUG.pins:
        x = LAST - 2.54 * (pin.number - 1) if mirrored else FIRST + 2.54 * (pin.number - 1)
        name = pin.name.replace("3.3V", "3V3")
        yield name, (x, 5.1), 90, SMALLEST, "B.SilkS"
        if pin.number in (1, len(READER_PLUG.pins)):
            yield name, (x, 5.6), 0, SMALLEST, "F.SilkS"


def design(mirrored: bool = False) -> Design:
    """Return the carrier, or the mirrored one."""
    return Design(
        "reader-mirrored" if mirrored else "reader",
        "a reader whose pins begin at the right" if mirrored else "a reader",
        reader_board,
        SIZE,
        _places(mirrored),
        tuple(_hand(mirrored)),
        tuple(_texts(mirrored)),
        footprints={"C1000": CAPACITOR_BELOW, "C1100": CAPACITOR_BELOW},
    )


DESIGN: Final = design()
MIRRORED: Final = design(mirrored=True)
