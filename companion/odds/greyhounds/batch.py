"""Many views of Greyhounds played out side by side, for comparisons.

A turn of a few hundred worlds costs hardly less than one of some thousand: compared views run together. Each
race has its own stream of random numbers, and so has each world in it. So a difference in one race does not
change the worlds of the races after it, and two options differ by their effects only: the variance of a
difference falls about sevenfold. The results of the races to come do not depend on how this one is run:
within a block of worlds each outcome of this race meets all results of the later ones, and a column of the
values is a block. That takes the variance down to a third in race 1, and to half over a whole game.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.greyhounds.bets import RACES
from companion.games.greyhounds.rules import Greyhounds
from companion.odds.chance import Event
from companion.odds.greyhounds.cards import Hands, HeldSets
from companion.odds.greyhounds.evening import Evening, PlayingStyle, run_out
from companion.odds.greyhounds.turn import Ints, Runs
from companion.odds.kernel import Playouts, Values

BLOCK: Final = 10  # worlds, each combined with the races to come of every other


def compared(
    races: Sequence[Greyhounds],
    counts: Sequence[int],
    rngs: Sequence[np.random.Generator],
    style: PlayingStyle,
) -> list[Playouts]:
    """Return each seat's part of the victory, all views in the same turns, each in its own number
    of worlds.
    """
    evenings = [_Evening(*each, style) for each in zip(races, counts, rngs, strict=True)]
    followed = _followed(evenings)
    for number in range(1, RACES + 1):
        due = [e for e, ahead in zip(evenings, followed, strict=True) if e.first == number or not ahead]
        _run([evening for evening in due if evening.first <= number], number)
    for evening, ahead in zip(evenings, followed, strict=True):
        if ahead is not None:
            evening.follow(ahead)
    return [evening.played() for evening in evenings]


class _Evening(Evening):
    def __init__(self, view: Greyhounds, worlds: int, rng: np.random.Generator, style: PlayingStyle) -> None:
        self.first, self.streams = view.race, rng.spawn(RACES + 1)
        self.stages: list[tuple[Ints, Ints]] = []  # race by race: the money after it, and who goes on
        super().__init__(view, worlds, rng, style)

    def run(self) -> None:
        """Do nothing: its races run together with those of the others."""

    def played(self) -> Playouts:
        """Return the results of the evening."""
        return Playouts(tuple(Event("win", seat) for seat in range(len(self.money))), self.shares())

    def begin(self, number: int) -> tuple[Runs, HeldSets]:
        """Begin a race from its own stream."""
        self._rng = self.streams[number]
        return super().begin(number)

    def to_come(self) -> tuple[object, ...] | None:
        """Return a key of the races after this one, equal for two evenings whose later races are the same;
        None: not this race alone.
        """
        if self._view.due == "show" or self._view.bookie is not None:
            return None  # the sets left, or their existence, depend on this race
        sets = [own[race].packed.tobytes() for own in self._sets for race in range(self.first + 1, RACES + 1)]
        stream = self.streams[-1].bit_generator.state["state"]["state"]
        return self.first, stream, self.money.shape[1], *sets

    def follow(self, ahead: _Evening) -> None:
        """Copy the results of the races after this one from another evening with the same to come."""
        for (before, _), (money, _) in pairwise(ahead.stages):
            self.money = self.money + money - before
            self.stages.append((self.money, self._going))

    def end(self, place: Ints) -> None:
        """Settle the race, and store its result."""
        super().end(place)
        self.stages.append((self.money.copy(), self._going))

    def shares(self) -> Values:
        """Return each seat's part of the victory (seats, blocks)."""
        plain = _in_blocks(super().shares()).mean(axis=2)
        if self._apart():
            return plain
        after, going = self.stages[0]
        out = np.ones(after.shape[1], bool)
        out[going] = False  # a bookie is bankrupt: the result of the race to come is unknown
        whole = ~_in_blocks(out[None])[0].any(axis=1)
        so_far, brought = _in_blocks(after), _in_blocks(self.money - after)
        size = so_far.shape[2]
        met = sum(_parts(so_far + np.roll(brought, n, axis=2)) for n in range(size)) / size
        return np.where(whole, met, plain).astype(np.float32)

    def _apart(self) -> bool:
        """Return whether the results of races to come depend on this one, or none comes.

        Before sets are shown they do; with a bookie who may go bankrupt in race 2, those of race 3 do.
        """
        to_come = RACES - self.first
        return self._view.due == "show" or not to_come or (self._view.bookie is not None and to_come > 1)


def _parts(money: Ints) -> Values:
    """Return each seat's part of the victory, by block, from (seats, blocks, worlds of a block)."""
    first = money == money.max(axis=0)
    return (first / first.sum(axis=0)).mean(axis=2)


def _in_blocks(rows: NDArray[Any]) -> NDArray[Any]:
    """Reshape to (rows, blocks, worlds of a block): worlds left over are left out, fewer than a block are
    one.
    """
    size = min(BLOCK, rows.shape[1])
    blocks = rows.shape[1] // size
    return rows[:, : blocks * size].reshape(len(rows), blocks, size)


class _Hands(Hands):
    """Hands side by side. The draw for a world does not depend on which others still run."""

    def __init__(self, starts: Sequence[HeldSets], rngs: Sequence[np.random.Generator]) -> None:
        each = [Hands(start, rng) for start, rng in zip(starts, rngs, strict=True)]
        self._slot, self._rngs = starts[0].used, rngs
        self._cards = np.concatenate([hands._cards for hands in each], axis=1)
        self._shapes = [start.cards.shape for start in starts]
        self._remaining = np.arange(self._cards.shape[1])

    def drawn(self, orders: int) -> NDArray[np.uint8]:
        """Draw one of so many orders for every dog in every world."""
        drawn = [
            rng.integers(orders, size=shape, dtype=np.uint8)
            for rng, shape in zip(self._rngs, self._shapes, strict=True)
        ]
        return np.concatenate(drawn, axis=1).take(self._remaining, axis=1)

    def restrict_to(self, worlds: Ints) -> None:
        """Continue with these worlds only."""
        super().restrict_to(worlds)
        self._remaining = self._remaining.take(worlds)


class _Begun(NamedTuple):
    evening: _Evening
    runs: Runs
    start: HeldSets


def _followed(evenings: Sequence[_Evening]) -> list[_Evening | None]:
    """Return, by evening, an earlier one of which the races to come are the same."""
    first = dict[tuple[object, ...], _Evening]()
    keys = [evening.to_come() for evening in evenings]
    ahead = [first.setdefault(key, one) if key else one for key, one in zip(keys, evenings, strict=True)]
    return [None if other is one else other for other, one in zip(ahead, evenings, strict=True)]


def _run(evenings: Sequence[_Evening], number: int) -> None:
    """Run and settle this race in all these evenings: together where as many cards of a five are used."""
    alike: dict[int, list[_Begun]] = {}
    for evening in evenings:
        runs, start = evening.begin(number)
        alike.setdefault(start.used, []).append(_Begun(evening, runs, start))
    for begun in alike.values():
        hands = _Hands([one.start for one in begun], [one.evening.streams[number] for one in begun])
        places = run_out(Runs.batch([one.runs for one in begun]), hands)
        ends = [*accumulate(one.start.cards.shape[1] for one in begun)]
        for one, place in zip(begun, np.split(places, ends[:-1], axis=1), strict=True):
            one.evening.end(place)
