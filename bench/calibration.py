"""Calibration of the odds: bots play, and forecasts along the way are compared with the outcomes.

Run it with `make calibration`; it writes docs/calibration.md and docs/calibration.png, the same for the same
seed. Four bots sit at a table: at a mixed one each is drawn again for every game, at the others they are
alike. The odds see the public view of the game and know nothing else of the bots. The seeds of these games
are texts that no other part of the project uses; the odds' assumptions about the way people play were chosen
on tables of two and two bots (`--tuning`), which are not among these. Finished games are stored in build/
until all are played: an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import variance
from typing import Final, NamedTuple

import numpy as np

from bench.kept import brought
from bench.reliability import (
    Forecast,
    bins_within,
    brier,
    calibration_error,
    calibration_slope,
    drawn,
    luck,
    within,
)
from bench.report import table
from companion import games
from companion.bots.players import next_decision
from companion.games.boxes import options_for
from companion.games.galloping.rules import Galloping
from companion.games.giro.rules import GiroGaloppo
from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.run import DOGS
from companion.games.race import Race
from companion.odds.chance import Chance, Event, victory
from companion.odds.estimate import Tally, kernel_believing, played_by_people
from companion.odds.kernel import Kernel, Plain
from companion.odds.styles import learned

ROOT: Final = Path(__file__).parent.parent
DOCS: Final = ROOT / "docs"
KEPT: Final = ROOT / "build" / "calibration.jsonl"
SEATS: Final = ("Ada", "Ben", "Cleo", "Dev")
ALL_SEATS: Final = (*SEATS, "Emma")
CHEAP: Final = ("random", "playful", "greedy", "careful")
MOMENTS: Final = 6  # of a game, evenly spread over its decisions
PLAYOUTS: Final = 1000  # behind each answer: its own error is then at most .03
THOUGHT: Final = 40  # playouts of a thinker: less than at a table, so that thousands of games end today
BY_BOTS: Final = 40  # playouts in which bots decide: these are played through the rules, one by one
CHUNK: Final = 10  # games that a process plays before it reports


class Extent(NamedTuple):
    """The numbers of games: of mixed tables, of each table of like bots, of like thinkers; and of moments
    compared.

    `thinkers` is how often a seat of a mixed table is a thinker's.
    """

    mixed: int
    like: int
    thinking: int
    compared: int
    thinkers: float


EXTENT: Final[Mapping[str, Extent]] = {
    "galloping-pigs": Extent(2000, 500, 120, 300, 0.2),
    "galloping-horse": Extent(2000, 500, 200, 200, 0.2),
    "giro-galoppo": Extent(1500, 200, 60, 100, 0.1),
    "greyhounds": Extent(800, 150, 60, 48, 0.1),
}
GOALS: Final = {"mixed": {"greyhounds": 0.04}, "like": {"galloping-pigs": 0.03, "galloping-horse": 0.03}}
EACH: Final = 0.02  # the goal of the other games at mixed tables
NEAR: Final = 0.05  # Brier score in Pigs: so near the ceiling
NAMES: Final = {
    "win": "a seat wins the game",
    "keep": "a seat keeps its food",
    "placed": "a horse is placed",
    "dog wins": "a dog wins its race",
    "dog places": "a dog is first or second",
    "double": "two dogs are first and second",
}


FEWEST: Final = "fewest seats"  # a mixed table with as few seats as the game may have


FIVE: Final = "five seats, 27 tiles"  # a mixed table with the box of Pigs that is in shops
FIVE_AT: Final = ("galloping-pigs",)


class Job(NamedTuple):
    """Some games of one table; `compared`: one moment of each, with other ways to compute the chances."""

    seed: str
    game: str
    table: str
    first: int
    games: int
    thinkers: float
    compared: bool = False


Row = tuple[str, str, str, Forecast]
"""A game, a table, who said it, and what."""


# --- playing -------------------------------------------------------------------------------------


def seats_of(job: Job) -> tuple[str, ...]:
    """Return the bots that sit at this table."""
    if job.table == FIVE:
        return ALL_SEATS
    return SEATS[: games.find_by_name(job.game).seat_counts[0]] if job.table == FEWEST else SEATS


def seated(job: Job, rng: random.Random) -> list[str]:
    """Return the bots of a game's seats."""
    if job.table in ("mixed", FEWEST, FIVE):
        thinkers = 0 if job.compared else job.thinkers
        return [rng.choice(CHEAP) if rng.random() >= thinkers else "thinker" for _ in seats_of(job)]
    if job.table == "two and two":
        return rng.sample([bot for bot in rng.sample(CHEAP, 2) for _ in range(2)], 4)
    return [job.table] * len(SEATS)


