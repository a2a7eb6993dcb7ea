"""A thousand power cuts over the four games, on a disk that reorders and tears what is in its cache.

python -m tests.machine.soak [CUTS]

Each game is played in a modelled machine, then cut off at random writes; a line says what was found. Ends with status 1
if anything was lost, doubled or unreadable.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.machine.test_power_cuts import GAMES
from tests.machine.torn import Evening, missing

CUTS = 1000
DECISIONS = 40  # in an evening
OF_AN_EVENING = 50  # cuts


def main() -> int:
    """Play and cut; return the exit status."""
    if why := missing():
        print(f"nothing was checked: {why}")
        return 1
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else CUTS
    found: Counter[str] = Counter()
    began, rng = time.monotonic(), random.Random()
    for n in range(0, wanted, OF_AN_EVENING):
        game = GAMES[n // OF_AN_EVENING % len(GAMES)]
        with tempfile.TemporaryDirectory() as folder:
            evening = Evening(Path(folder), game, DECISIONS)
            for cut in evening.cuts(min(OF_AN_EVENING, wanted - n), rng):
                found[cut.fault or "whole"] += 1
                if cut.fault:
                    print(f"{game}, after {cut.at} of {len(evening.writes)} writes, {cut.fault}: {cut.seen}")
        faults = ", ".join(f"{found[kind]} {kind}" for kind in ("lost", "doubled", "unreadable"))
        print(f"{sum(found.values())} cuts: {faults}; {time.monotonic() - began:.0f} s; {game}", flush=True)
    return int(found.total() > found["whole"])


if __name__ == "__main__":
    sys.exit(main())
