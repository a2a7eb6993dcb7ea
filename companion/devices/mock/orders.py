"""Orders of the virtual table to a Pico's process: tags on spaces, faults. For both Picos."""

from __future__ import annotations

import json
import os
import random
import select
import time
from contextlib import suppress
from typing import Any, Protocol

from companion.devices.mock.machine import Wiring
from companion.devices.mock.rc522 import Chip

SHORT_MA, FIELD_MA = 900.0, 60.0
COUNTERFEIT, GENUINE = 0x12, 0x92
NEIGHBOUR_POWER = 24  # of CWGsPReg's 32: below it a tag is not read from next door any more
TRACEBACK = b'Traceback (most recent call last):\r\n  File "main.py", line 7\r\nOSError: [Errno 5] EIO\r\n'


class Ordered(Protocol):
    """A Pico, as far as orders concern more than its wiring."""

    def write(self, data: bytes) -> None:
        """Put bytes on its cable that its program never sent."""

    def reboot(self) -> None:
        """Switch its power off and on."""

    def hang(self) -> None:
        """Stop its program until the watchdog notices: at once, to save waiting."""


class Orders:
    """The line on which the virtual table gives orders, a JSON line each, and their present state.

    Every order is answered when it is carried out. When the line ends, this process ends.
    """

    def __init__(self, control: int, track: Wiring, pico: Ordered) -> None:
        self.control, self.track, self.pico = control, track, pico
        self.rest = b""
        self.tags: dict[int, list[bytes]] = {}
        self.ghosts: dict[int, bytes] = {}
        self.forced: dict[int, bool] = {}  # switches that are dead or stuck
        self.doubled: set[int] = set()
        self.garbage = False
        self.noise = random.Random(1)

    def handle_commands(self, seconds: float) -> None:
        """Carry out the orders of the virtual table, for at least `seconds`."""
        until = time.monotonic() + seconds
        while True:
            left = max(0.0, until - time.monotonic())
            if not select.select([self.control], [], [], left)[0]:
                return
            received = b""
            with suppress(ConnectionResetError):  # it has ended before it read the last answer
                received = os.read(self.control, 65536)
            if not received:
                os._exit(0)  # the table is gone: no one reads an answer
            *lines, self.rest = (self.rest + received).split(b"\n")
            for line in lines:
                os.write(self.control, json.dumps(self.obey(json.loads(line))).encode() + b"\n")

    def obey(self, order: dict[str, Any]) -> dict[str, Any]:
        """Carry out one order; return a report on the wiring."""
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
        """Change the tags on a space, and faults there that are no reader's."""
        match order["do"]:
            case "lay":
                self.tags[at] = [bytes.fromhex(uid) for uid in order["tags"]]
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
        """Change the whole track, its cable or its program."""
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
                self.pico.write(TRACEBACK)
            case "reboot":
                self.pico.reboot()
            case "hang":
                self.pico.hang()

    def break_reader(self, kind: str, at: int, chip: Chip, on: Any) -> None:
        """Make or mend a fault of one reader."""
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
                self.tags.get(at, [])[:1] = []
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
        """Update the tags of a space: its own, a ghost on top, and those read from next door."""
        if self.track.closed:
            self.track.closed[at] = self.forced.get(at, bool(self.tags.get(at)))
            return
        chips = self.track.chips
        for space in (at, (at + 1) % len(chips)):
            there = self.tags.get(space, []) + ([self.ghosts[space]] if space in self.ghosts else [])
            beside = self.tags.get(space - 1 if space else len(chips) - 1, [])
            near = beside if (space - 1) % len(chips) in self.doubled else []
            chips[space].put(there + near, dict.fromkeys(near, NEIGHBOUR_POWER))

    def disturbed(self, data: bytes) -> bytes:
        """Return a line as it arrives: unchanged, or with noise before it and every third one damaged."""
        if not self.garbage or not data:
            return data
        noise = self.noise.randbytes(self.noise.randrange(40))
        if self.noise.randrange(3) == 0:
            at = self.noise.randrange(len(data))
            data = data[:at] + noise[:1] + data[at + 1 :]
        return noise + data
