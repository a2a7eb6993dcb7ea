"""Half of the 500 evenings (10,000 in `make soak`, at a Pico half as slow again): Galloping Pigs and Galloping Horse."""

from __future__ import annotations

import pytest

from tests.support import amount
from tests.support.swift_evening import EACH, played, soaked

pytestmark = pytest.mark.nightly


@pytest.mark.parametrize("game", ["galloping-pigs", "galloping-horse"])
def test_what_hands_move_is_what_is_seen(game: str) -> None:
    """Sliding, hovering, touching twice, slipping: every move is seen, none is invented, no card waits for nothing."""
    tally = soaked(game) if amount.soaking else played(game, range(EACH))
    print(f"{game}: {tally}")
    assert tally.said == []
