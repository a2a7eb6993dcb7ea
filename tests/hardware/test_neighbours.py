"""The effect of idle readers' tuned coils grows with their quality and falls with the pitch."""

from __future__ import annotations

import numpy as np
import pytest

from companion.diagnostics.bench_tests import named
from hardware import neighbours
from hardware.coils import READERS, inductance


def test_the_coupling_is_that_of_two_dipoles() -> None:
    """Far apart, two flat coils couple as dipoles do: with the areas of their turns, by the third power."""
    coil = READERS[1]
    areas = sum((coil.along - 2 * n) * (coil.across - 2 * n) for n in range(coil.turns)) * 1e-6
    far = abs(float(inductance(coil, coil, [300.0], 0.0)[0]))
    assert far == pytest.approx(1e-7 * areas**2 / 0.3**3 * 1e9, rel=0.03)
    assert neighbours.coupling(45) > 3 * neighbours.coupling(60) > 0.02


def test_the_loss_is_that_of_coupled_circuits() -> None:
    """Kirchhoff's law for three tuned circuits has the same currents as the formula."""
    quality = 30.0
    share = neighbours.coupling(60) * quality
    found = neighbours.effect(quality, 60)
    ohms = np.eye(3, dtype=complex)  # of each circuit at its frequency, in units of its own resistance
    for one, other in ((0, 1), (1, 2)):
        ohms[one, other] = ohms[other, one] = 1j * share
    left, own, right = np.abs(np.linalg.solve(ohms, np.array([0.0, 1.0, 0.0])))
    assert left == pytest.approx(right)
    assert found.current == pytest.approx(left / own)
    assert found.lost == pytest.approx(1 - own)


def test_more_quality_is_worse_and_the_bench_test_says_the_figures() -> None:
    """Idle coils cost more, and show the next dish sooner, the higher their quality; the figures of the bench
    test are the computed ones.
    """
    effects = neighbours.effects()
    assert [one.lost for one in effects] == sorted(one.lost for one in effects)
    assert [one.ghosts_from for one in effects] == sorted((one.ghosts_from for one in effects), reverse=True)
    ten, thirty = (next(one for one in effects if one.quality == q) for q in (10, 30))
    assumed = named("neighbours").assumed
    assert f"{100 * ten.lost:.0f} to {100 * thirty.lost:.0f} %" in assumed
    assert f"{thirty.ghosts_from:.0f} to {ten.ghosts_from:.0f} mm" in assumed
