"""A bot that thinks ahead: it tries each sensible decision and plays the game out after it, many times.

The others play at random in its playouts; where the game has styles, by the belief about them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from companion.bots.registry import heuristics_of
from companion.errors import validation_error
from companion.games.race import Race
from companion.games.terms import Decision
from companion.message import N_
from companion.odds.chance import Event, victory
from companion.odds.styles import Belief, of_own

GUESSES: Final = 12  # guesses of the values that a decision reveals
POSITIONS: Final = 36  # more are not played out for one decision: each has a price, however few its playouts


def thinker(
    view: Race, seat: int, rng: random.Random, playouts: int | None = None, belief: Belief = ()
) -> Decision:
    """Return the decision after which this seat wins most of its playouts, given this belief about the
    others.

    `playouts` are for each decision that it tries; None: as many as people wait for.

    Every decision is tried in the same worlds, so that luck does not choose between them. Of equals the first
    is taken, which is the one by the rules of thumb.
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
    views = [Counter(world.after(decision).seen_by(seat) for world in worlds) for decision in choices]
    wins = _wins(
        [v for each in views for v in each],
        seat,
        [-(-n * tried // guesses) for each in views for n in each.values()],
        seed,
        belief,
    )
    chances = [sum(n * next(wins) for n in each.values()) for each in views]
    return choices[chances.index(max(chances))]


def _wins(
    views: Sequence[Race], seat: int, playouts: Sequence[int], seed: int, belief: Belief
) -> Iterator[float]:
    """Yield the share of victory that the seat has in each of these views, in so many playouts of it."""
    going = [n for n, view in enumerate(views) if view.awaits() is not None]
    played: dict[int, float] = {}
    if going:
        kernel = _kernel_of(views[going[0]], of_own(views[going[0]], belief, seat))
        rngs = [_generator(seed) for _ in going]
        found = kernel.together([views[n] for n in going], [playouts[n] for n in going], rngs)
        win = Event("win", seat)
        played = {n: float(f.values[f.events.index(win)].mean()) for n, f in zip(going, found, strict=True)}
    return (played[n] if n in played else victory(view)[seat] for n, view in enumerate(views))


def _kernel_of(view: Race, belief: Belief) -> Any:
    """Return the kernel of this game: only thinking needs NumPy, so it is imported on demand."""
    try:
        from companion.odds.estimate import kernel_believing
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise validation_error(N_("thinking ahead needs NumPy: install it, or choose another bot")) from None
    return kernel_believing(view, belief)


def _generator(seed: int) -> Any:
    from numpy.random import default_rng

    return default_rng(seed)
