"""Replacements for the modules RPi.GPIO and spidev, with a modelled chip on the bus.

The real package mfrc522 imports them and finds a Pi. Where it is not installed, as after `pipx install`, a
model of the two calls that our driver makes stands in for it. `install` puts them into sys.modules,
`uninstall` takes them out again.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

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


def package_over(gpio: Any, spidev: Any) -> ModuleType:
    """Return a module `mfrc522` for a process without that package: what our driver uses of it.

    That is its construction and its way to read a register, written from its documentation; the tests compare
    both with the package. A Pi needs the package itself.
    """
    module: Any = ModuleType("mfrc522")

    class MFRC522:
        """The chip behind a bus and a reset pin, set up as the package sets it up."""

        def __init__(self, bus: int, device: int, speed: int, mode: int, reset: int) -> None:
            self.spi = spidev.SpiDev()
            self.spi.open(bus, device)
            self.spi.max_speed_hz = speed
            if gpio.getmode() is None:
                gpio.setmode(mode)
            gpio.setup(reset, gpio.OUT)
            gpio.output(reset, 1)
            for register, value in _SET_UP:
                self.spi.xfer2([register << 1, value])

        def Read_MFRC522(self, register: int) -> int:  # noqa: N802  the package's name
            return int(self.spi.xfer2([0x80 | register << 1, 0])[1])

    module.MFRC522 = MFRC522
    return module  # type: ignore[no-any-return]


_SET_UP: Final = (
    (0x01, 0x0F),  # a soft reset
    (0x2A, 0x8D),  # the timer: 25 µs a tick, 30 ticks
    (0x2B, 0x3E),
    (0x2D, 30),
    (0x2C, 0),
    (0x15, 0x40),  # 100 % ASK
    (0x11, 0x3D),  # the CRC's preset
    (0x14, 0x83),  # the antenna
)


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
    spidev = spidev_of(world)
    sys.modules |= {"RPi": package, "RPi.GPIO": package.GPIO, "spidev": spidev}
    if not is_package_here():
        sys.modules["mfrc522"] = package_over(package.GPIO, spidev)


def is_package_here() -> bool:
    """Return True if the package of a real reader is installed."""
    return find_spec("mfrc522") is not None


def uninstall() -> None:
    """Restore the process to its state before `install`."""
    for name in NAMES:
        sys.modules.pop(name, None)
    sys.modules.update(_before)
    _before.clear()
