"""The cards of Greyhounds in many worlds at once: sets drawn blind, and the order in which they
are played.

A set is *packed*: up to six cards of five bits in one int32, the first one lowest; slot 5 holds the card set
aside. So a shuffle is a few shifts, and a set is dealt by one lookup in a table of all ways to draw it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.greyhounds.bets import RACES
from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.run import DOGS
from companion.games.greyhounds.sets import CARDS, DUMMY_SET, FIVE, HALF, HIGH, LOW, MOST, SIX, SPARED
from companion.games.terms import HIDDEN
from companion.odds.greyhounds.turn import Flags, Ints

BITS: Final = 5
_CARD: Final = (1 << BITS) - 1
_TRIES: Final = 60  # fives drawn before all legal ones are looked for
_SUM: Final = 1 << len(CARDS)  # strength: the sum of a set above a bit for each card


class Sets(NamedTuple):
    """A set of one seat in many worlds: packed, and its strength as favourite, as in `ranked`."""

    packed: Ints
    strength: Ints

    def of(self, worlds: Ints) -> Sets:
        """Return the sets in these worlds only."""
        return Sets(self.packed[worlds], self.strength[worlds])


def packed(cards: Ints) -> Ints:
    """Pack the cards in the last axis, up to six, into one number.

    >>> int(packed(np.array([3, 1, 20]))) == 3 + (1 << 5) + (20 << 10)
    True
    """
    return (cards.astype(np.int32) << BITS * np.arange(cards.shape[-1], dtype=np.int32)).sum(
        axis=-1, dtype=np.int32
    )


def strength(cards: Ints) -> Ints:
    """Return a number that ranks a set in the last axis: the sum, then the highest card, the next …

    Of two sets with equal sums the one with the highest card that the other lacks has the greater bits.
    """
    wide = cards.astype(np.int32)
    total = wide.sum(axis=-1, dtype=np.int32) * _SUM
    return total + (1 << (wide - 1)).sum(axis=-1, dtype=np.int32)


DUMMY: Final = (int(packed(np.array(DUMMY_SET))), sum(DUMMY_SET) * _SUM)
"""The dummy's six tens; of as strong sets any other has a higher card."""


def fixed(cards: Sequence[int], worlds: int) -> Sets:
    """Return the same set in every world."""
    row = np.array(cards)
    return Sets(np.full(worlds, packed(row)), np.full(worlds, strength(row)))


# --- sets to come --------------------------------------------------------------------------------


def sets_to_come(game: Greyhounds, seat: int, worlds: int, rng: np.random.Generator) -> dict[int, Sets]:
    """Return the sets of this seat from the present race on, by race, those not shown yet drawn at random.

    The model is that of hounds_chance for deals, shown sets and hidden values: sets are drawn blind, those
    dealt are shown in any order, fives are any that the rules allow.
    """
    shown = game.shown[seat]
    sets = {race: fixed(shown[race - 1], worlds) for race in range(game.race, len(shown) + 1)}
    if len(shown) == RACES:
        return sets
    if game.bookie is None:
        drawn = _sixes(game, seat, worlds, rng)
    else:
        drawn = _fives_and_last(game, seat, worlds, rng)
    return sets | dict(enumerate(drawn, len(shown) + 1))


def _sixes(game: Greyhounds, seat: int, worlds: int, rng: np.random.Generator) -> list[Sets]:
    known, unshown = game.sets_of(seat), game.unshown(seat)
    if known:
        row = np.array(known)
        orders = np.array(list(permutations(range(len(known)))))[_drawn(len(known), worlds, rng)]
        return [Sets(packed(row)[order], strength(row)[order]) for order in orders.T]
    count = RACES - len(game.shown[seat])
    low, high = (
        combinations_of([c for c in LOW if c in unshown], count),
        combinations_of([c for c in HIGH if c in unshown], count),
    )
    lows, highs = (rng.integers(half.packed.shape[1], size=worlds, dtype=np.int32) for half in (low, high))
    return [
        Sets(
            low.packed[n].take(lows) | high.packed[n].take(highs) << HALF * BITS,
            low.strength[n].take(lows) + high.strength[n].take(highs),
        )
        for n in range(count)
    ]


