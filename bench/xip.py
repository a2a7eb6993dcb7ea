"""The cost of misses of the cache before the flash (XIP) in a sweep, on the emulated Pico.

python -m bench.xip

rp2040py takes an instruction from flash as if it were always in the cache. Here each read of the flash goes
through a model of that cache, and a miss stops the core for as long as the flash takes to answer. The model:
16 KiB in two ways, lines of 8 bytes (RP2040 data sheet, 2.6.3) of which a miss fills the requested half; a
word from the flash is 20 periods of its clock (address and mode 8, dummy 4, data 8) of two cycles each, and 4
cycles for the rest. Which of two lines goes is not in the data sheet: both ways are tried. It runs rp2040py's
plain Python, so minutes for a second.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

from bench.pico import MEASURE_S, sweep
from bench.report import is_short, machine, publish, table
from bench.sweep import floor
from companion.devices.mock.emulation import FLASH_START
from tests.support.devices.emulated import why_not

SETS, WAYS, LINE, HALF = 1024, 2, 8, 4
MISS = 2 * (8 + 4 + 8) + 4  # cycles
FLASH_END = 0x11000000
PLAIN = "RP2040PY_SKIP_CYTHON"  # rp2040py's own word for: no machine code, every read can be watched


Replace = Callable[[int], int]
"""Which way of a set goes, told which was used last."""


class Cache:
    """Tags of a two-way cache; `stall` is the rest of the wait for the core, in cycles."""

    def __init__(self, replace: Replace, miss: int = MISS) -> None:
        self.replace, self.miss = replace, miss
        self.tags = [[-1] * WAYS for _ in range(SETS)]
        self.filled = [[0] * WAYS for _ in range(SETS)]
        self.last = [0] * SETS
        self.stall = 0

    def read(self, offset: int) -> None:
        """Read the flash at this offset."""
        line, half = offset // LINE, 1 << (offset // HALF & 1)
        n = line % SETS
        tags, filled = self.tags[n], self.filled[n]
        if line in tags:
            way = tags.index(line)
        else:
            way = self.replace(self.last[n])
            tags[way], filled[way] = line, 0
        self.last[n] = way
        if not filled[way] & half:
            filled[way] |= half
            self.stall += self.miss

    def before(self, chip: Any) -> None:
        """Insert it before the flash of an emulated chip that runs in plain Python."""
        for name in ("read_uint8", "read_uint16", "read_uint32"):
            setattr(chip, name, self._through(getattr(chip, name)))
        execute = chip.core.execute_instruction

        def stalled() -> int:
            cycles, self.stall = execute() + self.stall, 0
            return int(cycles)

        chip.core.execute_instruction = stalled

    def _through(self, read: Callable[[int], int]) -> Callable[[int], int]:
        def looked_up(address: int) -> int:
            if FLASH_START <= address < FLASH_END:
                self.read(address - FLASH_START)
            return read(address)

        return looked_up


def oldest(last: int) -> int:
    """Return the line that was not used last."""
    return 1 - last


def any_of(rng: random.Random) -> Replace:
    """Return either line."""
    return lambda last: rng.randrange(WAYS)


def main() -> None:
    """Measure and publish."""
    os.environ[PLAIN] = "1"
    short = is_short(__doc__)
    if (why := why_not()) is not None:
        raise SystemExit(f"not measured: {why}")
    either = any_of(random.Random(1))
    tracks = [
        (22, "never a miss", Cache(oldest, 0)),
        (22, "the older line goes", Cache(oldest)),
        (22, "either line goes", Cache(either)),
        (22, "either line goes, and the flash takes twice as long", Cache(either, 2 * MISS)),
        (40, "either line goes", Cache(either)),
    ]
    if short:
        tracks = [(1, "either line goes", Cache(either))]
    rows: list[list[object]] = []
    for readers, what, cache in tracks:
        tags = min(6, readers)
        mean, usual, pause = sweep(readers, tags, 0.1 if short else MEASURE_S, cache.before)
        least = floor(readers, tags)
        rows.append([f"{readers} readers, {tags} tags: {what}", f"{least:.0f}"])
        rows[-1] += [f"{usual:.0f}", f"{mean:.1f}", f"{mean / least:.2f} ×", f"{pause:.0f}"]
    publish(
        "xip",
        "# The cache before the Pico's flash",
        table(["a sweep, ms", "floor", "usual", "mean", "of the floor", "longest pause"], rows),
        f"A model of the cache (bench/xip.py) before the emulated flash: a miss takes {MISS} cycles of 8 ns.",
        machine(["rp2040py"]),
        short=short,
    )


if __name__ == "__main__":
    main()
