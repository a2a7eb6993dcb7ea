"""The wires and the signals, by ngspice: no edge turns back, the answer comes in time, the supply holds.

Only here: a resistor, wire length or chip with which an edge rings, a bit comes late or the supply dips.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from math import sin

import pytest

from hardware.signals import (
    BUSES,
    DUPONT,
    HOME,
    LENGTHS,
    LISTED,
    PICO,
    QUICK,
    STRONG,
    VCC,
    Case,
    Chips,
    Curve,
    answer,
    back_ns,
    cases,
    chained,
    clock,
    common,
    dip,
    edge_quality,
    margin_ns,
    set_up_ns,
    there_ns,
)

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(shutil.which("ngspice") is None, reason="no ngspice: sudo apt install ngspice"),
]


EACH = {
    "Pico": (BUSES, 0.01),
    LISTED.name: (cases(LISTED), 0.01),
    QUICK.name: (
        cases(QUICK),
        0.02,
    ),  # its strongest gate by 12 mV of 1,200, where three wires of 60 cm answer at once
}


@pytest.mark.parametrize(
    ("case", "most"),
    [
        pytest.param(case, most, id=f"{name}: {case.title}, {case.input_pf:.0f} pF")
        for name, (of, most) in EACH.items()
        for case in of
    ],
)
def test_no_edge_turns_back_between_the_thresholds(case: Case, most: float) -> None:
    """This holds at each input, and no edge exceeds the supply by more than its clamp diodes tolerate."""
    for curve in clock(case)[1:]:
        found = edge_quality(curve)
        assert found.turns_back < most
        assert found.lowest >= -0.5
        assert found.highest <= VCC + 0.5


def test_an_edge_that_rings_is_found() -> None:
    """Without resistors, or on one wire from group to group, the edge rings and is found."""
    bare = Case(DUPONT, (10, 20, 60), STRONG, 15, series=0)
    assert edge_quality(clock(bare)[3]).turns_back > 1
    assert max(edge_quality(curve).turns_back for curve in chained(PICO[0], DUPONT, 47)) > 0.05


def test_a_dent_in_an_edge_is_measured() -> None:
    """A drawn curve rises in 20 ns with a dent of 0.3 V at 1.5 V, and falls without one."""
    ns = tuple(float(n) for n in range(1020))
    volts = tuple(
        (1.2 if 26 <= t < 28 else min(VCC, max(0.0, (t - 20) * 0.3)))
        if t < 520
        else max(0.0, VCC - (t - 520) * 0.3)
        for t in ns
    )
    assert edge_quality(Curve(ns, volts)).turns_back == pytest.approx(0.3)
    still = Curve(ns, tuple(VCC / 2 + sin(t) for t in ns))
    assert edge_quality(still).turns_back == pytest.approx(1.2, abs=0.01)


LONGEST = {cm for lengths in LENGTHS for cm in lengths}


def test_the_answer_comes_in_time() -> None:
    """This holds for the worst parts and the longest wires, at the speed in use with the listed chips.

    With the quick chips it holds at twice that speed; with the listed ones that is not certain.
    """
    from firmware.pins import SPI_HZ

    listed, quick = (there_ns(chips, LONGEST) + back_ns(chips) for chips in (LISTED, QUICK))
    assert margin_ns(LISTED, listed, SPI_HZ / 1e6) > 50
    assert margin_ns(QUICK, quick, 2) > 25
    assert margin_ns(LISTED, listed, 2) < 0


@pytest.mark.parametrize("chips", [LISTED, QUICK], ids=lambda chips: chips.name)
@pytest.mark.parametrize("cm", [10, 60])
def test_mosi_stands_before_and_after_sck_rises(chips: Chips, cm: int) -> None:
    """At the nearest and the farthest reader MOSI is stable, at twice the speed in use."""
    assert set_up_ns(chips, there_ns(chips, [cm]), 2) > 50


@pytest.mark.parametrize("chips", [LISTED, QUICK], ids=lambda chips: chips.name)
def test_miso_stays_within_the_supply(chips: Chips) -> None:
    """Each multiplexer's output needs its resistor: without it a quick one exceeds the supply by volts."""
    for curve in common(chips):
        assert min(curve.volts) >= -0.5
        assert max(curve.volts) <= VCC + 0.5
    bare = answer(QUICK.outputs[0], DUPONT, 40, 10, (10, 20, 25, 30))
    assert max(bare.volts) > VCC + 2


def test_two_fields_that_come_on_take_little_from_the_supply() -> None:
    """It dips by less than a tenth of a volt, and the capacitor at the reader is needed for that."""
    assert VCC - min(dip().volts) < 0.05
    assert VCC - min(dip(local_uf=0.2).volts) > 0.1


def test_the_page_says_what_is_computed() -> None:
    """docs/signals.md and its drawings have what ngspice calculates now."""
    told = subprocess.run(
        [sys.executable, "-m", "hardware.signals", "--check"],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
