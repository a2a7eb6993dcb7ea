"""The card pad of PC/SC: the driver over a modelled service, from its messages to what is on the pad."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from companion.devices import pcsc
from companion.devices.health import RangeTest
from companion.devices.mock import smartcard
from companion.devices.mock.smartcard import READER, World
from companion.devices.pcsc import PcscPad
from companion.devices.readings import PadSeen, PartIs
from tests.support.client import PATIENCE_S
from tests.support.devices.modelled import Told

TAG, OTHER, SMALL = (bytes.fromhex(uid) for uid in ("04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "14A1B2C3"))


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setattr(pcsc, "RETRY_S", 0.05)
    made = World()
    made.install()
    yield made
    made.uninstall()


@pytest.fixture
def pad(world: World, told: Told) -> Iterator[PcscPad]:
    made = PcscPad()
    made.start(told)
    yield made
    made.stop()


def seen(*tags: bytes, unreadable: bool = False) -> PadSeen:
    return PadSeen(frozenset(tag.hex().upper() for tag in tags), unreadable)


def is_part(message: Any) -> bool:
    return isinstance(message, PartIs)


def test_laid_and_lifted(pad: PcscPad, world: World, told: Told) -> None:
    """A card is there until it is lifted; one laid in its place is there next."""
    told.until(PartIs("pad", "ok").__eq__)
    told.until(seen().__eq__)
    for tags in ([TAG], [], [SMALL], []):
        world.put(tags)
        assert told.get(timeout=PATIENCE_S) == seen(*tags)
    world.put([TAG])
    told.until(seen(TAG).__eq__)
    world.put([OTHER])  # sooner than anybody has looked
    assert told.get(timeout=PATIENCE_S) == seen()
    assert told.get(timeout=PATIENCE_S) == seen(OTHER)
    assert pad.health.device == READER


def test_the_same_card_lifted_and_laid_sooner_than_looked(pad: PcscPad, world: World, told: Told) -> None:
    """The service counts what comes and goes: it is laid anew."""
    world.put([TAG])
    told.until(seen(TAG).__eq__)
    with world.lock:
        world.put([])
        world.put([TAG])
    assert told.get(timeout=PATIENCE_S) == seen()
    assert told.get(timeout=PATIENCE_S) == seen(TAG)


def test_a_card_that_lies_there_is_told_once(pad: PcscPad, world: World, told: Told) -> None:
    """That the driver itself talks to the card changes the service's state, and is no news."""
    world.put([TAG])
    told.until(seen(TAG).__eq__)
    for _ in range(3):
        pad.range_test(1)
    assert told.all() == []


def test_two_cards_or_one_that_says_nothing(pad: PcscPad, world: World, told: Told) -> None:
    told.until(seen().__eq__)
    world.put([TAG, OTHER])
    assert told.get(timeout=PATIENCE_S) == seen(unreadable=True)
    world.put([])
    assert told.get(timeout=PATIENCE_S) == seen()
    world.break_("mute-radio", True)
    world.put([TAG])
    assert told.get(timeout=PATIENCE_S) == seen(unreadable=True)


def test_a_card_that_leaves_while_it_is_asked(pad: PcscPad, world: World, told: Told) -> None:
    told.until(seen().__eq__)
    world.tear_off()
    world.put([TAG])
    assert told.get(timeout=PATIENCE_S) == seen(unreadable=True)
    assert told.get(timeout=PATIENCE_S) == seen()


@pytest.mark.parametrize(
    ("kind", "fault", "text"),
    [
        ("pulled-cable", "absent", "no PC/SC reader is found: plug it in"),
        ("no-service", "no service", "sudo systemctl enable --now pcscd.socket"),
    ],
)
def test_lost_and_back(pad: PcscPad, world: World, told: Told, kind: str, fault: str, text: str) -> None:
    """It says what to do; when it is back, what is on the pad is reported anew."""
    world.put([TAG])
    told.until(seen(TAG).__eq__)
    world.break_(kind, True)
    lost = told.until(is_part)
    assert (lost.state, pad.health.fault) == ("lost", fault)
    assert text in str(lost.why)
    world.break_(kind, False)
    told.until(PartIs("pad", "ok").__eq__)
    told.until(seen(TAG).__eq__)


