"""Do the odds learn how people play? Bots play, and five ways to know how they play are compared.

`make learning` writes docs/odds-that-learn.md, the same for the same seed. Four bots sit at a table: at a
mixed one each is drawn again for every game, at the others they are alike. Thinkers think as long as the
strong robot does at a table. At some moments each way forecasts the chances to win, of the public position,
by as many playouts; the forecasts are compared with the outcomes. Finished games are stored until all are
played: an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from bench.calibration import PLAYOUTS, SEATS, asked
from bench.kept import brought
from bench.report import machine, table
from bench.subjects import SUBJECTS, Subject
from companion.bots.players import next_decision
from companion.games.giro.rules import GiroGaloppo
from companion.games.race import Race
from companion.games.terms import Decision
from companion.odds.chance import Event, victory
from companion.odds.estimate import kernel_believing
from companion.odds.kernel import Kernel
from companion.odds.styles import along, unknown

PAGE: Final = Path(__file__).parent.parent / "docs" / "odds-that-learn.md"
KEPT: Final = PAGE.parent.parent / "build" / "learning.jsonl"
GOAL: Final = 0.5  # the part of what could be gained that learning should gain at mixed tables

_QUICK: Final = ("random", "playful", "greedy", "careful")  # bots that both games have, and no thinker
WHO: Final = {
    "today": "the odds without styles",
    "unknown": "a mixture of styles, nothing learned",
    "held out": "learned, without one taste",
    "learned": "learned: the odds",
    "known": "each seat's style known",
}


class Turn(NamedTuple):
    """A table that plays in one way and then in another; all of it, or one seat among others of any kind."""

    first: str
    second: str
    is_one: bool


TURNS: Final = {
    f"{'one ' if is_one else ''}{first}, then {second}": Turn(first, second, is_one)
    for first, second in (("careful", "random"), ("random", "careful"))
    for is_one in (False, True)
}
"""The tables that change, by name."""


class Said(NamedTuple):
    """The Brier score of everybody's forecast at one moment of a game, by forecaster."""

    game: int
    moment: int
    brier: Mapping[str, float]


def players(subject: Subject, at: str, rng: random.Random) -> tuple[list[str], list[str]]:
    """Return the bots of a table, and those that play in their seats once the table has turned."""
    anybody = [rng.choice([*subject.nearest]) for _ in SEATS] if at == "mixed" else [at] * len(SEATS)
    if at not in TURNS:
        return anybody, anybody
    first, second, is_one = TURNS[at]
    if not is_one:
        return [first] * len(SEATS), [second] * len(SEATS)
    others = [rng.choice(_QUICK) for _ in SEATS[1:]]
    return [first, *others], [second, *others]


def played(
    subject: Subject, number: int, bots: Sequence[str], later: Sequence[str], rng: random.Random
) -> list[Race]:
    """Yield the positions of a game between these bots, to its end; `later` are those once it has turned."""
    positions = [subject.opening(number, rng)]
    while (due := positions[-1].awaits()) is not None:
        race = positions[-1]
        if subject.has_turned(race):
            bots = later
        if bots[0] not in subject.nearest and due.seats and not race.may_deal():
            seat = due.seats[0]
            decision: Decision | None = subject.stranger(race.seen_by(seat), seat, rng)
        else:
            decision = next_decision(race, bots, rng, past=positions)
        assert decision is not None
        positions.append(race.after(decision))
    return positions


class Job(NamedTuple):
    """A game of a table."""

    game: str
    at: str
    seed: str
    number: int


