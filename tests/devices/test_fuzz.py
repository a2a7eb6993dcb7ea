"""Neither end of the wire can be talked into a crash, a hang or a wrong piece."""

from __future__ import annotations

import ast
import importlib
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from coverage import Coverage

from companion.devices import track_state
from companion.devices.readings import TrackSeen
from companion.devices.track import Track
from companion.firmware import link
from tests.support.devices import fuzz
from tests.support.devices.modelled import HB, Messages
from tests.support.devices.vm import Line, VirtualMachine, track_of
from tests.support.source import parsed

MB = 1_000_000
TAG = bytes.fromhex("04A1B2C3D4E5F6")
ENOUGH = 0.95  # of the branches of what reads the wire

sizes = pytest.mark.parametrize(
    "size", [30_000, pytest.param(MB, marks=pytest.mark.nightly)], ids=["30 kB", "1 MB"]
)


@contextmanager
def branches_taken(of: dict[ModuleType, set[str] | None]) -> Iterator[None]:
    """Print which part of the branches of these functions is taken meanwhile, and hold it against ENOUGH."""
    files = {str(module.__file__): names for module, names in of.items()}
    cover = Coverage(branch=True, include=list(files), data_file=None, config_file=False, messages=False)
    cover.start()
    try:
        yield
    finally:
        cover.stop()
    taken = there = 0
    for file, names in files.items():
        missing = cover.branch_stats(file)
        here = [line for line in missing if names is None or _function(file, line) in names]
        taken += sum(missing[line][1] for line in here)
        there += sum(missing[line][0] for line in here)
    print(f"{taken} of {there} branches of what reads the wire: {taken / there:.1%}")
    left = [f"{Path(file).name}:{line}" for file in files for line in not_all(cover, file)]
    assert taken / there >= ENOUGH, left


def not_all(cover: Coverage, file: str) -> list[int]:
    """Return the lines of which a way out was not taken."""
    return [line for line, (ways, taken) in cover.branch_stats(file).items() if taken < ways]


