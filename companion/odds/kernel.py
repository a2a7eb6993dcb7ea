"""Computation of chances: a kernel for each kind of game, and one that plays any game through its rules."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.games.race import Race, played_out
from companion.odds.chance import Event, Stretch, victory

R_contra = TypeVar("R_contra", bound=Race, contravariant=True)

Values = NDArray[np.floating[Any]]


class Playouts(NamedTuple):
    """The results of playouts.

    `values` has a row for each event and a column for each independent playout: 0 to 1, such as a share of a
    victory, or the chance that remains after the part played out. `bias` is the standard error that all
    columns have in common, such as that of a table that was itself computed from playouts. `spread` is by
    event the variance of its chance over all styles considered possible for the players; none if everybody
    plays alike in all worlds.
    """

    events: tuple[Event, ...]
    values: Values
    bias: float = 0.0
    spread: NDArray[np.float64] | None = None


PIECE: Final = "piece"  # any event of pieces; events of seats have separate keys


class Kernel(ABC, Generic[R_contra]):
    """Computes chances for one kind of game, from views: every hidden value is filled at random,
    uniformly.
    """

    batches: Sequence[int] = (400, 1600, 8000, 20000)
    """Playouts in each successive batch: the first soon, then better ones. A newer question may come in
    between, so none should take longer than a tenth of a second or so here."""

    habits: Mapping[str, float] = MappingProxyType({})
    """How much likelier than in random play a seat reaches its aim, by the event's `what`: measured between
    bots that do not just play at random. See `as_people_play`; bench/calibration.py says how well it does."""

    stretch: Stretch = Stretch()
    """How much greater than in these playouts the differences between the seats' log odds of winning are;
    measured likewise. See `stretched`."""

    doubts: Mapping[str, float] = MappingProxyType({})
    """How far people move the log odds of a seat's aim away from the published ones, by the event's `what`,
    of pieces by `PIECE`: the standard deviation, measured likewise. See `doubted`."""

    @abstractmethod
    def playouts(self, race: R_contra, count: int, rng: np.random.Generator) -> Playouts:
        """Play this view out `count` times; the seats that owe a decision decide at random."""

    def play_batch(
        self, races: Sequence[R_contra], count: int, rngs: Sequence[np.random.Generator]
    ) -> list[Playouts]:
        """Play several views out, each `count` times from its own generator."""
        return [self.playouts(race, count, rng) for race, rng in zip(races, rngs, strict=True)]

    def together(
        self, races: Sequence[R_contra], counts: Sequence[int], rngs: Sequence[np.random.Generator]
    ) -> list[Playouts]:
        """Play out views of one seat that differ by its decision now, each its own number of times."""
        return [self.playouts(*each) for each in zip(races, counts, rngs, strict=True)]

    def first(self, race: R_contra, seed: int) -> Playouts | None:
        """Return a quick answer while data that later batches need are prepared; None: no preparation is
        needed.
        """
        return None

    def batch(self, race: R_contra, number: int, seed: int) -> Playouts:
        """Return the `number`-th batch of playouts; the same for the same view and seed."""
        return self.playouts(race, self.batches[number], np.random.default_rng([seed, number]))

    def exact(self, race: R_contra) -> Mapping[Event, float]:
        """Return the chances that can be computed exactly within the time of a batch; {} if none can."""
        return {}


class Plain(Kernel[Race]):
    """Any game, played out through its own rules: slow, and never wrong."""

    batches = (100, 100, 200, 600)

    def playouts(self, race: Race, count: int, rng: np.random.Generator) -> Playouts:
        """Return every seat's part of the victory."""
        chance = random.Random(int(rng.integers(1 << 62)))
        values = [victory(played_out(race.guessed(chance), chance)) for _ in range(count)]
        events = tuple(Event("win", seat) for seat in range(len(race.seats)))
        return Playouts(events, np.array(values, dtype=np.float32).reshape(count, len(events)).T)
