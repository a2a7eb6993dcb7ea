"""Cards to come in Pigs and Horse: their owners and their order.

Hidden hands need not be modelled: if everybody plays random cards, the cards come in a random order of the
unseen cards. A world is such an order; a seat whose hand the view shows plays its own cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from companion.games.galloping.rules import Galloping
from companion.games.terms import HIDDEN
from companion.odds.galloping.track import Ints


class Ply(NamedTuple):
    """A card to come: its seat, and whether it is the seat's last one of the round."""

    seat: int
    last: bool


def plies(hands: Sequence[int], turn: int) -> list[Ply]:
    """Return the cards to come of a round in which the seats hold `hands` cards.

    >>> plies([1, 2], 1)
    [Ply(seat=1, last=False), Ply(seat=0, last=True), Ply(seat=1, last=True)]
    """
    left, order, seat = list(hands), [], turn
    while any(left):
        if left[seat]:
            left[seat] -= 1
            order.append(Ply(seat, not left[seat]))
        seat = (seat + 1) % len(left)
    return order


def shuffled(counts: Sequence[int], left: int, worlds: int, rng: np.random.Generator) -> Ints:
    """Return the first `left` of these cards of each animal, in a random order per world: shape (left,
    worlds).

    Each card is a random number that ends in its animal; sorting them shuffles.
    """
    cards = np.repeat(np.arange(len(counts), dtype=np.uint32), counts)
    keys = rng.integers(0, 1 << 32, (worlds, len(cards)), dtype=np.uint32)
    keys &= np.uint32(0xFFFFFFF8)
    keys |= cards
    keys.sort(axis=1)
    return (keys[:, :left] & np.uint32(7)).astype(np.uint8).T.copy()


def cards_to_come(race: Galloping, worlds: int, rng: np.random.Generator) -> Ints:
    """Return the cards of the plies to come, a row per ply: hands that the view shows are shuffled
    separately.
    """
    order = plies([len(hand) for hand in race.hands], race.turn)
    rows = np.empty((len(order), worlds), np.uint8)
    unseen = _unseen(race)
    hidden = [n for n, ply in enumerate(order) if HIDDEN in race.hands[ply.seat]]
    rows[hidden] = shuffled(unseen, len(hidden), worlds, rng)
    for seat, hand in enumerate(race.hands):
        if hand and HIDDEN not in hand:
            own = [n for n, ply in enumerate(order) if ply.seat == seat]
            rows[own] = shuffled([hand.count(a) for a in race.animals], len(hand), worlds, rng)
    return rows


def _unseen(race: Galloping) -> list[int]:
    seen = [*race.played, *(card for hand in race.hands for card in hand)]
    return [race.cards_per_colour - seen.count(animal) for animal in race.animals]


class RoundOrders:
    """Orders of all the cards of a round that are reused from card to card.

    The card played is always the one with the highest number of its animal. In each world the card that was
    in front moves to the place of the played one: equally likely orders remain equally likely orders of the
    other cards, and a world in which such a card was in front does not change.
    """

    def __init__(self, animals: int, copies: int, worlds: int, rng: np.random.Generator) -> None:
        """Draw a random order of `copies` cards of each animal for each world."""
        count = animals * copies
        keys = rng.integers(0, 1 << 32, (worlds, count), dtype=np.uint32)
        self._card: Ints = np.argsort(keys, axis=1).T.astype(np.uint8)
        self._at: Ints = np.argsort(self._card, axis=0).astype(np.uint8)  # where each card is
        self._animal: Ints = self._card // copies
        self._worlds = np.arange(worlds)
        self._copies, self._left = copies, [copies] * animals
        self._played = 0

    def play(self, animal: int) -> None:
        """Remove a played card of this animal."""
        self._left[animal] -= 1
        played = animal * self._copies + self._left[animal]
        front, hole = self._card[self._played], self._at[played]
        index = hole * np.intp(len(self._worlds)) + self._worlds
        self._card.put(index, front)
        self._animal.put(index, self._animal[self._played])
        self._at.put(front * np.intp(len(self._worlds)) + self._worlds, hole)
        self._played += 1

    def to_come(self, cards: int) -> Ints:
        """Return the animals of the next cards, a row each."""
        return self._animal[self._played : self._played + cards]
