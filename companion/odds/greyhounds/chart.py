"""Odds charts for Greyhounds, computed from simulated races: payouts of bets by rank, race by race.

The dogs are played at random, as everywhere in these odds, and ranked by their cards. Each race has a
separate chart: in the first one outsiders win far more often than in the last one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations, pairwise
from typing import Final

import numpy as np

from companion.games.charts import checked_return
from companion.games.greyhounds.bets import DOGS_OF, Odds
from companion.games.greyhounds.fair import RETURN
from companion.games.greyhounds.rules import LAP, Greyhounds
from companion.odds.greyhounds.evening import Evening, PlayingStyle
from companion.odds.greyhounds.kernel import of_the_dogs
from companion.odds.kernel import Values

PLAYOUTS: Final = 200_000
"""How many evenings are simulated: some two seconds here. A bet that is won once in thirty races is then
known to about one part in a hundred."""

BLOCK: Final = 10_000
"""How many evenings are simulated at once: more take several blocks, with a report after each."""

BETS: Final = (
    *(("win", (rank,)) for rank in range(1, 5)),
    *(("place", (rank,)) for rank in range(1, 5)),
    *(("double", pair) for pair in combinations(range(1, 5), 2)),
)
"""Every bet by rank, in the order in which this module has them."""

_LADDER: Final = (
    *((1, "0.05"), (2, "0.1"), (4, "0.2"), (8, "0.4"), (20, "1"), (40, "2"), (100, "5")),
    *((200, "10"), (400, "20"), (1000, "1")),
)


def computed(
    lap: int = LAP, returned: float = RETURN, seats: int = 4, playouts: int = PLAYOUTS, seed: int = 0
) -> tuple[Odds, ...]:
    """Return the chart of each race that pays back about `returned` (0 to 1) of the stakes, on any bet.

    For laps of `lap` spaces (1 to 1000) and 3 or 4 seats, 3 with the dummy. InvalidInput names what is wrong.
    A payout includes the stake, so none is below 1: nearly sure bets pay back more than `returned`. The same
    arguments give the same charts. They are the game's option `odds` after `charts_as_data`.

    >>> first, _, last = computed(28, 0.85, playouts=10_000)
    >>> [str(odds) for odds in first.win], [str(odds) for odds in last.win]
    (['1.8', '3.1', '5.2', '9.6'], ['1.6', '3', '6.2', '16.4'])
    """
    checked_return(returned)
    return charts(chances(lap, seats, playouts, seed), returned)


def chances(lap: int, seats: int = 4, playouts: int = PLAYOUTS, seed: int = 0) -> Values:
    """Return the probability of winning each of BETS in each race: (races, bets)."""
    return together(blocks(lap, seats, playouts, seed))


def blocks(lap: int, seats: int, playouts: int, seed: int) -> Iterator[tuple[int, Values]]:
    """Yield, per block of evenings, their number and the frequency of winning each of BETS in them."""
    opening, rng = Greyhounds.new([str(seat) for seat in range(seats)], lap=lap), np.random.default_rng(seed)
    for first in range(0, playouts, BLOCK):
        evening = Evening(opening, min(BLOCK, playouts - first), rng, PlayingStyle())
        won = [
            of_the_dogs(np.take_along_axis(place, rank.argsort(axis=0), axis=0)).mean(
                axis=1, dtype=np.float64
            )
            for rank, place in zip(evening.ranks, evening.places, strict=True)
        ]
        yield min(BLOCK, playouts - first), np.stack(won)


def together(blocks: Iterable[tuple[int, Values]]) -> Values:
    """Return the frequency of winning each of BETS in all these evenings."""
    evenings, won = zip(*blocks, strict=True)
    return np.average(won, axis=0, weights=evenings)


def charts(chances: Values, returned: float) -> tuple[Odds, ...]:
    """Return the chart of each race for these frequencies of winning bets: chances (races, bets)."""
    return tuple(chart(race, returned) for race in chances)


def chart(chances: Values, returned: float) -> Odds:
    """Return payouts by rank for these frequencies of winning (in the order of BETS), never less for a worse
    rank.
    """
    fair = [float(returned / p) if p > 0 else float(STEPS[-1]) for p in chances]
    paid = dict(zip(BETS, map(rounded, fair), strict=True))
    for kind, ranks in BETS:
        better = [other for other in paid if other[0] == kind and _no_worse(other[1], ranks)]
        paid[kind, ranks] = max(paid[bet] for bet in better)
    win, place, double = ([odds for (k, _), odds in paid.items() if k == kind] for kind in DOGS_OF)
    return Odds(tuple(win), tuple(place), tuple(double))


def _no_worse(ranks: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(a <= b for a, b in zip(ranks, other, strict=True))


def paid_back(charts: Sequence[Odds], chances: Values) -> Values:
    """Return the part of its stake that each of BETS brings back on average in each race: (races, bets)."""
    return chances * np.array([[float(odds.of(*bet)) for bet in BETS] for odds in charts])


def rounded(odds: float) -> Decimal:
    """Return the nearest payout that people can calculate with and pay: on $500 steps of at least $25.

    >>> [str(rounded(odds)) for odds in (0.4, 1.66, 2.52, 3, 10.5, 47, 5000)]
    ['1', '1.65', '2.5', '3', '10.4', '46', '1000']
    """
    return min(STEPS, key=lambda step: abs(float(step) - odds))


def _steps() -> tuple[Decimal, ...]:
    ladder = [(Decimal(low), Decimal(step)) for low, step in _LADDER]
    steps = [
        low + n * step for (low, step), (high, _) in pairwise(ladder) for n in range(int((high - low) / step))
    ]
    return tuple(map(_plain, (*steps, ladder[-1][0])))


def _plain(odds: Decimal) -> Decimal:
    return Decimal(int(odds)) if odds == int(odds) else odds.normalize()


STEPS: Final = _steps()
"""All payouts that `rounded` gives: each no more than a twentieth above the one before, so that none is more
than a fortieth off."""
