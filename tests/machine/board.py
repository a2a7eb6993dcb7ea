"""In the modelled machine: what is wired to its pins and its bus, for the kernel's own drivers.

The pins are gpio-sim's, the bus is the module spi_chip's; behind them are the models of `devices/mock`. Nothing
of this is imported by the companion, which is a process of its own there.
"""

from __future__ import annotations

import os
import re
import select
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.devices.mock import pi
from companion.pins import PI_PINS

TRACING: Final = Path("/sys/kernel/tracing")
CHIP: Final = Path("/dev/spi-chip")
SELECT: Final = 0
"""The chip select of the pad."""
_HEAD: Final = struct.Struct("<IIBBBB")  # struct transfer of spi_chip.c
_EDGE: Final = re.compile(rb"gpio_value: (\d+) set (\d)")


class Pins:
    """The pins of the machine, as the world outside has them."""

    def __init__(self) -> None:
        self._at = next(Path("/sys/devices/platform").glob("**/sim_gpio0")).parent

    def level(self, pin: int) -> int:
        """Return the level of a pin."""
        return int((self._at / f"sim_gpio{pin}/value").read_text("ascii"))

    def pull(self, pin: int, up: bool) -> None:
        """Pull a pin up or down: the level of one that the machine does not drive."""
        (self._at / f"sim_gpio{pin}/pull").write_text("pull-up" if up else "pull-down", "ascii")


class Edges:
    """The levels that the machine has driven its pins to, in order, by the kernel's own trace."""

    def __init__(self) -> None:
        first = re.search(r"gpiochip0: GPIOs (\d+)-", Path("/sys/kernel/debug/gpio").read_text("utf-8"))
        assert first is not None, "there is no gpiochip0"
        self._first = int(first[1])
        (TRACING / "events/gpio/gpio_value/enable").write_text("1", "ascii")
        self._file = os.open(TRACING / "trace_pipe", os.O_RDONLY | os.O_NONBLOCK)

    def new(self) -> Iterator[tuple[int, int]]:
        """Yield each pin and the level that it was driven to since the last call."""
        while True:
            try:
                lines = os.read(self._file, 1 << 16)
            except BlockingIOError:
                return
            for number, level in _EDGE.findall(lines):
                yield int(number) - self._first, int(level)


class PadBoard:
    """The card pad's board on the bus and its reset pin: the model of its chip, `world`."""

    def __init__(self, pins: Pins, reset: int = PI_PINS["pad_reset"]) -> None:
        self.world = pi.World(reset=reset)
        self.wrong: list[str] = []
        """What no chip can take, such as a bus in another mode."""
        self._pins, self._edges = pins, Edges()
        self._before = b"\0"
        pins.pull(reset, up=True)  # as the board does
        self._file = os.open(CHIP, os.O_RDWR)
        self._thread = threading.Thread(target=self._serve, name="chip", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            select.select([self._file], [], [])
            job = os.read(self._file, 1 << 13)
            length, hz, chip, mode, is_selected, is_first = _HEAD.unpack_from(job)
            out = job[_HEAD.size :]
            assert len(out) == length
            with self.world.lock:
                self._follow_reset()
                answer = bytes(length)
                if chip == SELECT and is_selected:
                    answer = self._answer(out, hz, bool(is_first), mode)
            os.write(self._file, answer)

    def _follow_reset(self) -> None:
        """Bring the chip's reset to where the pin is, by every level that it had meanwhile."""
        for pin, level in self._edges.new():
            if pin == self.world.reset:
                self.world.chip.hold_in_reset(not level)
        self.world.chip.hold_in_reset(not self._pins.level(self.world.reset))

    def _answer(self, out: bytes, hz: int, is_first: bool, mode: int) -> bytes:
        """Return what the chip says; a transfer with the select line still low goes on with the one before."""
        if mode & 3:
            self.wrong.append(f"SPI mode {mode & 3}")
        if is_first:
            self._before = out
            return self.world.chip.transfer(out, hz, self.world.access_us)
        address = self._before[-1:] if self._before[0] & 0x80 else self._before[:1]
        self._before += out
        return self.world.chip.transfer(address + out, hz, self.world.access_us)[1:]
