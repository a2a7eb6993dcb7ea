"""A presence track: the row of shift registers, and the real driver over the real firmware."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest

from companion.devices.mock import machine
from companion.devices.mock.tags import DEMO_SET
from companion.devices.mock.virtual_table import VirtualTable
from companion.devices.readings import PartIs, PresenceSeen
from companion.devices.track import Track
from tests.support.devices.modelled import Told
from tests.support.devices.vm import VirtualMachine, track_of

TAGS = list(DEMO_SET)


@pytest.fixture(params=["python", pytest.param("micropython", marks=pytest.mark.long)])
def switches(request: pytest.FixtureRequest) -> Any:
    """Return a builder of the firmware's switches over a modelled row, in Python and in MicroPython.

    Only here: code of the switches that runs in Python but behaves otherwise, or fails, in MicroPython.
    """
    return request.getfixturevalue(f"switches_in_{request.param}")


@pytest.fixture
def switches_in_python(pico_in_python: Any) -> Any:
    pico_in_python(1)  # the firmware's modules are this process's

    def build(n: int) -> Any:
        track = machine.Wiring(0, n)
        track.wire(importlib.import_module("pins"))
        machine.be(track)
        spaces = importlib.import_module("spaces").Spaces(n)
        return track, spaces, importlib.import_module("switches").Switches(spaces, list(range(n)))

    return build


@pytest.fixture
def switches_in_micropython() -> Iterator[Any]:
    with VirtualMachine(track_of(0)) as vm:

        def build(n: int) -> Any:
            vm.track = track_of(0, n)
            vm.load_anew()
            vm.run("import spaces, switches")
            vm.run(f"lies = spaces.Spaces({n})\nrow = switches.Switches(lies, range({n}))")
            return vm.track, vm.ask("lies"), vm.ask("row")

        yield build


@pytest.mark.parametrize("n", [1, 7, 8, 9, 22, 40])
def test_every_switch_is_its_space(switches: Any, n: int) -> None:
    """One magnet at a time, wherever in the row: exactly its space has something."""
    track, spaces, row = switches(n)
    for space in range(n):
        track.closed = [i == space for i in range(n)]
        for _ in range(2):
            row.poll()
        assert spaces.now == track.closed


def test_two_looks_must_agree(switches: Any) -> None:
    """A magnet that only one poll sees, as it flies past, is ignored."""
    track, spaces, row = switches(9)
    for _ in range(2):
        row.poll()
    track.closed[4] = True
    row.poll()
    assert spaces.now == [False] * 9
    track.closed[4] = False
    for _ in range(3):
        row.poll()
        assert spaces.now == [False] * 9


@pytest.mark.parametrize("how", ["cut", "short to ground"])
def test_a_broken_row_is_unknown(switches: Any, how: str) -> None:
    """A row that passes nothing on, or says that a magnet is everywhere, knows nothing; mended, it knows."""
    track, spaces, row = switches(9)
    for _ in range(2):
        row.poll()
    if how == "cut":
        track.cut = True
    else:
        track.closed = [True] * 9
    row.poll()
    assert spaces.now == [None] * 9
    assert row.faults == dict.fromkeys(range(9), "chain")
    track.cut, track.closed = False, [False] * 9
    for _ in range(2):
        row.poll()
    assert (spaces.now, row.faults) == ([False] * 9, {})


@pytest.fixture
def table() -> Iterator[VirtualTable]:
    made = VirtualTable(None, 22, kind="present")
    made.start()
    yield made
    made.stop()


@pytest.fixture
def track(table: VirtualTable, told: Told) -> Iterator[Track]:
    made = Track(lambda: table.pico_port, 22, kind="present")
    made.start(told)
    yield made
    made.stop()


def present(*spaces: int) -> PresenceSeen:
    return PresenceSeen({i: i in spaces for i in range(22)})


def test_pieces_come_and_go(track: Track, table: VirtualTable, told: Told) -> None:
    """Two pieces on a space are one presence; when both are lifted it is empty."""
    table.put_on_space(3, TAGS[:2])
    told.until(present(3).__eq__)
    table.put_on_space(21, [TAGS[2]])
    told.until(present(3, 21).__eq__)
    table.put_on_space(3, [])
    told.until(present(21).__eq__)
    assert {sensor.kind for sensor in track.health.sensors} == {"present"}
    assert table.report()["wrong"] == []


def test_what_is_wrong_is_said(track: Track, table: VirtualTable, told: Told) -> None:
    """A cut row is lost and unknown; a stuck switch goes on saying that something is there."""
    told.until(present().__eq__)
    table.set_fault("cut-row", "track", True)
    told.until(lambda m: isinstance(m, PartIs) and "the switches of the track do not answer" in str(m.why))
    table.set_fault("cut-row", "track", False)
    told.until(lambda m: m == PartIs("track", "ok"))
    table.set_fault("stuck-switch", "track/4", True)
    told.until(present(4).__eq__)
    table.set_fault("stuck-switch", "track/4", False)
    told.until(present().__eq__)
