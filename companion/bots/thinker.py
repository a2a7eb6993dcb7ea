"""A bot that thinks ahead: it tries each sensible decision and plays the rest out, many times.

The others play at random in its thoughts; where the game has styles, as it is believed of them.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, Final

from companion.bots.registry import heuristics_of
from companion.errors import refuse
from companion.games.race import Race
from companion.games.terms import Decision
from companion.message import N_
from companion.odds.chance import Event, victory
from companion.odds.styles import Belief, of_own

GUESSES: Final = 12  # what comes to light with a decision is guessed so many times
POSITIONS: Final = 36  # more are not played out for one decision: each has a price, however few its playouts


def thinker(
    view: Race, seat: int, rng: random.Random, playouts: int | None = None, belief: Belief = ()
) -> Decision:
    """The decision after which this seat wins most of so many playouts, if so much is believed of the others.

    `playouts` are for each decision that it tries; None: as many as people wait for.

    Every decision is tried in the same worlds, so that luck does not choose between them. Of equals the
    first is taken, which is what the rules of thumb say.
    """
    heuristics = heuristics_of(view)
    choices = heuristics.considered(view, seat, rng)
    if len(choices) == 1:
        return choices[0]
    tried = playouts or heuristics.playouts
    seed = rng.getrandbits(62)
    before = heuristics.reopened(view, seat)
    guesses = max(1, min(GUESSES, POSITIONS // len(choices)))
    worlds = [before.guessed(rng) for _ in range(guesses)]

    def chance(decision: Decision) -> float:
        views = Counter(world.after(decision).seen_by(seat) for world in worlds)
        return sum(n * _wins(v, seat, -(-n * tried // guesses), seed, belief) for v, n in views.items())

    return max(choices, key=chance)


def _wins(view: Race, seat: int, playouts: int, seed: int, belief: Belief) -> float:
    """The share of victory that the seat has in so many playouts of this view."""
    if view.awaits() is None:
        return victory(view)[seat]
    kernel = _kernel_of(view, of_own(view, belief, seat))
    played = kernel.playouts(view, playouts, _generator(seed))
    return float(played.values[played.events.index(Event("win", seat))].mean())


def _kernel_of(view: Race, belief: Belief) -> Any:
    """The kernel of this game: only thinking needs NumPy, so it is imported when somebody thinks."""
    try:
        from companion.odds.estimate import kernel_believing
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise refuse(N_("thinking ahead needs NumPy: install it, or choose another bot")) from None
    return kernel_believing(view, belief)


def _generator(seed: int) -> Any:
    from numpy.random import default_rng

    return default_rng(seed)
