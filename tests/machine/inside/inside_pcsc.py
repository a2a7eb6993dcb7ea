"""A PC/SC reader: the companion, pyscard and the real pcscd; the reader is vpcd, whose cards come over a socket."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.devices.test_pcscd import MISSING, Card
from tests.machine.gadgets import until
from tests.machine.inside.table import Table, doctor, finding, lies, says, table

READER = 'usb_reader = "virtual pcd 00 00"\npad = "pcsc"\npanel = false\n[track]\nkind = "none"\n'
TAG, OTHER = bytes.fromhex("04A1B2C3D4E5F6"), bytes.fromhex("11223344")
GRABS = """
import sys
sys.path.insert(0, sys.argv[1])
from smartcard.scard import *
context = SCardEstablishContext(SCARD_SCOPE_USER)[1]
reader = SCardListReaders(context, [])[1][0]
assert SCardConnect(context, reader, SCARD_SHARE_EXCLUSIVE, SCARD_PROTOCOL_ANY)[0] == 0
print("has it", flush=True)
import time
time.sleep(3600)
"""


class Service:
    """The service pcscd, which can be stopped."""

    def start(self) -> None:
        """Start it; return when it can be asked."""
        self.process = subprocess.Popen(
            ["pcscd", "--foreground"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until(Path("/run/pcscd/pcscd.comm").exists)

    def stop(self) -> None:
        """Stop it."""
        self.process.terminate()
        self.process.wait()


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    assert not MISSING, f"this needs {', '.join(MISSING)}"
    one = Service()
    one.start()
    yield one
    one.stop()


@pytest.fixture(scope="module")
def running(service: Service) -> Iterator[Table]:
    with table(READER) as one:
        one.until(lambda hardware: hardware["pad"]["state"] == "ok")
        yield one


def read(running: Table, *uids: bytes) -> None:
    """Wait until exactly these cards are on the reader."""
    running.until(lambda hardware: hardware["pad"]["state"] == "ok" and lies(hardware) == {uid.hex().upper() for uid in uids})  # fmt: skip


def test_a_card_is_played(running: Table) -> None:
    """A card that is held to the reader is played; lifted, it is gone."""
    uids = running.learn()
    running.host.begin("galloping-pigs", ("Ada", "Ben"))
    running.host.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow", "pink"])
    seq = running.host.table["seq"]
    uid = bytes.fromhex(uids["card/red/1"])
    card = Card(uid)
    running.running.client.until(lambda seen: seen["seq"] > seq)
    card.lift()
    read(running)  # its UID is secret in a game
    assert "irtual" in running.hardware["pad"]["device"]


def test_the_service_stops_and_comes_back(service: Service, running: Table) -> None:
    """The pad is missed, the doctor says how to start the service; with it, the card that is there is read."""
    service.stop()
    try:
        running.until(lambda hardware: hardware["pad"]["state"] == "lost")
        assert "sudo systemctl enable --now pcscd.socket" in says(finding(doctor(READER), "pad"))
    finally:
        service.start()
    card = Card(OTHER)
    read(running, OTHER)
    card.lift()
    read(running)


def test_another_program_has_the_card(running: Table) -> None:
    """A program that keeps a card for itself is named as the cause."""
    card = Card(TAG)
    read(running, TAG)
    holder = subprocess.Popen(
        ["python3", "-c", GRABS, os.environ["PYTHONPATH"].rpartition(":")[2]],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "has it\n"
        assert "nother program has the PC/SC reader" in says(finding(doctor(READER), "pad"))
    finally:
        holder.kill()
        holder.communicate()
    card.lift()
    read(running)
