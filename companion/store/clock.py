"""The clock of this machine: has it been set since it was switched on?

A Raspberry Pi has no battery for its clock. Without a network it goes on from the time at which it was
switched off, which may be months ago.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_MODEL: Final = "proc/device-tree/model"  # of a board; PCs and most virtual machines have none
_SYNCHRONISED: Final = "run/systemd/timesync/synchronized"
_BOOT: Final = "proc/sys/kernel/random/boot_id"
_NO_TIME_BEFORE: Final = 1_704_067_200  # 2024: a clock that lost its battery is behind it
_DAY: Final = 86_400  # seconds; a battery-backed clock may count in local time
_TIME_ERROR: Final = 5  # of adjtimex(2): not synchronised


def kernel_is_synchronised() -> bool:
    """Return True if the kernel's clock follows a time server now, by adjtimex(2)."""
    with suppress(OSError, AttributeError):
        values = ctypes.create_string_buffer(512)  # struct timex has 208 bytes; all zero: change nothing
        return 0 <= int(ctypes.CDLL(None).adjtimex(values)) < _TIME_ERROR
    return False


def seconds_since_boot() -> float:
    """Return the seconds since this machine was switched on, sleep included; no clock changes them."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


@dataclass(frozen=True)
class Clock:
    """The clock of the machine whose files are under `root`.

    `wall` is its time in seconds since 1970, `since_boot` the seconds since it was switched on.
    """

    root: Path = Path("/")
    wall: Callable[[], float] = time.time
    since_boot: Callable[[], float] = seconds_since_boot
    is_synchronised: Callable[[], bool] = kernel_is_synchronised

    @property
    def boot(self) -> str:
        """The number of this start of the machine; "" where that is unknown, as on a Mac."""
        return _text(self.root / _BOOT)

    def is_set(self) -> bool:
        """Return True if a network or a battery has set the clock since the machine was switched on.

        A PC has a battery, and a virtual machine has the clock of its host. A board is believed once a time
        server was reached, or if it has a battery-backed clock that agrees.
        """
        if (self.root / _SYNCHRONISED).exists() or not (self.root / _MODEL).exists():
            return True
        return self.is_synchronised() or any(map(self._agrees, self._battery_clocks()))

    def _battery_clocks(self) -> list[Path]:
        return sorted((self.root / "sys/class/rtc").glob("rtc*/since_epoch"))

    def _agrees(self, file: Path) -> bool:
        """Return True if this battery-backed clock has run while the machine was off."""
        said = _text(file)
        seconds = int(said) if said.isdecimal() else 0
        return seconds >= _NO_TIME_BEFORE and abs(seconds - self.wall()) < _DAY


class TrustedClock(Clock):
    """A clock that is believed: that of tools, of tests, and of copies."""

    @property
    def boot(self) -> str:
        """No number: nothing is marked."""
        return ""


def _text(path: Path) -> str:
    """Return the text of such a file; "" where it is missing or cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""
