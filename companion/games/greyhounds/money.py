"""The money of a race of Greyhounds for each seat: prizes and bets, with a bank or with a bookie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from companion.games.greyhounds.bets import Bet, Odds, Sheet, payout, staked, won
from companion.games.greyhounds.run import DOGS

PRIZES: Final = (1500, 1000, 500)


class Paid(NamedTuple):
    """A settled bet: its seat, its payout per dollar if won, and the dollars it returned (0: lost)."""

    seat: int
    bet: Bet
    odds: Decimal
    back: int


class Result(NamedTuple):
    """A settled race: the dogs placed; by seat prizes, bet results and the money afterwards; then
    bet by bet.
    """

    places: tuple[int, ...]
    prizes: tuple[int, ...]
    bets: tuple[int, ...]
    money: tuple[int, ...]
    paid: tuple[Paid, ...]


def paid(sheets: Sequence[Sheet], odds: Odds, rank: Sequence[int], places: Sequence[int]) -> Iterator[Paid]:
    """Settle every bet of these sheets and yield them by seat; dogs in rank and places are numbers."""
    first = [DOGS[dog] for dog in places]
    for seat, sheet in enumerate(sheets):
        for bet in sheet:
            each = odds.of(bet.kind, [rank.index(DOGS.index(dog)) + 1 for dog in bet.dogs])
            yield Paid(seat, bet, each, payout(bet.stake, each) if won(bet, first) else 0)


def with_bank(
    money: Sequence[int], sheets: Sequence[Sheet], places: Sequence[int], bets: Sequence[Paid]
) -> Result:
    """Return the result with a bank: stakes go to it, winnings and prizes come from it."""
    prizes = _prizes(len(money), places)
    brought = [back - staked(sheet) for back, sheet in zip(_back(len(money), bets), sheets, strict=True)]
    after = [m + b + p for m, b, p in zip(money, brought, prizes, strict=True)]
    return Result(tuple(places), tuple(prizes), tuple(brought), tuple(after), tuple(bets))


def with_bookie(
    money: Sequence[int], stakes: Sequence[int], places: Sequence[int], bets: Sequence[Paid], bookie: int
) -> Result:
    """Return the result with a bookie, who has the stakes already: he pays winnings and the others' prizes,
    even below zero.
    """
    prizes, back = _prizes(len(money), places), _back(len(money), bets)
    prizes[bookie] = 0
    prizes[bookie] = -sum(prizes)
    after = [m + b + p for m, b, p in zip(money, back, prizes, strict=True)]
    after[bookie] -= sum(back)
    brought = [b - s for b, s in zip(back, stakes, strict=True)]
    brought[bookie] = -sum(brought)
    return Result(tuple(places), tuple(prizes), tuple(brought), tuple(after), tuple(bets))


def _prizes(seats: int, places: Sequence[int]) -> list[int]:
    """Return the prize money by seat; no seat gets a dummy's."""
    prizes = [0] * seats
    for dog, prize in zip(places, PRIZES, strict=False):
        if dog < seats:
            prizes[dog] = prize
    return prizes


def _back(seats: int, bets: Sequence[Paid]) -> list[int]:
    return [sum(one.back for one in bets if one.seat == seat) for seat in range(seats)]