def played(race: Race, bots: Sequence[str], rng: random.Random) -> list[Race]:
    """Yield the positions of a game between these bots, to its end."""
    positions = [race]
    while (decision := next_decision(positions[-1], bots, rng, THOUGHT, positions)) is not None:
        positions.append(positions[-1].after(decision))
    return positions


def moments(positions: Sequence[Race]) -> list[int]:
    """Return positions evenly spread over those at which a seat owes a decision."""
    owed = [n for n, race in enumerate(positions) if (due := race.awaits()) is not None and due.seats]
    return [owed[int(len(owed) * (2 * n + 1) / (2 * MOMENTS))] for n in range(MOMENTS)]


# --- what was said and what happened ---------------------------------------------------------------


def kind_of(event: Event) -> str:
    """Return the kind of event, with those of dogs apart from those of seats."""
    if event.seat is None and event.what != "double":
        return {"win": "dog wins", "place": "dog places"}[event.what]
    return event.what


def happened(event: Event, moment: int, positions: Sequence[Race]) -> float:
    """Return the outcome of an event of this moment in the game that went on."""
    now, end, seat = positions[moment], positions[-1], event.seat
    if isinstance(now, Greyhounds) and isinstance(end, Greyhounds) and seat is None:
        first_two = [DOGS[dog] for dog in end.results[now.race - 1].places[:2]]
        return float(set(event.pieces) <= set(first_two[:1] if event.what == "win" else first_two))
    assert seat is not None
    if isinstance(end, GiroGaloppo) and event.what == "placed":
        return float(end.progress[seat] > end.board.finish)
    return food_kept(seat, positions[moment:]) if event.what == "keep" else victory(end)[seat]


def food_kept(seat: int, positions: Sequence[Race]) -> float:
    """Return True if this seat's next last card of a round led."""
    for race in positions[1:]:
        assert isinstance(race, Galloping)
        if race.last is not None and race.last.seat == seat and race.brought and race.brought[4] is not None:
            return float(race.brought[1])
    raise AssertionError(f"seat {seat} never played its last card")


def asked(view: Race, kernel: Kernel[Race], seed: int, count: int = PLAYOUTS) -> dict[Event, float]:
    """Return the public odds, without their errors."""
    return {chance.event: chance.p for chance in odds_of(view, kernel, seed, count)}


def odds_of(view: Race, kernel: Kernel[Race], seed: int, count: int = PLAYOUTS) -> tuple[Chance, ...]:
    """Return the public odds: exact where possible, else of so many playouts."""
    tally = Tally()
    tally.add(kernel.playouts(view, count, np.random.default_rng(seed)))
    exact = {event: Chance(event, p, 0.0, 0.0) for event, p in kernel.exact(view).items()}
    chances = [exact.get(chance.event, chance) for chance in tally.chances()]
    return played_by_people(chances, tally.spread(), kernel)


def by_bots(view: Race, bots: Sequence[str], rng: random.Random) -> dict[Event, tuple[float, float]]:
    """Return each seat's chance to win if these bots play on from the public view, and its variance."""
    ends = [victory(played(view.guessed(rng), bots, rng)[-1]) for _ in range(BY_BOTS)]
    seats = enumerate(zip(*ends, strict=True))
    return {Event("win", s): (sum(won) / BY_BOTS, variance(won) / BY_BOTS) for s, won in seats}


