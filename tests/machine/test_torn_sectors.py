"""A disk that reorders and tears what it has in its cache, as a memory card may, cut off at any write.

Only here: `kill -9` of the kernel loses its caches, and no order of what the disk itself had in hand.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.machine.log_writes import cut_disk, read_log
from tests.machine.machine import booted, disk, missing, module, planted
from tests.machine.player import decisions, on_the_table
from tests.machine.test_power_cuts import replayed

pytestmark = pytest.mark.long
CUTS = 40
DECISIONS = 12
GAME = "galloping-pigs"
SAID = ("THERE", "BEGAN", "ASKED", "CONFIRMED")


@pytest.fixture(autouse=True)
def kernel() -> None:
    if why := missing():
        pytest.skip(why)
    if not shutil.which("dmsetup"):
        pytest.skip("dmsetup is not installed: apt install dmsetup")


def there(image: Path, to: Path) -> list[Any]:
    """Return the decisions that the journal on this disk has, after ext4 has recovered."""
    subprocess.run(["e2fsck", "-fy", str(image)], check=False, capture_output=True)
    subprocess.run(["e2fsck", "-fn", str(image)], check=True, capture_output=True)
    to.mkdir()
    subprocess.run(["debugfs", "-R", f"rdump /data {to}", str(image)], check=True, capture_output=True)
    journal = to / "data" / "journal.sqlite"
    return decisions(on_the_table(to / "data")) if journal.exists() else []


def cut(tmp_path: Path, cuts: int, plant: Mapping[str, str]) -> Iterator[tuple[int, Any, list[Any]]]:
    """Play, then cut the disk off at so many writes; yield the write, the decisions there, and those allowed."""
    data, log = disk(tmp_path / "data.ext4"), tmp_path / "log"
    with log.open("wb") as file:
        file.truncate(256 << 20)
    before = tmp_path / "before.ext4"
    shutil.copyfile(data, before)
    modules = ",".join(str(module(name)) for name in ("dm-mod", "dm-log-writes"))
    words = {"mem": "256M", "ubd2": str(log), "MODULES": modules, "LOG": "yes", **plant}
    with booted(data, f"tests.machine.player {GAME}", words) as running:
        for _ in range(DECISIONS):
            running.line("CONFIRMED")
        running.cut()
    console = [line for line in running.said if line.partition(" ")[0] in SAID]
    writes = list(read_log(log))
    marks = {n: int(one.mark) for n, one in enumerate(writes, 1) if one.mark}
    assert len(marks) >= DECISIONS, "the log has no marks"
    rng = random.Random(GAME)
    for cut in sorted(rng.randint(min(marks), len(writes)) for _ in range(cuts)):
        image = tmp_path / "cut.ext4"
        shutil.copyfile(before, image)
        cut_disk(image, writes, cut, rng)
        said = [marks[n] for n in marks if n <= cut][-1]
        confirmed, _ = replayed(console[:said], [])
        then, asked = replayed(console[: said + 1], [])  # the next question, or a new game
        found = there(image, tmp_path / f"cut-{cut}-{rng.random()}")
        yield cut, found, [confirmed, [*then, asked] if asked else then]


def test_what_was_confirmed_is_there_after_writes_were_reordered_and_torn(tmp_path: Path, soak: int) -> None:
    """If any part of the disk's cache was written, the journal holds what was confirmed, once."""
    for at, found, allowed in cut(tmp_path, CUTS * soak, {}):
        assert found in allowed, f"after {at} writes: {json.dumps(found)} of {json.dumps(allowed)}"


def test_a_journal_that_does_not_wait_for_the_disk_is_found(tmp_path: Path) -> None:
    """With the fault "no fsync" planted, confirmed decisions are missing."""
    plant = planted("companion/store/file.py", "pragma synchronous=full", "pragma synchronous=off")
    assert any(found not in allowed for _, found, allowed in cut(tmp_path, CUTS, plant))
