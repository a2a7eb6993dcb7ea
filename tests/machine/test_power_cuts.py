"""Power cuts of a whole machine: the real kernel, its caches and its ext4 are gone at once.

Only here: a decision that a screen had confirmed and that the file system had not, which killing only the companion
cannot show, since the kernel goes on to write.
"""

from __future__ import annotations

import json
import random
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.machine.machine import disk, machine, missing

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def kernel() -> None:
    if why := missing():
        pytest.skip(why)


GAMES = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")
CUTS = 5


def replayed(console: list[str], before: list[Any]) -> tuple[list[Any], Any]:
    """Return the decisions of the last game that the console has as confirmed, and the question that is open."""
    confirmed, asked = before, None
    for line in console:
        kind, _, value = line.partition(" ")
        if kind == "BEGAN":
            confirmed, asked = [], None
        elif kind == "ASKED":
            asked = json.loads(value)
        elif kind == "CONFIRMED":
            confirmed, asked = [*confirmed, json.loads(value)], None
    return confirmed, asked


@pytest.mark.parametrize("game", GAMES)
def test_what_was_confirmed_is_there_after_a_power_cut(game: str, tmp_path: Path, soak: int) -> None:
    """After every cut the journal holds what was confirmed, once; at most the open question is there as well."""
    rng = random.Random(game)
    data = disk(tmp_path / "data.ext4")
    confirmed: list[Any] = []  # of the game on the table
    asked: Any = None  # the question that may be open
    total = 0
    for _ in range(CUTS * soak):
        with machine(data, f"player {game}") as running:
            there = json.loads(running.line("THERE"))
            open_ones = [[*confirmed, asked]] if asked else [[]]  # the answer, or a new game, was on its way
            assert there in [confirmed, *open_ones], f"{there} is there, {confirmed} was confirmed"
            confirmed = there
            for _ in range(rng.randint(1, 12)):
                running.line("CONFIRMED")
            time.sleep(rng.uniform(0, 0.1))  # at any instant of a question, or between two
            running.cut()
        total += len(running.lines("CONFIRMED"))
        confirmed, asked = replayed(running.said, confirmed)
    assert total >= CUTS
    subprocess.run(["e2fsck", "-fy", str(data)], check=False, capture_output=True)
    assert subprocess.run(["e2fsck", "-fn", str(data)], check=False, capture_output=True).returncode == 0