def forecasts(job: Job) -> list[Row]:
    """Return games of a table, and the forecasts about them."""
    found: list[Row] = []
    game, seats = games.find_by_name(job.game), seats_of(job)
    for number in range(job.first, job.first + job.games):
        name = f"{job.seed}/{job.game}/{job.table}/{'compared/' if job.compared else ''}{number}"
        rng = random.Random(name)
        bots = seated(job, rng)
        opening = game.new(seats, start=number % len(seats), **options_for(game, len(seats)))
        positions = played(opening, bots, rng)
        at = moments(positions)
        for moment in [at[number % MOMENTS]] if job.compared else at:
            view = positions[moment].seen_by(None)
            kernel = kernel_believing(view, learned(positions[: moment + 1]))
            odds = odds_of(view, kernel, rng.getrandbits(60))
            others = _others(view, bots, rng) if job.compared else {}
            for chance in odds:
                event = chance.event
                if job.compared and (event.what != "win" or event.seat is None):
                    continue
                became, name = happened(event, moment, positions), f"{number}/{moment}"
                truth = others["ceiling"][event] if others else None
                what = Forecast(name, kind_of(event), chance.p, became, 0.0, chance.error / 2, truth)
                found.append((job.game, job.table, "odds", what))
                for who, chances in others.items():
                    what = Forecast(name, kind_of(event), *_between(chances[event], became))
                    found.append((job.game, job.table, who, what))
    return found


def _between(of: tuple[float, float], became: float) -> tuple[float, float, float]:
    """Return a chance, the outcome, and its variance."""
    return of[0], became, of[1]


def _others(
    view: Race, bots: Sequence[str], rng: random.Random
) -> dict[str, dict[Event, tuple[float, float]]]:
    """Yield the forecasts of others: everybody alike; at random; by greed; by the bots that play."""
    plain = Plain().playouts(view, 2 * BY_BOTS, np.random.default_rng(rng.getrandbits(60))).values
    return {
        "uniform": {Event("win", seat): (1 / len(bots), 0.0) for seat in range(len(bots))},
        "random": {
            Event("win", seat): (float(won.mean()), float(won.var(ddof=1)) / len(won))
            for seat, won in enumerate(plain)
        },
        "greedy": by_bots(view, ["greedy"] * len(bots), rng),
        "ceiling": by_bots(view, bots, rng),
    }


# --- all of it -----------------------------------------------------------------------------------


def jobs(seed: str, part: float, named: Sequence[str], tuning: bool) -> list[Job]:
    """Return all jobs, or a part of them; for tuning other tables and other seeds."""
    found: list[Job] = []
    for game in named:
        extent = EXTENT[game]
        tables = {
            "mixed": extent.mixed,
            FEWEST: extent.mixed,
            **({FIVE: extent.mixed} if game in FIVE_AT else {}),
            **dict.fromkeys(CHEAP, extent.like),
            "thinker": extent.thinking,
        }
        if tuning:
            seed, tables = f"tuning {seed}", {"two and two": extent.mixed}
        counts = [(name, count, False) for name, count in tables.items()]
        also = [name for name in ("mixed", FEWEST, FIVE) if name in tables]
        compare = [] if tuning else [(name, extent.compared, True) for name in also]
        for name, count, compared in [*counts, *compare]:
            whole = max(MOMENTS, round(count * part))
            for first in range(0, whole, CHUNK):
                size = min(CHUNK, whole - first)
                found.append(Job(seed, game, name, first, size, extent.thinkers, compared))
    return found


def carried_out(work: Sequence[Job], processes: int, kept: Path) -> Iterator[Row]:
    """Return the results of all jobs, in their order; progress goes to the error output."""
    began = time.monotonic()
    for done, (job, rows) in enumerate(brought(work, forecasts, list[Row], kept, processes), 1):
        if done == len(work) or work[done][1:3] != job[1:3]:
            minutes = (time.monotonic() - began) / 60
            who = f"{job.game} {job.table}{' compared' if job.compared else ''}"
            print(f"{done}/{len(work)} {who} after {minutes:.1f} min", file=sys.stderr, flush=True)
        yield from rows


class Measured(NamedTuple):
    """All forecasts by game and table; those of the moments compared by game and forecaster, at mixed tables,
    and the odds' own by game and table.
    """

    tables: dict[str, dict[str, list[Forecast]]]
    compared: dict[str, dict[str, list[Forecast]]]
    tried: dict[str, dict[str, list[Forecast]]]


def sorted_out(rows: Iterable[Row], compared: Iterable[Row]) -> Measured:
    """Return the forecasts by game, then by table or by forecaster."""
    measured = Measured({}, {}, {})
    for game, at, _, forecast in rows:
        measured.tables.setdefault(game, {}).setdefault(at, []).append(forecast)
    for game, at, who, forecast in compared:
        if at == "mixed":
            measured.compared.setdefault(game, {}).setdefault(who, []).append(forecast)
        if who == "odds":
            measured.tried.setdefault(game, {}).setdefault(at, []).append(forecast)
    return measured


