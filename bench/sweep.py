"""The duration of a sweep of the track, against the physical limit and against common drivers.

Everything runs over the modelled chip in virtual time: a register access costs the stated time and its bytes
at 1 MHz, MicroPython its time between two polls on an emulated Pico (bench.pico: 0.3 us an access in machine
code, 130 in plain MicroPython); cards answer as ISO 14443-3 has it.

The floor is half the sum of warm-up and air time: two antennas, no time for anything else. The customary
driver waits 25 ms for a reader that finds nothing; the unchanged package `mfrc522` asks one reader for one
tag the way its SimpleMFRC522 does, and its sweep is that, once for every reader.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

from bench.report import is_short, publish, table
from bench.report import machine as machine_used
from companion import firmware
from companion.devices.mock import machine, pi
from companion.devices.mock.iso14443 import BIT_US
from companion.devices.mock.rc522 import FRAME_DELAY_US, GUARD_US, Clock

READERS: Sequence[int] = (22, 40)
TAGS: Sequence[int] = (0, 6, 22)
ACCESS_US: Sequence[float] = (machine.ACCESS_US, 30.0, 130.0)
SWEEPS = 16  # the mean over two full rounds of short and long polls
WARM_UP_MS = 5.1
CUSTOMARY_MS = 25.0
HZ = 1_000_000


def uid(n: int) -> bytes:
    """Return an NTAG213's UID."""
    return bytes([0x04, n, 0xA1, 0xB2, 0xC3, 0xD4, n])


@contextmanager
def firmware_modules(clock: Clock) -> Iterator[None]:
    """Load the firmware's modules in this process, on a clock that never waits."""
    virtual: Any = ModuleType("clock")
    virtual.ticks_us = lambda: int(clock.us)
    virtual.ticks_ms = lambda: int(clock.us) // 1000
    virtual.ticks_diff = lambda later, earlier: later - earlier
    virtual.sleep_us = clock.advance
    virtual.sleep_ms = lambda ms: clock.advance(1000 * ms)
    home = Path(firmware.__path__[0])
    names = [path.stem for path in home.glob("*.py")]
    sys.path.insert(0, str(home))
    sys.modules |= {"clock": virtual, "machine": machine}
    try:
        yield
    finally:
        sys.path.remove(str(home))
        for name in [*names, "machine"]:
            sys.modules.pop(name, None)


