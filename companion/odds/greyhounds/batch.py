"""Many views of Greyhounds played out side by side, for comparisons.

A turn of a few hundred worlds costs hardly less than one of some thousand: what is compared is run together.
Each race is from a stream of its own, and each world in it. So what differs in one race leaves the worlds of
the races after it as they are, and two options differ by what they do: the variance of a difference falls
about sevenfold. What the races to come bring does not depend on how this one is run: within a block of worlds
each outcome of this race meets all that they may bring, and a column of the values is a block. That takes the
variance down to a third in race 1, and to half over a whole game.
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

BLOCK: Final = 10  # worlds of which each meets the races to come of every other


def compared(
    races: Sequence[Greyhounds],
    counts: Sequence[int],
    rngs: Sequence[np.random.Generator],
    style: PlayingStyle,
) -> list[Playouts]:
    """Each seat's part of the victory, all views in the same turns, each in its own number of worlds."""
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
        """Its races wait for those of the others."""

    def played(self) -> Playouts:
        """What came of it."""
        return Playouts(tuple(Event("win", seat) for seat in range(len(self.money))), self.shares())

    def begin(self, number: int) -> tuple[Runs, HeldSets]:
        """A race from its own stream."""
        self._rng = self.streams[number]
        return super().begin(number)

    def to_come(self) -> tuple[object, ...] | None:
        """What tells the races after this one, the same in two evenings; None: not this race alone."""
        if self._view.due == "show" or self._view.bookie is not None:
            return None  # which sets are left depends on this race, or whether there are any
        sets = [own[race].packed.tobytes() for own in self._sets for race in range(self.first + 1, RACES + 1)]
        stream = self.streams[-1].bit_generator.state["state"]["state"]
        return self.first, stream, self.money.shape[1], *sets

    def follow(self, ahead: _Evening) -> None:
        """Let the races after this one bring what they brought in another evening with the same to come."""
        for (before, _), (money, _) in pairwise(ahead.stages):
            self.money = self.money + money - before
            self.stages.append((self.money, self._going))

    def end(self, place: Ints) -> None:
        """Settle the race, and keep what it came to."""
        super().end(place)
        self.stages.append((self.money.copy(), self._going))

    def shares(self) -> Values:
        """Each seat's part of the victory (seats, blocks)."""
        plain = _in_blocks(super().shares()).mean(axis=2)
        if self._apart():
            return plain
        after, going = self.stages[0]
        out = np.ones(after.shape[1], bool)
        out[going] = False  # a bookie is bankrupt: nobody knows what the race to come would have brought
        whole = ~_in_blocks(out[None])[0].any(axis=1)
        so_far, brought = _in_blocks(after), _in_blocks(self.money - after)
        size = so_far.shape[2]
        met = sum(_parts(so_far + np.roll(brought, n, axis=2)) for n in range(size)) / size
        return np.where(whole, met, plain).astype(np.float32)

    def _apart(self) -> bool:
        """Whether what races to come bring hangs on this one, or none comes.

        Before sets are shown it does; with a bookie who may go bankrupt in race 2 what race 3 brings does.
        """
        to_come = RACES - self.first
        return self._view.due == "show" or not to_come or (self._view.bookie is not None and to_come > 1)


def _parts(money: Ints) -> Values:
    """Each seat's part of the victory, by block, from (seats, blocks, worlds of a block)."""
    first = money == money.max(axis=0)
    return (first / first.sum(axis=0)).mean(axis=2)


def _in_blocks(rows: NDArray[Any]) -> NDArray[Any]:
    """(rows, blocks, worlds of a block): worlds left over are left out, fewer than a block are one."""
    size = min(BLOCK, rows.shape[1])
    blocks = rows.shape[1] // size
    return rows[:, : blocks * size].reshape(len(rows), blocks, size)


class _Hands(Hands):
    """Hands side by side. What is drawn for a world does not depend on which others still run."""

    def __init__(self, starts: Sequence[HeldSets], rngs: Sequence[np.random.Generator]) -> None:
        each = [Hands(start, rng) for start, rng in zip(starts, rngs, strict=True)]
        self._slot, self._rngs = starts[0].used, rngs
        self._cards = np.concatenate([hands._cards for hands in each], axis=1)
        self._shapes = [start.cards.shape for start in starts]
        self._kept = np.arange(self._cards.shape[1])

    def drawn(self, orders: int) -> NDArray[np.uint8]:
        """One of so many orders for every dog in every world."""
        drawn = [
            rng.integers(orders, size=shape, dtype=np.uint8)
            for rng, shape in zip(self._rngs, self._shapes, strict=True)
        ]
        return np.concatenate(drawn, axis=1).take(self._kept, axis=1)

    def keep(self, worlds: Ints) -> None:
        """Go on with these worlds only."""
        super().keep(worlds)
        self._kept = self._kept.take(worlds)


class _Begun(NamedTuple):
    evening: _Evening
    runs: Runs
    start: HeldSets


def _followed(evenings: Sequence[_Evening]) -> list[_Evening | None]:
    """By evening, an earlier one of which the races to come are the same."""
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
