"""The ways of a bot to play: greedy choices, careful choices, and decisions worth a thought.

A `Heuristics` knows nothing of a game but its rules, so it plays every game. A mechanism whose players have
rules of thumb has a subclass in a separate file, which registry.py names.
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

WORLDS: Final = 8  # guesses of hidden values, for a bot that does not think ahead
MANY: Final = 24  # with more decisions not all are weighed one by one


class Heuristics(Generic[R]):
    """A player who knows only the rules; called with the view of the seat that is to decide.

    `playouts` is the number of playouts of a bot that thinks ahead, for each decision that it tries.
    """

    playouts: ClassVar[int] = 300

    def brings(self, race: R, seat: int) -> float:
        """Return the value of this position for the seat, as a greedy player counts it."""
        return race.scores()[seat]

    def greedy(self, view: R, seat: int, rng: random.Random) -> Decision:
        """Return the decision with the highest value now, in the mean of a few guesses at hidden values; ties
        at random.
        """
        worlds = [view.guessed(rng) for _ in range(WORLDS)]
        seed = rng.random()

        def worth(decision: Decision) -> float:
            chance = random.Random(seed)
            return sum(self.brings(once_decided(world, decision, chance), seat) for world in worlds)

        return best(self.sensible(view, seat, rng), worth, rng)

    def careful(self, view: R, seat: int, rng: random.Random) -> Decision:
        """Return the decision by the rules of thumb; without any, the greedy one."""
        return self.greedy(view, seat, rng)

    def sensible(self, view: R, seat: int, rng: random.Random) -> Sequence[Decision]:
        """Return the decisions worth a thought: all of them, or where there are too many a handful."""
        listed = list(islice(view.decisions(seat), MANY + 1))
        if len(listed) <= MANY:
            return listed
        return list(dict.fromkeys(view.at_random(seat, rng) for _ in range(MANY)))

    def considered(self, view: R, seat: int, rng: random.Random) -> Sequence[Decision]:
        """Return the decisions to think over: those by the rules of thumb, and other sensible ones."""
        return list(dict.fromkeys([self.careful(view, seat, rng), *self.sensible(view, seat, rng)]))

    def reopened(self, view: R, seat: int) -> R:
        """Return the view before the others' choices that are made together with this seat's own.

        For players who may not know them these choices are as good as not made. A view that counts them would
        have to turn over unknown cards when the last choice comes in.
        """
        return view


def best(choices: Sequence[T], worth: Callable[[T], Any], rng: random.Random) -> T:
    """Return the choice with the highest worth; ties at random."""
    worths = [worth(choice) for choice in choices]
    most = max(worths)
    return picked([choice for choice, has in zip(choices, worths, strict=True) if has == most], rng)


def once_decided(race: R, decision: Decision, rng: random.Random) -> R:
    """Return the position after a decision and, at random, those of the seats that owed one at
    the same time.
    """
    together = race.awaits()
    race = race.after(decision)
    for other in together.seats if together else ():
        due = race.awaits()
        if other != decision.seat and due is not None and other in due.seats:
            race = race.after(race.at_random(other, rng))
    return race
