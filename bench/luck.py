"""Does luck against choice add up, and are the parts zero on average in games without thought?

Run it with `make luck`; it writes docs/luck.md, the same for the same seed but for the times. Each game is
played at random and analysed. Finished games are stored in `--kept`, so an interrupted run goes on. `--part`
plays a part of the games, `--short` a few of some, only to see that it runs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.kept import brought
from bench.report import machine, table
from companion import games
from companion.games.boxes import options_for
from companion.games.race import random_decision
from companion.games.terms import Decision
from companion.odds.estimate import SURE
from companion.odds.giro.batch import GiroBatch
from companion.odds.luck import Luck, weighed

ROOT: Final = Path(__file__).parent.parent
GAMES: Final = 200  # of each game and number of seats
EFFORT: Final = 1.0  # playouts of a game: a small part of those behind the published figures
PARTS: Final = ("luck", "own", "others")

Numbers = NDArray[np.float64]


class Case(NamedTuple):
    """A game of so many seats, by these options."""

    game: str
    seats: int
    options: dict[str, Any]

    def __str__(self) -> str:
        said = ", ".join(
            name.replace("_", " ") if value is True else f"{name} {value}"
            for name, value in self.options.items()
        )
        title = f"{games.find_by_name(self.game).title}, {self.seats} seats"
        return f"{title}, {said}" if said else title


VARIANTS: Final = (
    Case("galloping-pigs", 3, {"food_on_track": True}),
    Case("giro-galoppo", 3, {"rearmost_only": True}),
    Case("greyhounds", 3, {"ties": "strike"}),
    Case("greyhounds", 3, {"bookie": 0}),
)
PLAYED: Final = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")


def cases() -> list[Case]:
    """Return every game with each number of seats, then its variants."""
    return [
        Case(name, seats, options_for(games.find_by_name(name), seats))
        for name in PLAYED
        for low, high in [games.find_by_name(name).seat_counts]
        for seats in range(low, high + 1)
    ] + list(VARIANTS)


class Soon(GiroBatch):
    """Exact values only where they are quick: else they take longer than all these playouts."""

    budget = 20_000


class GameResult(NamedTuple):
    """The result of a game: by part and seat in points, and the gap to adding up.

    `variances` of luck are those of its playouts: as measured directly, and corrected by the gap.
    """

    parts: dict[str, list[float]]
    chi2: float
    freedom: int
    worst: float
    variances: tuple[float, float]
    seconds: float


class Job(NamedTuple):
    """A game of a case."""

    case: Case
    seed: int
    number: int


def looked_back(job: Job) -> GameResult:
    """Play a game at random, and return its luck."""
    case, seed, number = job
    rng = random.Random(f"luck {seed}/{case}/{number}")
    start = number % case.seats
    opening = games.find_by_name(case.game).new([str(n) for n in range(case.seats)], start, **case.options)
    race, decisions = opening, list[Decision]()
    while (decision := random_decision(race, rng)) is not None:
        decisions.append(decision)
        race = race.after(decision)
    began = time.process_time()
    kernel = Soon() if case.game == "giro-galoppo" else None
    *_, last = weighed(opening, decisions, number, kernel, EFFORT)
    assert last.luck is not None
    return figures(last.luck, time.process_time() - began)


def figures(luck: Luck, seconds: float) -> GameResult:
    """Return the figures of an analysis that count here."""
    parts = {part: [100 * getattr(seat, part).value for seat in luck.seats] for part in PARTS}
    worst = max(SURE * abs(seat.gap.value) / seat.gap.error if seat.gap.error else 0.0 for seat in luck.seats)
    measured, right = (
        sum((100 * getattr(seat, part).error / SURE) ** 2 for seat in luck.seats)
        for part in ("measured", "luck")
    )
    return GameResult(parts, luck.check.chi2, luck.check.freedom, worst, (measured, right), seconds)


def played(case: Case, count: int, seed: int, kept: Path, processes: int) -> tuple[str, list[GameResult]]:
    """Return a case, and the results of its games."""
    jobs = [Job(case, seed, number) for number in range(count)]
    found = [result for _, result in brought(jobs, looked_back, GameResult, kept, processes)]
    print(case, *identity(found), file=sys.stderr, flush=True)
    return str(case), found


# --- what it comes to ----------------------------------------------------------------------------


def from_nothing(values: Numbers) -> tuple[float, int]:
    """Test whether a mean by seat is zero: chi-square and its degrees of freedom, from (games, seats).

    As the spread is estimated from the same games, it is corrected to that of many games (Hotelling).
    """
    mean, spread = values.mean(axis=0), np.atleast_2d(np.cov(values.T)) / len(values)
    variances, axes = np.linalg.eigh(spread)
    open_ = variances > 1e-6 * variances.max()
    along, freedom = mean @ axes[:, open_], int(open_.sum())
    of_many = max(1, len(values) - freedom - 2) / (len(values) - 1)
    return of_many * float((along**2 / variances[open_]).sum()), freedom


def away(chi2: float, freedom: int) -> float:
    """Return by how many standard errors a chi-square exceeds its expectation (Wilson and Hilferty).

    >>> round(away(18.31, 10), 2)  # one of twenty is more
    1.65
    """
    spread = 2 / (9 * freedom)
    return float(((chi2 / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


def means(values: Numbers) -> str:
    """Return a mean for each seat, and the largest of their 95 % errors."""
    error = 1.96 * values.std(axis=0, ddof=1).max() / len(values) ** 0.5
    return " ".join(f"{mean:+.1f}" for mean in values.mean(axis=0)) + f" ± {error:.1f}"


def by_part(each: Sequence[GameResult]) -> dict[str, Numbers]:
    """Return points by part: (games, seats)."""
    return {part: np.array([one.parts[part] for one in each]) for part in PARTS}


def averages(name: str, each: Sequence[GameResult]) -> list[object]:
    """Return a line of the table of means."""
    values = by_part(each)
    chi2 = [from_nothing(values[part]) for part in PARTS]
    squares = " · ".join(f"{square:.1f} / {freedom}" for square, freedom in chi2)
    return [name, len(each), *(means(values[part]) for part in PARTS), squares]


def identity(each: Sequence[GameResult]) -> list[object]:
    """Return a line of the table of sums, without its name."""
    chi2, freedom = sum(one.chi2 for one in each), sum(one.freedom for one in each)
    seats = len(each[0].parts["luck"])
    measured, right = (sum(one.variances[n] for one in each) / len(each) / seats for n in (0, 1))
    return [
        len(each),
        f"{chi2:.0f} / {freedom}",
        f"{away(chi2, freedom):+.1f}",
        f"{max(one.worst for one in each):.1f}",
        f"{measured:.1f}",
        f"{right:.1f}",
        f"{measured / right:.1f}",
        f"{sum(one.seconds for one in each) / len(each):.1f}",
    ]


def of_all(results: dict[str, list[GameResult]]) -> str:
    """Return all games together."""
    sums = []
    for part in PARTS:
        chi2 = [from_nothing(by_part(each)[part]) for each in results.values()]
        square, freedom = sum(one for one, _ in chi2), sum(one for _, one in chi2)
        sums.append(f"{part} {square:.1f} / {freedom} ({away(square, freedom):+.1f})")
    every = [one for each in results.values() for one in each]
    square, freedom = sum(one.chi2 for one in every), sum(one.freedom for one in every)
    seats = sum(len(one.parts["luck"]) for one in every)
    return (
        "Means over all games, chi-square / degrees of freedom, and by how many standard errors that is more "
        f"than by chance: {', '.join(sums)}. The sum: {square:.0f} / {freedom} "
        f"({away(square, freedom):+.1f}), the worst |z| of {seats} seats "
        f"{max(one.worst for one in every):.1f}."
    )


def page(results: dict[str, list[GameResult]], seed: int) -> str:
    """Return docs/luck.md."""
    minutes = sum(one.seconds for each in results.values() for one in each) / 60
    return (
        "\n\n".join(
            (
                "# Does luck against choice add up?",
                "`make luck` makes this page: it plays games at random and analyses them with few "
                "playouts each. Luck is computed independently: what each deal moved, and what each "
                "choice moved beyond what its player could know, with every hand and every secret choice "
                "known. No part of it is the remainder, so two things can fail.",
                of_all(results),
                f"Seed {seed}, {minutes:.0f} minutes of a processor, on {machine(['numpy'])}",
                "## Random players gain nothing by choice, and have no luck on average",
                "By seat, in points of 100: the mean of so many games, and the largest of the seats' 95 "
                "% errors. Then chi-square / degrees of freedom of luck · own · others.",
                table(
                    ("game", "games", *PARTS, "chi-square"),
                    [averages(name, each) for name, each in results.items()],
                ),
                "## Luck, own and others' choices add up to the victory less the chance at the start",
                "The *gap* of a game is what remains of the victory after every part has been computed. "
                "It is compared with its stated error: chi-square over games and seats / degrees of "
                "freedom, how many standard errors more than by chance, and the worst seat's |z|. The "
                "next columns have the variance of a seat's luck that playouts leave, in points squared: "
                "as measured alone, and as shown, with the gap as a control variate; how many times "
                "less; and seconds of a processor for a game.",
                table(
                    ("game", "games", "chi-square", "more", "worst", "measured", "shown", "less", "s"),
                    [[name, *identity(each)] for name, each in results.items()],
                ),
            )
        )
        + "\n"
    )


def numbers(part: float, short: bool) -> Iterator[tuple[Case, int]]:
    """Return each case, and how many of its games are played."""
    for case in cases():
        if short:
            if case.seats == 2 or case == VARIANTS[1]:
                yield case, 3
        else:
            yield case, max(2, round(GAMES * part * (0.25 if case in VARIANTS else 1)))


def main() -> None:
    """Play, analyse, and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--part", type=float, default=1.0, help="what part of the games to play")
    parser.add_argument("--short", action="store_true", help="a few games of some, in seconds: not kept")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--kept", type=Path, default=ROOT / "build" / "luck.jsonl", help="what was played")
    parser.add_argument("--to", type=Path, default=ROOT / "docs", help="where to write the page")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        kept = Path(scratch) / "luck.jsonl" if asked.short else asked.kept
        all_of_it = numbers(asked.part, asked.short)
        results = dict(played(*of, asked.seed, kept, asked.processes) for of in all_of_it)
    text = page(results, asked.seed)
    if asked.short:
        print(text)
        return
    (asked.to / "luck.md").write_text(text, encoding="utf-8")
    if asked.part >= 1:
        kept.unlink()  # the next time it may be another program


if __name__ == "__main__":
    main()
