"""Many worlds of one loop at once: animals that jump over the occupied run in front of them.

Two implementations of the rule in `companion.games.track`. `Bits` is fast: an animal is one bit of a word,
counted from the hindmost animal at the start, and the carry of an addition finds the next empty space. It
cannot go round the loop; `Spaces` can, over any distance. A world in which an animal comes so far that one
could meet another a lap ahead is *wide*: results of Bits for it do not count.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Flags = NDArray[np.bool_]
Words = NDArray[np.uint64]

WORD: Final = 64
NOWHERE: Final = -1  # the space of food that was eaten


class Loop(Protocol):
    """Animals by number on a loop, in as many worlds as there are columns."""

    found: Flags | None
    """Worlds in which the last move landed on food, which is gone now; None without food on the track."""

    def move(self, animals: Ints) -> Flags:
        """Move one animal in each world; return the worlds in which it is then ahead of all others."""

    def progress(self) -> Ints:
        """Return the progress of each animal, a row each."""


class Spaces:
    """Progress in plain numbers, shape (animals, worlds)."""

    def __init__(self, progress: Ints, spaces: int, food: Ints | None = None) -> None:
        self._progress = progress.astype(np.int32)
        self._spaces = spaces
        self.food = food.astype(np.int32) if food is not None and len(food) else None
        self._worlds = np.arange(progress.shape[1])
        self.found: Flags | None = None

    def move(self, animals: Ints) -> Flags:
        """Move to the next space without an animal, round the loop if need be.

        >>> track = Spaces(np.array([[0], [5], [3], [4], [2]]), 6)
        >>> track.move(np.array([4])), track.progress()[4]  # only space 1 is free, a lap later
        (array([ True]), array([7], dtype=int32))
        """
        progress, worlds = self._progress, self._worlds
        taken = progress % self._spaces
        at = progress[animals, worlds] + 1
        while (clash := (taken == at % self._spaces).any(axis=0)).any():
            at += clash
        leads: Flags = at > progress.max(axis=0)
        progress[animals, worlds] = at
        if self.food is not None:
            eaten = self.food == at % self._spaces
            self.found = eaten.any(axis=0)
            self.food[eaten] = NOWHERE
        return leads

    def progress(self) -> Ints:
        """Return the progress of each animal."""
        return self._progress


class Bits:
    """An animal is a bit: `pigs` has shape (animals, worlds), `occupied` is all of them together."""

    def __init__(self, progress: Ints, spaces: int, food: Ints | None = None) -> None:
        self._spaces = spaces
        self._tail = progress.min(axis=0)
        self.pigs: Words = np.left_shift(np.uint64(1), (progress - self._tail).astype(np.uint64))
        self._flat = self.pigs.ravel()
        self.occupied: Words = np.bitwise_or.reduce(self.pigs, axis=0)
        self._offsets = np.arange(progress.shape[1])
        self._food = None if food is None else self._food_bits(food)
        self.found: Flags | None = None

    def _food_bits(self, food: Ints) -> Words:
        ahead = np.where(food == NOWHERE, WORD, (food - self._tail) % self._spaces)
        bits = np.where(ahead < WORD, np.left_shift(np.uint64(1), ahead.astype(np.uint64) % WORD), 0)
        return np.bitwise_or.reduce(bits.astype(np.uint64), axis=0)

    def move(self, animals: Ints) -> Flags:
        """Add the animal's bit: the sum carries over the occupied run, to the next empty space.

        >>> track = Bits(np.array([[0], [-1], [-2], [-3], [-4]]), 22)
        >>> track.move(np.array([4])), track.progress()[4]  # the hindmost jumps over the whole run
        (array([ True]), array([1]))
        """
        index = animals * np.intp(len(self._offsets)) + self._offsets
        occupied, pig = self.occupied, self._flat.take(index)
        landed = occupied + pig
        landed &= ~occupied
        leads: Flags = landed > occupied
        pig ^= landed
        occupied ^= pig
        self._flat.put(index, landed)
        if self._food is not None:
            landed &= self._food
            self.found = landed != 0
            self._food ^= landed
        return leads

    def progress(self) -> Ints:
        """Return the progress of each animal."""
        return np.bitwise_count(self.pigs - np.uint64(1)).astype(np.int32) + self._tail

    def wide(self) -> Flags:
        """Return the worlds in which the front came so far from the start of the hindmost that a
        lap counts.
        """
        reach = min(self._spaces - 1, WORD - 1)
        return self.occupied >= np.uint64(1 << reach)


def too_wide(progress: Ints, moves: int) -> Flags:
    """Return the worlds in which so many moves may take an animal out of the word: each over all others at
    most.
    """
    animals = len(progress)
    return progress.max(axis=0) - progress.min(axis=0) + animals * moves >= WORD
