"""How somebody plays: what greed takes, what care prefers, what is worth a thought.

A `Heuristics` knows nothing of a game but its rules, so it plays every game. A mechanism whose players
have rules of thumb has a subclass in a file of its own, which registry.py names.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, ClassVar, Final, Generic, TypeVar

from companion.games.race import Race, picked
from companion.games.terms import Decision

R = TypeVar("R", bound=Race)
T = TypeVar("T")

WORLDS: Final = 8  # guesses of what is hidden, where a bot looks no further than its nose
MANY: Final = 24  # more decisions than that nobody weighs one by one


class Heuristics(Generic[R]):
    """Somebody who knows only the rules; asked with the view of the seat that is to decide.

    `playouts` is how much somebody who thinks ahead thinks, for each decision that he tries.
    """

    playouts: ClassVar[int] = 300

    def brings(self, race: R, seat: int) -> float:
        """What the seat has in this position, as greed counts it."""
        return race.scores()[seat]

    def greedy(self, view: R, seat: int, rng: random.Random) -> Decision:
        """What brings most now, in the mean of a few guesses at what is hidden; equals are as good."""
        worlds = [view.guessed(rng) for _ in range(WORLDS)]
        seed = rng.random()

        def worth(decision: Decision) -> float:
            chance = random.Random(seed)
            return sum(self.brings(once_decided(world, decision, chance), seat) for world in worlds)

        return best(self.sensible(view, seat, rng), worth, rng)

    def careful(self, view: R, seat: int, rng: random.Random) -> Decision:
        """What the rules of thumb say; where there are none, greed."""
        return self.greedy(view, seat, rng)

    def sensible(self, view: R, seat: int, rng: random.Random) -> Sequence[Decision]:
        """Decisions worth a thought: all of them, or where there are too many a handful."""
        listed = list(islice(view.decisions(seat), MANY + 1))
        if len(listed) <= MANY:
            return listed
        return list(dict.fromkeys(view.at_random(seat, rng) for _ in range(MANY)))

    def considered(self, view: R, seat: int, rng: random.Random) -> Sequence[Decision]:
        """What somebody thinks over: what the rules of thumb say, and what else is sensible."""
        return list(dict.fromkeys([self.careful(view, seat, rng), *self.sensible(view, seat, rng)]))

    def reopened(self, view: R, seat: int) -> R:
        """The view before the others' choices that are made together with this seat's own.

        To whoever may not know them they are as good as not yet made, and a view in which the last one
        comes in would have to turn over what it cannot name.
        """
        return view


def best(choices: Sequence[T], worth: Callable[[T], Any], rng: random.Random) -> T:
    """The choice worth most; one of the equals at random."""
    worths = [worth(choice) for choice in choices]
    most = max(worths)
    return picked([choice for choice, has in zip(choices, worths, strict=True) if has == most], rng)


def once_decided(race: R, decision: Decision, rng: random.Random) -> R:
    """The position after a decision and, at random, those of the seats that owed one at the same time."""
    together = race.awaits()
    race = race.after(decision)
    for other in together.seats if together else ():
        due = race.awaits()
        if other != decision.seat and due is not None and other in due.seats:
            race = race.after(race.at_random(other, rng))
    return race