def _drawn(sets: int, worlds: int, rng: np.random.Generator) -> Ints:
    return rng.integers([1, 1, 2, 6][sets], size=worlds)


def combinations_of(cards: Sequence[int], count: int) -> Sets:
    """Return every way to draw `count` threes one after the other from these cards: (count, ways)."""
    return _combinations_of(tuple(cards), count)


@lru_cache(64)
def _combinations_of(cards: tuple[int, ...], count: int) -> Sets:
    drawn = np.array(cards)[_threes(len(cards), count)]
    return Sets(packed(drawn).T, strength(drawn).T)


@lru_cache(16)
def _threes(cards: int, count: int) -> NDArray[np.int8]:
    """Return every way to draw so many threes from so many cards: (ways, count, 3) of places of cards."""
    if count == 0:
        return np.zeros((1, 0, HALF), np.int8)
    first, rest = chosen(cards, HALF)
    further = rest[:, _threes(cards - HALF, count - 1)]
    ahead = np.broadcast_to(first[:, None, None], (*further.shape[:2], 1, HALF))
    return np.concatenate([ahead, further], axis=2).reshape(-1, count, HALF)


@lru_cache(32)
def chosen(cards: int, count: int) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Return every choice of `count` of so many places, (choices, count), and the rest of each."""
    taken = list(combinations(range(cards), count))
    left = [sorted(set(range(cards)) - set(choice)) for choice in taken]
    return np.array(taken, np.int8), np.array(left, np.int8).reshape(len(taken), -1)


# --- with a bookie -------------------------------------------------------------------------------


def _fives_and_last(game: Greyhounds, seat: int, worlds: int, rng: np.random.Generator) -> list[Sets]:
    """Return fives for the races before the last that this seat has not shown for, and the six of race 3."""
    shown = len(game.shown[seat])
    if game.dealt[seat] is None and not game.may_deal():
        return _people_dealt(game, seat, worlds, rng)
    last, free = _last_drawn(game, seat, worlds, rng)
    sets = []
    for race in range(shown + 1, RACES):
        five, free = _five(free, race == 1, rng)
        sets.append(five)
    return [*sets, last]


def _last_drawn(game: Greyhounds, seat: int, worlds: int, rng: np.random.Generator) -> tuple[Sets, Ints]:
    """Return the six for race 3, and the cards from which fives may be chosen: (worlds, cards), rising."""
    known = game.sets_of(seat)
    if known:
        free = np.array(sorted(game.free(seat)), np.int8)
        return fixed(known[0], worlds), np.broadcast_to(free, (worlds, len(free)))
    lasts, left = _lasts(tuple(sorted(game.unshown(seat))), len(game.shown[seat]) == 1)
    way = rng.integers(len(lasts), size=worlds)
    return Sets(packed(lasts)[way], strength(lasts)[way]), left[way]


@lru_cache(64)
def _lasts(unshown: tuple[int, ...], leaves_five: bool) -> tuple[Ints, Ints]:
    """Return every six for race 3 from these cards, (ways, 6), and the rest of each; if need be with a legal
    five.
    """
    cards, split = np.array(unshown, np.int8), sum(card in LOW for card in unshown)
    low, low_left = chosen(split, HALF)
    high, high_left = chosen(len(unshown) - split, HALF)
    pairs = np.indices((len(low), len(high))).reshape(2, -1)
    lasts = cards[np.concatenate([low[pairs[0]], split + high[pairs[1]]], axis=1)]
    left = cards[np.concatenate([low_left[pairs[0]], split + high_left[pairs[1]]], axis=1)]
    fits = left[:, :FIVE].sum(axis=1) <= MOST if leaves_five else np.ones(len(left), bool)
    return lasts[fits], left[fits]


def _five(free: Ints, leaves_five: bool, rng: np.random.Generator) -> tuple[Sets, Ints]:
    """Return a five that adds to at most 50, if need be one that leaves another, and the cards then left."""

    def legal(five: Ints, left: Ints) -> Flags:
        fits = five.sum(axis=1) <= MOST
        return fits & (left[:, :FIVE].sum(axis=1) <= MOST) if leaves_five else fits

    five, left = _any_legal(free, legal, rng)
    return Sets(packed(five), strength(five)), left


def _people_dealt(game: Greyhounds, seat: int, worlds: int, rng: np.random.Generator) -> list[Sets]:
    """Draw the sets that a seat still has to show, as people at a table deal them; one per race.

    They choose legal fives for races 1 and 2, and have three low and three high cards left for race 3.
    """
    free = np.array(sorted(game.unshown(seat)), np.int8)
    left = np.broadcast_to(free, (worlds, len(free)))
    gone = [card for cards in game.shown[seat] for card in cards]

    def legal(five: Ints, left: Ints) -> Flags:
        low = _low_left(left)
        high = left.shape[1] - low
        enough = (low >= len(LOW) - SPARED) & (high >= len(HIGH) - SPARED)
        return (five.sum(axis=1) <= MOST) & enough

    sets = []
    for _ in range(len(gone) // FIVE + 1, RACES):
        five, left = _any_legal(left, legal, rng)
        sets.append(Sets(packed(five), strength(five)))
    keys = rng.random(left.shape)  # below 1: cards of the other half sort behind with 2
    low = np.take_along_axis(left, np.where(left <= LOW[-1], keys, 2).argsort(axis=1)[:, :HALF], axis=1)
    high = np.take_along_axis(left, np.where(left > LOW[-1], keys, 2).argsort(axis=1)[:, :HALF], axis=1)
    last = np.concatenate([low, high], axis=1)
    return [*sets, Sets(packed(last), strength(last))]


def _low_left(cards: Ints) -> Ints:
    return (cards <= LOW[-1]).sum(axis=1)


def _any_legal(
    free: Ints, legal: Callable[[Ints, Ints], Flags], rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """Draw in each world one of the legal fives of these cards, uniformly; return them and the cards they
    leave.
    """
    worlds, cards = free.shape
    taken, rest = chosen(cards, FIVE)
    way = np.zeros(worlds, np.intp)
    open_ = np.arange(worlds)
    for _ in range(_TRIES):
        way[open_] = rng.integers(len(taken), size=open_.size)
        rows = free[open_]
        fits = legal(
            np.take_along_axis(rows, taken[way[open_]].astype(np.intp), axis=1),
            np.take_along_axis(rows, rest[way[open_]].astype(np.intp), axis=1),
        )
        open_ = open_[~fits]
        if not open_.size:
            break
    for world in open_:
        fitting = np.flatnonzero(legal(free[world][taken], free[world][rest]))
        way[world] = fitting[rng.integers(len(fitting))]
    every = np.arange(worlds)[:, None]
    return free[every, taken[way]], free[every, rest[way]]


# --- ranks ---------------------------------------------------------------------------------------


def ranks(strengths: Ints) -> Ints:
    """Return each dog's rank (dogs, worlds), 0 for Dog 1: the strongest set first, of equal ones by seat."""
    order = (strengths << 2) - np.arange(len(DOGS), dtype=np.int32)[:, None]
    return sum(((other > order).astype(np.int8) for other in order), np.zeros(order.shape, np.int8))


