"""The sets of cards in Greyhounds: legal sets, ranking and drawing.

Low cards are 1 to 10, high cards 11 to 20; each seat has one of each.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Final

from companion.games.terms import News

LOW: Final = range(1, 11)
HIGH: Final = range(11, 21)
CARDS: Final = range(1, 21)
SIX: Final = 6  # three low and three high
FIVE: Final = 5  # of any kind, at most MOST together: races 1 and 2 with a bookie
HALF: Final = SIX // 2
MOST: Final = 50
SPARED: Final = len(LOW) - HALF  # low (or high) cards that may be shown before race 3, with a bookie
DUMMY_CARD: Final = 10
DUMMY_SET: Final = (DUMMY_CARD,) * SIX

Cards = tuple[int, ...]
Dealt = tuple[Cards, ...]


def low(cards: Collection[int]) -> int:
    """Return how many of the cards are low.

    >>> low((3, 10, 11))
    2
    """
    return sum(card in LOW for card in cards)


def ranked(sets: Sequence[Cards]) -> tuple[int, ...]:
    """Return the dogs by the sum of their sets, highest first; then by highest card, the next …, then by
    seat.

    >>> ranked([(1, 2, 3, 11, 12, 13), DUMMY_SET, (1, 2, 3, 17, 18, 19), (2, 3, 4, 15, 17, 19)])
    (2, 3, 1, 0)
    """
    strength = [(sum(cards), sorted(cards, reverse=True)) for cards in sets]
    return tuple(sorted(range(len(sets)), key=strength.__getitem__, reverse=True)) if sets else ()


def drawn_sets(unshown: Collection[int], count: int, rng: random.Random) -> tuple[Cards, ...]:
    """Draw `count` sets of six, each three low and three high, blind from these cards."""
    lows = rng.sample([c for c in LOW if c in unshown], HALF * count)
    highs = rng.sample([c for c in HIGH if c in unshown], HALF * count)
    return tuple(
        tuple(sorted(lows[n : n + HALF] + highs[n : n + HALF])) for n in range(0, HALF * count, HALF)
    )


def sixes(unshown: Collection[int]) -> Iterator[Cards]:
    """Yield every set of six from these cards."""
    for lows in combinations([c for c in LOW if c in unshown], HALF):
        for highs in combinations([c for c in HIGH if c in unshown], HALF):
            yield lows + highs


def fives(free: Collection[int]) -> Iterator[Cards]:
    """Yield every five of these cards that add to at most 50."""
    return (cards for cards in combinations(sorted(free), FIVE) if sum(cards) <= MOST)


def five_left(free: Collection[int]) -> bool:
    """Return whether some five of these cards add to at most 50.

    >>> five_left([9, 10, 14, 15, 16]), five_left([1, 9, 10, 14, 15, 16])
    (False, True)
    """
    return len(free) >= FIVE and sum(sorted(free)[:FIVE]) <= MOST


# Why cards are refused: a piece of news that the game words, with the seat added.


def cards_refused(cards: Cards, unshown: Collection[int]) -> News | None:
    """Return why these cards are not each a card of the seat that it has not shown yet."""
    for n, card in enumerate(cards):
        if card not in CARDS:
            return News("no-such-card", {"text": str(card)})
        if card in cards[:n]:
            return News("card-twice", {"card": card})
        if card not in unshown:
            return News("shown-earlier", {"card": card})
    return None


def six_refused(cards: Cards, dealt: Dealt | None) -> News | None:
    """Return why these cards, all or some, are no part of a set of six: one of those `dealt`, if known."""
    if low(cards) > HALF or len(cards) - low(cards) > HALF:
        return News("three-and-three", {"count": HALF})
    if dealt is None or any(set(cards) <= set(one) for one in dealt):
        return None
    return News("not-dealt")


def five_refused(cards: Cards, earlier: Cards, last: Cards) -> News | None:
    """Return why these cards, all or some, are no five; `earlier` were shown, `last` are known to be for race
    3.

    >>> five_refused((16, 17, 18), (), ())
    News(kind='over-fifty', values={'total': 51, 'most': 50})
    """
    for card in cards:
        if card in last:
            return News("kept-for-last", {"card": card})
    ten = cards + earlier
    if low(ten) > SPARED:
        return News("too-many-low", {"most": SPARED})
    if len(ten) - low(ten) > SPARED:
        return News("too-many-high", {"most": SPARED})
    if sum(cards) > MOST:
        return News("over-fifty", {"total": sum(cards), "most": MOST})
    return None


def deal_refused(hands: Sequence[Dealt], seats: int, count: int) -> News | None:
    """Return why these are not `count` sets for each of the seats."""
    if len(hands) != seats:
        return News("deal-all-seats")
    for seat, sets in enumerate(hands):
        if len(sets) != count:
            return News("deal-sets-each", {"seat": seat, "count": count})
        for cards in sets:
            if len(cards) != SIX or low(cards) != HALF or not set(cards) <= set(CARDS):
                return News("deal-three-and-three", {"seat": seat, "count": HALF})
        if len({card for cards in sets for card in cards}) < SIX * count:
            return News("deal-twice", {"seat": seat})
    return None
