"""Every part can be printed without supports, in the orientation of its file."""

from __future__ import annotations

import math

import pytest
from manifold3d import Manifold

from hardware import fit, overhangs
from hardware.printing import MODELS


@pytest.mark.parametrize("name", MODELS)
def test_nothing_hangs_in_free_air(name: str) -> None:
    """No layer hangs in free air, and no bridge is longer than the pocket of a board is wide.

    How long a bridge may be is assumed; the bench test `tiles` settles it.
    """
    found = overhangs.report(fit.model(name))
    assert found.overhangs == ()
    assert found.longest_bridge <= overhangs.BRIDGE


def test_a_cover_the_wrong_way_up_is_found() -> None:
    """Its plug on the bed, the rim of a base's cover hangs in free air: more than 200 mm² of it."""
    cover = fit.model("magnet-cover")
    high = cover.bounding_box()[5]
    [rim] = overhangs.report(cover.rotate((180, 0, 0)).translate((0, 0, high))).overhangs
    assert rim.area > 200
    assert rim.z == pytest.approx(high - 4, abs=0.01)


def test_a_roof_that_is_too_wide_is_found() -> None:
    """A ceiling with walls at two sides is a bridge as long as it is wide, along either axis or across."""
    walls = fit.box((0, 3), (0, 20), (0, 5)) + fit.box((27, 30), (0, 20), (0, 5))
    table = walls + fit.box((0, 30), (0, 20), (5, 7))
    for turn in (0, 30, 90):
        turned = table.rotate((0, 0, turn))
        assert overhangs.report(turned).longest_bridge == pytest.approx(24, abs=1.6)
        [roof] = overhangs.report(turned, longest=20).overhangs
        assert roof.area == pytest.approx(24 * 20, rel=0.15)


def test_a_slope_that_leans_out_is_found() -> None:
    """A cone that widens upwards by 60° from upright hangs in free air, one by 40° does not."""
    for degrees, hangs in ((60, True), (40, False)):
        wider = 10 * math.tan(math.radians(degrees))
        cone = Manifold.cylinder(10, 5, 5 + wider, 96)
        assert bool(overhangs.report(cone).overhangs) == hangs
