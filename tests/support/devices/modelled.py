"""What the tests of the devices share: a chip on a bench, messages of a Pico, a queue of messages, UIDs."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from companion.devices.mock import machine
from companion.devices.mock.rc522 import Chip, Clock
from companion.firmware import link, rc522
from tests.support.client import PATIENCE_S

# a healthy Pico with one space to read, without its numbers
HI = {
    "is": "hi", "protocol": link.PROTOCOL, "firmware": "1", "boot": "aa", "board": "", "cause": "power", "warm": 2,
    "faulty": [], "versions": [], "steps": [], "powers": [], "spaces": ["tag"],
}  # fmt: skip
HB = {
    "is": "hb", "sweep": 70, "power": "on", "misses": [], "celsius": 30, "volts": 3.3, "ma": 0, "shared": [],
    "state": "0000",
}  # fmt: skip


class Bench(rc522.Port):
    """One modelled chip, and a port to it: what rc522.Rc522 works on."""

    def __init__(self, access_us: float = machine.ACCESS_US, hz: int = 1_000_000) -> None:
        self.clock = Clock()
        self.chip = Chip(self.clock)
        self.access_us, self.hz = access_us, hz

    def reader(self) -> Any:
        """Return the driver on it."""
        return rc522.Rc522(self)

    def until(self, due: float) -> None:
        self.clock.us = max(self.clock.us, due)

    def write(self, register: int, value: int) -> None:
        self.chip.transfer(bytes([register << 1, value]), self.hz, self.access_us)

    def fill(self, register: int, data: bytes, n: int) -> None:
        self.chip.transfer(bytes([register << 1, *data[:n]]), self.hz, self.access_us)

    def read(self, register: int) -> int:
        return self.chip.transfer(bytes([0x80 | register << 1, 0]), self.hz, self.access_us)[1]

    def drain(self, register: int, into: bytearray, n: int) -> None:
        into[:n] = self.chip.transfer(bytes([0x80 | register << 1] * n + [0]), self.hz, self.access_us)[1:]


class Told(queue.SimpleQueue[Any]):
    """Give it to a part as `tell`; `until` waits for what a test expects."""

    __call__ = queue.SimpleQueue.put
    patience_s = PATIENCE_S

    def until(self, *wanted: Callable[[Any], bool]) -> Any:
        """Wait for one message of each kind that is wanted, in any order, and return the last to come.

        Fails after `patience_s`, naming what came instead.
        """
        heard, due = [], list(wanted)
        end = time.monotonic() + self.patience_s
        while (left := end - time.monotonic()) > 0:
            try:
                message = self.get(timeout=left)
            except queue.Empty:
                break
            due = [still for still in due if not still(message)]
            if not due:
                return message
            heard.append(message)
        raise AssertionError(f"not told within {self.patience_s} s; instead: {heard}")

    def all(self) -> list[Any]:
        """Return every message so far."""
        heard = []
        while not self.empty():
            heard.append(self.get())
        return heard


def uids() -> st.SearchStrategy[bytes]:
    """Return UIDs of 4, 7 and 10 bytes, alike often enough to collide late."""
    byte = st.sampled_from([0x00, 0x01, 0x04, 0x05, 0x80, 0xFF]) | st.integers(0, 255)
    any_size = st.sampled_from([4, 7, 10]).flatmap(
        lambda n: st.lists(byte, min_size=n, max_size=n).map(bytes)
    )
    return any_size.filter(lambda uid: uid[-4] != 0x88)


def some_uids(most: int = 5) -> st.SearchStrategy[set[bytes]]:
    """Return up to `most` different UIDs, some of them with a common beginning."""
    alike = st.tuples(uids(), st.lists(st.tuples(st.integers(0, 79), st.booleans()), max_size=most)).map(
        lambda made: {made[0]} | {flipped(made[0], bit) for bit, _ in made[1]}
    )
    return (st.sets(uids(), max_size=most) | alike).filter(lambda found: len(found) <= most)


def flipped(uid: bytes, bit: int) -> bytes:
    """Return the UID with one bit turned over."""
    other = bytearray(uid)
    other[bit // 8 % len(uid)] ^= 1 << bit % 8
    return bytes(uid if other[-4] == 0x88 else other)
