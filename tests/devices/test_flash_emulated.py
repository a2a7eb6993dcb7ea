"""`companion flash` on an emulated Pico: its USB, MicroPython's own prompt and file system, its flash memory.

Each write to that memory is recorded, so that the power can fail at each of them. Not proven on a real Pico.

Only here: a moment of a power cut, between two writes to the flash memory or in the middle of one, after
which the Pico has no whole firmware.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serial
from click.testing import CliRunner
from littlefs import LittleFSError
from mpremote.transport_serial import SerialTransport

from companion.cli import main
from companion.devices import flash
from companion.devices.mock.emulation import BLOCK, BLOCKS, EmulatedPico, installed
from companion.devices.mock.rp2040 import EmulatedWiring
from companion.firmware import link, pins
from tests.devices.test_flash import SMALL, quiet
from tests.support.devices.emulated import quick, why_not
from tests.support.devices.flashable import Change, FlashablePico, files_on

pytestmark = [pytest.mark.nightly, pytest.mark.skipif(why_not() is not None, reason=str(why_not()))]

SLOWER = 30  # than a Pico, at most
PATIENCE_S = 120.0
FIRST_WORD_S = 20.0  # of emulated time
LIGHTS = b"import time\nfor n in range(%d):\n    print('lights')\n    time.sleep_ms(20)\n"
THEIRS = LIGHTS % 1000
DEAF = b"import micropython\nmicropython.kbd_intr(-1)\n" + LIGHTS % 20 + b"while True:\n    pass\n"

Files = dict[str, bytes]
Flashable = Callable[[Files | None], FlashablePico]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the emulated Pico enough time, in mpremote too."""
    monkeypatch.setattr(flash, "ANSWER_S", SLOWER * flash.ANSWER_S)
    monkeypatch.setattr(flash, "WORD_S", SLOWER * flash.WORD_S)
    read_until = SerialTransport.read_until

    def patient(self: Any, n: int, ending: bytes, timeout: float = 10, *more: Any, **others: Any) -> Any:
        return read_until(self, n, ending, SLOWER * timeout, *more, **others)

    monkeypatch.setattr(SerialTransport, "read_until", patient)


@pytest.fixture
def pico(tmp_path: Path) -> Iterator[Flashable]:
    """Plug in a Pico with these files."""
    picos: list[FlashablePico] = []

    def plugged(files: Files | None) -> FlashablePico:
        picos.append(FlashablePico(files, tmp_path))
        return picos[-1]

    yield plugged
    for one in picos:
        one.stop()


@pytest.fixture
def version(tmp_path: Path) -> Callable[[str], Path]:
    """Return the directory of a small firmware of some version, over the real wire."""

    def made(number: str) -> Path:
        home = tmp_path / number
        home.mkdir()
        for name in ("link.py", "usb.py", "clock.py", "launcher.py"):
            shutil.copy(flash.HERE / name, home)
        (home / "main.py").write_text(SMALL.format(version=number))
        return home

    return made


def app(home: Path, place: str = "/app") -> Files:
    """Return the firmware's own files, at a place on the Pico."""
    there = {path.name: path.read_bytes() for path in home.glob("*.py") if path.name != flash.LAUNCHER}
    return {f"{place}/{name}": content for name, content in there.items()}


def under(files: Files, place: str) -> Files:
    """Return the files below a place."""
    return {path: content for path, content in files.items() if path.startswith(f"{place}/")}


def said(port: str, wanted: bytes) -> bytes:
    """Return the first line that has the wanted bytes."""
    until = time.monotonic() + PATIENCE_S
    with serial.Serial(port, timeout=5) as line:
        while time.monotonic() < until:
            if wanted in (heard := bytes(line.readline())):
                return heard
    raise AssertionError(f"it does not say {wanted!r}")


def prompts(port: str) -> None:
    """Wait until it has started and shows its prompt."""
    until, heard = time.monotonic() + PATIENCE_S, b""
    with serial.Serial(port, timeout=1) as line:
        while b">>> " not in heard:
            assert time.monotonic() < until, heard
            line.write(b"\r")
            heard += line.read(1000)


def runs(port: str) -> object:
    """Return the version in the `hi` after its start."""
    return (link.decode(said(port, b'"hi"')) or {}).get("firmware")


def test_the_firmware_of_this_companion(pico: Flashable) -> None:
    """Each file arrives byte for byte, over a running firmware and the compiled files of an old one.

    Meanwhile no reader is selected, fed through the bus or let out of its reset.
    """
    before = quick()
    flashed = pico(before)
    assert runs(flashed.port) == flash.version_here().firmware
    done = CliRunner().invoke(main, ["flash", "--port", flashed.port])
    # the compiled one does not say its version
    assert (done.exit_code, done.output) == (0, f"the Pico ran none; now it runs {flash.version_here()}\n")
    assert flashed.files() == installed() | {
        path.replace("/app/", "/app.old/"): content for path, content in under(before, "/app").items()
    }
    assert flashed.high == {pins.MISO}  # its pull-up


def starts(files: Files, launcher: bytes) -> Files:
    """Return the files that launcher.py starts: those of the first place with a main.py."""
    assert files.get("/main.py") == launcher
    return next(under(files, place) for place in ("/app", "/app.old") if f"{place}/main.py" in files)


def cuts(content: bytearray, changes: list[Change]) -> Iterator[bytes]:
    """Yield the drive after each change, and in the middle of each."""
    for change in changes:
        half = bytearray(content)
        change.to(half, part=0.5)
        yield bytes(half)
        change.to(content)
        yield bytes(content)