def _function(file: str, line: int) -> str:
    """Return the name of the function that a line is in."""
    inside = [
        node
        for node in ast.walk(parsed(Path(file)))
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return max(inside, key=lambda node: node.lineno).name if inside else ""


LINES = {"decode", "_read", "feed"}
COMMANDS = {"heed", "tell", "test", "_all", "_is_kind", "_is_number", "_is_power"}


@sizes
def test_the_firmware_hears_nothing_wrong(size: int, soak: int) -> None:
    """After noise on the real MicroPython the tag is still where it was, and `tell` is answered.

    Only here: a byte sequence, rarer than in the short run, that stops the firmware or moves a tag.
    """
    track = track_of(3)
    with VirtualMachine(track) as vm:
        vm.run("import pins; pins.READERS = 3")
        vm.boot_in_turns()
        line = Line(vm)
        track.chips[1].put([TAG])
        line.until_lying(LYING)
        for piece in fuzz.stream(1, size * soak, fuzz.wrong_commands, fuzz.right_commands):
            vm.to_pico += piece
            vm.until(lambda: not vm.to_pico, seconds=3600)
            vm.usb[:-100_000] = b""  # of what it said the end is enough
        line = Line(vm)
        line.say({"do": "tell", "spaces": ["tag"] * 3})
        assert line.until(lambda m: m["is"] == "hi")["spaces"] == ["tag"] * 3
        assert line.until(lambda m: m["is"] == "snap")["spaces"] == LYING
        refused = sum(message["is"] == "no" for message in line.heard)
    print(f"{size * soak} bytes; of the last lines {refused} of {len(line.heard)} say no")


LYING = [[], ["04A1B2C3D4E5F6"], []]


@sizes
def test_every_way_through_the_command_reader(
    pico_in_python: Callable[..., SimpleNamespace], monkeypatch: pytest.MonkeyPatch, size: int, soak: int
) -> None:
    """The same bytes through the same code in this Python take nearly all of its branches.

    Only here: a branch of the command reader that the short run does not reach.
    """
    it = pico_in_python(3)
    usb: Any = ModuleType("usb")
    to_pico, said = bytearray(), bytearray()

    def read() -> bytes:
        taken = bytes(to_pico[:256])
        del to_pico[:256]
        return taken

    usb.read, usb.write, usb.has_room, usb.flush = read, said.extend, lambda: True, lambda: True
    monkeypatch.setitem(sys.modules, "usb", usb)
    firmware, wire = importlib.import_module("main"), importlib.import_module("link")
    talk = firmware.Talk(it.board, firmware.machine.WDT(timeout=5000))
    talk.sensing.power = "on"  # else no test is taken on
    with branches_taken({firmware: COMMANDS, wire: LINES}):
        for piece in fuzz.stream(1, size * soak, fuzz.wrong_commands, fuzz.right_commands):
            to_pico += piece
            while to_pico:
                talk.handle_commands()
        assert len(talk.sensing.kinds) == firmware.pins.READERS
        assert talk.pending_test is None
        to_pico += link.encode({"do": "test", "space": 1, "polls": 5, "power": 9}) + link.encode(
            {"do": "reset"}
        )
        talk.handle_commands()
        assert talk.pending_test == (1, 5, 9, None)
        to_pico += link.encode({"do": "tell", "spaces": ["tag", "none"], "powers": [7, 0], "warm": 1})
        talk.handle_commands()
        to_pico += link.encode({"do": "tell", "spaces": ["tag", "none"], "powers": [7, 0], "warm": 1})
        to_pico += link.encode({"do": "test", "space": 1, "polls": 5})
        talk.handle_commands()
    heard = link.Lines().feed(bytes(said))
    assert heard[-1]["why"] == "space: no reader is there, or it has no power"
    assert heard[-2]["spaces"] == [None, None]


class Script:
    """A serial port that gives what it is made of, then nothing."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces
        self.coming = b""
        self.over = threading.Event()

    def __call__(self, *_: object, **__: object) -> Script:
        return self

    def __enter__(self) -> Script:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    @property
    def in_waiting(self) -> int:
        if not self.coming:
            self.coming = next(self.pieces, b"")
        return len(self.coming)

    def read(self, size: int) -> bytes:
        data, self.coming = self.coming[:size], self.coming[size:]
        if not data:
            self.over.set()
            self.over.wait(0.01)
        return data

    def write(self, data: bytes) -> None:
        pass

    def cancel_read(self) -> None:
        pass


def truth(n: int, space: int) -> bytes:
    """Return what a healthy Pico sends of three spaces, our tag on one of them."""
    tags = [["04A1B2C3D4E5F6"] if i == space else [] for i in range(3)]
    said: list[dict[str, Any]] = [
        fuzz.HI | {"versions": [146] * 3, "steps": [None] * 3, "powers": [32] * 3},
        {"is": "snap", "spaces": [[], [], []]},
        {"is": "ev", "changes": [[space, tags[space]]]},
        HB | {"state": link.state_crc(tags)},
        {"is": "no", "why": "because"},
    ]
    return b"".join(link.encode({"n": n + i} | message) for i, message in enumerate(said))


@sizes
def test_the_host_hears_nothing_wrong(messages: Messages, size: int, soak: int) -> None:
    """The host reports what a healthy Pico said, all of it, and nothing of the noise.

    Only here: a damaged line, rarer than in the short run, that the host takes for a message.
    """
    stream = fuzz.stream(2, size * soak, fuzz.wrong_news, fuzz.right_news)

    where: list[int] = []

    def pieces() -> Iterator[bytes]:
        for number, piece in enumerate(stream):
            where.append(number % 3)
            yield truth(10_000 * number, where[-1])
            yield wrong_and_in_order(10_000 * number + 5, number)
            yield piece
        where.append(1)
        yield truth(0, 1)

    port = Script(pieces())
    track = Track("a port", 3, port)
    heard: list[Any] = []
    with branches_taken({link: LINES, track_state: None}):
        track.start(messages)
        while not port.over.wait(0.1) and any(thread.name == "track" for thread in threading.enumerate()):
            heard += messages.all()
        track.stop()
    heard += messages.all()
    pictures = [message.spaces for message in heard if isinstance(message, TrackSeen)]
    right = [{i: frozenset(LYING[1] if i == at else []) for i in range(3)} for at in where]
    assert without_repeats(spaces for spaces in pictures if None not in spaces.values()) == without_repeats(
        right
    )
    print(f"{size * soak} bytes, {len(pictures)} pictures reported, {track.health.hurt} hurt lines")


def without_repeats(pictures: Iterable[Any]) -> list[Any]:
    """Return each picture that differs from the one before."""
    return [picture for picture, _ in groupby(pictures)]


def wrong_and_in_order(n: int, which: int) -> bytes:
    """Return a message with the number that is due, of a missing space, or with another state's checksum."""
    strange: list[dict[str, Any]] = [
        {"is": "ev", "changes": [[3 + which % 9, [fuzz.POISON]]]},
        HB | {"state": "0000"},
    ]
    return link.encode({"n": n} | strange[which % 2])
