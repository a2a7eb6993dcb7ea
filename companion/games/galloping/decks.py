"""Cards and line-ups of Galloping: all possible orders, legal cards and deals, and dealing at random."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial
from typing import Final, overload

from companion.games.terms import Decision, News

HAND: Final = 7  # cards a seat gets each round
COPIES: Final = 7  # cards of each colour, if no option says more
MOST_COPIES: Final = 12


class LineUps(Sequence[Decision]):
    """Every line-up of a seat, front first: listed only on demand; membership is decided without listing."""

    def __init__(self, seat: int, animals: Sequence[str]) -> None:
        self._seat, self._animals = seat, tuple(animals)

    def __len__(self) -> int:
        return factorial(len(self._animals))

    def __iter__(self) -> Iterator[Decision]:
        return (Decision("line-up", self._seat, order) for order in permutations(self._animals))

    def __contains__(self, decision: object) -> bool:
        return (
            isinstance(decision, Decision)
            and decision[:2] == ("line-up", self._seat)
            and isinstance(decision.what, tuple)
            and _each_once(decision.what, self._animals)
        )

    @overload
    def __getitem__(self, n: int) -> Decision: ...
    @overload
    def __getitem__(self, n: slice) -> Sequence[Decision]: ...
    def __getitem__(self, n: int | slice) -> Decision | Sequence[Decision]:
        if isinstance(n, slice):
            return list(self)[n]
        if not -len(self) <= n < len(self):
            raise IndexError(n)
        n, left, order = n % len(self), list(self._animals), []
        while left:
            n, here = n % factorial(len(left) - 1), n // factorial(len(left) - 1)
            order.append(left.pop(here))
        return Decision("line-up", self._seat, tuple(order))


def _each_once(cards: tuple[object, ...], animals: tuple[str, ...]) -> bool:
    return len(cards) == len(animals) and all(map(cards.__contains__, animals))


def deal_refused(hands: object, seats: int, animals: Sequence[str], copies: int) -> News | None:
    """Return the reason why these hands are no legal deal from a deck of `copies` of each colour; None, a
    deal whose cards are unknown, is legal.
    """
    if hands is None:
        return None
    if not isinstance(hands, tuple) or len(hands) != seats:
        return News("deal-all-seats")
    for hand in hands:
        if not isinstance(hand, tuple) or len(hand) != HAND:
            return News("deal-seven", {"count": HAND})
    dealt = [card for hand in hands for card in hand]
    counts = {card: dealt.count(card) for card in animals}
    if sum(counts.values()) < len(dealt):
        wrong = next(card for card in dealt if card not in animals)
        return News("no-such-card", {"text": str(wrong)})
    for card, count in counts.items():
        if count > copies:
            return News("deal-too-many", {"card": card, "count": copies})
    return None


def shuffled(cards: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    """Return the cards in a random order: each draws a random number, and they are sorted by it."""
    return tuple(sorted(cards, key=lambda card: rng.random()))
