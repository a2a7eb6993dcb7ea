"""MicroPython's module `machine` for the modelled Pico: its pins drive a model of the track's wiring.

The child process (pico.py) puts this module in the place of the real one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from companion.devices.mock.rc522 import Chip, Clock

# What the firmware takes on an emulated Pico, in microseconds (python -m bench.pico)
MEASURED: dict[str, Any] = json.loads((Path(__file__).parent / "measured.json").read_text("utf-8"))
ACCESS_US: float = MEASURED["access_us"]  # one register access, except its bits: select and deselect
LOOK_US: float = MEASURED["look_us"]  # MicroPython between a field and the next, by the field that comes on
SILENT, NO_GROUP = 0x00, 0xFF  # pull-down at every multiplexer input, pull-up on the common MISO


class Wiring:
    """The wiring behind the Pico's pins: `readers` chips in groups of 8, one-hot by decoders, and
    `switches`.

    `wrong` collects levels and fields that would harm or confuse real readers, `on_at_once` the sets of
    fields that were on together.

    Faults: `power` (the track's own supply), `dead_groups` (no power or not
    enabled), `dead_miso` (low for ever), `monitored` (whether a current monitor is fitted). Also `short_ma`
    (drawn on top by a short circuit), `cut` (the row of switches passes nothing on), `stuck_low` (address
    lines that never go up, by bit).
    """

    def __init__(self, readers: int, switches: int = 0) -> None:
        self.clock = Clock()
        self.chips = [Chip(self.clock) for _ in range(readers)]
        for i, chip in enumerate(self.chips):
            chip.elsewhere = partial(self._on_next_door, i)
        self.closed = [False] * switches
        self.level: dict[int, int] = {}
        self.addressed = 0  # the number on the address lines, as the Pico drives them
        self.wrong: list[str] = []
        self.power = True
        self.dead_miso = self.cut = False
        self.dead_groups: set[int] = set()
        self.stuck_low: set[int] = set()
        self.monitored = True
        self.short_ma = 0.0
        self.celsius = 31.0
        self.on_at_once: set[tuple[int, ...]] = set()
        self.fed_at = 0.0
        self.patience_us = 0.0  # of the watchdog; 0: it does not run
        self.reset_cause = PWRON_RESET
        self.registers: dict[int, int] = {}  # of the Pico's chip, by address

    def wire(self, pins: Any) -> None:
        """Take the pins from the firmware's pins.py."""
        self.address, self.strobe, self.reset = pins.ADDRESS, pins.STROBE, pins.RESET
        self.group, self.switch_spi = pins.GROUP, pins.SWITCH_SPI
        self.measured = {pins.TRACK_VOLTAGE: self._supply, pins.TRACK_CURRENT: self._current}

    def power_up(self, cause: str) -> None:
        """Start the Pico: no pin is driven, so every reader is held in reset.

        By "power", by its "watchdog", or by machine.reset() ("soft"), which uses the watchdog.
        """
        self.level.clear()
        self.addressed = 0
        self.patience_us = 0.0
        self.reset_cause = PWRON_RESET if cause == "power" else WDT_RESET
        self.registers[SCRATCH4] = RAN_OUT if cause == "watchdog" else 0
        for chip in self.chips:
            chip.hold_in_reset(True)

    def drive(self, pin: int, level: int) -> None:
        """Change the level of a pin of the Pico."""
        if self.level.get(pin) == level:
            return
        self.level[pin] = level
        if pin in self.address:
            self.addressed = sum(self.level.get(line, 0) << bit for bit, line in enumerate(self.address))
            if self.level.get(self.strobe):
                self.wrong.append("the address changed while a reader was selected")
        if pin == self.reset:
            for chip in self.chips:
                chip.hold_in_reset(not level)

    def switch_power(self, on: bool) -> None:
        """Switch the track's own supply on or off; the readers forget everything."""
        self.power = on
        for chip in self.chips:
            chip.hold_in_reset(True)
            chip.hold_in_reset(not self.level.get(self.reset))

    def _on_next_door(self, i: int, uid: bytes) -> bool:
        """Return whether a neighbour's field is on too: between two such fields a tag answers
        neither reader.
        """
        beside = {(i - 1) % len(self.chips), (i + 1) % len(self.chips)} - {i}
        return any(self.chips[j].field_on and uid in self.chips[j].cards for j in beside)

    def transfer(self, out: bytes, hz: int) -> bytes:
        """Return the bytes on the common MISO line in answer to `out`.

        Only the selected input of a multiplexer gets through: a reader that never releases its MISO (`holds`)
        disturbs no other.
        """
        if not self.level.get(self.strobe):
            self.wrong.append("a transfer with no reader selected")
            return bytes([NO_GROUP] * len(out))
        n = self.addressed
        for bit in self.stuck_low:
            n &= ~(1 << bit)
        group = n // self.group
        dark = not self.power or group in self.dead_groups or group > (len(self.chips) - 1) // self.group
        if dark or n >= len(self.chips):
            self.clock.advance(ACCESS_US + len(out) * 8e6 / hz)
            answer = bytes([NO_GROUP if dark else SILENT] * len(out))
        else:
            answer = self.chips[n].transfer(out, hz, ACCESS_US)
            if out[0] == TX_CONTROL:
                self.clock.advance(LOOK_US if out[1] & 3 else 0)
                self.on_at_once.add(tuple(i for i, chip in enumerate(self.chips) if chip.field_on))
        return bytes([SILENT] * len(out)) if self.dead_miso else answer

    def shift(self, n: int) -> bytes:
        """Return the first `n` bytes of the row of 74HC165: low is a magnet, zeros behind the last chip."""
        if self.cut:
            return bytes([0xFF] * n)
        chips = (len(self.closed) + 7) // 8
        bits = [not closed for closed in self.closed] + [True] * (8 * chips - len(self.closed))
        data = [sum(bit << 7 - k for k, bit in enumerate(bits[8 * c : 8 * c + 8])) for c in range(chips)]
        return bytes(data + [0] * n)[:n]

    def _supply(self) -> float:
        return 1.65 if self.power else 0.0

    def _current(self) -> float:
        if not (self.monitored and self.power):
            return 0.0
        alive = [c for i, c in enumerate(self.chips) if i // self.group not in self.dead_groups]
        return (sum(chip.milliamperes() for chip in alive) + self.short_ma) / 1000

    def volts_at(self, pin: int) -> float:
        """Return the volts at an ADC pin."""
        if pin == CORE:
            return 0.706 - (self.celsius - 27) * 0.001721
        return self.measured[pin]()


PWRON_RESET, WDT_RESET = 1, 3
SCRATCH4, RAN_OUT = 0x4005801C, 0x6AB73121  # pico-sdk, hardware_watchdog: WATCHDOG_NON_REBOOT_MAGIC
CORE = 4
TX_CONTROL = 0x14 << 1
track = Wiring(0)


def be(wiring: Wiring) -> None:
    """Connect this module's pins to `wiring`."""
    global track
    track = wiring


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
    """A hardware bus: the readers' or the switches'."""

    def __init__(
        self,
        number: int,
        *,
        baudrate: int,
        polarity: int,
        phase: int,
        sck: Pin,
        mosi: Pin | None = None,
        miso: Pin | None = None,
    ) -> None:
        self.number, self.hz = number, baudrate
        if number != track.switch_spi and (polarity or phase):
            track.wrong.append("an MFRC522 speaks SPI mode 0")

    def write_readinto(self, out: bytes, into: bytearray) -> None:
        """Send and listen."""
        into[:] = track.transfer(bytes(out), self.hz)

    def readinto(self, into: bytearray) -> None:
        """Listen to the row of switches."""
        track.clock.advance(ACCESS_US + len(into) * 8e6 / self.hz)
        into[:] = track.shift(len(into))

    def deinit(self) -> None:
        """Release the pins."""


class ADC:
    """A pin that measures."""

    CORE_TEMP = CORE

    def __init__(self, number: int) -> None:
        self.number = number

    def read_u16(self) -> int:
        """Return 0 to 65535 for 0 to 3.3 V."""
        return min(65535, round(track.volts_at(self.number) / 3.3 * 65535))


class WDT:
    """The watchdog: once it runs, a program that forgets to feed it is restarted."""

    def __init__(self, *, timeout: int) -> None:
        track.patience_us = 1000.0 * timeout
        self.feed()

    def feed(self) -> None:
        """Feed the watchdog."""
        track.fed_at = track.clock.us


class Timer:
    """A repeated callback, also while a person types at the prompt, as long as a reference to it exists."""

    def __init__(self, *, period: int, callback: Callable[[Any], None]) -> None:
        self.patience_us, track.patience_us = track.patience_us, 0.0  # it feeds the watchdog

    def __del__(self) -> None:
        track.patience_us = self.patience_us


def reset_cause() -> int:
    """Return the cause of the Pico's last start."""
    return track.reset_cause


def peek(address: int) -> int:
    """Return a register of the Pico's chip."""
    return track.registers[address]


class Memory:
    """The Pico's memory, 32 bits at an address."""

    def __getitem__(self, address: int) -> int:
        return peek(address)


mem32 = Memory()
