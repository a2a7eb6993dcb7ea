"""The modelled Pico: a process that runs firmware/main.py unchanged, over modelled chips and a
serial line.

python -m companion.devices.mock.pico CONTROL SPACES KIND

stdin and stdout are the serial line (a pty). On CONTROL, a file descriptor, the virtual table gives its
orders (orders.py). Virtual time is synchronized with real time by sleeping where the firmware sleeps.
"""

from __future__ import annotations

import importlib
import os
import runpy
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion import firmware
from companion.devices.mock import machine
from companion.devices.mock.orders import Orders

SLACK_US = 3000.0  # sleeps shorter than this are saved up, so that the process wakes less often
STALL_S = 0.5  # a write that the host does not read is given up after this, as on a Pico's USB


class Pico:
    """Virtual time and the serial line of one modelled Pico."""

    def __init__(self, control: int, spaces: int, kind: str) -> None:
        tagged = kind == "tag"
        self.track = machine.Wiring(spaces if tagged else 0, 0 if tagged else spaces)
        self.starts: str | None = None  # reason of the due restart
        self.began = time.monotonic()
        self.orders = Orders(control, self.track, self)
        self.line = Line(self, 1)

    # -- time

    def ticks_us(self) -> int:
        """Return MicroPython's ticks, without its wrapping."""
        return int(self.track.clock.us)

    def sleep_us(self, us: float) -> None:
        """Let virtual time pass, and real time with it; orders of the virtual table are handled meanwhile."""
        clock = self.track.clock
        clock.advance(us)
        ahead = clock.us - (time.monotonic() - self.began) * 1e6
        if ahead < 0:
            clock.us -= ahead  # this machine was too slow: the sleep was longer, nothing else
            self.track.fed_at -= ahead
        self.orders.handle_commands(ahead / 1e6 if ahead > SLACK_US else 0.0)
        if 0 < self.track.patience_us < clock.us - self.track.fed_at:
            self.starts = "watchdog"
        if self.starts is not None:
            raise Reset

    # -- the virtual table

    def write(self, data: bytes) -> None:
        """Put bytes on the line that the firmware never sent."""
        self.line.write(data)

    def reboot(self) -> None:
        """Switch the power off and on."""
        self.starts = "power"

    def hang(self) -> None:
        """Make the watchdog notice that the firmware hangs."""
        self.track.fed_at -= self.track.patience_us


class Reset(BaseException):
    """The Pico restarts; no firmware can catch this."""


class Line:
    """stdin or stdout of the firmware: `buffer`, `fileno`, and no buffering in between."""

    def __init__(self, pico: Pico, fd: int) -> None:
        self.pico, self.fd, self.buffer = pico, fd, self
        self.is_between = True  # between lines, each of which comes in packets
        os.set_blocking(fd, False)

    def fileno(self) -> int:
        """Return the descriptor, for select.poll."""
        return self.fd

    def read(self, n: int) -> bytes:
        """Return the bytes that have come, up to `n`."""
        try:
            return os.read(self.fd, n)
        except OSError:
            return b""

    def write(self, data: bytes) -> None:
        """Send; bytes that no host takes for STALL_S are lost, as on USB."""
        is_between, self.is_between = self.is_between, data.endswith(b"\n")
        if is_between:
            data = self.pico.orders.disturbed(data)
        until = time.monotonic() + STALL_S
        while data and time.monotonic() < until:
            try:
                data = data[os.write(self.fd, data) :]
            except OSError:
                self.pico.orders.handle_commands(0.01)


def run(control: int, spaces: int, kind: str) -> None:
    """Run as a Pico."""
    home = Path(firmware.__path__[0])
    sys.path.insert(0, str(home))
    pico = Pico(control, spaces, kind)
    pins: Any = importlib.import_module("pins")  # as the firmware itself finds it
    pico.track.wire(pins)
    machine.be(pico.track)
    sys.modules["machine"] = machine
    for name, function in {
        "ticks_us": pico.ticks_us,
        "ticks_ms": lambda: pico.ticks_us() // 1000,
        "ticks_diff": lambda later, earlier: later - earlier,
        "sleep_us": pico.sleep_us,
        "sleep_ms": lambda ms: pico.sleep_us(ms * 1000),
    }.items():
        setattr(time, name, function)
    sys.stdin, sys.stdout = Line(pico, 0), pico.line
    while True:
        pico.track.power_up("power" if pico.starts is None else pico.starts)
        pico.starts = None
        with suppress(Reset):
            runpy.run_path(str(home / "main.py"), run_name="__main__")


if __name__ == "__main__":
    run(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
