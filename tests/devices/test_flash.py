"""`companion flash` against MicroPython's own prompt, in its virtual machine, with a memory that outlives it.

Unproven on a real Pico: its USB, its flash and its raw-paste mode are not here.
"""

from __future__ import annotations

import os
import pty
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial
from click.testing import CliRunner

from companion.cli import main
from companion.devices import flash
from companion.firmware import link
from tests.support.client import PATIENCE_S
from tests.support.devices.vm import NODE, TOOLS

Version = Callable[..., Path]

SMALL = """
import clock, link, usb
FIRMWARE = "{version}"

def hi():
    usb.write(link.encode({{"n": 0, "is": "hi", "protocol": link.PROTOCOL, "firmware": FIRMWARE}}))

def main():
    lines = link.Lines()
    hi()
    try:
        while True:
            for _ in lines.feed(usb.read()):
                hi()
            clock.sleep_ms(10)
    except KeyboardInterrupt:
        pass
"""


class StandIn:
    """A Pico with MicroPython whose flash memory is a directory; plug it in as often as you like."""

    def __init__(self, memory: Path) -> None:
        self.memory = memory
        memory.mkdir()
        self._process: subprocess.Popen[bytes] | None = None
        self.port = ""

    def plug_in(self, **faults: object) -> str:
        """Plug in its power and cable; return the name of its port."""
        self.unplug()
        master, slave = pty.openpty()
        os.set_blocking(master, False)
        self.port = os.ttyname(slave)
        command = [NODE, TOOLS / "prompt.mjs", master, self.memory, *(f"{k}={v}" for k, v in faults.items())]
        self._process = subprocess.Popen([str(part) for part in command], pass_fds=(master,))
        os.close(master)
        os.close(slave)
        return self.port

    def unplug(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def said(self, until: bytes) -> bytes:
        """Return its output, up to some bytes."""
        with serial.Serial(self.port, timeout=PATIENCE_S) as line:
            heard: bytes = line.read_until(until)
        assert heard.endswith(until), heard
        return heard

    def runs(self) -> object:
        """Return the version that says hi."""
        with serial.Serial(self.port, timeout=0.2) as line:
            lines, end = link.Lines(), time.monotonic() + PATIENCE_S
            while time.monotonic() < end:
                line.write(link.encode({"do": "reset"}))
                for message in lines.feed(line.read(4096)):
                    if message["is"] == "hi":
                        return message["firmware"]
        raise AssertionError("it says nothing")


@pytest.fixture
def pico(tmp_path: Path) -> Iterator[StandIn]:
    made = StandIn(tmp_path / "memory")
    yield made
    made.unplug()


@pytest.fixture
def version(tmp_path: Path) -> Version:
    """Return a function that makes a directory with a small firmware of some version, over the real wire."""

    def made(number: str, main: str = SMALL) -> Path:
        home = tmp_path / number
        home.mkdir(exist_ok=True)
        for name in ("link.py", "usb.py", "clock.py", "launcher.py"):
            (home / name).write_bytes((flash.HERE / name).read_bytes())
        (home / "main.py").write_text(main.format(version=number))
        return home

    return made


def quiet(*_: object) -> None:
    """Ignore the progress."""


@pytest.mark.long
def test_the_firmware_of_this_companion(pico: StandIn) -> None:
    """Each file arrives byte for byte, the command prints both versions, and the Pico speaks our protocol.

    Only here: a file of the present firmware that MicroPython's prompt does not accept.
    """
    done = CliRunner().invoke(main, ["flash", "--port", pico.plug_in()])
    assert (done.exit_code, done.output) == (0, f"the Pico ran none; now it runs {flash.version_here()}\n")
    assert flash.version_here().protocol == link.PROTOCOL
    assert {path.name for path in pico.memory.iterdir()} == {"app", "main.py"}
    assert (pico.memory / "main.py").read_bytes() == (flash.HERE / "launcher.py").read_bytes()
    for path in flash.HERE.glob("*.py"):
        if path.name != "launcher.py":
            assert (pico.memory / "app" / path.name).read_bytes() == path.read_bytes()


def test_there_and_back(pico: StandIn, version: Version) -> None:
    """The version before is stored, and comes back; after a second way back the newer one is there again."""
    old, new = version("0.8.0"), version("0.9.0")
    port = pico.plug_in()
    progress: list[tuple[str, int, int]] = []
    flash.copy(port, lambda *step: progress.append(step), old)
    assert (
        progress[-1][1]
        == progress[-1][2]
        == sum(len(p.read_bytes()) for p in old.glob("*.py") if p.name != "launcher.py")
    )
    was, now = flash.copy(port, quiet, new)
    assert (was.firmware, now.firmware) == ("0.8.0", "0.9.0")
    done = CliRunner().invoke(main, ["flash", "--port", port, "--back"])
    assert done.output == "the Pico ran 0.9.0, protocol 2; now it runs 0.8.0, protocol 2\n"
    assert flash.back(port)[1].firmware == "0.9.0"
    checked = CliRunner().invoke(main, ["flash", "--port", port, "--check"])
    assert checked.output.splitlines()[1:] == [
        "on the Pico:  0.9.0, protocol 2",
        "before:       0.8.0, protocol 2",
        "MicroPython:  1.27.0",
    ]
    assert pico.runs() == "0.9.0"


@pytest.fixture
def with_old(pico: StandIn, version: Version) -> StandIn:
    """Return a Pico that runs 0.8.0, as `companion flash` put it there."""
    home = version("0.8.0")
    (pico.memory / "app").mkdir()
    for path in home.iterdir():
        to = "main.py" if path.name == "launcher.py" else f"app/{path.name}"
        (pico.memory / to).write_bytes(path.read_bytes())
    return pico


CUTS = [{"unplug": 1}, {"unplug": 3000}, {"rename": 1}]


@pytest.mark.parametrize(
    "fault", [{"rename": 2}, *(pytest.param(cut, marks=pytest.mark.long) for cut in CUTS)], ids=str
)
def test_a_cable_pulled_in_the_middle(with_old: StandIn, version: Version, fault: dict[str, int]) -> None:
    """If the power fails anywhere, also between two renames, the old version runs when it is plugged in
    again.

    Only here: a cut in the first write, in the middle of a file or before the first rename that leaves no
    firmware.
    """
    port = with_old.plug_in(**fault)
    with pytest.raises(flash.FlashError, match=r"was lost .*plug it in again and try again"):
        flash.copy(port, quiet, version("0.9.0"))
    port = with_old.plug_in()
    assert with_old.runs() == "0.8.0"
    assert flash.copy(port, quiet, version("0.9.0"))[1].firmware == "0.9.0"


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"room": 2000}, r"the Pico takes no more at link\.py: delete what you do not need on it"),
        ({"hurt": "usb.py"}, r"usb\.py did not arrive whole: try again, with another cable"),
    ],
    ids=["full", "hurt"],
)
def test_a_bad_memory(with_old: StandIn, version: Version, fault: dict[str, object], said: str) -> None:
    """A full file system and a hurt byte are noticed before anything that runs is touched."""
    port = with_old.plug_in(**fault)
    with pytest.raises(flash.FlashError, match=said):
        flash.copy(port, quiet, version("0.9.0"))
    assert with_old.runs() == "0.8.0"


