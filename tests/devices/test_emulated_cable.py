"""The emulated Pico's cable, a pty, without a Pico: what its ends take is carried, and nothing else."""

from __future__ import annotations

import os
import pty
import select
import tty
from collections.abc import Iterator
from typing import Any

import pytest

from companion.devices.mock.emulated import Cable
from companion.devices.mock.machine import Wiring
from companion.devices.mock.orders import Orders
from companion.firmware import link
from tests.support.client import PATIENCE_S


class Stub:
    """What the cable needs of a Pico."""

    def __init__(self) -> None:
        self.emulated = self
        self.orders = Orders(-1, Wiring(1), self)
        self.connected = self.listening = True
        self.took, self.space = b"", 10

    def room(self) -> int:
        return self.space

    def say(self, data: bytes) -> int:
        self.took += data
        return len(data)

    def listen(self, on: bool) -> None:
        self.listening = on

    def write(self, data: bytes) -> None: ...

    def reboot(self) -> None: ...

    def hang(self) -> None: ...


def more(host: int) -> bytes:
    """Return what comes next: a pty gives it in pieces, and when the kernel has time for it."""
    assert select.select([host], [], [], PATIENCE_S)[0]
    return os.read(host, 65536)


def heard(host: int, end: bytes) -> bytes:
    """Return what the host reads, until it ends like this."""
    came = b""
    while not came.endswith(end):
        came += more(host)
    return came


@pytest.fixture
def pico() -> Stub:
    return Stub()


@pytest.fixture
def ends(pico: Any) -> Iterator[tuple[Cable, int]]:
    """Yield the cable, and the host's end of it."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    os.set_blocking(slave, False)
    yield Cable(master, pico), slave
    os.close(master)
    os.close(slave)


def test_a_host_that_does_not_read(pico: Stub, ends: tuple[Cable, int]) -> None:
    """The Pico's end takes no more until the host reads on; then everything has come, in its order."""
    cable, host = ends
    sent = bytes(range(256)) * 100
    cable.take(sent)
    cable.carry()
    assert not pico.listening
    came = b""
    while not pico.listening:
        came += more(host)
        cable.carry()
    while len(came) < len(sent):
        came += more(host)
    assert came == sent


def test_a_pico_that_does_not_read(pico: Stub, ends: tuple[Cable, int]) -> None:
    """The bus takes from the host only what the Pico has room for, and nothing before it."""
    cable, host = ends
    os.write(host, b"0123456789abc")
    pico.connected = False
    cable.carry()
    assert pico.took == b""
    pico.connected = True
    cable.carry()
    assert pico.took == b"0123456789"
    cable.carry()
    cable.carry()
    assert pico.took == b"0123456789abc"


def test_lines_are_disturbed_whole(pico: Stub, ends: tuple[Cable, int]) -> None:
    """However the bytes come, most lines can be understood behind the noise, and all once it is over."""
    cable, host = ends
    line = link.encode({"do": "reset"})
    pico.orders.garbage = True
    for n in range(0, 60 * len(line), 7):
        cable.take((line * 60)[n : n + 7])
    pico.orders.garbage = False
    cable.take(line)
    cable.carry()
    lines = link.Lines()
    understood = len(lines.feed(heard(host, line)))
    assert 20 < understood < 60
    cable.take(line[:4])
    cable.take(line[4:])
    cable.carry()
    assert heard(host, line) == line
