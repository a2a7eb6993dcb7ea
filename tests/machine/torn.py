"""Evenings on a disk whose writes are logged, and what is there after it was cut off at any of them."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from companion.errors import CompanionError
from tests.machine.log_writes import Write, cut_disk, read_log
from tests.machine.machine import booted, disk, module
from tests.machine.machine import missing as no_machine
from tests.machine.player import decisions, on_the_table
from tests.machine.test_power_cuts import replayed

SAID = ("THERE", "BEGAN", "ASKED", "CONFIRMED")
Fault = Literal["lost", "doubled", "unreadable"]


def missing() -> str | None:
    """Return what is missing here for such an evening, in one line; None if nothing is."""
    if not shutil.which("dmsetup"):
        return "dmsetup is not installed: apt install dmsetup"
    return no_machine()


class Cut(NamedTuple):
    """A disk that was cut off after so many writes: what is wrong with it, and how that was seen."""

    at: int
    fault: Fault | None = None
    seen: str = ""


class Evening:
    """An evening of one game in a modelled machine: its disk before, and all that was written and said."""

    def __init__(self, folder: Path, game: str, many: int, plant: Mapping[str, str] | None = None) -> None:
        self.folder, self.game = folder, game
        data, log = disk(folder / "data.ext4"), folder / "log"
        with log.open("wb") as file:
            file.truncate(256 << 20)
        self.before = folder / "before.ext4"
        shutil.copyfile(data, self.before)
        modules = ",".join(str(module(name)) for name in ("dm-mod", "dm-log-writes"))
        words = {"mem": "256M", "ubd2": str(log), "MODULES": modules, "LOG": "yes", **(plant or {})}
        with booted(data, f"tests.machine.player {game}", words) as running:
            for _ in range(many):
                running.line("CONFIRMED")
            running.cut()
        self.console = [line for line in running.said if line.partition(" ")[0] in SAID]
        self.writes: list[Write] = list(read_log(log))
        self.marks = {n: int(one.mark) for n, one in enumerate(self.writes, 1) if one.mark}
        log.unlink()
        assert len(self.marks) >= many, "the log has no marks"

    def cuts(self, many: int, rng: random.Random) -> Iterator[Cut]:
        """Cut the disk off at so many writes, in order; yield what is there each time."""
        for at in sorted(rng.randint(min(self.marks), len(self.writes)) for _ in range(many)):
            image = self.folder / "cut.ext4"
            shutil.copyfile(self.before, image)
            cut_disk(image, self.writes, at, rng)
            said = [self.marks[n] for n in self.marks if n <= at][-1]
            yield self._judged(at, image, *self._allowed(said))

    def _allowed(self, said: int) -> tuple[list[Any], list[Any]]:
        """Return the decisions that must be there after so many lines, and those that may be by the next mark."""
        confirmed, _ = replayed(self.console[:said], [])
        then, asked = replayed(self.console[: said + 1], [])  # the next question, or a new game
        return confirmed, [*then, asked] if asked else then

    def _judged(self, at: int, image: Path, must: list[Any], may: list[Any]) -> Cut:
        try:
            found = there(image, self.folder / "there")
        except (subprocess.CalledProcessError, sqlite3.Error, CompanionError, ValueError) as problem:
            return Cut(at, "unreadable", str(problem))
        if found in (must, may):
            return Cut(at)
        fault: Fault = "lost" if len(found) < len(must) else "doubled"
        return Cut(at, fault, f"{found} is there, {must} was confirmed")


def there(image: Path, to: Path) -> list[Any]:
    """Return the decisions that the journal on this disk has, after ext4 has recovered."""
    subprocess.run(["e2fsck", "-fy", str(image)], check=False, capture_output=True)
    subprocess.run(["e2fsck", "-fn", str(image)], check=True, capture_output=True)
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir()
    subprocess.run(["debugfs", "-R", f"rdump /data {to}", str(image)], check=True, capture_output=True)
    journal = to / "data" / "journal.sqlite"
    return decisions(on_the_table(to / "data")) if journal.exists() else []
