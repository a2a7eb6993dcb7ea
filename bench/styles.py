"""Do the odds of Giro Galoppo learn? Bots play, and five ways to know how they play are compared.

`make learning` writes docs/odds-that-learn.md, the same for the same seed. Four bots sit at a table: at a
mixed one each is drawn anew for every game, at the others they are alike. Before some rounds each way tells
the chances to win, of the public position, by as many playouts; what they said is held against what happened.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from bench.calibration import PLAYOUTS, SEATS, THOUGHT, asked
from bench.report import table
from companion.bots.players import next_decision
from companion.games.giro.rules import GiroGaloppo
from companion.games.terms import Decision
from companion.odds.chance import Event, victory
from companion.odds.giro.kernel import Giro
from companion.odds.giro.playing import Styled
from companion.odds.giro.styles import COMPANIES, FAMILY, Company
from companion.odds.kernel import Kernel
from companion.odds.styles import along, unknown

PAGE: Final = Path(__file__).parent.parent / "docs" / "odds-that-learn.md"
GAMES: Final = {"mixed": 200, "random": 60, "playful": 60, "greedy": 40, "careful": 40, "thinker": 40,
                "timid": 40}  # fmt: skip
GOAL: Final = 0.5  # the part of what could be gained that learning should gain at mixed tables
ROUNDS: Final = (0, 2, 4, 6, 8)  # so many have been played when the odds are asked
STYLE: Final = {"random": 0, "playful": 1, "greedy": 2, "careful": 4, "thinker": 5}
"""The style in the family that is nearest to each kind of bot."""

WHO: Final = {
    "today": "everybody plays at random",
    "unknown": "a mixture of styles, nothing learned",
    "held out": "learned, without the thinker's style",
    "learned": "learned: the odds",
    "known": "each seat's style known",
}


class Said(NamedTuple):
    """The Brier score of everybody's forecast at one moment of a game, by who said it."""

    game: int
    rounds: int
    brier: Mapping[str, float]


def without(taste: str) -> tuple[Company, ...]:
    """The companies if nobody had this taste."""
    found = []
    for weight, shares in COMPANIES:
        left = [0.0 if s.taste == taste else share for s, share in zip(FAMILY, shares, strict=True)]
        found.append(Company(weight, tuple(share / sum(left) for share in left)))
    return tuple(found)


HELD_OUT: Final = without("thinker")


def timid(race: GiroGaloppo, seat: int, rng: random.Random) -> Decision:
    """A bot of no kind: its lowest card that meets no obstacle and no horse, else any."""
    blocked = {*race.board.natural, *race.obstacles, *race.progress}
    free = [d for d in race.decisions(seat) if race.progress[seat] + d.what not in blocked]
    return free[0] if free and race.due == "play" else race.at_random(seat, rng)


def played(bots: Sequence[str], rng: random.Random) -> list[GiroGaloppo]:
    """The positions of a game between these bots, to its end."""
    positions = [GiroGaloppo.new(SEATS, age=rng.sample(range(len(SEATS)), len(SEATS)))]
    while (due := positions[-1].awaits()) is not None:
        race = positions[-1]
        if all(bot == "timid" for bot in bots):
            decision: Decision | None = timid(race.seen_by(due.seats[0]), due.seats[0], rng)
        else:
            decision = next_decision(race, bots, rng, THOUGHT, positions)
        assert decision is not None
        positions.append(race.after(decision))
    return positions


def said(at: str, number: int, seed: str) -> Iterator[Said]:
    """What was said of one game of this table."""
    rng = random.Random(f"{seed}/styles/{at}/{number}")
    bots = [rng.choice([*STYLE]) for _ in SEATS] if at == "mixed" else [at] * len(SEATS)
    positions = played(bots, rng)
    won = victory(positions[-1])
    beliefs = zip(positions, along(positions), along(positions, HELD_OUT), strict=True)
    for race, belief, held_out in beliefs:
        if race.due != "play" or any(race.choices) or race.round - 1 not in ROUNDS:
            continue
        kernels: dict[str, Kernel[Any]] = {
            "today": Giro(),
            "unknown": Styled(unknown(race)),
            "held out": Styled(held_out),
            "learned": Styled(belief),
        }
        if at != "timid":
            style = [STYLE[bot] for bot in bots]
            kernels["known"] = Styled([[float(n == own) for n in range(len(FAMILY))] for own in style])
        chances = {who: asked(race.seen_by(None), kernel, number) for who, kernel in kernels.items()}
        brier = {
            who: sum((p[Event("win", seat)] - part) ** 2 for seat, part in enumerate(won))
            for who, p in chances.items()
        }
        yield Said(number, race.round - 1, brier)