RANKINGS: Final = np.array(list(permutations(range(len(DOGS)))), np.int8).T
"""Every ranking of the dogs: (dogs, 24)."""


# --- playing them --------------------------------------------------------------------------------


class HeldSets(NamedTuple):
    """The cards of each dog as a turn begins, the set packed in the order of playing.

    `cards` (dogs, worlds): first the `used` ones of this five, then those to come, last the card set aside.
    The cards that may come in any order are the slots from `first` up to `end` (without it) of each dog.
    """

    cards: Ints
    used: int
    first: tuple[int, ...]
    end: tuple[int, ...]


class Hands:
    """The play of every dog from here on: in each turn a card, at random."""

    def __init__(self, held: HeldSets, rng: np.random.Generator) -> None:
        self._rng, self._slot = rng, held.used
        worlds = held.cards.shape[1]
        orders = [orders_of(*span) for span in zip(held.first, held.end, strict=True)]
        drawn = [some.take(rng.integers(some.size, size=worlds, dtype=np.int32)) for some in orders]
        self._cards = shuffled(held.cards, np.stack(drawn))

    def next(self) -> Ints:
        """Return the cards of a turn: (dogs, worlds); for dogs that run no more it is any card."""
        if self._slot == FIVE:
            self._shuffle()
        cards = self._cards >> BITS * self._slot & _CARD
        self._slot += 1
        return cards.astype(np.int8)

    def _shuffle(self) -> None:
        """Return the five cards that were played to the hand and shuffle them."""
        self._slot, fives = 0, orders_of(0, FIVE)
        self._cards = shuffled(self._cards, fives.take(self.drawn(fives.size)))

    def drawn(self, orders: int) -> NDArray[np.uint8]:
        """Draw one of so many orders for every dog in every world."""
        return self._rng.integers(orders, size=self._cards.shape, dtype=np.uint8)

    def restrict_to(self, worlds: Ints) -> None:
        """Continue with these worlds only."""
        self._cards = self._cards.take(worlds, axis=1)


