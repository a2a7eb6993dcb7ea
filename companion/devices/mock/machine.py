"""MicroPython's module `machine` for the modelled Pico: its pins drive a model of the track's wiring.

The child process (pico.py) puts this module in the place of the real one.
"""

from __future__ import annotations

from companion.devices.mock.rc522 import Chip, Clock

ACCESS_US = 30.0  # one register access: select, MicroPython call, deselect; assumed, no Pico was measured
SILENT, NO_GROUP = 0x00, 0xFF  # pull-down at every multiplexer input, pull-up on the common MISO
SUPPLY = 32768  # what the ADC reads of 3.3 V halved


class Track:
    """The wiring behind the Pico's pins: `readers` chips in groups of 8, one-hot by decoders.

    `wrong` collects what would harm or confuse real readers, `on_at_once` which fields were on together.
    """

    def __init__(self, readers: int) -> None:
        self.clock = Clock()
        self.chips = [Chip(self.clock) for _ in range(readers)]
        self.level: dict[int, int] = {}
        self.wrong: list[str] = []
        self.power = True
        self.dead_miso = False
        self.on_at_once: set[tuple[int, ...]] = set()

    def wire(self, address: tuple[int, ...], strobe: int, reset: int, group: int) -> None:
        """Say which pins (GP numbers) do what."""
        self.address, self.strobe, self.reset, self.group = address, strobe, reset, group

    def drive(self, pin: int, level: int) -> None:
        """A pin of the Pico changes its level."""
        if self.level.get(pin) == level:
            return
        self.level[pin] = level
        if pin in self.address and self.level.get(self.strobe):
            self.wrong.append("the address changed while a reader was selected")
        if pin == self.reset:
            for chip in self.chips:
                chip.hold_in_reset(not level)

    def switch_power(self, on: bool) -> None:
        """The track's own supply comes or goes; the readers forget everything."""
        self.power = on
        for chip in self.chips:
            chip.hold_in_reset(True)
            chip.hold_in_reset(not self.level.get(self.reset))

    def transfer(self, out: bytes, hz: int) -> bytes:
        """What the common MISO line says to `out`."""
        if not self.level.get(self.strobe):
            self.wrong.append("a transfer with no reader selected")
            return bytes([NO_GROUP] * len(out))
        n = sum(self.level.get(pin, 0) << bit for bit, pin in enumerate(self.address))
        if not self.power or n // self.group > (len(self.chips) - 1) // self.group:
            self.clock.advance(ACCESS_US + len(out) * 8e6 / hz)
            return bytes([NO_GROUP] * len(out))
        if n >= len(self.chips):
            self.clock.advance(ACCESS_US + len(out) * 8e6 / hz)
            return bytes([SILENT] * len(out))
        answer = self.chips[n].transfer(out, hz, ACCESS_US)
        if out[0] == TX_CONTROL:
            self.on_at_once.add(tuple(i for i, chip in enumerate(self.chips) if chip.field_on))
        return bytes([SILENT] * len(out)) if self.dead_miso else answer


TX_CONTROL = 0x14 << 1
track = Track(0)


def be(it: Track) -> None:
    """This module's pins are those of `it`."""
    global track
    track = it


class Pin:
    """A pin, by GP number."""

    IN, OUT = 0, 1

    def __init__(self, number: int, mode: int = -1, value: int | None = None) -> None:
        self.number = number
        if value is not None:
            self.value(value)

    def value(self, level: int | None = None) -> int | None:
        """Set or read the level."""
        if level is None:
            return track.level.get(self.number, 0)
        track.drive(self.number, level)
        return None


class SPI:
    """The hardware bus."""

    def __init__(
        self, number: int, *, baudrate: int, polarity: int, phase: int, sck: Pin, mosi: Pin, miso: Pin
    ) -> None:
        if polarity or phase:
            track.wrong.append("an MFRC522 speaks SPI mode 0")
        self.hz = baudrate

    def write(self, out: bytes) -> None:
        """Send, and do not listen."""
        track.transfer(bytes(out), self.hz)

    def write_readinto(self, out: bytes, into: bytearray) -> None:
        """Send and listen."""
        into[:] = track.transfer(bytes(out), self.hz)

    def deinit(self) -> None:
        """Let the pins go."""


class ADC:
    """A pin that measures."""

    def __init__(self, number: int) -> None:
        self.number = number

    def read_u16(self) -> int:
        """0 to 65535 for 0 to 3.3 V."""
        return SUPPLY if track.power else 0