def gained(found: Sequence[Said], who: str) -> tuple[float, float]:
    """How much less wrong this is than today's odds, and twice the standard error, a game counting once."""
    games: dict[int, list[float]] = {}
    for one in found:
        games.setdefault(one.game, []).append(one.brier["today"] - one.brier[who])
    means = [fmean(of) for of in games.values()]
    return fmean(means), 2 * stdev(means) / len(means) ** 0.5


def row(name: str, found: Sequence[Said]) -> list[object]:
    """A row of a table: Brier scores, what learning gains, and its part of what there is to gain."""
    scores = [fmean(s.brier[who] for s in found) if who in found[0].brier else None for who in WHO]
    gain, error = gained(found, "learned")
    held, held_error = gained(found, "held out")
    parts = ["", ""]
    if "known" in found[0].brier and gained(found, "known")[0] > 2 * gained(found, "known")[1]:
        parts = [f", {gain / gained(found, 'known')[0]:.0%}", f", {held / gained(found, 'known')[0]:.0%}"]
    return [name, len({s.game for s in found}), *("" if p is None else f"{p:.3f}" for p in scores),
            f"{gain:+.3f} ± {error:.3f}{parts[0]}", f"{held:+.3f} ± {held_error:.3f}{parts[1]}"]  # fmt: skip


def verdict(found: Sequence[Said]) -> str:
    """Whether learning closes half of the gap between random play and known styles."""
    (gain, _), (most, _) = gained(found, "learned"), gained(found, "known")
    reached = "reached" if gain >= GOAL * most else "**missed**"
    return f"Goal: {GOAL:.0%} of what could be gained, after 2 rounds and more: {gain / most:.0%}, {reached}."


def page(found: Mapping[str, Sequence[Said]], seed: str) -> str:
    """docs/odds-that-learn.md."""
    head = ["", "games", *WHO.values(), "learning gains", "without the thinker's style"]
    mixed = found["mixed"]
    return "\n\n".join([
        "# Odds that learn",
        "In Giro Galoppo the odds learn how each seat plays. Of each card that is turned over they ask how "
        "likely every style of a small family was to choose it, in the position before it, which everybody "
        "saw; what they believe of a seat follows by Bayes, and the playouts draw its style from that. "
        f"The styles are {', '.join(f'{s.taste} ({s.noise:.0%} noise)' for s in FAMILY)}: noise is how often "
        "any card is taken. Their tastes were fitted to bots by `tools/fit_styles.py`. A belief follows from "
        "the public positions of the match and nothing else: what is taken back was never learned, and "
        "nothing is kept from one game to the next. While obstacles are laid the odds are those of random "
        "play; from then on they are all playouts, as what can be worked out to the last digit is the end of "
        "random play only.",
        f"Made by `make learning`. Four bots at a table; Brier scores of the chances to win (0 is perfect), "
        f"{PLAYOUTS:,} playouts a forecast, after {', '.join(map(str, ROUNDS))} rounds. What is gained is "
        "against everybody playing at random, as it was before, with two standard errors, and the part of "
        "what could be gained if the style nearest to each bot were known. Without the thinker's style the "
        "family knows neither thinker nor playful, to whom nothing else was fitted.",
        "## Mixed tables, by rounds played",
        table(head, [*(row(f"after {n} rounds", [s for s in mixed if s.rounds == n]) for n in ROUNDS),
                     row("after 2 rounds and more", [s for s in mixed if s.rounds >= 2]),
                     row("after 4 rounds and more", [s for s in mixed if s.rounds >= 4])]),
        verdict([s for s in mixed if s.rounds >= 2]),
        "## All tables, after 2 rounds and more",
        "*Timid* is no kind of bot that anything was fitted to: it plays its lowest card that meets nothing.",
        table(head, [row(at, [s for s in of if s.rounds]) for at, of in found.items()]),
        f"Seed: {seed}.",
    ]) + "\n"  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, ask, compare, write."""
    parser = argparse.ArgumentParser(description="Whether the odds of Giro Galoppo learn.")
    parser.add_argument("--part", type=float, default=1.0, help="so much of the games, such as .05")
    parser.add_argument("--seed", default="2026", help="the same seed plays the same games")
    parser.add_argument("--to", type=Path, default=PAGE, help="where the page goes")
    given = parser.parse_args(arguments)
    found: dict[str, list[Said]] = {}
    for at, games in GAMES.items():
        found[at] = [s for n in range(max(4, round(games * given.part))) for s in said(at, n, given.seed)]
        print(at, *row(at, [s for s in found[at] if s.rounds])[1:], file=sys.stderr, flush=True)
    text = page(found, given.seed)
    print(text)
    given.to.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
