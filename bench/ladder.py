"""Does each robot beat the one below? One seat is played by the stronger robot, all others by the
weaker one.

Run it with `make ladder`; it writes docs/ladder.md, the same for the same seed but for the times. The
stronger one sits in each seat as often as in any other. `--part` plays a part of the games, `--games NAME`
those of one game. Finished games are stored in build/ until the page is complete: an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from math import sqrt
from operator import attrgetter
from pathlib import Path
from statistics import fmean, stdev
from typing import Final, NamedTuple

from bench.kept import brought
from bench.report import machine, percentile, table
from companion import games
from companion.bots.players import STRENGTHS, decide, kind_of, next_decision
from companion.games.boxes import box_for, boxes, options_for
from companion.odds.chance import victory
from companion.odds.styles import learned_by_robots

DOCS: Final = Path(__file__).parent.parent / "docs"
KEPT: Final = DOCS.parent / "build" / "ladder.jsonl"
LADDER: Final = ("random", *STRENGTHS)
GAMES: Final = 1000  # for each step of the ladder
CHUNK: Final = 20  # games that a process plays before it reports
PLAYED: Final = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")


class Step(NamedTuple):
    """A game of so many seats, and two robots that follow one another on the ladder."""

    game: str
    seats: int
    lower: str
    upper: str


class Job(NamedTuple):
    """Some games of a step, from the number `first` on."""

    step: Step
    seed: int
    first: int
    games: int


class JobResult(NamedTuple):
    """The result of a job: by game the stronger robot's part of the victory; its milliseconds a decision.

    These are CPU time, so that they do not depend on other work, and so are the seconds of the job.
    """

    step: Step
    won: tuple[float, ...]
    thought_ms: tuple[float, ...]
    seconds: float


def steps(named: Sequence[str]) -> list[Step]:
    """Return every step of the ladder, for each game and each number of seats."""
    return [
        Step(game, seats, lower, upper)
        for game in named
        for low, high in [games.find_by_name(game).seat_counts]
        for seats in range(low, high + 1)
        for lower, upper in pairwise(LADDER)
    ]


def carried_out(job: Job) -> JobResult:
    """Return the result of these games."""
    step, won, thought_ms, started = job.step, [], [], time.process_time()
    for number in range(job.first, job.first + job.games):
        rng = random.Random(f"ladder {job.seed}/{'/'.join(map(str, step))}/{number}")
        at = number % step.seats
        bots = [step.upper if seat == at else step.lower for seat in range(step.seats)]
        game = games.find_by_name(step.game)
        seats, start = [str(seat) for seat in range(step.seats)], number // step.seats % step.seats
        race = game.new(seats, start=start, **options_for(game, step.seats))
        past = [race]
        while (due := race.awaits()) is not None:
            if due.seats == (at,) and not race.may_deal():
                began = time.process_time()
                belief = learned_by_robots(past) if kind_of(step.upper) == "thinker" else ()
                decision = decide(step.upper, race, at, rng, belief=belief)
                thought_ms.append(1000 * (time.process_time() - began))
            else:
                made = next_decision(race, bots, rng, past=past)
                assert made is not None
                decision = made
            race = race.after(decision)
            past.append(race)
        won.append(victory(race)[at])
    return JobResult(step, tuple(won), tuple(thought_ms), time.process_time() - started)


class Result(NamedTuple):
    """A step measured: the stronger one's part of the victories, its 95 % error, and how long it thinks."""

    step: Step
    games: int
    won: float
    error: float
    thought_ms: float
    slow_ms: float
    minutes: float

    @property
    def is_higher(self) -> bool:
        """True if the stronger one wins more than its seat would, beyond doubt."""
        return self.won - self.error > 1 / self.step.seats


def measured(results_of: Iterable[JobResult]) -> Iterator[Result]:
    """Yield each step, once all its games are played; progress goes to the error output."""
    for step, each in groupby(results_of, attrgetter("step")):
        results = list(each)
        won = [part for one in results for part in one.won]
        thought = [ms for one in results for ms in one.thought_ms] or [0.0]
        error = 1.96 * stdev(won) / sqrt(len(won))
        slow = percentile(thought, 99) if len(thought) > 1 else thought[0]
        minutes = sum(one.seconds for one in results) / 60
        result = Result(step, len(won), fmean(won), error, fmean(thought), slow, minutes)
        print(f"{row(result)}, {minutes:.1f} min", file=sys.stderr, flush=True)
        yield result


def title_of(step: Step) -> str:
    """Return the game and the seats of a step, and its box if it is not the usual one.

    >>> title_of(Step("galloping-pigs", 5, "easy", "medium"))
    'Galloping Pigs, 5 seats (27 tiles, food chips)'
    """
    game = games.find_by_name(step.game)
    box = box_for(game, step.seats)
    title = f"{game.title}, {step.seats} seats"
    return title if box is boxes(game)[0] else f"{title} ({box.title})"


def row(result: Result) -> list[object]:
    """Return a line of the table."""
    step = result.step
    share = f"{result.won:.1%} ± {result.error:.1%}"
    return [
        f"{title_of(step)}: {step.upper} among {step.lower}",
        result.games,
        f"{1 / step.seats:.1%}",
        share if result.is_higher else f"**{share}**",
        f"{result.thought_ms:.1f}",
        f"{result.slow_ms:.0f}",
    ]


def page(results: Sequence[Result], seed: int) -> str:
    """Return docs/ladder.md."""
    higher = sum(result.is_higher for result in results)
    minutes = sum(result.minutes for result in results)
    head = ("who among whom", "games", "its seat alone", "victories", "ms a decision", "99 % within ms")
    return (
        "\n\n".join(
            (
                "# Are robots as strong as they say?",
                "`make ladder` makes this page. A robot plays one seat, and the one below it on the "
                "ladder plays all others: random play first, then the strengths that a host can choose. "
                "The robot sits in each seat equally often. *Its seat alone* is what it would win if "
                "strength did not matter; a shared victory counts by its share. Errors are those of 95 "
                "%. In **bold**: not more than its seat, beyond doubt.",
                f"{higher} of {len(results)} steps are steps up. Seed {seed}, {minutes:.0f} minutes of a "
                f"processor, on {machine(['numpy'])}",
                table(head, map(row, results)),
            )
        )
        + "\n"
    )


def main() -> None:
    """Play, and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", nargs="*", default=PLAYED, choices=PLAYED, help="which games")
    parser.add_argument("--part", type=float, default=1.0, help="what part of the games to play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--kept", type=Path, default=KEPT, help="what was played")
    parser.add_argument("--to", type=Path, default=DOCS, help="where to write the page")
    asked = parser.parse_args()
    count = max(CHUNK, round(GAMES * asked.part))
    jobs = [
        Job(step, asked.seed, first, min(CHUNK, count - first))
        for step in steps(asked.games)
        for first in range(0, count, CHUNK)
    ]
    all_results = (done for _, done in brought(jobs, carried_out, JobResult, asked.kept, asked.processes))
    results = list(measured(all_results))
    (asked.to / "ladder.md").write_text(page(results, asked.seed), encoding="utf-8")
    if asked.part >= 1 and asked.games == PLAYED:
        asked.kept.unlink()  # the next time they may be other robots


if __name__ == "__main__":
    main()
