"""The table of a league: points by place, a rating over several games, and victories corrected for luck.

All of it is computed from the results on each request: no stored copy can disagree with them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from openskill.models import PlackettLuce

POINTS: Final = (5.0, 3.0, 2.0, 1.0, 0.0)
_MODEL: Final = PlackettLuce()


class Seat(NamedTuple):
    """A person's result in a game.

    `place`: None without one; `victory`: the share of it; `luck` in points of a hundred, None: not known, or
    no clear difference.
    """

    who: str
    place: int | None
    victory: float
    luck: int | None = None


class Row(NamedTuple):
    """A person in a league: `place` by points, then victories; the `rating` after few games is low.

    `wins` are shares of victories, `unlucky` those that remain when luck is subtracted.
    """

    place: int
    who: str
    games: int
    points: float
    wins: float
    unlucky: float
    rating: float


def points(seats: Sequence[Seat], scale: Sequence[float] = POINTS) -> list[float]:
    """Return the points by seat: equal places share their points; no place comes behind all places.

    >>> points([Seat("Ada", 2, 0), Seat("Ben", 1, 1), Seat("Cleo", 2, 0)])
    [2.5, 5.0, 2.5]
    """
    order = sorted(range(len(seats)), key=lambda seat: _rank(seats[seat]))
    brought = [0.0] * len(seats)
    at = 0
    for _, group in groupby(order, key=lambda seat: _rank(seats[seat])):
        equal = list(group)
        share = sum(scale[at : at + len(equal)]) / len(equal)
        for seat in equal:
            brought[seat] = share
        at += len(equal)
    return brought


def ratings(games: Iterable[Sequence[Seat]]) -> Mapping[str, float]:
    """Return each person's rating after these games in their order: μ - 3σ of Plackett and Luce.

    That is a bound which their strength exceeds almost surely. Weng and Lin, "A Bayesian Approximation Method
    for Online Ranking", 2011.
    """
    known: dict[str, Any] = defaultdict(_MODEL.rating)
    for game in games:
        teams = [[known[seat.who]] for seat in game]
        rated = _MODEL.rate(teams, ranks=[float(_rank(seat)) for seat in game])
        for seat, (rating,) in zip(game, rated, strict=True):
            known[seat.who] = rating
    return {who: rating.ordinal() for who, rating in known.items()}


def standings(games: Sequence[Sequence[Seat]], scale: Sequence[float] = POINTS) -> list[Row]:
    """Return the table of a league, the first one first; equal points and victories share the place."""
    played: dict[str, int] = defaultdict(int)
    brought: dict[str, float] = defaultdict(float)
    wins: dict[str, float] = defaultdict(float)
    unlucky: dict[str, float] = defaultdict(float)
    for game in games:
        for seat, won in zip(game, points(game, scale), strict=True):
            played[seat.who] += 1
            brought[seat.who] += won
            wins[seat.who] += seat.victory
            unlucky[seat.who] += seat.victory - (seat.luck or 0) / 100
    rating = ratings(games)

    def best(who: str) -> tuple[float, float]:
        return (-round(brought[who], 9), -round(wins[who], 9))

    order = sorted(played, key=lambda who: (best(who), who.casefold()))
    places = {key: 1 + sum(best(other) < key for other in played) for key in map(best, played)}
    return [
        Row(places[best(who)], who, played[who], brought[who], wins[who], unlucky[who], rating[who])
        for who in order
    ]


def head_to_head(games: Iterable[Sequence[Seat]], one: str, other: str) -> tuple[int, int, int]:
    """Return how often one was before the other, behind, and equal, in the games that both played."""
    before = behind = beside = 0
    for game in games:
        ranks = {seat.who: _rank(seat) for seat in game}
        if one in ranks and other in ranks:
            before += ranks[one] < ranks[other]
            behind += ranks[one] > ranks[other]
            beside += ranks[one] == ranks[other]
    return before, behind, beside


def _rank(seat: Seat) -> int:
    return 1_000_000 if seat.place is None else seat.place