def by_kind(forecasts: Sequence[Forecast]) -> dict[str, list[Forecast]]:
    """Return forecasts by the kind of event, in the order of NAMES."""
    found = {kind: [f for f in forecasts if f.kind == kind] for kind in NAMES}
    return {kind: of for kind, of in found.items() if of}


def goal(game: str, at: str, kind: str) -> float | None:
    """Return the calibration error that is allowed, at tables of like bots for the win only;
    None: none is.

    No public odds can be right about the food that seats keep at every table of like bots: some save their
    leaders and some never do, and the public does not know which sit there.
    """
    if at == "mixed":
        return GOALS["mixed"].get(game, EACH)
    return GOALS["like"].get(game) if kind == "win" else None


def rows_of_tables(measured: Measured) -> list[list[object]]:
    """Return a row for each game, table and kind of event."""
    return [
        [f"{games.find_by_name(game).title}, {at}", NAMES[kind], len({f.moment.split("/")[0] for f in of}),
         len({f.moment for f in of}), judged(calibration_error(of), goal(game, at, kind)), f"{brier(of):.3f}"]
        for game, tables in measured.tables.items()
        for at, all_of_it in tables.items()
        for kind, of in by_kind(all_of_it).items()
    ]  # fmt: skip


def rows_of_errors(measured: Measured) -> list[list[object]]:
    """Return a row for each game and table: the quality of the stated errors of the chance to win."""
    found: list[list[object]] = []
    for game, tables in measured.tables.items():
        for at, all_of_it in tables.items():
            wins, tried = by_kind(all_of_it)["win"], measured.tried.get(game, {}).get(at, [])
            slope = calibration_slope(wins)
            (one, of), (two, _) = bins_within(wins, 1), bins_within(wins, 2)
            truth = [f"{within(tried, sigmas):.0%}" if tried else "" for sigmas in (1, 2)]
            found.append([
                f"{games.find_by_name(game).title}, {at}", f"{slope.value:.2f} ± {slope.error:.2f}",
                f"{np.sqrt(np.mean([f.sigma ** 2 for f in wins])):.3f}", f"{one} of {of}", f"{two} of {of}",
                *truth,
            ])  # fmt: skip
    return found


def judged(error: float, allowed: float | None) -> str:
    """Return an error with the allowed one.

    >>> judged(0.0123, 0.02), judged(0.031, 0.03), judged(0.2, None)
    ('.012 (≤ .02)', '**.031** (missed: ≤ .03)', '.200')
    """
    text = f"{error:.3f}".removeprefix("0")
    if allowed is None:
        return text
    limit = f"≤ {allowed:.2f}".replace("0.", ".")
    return f"{text} ({limit})" if error <= allowed else f"**{text}** (missed: {limit})"


WHO: Final = {
    "uniform": "everybody alike",
    "random": "random play, through the rules",
    "greedy": "everybody greedy",
    "ceiling": "the bots that really play",
    "odds": "the odds",
}


def rows_compared(measured: Measured) -> list[list[object]]:
    """Return a row for each game and forecaster of the seats' chances."""
    return [
        [f"{games.find_by_name(game).title}: {WHO[who]}", len(of) // len(SEATS),
         f"{brier(of):.3f}", f"{calibration_error(of):.3f}", f"{luck(of):.3f}"]
        for game, said in measured.compared.items()
        for who in WHO
        for of in [said[who]]
    ]  # fmt: skip


