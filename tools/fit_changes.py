"""Find how often people change their style: the rates `CHANGES` in companion/odds/*/styles.py.

PYTHONPATH=. .venv/bin/python tools/fit_changes.py [GAMES]

Bots play Giro Galoppo and Greyhounds: half of the tables as they began, a quarter with one seat and a quarter
with all seats that play in another style from the middle on. For each rate the table has how well each next
decision was foreseen, from all that were seen before: the mean of the logarithm of its probability, in
thousandths, against a rate of 0. The seeds of these games are texts that nothing else uses.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from math import log
from typing import Final
from unittest.mock import patch

from bench.report import table
from companion.bots.players import next_decision
from companion.games.giro.rules import GiroGaloppo
from companion.games.greyhounds.rules import Greyhounds
from companion.games.race import Race
from companion.odds import belief
from companion.odds.belief import Evidence
from companion.odds.giro import styles as giro
from companion.odds.greyhounds import styles as greyhounds
from companion.odds.styles import evidence

RATES: Final = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2)
KINDS: Final = ("random", "playful", "greedy", "careful")  # a thinker takes a hundred times as long
SEATS: Final = ("Ada", "Ben", "Cleo", "Dev")
MIDDLE: Final = {GiroGaloppo: 5, Greyhounds: 2}  # the round or race from which some play in another way

TABLES: Final = {
    "nobody changes": (0, 1),
    "one changes": (2,),
    "all change": (3,),
    "all tables": (0, 1, 2, 3),
}
"""By name, the remainders modulo four of the games."""

Seen = tuple[int, tuple[float, ...]]
"""A decision that became public: its seat, and its probability in each style."""


def decisions(game: type[Race], number: int) -> list[Seen]:
    """Return the decisions of a game between bots in the order in which they became public."""
    rng = random.Random(f"fit-changes/{game.name}/{number}")
    first = [rng.choice(KINDS) for _ in SEATS]
    changing = (set(), set(), {rng.randrange(len(SEATS))}, {*range(len(SEATS))})[number % 4]
    second = [
        rng.choice([kind for kind in KINDS if kind != first[s]]) if s in changing else first[s]
        for s in range(len(SEATS))
    ]
    race: Race = game.new(SEATS)
    past = [race]
    while (decision := next_decision(race, second if _is_late(race) else first, rng, past=past)) is not None:
        race = race.after(decision)
        past.append(race)
    found: list[Seen] = []

    def noted(known: Evidence, seat: int, likely: Sequence[float], changes: float) -> Evidence:
        found.append((seat, tuple(likely)))
        return known

    with patch.object(giro, "with_decision", noted), patch.object(greyhounds, "with_decision", noted):
        evidence(past)
    return found


def _is_late(race: Race) -> bool:
    at = race.round if isinstance(race, GiroGaloppo) else race.race if isinstance(race, Greyhounds) else 0
    return at >= MIDDLE[type(race)]


def foreseen(found: Sequence[Seen], rate: float) -> list[float]:
    """Return for each decision the logarithm of its probability, given those before and this rate."""
    known = belief.nothing_seen(len(SEATS), len(found[0][1]))
    chances = []
    for seat, likely in found:
        before = known[seat]
        faded = [(1 - rate) * each + rate * sum(before) / len(before) for each in before]
        chances.append(log(sum(f * p for f, p in zip(faded, likely, strict=True)) / sum(faded)))
        known = belief.with_decision(known, seat, likely, rate)
    return chances


def main() -> None:
    """Play, compare, print."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    rows: list[list[object]] = []
    for game, count in ((GiroGaloppo, games), (Greyhounds, games // 4)):
        played = [decisions(game, number) for number in range(count)]
        for name, some in TABLES.items():
            chosen = [seen for number, seen in enumerate(played) if number % 4 in some]
            means = []
            for rate in RATES:
                each = [chance for seen in chosen for chance in foreseen(seen, rate)]
                means.append(1000 * sum(each) / len(each))
            rows.append([f"{game.title}, {name}", *(f"{mean - means[0]:+.1f}" for mean in means)])
    print(table(["thousandths, against a rate of 0", *map(str, RATES)], rows))


if __name__ == "__main__":
    main()
