"""The fast model costs what the firmware took on an emulated Pico."""

from __future__ import annotations

import pytest

from bench.sweep import ours
from companion.devices.mock import machine

TRACKS = {name: ms for name, ms in machine.MEASURED["sweep_ms"].items() if not name.startswith("8 ")}


@pytest.mark.parametrize("name", TRACKS)
def test_a_modelled_sweep_takes_as_long_as_an_emulated_one(name: str) -> None:
    """All measurements of whole tracks agree within a twentieth; heartbeats are in what was measured."""
    readers, tags = (int(word) for word in name.split() if word.isdigit())
    assert ours(readers, tags, machine.MEASURED["access_us"], 2) == pytest.approx(TRACKS[name], rel=0.05)
