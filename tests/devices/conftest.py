"""Fixtures of the device tests: a queue that hears what a part tells, and the firmware in two ways."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from companion import firmware
from companion.devices.mock import machine
from tests.support.devices.modelled import Told
from tests.support.devices.vm import TICKS, VirtualMachine, track_of

MEASURED_US = machine.ACCESS_US
FIRMWARE = Path(firmware.__path__[0])


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture(params=["python", pytest.param("micropython", marks=pytest.mark.nightly)])
def pico(request: pytest.FixtureRequest) -> Callable[..., SimpleNamespace]:
    """Return a builder of the firmware's scanner over the modelled wiring, in Python and in MicroPython.

    Only here: code of the scanner that runs in Python but behaves otherwise, or fails, in MicroPython.
    """
    build: Callable[..., SimpleNamespace] = request.getfixturevalue(f"pico_in_{request.param}")
    return build


@pytest.fixture
def pico_in_micropython(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., SimpleNamespace]]:
    """Yield a function that loads the firmware's modules in one virtual machine, anew for every track."""
    with VirtualMachine(track_of(0)) as vm:

        def build(readers: int = 22, access_us: float = MEASURED_US, warm: int = 2) -> SimpleNamespace:
            monkeypatch.setattr(machine, "ACCESS_US", access_us)
            vm.track = track_of(readers)
            vm.load_anew()
            vm.run(
                "import board, rc522, scanner\nfrom spaces import Spaces\nwired = board.Board()\nwired.start()"
            )
            vm.run(f"lies = Spaces({readers})")
            vm.run(f"scan = scanner.Scanner(wired, lies, set(range({readers})), (), {warm})\nscan.start()")
            parts = {"board": "wired", "scanner": "scan", "spaces": "lies", "module": "scanner"}
            return SimpleNamespace(track=vm.track, **{name: vm.ask(of) for name, of in parts.items()})

        yield build


@pytest.fixture
def pico_in_python(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., SimpleNamespace]]:
    """Yield a function that loads the firmware's modules here, over modelled wiring and time."""
    monkeypatch.syspath_prepend(str(FIRMWARE))
    names = [path.stem for path in FIRMWARE.glob("*.py")]
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}

    def build(readers: int = 22, access_us: float = MEASURED_US, warm: int = 2) -> SimpleNamespace:
        for name in names:
            sys.modules.pop(name, None)
        track = machine.Wiring(readers)
        monkeypatch.setattr(machine, "ACCESS_US", access_us)
        clock: Any = ModuleType("clock")
        clock.ticks_us = lambda: int(track.clock.us) % TICKS
        clock.ticks_ms = lambda: int(track.clock.us) // 1000 % TICKS
        clock.ticks_diff = lambda later, earlier: (later - earlier + TICKS // 2) % TICKS - TICKS // 2
        clock.sleep_us = track.clock.advance
        clock.sleep_ms = lambda ms: track.clock.advance(1000 * ms)
        monkeypatch.setitem(sys.modules, "clock", clock)
        monkeypatch.setitem(sys.modules, "machine", machine)
        pins, board = importlib.import_module("pins"), importlib.import_module("board")
        scanner = importlib.import_module("scanner")
        spaces = importlib.import_module("spaces").Spaces(readers)
        track.wire(pins)
        machine.be(track)
        wired = board.Board()
        wired.start()
        scan = scanner.Scanner(wired, spaces, set(range(readers)), (), warm)
        scan.start()
        return SimpleNamespace(
            track=track,
            board=wired,
            scanner=scan,
            spaces=spaces,
            module=scanner,
            rc522=sys.modules["rc522"],
        )

    yield build
    for name in names:
        sys.modules.pop(name, None)
    sys.modules.update(before)
