"""Chances in Greyhounds: each seat's of the evening, and of the dogs in the race that is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Final

import numpy as np

from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.run import DOGS
from companion.odds.chance import Event
from companion.odds.greyhounds.batch import compared
from companion.odds.greyhounds.cards import Hands
from companion.odds.greyhounds.evening import Evening, PlayingStyle
from companion.odds.greyhounds.exact import settled, worked_out
from companion.odds.greyhounds.sheets import DOUBLES
from companion.odds.greyhounds.turn import RUNNING, Ints
from companion.odds.kernel import PIECE, Kernel, Playouts, Values

USUAL: Final = PlayingStyle(own_dog=0.4, favourite=0.2)
"""The assumptions of the public odds: most people stake boldly, and some do not think. With sheets quite
at random the odds were far too sure of who leads (bench/calibration.py: an error of .05 instead of .01)."""


class Hounds(Kernel[Greyhounds]):
    """Greyhounds in columns of worlds, through turns and settlements to the end of the evening."""

    doubts: Mapping[str, float] = MappingProxyType({"win": 1.0, PIECE: 0.8})

    def __init__(self, style: PlayingStyle | None = None) -> None:
        self._style = style or PlayingStyle()

    def playouts(self, race: Greyhounds, count: int, rng: np.random.Generator) -> Playouts:
        """Return each seat's part of the victory and, once the bets are closed, the results of this race's
        dogs.
        """
        return played(Evening(race, count, rng, self._style), race)

    def together(
        self, races: Sequence[Greyhounds], counts: Sequence[int], rngs: Sequence[np.random.Generator]
    ) -> list[Playouts]:
        """Return each seat's part of the victory, all views in the same turns."""
        return compared(races, counts, rngs, self._style)

    def exact(self, race: Greyhounds) -> Mapping[Event, float]:
        """Return win, place and double of the dogs in a race that is nearly over; settled events
        at any time.
        """
        if race.due != "play" or self._style.cards is not Hands:
            return {}
        chances = worked_out(race)
        if chances is None:
            return settled(race.run)
        return chances


def played(evening: Evening, race: Greyhounds) -> Playouts:
    """Return the results of an evening for the events of this view."""
    values = [evening.shares()]
    if race.due == "play":
        values.append(of_the_dogs(evening.places[0]))
    return Playouts(events(race), np.concatenate(values))


def events(race: Greyhounds) -> tuple[Event, ...]:
    """Return the events of a view's chances: the seats, and once the bets are closed the dogs."""
    wins = tuple(Event("win", seat) for seat in range(len(race.seats)))
    return (*wins, *DOG_EVENTS) if race.due == "play" else wins


DOG_EVENTS: Final = (
    *(Event("win", pieces=(dog,)) for dog in DOGS),
    *(Event("place", pieces=(dog,)) for dog in DOGS),
    *(Event("double", pieces=pair) for pair in combinations(DOGS, 2)),
)


def of_the_dogs(place: Ints) -> Values:
    """Return which of DOG_EVENTS happened in races with these places: place (dogs, worlds)."""
    first_two = (place != RUNNING) & (place <= 2)
    doubles = [first_two[a] & first_two[b] for a, b in DOUBLES]
    return np.concatenate([place == 1, first_two, np.stack(doubles)]).astype(np.float32)


class HoundsBatch(Kernel[Greyhounds]):
    """Greyhounds played at random, for comparisons: see batch.py."""

    def playouts(self, race: Greyhounds, count: int, rng: np.random.Generator) -> Playouts:
        """Return each seat's part of the victory."""
        [played] = self.play_batch([race], count, [rng])
        return played

    def play_batch(
        self, races: Sequence[Greyhounds], count: int, rngs: Sequence[np.random.Generator]
    ) -> list[Playouts]:
        """Return each seat's part of the victory, all views in the same turns."""
        return compared(races, [count] * len(races), rngs, PlayingStyle())
