"""A disk that reorders and tears what it has in its cache, as a memory card may, cut off at any write.

Only here: `kill -9` of the kernel loses its caches, and no order of what the disk itself had in hand.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.machine.machine import planted
from tests.machine.torn import Evening, missing

pytestmark = pytest.mark.long
CUTS = 40
DECISIONS = 12
GAME = "galloping-pigs"


@pytest.fixture(autouse=True)
def kernel() -> None:
    if why := missing():
        pytest.skip(why)


def test_what_was_confirmed_is_there_after_writes_were_reordered_and_torn(tmp_path: Path, soak: int) -> None:
    """If any part of the disk's cache was written, the journal holds what was confirmed, once."""
    evening = Evening(tmp_path, GAME, DECISIONS)
    assert [cut for cut in evening.cuts(CUTS * soak, random.Random(GAME)) if cut.fault] == []


def test_a_journal_that_does_not_wait_for_the_disk_is_found(tmp_path: Path) -> None:
    """With the fault "no fsync" planted, confirmed decisions are missing."""
    plant = planted("companion/store/file.py", "pragma synchronous=full", "pragma synchronous=off")
    evening = Evening(tmp_path, GAME, DECISIONS, plant)
    assert any(cut.fault == "lost" for cut in evening.cuts(CUTS, random.Random(GAME)))
