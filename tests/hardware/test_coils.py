"""What goes from a reader's coil through a tag, and what follows for dishes, neighbours and bench tests."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from companion.devices.mock.rc522 import Clock
from companion.diagnostics import bench_tests
from hardware import coils
from hardware.sizes import sizes
from tests.support.swift_track import modules

PITCH = sizes()["pitch"]


@pytest.mark.parametrize("high", [5.0, 20.0, 60.0])
def test_two_round_turns_couple_as_in_the_closed_form(high: float) -> None:
    """Two turns on one axis couple as Maxwell's formula with elliptic integrals says."""
    one, other = coils.Tag(40, turns=1), coils.Tag(23, turns=1)
    a, b = 0.020, 0.0115
    k = math.sqrt(4 * a * b / ((a + b) ** 2 + (high / 1000) ** 2))
    angle = (np.arange(4000) + 0.5) * math.pi / 8000
    root = np.sqrt(1 - k**2 * np.sin(angle) ** 2)
    first, second = (1 / root).mean() * math.pi / 2, root.mean() * math.pi / 2
    exact = 4e-7 * math.pi * math.sqrt(a * b) * ((2 / k - k) * first - 2 / k * second)
    assert coils.inductance(one, other, [0.0], high)[0] == pytest.approx(1e9 * exact, rel=2e-3)


def test_far_away_coils_couple_like_dipoles() -> None:
    """Next to each other the coupling is negative and falls with the third power of the distance."""
    near, far = coils.inductance(coils.Coil(10, 10, 1), coils.Tag(10, 1), [100.0, 200.0], 1e-3)
    assert near < far < 0
    assert near / far == pytest.approx(8, rel=0.03)


def test_a_small_tag_has_a_null_where_half_of_it_is_outside_of_the_coil() -> None:
    """Within a few millimetres of the coil's edge a tag gets nothing, farther up farther out."""
    nulls = [coils.null(high) for high in coils.HEIGHTS]
    assert nulls == sorted(nulls)
    assert nulls[0][0] > 17
    assert nulls[-1][1] < 30


def test_a_piece_in_its_dish_is_held_by_its_reader() -> None:
    """Anywhere in its dish a tag gets most of what it gets in the middle, and more than ten times as much as
    from the next reader, for all sizes of coils and all heights.

    Sizes of coils are assumed; the bench tests `height` and `ghosts` settle it.
    """
    edge = sizes()["near"] + sizes()["play"]
    [hold] = coils.holds(PITCH, (edge,))
    assert hold.own > 0.75
    assert hold.ratio > 10


def test_two_pieces_side_by_side_are_read() -> None:
    """A sticker at the outer end of the dish, across the track, gets as much as one 20 mm above the middle, the
    least that the bench test `height` lets pass; both sides of a board are considered.

    Sizes of coils are assumed; the bench tests `height` and `tiles` settle it.
    """
    out = sizes()["near_across"] + sizes()["play"]
    for reader in coils.READERS:
        for tag in coils.TAGS:
            above = coils.inductance(reader, tag, [0.0], bench_tests.READS_UP_TO[0])[0]
            turned = coils.Coil(reader.across, reader.along)
            for high in coils.HEIGHTS[:2]:
                assert coils.inductance(turned, tag, [out], high)[0] >= above


def test_falling_power_tells_who_is_nearer_in_the_dish_only() -> None:
    """Up to the places of the bench test `nearer` the nearer reader gets more by a step of power and the
    spread of readers; at 25 mm the farther one may get more, so nothing is asked there.
    """
    assert coils.surely_nearer(PITCH) >= max(bench_tests.NEARER_HOLDS) > sizes()["near"] + sizes()["play"]
    low, high = coils.wrongly_nearer(PITCH)
    assert low <= bench_tests.NULL_AT <= high
    steps = (16, *modules(Clock()).scanner.CONTEST)
    assert max(a / b for a, b in pairwise(steps)) == coils.POWER_STEP
    [test] = [test for test in bench_tests.BENCH_TESTS if test.name == "nearer"]
    assert f"up to {coils.surely_nearer(PITCH):g} mm" in test.assumed
    assert f"from {low:g} to {high:g} mm" in test.assumed


def test_no_reader_hears_the_next_dish() -> None:
    """A reader that reads as high as the bench test `height` lets pass gets nothing of a piece in the next
    dish.
    """
    assert coils.ghosts_from(PITCH) >= bench_tests.READS_UP_TO[1]


def test_coils_nearer_than_a_pitch_couple_more() -> None:
    """At 55.4 mm, where coils in the bends were before, they couple by more than a third more than at 60 mm."""
    for reader in coils.READERS:
        [far, near] = coils.inductance(reader, reader, [60.0, 55.4], 1e-3)
        assert near / far > 1.33


def test_the_quick_field_is_the_computed_one() -> None:
    """Between the places of its grid the field of the hands' model differs by less than a hundredth."""
    field, reader, tag = coils.usual(), coils.READERS[0], coils.TAGS[0]
    aside = np.arange(0.5, 70, 3.3)
    unit = coils.inductance(reader, tag, [0.0], coils.STANDS)[0]
    for high in (5.0, 9.1, 23.0, 41.7):
        exact = coils.inductance(reader, tag, aside, high) / unit
        assert [field.at(x, high) for x in aside] == pytest.approx(exact.tolist(), abs=0.01)
    assert field.at(200, 5) == field.at(0, 500) == 0