def page(measured: Measured, seed: str) -> str:
    """Return docs/calibration.md."""
    pigs = measured.compared.get("galloping-pigs")
    paragraphs = [
        "# Can the odds be trusted?",
        "`make calibration` makes this page: bots play whole games at tables of four, of as few as may "
        "play, and of five with the box of Pigs that is in shops, and the odds are "
        f"computed at {MOMENTS} moments spread evenly over the decisions of each game. The odds get what "
        f"the public sees. {PLAYOUTS:,} playouts support each answer that is not exact, fewer than a "
        "table waits for. Nothing was tuned on these seeds and tables.",
        "*Calibration error*: the chances are sorted into ten bins of equal width; in each, the mean "
        "chance is compared with how often it happened; the distances are averaged, weighted by the "
        "number of chances in a bin. *Brier score*: the sum of squared differences over the events of a "
        "moment, averaged over the moments; 0 is perfect. A shared victory counts by its share. At a "
        f"mixed table each bot is drawn again for each game from {', '.join(CHEAP)} and, more rarely, "
        f"thinker ({THOUGHT} playouts); at the other tables all four are of the named kind. Goals are in "
        "brackets, for the chance to win at tables of like bots; the rest is reported without a goal. A "
        "player who always saves a leading card for last secures food far more often than public odds "
        "can know, and one who never does, less often.",
        "![What was said against what happened](calibration.png)",
        table(
            ["game, table", "event", "games", "moments", "calibration error", "Brier"],
            rows_of_tables(measured),
        ),
        "## What the ± is worth",
        "The ± of a chance to win has two parts: the limited number of playouts, and that the way these "
        "people play is unknown. The screen shows twice its standard error σ. The *slope* is that of a "
        "logistic regression of the results on the predicted log odds, with its 95 % interval: 1 is "
        "right; above it, the odds are too close to even. *Bins*: in how many of the ten the result is "
        "within σ, and 2 σ, of the prediction, including the luck of so few games. *Truth*: how often "
        f"the bots at the table, playing on from the same position {BY_BOTS} times, win as often as "
        "predicted within σ and 2 σ. The ± is measured at mixed tables, where 68 % and 95 % are "
        "intended; where players cannot be distinguished, it promises less. Where all play alike, the "
        "slope need not be 1: their way is unknown before the first moves, and until then the odds stay "
        "close to even, most of all where one rule of thumb decides the race.",
        table(
            ["game, table", "slope", "σ", "bins: σ", "2 σ", "truth: σ", "2 σ"],
            rows_of_errors(measured),
        ),
        "## Compared with other forecasts",
        "Each seat's chance to win, at one moment each of further games of mixed bots without thinkers. "
        f"Greedy, and the bots that really play (the ceiling), are {BY_BOTS} playouts through the rules "
        "from the public view. What so few playouts add to the Brier score by chance is subtracted; the "
        "calibration error includes it. *Luck* is the calibration error of perfect forecasts in so few "
        "moments.",
        table(["forecast by", "moments", "Brier", "calibration error", "luck"], rows_compared(measured)),
    ]
    if pigs:
        above = brier(pigs["odds"]) - brier(pigs["ceiling"])
        verdict = "within" if above <= NEAR else "**missed**:"
        paragraphs.append(f"Pigs: the odds are {above:.3f} above the ceiling ({verdict} {NEAR:.2f}).")
    played_ = {game: sum(len({f.moment.split("/")[0] for f in of}) for of in tables.values())
               for game, tables in measured.tables.items()}  # fmt: skip
    counts = ", ".join(f"{games.find_by_name(game).title} {count:,}" for game, count in played_.items())
    return "\n\n".join([*paragraphs, f"Games played for the first table: {counts}. Seed: {seed}."]) + "\n"


def pictured(measured: Measured) -> dict[str, dict[str, Sequence[Forecast]]]:
    """Return a panel for each game: its mixed tables, a line for each kind of event."""
    return {
        games.find_by_name(game).title: {NAMES[kind]: of for kind, of in by_kind(tables["mixed"]).items()}
        for game, tables in measured.tables.items()
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, forecast, compare, write."""
    parser = argparse.ArgumentParser(description="How far the odds can be trusted.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all four; others are not written")
    parser.add_argument("--part", type=float, default=1.0, help="so much of the games, such as .05")
    parser.add_argument("--seed", default="2030", help="the same seed plays the same games")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--tuning", action="store_true", help="other tables; nothing is written")
    parser.add_argument("--to", type=Path, default=DOCS, help="where the page and the picture go")
    parser.add_argument("--kept", type=Path, default=KEPT, help="what was played")
    given = parser.parse_args(arguments)
    work = jobs(given.seed, given.part, given.games or list(EXTENT), given.tuning)
    rows = list(carried_out([job for job in work if not job.compared], given.processes, given.kept))
    others = [job for job in work if job.compared]
    measured = sorted_out(rows, carried_out(others, given.processes, given.kept) if others else [])
    text = page(measured, given.seed)
    print(text)
    if not given.tuning and not given.games:
        given.to.mkdir(parents=True, exist_ok=True)
        (given.to / "calibration.md").write_text(text, encoding="utf-8")
        drawn(pictured(measured), given.to / "calibration.png")
    given.kept.unlink()  # the next time they may be other odds


if __name__ == "__main__":
    main()