def said(job: Job) -> list[Said]:
    """Return the forecasts of a job."""
    found = []
    game, at, seed, number = job
    subject = SUBJECTS[game]
    # the first game's seeds have no name, so that its part of the page stays as it was
    rng = random.Random(f"{seed}/styles/{'' if game == GiroGaloppo.title else f'{game}/'}{at}/{number}")
    bots, later = players(subject, at, rng)
    positions = played(subject, number, bots, later, rng)
    won = victory(positions[-1])
    beliefs = zip(positions, along(positions), along(positions, subject.without()), strict=True)
    for race, belief, held_out in beliefs:
        moment = subject.moment(race)
        if moment is None or moment < {"mixed": 0}.get(
            at, subject.turned + 1 if at in TURNS else subject.late
        ):
            continue
        kernels: dict[str, Kernel[Any]] = {
            "today": subject.today(),
            "unknown": subject.styled(unknown(race)),
            "held out": subject.styled(held_out),
            "learned": kernel_believing(race, belief),
        }
        if at == "mixed" or at in subject.nearest:
            style = [subject.nearest[bot] for bot in bots]
            family = range(len(subject.tastes))
            kernels["known"] = subject.styled(tuple(tuple(float(n == own) for n in family) for own in style))
        chances = {who: asked(race.seen_by(None), kernel, number) for who, kernel in kernels.items()}
        brier = {
            who: sum((p[Event("win", seat)] - part) ** 2 for seat, part in enumerate(won))
            for who, p in chances.items()
        }
        found.append(Said(number, moment, brier))
    return found


def gained(found: Sequence[Said], who: str) -> tuple[float, float]:
    """Return how much less wrong this is than today's odds, and twice the standard error, a game counting
    once.
    """
    games: dict[int, list[float]] = {}
    for one in found:
        games.setdefault(one.game, []).append(one.brier["today"] - one.brier[who])
    means = [fmean(of) for of in games.values()]
    return fmean(means), 2 * stdev(means) / len(means) ** 0.5


def row(name: str, found: Sequence[Said]) -> list[object]:
    """Return a row of a table: Brier scores, the gain of learning, and its part of the possible gain."""
    scores = [fmean(s.brier[who] for s in found) if who in found[0].brier else None for who in WHO]
    gain, error = gained(found, "learned")
    held, held_error = gained(found, "held out")
    parts = ["", ""]
    if "known" in found[0].brier and gained(found, "known")[0] > 2 * gained(found, "known")[1]:
        parts = [f", {gain / gained(found, 'known')[0]:.0%}", f", {held / gained(found, 'known')[0]:.0%}"]
    return [name, len({s.game for s in found}), *("" if p is None else f"{p:.3f}" for p in scores),
            f"{gain:+.3f} ± {error:.3f}{parts[0]}", f"{held:+.3f} ± {held_error:.3f}{parts[1]}"]  # fmt: skip


def verdict(found: Mapping[str, Sequence[Said]], held_out: str) -> str:
    """Return whether learning closes half of the gap between play without styles and known ones,
    by moments.
    """
    most = {name: gained(of, "known")[0] for name, of in found.items()}
    results = [
        f"{how} {', '.join(_reached(name, gained(of, who)[0] / most[name]) for name, of in found.items())}"
        for how, who in (("learned", "learned"), (f"without the taste {held_out}", "held out"))
    ]
    return f"Goal: {GOAL:.0%} of what could be gained: {'; '.join(results)}."


def _reached(name: str, part: float) -> str:
    return f"{name} {part:.0%}" if part >= GOAL else f"{name} **{part:.0%}** (missed)"


def losing(found: Mapping[str, Sequence[Said]]) -> str:
    """Return the moments and tables at which learning costs more than its error."""
    worse = [at for at, of in found.items() if of and sum(gained(of, "learned")) < 0]
    return f"Worse than without styles by more than its error: {', '.join(worse) or 'nowhere'}."


