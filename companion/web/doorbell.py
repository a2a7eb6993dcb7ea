"""Screens that ask to be the table: each shows a number, and the host lets the one with it in.

A number is bound to one device and is shown to that device and to hosts only. It expires when the device no
longer polls, and is not given to another one for `REUSE_S`: the host's touch may come late.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from companion.errors import ConflictError
from companion.http.address import network
from companion.http.rate_limit import Allowances, Rate
from companion.http.roles import Forbidden
from companion.message import N_, Sentence

FIRST: Final = 10
NUMBERS: Final = 90  # two figures: read out across a table
GONE_S: Final = 15.0  # seconds without a poll after which a device has left
REUSE_S: Final = 600.0
OF_ONE: Final = Rate(6, 10.0)  # new numbers of a network
OF_ALL: Final = Rate(20, 10.0)  # with the burst fewer than `NUMBERS` in `REUSE_S`

State = Literal["waiting", "table", "declined"]


class Ring(NamedTuple):
    """A device that asks, its number, its state, and when it polled last, in seconds."""

    device: str
    number: int
    state: State
    polled: float


class Doorbell:
    """The screens that ask to be the table now. Its methods may be called from any thread."""

    def __init__(self, notify: Callable[[], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._notify, self._clock = notify, clock
        self._lock = threading.Lock()
        self._rings: dict[int, Ring] = {}  # by number, including expired ones
        self._allowances = Allowances(OF_ONE, OF_ALL)

    def waiting(self) -> list[int]:
        """Return the numbers of the screens that wait, in order."""
        with self._lock:
            return sorted(one.number for one in self._rings.values() if self._is_waiting(one))

    def poll(self, device: str | None, number: int | None) -> State | None:
        """Return the state of this device's request, and keep it; None: it has none with this number."""
        with self._lock:
            ring = None if number is None else self._rings.get(number)
            if ring is None or ring.device != device or not self._is_here(ring):
                return None
            self._rings[ring.number] = ring._replace(polled=self._clock())
            return ring.state

    def ring(self, device: str, address: str) -> int:
        """Let a device ask; return the number to show. Forbidden after too many requests."""
        if not self._allowances.take(network(address), self._clock()):
            raise Forbidden("wait", Sentence(_WAIT))
        with self._lock:
            now = self._clock()
            self._rings = {n: one for n, one in self._rings.items() if now - one.polled < REUSE_S}
            free = [n for n in range(FIRST, FIRST + NUMBERS) if n not in self._rings]
            if not free:
                raise Forbidden("wait", Sentence(_WAIT))
            number = secrets.choice(free)
            self._rings[number] = Ring(device, number, "waiting", now)
        self._notify()
        return number

    def answer(self, number: int, let_in: bool) -> None:
        """Let the screen that shows this number in, or not. ConflictError if none waits with it."""
        with self._lock:
            ring = self._rings.get(number)
            if ring is None or not self._is_waiting(ring):
                raise ConflictError("not-asked", Sentence(_LEFT))
            self._rings[number] = ring._replace(state="table" if let_in else "declined")
        self._notify()

    def leave(self, device: str | None) -> None:
        """End the request of a device that has its role, or got it in another way."""
        with self._lock:
            here = [one for one in self._rings.values() if one.device == device]
            for one in here:
                self._rings[one.number] = one._replace(device="")
        if here:
            self._notify()

    def _is_here(self, ring: Ring) -> bool:
        return self._clock() - ring.polled < GONE_S

    def _is_waiting(self, ring: Ring) -> bool:
        return ring.state == "waiting" and bool(ring.device) and self._is_here(ring)


_WAIT = N_("too many screens ask at once: wait a minute, or enter the PIN")
_LEFT = N_("no screen shows this number any longer: look at the one it shows now")
