"""What happens to the machine and its parts while people play: seeded, one after the other, up to three at once."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from typing import Final, NamedTuple

from companion.devices.mock.faults import MOMENTS, places
from tests.support.client import Client, HttpError, children
from tests.support.together.world import World

DAY_S: Final = 86_400.0
JUMPS: Final = (-400 * DAY_S, -DAY_S, -3_600.0, -5.0, 5.0, 3_600.0, 400 * DAY_S)
FEW: Final = 3  # at once


class Trouble(NamedTuple):
    """What went wrong, and how it is mended; when."""

    name: str
    until: float
    mend: Callable[[], None]


class Troubles:
    """A thread that breaks and mends. `pid`: the companion, which is a new one after a power cut."""

    def __init__(self, host: Client, world: World, pid: int, rng: random.Random, spaces: int) -> None:
        self._host, self._world, self.pid, self._rng = host, world, pid, rng
        self._places = places("tag", spaces)
        self._there: list[Trouble] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.made: Counter[str] = Counter()

    def start(self) -> None:
        """Start the troubles."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the troubles, and mend all."""
        self._over.set()
        self._thread.join()
        self._mend(float("inf"))

    def _run(self) -> None:
        rng = self._rng
        while not self._over.wait(rng.uniform(0.2, 3)):
            self._mend(time.monotonic())
            if len(self._there) >= FEW:
                continue
            chance = rng.random()
            if chance < 0.6:
                self._break()
            elif chance < 0.75:
                self._world.jump(rng.choice(JUMPS))
                self._note("clock", lambda: self._world.jump(0))
            elif chance < 0.9:
                self._world.slow(rng.uniform(0.05, 0.5))
                self._note("slow disk", lambda: self._world.slow(0))
            elif chance < 0.95:
                self._halt()
            else:
                self._kill_the_odds()

    def _break(self) -> None:
        kind, at = self._rng.choice(self._places)
        if any(there.name == f"{kind} {at}" for there in self._there):
            return
        self._set(kind, at, on=True)
        self.made[kind] += 1
        if kind not in MOMENTS:
            self._note(f"{kind} {at}", lambda: self._repair(kind, at), counted=False)

    def _repair(self, kind: str, at: str) -> None:
        self._set(kind, at, on=False)
        if kind == "short-circuit":  # the track stays off until its plug was pulled
            self._set("no-power", at, on=True)
            time.sleep(1)
            self._set("no-power", at, on=False)

    def _set(self, kind: str, at: str, *, on: bool) -> None:
        for _ in range(200):
            try:
                self._host.fault(kind, at, on)
            except (OSError, HTTPException):  # the power is off
                time.sleep(0.1)
            except HttpError as refusal:
                raise AssertionError(f"{kind} {at}: {refusal}") from refusal
            else:
                return
        raise AssertionError(f"{kind} at {at} could not be set: the companion does not answer")

    def _note(self, name: str, mend: Callable[[], None], *, counted: bool = True) -> None:
        self.made[name] += counted
        self._there = [there for there in self._there if there.name != name]
        self._there.append(Trouble(name, time.monotonic() + self._rng.uniform(0.5, 8), mend))

    def _mend(self, now: float) -> None:
        over = [trouble for trouble in self._there if trouble.until <= now]
        self._there = [trouble for trouble in self._there if trouble.until > now]
        for trouble in over:
            trouble.mend()

    def _halt(self) -> None:
        """Halt the machine, as one whose memory is full does."""
        self.made["halt"] += 1
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGSTOP)
            time.sleep(self._rng.uniform(0.2, 2))
            os.kill(self.pid, signal.SIGCONT)

    def _kill_the_odds(self) -> None:
        for pid, command in children(self.pid).items():
            if "companion.worker" in command:
                self.made["odds killed"] += 1
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
