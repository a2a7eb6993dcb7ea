"""Replacements for the modules RPi.GPIO and spidev, with a modelled chip on the bus.

The real package mfrc522 imports them and finds a Pi. `install` puts them into sys.modules, `uninstall` takes
them out again.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from companion.devices.mock.rc522 import Chip, Clock

COUNTERFEIT, GENUINE = 0x12, 0x92
LOST_OF_TEN = 3  # reads that a tag at the edge of range misses
ACCESS_US = 30.0  # the cost of one transfer through the kernel's spidev, assumed


class LiveClock(Clock):
    """Real time, plus the time that the transfers would have taken."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._extra = 0.0

    @property
    def us(self) -> float:
        """Microseconds since the beginning."""
        return (time.monotonic() - self._began) * 1e6 + self._extra

    @us.setter
    def us(self, now: float) -> None:
        self._extra += now - self.us


class World:
    """One MFRC522 at /dev/spidev`bus`.`device`, its reset on GPIO `reset` (BCM)."""

    def __init__(self, bus: int = 0, device: int = 0, reset: int = 25, clock: Clock | None = None) -> None:
        self.bus, self.device, self.reset = bus, device, reset
        self.lock = threading.Lock()
        self.access_us = ACCESS_US
        self.pins: dict[int, int] = {}
        self.chip = Chip(clock or LiveClock())

    @property
    def transfers(self) -> int:
        """SPI transfers so far."""
        return self.chip.transfers

    def put(self, uids: list[bytes]) -> None:
        """Put exactly these tags on the pad."""
        with self.lock:
            self.chip.put(uids)

    def tear_off(self) -> None:
        """Make the first tag leave in the middle of its answer."""
        with self.lock:
            self.chip.tear_off()

    def break_(self, kind: str, on: bool) -> None:
        """Make or mend a fault of faults.py."""
        with self.lock:
            self._break(self.chip, kind, on)

    @staticmethod
    def _break(chip: Chip, kind: str, on: bool) -> None:
        match kind:
            case "dead-miso":
                chip.dead = on
            case "mute-radio":
                chip.mute = on
            case "flicker":
                chip.flicker = LOST_OF_TEN if on else 0
            case "stuck":
                chip.stuck = on
            case "brown-out":
                chip.brown_out()
            case "counterfeit-version":
                chip.version = COUNTERFEIT if on else GENUINE
                chip.hold_in_reset(True)  # another reader is plugged in: it restarts
                chip.hold_in_reset(False)

    def install(self) -> None:
        """Make this process find the world's chip."""
        install(self)

    def uninstall(self) -> None:
        """Restore the process to its state before `install`."""
        uninstall()


def spidev_of(world: World) -> ModuleType:
    """Return a module `spidev` whose bus has the world's chip."""

    class SpiDev:
        max_speed_hz = 500_000
        mode = 0
        opened = False

        def open(self, bus: int, device: int) -> None:
            if (bus, device) != (world.bus, world.device):
                raise FileNotFoundError(2, "No such file or directory")
            self.opened = True

        def xfer2(self, values: Sequence[int]) -> list[int]:
            if not self.opened:
                raise OSError(9, "Bad file descriptor")
            with world.lock:
                return list(world.chip.transfer(bytes(values), self.max_speed_hz, world.access_us))

        def close(self) -> None:
            self.opened = False

    module: Any = ModuleType("spidev")
    module.SpiDev = SpiDev
    return module  # type: ignore[no-any-return]


def gpio_of(world: World) -> ModuleType:
    """Return a module `RPi.GPIO`, the part of it that a reader needs."""
    gpio: Any = ModuleType("RPi.GPIO")
    gpio.BOARD, gpio.BCM, gpio.OUT, gpio.IN, gpio.HIGH, gpio.LOW = 10, 11, 0, 1, 1, 0
    mode: list[int] = []

    def setmode(wanted: int) -> None:
        if mode and mode != [wanted]:
            raise ValueError("A different mode has already been set!")
        mode[:] = [wanted]

    def setup(pin: int, direction: int) -> None:
        if not mode:
            raise RuntimeError("Please set pin numbering mode using GPIO.setmode(GPIO.BCM)")
        output(pin, 0)

    def output(pin: int, level: int) -> None:
        with world.lock:
            world.pins[pin] = level
            if pin == world.reset:
                world.chip.hold_in_reset(not level)

    def cleanup(pin: int | None = None) -> None:
        """Release a pin, which then floats; the reader's board pulls its reset up."""
        with world.lock:
            for one in list(world.pins) if pin is None else [pin]:
                world.pins.pop(one, None)
            if world.reset not in world.pins:
                world.chip.hold_in_reset(False)

    gpio.getmode = lambda: mode[0] if mode else None
    gpio.setmode, gpio.setup, gpio.output, gpio.cleanup = setmode, setup, output, cleanup
    gpio.setwarnings = lambda on: None
    return gpio  # type: ignore[no-any-return]


NAMES = ("RPi", "RPi.GPIO", "spidev", "mfrc522", "mfrc522.MFRC522", "mfrc522.SimpleMFRC522")
_before: dict[str, ModuleType] = {}


def install(world: World) -> None:
    """Make this process find the world's chip. The next import of mfrc522 gets a fresh copy, on
    this world.
    """
    uninstall()
    _before.update({name: sys.modules.pop(name) for name in NAMES if name in sys.modules})
    package: Any = ModuleType("RPi")
    package.__path__ = []
    package.GPIO = gpio_of(world)
    sys.modules |= {"RPi": package, "RPi.GPIO": package.GPIO, "spidev": spidev_of(world)}


def uninstall() -> None:
    """Restore the process to its state before `install`."""
    for name in NAMES:
        sys.modules.pop(name, None)
    sys.modules.update(_before)
    _before.clear()
