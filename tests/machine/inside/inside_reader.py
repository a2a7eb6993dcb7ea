"""A reader that types, through the kernel's USB, HID and evdev, next to a person's keyboard."""

from __future__ import annotations

import os
import select
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.devices.mock.keyboard import CODES, ENTER, Style
from tests.machine.gadgets import TypingDevice, until
from tests.machine.inside.table import Table, doctor, finding, table

READER = 'pad = "usb"\npanel = false\n[track]\nkind = "none"\n'
TAG, OTHER = bytes.fromhex("04A1B2C3"), bytes.fromhex("11223344")
TEN_DIGITS = Style(decimal=True, digits=10)
"""As most readers are sold: ten figures and Enter."""
STYLES = (
    TEN_DIGITS,
    Style(),
    Style(decimal=True, digits=10, enter=False),
    Style(signs=("", "-", "")),
)
TRIES, ONE_S, AGAIN_S = 8, 3.0, 1.0
EVENT = struct.Struct("llHHi")


@pytest.fixture
def reader() -> Iterator[TypingDevice]:
    made = TypingDevice("reader", 0, 0xFFFF, 0x0035, "Sycreader RFID Technology Reader")
    yield made
    made.remove()


@pytest.fixture
def person() -> Iterator[TypingDevice]:
    made = TypingDevice("person", 1, 0x046D, 0xC31C, "Logitech USB Keyboard")
    made.plug(True)
    yield made
    made.remove()


def nodes() -> set[str]:
    """Return the input devices that the machine has now."""
    return {str(path) for path in Path("/dev/input").glob("event*")}


def hold(running: Table, reader: TypingDevice, uid: bytes, style: Style = TEN_DIGITS) -> None:
    """Hold a card to the reader until it is on the pad: on a busy machine a reader may type as slowly as a person."""
    wanted = uid.hex().upper()
    for _ in range(TRIES):
        reader.type_keys(style.keys(uid), apart=0.004)
        with suppress(AssertionError):
            running.until(lambda hardware: [tag["uid"] for tag in hardware["pad"]["lies"]] == [wanted], ONE_S)
            return
        time.sleep(AGAIN_S)  # what was typed has ended
    raise AssertionError(
        f"{wanted} was typed {TRIES} times, and is not on the pad: {running.hardware['pad']}"
    )


def at_pad(running: Table) -> None:
    """Wait until the card that was typed no longer counts as there."""
    running.until(lambda hardware: not hardware["pad"]["lies"])


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_it_is_recognised_by_what_it_types(reader: TypingDevice, person: TypingDevice, style: Style) -> None:
    """Next to a person's keyboard the one that types a number at once is the reader, in each format."""
    with table(READER) as one:
        reader.plug(True)
        one.until(lambda hardware: len(hardware["pad"]["found"]) == 2)
        hold(one, reader, TAG, style)
        assert "ffff:0035" in one.hardware["pad"]["device"]
        at_pad(one)
        hold(one, reader, OTHER, style)


def test_pulled_out_and_plugged_in_again(reader: TypingDevice, person: TypingDevice) -> None:
    """It is missed while it is away, and is the reader again without typing anything."""
    reader.plug(True)
    with table(READER) as one:
        one.until(lambda hardware: len(hardware["pad"]["found"]) == 2)
        hold(one, reader, TAG)
        for _ in range(3):
            reader.plug(False)
            one.until(lambda hardware: hardware["pad"]["state"] == "lost")
            reader.plug(True)
            one.until(lambda hardware: hardware["pad"]["state"] == "ok")
            hold(one, reader, OTHER)
            at_pad(one)


def test_a_person_types(reader: TypingDevice, person: TypingDevice) -> None:
    """A number that a person types is no card, and reaches the person's programs; the reader's does not."""
    reader.plug(True)
    with table(READER) as one:
        one.until(lambda hardware: len(hardware["pad"]["found"]) == 2)
        hold(one, reader, TAG)
        at_pad(one)
        files = {path: os.open(path, os.O_RDONLY | os.O_NONBLOCK) for path in nodes()}
        heard: set[str] = set()
        for key in [*(CODES[figure] for figure in "0012345678"), ENTER]:
            person.type_keys([key], apart=0.15)
            heard |= keys(files).keys()  # at once: the kernel stores few of them
        assert len(heard) == 1, "only the person's keyboard is heard by others"
        assert one.hardware["pad"]["lies"] == []
        hold(one, reader, OTHER)
        assert keys(files) == {}, "the reader is the companion's alone"


def keys(files: dict[str, int]) -> dict[str, int]:
    """Return how many keys another program has heard from each device."""
    heard: dict[str, int] = {}
    time.sleep(0.2)
    for path, file in files.items():
        while select.select([file], [], [], 0)[0]:
            for _, _, kind, _, value in EVENT.iter_unpack(os.read(file, EVENT.size * 64)):
                if kind == 1 and value == 1:
                    heard[path] = heard.get(path, 0) + 1
    return heard


def test_another_program_has_grabbed_it(reader: TypingDevice) -> None:
    """The doctor says that another program has the reader that the settings name."""
    evdev = pytest.importorskip("evdev")
    reader.plug(True)
    until(nodes)
    device = evdev.InputDevice(next(iter(nodes())))
    device.grab()
    try:
        found = finding(doctor(f'usb_reader = "ffff:0035"\n{READER}'), "pad")
        assert found is not None
        assert "nother program has the USB reader" in found["what"]
    finally:
        device.ungrab()
        device.close()


def test_no_reader_at_all() -> None:
    """Without any keyboard the doctor says that none is found."""
    found = finding(doctor(READER), "pad")
    assert found is not None
    assert "no USB reader is found" in found["what"].replace("No", "no", 1)
