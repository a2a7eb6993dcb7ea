"""Odds: playouts of Galloping Pigs against the same loop in C, plain Python and OpenSpiel; the
other games.

C is compiled here with the machine's own compiler (bench/pigs_loop.c, -O3 -march=native). The plain Python is
the same loop over whole numbers, OpenSpiel's is `RandomRolloutEvaluator` of its Monte Carlo tree search on
bench/pigs_openspiel.py. All play the game from its opening to its end; each seat's part of the victory shows
that they play the same game. The unit is the CPU time of this process; the repetitions take turns, the table
shows their medians. Import and memory are measured in separate processes.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import util
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from cffi import FFI
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from bench import odds_screen
from bench import pigs_openspiel as spiel
from bench.report import is_short, machine, percentile, publish, table
from companion.games.galloping.decks import COPIES, HAND
from companion.games.galloping.rules import GallopingPigs
from companion.games.giro.rules import GiroGaloppo
from companion.games.greyhounds.rules import Greyhounds
from companion.games.race import Race, random_decision
from companion.games.terms import Decision
from companion.odds.estimate import kernel_believing
from companion.odds.galloping.kernel import Gallop
from companion.odds.styles import unknown

SEATS = ("Ada", "Ben", "Cleo", "Dev")
PIGS = ("red", "blue", "green", "yellow", "pink")
ROUNDS = 3
COUNT = 10_000


class Extent(NamedTuple):
    """The numbers of repetitions, games of cached worlds, processes that import, decisions of each game on
    the screen.
    """

    repetitions: int
    kept: int
    imports: int
    decisions: int


LONG, SHORT = Extent(21, 5, 7, 60), Extent(2, 1, 1, 3)
WITHIN_C, TIMES_OPENSPIEL, KEPT_MS, OTHERS_MS, IMPORT_S, MEMORY_MB = 6, 300, 5, 150, 0.3, 40


class Direct(Gallop):
    """The kernel without its table of the rounds to come: every round is played out."""

    def _wants_table(self, race: Any) -> bool:
        return False


def opening(rounds: int = ROUNDS) -> GallopingPigs:
    """Return a game lined up and dealt by people, in the public view."""
    race = GallopingPigs.new(SEATS, 0, rounds=rounds)
    return race.after(Decision("line-up", 0, PIGS)).after(Decision("deal")).seen_by(None)


# --- the same loop elsewhere ---------------------------------------------------------------------


def compiled() -> Any:
    """Return bench/pigs_loop.c as a module."""
    ffi = FFI()
    ffi.cdef("void play(int games, int rounds, uint64_t seed, int64_t *won);")
    source = (Path(__file__).parent / "pigs_loop.c").read_text(encoding="utf-8")
    ffi.set_source("bench_pigs_loop", source, extra_compile_args=["-O3", "-march=native"])
    built = ffi.compile(tmpdir=tempfile.mkdtemp(prefix="companion-bench-"))
    spec = util.spec_from_file_location("bench_pigs_loop", built)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def in_c(module: Any, games: int, rounds: int, seed: int) -> list[float]:
    """Return each seat's part of the victory."""
    won = module.ffi.new("int64_t[4]")
    module.lib.play(games, rounds, seed + 1, won)
    return [part / games / 12 for part in won]


def in_python(games: int, rounds: int, rng: random.Random) -> list[float]:
    """Run the loop of bench/pigs_loop.c, line by line; return each seat's part of the victory."""
    won, deck = [0.0] * 4, [pig for pig in range(len(PIGS)) for _ in range(COPIES)]
    for _ in range(games):
        kept, stock = [0] * 4, 55
        for number in range(rounds):
            cards, pigs = rng.sample(deck, 4 * HAND), [16, 8, 4, 2, 1]
            occupied, risked, seat = 31, [0] * 4, number % 4
            for ply, card in enumerate(cards):
                before = pigs[card]
                after = (occupied + before) & ~occupied
                leads = after > occupied
                occupied ^= before ^ after
                pigs[card] = after
                if leads and stock:
                    stock -= 1
                    risked[seat] += 1
                if ply >= 4 * (HAND - 1):
                    if leads:
                        kept[seat] += risked[seat]
                    else:
                        stock += risked[seat]
                seat = (seat + 1) % 4
        most = max(kept)
        first = kept.count(most)
        for seat in range(4):
            won[seat] += (kept[seat] == most) / first
    return [part / games for part in won]