def ours(readers: int, tags: int, access_us: float, warm: int) -> float:
    """Return the mean sweep of the firmware in ms, once every tag has been seen for a while."""
    track, before = machine.Wiring(readers), machine.ACCESS_US
    machine.be(track)
    machine.ACCESS_US = access_us
    with firmware_modules(track.clock):
        track.wire(importlib.import_module("pins"))
        board = importlib.import_module("board").Board()
        board.start()
        spaces = importlib.import_module("spaces").Spaces(readers)
        scanner = importlib.import_module("scanner").Scanner(board, spaces, set(range(readers)), (), warm)
        scanner.start()
        for n in range(tags):
            track.chips[n * readers // tags].put([uid(n)])
        for _ in range(4):
            list(scanner.sweep())
        began = track.clock.us
        for _ in range(SWEEPS):
            list(scanner.sweep())
        machine.ACCESS_US = before
        seen = sorted(tag for lying in spaces.now for tag in lying)
    assert seen == sorted(uid(n).hex().upper() for n in range(tags)), (
        "the sweep that was measured read nothing"
    )
    assert track.wrong == []
    return (track.clock.us - began) / SWEEPS / 1000


def air_ms(tag: bool) -> float:
    """Return the time that one reader and its card need on the air: REQA, and for a 7-byte UID all its
    frames.

    Without a card: the request, and the time in which an answer would have begun.
    """

    def frame(bits: int) -> float:
        return (2 + bits + bits // 8) * BIT_US

    request = frame(7) + FRAME_DELAY_US
    if not tag:
        return (request + 5 * BIT_US) / 1000
    microseconds = request + frame(16) + GUARD_US  # ATQA
    for sent, answered in ((16, 40), (72, 24), (16, 40)):  # anticollision, SELECT with SAK, anticollision
        microseconds += frame(sent) + FRAME_DELAY_US + frame(answered) + GUARD_US
    return microseconds / 1000


def floor(readers: int, tags: int) -> float:
    """Return half the sum of warm-up and air time, in ms."""
    return (readers * WARM_UP_MS + tags * air_ms(True) + (readers - tags) * air_ms(False)) / 2


def package_ms(tag: bool, access_us: float) -> float:
    """Return the unchanged package's time for one poll with, or without, a tag on the reader, in ms."""
    clock = Clock()
    world = pi.World(clock=clock)
    world.access_us = access_us
    pi.install(world)
    try:
        package: Any = importlib.import_module("mfrc522")
        reader = package.MFRC522(spd=HZ, pin_mode=11, pin_rst=25)
        if tag:
            world.put([uid(1)])
        clock.advance(6000)
        looks = []
        for _ in range(8):
            began = clock.us
            status, _ = reader.MFRC522_Request(reader.PICC_REQIDL)
            if status == reader.MI_OK:
                reader.MFRC522_Anticoll()
            looks.append(clock.us - began)
        return sum(looks) / len(looks) / 1000
    finally:
        pi.uninstall()


def pad_ms(access_us: float) -> tuple[float, int]:
    """Return the bus time in ms and transfers of one poll of the empty pad, without the 5.1 ms
    for the field.
    """
    pad_driver: Any = importlib.import_module("companion.devices.pad")
    clock = Clock()
    world = pi.World(clock=clock)
    world.access_us = access_us
    pi.install(world)
    try:
        pad = pad_driver.Pad()
        pad._chip = pad_driver.reader_class()(0, 0, 25)
        reader = pad_driver.rc522.Rc522(pad._chip)
        pad._chip.pulse_reset()
        clock.advance(5000)
        assert reader.init()

        class Field:
            """Time for the field is no bus time, but the card needs it."""

            def wait(self, seconds: float) -> None:
                clock.advance(seconds * 1e6)

        pad._stop = Field()
        pad._poll(reader)
        began, transfers = clock.us, world.transfers
        assert pad._poll(reader) == ([], False)
        return (clock.us - began) / 1000 - pad_driver.WARM_UP_S * 1000, world.transfers - transfers
    finally:
        pi.uninstall()


def rows(sizes: Iterable[int], fillings: Iterable[int], costs: Iterable[float]) -> Iterator[list[object]]:
    """Return every size, filling and access cost."""
    for readers, tags in product(sizes, fillings):
        least = floor(readers, tags)
        for access in costs:
            one, two = (ours(readers, tags, access, warm) for warm in (1, 2))
            customary = tags * air_ms(True) + (readers - tags) * CUSTOMARY_MS + readers * WARM_UP_MS
            package = tags * package_ms(True, access) + (readers - tags) * package_ms(False, access)
            yield [
                f"{readers} readers, {tags} tags, {access:.1f} µs",
                *(f"{least:.0f}", f"{two:.0f}", f"{two / least:.2f} ×", f"{one:.0f}"),
                *(f"{customary / two:.1f} ×", f"{package / two:.1f} ×"),
            ]


def main() -> None:
    """Measure and publish."""
    short = is_short(__doc__)
    some = slice(1) if short else slice(None)
    measured = list(rows(READERS[some], TAGS[some], ACCESS_US[some]))
    head = ["", "floor, ms", "ours, ms", "of the floor", "one antenna, ms", "customary", "mfrc522 0.0.7"]
    pads = [[f"{access:.1f} µs", f"{pad_ms(access)[0]:.2f}", pad_ms(access)[1]] for access in ACCESS_US[some]]
    publish(
        "sweep",
        "# A sweep of the track, over the model",
        table(head, measured),
        "The last two columns: how many times as long as ours with two antennas. All tags are NTAG213 "
        f"(7 bytes), alone on their readers; means of {SWEEPS} sweeps. Not in the customary driver's time: "
        "its register accesses. The package is asked on one reader at a time with its field always on, so "
        "it waits for no warm-up; on a real track that would have all fields on.",
        "## One poll of the empty pad",
        table(["access", "bus time, ms", "transfers"], pads),
        "Bus time without the 5.1 ms that a card needs to wake up, in which the bus is free.",
        machine_used(["mfrc522"]),
        short=short,
    )


if __name__ == "__main__":
    main()
