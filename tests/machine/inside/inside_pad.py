"""The card pad through the kernel's spidev and GPIO: the package mfrc522, Debian's way to the pins, nothing imitated."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from companion.devices.mock import pi
from companion.devices.mock.faults import MOMENTS, SPI_PAD
from tests.machine.board import PadBoard, Pins
from tests.machine.inside.table import PAD, Table, doctor, finding, lies, says, table

TAG, OTHER = bytes.fromhex("04A1B2C3D4E5F6"), bytes.fromhex("11223344")


@pytest.fixture(scope="module")
def board() -> PadBoard:
    return PadBoard(Pins())


@pytest.fixture(scope="module")
def running(board: PadBoard) -> Iterator[Table]:
    with table(PAD) as one:
        one.until(lambda hardware: hardware["pad"]["state"] == "ok")
        yield one


@pytest.fixture
def world(board: PadBoard, running: Table) -> Iterator[pi.World]:
    """Yield the chip's model without cards and faults, and a companion that sees it so."""
    board.world.put([])
    running.until(lambda hardware: is_well(hardware, ()))
    yield board.world
    assert board.wrong == []


def is_well(hardware: dict[str, Any], tags: tuple[bytes, ...]) -> bool:
    """Return whether the pad works and has exactly these tags."""
    return hardware["pad"]["state"] == "ok" and lies(hardware) == {tag.hex().upper() for tag in tags}


def test_several_cards(running: Table, world: pi.World) -> None:
    """Cards of 4 and 7 bytes are read together, and each is missed when it is lifted."""
    for tags in ((TAG,), (TAG, OTHER), (OTHER,)):
        world.put(list(tags))
        running.until(partial(is_well, tags=tags))


@pytest.mark.parametrize("fault", SPI_PAD)
def test_a_fault(fault: str, running: Table, world: pi.World) -> None:
    """Each fault of the virtual table does the same through the kernel; mended, the pad reads as before."""
    world.put([TAG])
    running.until(lambda hardware: is_well(hardware, (TAG,)))
    restarts = running.hardware["pad"]["restarts"]
    if fault == "torn-tag":
        world.tear_off()
    else:
        world.break_(fault, True)
    match fault:
        case "dead-miso":
            running.until(lambda hardware: hardware["pad"]["state"] == "lost")
            hardware = running.hardware
            assert "check its seven wires" in hardware["pad"]["why"]
            assert "the card pad does not answer" in says(finding(hardware, "pad")).lower()
        case "mute-radio":
            running.until(lambda hardware: is_well(hardware, ()))
        case "counterfeit-version":
            running.until(lambda hardware: "copy, version 12" in says(finding(hardware, "pad")))
        case "flicker":
            running.until(lambda hardware: hardware["pad"]["misses"] >= 20)
            assert is_well(running.hardware, (TAG,))
        case "stuck" | "brown-out":
            running.until(lambda hardware: hardware["pad"]["restarts"] > restarts)
            assert not world.chip.stuck
        case "torn-tag":
            running.until(lambda hardware: is_well(hardware, ()))
        case _:
            pytest.fail(f"{fault} is new: say what it does")
    if fault not in MOMENTS:
        world.break_(fault, False)
    world.put([OTHER])
    running.until(lambda hardware: is_well(hardware, (OTHER,)))


def test_two_programs(running: Table, world: pi.World) -> None:
    """A second program gets the pad's reset pin from no kernel: it says so, and the first one reads on."""
    found = doctor(PAD)
    assert found["pad"]["state"] == "tap"
    assert "nother program" in says(finding(found, "pad"))
    world.put([TAG])
    running.until(lambda hardware: is_well(hardware, (TAG,)))


def test_a_card_is_played(running: Table, world: pi.World) -> None:
    """A card that is laid on the pad is played; its tag went through mfrc522, spidev and the bus."""
    tags = running.learn()
    running.host.begin("galloping-pigs", ("Ada", "Ben"))
    running.host.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow", "pink"])
    world.put([bytes.fromhex(tags["card/red/1"])])
    seq = running.host.table["seq"]
    running.running.client.until(lambda seen: seen["seq"] > seq)
    pad = running.until(
        lambda hardware: hardware["pad"]["lies"] and hardware["pad"]
    )  # its UID is secret in a game
    assert pad["library"] == "rpi-lgpio 0.6"
    assert pad["version"] == "92"
