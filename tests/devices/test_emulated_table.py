"""The virtual table over the emulated Pico: the real Track driver, a pty, USB, MicroPython and the firmware.

Only here: a message between the real driver and the real firmware that is lost on the Pico's own USB.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.devices.mock.virtual_table import PICOS, VirtualTable
from companion.devices.readings import PartIs, TrackSeen
from companion.devices.track import Track
from tests.support.client import PATIENCE_S, Client, companion
from tests.support.devices.emulated import tag, why_not
from tests.support.devices.modelled import Told
from tests.system.test_hardware_faults import Game

pytestmark = [pytest.mark.nightly, pytest.mark.skipif(why_not() is not None, reason=str(why_not()))]

SPACES = 3
TIMES = 4  # of a modelled test's patience
PIECE = tag(1).hex().upper()


class Patient(Told):
    """Waits as long as an emulated Pico needs."""

    patience_s = TIMES * PATIENCE_S


@pytest.fixture
def told() -> Patient:
    return Patient()


@pytest.fixture
def table(told: Patient) -> Iterator[VirtualTable]:
    """Yield a table whose track is connected to the real driver."""
    table = VirtualTable(None, SPACES, pico="emulated")
    table.put_on_space(1, [PIECE])
    table.start()
    track = Track(lambda: table.pico_port, SPACES, slower=PICOS["emulated"].slower)
    track.start(told)
    yield table
    track.stop()
    table.stop()


def lies(space: int, *tags: str) -> Any:
    """Return a condition: exactly these tags are on a space."""
    return lambda m: isinstance(m, TrackSeen) and m.spaces.get(space) == frozenset(tags)


def test_a_piece_on_the_track(table: VirtualTable, told: Patient) -> None:
    """A piece that is there before the start is reported, and so is its next space.

    A Pico that restarts reports it again.
    """
    told.until(lies(1, PIECE))
    table.put_on_space(2, [PIECE])
    told.until(lies(2, PIECE))
    assert table.report()["wrong"] == []
    table.set_fault("hang", "track", True)
    told.until(lambda m: isinstance(m, TrackSeen) and m.spaces[2] is None)
    told.until(lies(2, PIECE))


def test_a_cable_that_is_pulled(table: VirtualTable, told: Patient) -> None:
    """The Pico ends at once; plugged in again it starts and reports the present state."""
    told.until(lies(1, PIECE))
    table.set_fault("pulled-cable", "track", True)
    told.until(lambda m: isinstance(m, PartIs) and m.state == "lost")
    table.put_on_space(0, [PIECE])
    table.set_fault("pulled-cable", "track", False)
    told.until(lies(0, PIECE))


def test_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the whole companion pieces are lined up, a card is laid and its piece follows."""
    monkeypatch.setattr(Client.until, "__defaults__", (60.0 * TIMES,))
    with companion(tmp_path, "--pico", "emulated") as running:
        client = running.client.host()
        client.until(lambda table: table["parts"]["track"] == "ok")
        game = Game(client)
        game.play("red", 1, on_pad=True)
        client.until(lambda table: not table["todo"] and not table["alerts"])


def test_the_doctor_looks_at_it(tmp_path: Path) -> None:
    """`companion doctor --mock --pico emulated` finds each sensor, in the emulated Pico's own words."""
    (tmp_path / "companion.toml").write_text(f"[track]\nspaces = {SPACES}\n")
    asked = ["doctor", "--mock", "--pico", "emulated", "--json", "--data", str(tmp_path)]
    ran = CliRunner().invoke(main, asked)
    assert ran.exit_code == 0, ran.output
    track = json.loads(ran.stdout)["track"]
    assert (track["state"], len(track["sensors"])) == ("ok", SPACES)
    assert "RP2040" in track["board"]
