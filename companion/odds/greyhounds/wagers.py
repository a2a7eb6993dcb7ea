"""The value of each bet in Greyhounds to a player who studies the cards shown, and the evidence
of a sheet.

Needs no NumPy: processes that only learn do without.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, exp
from operator import mul
from typing import Final, NamedTuple

from companion.games.greyhounds.bets import DOGS_OF, LEAST, MOST, Odds, Sheet
from companion.games.greyhounds.run import DOGS

WIN: Final = ((0.44, 0.26, 0.18, 0.11), (0.64, 0.23, 0.09, 0.04), (0.78, 0.18, 0.04, 0.01))
PLACE: Final = ((0.76, 0.58, 0.40, 0.26), (0.88, 0.67, 0.32, 0.13), (0.95, 0.76, 0.24, 0.05))
DOUBLE: Final = (
    (0.39, 0.23, 0.14, 0.12, 0.07, 0.05),
    (0.56, 0.23, 0.09, 0.08, 0.03, 0.02),
    (0.71, 0.20, 0.04, 0.04, 0.01, 0.00),
)
"""How often the strongest dog, the second … wins or is placed, and pairs of them do, by race, at random play:
the rule of thumb of those who bet by the cards.

Where equal cards are struck out it is much the same: in random play no number differs by more than .06."""


class Single(NamedTuple):
    """All the money on one bet: its kind, and the numbers of its dogs."""

    kind: str
    dogs: tuple[int, ...]


SINGLES: Final = tuple(
    Single(kind, dogs) for kind, count in DOGS_OF.items() for dogs in combinations(range(len(DOGS)), count)
)
_PAIRS: Final = tuple(combinations(range(len(DOGS)), 2))


def most(step: int) -> int:
    """Return the most that may be staked in a race, in whole steps."""
    return MOST // step * step


def single_of(sheet: Sheet, step: int) -> int | None:
    """Return which of SINGLES this sheet is; None if it is another."""
    if len(sheet) != 1 or sheet[0].stake != most(step):
        return None
    return SINGLES.index(Single(sheet[0].kind, tuple(sorted(DOGS.index(dog) for dog in sheet[0].dogs))))


@lru_cache(1024)
def worths(
    race: int, odds: Odds, rank: tuple[int, ...], strongest: tuple[int, ...], seat: int
) -> tuple[float, ...]:
    """Return the expected payout of each of SINGLES per dollar, as this seat sees it: its own dog runs one
    better.

    `rank` and `strongest` name the dogs, Dog 1 and the best cards first.
    """
    order = [dog for dog in strongest if dog != seat]
    order.insert(max(0, strongest.index(seat) - 1), seat)
    return tuple(
        _chance(race, bet.kind, sorted(order.index(dog) for dog in bet.dogs))
        * float(odds.of(bet.kind, [rank.index(dog) + 1 for dog in bet.dogs]))
        for bet in SINGLES
    )


def _chance(race: int, kind: str, places: Sequence[int]) -> float:
    if kind == "double":
        return DOUBLE[race - 1][_PAIRS.index((places[0], places[1]))]
    return (WIN if kind == "win" else PLACE)[race - 1][places[0]]


def at_random(sheet: Sheet, step: int) -> float:
    """Return the probability that `random_sheet` fills in this one."""
    steps, kinds = sum(bet.stake for bet in sheet) // step, len(DOGS_OF)
    totals = MOST // step - -(-LEAST // step) + 1
    stakes = min(kinds, steps) * comb(kinds, len(sheet)) * comb(steps - 1, len(sheet) - 1)
    chance = 1 / (totals * stakes)
    for bet in sheet:
        chance /= comb(len(DOGS), DOGS_OF[bet.kind])
    return chance


OWN: Final = tuple(SINGLES.index(Single("win", (dog,))) for dog in range(len(DOGS)))
"""All on a win of the own dog, by seat."""


class Leaning(NamedTuple):
    """The preferences of a player who thinks ahead, as log odds.

    For each dollar that a bet pays for one in the mean; if it is a double; if it is for a place; if the
    player's own dog is in it.
    """

    worth: float
    double: float
    place: float
    own: float


LEANINGS: Final = (
    Leaning(1.0, -0.7, -0.4, 0.5),  # all have as much
    Leaning(1.1, -1.3, 0.3, -1.2),  # no seat has more
    Leaning(0.9, -0.9, 0.2, 0.2),  # one has more
    Leaning(0.4, 0.1, -0.8, 1.4),  # several have more
)
"""A seat ahead bets so that others gain little on it, one behind on outcomes of its own dog. Made
by tools/fit_bets.py, rounded."""


def standing(money: Sequence[int], seat: int) -> int:
    """Return which of LEANINGS a seat has when the seats have this money.

    >>> [standing((3000, 1000, 4000), seat) for seat in range(3)], standing((2000, 2000), 0)
    ([2, 3, 1], 0)
    """
    richer = sum(has > money[seat] for has in money)
    return 0 if min(money) == max(money) else 1 + min(richer, 2)


def seen(bet: Single, seat: int, worth: float) -> Leaning:
    """Return the features of a bet that a Leaning weighs, with this worth to the seat; all but the worth are
    0 or 1.
    """
    return Leaning(worth, bet.kind == "double", bet.kind == "place", seat in bet.dogs)


LIKINGS: Final = tuple(
    tuple(tuple(sum(map(mul, leaning, seen(bet, seat, 0.0))) for bet in SINGLES) for leaning in LEANINGS)
    for seat in range(len(DOGS))
)
"""The preference for each bet apart from its payout: by seat, by LEANINGS, by SINGLES."""


BOLD: Final = 3.0
"""How much more often a bet is taken that pays a dollar more for each: exp of it."""


def boldly(worths: Sequence[float]) -> list[float]:
    """Return the probability of each of SINGLES for a player who bets all on something that pays well."""
    return _parts([BOLD * worth for worth in worths])


def as_things_stand(worths: Sequence[float], seat: int, money: Sequence[int]) -> list[float]:
    """Return the probability of each of SINGLES for a player who bets all on something, depending on whether
    he is ahead or behind.
    """
    at = standing(money, seat)
    liked = zip(LIKINGS[seat][at], worths, strict=True)
    return _parts([likes + LEANINGS[at].worth * worth for likes, worth in liked])


def _parts(log_odds: Sequence[float]) -> list[float]:
    most = max(log_odds)
    part = [exp(each - most) for each in log_odds]
    return [each / sum(part) for each in part]