def part(game: str, found: Mapping[str, Sequence[Said]]) -> list[str]:
    """Return the measurements of one game."""
    subject, mixed = SUBJECTS[game], found["mixed"]
    head = ["", "games", *WHO.values(), "learning gains", f"without the taste {subject.held_out}"]
    moments = enumerate(subject.moments)
    by_moment = [(name, [said for said in mixed if said.moment == n]) for n, name in moments]
    later = [
        (f"{subject.moments[at]} and later", [said for said in mixed if said.moment >= at])
        for at in (subject.late, subject.late + 1)
    ]
    alike = {
        at: [said for said in of if said.moment >= subject.late]
        for at, of in found.items()
        if at not in TURNS
    }
    turning = {
        f"{at}: {name}": [said for said in found.get(at, ()) if said.moment == n]
        for at in TURNS
        for n, name in enumerate(subject.moments)
        if n > subject.turned
    }
    return [
        f"## {game}",
        subject.introduced,
        "### Mixed tables, by moment",
        table(head, [row(*each) for each in [*by_moment, *later]]),
        verdict(dict(later[subject.judged - subject.late :]), subject.held_out),
        f"### All tables, {later[0][0]}",
        table(head, [row(at, of) for at, of in alike.items()]),
        "### Tables that change, by moment",
        f"All seats or one play in another way from the {subject.turns} on.",
        table(head, [row(at, of) for at, of in turning.items() if of]),
        losing({**dict(by_moment), **alike, **turning}),
    ]


def page(found: Mapping[str, Mapping[str, Sequence[Said]]], seed: str, minutes: float) -> str:
    """Return docs/odds-that-learn.md."""
    return "\n\n".join([
        "# Odds that learn",
        f"In {' and '.join(found)} the odds learn how each seat plays. For each decision that becomes "
        "public, they compute how likely every style of a small family was to make it, in the public "
        "position before it. The belief about a seat follows by Bayes, and the playouts draw its style "
        "from that; what was seen fades, since the style may change at each decision. "
        "A belief follows only from the public positions of the match: a decision that was "
        "taken back was never learned. Nothing is stored from one game to the next unless the host lets "
        "people be remembered by name. Where seats have styles, all odds come from playouts, because the "
        "exact results are for the end of random play only; what is settled stays certain.",
        "`make learning` makes this page. Four bots are at a table; thinkers think as long as the strong "
        "robot. The odds do not know that they are robots: in a real game a robot's strength is public. "
        f"The tables have Brier scores of the chances to win (0 is perfect), with {PLAYOUTS:,} playouts "
        "per forecast. The gain is measured against the odds without styles, as they were before, with "
        "two standard errors, and as a part of what could be gained if the style nearest to each bot "
        "were known. One variant of each family is held out in separate columns.",
        *(text for game, of in found.items() for text in part(game, of)),
        f"Seed: {seed}; {minutes:.0f} minutes on {machine(['numpy'])}",
    ]) + "\n"  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, forecast, compare, write."""
    parser = argparse.ArgumentParser(description="Whether odds learn.")
    parser.add_argument("--part", type=float, default=1.0, help="so much of the games, such as .05")
    parser.add_argument("--seed", default="2026", help="the same seed plays the same games")
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--to", type=Path, default=PAGE, help="where the page goes")
    parser.add_argument("--kept", type=Path, default=KEPT, help="what was played")
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all; others are not written")
    given = parser.parse_args(arguments)
    found: dict[str, dict[str, list[Said]]] = {}
    began = time.monotonic()
    for game in given.games or SUBJECTS:
        subject, of = SUBJECTS[game], found.setdefault(game, {})
        for at, games in {**subject.tables, **dict.fromkeys(TURNS, subject.turning)}.items():
            jobs = [Job(game, at, given.seed, number) for number in range(max(4, round(games * given.part)))]
            results = brought(jobs, said, list[Said], given.kept, given.processes)
            of[at] = [one for _, each in results for one in each]
            late = [one for one in of[at] if one.moment >= subject.late]
            print(game, at, *row(at, late)[1:], file=sys.stderr, flush=True)
    text = page(found, given.seed, (time.monotonic() - began) / 60)
    print(text)
    if not given.games:
        given.to.write_text(text, encoding="utf-8")
    given.kept.unlink()  # the next time it may be another program


if __name__ == "__main__":
    main()