def test_too_little_room(with_old: StandIn, version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the Pico says beforehand that the firmware does not fit, nothing is written."""
    monkeypatch.setattr(flash.Pico, "room", lambda _: 9000)
    with pytest.raises(flash.FlashError, match=r"the Pico has 8 KB left and [23]. KB are needed"):
        flash.copy(with_old.plug_in(), quiet, version("0.9.0"))
    assert not (with_old.memory / "app.new").exists()


def test_micropython_is_too_old(with_old: StandIn, version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    """The MicroPython that is there is named, with the one that is needed."""
    monkeypatch.setattr(flash, "OLDEST", (1, 99))
    with pytest.raises(
        flash.FlashError, match=r"has MicroPython 1\.27\.0, and 1\.99 or newer is needed: hold BOOTSEL"
    ):
        flash.copy(with_old.plug_in(), quiet, version("0.9.0"))
    assert with_old.runs() == "0.8.0"


def test_firmware_that_cannot_be_loaded(with_old: StandIn, version: Version) -> None:
    """A version that does not start leaves the one before running, and both are named."""
    broken = version("0.9.0", "import nothing_of_this_name\n" + SMALL)
    port = with_old.plug_in()
    with pytest.raises(
        flash.FlashError, match=r"was to run 0\.9\.0, protocol 2 and runs 0\.8\.0, protocol 2"
    ):
        flash.copy(port, quiet, broken)
    with_old.plug_in()
    assert b"the firmware in /app cannot be started: ImportError" in with_old.said(b"\n")
    assert with_old.runs() == "0.8.0"


@pytest.mark.long
def test_a_foreign_program(pico: StandIn, monkeypatch: pytest.MonkeyPatch, version: Version) -> None:
    """A foreign program is saved once under a free name, and the command says so.

    Our own launcher of any version is not saved.

    Only here: a second foreign program that overwrites the first one, or our own old launcher that is saved
    as one.
    """
    home = version("0.9.0")
    monkeypatch.setattr(flash.copy, "__defaults__", (home, str))
    monkeypatch.setattr(flash.version_here, "__defaults__", (home,))
    for theirs, name in ((b"print('lights')\n", "main.old.py"), (b"\xff\n", "main.old2.py")):
        for _ in range(2):
            (pico.memory / "main.py").write_bytes(theirs)
            done = CliRunner().invoke(main, ["flash", "--port", pico.plug_in()])
            assert f"it is kept there as /{name}, and started no more\n" in done.output
            assert (pico.memory / name).read_bytes() == theirs
    (pico.memory / "main.py").write_bytes((home / "launcher.py").read_bytes() + b"# older\n")
    done = CliRunner().invoke(main, ["flash", "--port", pico.plug_in()])
    assert "kept" not in done.output
    left = {path.name for path in pico.memory.iterdir()}
    assert left == {"app", "app.old", "main.py", "main.old.py", "main.old2.py"}


def test_no_version_before(with_old: StandIn) -> None:
    """There is no way back from the first version."""
    with pytest.raises(
        flash.FlashError, match="there is no version before on this Pico: nothing was changed"
    ):
        flash.back(with_old.plug_in())
    assert with_old.runs() == "0.8.0"


def test_no_micropython(pico: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error explains how MicroPython gets on a Pico that has none."""
    monkeypatch.setattr(flash, "ANSWER_S", 0.5)
    done = CliRunner().invoke(main, ["flash", "--port", pico.plug_in(silent=1)])
    assert done.exit_code == 1
    assert "no MicroPython answers at " in done.output
    assert "hold BOOTSEL while you plug the Pico in" in done.output


def test_the_companion_runs(pico: StandIn) -> None:
    """A port that is in use is left alone."""
    with serial.Serial(pico.plug_in(), exclusive=True):
        done = CliRunner().invoke(main, ["flash", "--port", pico.port])
    assert (
        done.output == f"Error: another program uses {pico.port}: stop the companion first, then try again\n"
    )


def test_no_pico(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing plugged in, and a port that is not there."""
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    assert "no Pico with MicroPython is plugged in" in CliRunner().invoke(main, ["flash"]).output
    done = CliRunner().invoke(main, ["flash", "--port", "/dev/ttyACM99"])
    assert "there is nothing at /dev/ttyACM99: plug the Pico in" in done.output
    both = CliRunner().invoke(main, ["flash", "--back", "--check"])
    assert both.exit_code == 2
