"""The modelled Pico: a process that runs firmware/main.py unchanged, over modelled chips and a serial line.

    python -m companion.devices.mock.pico CONTROL READERS

stdin and stdout are the serial line (a pty). CONTROL is a file descriptor on which the virtual table says, a
JSON line each, what lies where and what is broken; every line is answered when it holds. When CONTROL ends,
so does this. Virtual time is kept in step with real time by sleeping where the firmware sleeps.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import runpy
import select
import sys
import time
from pathlib import Path
from typing import Any

import firmware
from companion.devices.mock import machine

SLACK_US = 3000.0  # sleeps shorter than this are saved up, so that the process wakes less often
STALL_S = 0.5  # a write that the host does not read is given up after this, as on a Pico's USB


class Pico:
    """Virtual time, the control line and the serial line of one modelled Pico."""

    def __init__(self, control: int, readers: int) -> None:
        self.track = machine.Track(readers)
        self.began = time.monotonic()
        self.control = control
        self.rest = b""
        self.lies: dict[int, list[bytes]] = {}
        self.ghosts: dict[int, bytes] = {}
        self.garbage = False
        self.noise = random.Random(1)

    # -- time

    def ticks_us(self) -> int:
        """MicroPython's ticks, without its wrapping."""
        return int(self.track.clock.us)

    def sleep_us(self, us: float) -> None:
        """Let virtual time pass, and real time with it; the virtual table is heard meanwhile."""
        clock = self.track.clock
        clock.advance(us)
        ahead = clock.us - (time.monotonic() - self.began) * 1e6
        if ahead < 0:
            clock.us -= ahead  # this machine was too slow: the sleep was longer, nothing else
        self.heed(ahead / 1e6 if ahead > SLACK_US else 0.0)

    # -- the virtual table

    def heed(self, seconds: float) -> None:
        """Do what the virtual table says, for at least `seconds`."""
        until = time.monotonic() + seconds
        while True:
            left = max(0.0, until - time.monotonic())
            if not select.select([self.control], [], [], left)[0]:
                return
            came = os.read(self.control, 65536)
            if not came:
                os._exit(0)  # the table is gone; there is nobody left to tell
            *lines, self.rest = (self.rest + came).split(b"\n")
            for line in lines:
                os.write(self.control, json.dumps(self.obey(json.loads(line))).encode() + b"\n")

    def obey(self, order: dict[str, Any]) -> dict[str, Any]:
        """Make one order so; the answer is a report on the wiring."""
        at: int = order.get("at", -1)
        on: Any = order.get("on")
        match order["do"]:
            case "lay":
                self.lies[at] = [bytes.fromhex(uid) for uid in order["tags"]]
                self.lay(at)
            case "ghost-tag":
                self.ghosts[at] = bytes.fromhex(order["tag"])
                if not on:
                    del self.ghosts[at]
                self.lay(at)
            case "dead-reader":
                self.track.chips[at].dead = on
            case "flicker":
                self.track.chips[at].flicker = on
            case "dead-miso":
                self.track.dead_miso = on
            case "no-power":
                self.track.switch_power(not on)
            case "garbage":
                self.garbage = on
        return {
            "wrong": self.track.wrong[:10],
            "most_fields": max(map(len, self.track.on_at_once), default=0),
            "cpu_s": time.process_time(),
            "transfers": sum(chip.transfers for chip in self.track.chips),
        }

    def lay(self, at: int) -> None:
        """What lies on a space, a ghost on top."""
        ghost = [self.ghosts[at]] if at in self.ghosts else []
        self.track.chips[at].put(self.lies.get(at, []) + ghost)


class Line:
    """stdin or stdout of the firmware: `buffer`, `fileno`, and no buffering in between."""

    def __init__(self, pico: Pico, fd: int) -> None:
        self.pico, self.fd, self.buffer = pico, fd, self
        os.set_blocking(fd, False)

    def fileno(self) -> int:
        """For select.poll."""
        return self.fd

    def read(self, n: int) -> bytes:
        """What has come, up to `n` bytes."""
        try:
            return os.read(self.fd, n)
        except OSError:
            return b""

    def write(self, data: bytes) -> None:
        """Send; what nobody takes for STALL_S is lost, as on USB."""
        if self.pico.garbage:
            data = self.noisy(data)
        until = time.monotonic() + STALL_S
        while data and time.monotonic() < until:
            try:
                data = data[os.write(self.fd, data) :]
            except OSError:
                self.pico.heed(0.01)

    def noisy(self, data: bytes) -> bytes:
        """Noise before the line, and every third line hurt."""
        noise = self.pico.noise.randbytes(self.pico.noise.randrange(40))
        if self.pico.noise.randrange(3) == 0:
            at = self.pico.noise.randrange(len(data))
            data = data[:at] + noise[:1] + data[at + 1 :]
        return noise + data


def run(control: int, readers: int) -> None:
    """Become a Pico."""
    home = Path(firmware.__path__[0])
    sys.path.insert(0, str(home))
    pico = Pico(control, readers)
    pins: Any = importlib.import_module("pins")  # as the firmware itself finds it
    pico.track.wire(pins)
    for chip in pico.track.chips:
        chip.hold_in_reset(True)  # pulled low until the firmware drives it
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
    sys.stdin, sys.stdout = Line(pico, 0), Line(pico, 1)
    runpy.run_path(str(home / "main.py"), run_name="__main__")


if __name__ == "__main__":
    run(int(sys.argv[1]), int(sys.argv[2]))
