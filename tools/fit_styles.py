"""Fit the tastes of each kind of bot in Giro Galoppo: writes companion/odds/giro/tastes.py.

PYTHONPATH=. .venv/bin/python tools/fit_styles.py

Bots of every kind play at mixed tables. The fit maximises the likelihood of a kind's choices over the weights
of the features of a card, with some noise and a small penalty on large weights. The taste of careful bots is
their rule of thumb, which is made of the same features; mild ones follow it less strictly, a space counting
once. The seeds of these games are texts that nothing else uses.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.bots.giro import PUSHED, SAVED
from companion.bots.players import KINDS, next_decision
from companion.games.giro.rules import CARDS, GiroGaloppo
from companion.odds.giro.card_features import CardFeatures, card_features

TASTES: Final = Path(__file__).parent.parent / "companion" / "odds" / "giro" / "tastes.py"
NAMES: Final = ("Ada", "Ben", "Cleo", "Dev", "Emma")
FITTED: Final = ("greedy", "thinker")
SHARP: Final = 20.0  # how far a rule of thumb goes by it: a fifth of a space decides
CAREFUL: Final = CardFeatures(0, 0, -SAVED, 0, 0, 1, PUSHED, -PUSHED, 0)  # as GiroHeuristics weighs it
NOISE: Final = 0.05
RELUCTANCE: Final = 0.0001
STEPS: Final = 3000


class Choice(NamedTuple):
    """The features of each card of a hand, a row a card, and the row of the chosen card."""

    kind: str
    seen: NDArray[np.float64]
    chosen: int


def choices(games: int, seed: str) -> Iterator[Choice]:
    """Yield the choices of bots in so many games, without forced ones."""
    for number in range(games):
        rng = random.Random(f"{seed}/{number}")
        bots = [rng.choice([*KINDS]) for _ in NAMES[: rng.choice([2, 3, 4, 5])]]
        race = before = GiroGaloppo.new(NAMES[: len(bots)], age=rng.sample(range(len(bots)), len(bots)))
        past = [race]
        while (decision := next_decision(race, bots, rng, past=past)) is not None:
            if not any(race.choices):
                before = race
            if decision.do == "play" and decision.seat is not None:
                seen = card_features(before, decision.seat)
                if len(seen) > 1:
                    yield Choice(
                        bots[decision.seat], np.array([*seen.values()]), [*seen].index(decision.what)
                    )
            race = race.after(decision)
            past.append(race)


def fitted(made: list[Choice]) -> NDArray[np.float64]:
    """Return the weights under which these choices were likeliest."""
    seen = np.zeros((len(made), len(CARDS), len(CardFeatures._fields)))
    there = np.zeros((len(made), len(CARDS)), dtype=bool)
    for row, choice in enumerate(made):
        seen[row, : len(choice.seen)], there[row, : len(choice.seen)] = choice.seen, True
    took = (np.arange(len(made)), [choice.chosen for choice in made])
    size = seen[there].std(axis=0)
    seen, noise = seen / size, NOISE / there.sum(axis=1)
    weights, drift, spread = (np.zeros(seen.shape[2]) for _ in range(3))
    for step in range(1, STEPS + 1):  # Adam: Kingma and Ba, 2015
        likely = _likely(seen, there, weights)
        meant = (1 - NOISE) * likely[took]
        gap = seen[took] - (likely[..., None] * seen).sum(axis=1)
        slope = RELUCTANCE * weights - ((meant / (meant + noise))[:, None] * gap).mean(axis=0)
        drift, spread = 0.9 * drift + 0.1 * slope, 0.99 * spread + 0.01 * slope**2
        weights = weights - 0.05 * drift / (1 - 0.9**step) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
    meant = (1 - NOISE) * _likely(seen, there, weights)[took] + noise
    print(f"{made[0].kind}: {len(made)} choices, {np.log(meant).mean():.3f} a choice, "
          f"{-np.log(there.sum(axis=1)).mean():.3f} at random")  # fmt: skip
    found: NDArray[np.float64] = weights / size
    return found


def _likely(
    seen: NDArray[np.float64], there: NDArray[np.bool_], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    worth = np.where(there, seen @ weights, -np.inf)
    part = np.exp(worth - worth.max(axis=1, keepdims=True))
    likely: NDArray[np.float64] = part / part.sum(axis=1, keepdims=True)
    return likely


def main() -> None:
    """Play, fit, write."""
    parser = argparse.ArgumentParser(description="Fit the tastes of Giro Galoppo's styles.")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seed", default="tastes")
    given = parser.parse_args()
    made = [*choices(given.games, given.seed)]
    found = {kind: fitted([choice for choice in made if choice.kind == kind]) for kind in FITTED}
    rows = [
        f'    "{kind}": CardFeatures({", ".join(f"{w:.2f}" for w in weights)}),'
        for kind, weights in {
            "random": np.zeros(len(CardFeatures._fields)),
            "careful": SHARP * np.array(CAREFUL),
            "mild": np.array(CAREFUL),
            **found,
        }.items()
    ]
    head = f'''"""What each kind of bot likes in a card.

Made by tools/fit_styles.py --games {given.games} --seed {given.seed}.
"""

from __future__ import annotations

from typing import Final

from companion.odds.giro.card_features import CardFeatures

TASTES: Final[dict[str, CardFeatures]] = {{
'''
    TASTES.write_text(head + "\n".join(rows) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