def test_another_program_has_the_card(pad: PcscPad, world: World, told: Told) -> None:
    told.until(seen().__eq__)
    world.break_("taken", True)
    world.put([TAG])
    assert "another program has the PC/SC reader ACS ACR122U" in str(told.until(is_part).why)
    world.break_("taken", False)
    told.until(PartIs("pad", "ok").__eq__)
    told.until(seen(TAG).__eq__)


def test_no_leave(world: World, told: Told) -> None:
    """polkit denies the service to users who are not logged in at the machine."""
    world.refusal = smartcard.SECURITY_VIOLATION
    pad = PcscPad()
    pad.start(told)
    tap = told.get(timeout=PATIENCE_S)
    assert (tap.state, pad.health.fault) == ("tap", "no leave")
    pad.stop()


def test_which_one_is_it(world: World, told: Told) -> None:
    world.readers = ["Alcor Micro AU9540 00 00", "Gemalto PC Twin 01 00"]
    pad = PcscPad()
    pad.start(told)
    assert "Alcor Micro AU9540 00 00, Gemalto PC Twin 01 00; name it" in str(told.get(timeout=PATIENCE_S).why)
    pad.stop()
    pad = PcscPad("twin")
    pad.start(told)
    told.until(PartIs("pad", "ok").__eq__)
    assert pad.health.device == "Gemalto PC Twin 01 00"
    pad.stop()
    pad = PcscPad("ACR122")
    pad.start(told)
    assert "no PC/SC reader ACR122 is found" in str(told.until(is_part).why)
    pad.stop()


def test_a_range_test(pad: PcscPad, world: World, told: Told) -> None:
    world.put([TAG])
    told.until(seen(TAG).__eq__)
    assert pad.range_test(3) == RangeTest("pad", 3, {"04A1B2C3D4E5F6": 3})


def test_a_reader_that_is_not_there_is_not_tested(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pcsc, "TEST_S", 0.05)
    with pytest.raises(TimeoutError, match="the PC/SC reader does not answer"):
        PcscPad().range_test(0)


def test_without_the_package(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "smartcard", None)
    pad = PcscPad()
    pad.start(told)
    assert "sudo apt install pcscd python3-pyscard" in str(told.get(timeout=PATIENCE_S).why)
    pad.stop()


def test_stopping_is_quick(world: World, told: Told) -> None:
    pad = PcscPad()
    pad.start(told)
    told.until(seen().__eq__)
    began = time.monotonic()
    pad.stop()
    assert time.monotonic() - began < PATIENCE_S
    assert world._contexts == set()


def test_the_stand_in_is_as_the_package_is() -> None:
    """The parts of pyscard that the driver uses are there in the real one, under the same numbers."""
    scard = pytest.importorskip("smartcard.scard", reason="pyscard is not installed: it needs swig")
    numbers = {name: getattr(scard, name) for name in dir(scard) if name.startswith("SCARD_")}
    same = {name: number & 0xFFFFFFFF for name, number in numbers.items() if isinstance(number, int)}
    assert same["SCARD_SCOPE_USER"] == pcsc.USER
    assert (same["SCARD_S_SUCCESS"], same["SCARD_E_TIMEOUT"]) == (pcsc.SUCCESS, pcsc.TIMEOUT)
    assert {
        same["SCARD_E_UNKNOWN_READER"]: "absent",
        same["SCARD_E_READER_UNAVAILABLE"]: "absent",
        same["SCARD_E_NO_READERS_AVAILABLE"]: "absent",
        same["SCARD_E_SHARING_VIOLATION"]: "taken",
        same["SCARD_W_SECURITY_VIOLATION"]: "no leave",
    } == pcsc.FAULTS
    assert (same["SCARD_STATE_PRESENT"], same["SCARD_STATE_MUTE"]) == (pcsc.PRESENT, pcsc.MUTE)
    assert same["SCARD_STATE_UNKNOWN"] | same["SCARD_STATE_UNAVAILABLE"] == pcsc.GONE
    assert same["SCARD_SHARE_SHARED"] == pcsc.SHARED
    assert same["SCARD_PROTOCOL_T0"] | same["SCARD_PROTOCOL_T1"] == pcsc.ANY_PROTOCOL
    assert same["SCARD_LEAVE_CARD"] == pcsc.LEAVE
