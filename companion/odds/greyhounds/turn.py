"""Turns of Greyhounds in many races at once: the rule of companion.games.hounds_run in columns.

Everywhere a row is a dog, as in DOGS, and a column is one race (a *world*). tests/odds/test_hounds.py checks
that this file agrees with `Run.after`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from companion.games.greyhounds.run import DOGS, IDLE_TURNS, MOVE, PLACES, STRIKE, Run

Ints = NDArray[np.signedinteger[Any]]
Flags = NDArray[np.bool_]

RUNNING: Final = 0
GONE: Final = PLACES + 1  # lapped, or the race ended without a place for it
_NO_CARD: Final = 127


@dataclass
class Runs:
    """The dogs in many races of equal laps and one rule of ties; changed from turn to turn.

    `progress` in spaces; `place` is RUNNING, 1 to 3, or GONE; `rank` is 0 for Dog 1; all of them (dogs,
    worlds). `idle` (worlds) counts turns in a row without a move.
    """

    laps: int
    lap: int
    rank: Ints
    progress: Ints
    place: Ints
    idle: Ints
    ties: str = MOVE

    @classmethod
    def of(cls, run: Run, rank: Ints) -> Self:
        """Return as many copies of one race as `rank` has columns."""
        worlds = rank.shape[1]
        return cls(
            run.laps,
            run.lap,
            rank,
            np.repeat(np.array(run.progress, np.int16)[:, None], worlds, axis=1),
            np.repeat(np.array(places_of(run), np.int8)[:, None], worlds, axis=1),
            np.full(worlds, run.idle, np.int8),
            run.ties,
        )

    @classmethod
    def batch(cls, several: Sequence[Self]) -> Self:
        """Return races of the same laps and rule of ties side by side."""
        rank, progress, place = (
            np.concatenate([getattr(runs, name) for runs in several], axis=1)
            for name in ("rank", "progress", "place")
        )
        idle = np.concatenate([runs.idle for runs in several])
        return cls(several[0].laps, several[0].lap, rank, progress, place, idle, several[0].ties)

    @property
    def line(self) -> int:
        """The progress that a dog must exceed to be home."""
        return self.laps * self.lap

    def restrict_to(self, worlds: Ints) -> None:
        """Continue with these worlds only."""
        # `take` leaves rows contiguous in memory, unlike indexing: turns are then three times as fast
        self.rank, self.progress = self.rank.take(worlds, axis=1), self.progress.take(worlds, axis=1)
        self.place, self.idle = self.place.take(worlds, axis=1), self.idle.take(worlds)

    def turn(self, cards: Ints) -> None:
        """Play a turn in which every running dog plays its card (dogs, worlds); 0 for dogs that
        run no more.
        """
        before, ran = self.progress, cards > 0
        moved = steps(self.laps, cards, self.ties)
        self.progress = before + moved
        idle = np.minimum(self.idle + 1, np.int8(IDLE_TURNS))
        self.idle = idle * ~moved.any(axis=0)
        self._finish(before, ran)
        if self.laps > 1:
            self._lap(ran)
        self._take_last_places()

    def _finish(self, before: Ints, ran: Flags) -> None:
        """Place the dogs over the line: the furthest first, then the one ahead before, then the
        better rank.
        """
        home = ran & (self.progress > self.line)
        worlds = np.flatnonzero(home.any(axis=0))
        if worlds.size:
            after, earlier = (at.take(worlds, axis=1) for at in (self.progress, before))
            order = (after.astype(np.int32) << 16 | earlier << 2) - self.rank.take(worlds, axis=1)
            self._take_places(worlds, home.take(worlds, axis=1), order)

    def _lap(self, ran: Flags) -> None:
        """Drop the dogs that are more than a lap behind the front dog of those that ran."""
        front = np.minimum((self.progress * ran).max(axis=0), self.line + 1)
        lapped = ran & (self.progress < front - self.lap)
        self.place[lapped] = GONE

    def _take_last_places(self) -> None:
        """Give the next place to the last dog running, after ten idle turns to all; dogs without places are
        gone.
        """
        running = self.place == RUNNING
        left = running.sum(axis=0, dtype=np.int8)
        worlds = np.flatnonzero((left == 1) | ((self.idle == IDLE_TURNS) & (left > 0)))
        if worlds.size:
            order = (self.progress.take(worlds, axis=1) << 2) - self.rank.take(worlds, axis=1)
            self._take_places(worlds, running.take(worlds, axis=1), order)

    def _take_places(self, worlds: Ints, dogs: Flags, order: Ints) -> None:
        """Give these dogs the next places in these worlds, the greatest `order` first."""
        place = self.place.take(worlds, axis=1)
        home = ((place != RUNNING) & (place != GONE)).sum(axis=0, dtype=np.int8)
        order = np.where(dogs, order, -1 << 8)
        ahead = sum((other > order).astype(np.int8) for other in order)
        self.place[:, worlds] = np.where(dogs, np.minimum(home + 1 + ahead, GONE), place)


def places_of(run: Run) -> list[int]:
    """Return each dog's place in one race, or RUNNING or GONE.

    >>> places_of(Run(2, 28, (0, 1, 2, 3), (57, 20, 30, 1), home=(0,), out=(3,)))
    [1, 0, 0, 4]
    """
    running = () if run.over() else run.running()
    gone = [RUNNING if dog in running else GONE for dog in range(len(DOGS))]
    return [run.home.index(dog) + 1 if dog in run.home else gone[dog] for dog in range(len(DOGS))]


# Flags are multiplied, because `where` is six times as slow for small numbers.


def steps(race: int, cards: Ints, ties: str = MOVE) -> Ints:
    """Return the spaces that the dogs with these cards (dogs, worlds) move in race 1, 2 or 3; 0
    is no card.

    `ties` is MOVE or STRIKE.

    >>> steps(2, np.array([[18], [14], [14], [4]], np.int8)).T  # two of the first three are equal
    array([[14, 10, 10,  0]], dtype=int8)
    >>> steps(2, np.array([[18], [14], [14], [4]], np.int8), STRIKE).T
    array([[14,  0,  0,  0]], dtype=int8)
    """
    if ties == STRIKE:
        return _single_move(race, cards)
    if race == 1:
        return _first_moves(cards)
    if race == 2:
        return _two_move(cards)
    return np.maximum(cards - _lowest(cards), 0)


def _lowest(cards: Ints) -> Ints:
    """Return the lowest card of each world."""
    lowest: Ints = (cards | (cards == 0) * np.int8(_NO_CARD)).min(axis=0)
    return lowest


def _first_moves(cards: Ints) -> Ints:
    """Move the highest card by its difference from the highest card below it; two dogs as in race 3."""
    first = cards.max(axis=0)
    below = (cards * (cards < first)).max(axis=0)
    return (cards == first) * ((first - below) * (below > 0))


def _two_move(cards: Ints) -> Ints:
    first, second, third, fourth = falling(cards)
    straight = (first > second) & (second > third)
    less = np.where((fourth > 0) & ~straight, fourth, np.where(third > 0, third, second))
    return (cards >= second) * (cards - less)


def _single_move(race: int, cards: Ints) -> Ints:
    """Move the highest cards that only one dog shows, as many as the race's number, less the lowest."""
    a, b, c, d = cards
    ab, ac, ad, bc, bd, cd = a == b, a == c, a == d, b == c, b == d, c == d
    twice = np.stack([ab | ac | ad, ab | bc | bd, ac | bc | cd, ad | bd | cd])
    far = np.maximum(cards - _lowest(cards), 0) * ~twice
    if race == 1:
        return far * (far == far.max(axis=0))
    if race == 2:
        return far * (far >= falling(far)[1])
    return far  # of four cards no more than three are above the lowest


def falling(cards: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the four numbers of each world, the highest first: a sorting network of five comparisons."""
    a, b, c, d = cards
    a, b, c, d = np.maximum(a, b), np.minimum(a, b), np.maximum(c, d), np.minimum(c, d)
    a, c = np.maximum(a, c), np.minimum(a, c)
    b, d = np.maximum(b, d), np.minimum(b, d)
    b, c = np.maximum(b, c), np.minimum(b, c)
    return a, b, c, d
