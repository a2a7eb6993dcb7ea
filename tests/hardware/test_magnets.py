"""A magnet in a piece closes the switch below its dish with any parts, and no other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from companion.diagnostics import bench_tests
from hardware import bom, magnets
from hardware.magnets import CANDIDATES, Magnet
from hardware.sizes import sizes


def test_a_piece_anywhere_in_its_dish_closes_its_switch_and_no_other() -> None:
    """The weakest magnet closes the dullest switch from anywhere in the dish, over all heights, with pieces
    on both sides; the strongest closes the keenest switch no farther than half the pitch, and releases it.

    Rests on the data sheet's limits, on grades N35 to N45, and on the places of magnet and switch [assumed];
    the bench test `hall` settles it.
    """
    assert list(magnets.verdict(magnets.chosen()).faults()) == []


def test_the_magnet_of_before_is_found_deaf() -> None:
    """A disc of 5 × 2 mm senses less than half of any dish that holds a piece loosely."""
    found = magnets.verdict(Magnet(5, 2))
    assert found.deaf() > 0.5
    assert any("deaf" in fault for fault in found.faults())


def test_each_law_rejects_a_candidate() -> None:
    """Too weak, too far, held closed by neighbours, pulling pieces: each is said of some disc in the shops."""
    said = {fault for magnet in CANDIDATES for fault in magnets.verdict(magnet).faults()}
    for what in ("is deaf", "two switches at once", "keep a switch closed", "move each other"):
        assert any(what in fault for fault in said), what


def test_two_pieces_on_a_switch_need_one_of_them_in_the_dish() -> None:
    """Side by side, with the switch between them, two pieces may not close it: wiring.md says where to stand them."""
    assert magnets.pair(magnets.chosen()) < magnets.DRV5032FA.closes_surely


def test_the_bench_test_asks_for_what_was_computed() -> None:
    """Its pass marks are the edge of the dish, below what is certain, and half the pitch, beyond what is
    reached.
    """
    found, size = magnets.verdict(magnets.chosen()), sizes()
    assert pytest.approx(size["switch_near"] + size["play"]) == bench_tests.HALL_CERTAIN
    assert found.certain >= bench_tests.HALL_CERTAIN
    assert bench_tests.HALL_REACH == size["pitch"] / 2 > found.reach
    [test] = [test for test in bench_tests.BENCH_TESTS if test.name == "hall"]
    for figure in (
        f"a {found.magnet.name} magnet",
        f"within {found.certain:.1f} mm",
        f"from {found.reach:.0f}",
    ):
        assert figure in test.assumed


def test_the_magnet_of_the_models_is_the_one_to_buy() -> None:
    """The pocket in the base of a piece is for the magnet on the list of parts."""
    assert f"magnet {magnets.chosen().name}" in {row.part for row in bom.OTHERS}


@pytest.mark.parametrize("magnet", CANDIDATES)
def test_the_field_on_the_axis_is_that_of_the_formula(magnet: Magnet) -> None:
    """On its axis a disc has a field in closed form."""
    for below in magnets.gaps():
        radius, far = magnet.diameter / 2, below + magnet.thick
        exact = 0.5 * (far / math.hypot(far, radius) - below / math.hypot(below, radius))
        down, outwards = magnets.field(magnet, 1.0, np.array([0.0]), below)
        assert down[0] == pytest.approx(1000 * exact, rel=1e-4)
        assert outwards[0] == pytest.approx(0, abs=1e-6)


@pytest.mark.nightly
@pytest.mark.parametrize("magnet", CANDIDATES)
def test_the_field_is_that_of_another_program(magnet: Magnet) -> None:
    """magpylib computes the same field off the axis, below the magnet and around it.

    Only here: a field that is right on the axis and wrong elsewhere.
    """
    magpylib = pytest.importorskip("magpylib")
    size = (magnet.diameter / 1000, magnet.thick / 1000)
    disc = magpylib.magnet.Cylinder(polarization=(0, 0, magnet.most), dimension=size)
    aside = np.linspace(0, 60, 121)
    for below in magnets.gaps():
        places = [(x / 1000, 0, -(below + magnet.thick / 2) / 1000) for x in aside]
        across, _, up = 1000 * disc.getB(places).T
        down, outwards = magnets.field(magnet, magnet.most, aside, below)
        assert np.abs(up) == pytest.approx(np.abs(down), abs=1e-3)
        assert np.abs(across) == pytest.approx(np.abs(outwards), abs=1e-3)
