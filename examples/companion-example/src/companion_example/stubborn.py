"""A robot that never thinks: it takes the first decision that the rules list, in any game."""

from __future__ import annotations

import random

from companion.bots.players import Robot
from companion.games.race import Race
from companion.games.terms import Decision


def stubborn(view: Race, seat: int, rng: random.Random) -> Decision:
    """Decide from what this seat may see; chance comes in as `rng`, so that the same seed plays the same."""
    return next(iter(view.decisions(seat)))


ROBOT = Robot("stubborn", "Takes the first thing that the rules allow, every time.", stubborn)