@lru_cache(64)
def orders_of(first: int, end: int) -> NDArray[np.int32]:
    """Return every order of the slots from `first` up to `end`, the others unchanged: packed, as bits to
    shift by.
    """
    before, after = tuple(range(first)), tuple(range(end, SIX))
    slots = [(*before, *inner, *after) for inner in permutations(range(first, end))]
    return packed(np.array(slots) * BITS)


def shuffled(cards: Ints, orders: Ints) -> Ints:
    """Return packed sets with their cards in these orders.

    >>> [1 + int(shuffled(np.int32(0b00010_00001), order)) % 32 for order in orders_of(0, 2)]
    [2, 3]
    """
    result = cards >> (orders & _CARD) & _CARD
    for slot in range(1, SIX):
        result |= (cards >> (orders >> BITS * slot & _CARD) & _CARD) << BITS * slot
    return result


def held(game: Greyhounds) -> tuple[tuple[tuple[int, ...], ...], int, tuple[int, ...], tuple[int, ...]]:
    """Return the sets of the present race in the order of playing, by dog; and `used`, `first`, `end` of
    HeldSets.

    A card that is on the table already, or is chosen, comes next.
    """
    used = game.run.turn % FIVE
    arranged = [_arranged(game, seat, used) for seat in range(len(game.seats))]
    arranged += [(DUMMY_SET, 0, 0)] * (len(DOGS) - len(arranged))
    cards, first, end = zip(*arranged, strict=True)
    return cards, used, first, end


def _arranged(game: Greyhounds, seat: int, used: int) -> tuple[tuple[int, ...], int, int]:
    if seat not in game.run.running():
        return game.set_of(seat), 0, 0
    before = game.played[seat][: game.run.turn]
    gone = before[len(before) - used :]
    now, aside = game.table[seat], game.aside[seat]
    if now is None and game.choice[seat] != HIDDEN:
        now = _card(game.choice[seat])
    ahead = gone if now is None else (*gone, now)
    last = () if not isinstance(aside, int) else (aside,)
    cards = game.set_of(seat)
    rest = tuple(card for card in cards if card not in (*ahead, *last))
    return (*ahead, *rest, *last), len(ahead), len(cards) - len(last)


def _card(choice: int | str | None) -> int | None:
    return choice if isinstance(choice, int) else None


def begun(sets: Ints, cards: int) -> HeldSets:
    """Return a race that begins: sets (dogs, worlds) of so many cards, in any order."""
    dogs = len(DOGS)
    return HeldSets(sets, 0, (0,) * dogs, (cards,) * dogs)
