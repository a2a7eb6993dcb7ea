"""The modelled Pico: a process that runs firmware/main.py unchanged, over modelled chips and a serial line.

    python -m companion.devices.mock.pico CONTROL SPACES KIND

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
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion import firmware
from companion.devices.mock import machine
from companion.devices.mock.rc522 import Chip

SLACK_US = 3000.0  # sleeps shorter than this are saved up, so that the process wakes less often
SHORT_MA, FIELD_MA = 900.0, 60.0
COUNTERFEIT, GENUINE = 0x12, 0x92
NEIGHBOUR_POWER = 24  # of CWGsPReg's 32: below it a tag is not read from next door any more
TRACEBACK = b'Traceback (most recent call last):\r\n  File "main.py", line 7\r\nOSError: [Errno 5] EIO\r\n'
STALL_S = 0.5  # a write that the host does not read is given up after this, as on a Pico's USB


class Pico:
    """Virtual time, the control line and the serial line of one modelled Pico."""

    def __init__(self, control: int, spaces: int, kind: str) -> None:
        tagged = kind == "tag"
        self.track = machine.Wiring(spaces if tagged else 0, 0 if tagged else spaces)
        self.forced: dict[int, bool] = {}  # switches that are dead or stuck
        self.doubled: set[int] = set()
        self.starts: str | None = None  # why it is to start anew
        self.began = time.monotonic()
        self.control = control
        self.rest = b""
        self.lies: dict[int, list[bytes]] = {}
        self.ghosts: dict[int, bytes] = {}
        self.garbage = False
        self.noise = random.Random(1)
        self.line = Line(self, 1)

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
            self.track.fed_at -= ahead
        self.heed(ahead / 1e6 if ahead > SLACK_US else 0.0)
        if 0 < self.track.patience_us < clock.us - self.track.fed_at:
            self.starts = "watchdog"
        if self.starts is not None:
            raise Reset

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
        if at >= 0 and self.track.chips:
            self.break_reader(order["do"], at, self.track.chips[at], on)
        self.change_space(order, at, on)
        self.change_track(order["do"], on)
        return {
            "wrong": self.track.wrong[:10],
            "most_fields": max(map(len, self.track.on_at_once), default=0),
            "cpu_s": time.process_time(),
            "transfers": sum(chip.transfers for chip in self.track.chips),
        }

    def change_space(self, order: dict[str, Any], at: int, on: Any) -> None:
        """What lies on a space, and what is wrong there that is no reader's fault."""
        match order["do"]:
            case "lay":
                self.lies[at] = [bytes.fromhex(uid) for uid in order["tags"]]
            case "ghost-tag":
                self.ghosts[at] = bytes.fromhex(order["tag"])
                if not on:
                    del self.ghosts[at]
            case "double-read":
                (self.doubled.add if on else self.doubled.discard)(at)
            case "dead-switch" | "stuck-switch":
                self.forced.pop(at, None)
                if on:
                    self.forced[at] = order["do"] == "stuck-switch"
            case "dead-group":
                (self.track.dead_groups.add if on else self.track.dead_groups.discard)(at // self.track.group)
                return
            case _:
                return
        self.lay(at)

    def change_track(self, kind: str, on: Any) -> None:
        """What concerns the whole track, its cable or its program."""
        match kind:
            case "dead-miso":
                self.track.dead_miso = on
            case "no-power":
                self.track.switch_power(not on)
            case "short-circuit":
                self.track.short_ma = SHORT_MA if on else 0
            case "cut-row":
                self.track.cut = on
            case "garbage":
                self.garbage = on
            case "traceback":
                self.line.write(TRACEBACK)
            case "reboot":
                self.starts = "power"
            case "hang":
                self.track.fed_at -= self.track.patience_us

    def break_reader(self, kind: str, at: int, chip: Chip, on: Any) -> None:
        """Make or mend what can be wrong with one reader."""
        match kind:
            case "dead-reader":
                chip.dead = on
            case "flicker":
                chip.flicker = on
            case "stuck":
                chip.stuck = on
            case "brown-out":
                chip.brown_out()
            case "torn-tag":
                chip.tear_off()
                self.lies.get(at, [])[:1] = []
            case "held-miso":
                chip.holds = on
            case "no-field":
                chip.mute, chip.draws = on, 0.0 if on else FIELD_MA
            case "weak-supply":
                chip.weak = on
            case "bad-memory":
                chip.forgetful = on
            case "counterfeit-version":
                chip.version = COUNTERFEIT if on else GENUINE

    def lay(self, at: int) -> None:
        """What lies on a space, a ghost on top, and what is read from next door."""
        if self.track.closed:
            self.track.closed[at] = self.forced.get(at, bool(self.lies.get(at)))
            return
        chips = self.track.chips
        for space in (at, (at + 1) % len(chips)):
            there = self.lies.get(space, []) + ([self.ghosts[space]] if space in self.ghosts else [])
            beside = self.lies.get(space - 1 if space else len(chips) - 1, [])
            near = beside if (space - 1) % len(chips) in self.doubled else []
            chips[space].put(there + near, dict.fromkeys(near, NEIGHBOUR_POWER))


class Reset(BaseException):
    """The Pico starts anew; no firmware can catch this."""


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


def run(control: int, spaces: int, kind: str) -> None:
    """Become a Pico."""
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
