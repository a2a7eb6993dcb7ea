"""What the wires do to the signals, by ngspice: no edge turns back, the answer comes in time, the supply holds."""

from __future__ import annotations

import shutil
import subprocess
import sys
from math import sin

import pytest

from hardware.signals import (
    BUSES,
    CASES,
    DUPONT,
    HOME,
    PICO,
    STRONG,
    VCC,
    Case,
    Curve,
    asked,
    back_ns,
    chained,
    clock,
    dip,
    margin_ns,
)

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("ngspice") is None, reason="no ngspice: sudo apt install ngspice"),
]


@pytest.mark.parametrize("case", [*CASES, *BUSES], ids=lambda case: f"{case.title}, {case.input_pf:.0f} pF")
def test_no_edge_turns_back_between_the_thresholds(case: Case) -> None:
    """At any input, and none goes further beyond the supply than its clamp diodes take as nothing."""
    for curve in clock(case)[1:]:
        found = asked(curve)
        assert found.turns_back < 0.01
        assert found.lowest >= -0.5
        assert found.highest <= VCC + 0.5


def test_an_edge_that_rings_is_found() -> None:
    """Without the resistors, and on one wire from group to group: as it is not wired."""
    bare = Case(DUPONT, (10, 20, 60), STRONG, 15, series=0)
    assert asked(clock(bare)[3]).turns_back > 1
    assert max(asked(curve).turns_back for curve in chained(PICO[0], DUPONT, 47)) > 0.05


def test_a_dent_in_an_edge_is_measured() -> None:
    """In a curve that is drawn for it: up in 20 ns with a dent of 0.3 V at 1.5 V, and down without one."""
    ns = tuple(float(n) for n in range(1020))
    volts = tuple(
        (1.2 if 26 <= t < 28 else min(VCC, max(0.0, (t - 20) * 0.3)))
        if t < 520
        else max(0.0, VCC - (t - 520) * 0.3)
        for t in ns
    )
    assert asked(Curve(ns, volts)).turns_back == pytest.approx(0.3)
    still = Curve(ns, tuple(VCC / 2 + sin(t) for t in ns))
    assert asked(still).turns_back == pytest.approx(1.2, abs=0.01)


def test_the_answer_comes_in_time_at_the_speed_that_is_used() -> None:
    """With every part at its worst and the longest wires; twice as fast it would not for certain."""
    from firmware.pins import SPI_HZ

    there = sum(max(asked(c).late_ns for case in of for c in clock(case)[1:]) for of in (CASES, BUSES))
    wires = there + back_ns()
    assert margin_ns(wires, SPI_HZ / 1e6) > 50
    assert margin_ns(wires, 2 * SPI_HZ / 1e6) < 0


def test_two_fields_that_come_on_take_little_from_the_supply() -> None:
    """Less than a tenth of a volt, and the capacitor at the reader is needed for that."""
    assert VCC - min(dip().volts) < 0.05
    assert VCC - min(dip(local_uf=0.2).volts) > 0.1


def test_the_page_says_what_is_computed() -> None:
    """docs/signals.md and its drawings, as ngspice computes them now."""
    told = subprocess.run(
        [sys.executable, "-m", "hardware.signals", "--check"],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