def first_word(content: bytes) -> object:
    """Start a Pico with this drive, and return the version in its `hi`."""
    wiring = EmulatedWiring(1)
    wiring.wire(pins)
    heard = bytearray()
    one = EmulatedPico(wiring, content, heard.extend)
    while b'"hi"' not in heard or not heard.endswith(b"\n"):
        assert one.us < FIRST_WORD_S * 1e6, bytes(heard)
        one.run()
    words = [message for line in heard.split(b"\n") if (message := link.decode(bytes(line)))]
    return words[0]["firmware"]


def test_the_power_goes_at_every_write(pico: Flashable, version: Callable[[str], Path]) -> None:
    """If the power fails anywhere, there or back, the old or the new firmware is whole and starts."""
    old, new = version("0.8.0"), version("0.9.0")
    flashed = pico(installed(old))
    assert runs(flashed.port) == "0.8.0"
    content = bytearray(flashed.content)
    there = flash.copy(flashed.port, quiet, new)
    ways = {"there": flashed.changes()}
    assert flashed.files() == installed(new) | app(old, "/app.old")
    back = flash.back(flashed.port)
    ways["back"] = flashed.changes()
    assert flashed.files() == installed(old) | app(new, "/app.old")
    assert [v.firmware for v in (*there, *back)] == ["0.8.0", "0.9.0", "0.9.0", "0.8.0"]

    launcher = (flash.HERE / flash.LAUNCHER).read_bytes()
    whole = {
        (place, number): app(home, place)
        for place in ("/app", "/app.old")
        for number, home in (("0.8.0", old), ("0.9.0", new))
    }
    found: dict[tuple[str, ...], bytes] = {}  # a drive for each way things were when the power went
    for way, changes in ways.items():
        for drive in cuts(content, changes):
            files = files_on(drive)
            started = starts(files, launcher)
            [(place, number)] = [where for where, firmware in whole.items() if firmware == started]
            found[way, place, number, *sorted({path.split("/")[1] for path in files})] = drive
    assert len(ways["there"]) > 40
    copying = ("there", "/app", "0.8.0", "app", "app.new", "main.py")
    renaming = [(way, "/app.old", "0.8.0", "app.new", "app.old", "main.py") for way in ways]
    for moment in (copying, *renaming):
        assert first_word(found[moment]) == "0.8.0"


def test_a_new_pico(pico: Flashable, version: Callable[[str], Path]) -> None:
    """The first firmware is whole or absent, and there is no way back from it."""
    flashed = pico(None)
    prompts(flashed.port)
    flashed.changes()
    content, new = bytearray(flashed.content), version("0.9.0")
    was, now = flash.copy(flashed.port, quiet, new)
    assert (str(was), now.firmware) == ("none", "0.9.0")
    changes = flashed.changes()
    assert flashed.files() == installed(new)
    for drive in cuts(content, changes):
        files = files_on(drive)
        assert under(files, "/app") in ({}, app(new))
        assert "/main.py" not in files or under(files, "/app")
    with pytest.raises(flash.FlashError, match="there is no version before on this Pico"):
        flash.back(flashed.port)
    assert flashed.changes() == []


def test_it_is_full(pico: Flashable, version: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """It reports a full memory before it copies, or where the memory ends, and runs the old version."""
    before = installed(version("0.8.0")) | {"/music": bytes(1_394_000)}
    flashed = pico(before)
    assert runs(flashed.port) == "0.8.0"
    new = version("0.9.0")
    with pytest.raises(flash.FlashError, match=r"the Pico has \d+ KB left and [23]. KB are needed: delete"):
        flash.copy(flashed.port, quiet, new)
    assert runs(flashed.port) == "0.8.0"
    assert flashed.changes() == []
    monkeypatch.setattr(flash.Pico, "room", lambda _: 1 << 20)
    with pytest.raises(flash.FlashError, match=r"takes no more at \w+\.py: delete what you do not need"):
        flash.copy(flashed.port, quiet, new)
    assert runs(flashed.port) == "0.8.0"
    left = flashed.files()
    assert {path: left[path] for path in left if not path.startswith("/app.new/")} == before


def test_no_prompt(pico: Flashable, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a program that Ctrl+C does not end, the command says what to do and changes nothing."""
    flashed = pico({"/main.py": DEAF})
    said(flashed.port, b"lights")
    monkeypatch.setattr(flash, "ANSWER_S", 4.0)
    done = CliRunner().invoke(main, ["flash", "--port", flashed.port])
    assert done.exit_code == 1
    assert f"no MicroPython answers at {flashed.port}: hold BOOTSEL" in done.output
    assert flashed.changes() == []


def test_a_foreign_program(pico: Flashable, version: Callable[[str], Path]) -> None:
    """A foreign program is saved under a free name.

    At no write is the Pico without a program to start.
    """
    other = b"print('more lights')\n"
    flashed = pico({"/main.py": THEIRS, "/main.old.py": other})
    said(flashed.port, b"lights")
    content, new = bytearray(flashed.content), version("0.9.0")
    shown: list[str] = []
    flash.copy(flashed.port, quiet, new, shown.append)
    assert shown == ["/main.old2.py"]
    changes = flashed.changes()
    files = flashed.files()
    assert files == installed(new) | {"/main.old.py": other, "/main.old2.py": THEIRS}
    for drive in cuts(content, changes):
        found = files_on(drive)
        assert found["/main.py"] == THEIRS or starts(found, files["/main.py"]) == app(new)
        assert found["/main.old.py"] == other
        assert THEIRS in (found["/main.py"], found.get("/main.old2.py"))


def test_a_drive_that_is_hurt_is_noticed() -> None:
    """`files_on` raises for a drive that it cannot read, instead of formatting it."""
    with pytest.raises(LittleFSError):
        files_on(b"\xff" * BLOCK * BLOCKS)
