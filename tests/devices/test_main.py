"""How the firmware begins and ends, in this Python."""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from companion.devices.mock import machine

Build = Callable[..., SimpleNamespace]


@pytest.fixture
def main(pico_in_python: Build, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the module main.py over a modelled track; at its first chance to listen Ctrl+C is pressed."""

    def press() -> bytes:
        raise KeyboardInterrupt

    pico_in_python(22)
    usb: Any = ModuleType("usb")
    usb.read, usb.write, usb.has_room, usb.flush = press, lambda line: None, lambda: True, lambda: True
    monkeypatch.setitem(sys.modules, "usb", usb)
    return importlib.import_module("main")


def test_the_watchdog_is_fed_at_the_prompt(main: Any) -> None:
    """It is fed after garbage collections: an unreferenced MicroPython timer stops (micropython#10099)."""
    main.main()
    gc.collect()
    assert machine.track.patience_us == 0
    assert not any(chip.field_on for chip in machine.track.chips)


@pytest.mark.parametrize("cause", ["power", "watchdog", "soft"])
def test_why_it_started(main: Any, cause: str) -> None:
    """machine.reset(), which `companion flash` ends with, is a reset by the watchdog too, but not of its time."""
    machine.track.power_up(cause)
    assert main.started_by() == cause