def in_openspiel(games: int, seed: int) -> list[float]:
    """Return the mean food that each seat saved: OpenSpiel's game pays the food."""
    state = spiel.load().new_initial_state()
    state.apply_action(len(PIGS))
    evaluator = RandomRolloutEvaluator(games, np.random.RandomState(seed))
    return [float(food) for food in evaluator.evaluate(state)]


def in_numpy(kernel: Gallop, rounds: int, seed: int) -> list[float]:
    """Return each seat's part of the victory."""
    found = kernel.playouts(opening(rounds), COUNT, np.random.default_rng(seed))
    return [float(p) for p in found.values[: len(SEATS)].mean(axis=1)]


# --- time ----------------------------------------------------------------------------------------


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of a call."""
    began = time.process_time()
    work()
    return time.process_time() - began


def interleaved(
    repetitions: int, work: dict[str, tuple[Callable[[int], object], int]]
) -> dict[str, list[float]]:
    """Return milliseconds for COUNT playouts of each, of repetitions taking turns; each plays so many at a
    time.
    """
    took: dict[str, list[float]] = {name: [] for name in work}
    for play, _ in work.values():
        play(0)  # warm up: tables are made, code is loaded
    for repetition in range(repetitions):
        for name, (play, games) in work.items():
            took[name].append(seconds(partial(play, repetition)) * 1000 * COUNT / games)
    return took


def kept_worlds(games: int) -> list[float]:
    """Return milliseconds to update and replay 10,000 cached worlds, after each card of several rounds."""
    took = []
    for seed in range(games):
        rng, kernel = random.Random(seed), Gallop()
        race = GallopingPigs.new(SEATS, 0, rounds=ROUNDS)
        race = race.after(Decision("line-up", 0, PIGS)).after(Decision("deal"))
        kernel.batch(race.seen_by(None), 0, seed)  # draws the worlds and makes the table
        for _ in range(4 * HAND - 1):
            decision = random_decision(race.seen_by(None).guessed(rng), rng)
            assert decision is not None
            race = race.after(decision)
            view = race.seen_by(None)
            took.append(seconds(partial(kernel.batch, view, 0, seed)) * 1000)
    return took


def laid(race: GiroGaloppo) -> GiroGaloppo:
    """Return the race with its obstacles, before its first round: from then on seats have styles."""
    rng = random.Random(1)
    while race.due == "place-obstacle" and (decision := random_decision(race, rng)) is not None:
        race = race.after(decision)
    return race


def others(repetitions: int) -> list[list[object]]:
    """Measure 10,000 playouts from the start of the other games: median and slowest repetition."""
    rows: list[list[object]] = []
    cases: Sequence[tuple[type[Race], int, dict[str, Any]]] = (
        *((GiroGaloppo, seats, {}) for seats in (2, 3, 4, 5)),
        (GiroGaloppo, 5, {"rearmost_only": True}),
        *((Greyhounds, seats, {}) for seats in (3, 4)),
        (Greyhounds, 4, {"bookie": 0}),
    )
    openings = [
        (", ".join(options) or "as printed", game.new([*SEATS, "Emma"][:seats], 0, **options))
        for game, seats, options in cases
    ]
    styled = [laid(GiroGaloppo.new([*SEATS, "Emma"])), Greyhounds.new(SEATS), Greyhounds.new(SEATS, bookie=0)]
    believed = [("seats with styles", opening, unknown(opening)) for opening in styled]
    for name, opening, belief in [*((*case, ()) for case in openings), *believed]:
        race = opening.seen_by(None)
        kernel = kernel_believing(race, belief)
        kernel.playouts(race, COUNT, np.random.default_rng(0))
        took = [
            seconds(partial(kernel.playouts, race, COUNT, np.random.default_rng(r))) * 1000
            for r in range(repetitions)
        ]
        rows.append(
            [f"{race.title}, {name}", len(race.seats), f"{median(took):.0f} ms", f"{max(took):.0f} ms"]
        )
    return rows


PROBE = """
import os, time
import companion.table.table
from bench.running import resident_mb
began, before = time.process_time(), resident_mb(os.getpid())
import companion.worker.process
import companion.odds.galloping.kernel, companion.odds.giro.kernel, companion.odds.greyhounds.kernel
print(time.process_time() - began, resident_mb(os.getpid()) - before)
"""


def imports(processes: int) -> tuple[float, float]:
    """Return seconds and MB that the odds add to a companion that has everything else; medians of some
    processes.
    """
    found = []
    for _ in range(processes):
        said = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
        found.append([float(part) for part in said.stdout.split()])
    took, memory = zip(*found, strict=True)
    return median(took), median(memory)


def main() -> None:
    """Compare, measure, publish."""
    short = is_short(__doc__)
    extent = SHORT if short else LONG
    module, rng, direct, usual = compiled(), random.Random(1), Direct(), Gallop()
    same = (in_c(module, 200_000, ROUNDS, 1), in_python(20_000, ROUNDS, rng), in_numpy(direct, ROUNDS, 1))
    for one in same[1:]:
        assert all(abs(a - b) < 0.02 for a, b in zip(one, same[0], strict=True)), same
    few, less = COUNT // 50, COUNT // 500
    took = interleaved(
        extent.repetitions,
        {
            "C, -O3": (lambda r: in_c(module, COUNT, ROUNDS, r), COUNT),
            "companion, all rounds played out": (lambda r: in_numpy(direct, ROUNDS, r), COUNT),
            "companion, as asked: later rounds from a table": (
                lambda r: in_numpy(usual, ROUNDS, r),
                COUNT,
            ),
            "plain Python": (lambda r: in_python(few, ROUNDS, rng), few),
            "OpenSpiel, RandomRolloutEvaluator": (lambda r: in_openspiel(less, r), less),
        },
    )
    last = interleaved(
        extent.repetitions,
        {
            "C, -O3": (lambda r: in_c(module, COUNT, 1, r), COUNT),
            "companion": (lambda r: in_numpy(direct, 1, r), COUNT),
            "plain Python": (lambda r: in_python(few, 1, rng), few),
        },
    )
    report(took, last, same[0], extent, short=short)


def rows_of(took: dict[str, list[float]]) -> list[list[object]]:
    base, mine = (median(took[name]) for name in (next(iter(took)), list(took)[1]))
    return [
        [name, f"{median(times):,.1f}", f"{median(times) / base:,.1f} ×", f"{median(times) / mine:,.1f} ×"]
        for name, times in took.items()
    ]


def report(
    took: dict[str, list[float]],
    last: dict[str, list[float]],
    parts: list[float],
    extent: Extent,
    *,
    short: bool,
) -> None:
    """Publish the tables."""
    kept, (import_s, memory_mb) = kept_worlds(extent.kept), imports(extent.imports)
    head = [f"ms for {COUNT:,} playouts", "ms", "to C", "to ours"]
    worked_out = [
        "# Odds of Galloping Pigs, 4 seats, from the opening",
        table(head, rows_of(took)),
        f"Goals: ours within {WITHIN_C} × of C, OpenSpiel at least {TIMES_OPENSPIEL} × ours. "
        f"Parts of the victory in C: {', '.join(f'{p:.3f}' for p in parts)}; the others agree.",
        "The last round alone:",
        table(head, rows_of(last)),
        f"Stored worlds: {COUNT:,} updated after a card and replayed in {median(kept):.1f} ms (median of "
        f"{len(kept)} cards), {percentile(kept, 95):.1f} ms (95 % of them), {max(kept):.1f} ms at most. "
        f"Goal: {KEPT_MS} ms.",
        f"Import of all that the odds need in addition to the table: {import_s:.2f} s of CPU "
        f"and {memory_mb:.0f} MB. "
        f"Goals: {IMPORT_S} s, {MEMORY_MB} MB.",
        f"Other games, {COUNT:,} playouts from the start. Goal: {OTHERS_MS} ms.",
        table(["game", "seats", "median", "slowest"], others(extent.repetitions)),
    ]
    on_what = [
        f"Playouts: process CPU time, medians of {extent.repetitions} interleaved repetitions.",
        machine(["numpy", "open_spiel", "cffi", "playwright"]),
    ]
    try:
        screen = table(odds_screen.HEAD, odds_screen.measured(extent.decisions))
    except Exception:  # the measurements so far are stored
        publish("odds", *worked_out, "On the screen nothing could be measured.", *on_what, short=short)
        raise
    publish(
        "odds",
        *worked_out,
        "From a tapped decision to its odds on the screen, half of the times. Goal: first odds worked out "
        "within 100 ms.",
        screen,
        *on_what,
        short=short,
    )


if __name__ == "__main__":
    main()
