"""Half of the 500 evenings (10,000 in `make soak`): Galloping Pigs and Galloping Horse."""

from __future__ import annotations

import pytest

from tests.swift_evening import SOAK, played

pytestmark = pytest.mark.long


@pytest.mark.parametrize("game", ["galloping-pigs", "galloping-horse"])
def test_what_hands_move_is_what_is_seen(game: str, request: pytest.FixtureRequest) -> None:
    """Sliding, hovering, touching twice, slipping: every move is seen, none is invented, no card waits for nothing."""
    tally = played(game, range(125 * (SOAK if request.config.getoption("--soak", default=False) else 1)))
    print(f"{game}: {tally}")
    assert tally.said == []
