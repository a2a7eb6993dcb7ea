"""Fit how thinkers bet in Greyhounds, as they are ahead or behind: prints `wagers.LEANINGS`.

PYTHONPATH=. .venv/bin/python tools/fit_bets.py

Thinkers play at tables of their own and at mixed ones. The fit maximises the likelihood of their bets over
the log odds of the features of a bet, with some noise and a small penalty on large values. The seeds of these
games are texts that nothing else uses.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.bots.players import KINDS, next_decision
from companion.games.greyhounds.rules import Greyhounds
from companion.games.race import Race
from companion.odds.greyhounds import wagers
from companion.odds.greyhounds.styles import strongest

NAMES: Final = ("Ada", "Ben", "Cleo", "Dev")
NOISE: Final = 0.05
RELUCTANCE: Final = 0.004
STEPS: Final = 2000


class Made(NamedTuple):
    """The standing of the bet's owner, the features of each of SINGLES, and the chosen one."""

    standing: int
    seen: NDArray[np.float64]
    chosen: int


def made(games: int, seed: str) -> Iterator[Made]:
    """Yield the bets of thinkers in so many games, every third of which is theirs alone."""
    for number in range(games):
        rng = random.Random(f"{seed}/{number}")
        bots = ["thinker" if number % 3 == 0 else rng.choice([*KINDS]) for _ in NAMES]
        race: Race = Greyhounds.new(NAMES, **(Greyhounds.suggested[len(NAMES)] if number % 2 else {}))
        past = [race]
        while (decision := next_decision(race, bots, rng, past=past)) is not None:
            seat = decision.seat
            if isinstance(race, Greyhounds) and decision.do == "bet" and seat is not None:
                single = wagers.single_of(decision.what, race.bet_step)
                if bots[seat] == "thinker" and single is not None:
                    yield Made(wagers.standing(race.money, seat), seen(race, seat), single)
            race = race.after(decision)
            past.append(race)


def seen(race: Greyhounds, seat: int) -> NDArray[np.float64]:
    """Return the features that `wagers.Leaning` weighs, by SINGLES."""
    worths = wagers.worths(race.race, race.pays, race.run.rank, strongest(race, race.race), seat)
    rows = [wagers.seen(bet, seat, worth) for bet, worth in zip(wagers.SINGLES, worths, strict=True)]
    return np.array(rows, float)


def fitted(bets: list[Made]) -> wagers.Leaning:
    """Return the log odds under which these bets were likeliest."""
    rows, chosen = np.stack([bet.seen for bet in bets]), [bet.chosen for bet in bets]
    took = (np.arange(len(bets)), chosen)
    weights, noise = np.zeros(rows.shape[2]), NOISE / rows.shape[1]
    for _ in range(STEPS):
        part = np.exp(rows @ weights)
        likely = part / part.sum(axis=1, keepdims=True)
        meant = (1 - NOISE) * likely[took]
        gap = rows[took] - (likely[..., None] * rows).sum(axis=1)
        weights += 0.3 * (((meant / (meant + noise))[:, None] * gap).mean(axis=0) - RELUCTANCE * weights)
    return wagers.Leaning(*(round(float(weight), 2) for weight in weights))


def main() -> None:
    """Play, fit, print."""
    parser = argparse.ArgumentParser(description="Fit how thinkers bet in Greyhounds.")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", default="bets")
    given = parser.parse_args()
    bets = [*made(given.games, given.seed)]
    for standing in range(len(wagers.LEANINGS)):
        of = [bet for bet in bets if bet.standing == standing]
        print(len(of), *([fitted(of)] if of else []))


if __name__ == "__main__":
    main()
