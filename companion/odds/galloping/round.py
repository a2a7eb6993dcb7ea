"""Rounds of Pigs and Horse played out in many worlds at once: the food that each seat gets and makes safe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.games.galloping.rules import FIRST_FOOD, Galloping
from companion.odds.galloping.cards import Ply
from companion.odds.galloping.track import NOWHERE, Bits, Flags, Ints, Loop, Spaces, too_wide

CHUNK: Final = 5000  # worlds played out together: their words stay in the cache

Counts = NDArray[np.int16]


@dataclass
class Purses:
    """The possessions of the seats in each world: rows are seats, columns worlds; changed in place."""

    provisional: Counts
    kept: Counts
    stock: Counts | None  # None: it cannot run out
    keeps: Flags  # whether a seat's last card led; False before it

    @classmethod
    def of(cls, race: Galloping, worlds: int, cards: int) -> Purses:
        """Return the present purses, in every world; so many `cards` are still to be played."""
        provisional, kept = (_columns(counts, worlds) for counts in (race.provisional, race.kept))
        stock = None if race.stock >= cards else np.full(worlds, race.stock, np.int16)
        return cls(provisional, kept, stock, np.zeros((len(race.seats), worlds), bool))

    def pick(self, worlds: Flags | slice) -> Purses:
        """Return a copy of some worlds."""
        stock = None if self.stock is None else self.stock[worlds].copy()
        provisional, kept, keeps = (rows[:, worlds].copy() for rows in self._rows())
        return Purses(provisional, kept, stock, keeps)

    def put(self, worlds: Flags | slice, other: Purses) -> None:
        """Copy these worlds from another."""
        for mine, others in zip(self._rows(), other._rows(), strict=True):
            mine[:, worlds] = others
        if self.stock is not None and other.stock is not None:
            self.stock[worlds] = other.stock

    def _rows(self) -> tuple[NDArray[Any], ...]:
        return self.provisional, self.kept, self.keeps


def _columns(counts: Sequence[int], worlds: int) -> Counts:
    return np.repeat(np.array(counts, np.int16)[:, None], worlds, axis=1)


def play_round(
    game: Galloping, progress: Ints, food: Ints | None, cards: Ints, order: Sequence[Ply], purses: Purses
) -> Ints:
    """Play these cards out, into `purses`; return the progress at the end. `progress` has a row for each
    animal.
    """
    before = purses.pick(slice(None))
    ended = np.empty_like(progress, dtype=np.int32)
    wide = too_wide(progress, game.cards_per_colour)
    for start in range(0, cards.shape[1], CHUNK):
        part = slice(start, start + CHUNK)
        some, fast = purses.pick(part), Bits(progress[:, part], game.spaces, _part(food, part))
        _play(game, fast, cards[:, part], order, some)
        purses.put(part, some)
        ended[:, part] = fast.progress()
        wide[part] |= fast.wide()
    if wide.any():
        some, slow = before.pick(wide), Spaces(progress[:, wide], game.spaces, _part(food, wide))
        _play(game, slow, cards[:, wide], order, some)
        purses.put(wide, some)
        ended[:, wide] = slow.progress()
    return ended


def _part(food: Ints | None, worlds: Flags | slice) -> Ints | None:
    return None if food is None else food[:, worlds]


def _play(game: Galloping, track: Loop, cards: Ints, order: Sequence[Ply], purses: Purses) -> None:
    for animals, ply in zip(cards, order, strict=True):
        leads = track.move(animals)
        _earn(game.last_card_decides, leads, track.found, ply, purses)


def _earn(last_card_decides: bool, leads: Flags, found: Flags | None, ply: Ply, purses: Purses) -> None:
    """Add food for the lead and from the space; a last card decides about everything provisional."""
    gain: NDArray[Any] = leads.view(np.int8)
    if purses.stock is not None:
        gain = gain * (purses.stock > 0)
        purses.stock -= gain
    if found is not None:
        gain = gain + found.view(np.int8)
    if not last_card_decides:
        purses.kept[ply.seat] += gain
        return
    purses.provisional[ply.seat] += gain
    if ply.last:
        risked = purses.provisional[ply.seat]
        kept = risked * leads
        purses.kept[ply.seat] += kept
        if purses.stock is not None:
            purses.stock += risked - kept
        purses.keeps[ply.seat] = leads
        risked[...] = 0


def lined_up(race: Galloping) -> dict[str, int]:
    """Return the animals in a line-up, in the order of their colours."""
    return {animal: -place for place, animal in enumerate(race.animals)}


def lay(food: Ints, stock: Counts) -> None:
    """Take the food that is laid from the stock; where the stock is too small the last ones are
    at NOWHERE.
    """
    food[np.arange(len(food))[:, None] >= stock] = NOWHERE
    stock -= (food != NOWHERE).sum(axis=0, dtype=np.int16)


def food_to_come(race: Galloping, worlds: int, rng: np.random.Generator, seats: int) -> Ints | None:
    """Return the spaces of food once so many seats more have laid some, shape (cards of food, worlds).

    Food that is there already comes first. None where there is none and none will be laid.
    """
    lying = sorted(race.track_food)
    stands = {progress % race.spaces for progress in race.progress.values()}
    free = [s for s in range(FIRST_FOOD, race.spaces) if s not in stands and s not in race.track_food]
    more = min(seats, race.stock, len(free))
    if not lying and not more:
        return None
    rows = [np.full(worlds, space, np.int32) for space in lying]
    taken: list[NDArray[np.int64]] = []
    for n in range(more):  # the n-th takes one of those that are left, counted past those taken
        index = rng.integers(0, len(free) - n, worlds)
        for earlier in np.sort(np.array(taken), axis=0) if taken else ():
            index += index >= earlier
        taken.append(index)
        rows.append(np.array(free, np.int32)[index])
    return np.array(rows)


def shares(scores: Ints, kind: type[np.floating[Any]] = np.float32) -> NDArray[Any]:
    """Return each seat's part of the victory, from scores of shape (seats, worlds).

    >>> shares(np.array([[3, 1], [3, 2], [0, 0]])).tolist()
    [[0.5, 0.0], [0.5, 1.0], [0.0, 0.0]]
    """
    first = scores == scores.max(axis=0)
    return first * (kind(1) / first.sum(axis=0, dtype=np.int8).astype(kind))
