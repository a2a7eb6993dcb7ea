"""The limit of the simulated evenings: worse and worse hands until a move is misread.

Only here: a sensing margin that has shrunk so far that hands only a little worse than real ones are misread,
or a fast model of the track that differs from the real driver.
"""

from __future__ import annotations

import pytest

from tests.support.hands import WORSE, Evenings
from tests.support.swift_evening import GAMES, SwiftEvening, Tally

pytestmark = pytest.mark.nightly

SHORT = {"galloping-pigs": 10, "galloping-horse": 4, "giro-galoppo": 5, "greyhounds": 7}  # game: seed


@pytest.mark.parametrize("game", GAMES)
def test_register_by_register_the_same_is_seen(game: str) -> None:
    """The real driver over modelled chips sees the same moves in as many sweeps, with no fault on the bus."""
    swift, full = (SwiftEvening(game, SHORT[game], full=how).play() for how in (False, True))
    assert (full.wrong, swift.wrong) == ([], [])
    assert full.eyes.spaces == swift.eyes.spaces == swift.truth.spaces
    assert full.track.sweeps == pytest.approx(swift.track.sweeps, rel=0.01)
    assert full.track.harm() == []


def test_where_it_ends() -> None:
    """Hands as they are cause no misread move; hands that are worse in everything do.

    The test prints the first factor at which a move is lost or invented.
    """
    failed = []
    for factor in (1.0, 1.25, 1.5, 2.0, 3.0):
        tally = Tally()
        for game in GAMES:
            for seed in range(3):
                table = WORSE["all but the far hearing at once"](Evenings(), factor)
                tally.take(SwiftEvening(game, seed, table).play(), game)
        print(f"all at once {factor} times as bad: {tally}")
        if tally.wrong["lost"] + tally.wrong["invented"]:
            failed.append(factor)
    assert failed, "hands three times as bad are still read: the simulation cannot tell good from bad"
    assert failed[0] > 1
    print(f"the first misread move: {failed[0]} times as bad")
