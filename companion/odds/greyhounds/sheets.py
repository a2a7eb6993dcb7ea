"""Bets and money of Greyhounds in many worlds: the rules of hounds_bets and hounds_money in columns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.greyhounds.bets import DOGS_OF, LEAST, MOST, Odds, Sheet
from companion.games.greyhounds.money import PRIZES
from companion.games.greyhounds.run import DOGS
from companion.odds.greyhounds.turn import Flags, Ints

KINDS: Final = tuple(DOGS_OF)
DOUBLES: Final = tuple(combinations(range(len(DOGS)), 2))
_NONE: Final = len(DOGS)  # no dog, or no rank


def _pairs() -> NDArray[np.int8]:
    """Return the number of each pair of dogs or ranks, in either order; no pair has the row that pays
    nothing.
    """
    numbers = np.full((_NONE + 1, _NONE + 1), len(DOUBLES), np.int8)
    for number, (a, b) in enumerate(DOUBLES):
        numbers[a, b] = numbers[b, a] = number
    return numbers


PAIR: Final = _pairs()
_KIND_ORDERS: Final = np.array(list(permutations(range(len(KINDS)))), np.int8)
_PRIZES: Final = np.array([0, *PRIZES, 0], np.int32)  # by place, RUNNING and GONE included


class Sheets(NamedTuple):
    """Every seat's sheet: (kinds, seats, worlds). `stakes` in steps, 0 for no bet; `dogs`: a dog, for a
    double the number of the pair.
    """

    stakes: Ints
    dogs: Ints

    def of(self, worlds: Ints) -> Sheets:
        """Return the sheets in these worlds only."""
        return Sheets(self.stakes[..., worlds], self.dogs[..., worlds])


def of_sheet(sheet: Sheet, step: int) -> tuple[list[int], list[int]]:
    """Return the stakes of a known sheet, in steps, and its dogs or pairs: by kind."""
    stakes, dogs = [0] * len(KINDS), [0] * len(KINDS)
    for bet in sheet:
        kind, named = KINDS.index(bet.kind), [DOGS.index(dog) for dog in bet.dogs]
        stakes[kind] = bet.stake // step
        dogs[kind] = int(PAIR[named[0], named[1]]) if len(named) == 2 else named[0]
    return stakes, dogs


KnownSheet = Sheet | int | None
"""The known part of a sheet: all, the number of dollars, or nothing."""


def sheets(known_sheets: Sequence[KnownSheet], step: int, worlds: int, rng: np.random.Generator) -> Sheets:
    """Return a sheet for each seat: a known one, random ones of so many dollars, or any random
    ones (None).

    The distribution of random sheets is that of `random_sheet`.
    """
    open_ = [seat for seat, sheet in enumerate(known_sheets) if not isinstance(sheet, tuple)]
    shape = (len(KINDS), len(known_sheets), worlds)
    stakes, dogs = np.zeros(shape, np.int16), np.zeros(shape, np.int8)
    for seat, sheet in enumerate(known_sheets):
        if isinstance(sheet, tuple):
            known = np.array(of_sheet(sheet, step))
            stakes[:, seat], dogs[:, seat] = known[0, :, None], known[1, :, None]
    if open_:
        totals = [known_sheets[seat] for seat in open_]
        steps = _steps([t // step if isinstance(t, int) else None for t in totals], step, worlds, rng)
        stakes[:, open_] = _stakes(steps, rng)
        counts = (len(DOGS), len(DOGS), len(DOUBLES))
        for kind, count in enumerate(counts):
            dogs[kind, open_] = rng.integers(count, size=steps.shape, dtype=np.int8)
    return Sheets(stakes, dogs)


def staked_boldly(
    drawn: Sheets, known_sheets: Sequence[KnownSheet], step: int, own: Flags, favourite: Flags, rank: Ints
) -> None:
    """Put the maximum on one win, in place: on the own dog, or on Dog 1, by seat and world.

    Known sheets do not change, and neither do known totals.
    """
    dog_1 = rank.argmin(axis=0).astype(np.int8)
    for seat, sheet in enumerate(known_sheets):
        if isinstance(sheet, tuple):
            continue
        bold = own[seat] | favourite[seat]
        drawn.stakes[:, seat, bold] = 0
        drawn.stakes[0, seat, bold] = (MOST if sheet is None else sheet) // step
        drawn.dogs[0, seat, bold] = np.where(own[seat], np.int8(seat), dog_1)[bold]


def _steps(totals: Sequence[int | None], step: int, worlds: int, rng: np.random.Generator) -> Ints:
    """Return how many steps each seat stakes in all: (seats, worlds)."""
    drawn = rng.integers(-(-LEAST // step), MOST // step + 1, size=(len(totals), worlds), dtype=np.int16)
    for seat, total in enumerate(totals):
        if total is not None:
            drawn[seat] = total
    return drawn


def _stakes(steps: Ints, rng: np.random.Generator) -> Ints:
    """Split these steps into stakes of one to three kinds; each number of kinds and each split is equally
    likely.
    """
    kinds = _below(np.minimum(len(KINDS), steps), rng) + 1
    first = _below(steps - 1, rng) + 1
    second = _below(steps - 2, rng) + 1
    second += second >= first
    low = np.where(kinds == 1, steps, np.where(kinds == 2, first, np.minimum(first, second)))
    high = np.where(kinds == 3, np.maximum(first, second), steps)
    parts = np.stack([low, high - low, steps - high])
    order = _KIND_ORDERS[rng.integers(len(_KIND_ORDERS), size=steps.shape, dtype=np.int8)]
    return np.take_along_axis(parts, np.moveaxis(order, -1, 0).astype(np.intp), axis=0)


def _below(high: Ints, rng: np.random.Generator) -> Ints:
    """Draw uniformly 0 to high − 1, each; 0 where there is no such number."""
    return (rng.random(high.shape) * np.maximum(high, 1)).astype(np.int16)


# --- payouts -------------------------------------------------------------------------------------


class Payouts(NamedTuple):
    """The payout of a won bet by rank (for a double: pair of ranks) and steps staked; the last row is for
    lost bets.
    """

    win: Ints
    place: Ints
    double: Ints


@lru_cache(8)
def payouts(odds: Odds, step: int) -> Payouts:
    """Return every payout, each as in `payout`: exact, in whole dollars, rounded down."""
    stakes = [n * step for n in range(MOST // step + 1)]

    def table(chart: Sequence[tuple[int, int]]) -> Ints:
        rows = [[stake * over // under for stake in stakes] for over, under in chart]
        return np.array([*rows, [0] * len(stakes)], np.int32)

    return Payouts(*(table([odd.as_integer_ratio() for odd in chart]) for chart in odds))


class Brought(NamedTuple):
    """The result of a settlement for each seat, in dollars: (seats, worlds)."""

    stakes: Ints
    back: Ints
    prizes: Ints


def brought(sheets: Sheets, pays: Payouts, step: int, rank: Ints, place: Ints) -> Brought:
    """Return the stakes and returns of bets, and owners' prizes, after races with these results: rank, place
    by dog.
    """
    first, second = (dog_at(place, n) for n in (1, 2))
    every = np.arange(place.shape[1])
    by_dog = np.concatenate([rank, np.full((1, place.shape[1]), _NONE, rank.dtype)])
    rank1, rank2 = by_dog[first, every], by_dog[second, every]
    win, placed, double = sheets.dogs
    rows = (
        np.where(win == first, rank1, _NONE),
        np.where(placed == first, rank1, np.where(placed == second, rank2, _NONE)),
        np.where(double == PAIR[first, second], PAIR[rank1, rank2], len(DOUBLES)),
    )
    back = sum(table[row, staked] for table, row, staked in zip(pays, rows, sheets.stakes, strict=True))
    seats = win.shape[0]
    return Brought(sheets.stakes.sum(axis=0, dtype=np.int32) * step, back, _PRIZES[place[:seats]])


def dog_at(place: Ints, which: int) -> Ints:
    """Return the dog that took this place, in each world; 4 where none did."""
    dogs = np.where(place == which, np.arange(len(DOGS), dtype=np.int8)[:, None], np.int8(_NONE))
    return dogs.min(axis=0)


def with_bank(money: Ints, brought: Brought) -> Ints:
    """Return the money after a settlement with the bank."""
    return money - brought.stakes + brought.back + brought.prizes


def with_bookie(money: Ints, brought: Brought, bookie: int) -> Ints:
    """Return the money after a settlement with a bookie, who gets the stakes now unless `money` has them
    already.
    """
    prizes = brought.prizes.copy()
    prizes[bookie] = 0
    after = money - brought.stakes + brought.back + prizes
    after[bookie] += (brought.stakes - brought.back - prizes).sum(axis=0)
    return after
