"""The seating of the next round: Swiss, everyone with everyone, king of the hill.

A table has as many seats as the game allows, and tables differ by one seat at most.
Libraries for Swiss pairing pair two at a time; here the FIDE idea is used (equals meet, and not again if it
can be helped) but not its rules for colours and floats.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from companion.errors import InvalidInput

SIZES: Final = (3, 4)  # seats at a table, fewest and most, that every game in `companion.games` takes
ANY_GAME: Final = (2, 5)  # that at least one of them takes
USUAL: Final = 4
SWAPS: Final = 2000  # attempts to have fewer people meet again


def sizes(people: int, usual: int = USUAL, seats: tuple[int, int] = SIZES) -> list[int]:
    """Return how many sit at each table, larger tables first; `seats`: the fewest and the most at a table.

    Tables differ by one seat at most. Of the numbers of tables that are possible, take the one with about
    `usual` people at each. Raise InvalidInput if none is possible.

    >>> sizes(8), sizes(9), sizes(11), sizes(6), sizes(7)
    ([4, 4], [3, 3, 3], [4, 4, 3], [3, 3], [4, 3])
    >>> sizes(9, seats=(2, 5)), sizes(5, seats=(2, 4)), sizes(2, seats=(2, 4))
    ([5, 4], [3, 2], [2])
    """
    counts = _table_counts(people, seats)
    if not fits(people, seats):
        raise InvalidInput(f"{people} people do not fit tables of {seats[0]} to {seats[1]}")
    count = min(counts, key=lambda count: (abs(people / count - usual), count))
    base, more = divmod(people, count)
    return [base + 1] * more + [base] * (count - more)


def fits(people: int, seats: tuple[int, int]) -> bool:
    """Return True if so many people can all sit at such tables."""
    return bool(_table_counts(people, seats))


def nearest(people: int, seats: tuple[int, int]) -> tuple[int | None, int]:
    """Return the next smaller and the next larger number of people, from two on, that fit such tables.

    >>> nearest(5, (3, 4)), nearest(2, (3, 4))
    ((4, 6), (None, 3))
    """
    fewer = (count for count in range(people - 1, 1, -1) if fits(count, seats))
    more = (count for count in range(people + 1, people + seats[1] + 1) if fits(count, seats))
    return next(fewer, None), next(more)


def swiss(
    order: Sequence[str],
    met: Iterable[Sequence[str]],
    rng: random.Random,
    usual: int = USUAL,
    seats: tuple[int, int] = SIZES,
) -> list[list[str]]:
    """Return tables of people who are close in the `order`, best first; `met`: tables of rounds before.

    Neighbours swap places across tables while that reduces repeated meetings; among equally good swaps, those
    that move people least.
    """
    seated = _cut(list(order), sizes(len(order), usual, seats))
    return _apart(seated, _meetings(met), rng, near={who: at for at, who in enumerate(order)})


def round_robin(
    people: Sequence[str],
    met: Iterable[Sequence[str]],
    rng: random.Random,
    usual: int = USUAL,
    seats: tuple[int, int] = SIZES,
) -> list[list[str]]:
    """Return tables with few repeated meetings, independent of strength."""
    drawn = rng.sample(list(people), len(people))
    return _apart(_cut(drawn, sizes(len(people), usual, seats)), _meetings(met), rng, near=None)


def king_of_the_hill(before: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the tables of the round before, with each table's first a table up and its last a table down.

    Each table is in the order in which its game ended. At the first table the first stays. Tables of one
    person do not change.

    >>> king_of_the_hill([["Ada", "Ben", "Cleo"], ["Dan", "Eva", "Finn"]])
    [['Ada', 'Ben', 'Dan'], ['Cleo', 'Eva', 'Finn']]
    """
    tables = [list(table) for table in before]
    if any(len(table) < 2 for table in tables):
        return tables
    for upper, lower in zip(range(len(tables)), range(1, len(tables)), strict=False):
        down, up = before[upper][-1], before[lower][0]
        tables[upper][tables[upper].index(down)] = up
        tables[lower][tables[lower].index(up)] = down
    return tables


def again(tables: Iterable[Sequence[str]], met: Iterable[Sequence[str]]) -> int:
    """Return the number of repeated meetings of two at these tables, each as often as they have met."""
    before = _meetings(met)
    return sum(_repeats(table, before) for table in tables)


def _meetings(met: Iterable[Sequence[str]]) -> Counter[frozenset[str]]:
    return Counter(frozenset(two) for table in met for two in combinations(table, 2))


def _repeats(table: Sequence[str], before: Counter[frozenset[str]]) -> int:
    return sum(before[frozenset(two)] for two in combinations(table, 2))


def _table_counts(people: int, seats: tuple[int, int]) -> range:
    """Return the numbers of tables at which so many people can sit."""
    fewest, most = seats
    return range(-(-people // most), people // fewest + 1)


def _cut(order: list[str], into: list[int]) -> list[list[str]]:
    tables, at = [], 0
    for size in into:
        tables.append(order[at : at + size])
        at += size
    return tables


def _apart(
    tables: list[list[str]],
    before: Counter[frozenset[str]],
    rng: random.Random,
    near: dict[str, int] | None,
) -> list[list[str]]:
    """Swap people of two tables while that reduces repeated meetings; with `near`, close ones first."""
    spots = [(table, seat) for table, seated in enumerate(tables) for seat in range(len(seated))]
    for _ in range(SWAPS):
        cost = [_repeats(table, before) for table in tables]
        if not any(cost):
            break
        found = []
        for (one, i), (other, j) in combinations(spots, 2):
            if one == other or not (cost[one] or cost[other]):
                continue
            a, b = tables[one][i], tables[other][j]
            tables[one][i], tables[other][j] = b, a
            better = cost[one] + cost[other] - _repeats(tables[one], before) - _repeats(tables[other], before)
            tables[one][i], tables[other][j] = a, b
            if better > 0:
                apart = abs(near[a] - near[b]) if near is not None else 0
                found.append((-better, apart, rng.random(), (one, i), (other, j)))
        if not found:
            break
        *_, (one, i), (other, j) = min(found)
        tables[one][i], tables[other][j] = tables[other][j], tables[one][i]
    return tables
