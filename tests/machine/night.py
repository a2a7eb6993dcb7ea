"""Hours of play in machines whose power is cut: whole games, while parts, clock, Wi-Fi and the companion itself fail.

python -m tests.machine.night [HOURS] [MINUTES] [TABLES]

HOURS of table time in all, eight by default, but no longer than MINUTES; at so many tables together, four by default,
since a machine mostly waits. Half of them are installed ones (home.py), the others are on the kernel's own drivers.
Ends with status 1 if a decision was lost or doubled, a score was wrong, or a game was stuck. Table time is what the
hands of tests/support/hands.py need for what was done.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.appliance.debian import why_not
from tests.machine.appliance import Ended, installed
from tests.machine.deck import Deck
from tests.machine.home import Home, Kinds
from tests.machine.machine import booted, disk
from tests.machine.own_kernel import KERNEL, missing, words
from tests.support.together.evening import as_a_set

HOURS, MINUTES, TABLES = 8.0, 600.0, 4
PADS = ("spi", "usb", "pcsc")
"""What cards are read with; those of night_inside.py."""
ON_S = (60.0, 400.0)
"""Seconds from one power cut to the next."""
ON_AT_HOME_S = (120.0, 900.0)
"""The same where an update takes a minute."""


class Night:
    """What the machines have said so far: what is confirmed, what was asked, and the sums."""

    def __init__(self) -> None:
        self.kept: list[Any] = []
        self.asked: dict[str, Any] | None = None
        self.table_s, self.cuts, self.entries, self.judged, self.games = 0.0, 0, 0, 0, 0
        self.done: Counter[str] = Counter()
        self.wrong: list[str] = []

    def __str__(self) -> str:
        listed = ", ".join(f"{name} {count}" for name, count in sorted(self.done.items()))
        return (
            f"{self.table_s / 3600:.2f} h of table time, {self.games} whole games, {self.entries} entries, {self.judged}"
            f" judged, {self.cuts} power cuts: {len(self.wrong)} wrong ({listed})"
        )

    def __add__(self, other: Night) -> Night:
        """Return the sums of two tables."""
        both = Night()
        for name in ("table_s", "cuts", "entries", "judged", "games", "done", "wrong"):
            setattr(both, name, getattr(self, name) + getattr(other, name))
        return both

    def take(self, line: str) -> None:
        """Take a line of the console."""
        kind, _, text = line.partition(" ")
        match kind:
            case "THERE":
                there = json.loads(text)
                if not self.may_be(there):
                    self.wrong.append(f"{there} is there, {self.kept} was kept, {self.asked} was asked")
                self.kept, self.asked = there, None
            case "ASKED":
                self.asked = json.loads(text)
            case "KEPT":
                self.kept, self.asked, self.entries = json.loads(text), None, self.entries + 1
            case "TABLE":
                self.table_s += float(text)
            case "JUDGED":
                self.judged += 1
            case "GAME":
                self.games += 1
            case "DID":
                self.done[json.loads(text)] += 1
            case "WRONG" | "ENDED":
                self.wrong.append(line)

    def may_be(self, there: list[Any]) -> bool:
        """Return whether a journal may hold this: what was confirmed, with the open question answered or not."""
        there = [as_a_set(line) for line in there]
        kept = [as_a_set(line) for line in self.kept]
        if there == kept:
            return True
        match self.asked and self.asked["do"]:
            case None:
                return False
            case "new game":
                return there == []
            case "undo":
                return there == kept[:-1]
            case "redo" | "change":
                return len(there) <= len(kept) + 1
            case _:
                return there == [*kept, as_a_set(self.asked or {})]


def night(found: Night, folder: Path, seed: int, is_over: Callable[[], bool], pads: Deck[str]) -> None:
    """Play at a table until the night is over, or something was wrong; cut the power now and then."""
    rng = random.Random(seed)
    data = disk(folder / "data.ext4", 128)
    while not is_over() and not found.wrong:
        with booted(
            data,
            f"tests.machine.night_inside {rng.randrange(1 << 30)} {pads.draw()}",
            words() | {"dummy_hcd.num": "5"},
            str(KERNEL),
        ) as running:
            off = time.monotonic() + rng.uniform(*ON_S)
            taken = 0
            while time.monotonic() < off and not is_over() and not found.wrong:
                try:
                    running.line("", patience_s=300)
                except AssertionError as ended:
                    found.wrong.append(f"it says nothing more: {ended}")
                    break
                found.take(running.said[taken])
                taken += 1
            running.cut()
            for line in running.said[taken:]:
                found.take(line)
            if found.wrong:
                print("\n".join(running.said[-60:]))
        found.cuts += 1
        print(f"seed {seed}: {found}", flush=True)


def night_at_home(found: Night, folder: Path, seed: int, is_over: Callable[[], bool], kinds: Kinds) -> None:
    """Play as `night` does, at an installed table."""
    rng = random.Random(seed)
    home = Home(folder / "disk", installed(), rng, kinds)
    while not is_over() and not found.wrong:
        off = rng.uniform(*ON_AT_HOME_S)
        with home.on() as lines:
            off += time.monotonic()
            try:
                while time.monotonic() < off and not is_over() and not found.wrong:
                    found.take(lines.line("").rstrip())
            except (Ended, AssertionError) as ended:
                found.wrong.append(f"it says nothing more: {ended}")
        while (line := lines.lines.get()) is not None:  # what it said until the power was cut
            found.take(line.rstrip())
        found.cuts += 1
        found.done.update(home.done)
        home.done.clear()
        found.wrong += home.wrong
        print(f"at home, seed {seed}: {found}", *found.wrong, sep="\n", flush=True)


def main() -> int:
    """Play a night; return the exit status."""
    if why := missing() or why_not():
        print(f"nothing was checked: {why}")
        return 1
    given = [float(word) for word in sys.argv[1:]]
    hours, minutes, tables = given + [HOURS, MINUTES, float(TABLES)][len(given) :]
    found = [Night() for _ in range(int(tables))]
    end = time.monotonic() + minutes * 60

    def is_over() -> bool:
        return time.monotonic() > end or sum(one.table_s for one in found) >= hours * 3600

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(found)) as together:
        played = []
        pads, kinds = Deck(PADS, random.Random()), Kinds(random.Random())
        for number, one in enumerate(found):
            home = Path(folder, str(number))
            home.mkdir()
            seed = random.randrange(1 << 30)
            if number % 2:
                played.append(together.submit(night, one, home, seed, is_over, pads))
            else:
                played.append(together.submit(night_at_home, one, home, seed, is_over, kinds))
        for table in played:
            table.result()
    print("all:", sum(found[1:], found[0]))
    print(*(wrong for one in found for wrong in one.wrong), sep="\n")
    return int(any(one.wrong for one in found))


if __name__ == "__main__":
    sys.exit(main())
