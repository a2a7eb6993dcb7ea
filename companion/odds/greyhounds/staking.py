"""Sheets of players who put all their money on one bet, in many worlds: `wagers` in columns."""

from __future__ import annotations

from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.greyhounds.bets import Odds
from companion.games.greyhounds.run import DOGS
from companion.odds.greyhounds.sheets import KINDS, PAIR, Sheets
from companion.odds.greyhounds.turn import Ints
from companion.odds.greyhounds.wagers import BOLD, DOUBLE, LEANINGS, LIKINGS, OWN, PLACE, SINGLES, WIN

Worths = NDArray[np.float32]

_KIND: Final = np.array([KINDS.index(bet.kind) for bet in SINGLES])
_DOG: Final = np.array([PAIR[bet.dogs] if len(bet.dogs) == 2 else bet.dogs[0] for bet in SINGLES], np.int8)

_WORTH: Final = np.array([leaning.worth for leaning in LEANINGS], np.float32)
_LIKINGS: Final = np.array(LIKINGS, np.float32).swapaxes(1, 2)  # by seat, by SINGLES, by LEANINGS


class Shown(NamedTuple):
    """The information of a seat that bets in a race.

    The chart, each dog's place by its cards (`strong`) and by the chart (`rank`), 0 the first: (dogs,
    worlds); and everybody's money (seats, worlds).
    """

    odds: Odds
    race: int
    seat: int
    strong: Ints
    rank: Ints
    money: Ints


def worths(shown: Shown) -> Worths:
    """Return the expected payout of each of SINGLES per dollar, as in `wagers.worths`: (singles, worlds)."""
    odds, race, seat, strong, rank, _ = shown
    place = strong + (strong == strong[seat] - 1)
    place[seat] = np.maximum(strong[seat] - 1, 0)
    rows: list[Worths] = []
    for likely, pays in zip((WIN, PLACE), odds, strict=False):
        chances, payouts = _numbers(likely[race - 1]), _numbers(pays)
        rows += [chances[place[dog]] * payouts[rank[dog]] for dog in range(len(DOGS))]
    chances, payouts = _numbers(DOUBLE[race - 1]), _numbers(odds.double)
    for a, b in combinations(range(len(DOGS)), 2):
        rows.append(chances[PAIR[place[a], place[b]]] * payouts[PAIR[rank[a], rank[b]]])
    return np.stack(rows)


def _numbers(row: object) -> Worths:
    return np.array(row, np.float32)


def on_own_dog(shown: Shown, rng: np.random.Generator) -> Ints:
    """Put all on a win of the own dog."""
    return np.full(shown.rank.shape[1], OWN[shown.seat])


def on_the_best(shown: Shown, rng: np.random.Generator) -> Ints:
    """Put all on the bet that pays most."""
    return worths(shown).argmax(axis=0)


def boldly(shown: Shown, rng: np.random.Generator) -> Ints:
    """Put all on something that pays well, with the probabilities of `wagers.boldly`."""
    return _taken(BOLD * worths(shown), rng)


def as_things_stand(shown: Shown, rng: np.random.Generator) -> Ints:
    """Put all on something, with the probabilities of `wagers.as_things_stand`."""
    worth, at = worths(shown), standing(shown.money, shown.seat)
    return _taken(_WORTH[at] * worth + _LIKINGS[shown.seat].take(at, axis=1), rng)


def _taken(log_odds: Worths, rng: np.random.Generator) -> Ints:
    """Draw one of SINGLES by world, with these log odds: Gumbel's trick."""
    return (log_odds + rng.gumbel(size=log_odds.shape)).argmax(axis=0)


def standing(money: Ints, seat: int) -> Ints:
    """Return `wagers.standing` by world."""
    richer = (money > money[seat]).sum(axis=0)
    return np.where((money == money[0]).all(axis=0), 0, 1 + np.minimum(richer, 2))


BETS: Final = (on_own_dog, on_the_best, as_things_stand, boldly)
"""How each taste but the first bets: a number of SINGLES for each world."""


def stake_on(drawn: Sheets, seat: int, worlds: Ints, bets: Ints, total: int, step: int) -> None:
    """Put `total` dollars, in whole steps, on these bets in these worlds, in place."""
    drawn.stakes[:, seat, worlds] = 0
    drawn.stakes[_KIND[bets], seat, worlds] = total // step
    drawn.dogs[_KIND[bets], seat, worlds] = _DOG[bets]
