"""Many views of Greyhounds played out side by side, for comparisons.

A turn of a few hundred worlds costs hardly less than one of some thousand: what is compared is run together.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.greyhounds.bets import RACES
from companion.games.greyhounds.rules import Greyhounds
from companion.odds.chance import Event
from companion.odds.greyhounds.cards import Hands, HeldSets
from companion.odds.greyhounds.kernel import Evening, Hounds, PlayingStyle, run_out
from companion.odds.greyhounds.turn import Ints, Runs
from companion.odds.kernel import Playouts


class HoundsAbreast(Hounds):
    """Greyhounds, each race from a stream of its own, and each world in it.

    So what differs in one race leaves the worlds of the races after it as they are, and two options differ by
    what they do: the variance of a difference falls about sevenfold.
    """

    def playouts(self, race: Greyhounds, count: int, rng: np.random.Generator) -> Playouts:
        """Each seat's part of the victory."""
        [played] = self.abreast([race], count, [rng])
        return played

    def abreast(
        self, races: Sequence[Greyhounds], count: int, rngs: Sequence[np.random.Generator]
    ) -> list[Playouts]:
        """Each seat's part of the victory, all views in the same turns."""
        evenings = [_Evening(race, count, rng, PlayingStyle()) for race, rng in zip(races, rngs, strict=True)]
        for number in range(1, RACES + 1):
            _run([evening for evening in evenings if evening.first <= number], number)
        return [evening.played() for evening in evenings]

    def exact(self, race: Greyhounds) -> dict[Event, float]:
        """Nothing about the seats."""
        return {}


class _Evening(Evening):
    def __init__(self, view: Greyhounds, worlds: int, rng: np.random.Generator, style: PlayingStyle) -> None:
        self.first, self.streams = view.race, rng.spawn(RACES + 1)
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


def _run(evenings: Sequence[_Evening], number: int) -> None:
    """Run and settle this race in all these evenings: together where as many cards are open."""
    alike: dict[Any, list[_Begun]] = {}
    for evening in evenings:
        runs, start = evening.begin(number)
        alike.setdefault(start[1:], []).append(_Begun(evening, runs, start))
    for begun in alike.values():
        hands = _Hands([one.start for one in begun], [one.evening.streams[number] for one in begun])
        places = run_out(Runs.abreast([one.runs for one in begun]), hands)
        ends = [*accumulate(one.start.cards.shape[1] for one in begun)]
        for one, place in zip(begun, np.split(places, ends[:-1], axis=1), strict=True):
            one.evening.end(place)
