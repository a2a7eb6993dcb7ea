"""A full disk, a disk that the kernel makes read-only, a clock of 1970 and a machine of 256 MB, on a real kernel.

Only here: what ext4 and the kernel answer then, not what a stand-in answers.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.machine.machine import Machine, disk, machine, missing

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def kernel() -> None:
    if why := missing():
        pytest.skip(why)


def after(trouble: str, tmp_path: Path, megabytes: int = 64) -> Machine:
    """Return a machine that had this trouble and was cut off; what was confirmed is there at the next start."""
    data = disk(tmp_path / "data.ext4", megabytes)
    with machine(data, f"trouble {trouble}") as running:
        running.line("SHOWN")
        running.cut()
    with machine(data, "trouble look") as next_time:
        there = json.loads(next_time.line("THERE"))
    assert there == [json.loads(card) for card in running.lines("DECIDED")]
    return running


def test_a_full_disk(tmp_path: Path) -> None:
    """A decision that cannot be written is refused with what to do; with room again the game goes on."""
    running = after("full", tmp_path, megabytes=16)
    status, reason = json.loads(running.lines("REFUSED")[-1])
    assert status >= 500
    assert "disk" in reason
    assert running.lines("DECIDED")[-1] == '"red"'


def test_a_disk_that_becomes_read_only(tmp_path: Path) -> None:
    """The decision is refused, and the table is still shown."""
    running = after("read-only", tmp_path)
    [refused] = running.lines("REFUSED")
    status, reason = json.loads(refused)
    assert status >= 500
    assert "read-only" in reason


def test_file_systems_that_are_remounted_read_only_under_the_journal(tmp_path: Path) -> None:
    """What is confirmed then is there after the next power cut."""
    after("remounted", tmp_path)


def test_a_clock_that_begins_in_1970(tmp_path: Path) -> None:
    """The time comes in the middle of a game: it goes on, and the machine has not run for 56 years."""
    running = after("clock", tmp_path)
    assert running.lines("CLOCK") == ["1970"]
    assert len(running.lines("DECIDED")) == 2
    assert float(running.lines("HEALTH")[0]) < 3600


def test_ten_phones_on_256_megabytes(tmp_path: Path) -> None:
    running = after("small", tmp_path)
    assert running.lines("PHONES") == ["10"]
    assert float(running.lines("FREE_MB")[0]) > 60
