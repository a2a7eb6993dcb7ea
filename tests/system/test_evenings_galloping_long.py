"""Half of the 500 evenings: Galloping Pigs and Galloping Horse.

`make soak` plays 10,000, at a Pico half as slow again.

Only here: a move that the sensors lose or invent in Galloping Pigs or Galloping Horse, under a slip, a hover
or a double touch that few evenings have.
"""

from __future__ import annotations

import pytest

from tests.support import amount
from tests.support.swift_evening import EACH, played, soaked

pytestmark = pytest.mark.nightly


@pytest.mark.parametrize("game", ["galloping-pigs", "galloping-horse"])
def test_what_hands_move_is_what_is_seen(game: str) -> None:
    """Hands slide, hover, slip and touch twice: each move is seen, none is invented, no card waits."""
    tally = soaked(game) if amount.soaking else played(game, range(EACH))
    print(f"{game}: {tally}")
    assert tally.said == []
