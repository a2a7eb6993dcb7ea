"""Everything goes wrong at once: no score is wrong, no game is stuck, and nothing grows.

People who make mistakes play whole games on modelled hardware. Its parts die and come back; the machine's
clock jumps, its disk is slow, it halts and loses power. Forty phones watch, sleep and stall, and hostile
clients send requests. tests/support/recount, which knows the rules from paper, judges what each phone showed
of each entry, and so does the list of decisions that the people made.

Only here: a wrong score, a stuck game or a leak that needs two faults at the same time.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.together.evening import Evening, Found, Used

pytestmark = [pytest.mark.nightly, pytest.mark.early]  # eleven minutes on one process

GAMES = ("galloping-pigs", "giro-galoppo", "galloping-horse", "greyhounds")
PHONES, HOSTILE = 40, 12
SOAK_S = 8 * 3600.0  # of table time, for all evenings together
EVENINGS = 6  # of the soak, at the same time


def played(directory: Path, seed: int, soak: int) -> Found:
    """Play one evening: two games and one power cut; in the soak its share of eight hours."""
    directory.mkdir()
    evening = Evening(directory, seed, PHONES, HOSTILE)
    if soak == 1:
        return evening.play(GAMES[:2], cuts=1)
    return evening.play(itertools.cycle(GAMES), cuts=3, enough_s=SOAK_S / EVENINGS)


def test_all_at_once_never_gives_a_wrong_score_or_a_stuck_game(tmp_path: Path, soak: int) -> None:
    seeds = range(1 if soak == 1 else EVENINGS)
    with ThreadPoolExecutor(len(seeds)) as pool:
        evenings = list(pool.map(lambda seed: played(tmp_path / str(seed), seed, soak), seeds))
    for found in evenings:
        print(found, *found.wrong, sep="\n")
    assert [found.wrong for found in evenings] == [[]] * len(evenings)
    assert all(found.judged > 30 for found in evenings)
    for life in (life for found in evenings for life in found.used):
        assert_steady(life)


def assert_steady(life: Sequence[Mapping[str, Used]]) -> None:
    """Assert that a companion uses no more from its third game on than in the first two.

    It is measured each time after all is quiet.
    """
    for process in ("host", "odds"):
        held = [
            used[process] for used in life if process in used
        ]  # the odds process may just have been killed
        first, later = held[:2], held[2:]
        for used in later:
            assert used.threads <= max(one.threads for one in first), held
            assert used.descriptors <= max(one.descriptors for one in first) + 2, held
            assert used.resident_mb <= 1.25 * max(one.resident_mb for one in first), held
