"""The card pad's bus and pins: who may use them, and where the companion is started.

As in inside_pad.py, through the kernel's spidev and GPIO.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.pins import PI_PINS
from tests.machine.board import PadBoard, Pins
from tests.machine.inside.table import PAD, WITHOUT_RIGHTS, as_user, doctor, finding, lies, says, table

TAG = bytes.fromhex("04A1B2C3D4E5F6")
SPI_GROUP, GPIO_GROUP = 970, 971
SPIDEV, GPIO = "/dev/spidev0.0", "/dev/gpiochip0"


@pytest.fixture(scope="module")
def board() -> PadBoard:
    made = PadBoard(Pins())
    made.world.put([TAG])
    return made


@pytest.fixture
def groups() -> Iterator[None]:
    """Give bus and pins to groups, as udev does on a Pi."""
    for path, group in ((SPIDEV, SPI_GROUP), (GPIO, GPIO_GROUP)):
        os.chown(path, 0, group)
        os.chmod(path, 0o660)
    yield
    for path in (SPIDEV, GPIO):
        os.chown(path, 0, 0)
        os.chmod(path, 0o600)


@pytest.mark.parametrize(
    ("member", "said"),
    [
        ((SPI_GROUP, GPIO_GROUP), None),
        ((GPIO_GROUP,), "adduser NAME spi"),
        ((SPI_GROUP,), "adduser NAME gpio"),
    ],
)
def test_who_may_use_it(board: PadBoard, groups: None, member: tuple[int, ...], said: str | None) -> None:
    """A user of both groups reads cards; for another one the doctor names the group that is missing."""
    found = doctor(PAD, as_user(WITHOUT_RIGHTS, *member), seconds=4)
    if said is None:
        assert finding(found, "pad") is None, found
        assert lies(found) == {TAG.hex().upper()}
    else:
        assert said in says(finding(found, "pad"))


def test_a_directory_that_is_read_only(board: PadBoard) -> None:
    """The library of the pins writes a pipe into the working directory: it is not ours, which may be read-only."""
    where = os.getcwd()
    os.chdir("/")
    try:
        with pytest.raises(OSError, match="Read-only"):
            Path("/here").touch()
        bare = {key: value for key, value in os.environ.items() if key != "LG_WD"}
        plain = subprocess.run(
            [sys.executable, "-c", "import lgpio"], env=bare, capture_output=True, text=True
        )
        assert ".lgd-nfy" in plain.stderr
        assert lies(doctor(PAD, seconds=4)) == {TAG.hex().upper()}
    finally:
        os.chdir(where)


def test_the_reset_pin_is_left_up(board: PadBoard) -> None:
    """After the companion has gone the chip is not held in reset, and the next start finds it."""
    doctor(PAD)
    assert Pins().level(PI_PINS["pad_reset"]) == 1
    assert finding(doctor(PAD), "pad") is None


def test_a_relative_data_directory(board: PadBoard) -> None:
    """The library of the pins changes the working directory: decisions still reach the journal."""
    where = os.getcwd()
    os.chdir("/run/disk")
    try:
        with table(PAD, Path("relative")) as one:
            one.until(lambda hardware: lies(hardware) == {TAG.hex().upper()})
            one.host.begin("galloping-pigs", ("Ada", "Ben"))
            seq = one.host.table["seq"]
            one.host.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow", "pink"])
            assert one.host.table["seq"] > seq
    finally:
        os.chdir(where)
