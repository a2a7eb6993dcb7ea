"""The parts that the settings name, real ones or those of the virtual table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.devices.pads import pad_of
from companion.settings import Settings


def check_emulator() -> None:
    """Raise a CompanionError with the reason and advice if no Pico can be emulated here."""
    from companion.devices.mock import emulation

    emulation.ready()


def parts_of(machine: Settings, data: Path, mock: bool, pico: str = "modelled") -> tuple[Any, dict[str, Any]]:
    """Return the virtual table (in mock mode, with a "modelled" or "emulated" Pico) and the parts by name."""
    if mock:
        from companion.devices.mock.virtual_table import parts as mock_parts

        hand, pad, track, panel = mock_parts(machine, data / "mock-table.json", pico)
        found = {"pad": pad, "track": track, "panel": panel}
        return hand, {name: part for name, part in found.items() if part is not None}
    pad = pad_of(machine)
    parts: dict[str, Any] = {} if pad is None else {"pad": pad}
    if machine.track.kind != "none":
        from companion.devices.track import Track

        sensors = machine.track
        parts["track"] = Track(
            sensors.port,
            sensors.spaces,
            kind=sensors.kind,
            powers=sensors.powers,
            gains=sensors.gains,
            warm=sensors.antennas,
        )
    if machine.panel:
        from companion.devices.panel import ButtonPanel

        parts["panel"] = ButtonPanel(machine.pins)
    return None, parts
