"""The value of the rounds to come in Galloping Pigs: a table instead of playing them out.

Every round starts afresh, so a seat's gain in it depends only on who starts. Many rounds, played out once,
give the chances to win for all scores together: one round back at a time, the possible gains of a round are
added to every score at once (a convolution). That takes 4 to 6 times fewer playouts for the same error.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.games.galloping.decks import HAND
from companion.games.galloping.rules import Galloping
from companion.odds.galloping.cards import plies, shuffled
from companion.odds.galloping.round import Purses, food_to_come, lined_up, play_round, shares

POOL: Final = 200_000  # rounds played out
PART: Final = 20_000  # of them at a time
REACH: Final = 20  # who is further behind the leader is taken to be just so far behind
MOST_SEATS: Final = 4  # a table for five has 70 million cells on the way
MOST_ROUNDS: Final = 3  # with more to come REACH is not far enough
PLENTY: Final = 10_000  # a stock that cannot run out in a round

Grid = NDArray[np.float32]


def gains(race: Galloping, rounds: int, rng: np.random.Generator) -> NDArray[np.int16]:
    """Return the gains of each seat in a round that seat 0 starts: shape (seats, rounds)."""
    seats, animals = len(race.seats), race.animals
    fresh = race.replaced(progress=lined_up(race), track_food=frozenset(), stock=PLENTY, scores=(0,) * seats)
    fresh = fresh.replaced(provisional=(0,) * seats)
    order = plies([HAND] * seats, 0)
    brought = []
    for _ in range(0, rounds, PART):
        cards = shuffled([race.cards_per_colour] * len(animals), len(order), PART, rng)
        food = food_to_come(fresh, PART, rng, seats if race.food_on_track else 0)
        purses = Purses.of(fresh, PART, len(order))
        play_round(fresh, _columns(-np.arange(len(animals)), PART), food, cards, order, purses)
        brought.append(purses.kept)
    return np.concatenate(brought, axis=1)[:, :rounds]


def _columns(facts: NDArray[np.integer[Any]], worlds: int) -> NDArray[np.int32]:
    return np.repeat(facts.astype(np.int32)[:, None], worlds, axis=1)


class RoundsToCome:
    """The chances to win from a round's end on, for any scores.

    A table for r rounds to come has a row for each seat, counted from the one that starts the next round, and
    an axis for each seat but that one: how far it is ahead of it, from -REACH to REACH.
    """

    def __init__(self, race: Galloping, rng: np.random.Generator, pool: int = POOL) -> None:
        self._seats = len(race.seats)
        self._pool = pool
        self._usual: dict[int, int] = {}
        brought = gains(race, pool, rng).astype(np.int8)
        self._gain = int(brought.max())
        self.brought = brought
        """The gains of the rounds played out, as in `gains`."""
        self._tables: list[Grid] = [self._last()]
        self._brought = self._spectrum(brought)

    def usual_total(self, rounds: int) -> int:
        """Return the food that all seats together make safe in so many rounds, in all but one game of a
        thousand.
        """
        if rounds not in self._usual:
            total, shift = self.brought.sum(axis=0), self._pool // MOST_ROUNDS
            totals = sum(np.roll(total, shift * n) for n in range(rounds))
            self._usual[rounds] = int(np.quantile(totals, 0.999))
        return self._usual[rounds]

    def error(self, rounds: int) -> float:
        """Return the standard error that all values of a table have in common, at most.

        A share of a victory spreads by .45 at most; with several rounds to come each is as uncertain as the
        pool is small, and spreads less.
        """
        return 0.45 * sqrt(rounds) / sqrt(self._pool)

    def chances(self, scores: NDArray[np.integer[Any]], rounds: int, starter: int) -> Grid:
        """Return the chances of all seats, shape as `scores` (seats, worlds), with so many rounds to come."""
        while len(self._tables) <= rounds:
            self._tables.append(self._one_back(self._tables[-1]))
        order = [(starter + n) % self._seats for n in range(self._seats)]
        index = self._index(scores[order].astype(np.int32), REACH)
        chances = np.empty(scores.shape, np.float32)
        chances[order] = self._tables[rounds].reshape(self._seats, -1)[:, index]
        return chances

    def _index(self, scores: NDArray[np.int32], reach: int) -> NDArray[np.int64]:
        """Return the index of these scores in a table: seats too far behind the leader are
        clipped to REACH.
        """
        near = np.maximum(scores, scores.max(axis=0) - REACH)
        index = np.zeros(scores.shape[1:], np.int64)
        for ahead in near[1:] - near[0]:
            index = index * (2 * reach + 1) + ahead + reach
        return index

    def _scores(self, reach: int) -> NDArray[np.int32]:
        """Return the scores of all cells of a table that reaches so far, the first seat's being 0."""
        side = np.arange(-reach, reach + 1, dtype=np.int32)
        ahead = np.meshgrid(*[side] * (self._seats - 1), indexing="ij")
        return np.array([np.zeros_like(ahead[0]), *ahead]).reshape(self._seats, -1)

    def _shape(self, reach: int) -> tuple[int, ...]:
        return (self._seats, *[2 * reach + 1] * (self._seats - 1))

    def _last(self) -> Grid:
        return shares(self._scores(REACH)).reshape(self._shape(REACH))

    def _spectrum(self, brought: NDArray[np.int8]) -> NDArray[np.complexfloating[Any, Any]]:
        """Return the Fourier transform of a round's distribution of gains, mirrored: a score reads the cell
        of score + gain.
        """
        side = 2 * (REACH + self._gain) + 1
        cells = np.zeros(len(brought[0]), np.int64)
        for ahead in brought[1:].astype(np.int64) - brought[0]:
            cells = cells * side + (-ahead) % side
        likely = np.bincount(cells, minlength=side ** (self._seats - 1)) / self._pool
        return np.fft.rfftn(likely.reshape([side] * (self._seats - 1)))

    def _one_back(self, table: Grid) -> Grid:
        """Return the table for one round more to come."""
        wide = REACH + self._gain
        scores = self._scores(wide)
        turned = np.roll(scores, -1, axis=0)  # the next seat starts the round after
        index = self._index(turned, REACH)
        after = table.reshape(self._seats, -1)[:, index]
        after = np.roll(after, 1, axis=0).reshape(self._shape(wide))
        axes = list(range(self._seats - 1))
        inner = (slice(self._gain, self._gain + 2 * REACH + 1),) * (self._seats - 1)
        shape: Sequence[int] = after.shape[1:]
        rows = [
            np.fft.irfftn(np.fft.rfftn(row, axes=axes) * self._brought, shape, axes)[inner] for row in after
        ]
        return np.clip(np.array(rows), 0, 1).astype(np.float32)
