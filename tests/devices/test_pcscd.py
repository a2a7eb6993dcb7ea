"""The PC/SC card pad over the real service: pyscard, pcscd and vpcd, a driver with cards over a socket.

It needs `apt install pcscd vsmartcard-vpcd`, pyscard, and root, because it starts pcscd. It proves that the
driver and the modelled service agree on a card that comes, is queried, goes and comes again.

Only here: an answer of the real pcscd that differs from the modelled service.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from companion.devices.health import RangeTest
from companion.devices.pcsc import PcscPad
from companion.devices.readings import PadSeen, PartIs
from tests.support.client import PATIENCE_S
from tests.support.devices.modelled import Messages

pytestmark = pytest.mark.long

PORT = 0x8C7B  # vpcd's own
GET_UID = bytes((0xFF, 0xCA, 0, 0, 0))
ATR = bytes.fromhex("3B8F8001804F0CA0000003060300030000000068")  # of a storage card [PC/SC part 3, 3.1.3.2.3]
OFF, ON, RESET, GET_ATR = 0, 1, 2, 4  # what vpcd asks of a card in a single byte
VPCD = Path("/etc/reader.conf.d/vpcd")
MISSING = [
    name
    for name, there in (
        ("pcscd", shutil.which("pcscd") is not None),
        ("vsmartcard-vpcd", VPCD.exists()),
        ("pyscard", find_spec("smartcard") is not None),
        ("root", os.geteuid() == 0),
    )
    if not there
]


class Card:
    """A card on vpcd's reader, from its creation until it is lifted. `was_read`: its UID was asked for."""

    def __init__(self, uid: bytes) -> None:
        self.uid = uid
        self.was_read = threading.Event()
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                self._line = socket.create_connection(("127.0.0.1", PORT))
                break
            except OSError:
                assert time.monotonic() < end, "vpcd does not listen"
                time.sleep(0.05)
        self._thread = threading.Thread(target=self._answer, daemon=True)
        self._thread.start()

    def lift(self) -> None:
        self._line.shutdown(socket.SHUT_RDWR)
        self._line.close()
        self._thread.join()

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            came = self._line.recv(size - len(data))
            if not came:
                raise EOFError
            data += came
        return data

    def _answer(self) -> None:
        try:
            while True:
                asked = self._read(int.from_bytes(self._read(2), "big"))
                if asked == bytes((GET_ATR,)):
                    self._say(ATR)
                elif len(asked) > 1:
                    self._say(self.uid + b"\x90\x00" if asked == GET_UID else b"\x6a\x81")
                    if asked == GET_UID:
                        self.was_read.set()
        except (EOFError, OSError):
            return

    def _say(self, answer: bytes) -> None:
        self._line.sendall(len(answer).to_bytes(2, "big") + answer)


@pytest.fixture
def service() -> Iterator[subprocess.Popen[bytes]]:
    if MISSING:
        pytest.skip(f"this needs {', '.join(MISSING)}")
    with subprocess.Popen(
        ["pcscd", "--foreground"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    ) as pcscd:
        yield pcscd
        pcscd.terminate()


def test_a_card_comes_is_asked_goes_and_comes_again(
    service: subprocess.Popen[bytes], messages: Messages
) -> None:
    """Cards of 4 and of 7 bytes, one of them twice, are read; a service that stops is reported as lost."""
    pad = PcscPad("virtual pcd 00 00")
    pad.start(messages)
    messages.until(PartIs("pad", "ok").__eq__)
    messages.until(PadSeen(frozenset()).__eq__)
    for uid in ("04A1B2C3D4E5F6", "14A1B2C3", "14A1B2C3"):
        card = Card(bytes.fromhex(uid))
        assert messages.get(timeout=PATIENCE_S) == PadSeen(frozenset({uid}))
        assert pad.range_test(3) == RangeTest("pad", 3, {uid: 3})
        card.lift()
        assert messages.get(timeout=PATIENCE_S) == PadSeen(frozenset())
    assert messages.all() == []
    assert pad.health.polls == 3
    service.terminate()
    lost = messages.until(lambda message: isinstance(message, PartIs))
    assert (lost.state, pad.health.fault) == ("lost", "no service")
    pad.stop()
