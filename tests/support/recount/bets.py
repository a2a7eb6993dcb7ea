"""What a bet of Greyhounds pays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

PRIZES = (1500, 1000, 500)

ODDS: Mapping[str, Any] = {
    "win": [3, 5, 7, 12],
    "place": [2, 2, 3, 5],
    "double": {"1-2": 3, "1-3": 6, "1-4": 9, "2-3": 11, "2-4": 19, "3-4": 26},
}
"""The placeholder odds chart: payout per dollar staked, the stake included, by rank."""


def won(bet: Mapping[str, Any], places: Sequence[str]) -> bool:
    """Return whether a bet is won; `places` may be fewer than three.

    >>> won({"kind": "double", "dogs": ["red", "blue"]}, ["blue", "red", "green"])
    True
    >>> won({"kind": "double", "dogs": ["red", "blue"]}, ["blue"])
    False
    """
    dogs: set[str] = {*bet["dogs"]}
    if bet["kind"] == "win":
        return dogs == {*places[:1]}
    if bet["kind"] == "place":
        return dogs <= {*places[:2]}
    return dogs == {*places[:2]}


def payout(bet: Mapping[str, Any], odds: Mapping[str, Any], rank: Sequence[str]) -> int:
    """Return what is paid on a won bet in whole dollars, the stake included.

    >>> payout({"kind": "place", "dogs": ["red"], "stake": 501}, {"place": [2, 1.9, 2, 3]}, ["blue", "red"])
    951
    """
    ranks = sorted(rank.index(dog) + 1 for dog in bet["dogs"])
    if bet["kind"] == "double":
        rate = odds["double"]["-".join(map(str, ranks))]
    else:
        rate = odds[bet["kind"]][ranks[0] - 1]
    # by its digits: as a float 1.9 is a little less than 1.9, and rounding down would show it
    return int(Fraction(str(rate)) * bet["stake"] // 1)


def staked(bets: Sequence[Mapping[str, Any]]) -> int:
    """Return all that a sheet stakes."""
    return sum(bet["stake"] for bet in bets)
