"""The faults that can be made on the virtual table, and their places. Made in pad and Pico, described here
once.
"""

from __future__ import annotations

from typing import Final, TypedDict

MOMENTS: Final = frozenset(("brown-out", "torn-tag", "traceback", "reboot", "hang"))
"""Faults that happen once, at once; nothing stays broken."""

SPI_PAD: Final = (
    "dead-miso",  # the wire MISO is off: 0x00
    "mute-radio",  # the antenna wire is broken
    "counterfeit-version",  # another chip than its print says
    "flicker",  # a tag at the edge of range: three reads of ten fail
    "stuck",  # silent until its reset pin is pulled
    "brown-out",  # the supply dips: every register is as after a reset
    "torn-tag",  # the tag leaves in the middle of its answer
)
USB_PAD: Final = (
    "pulled-cable",
    "taken",  # another program has it for itself
    "torn-tag",  # the next tag leaves while it is typed
)
PCSC_PAD: Final = (
    "pulled-cable",
    "no-service",  # pcscd has stopped
    "taken",
    "mute-radio",  # the card does not identify itself
    "torn-tag",  # the next tag leaves while it is asked
)
PADS: Final = {"spi": SPI_PAD, "usb": USB_PAD, "pcsc": PCSC_PAD}
WIRE: Final = (
    "pulled-cable",
    "garbage",  # noise before every line, every third line hurt
    "traceback",  # MicroPython's own words between two lines
    "reboot",  # the Pico restarts, its port stays
    "hang",  # the firmware stops, the watchdog restarts it
)
READERS: Final = (
    "dead-miso",  # the common line
    "no-power",
    "short-circuit",  # 0.9 A more than there should be
)
READER: Final = (
    "dead-reader",
    "dead-group",  # its group's enable wire or supply
    "ghost-tag",  # a tag of no set
    "flicker",
    "stuck",
    "brown-out",
    "torn-tag",
    "double-read",  # tags here are read next door too, at full power
    "held-miso",  # the chip never lets its MISO go
    "no-field",  # the antenna draws nothing and reads nothing
    "weak-supply",  # its field's current is too much for its wires: a brown-out each time
    "bad-memory",  # the FIFO gives back other bytes than were written
    "counterfeit-version",
)
SWITCHES: Final = ("cut-row",)  # the data line of the 74HC165s
SWITCH: Final = (
    "dead-switch",  # never closes
    "stuck-switch",  # never opens
)


class Fault(TypedDict):
    """One fault that can be made: its kind, its place, and whether it is on."""

    kind: str
    at: str
    on: bool


def places(kind: str, spaces: int, pad: str = "spi") -> list[tuple[str, str]]:
    """Return every fault that a table with so many spaces of a kind and such a pad can have, with
    its place.

    >>> places("present", 1)[-3:]
    [('cut-row', 'track'), ('dead-switch', 'track/0'), ('stuck-switch', 'track/0')]
    """
    found = [(fault, "pad") for fault in PADS[pad]]
    if spaces:
        whole, each = (SWITCHES, SWITCH) if kind == "present" else (READERS, READER)
        found += [(fault, "track") for fault in (*WIRE, *whole)]
        found += [(fault, f"track/{space}") for fault in each for space in range(spaces)]
    return found
