"""Limits for guesses at codes, which no one can use to lock out the person who has the right one.

A code is 8 of 31 letters: 31 ** 8 = 8.5e11 codes. A device that guesses without a pause has 10 guesses in ten
minutes, 525,600 in a year: it finds a code with a probability of 6e-7. Ten thousand addresses that guess for
a year have 3 each in ten minutes, 1.6e9 guesses: 0.2 %. Each worker process counts for itself, so n workers
allow n times as many guesses.

No number of wrong codes blocks a device that has made none: it has at least 3 guesses. A person behind the
same address as someone who guesses is blocked with them, except on a device that had the right code of that
name before: its signed cookie says so, and its guesses are counted by that instead of its address.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from flask import session

from companion.errors import RateLimitedError
from companion.http.address import network
from companion.http.roles import client_address
from companion.message import N_, Sentence

K = TypeVar("K")

WINDOW_S: Final = 600.0  # for which a wrong code counts
REMEMBERED: Final = 100_000  # guesses at most, so that the memory is limited; 20 MB
OPENED: Final = 5  # names whose code a device had, the last ones


class Limits(NamedTuple):
    """Guesses within `WINDOW_S`."""

    pair: int = 10  # of one device at one name
    device: int = 30  # of one device at all names
    name: int = 100  # at one name, of all devices; beyond it each device has `few`
    few: int = 3


class Guess(NamedTuple):
    """A guess of a device at the code of a name."""

    at: float
    name: str
    device: str


class Guesses:
    """The wrong codes of the last ten minutes."""

    def __init__(self, limits: Limits | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits, self._clock = limits or Limits(), clock
        self._lock = threading.Lock()
        self._made: dict[int, Guess] = {}  # in their order
        self._number = 0
        self._pairs: Counter[tuple[str, str]] = Counter()
        self._devices: Counter[str] = Counter()
        self._names: Counter[str] = Counter()

    def attempt(self, name: str, device: str) -> int:
        """Count a guess as wrong and return its number; RateLimitedError if the device has none left."""
        limits, name = self._limits, normal(name)
        with self._lock:
            self._forget_old()
            left = limits.pair if self._names[name] < limits.name else limits.few
            if self._pairs[name, device] >= left or self._devices[device] >= limits.device:
                raise RateLimitedError("wait", Sentence(_WAIT))
            self._number += 1
            self._made[self._number] = guess = Guess(self._clock(), name, device)
            self._count(guess, 1)
            return self._number

    def right(self, number: int) -> None:
        """Do not count this guess: its code was right."""
        with self._lock:
            if (guess := self._made.pop(number, None)) is not None:
                self._count(guess, -1)

    def _forget_old(self) -> None:
        while self._made:
            first, guess = next(iter(self._made.items()))
            if self._clock() - guess.at < WINDOW_S and len(self._made) < REMEMBERED:
                return
            del self._made[first]
            self._count(guess, -1)

    def _count(self, guess: Guess, by: int) -> None:
        _add(self._pairs, (guess.name, guess.device), by)
        _add(self._devices, guess.device, by)
        _add(self._names, guess.name, by)


def device(name: str) -> str:
    """Return the key by which the guesses of this device at the code of `name` are counted."""
    if _mark(name) in session.get("opened", ()):
        return f"device {session.get('device')}"
    return network(client_address())


def opened(name: str) -> None:
    """Record in the device's cookie that it had the right code of `name`."""
    session.setdefault("device", secrets.token_hex(8))
    others = [mark for mark in session.get("opened", ()) if mark != _mark(name)]
    session["opened"] = [*others, _mark(name)][-OPENED:]


def normal(name: str) -> str:
    """Return the name by which guesses are counted, independent of spaces and capital letters."""
    return " ".join(name.split()).casefold()


def _mark(name: str) -> str:
    return hashlib.sha256(normal(name).encode("utf-8", "replace")).hexdigest()[:12]


def _add(counter: Counter[K], key: K, by: int) -> None:
    counter[key] += by
    if counter[key] <= 0:
        del counter[key]


_WAIT: Final = N_("that was tried too often: wait ten minutes, then try again")
