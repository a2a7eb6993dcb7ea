"""The rules of thumb of each game."""

from __future__ import annotations

from typing import Any, Final

from companion.bots.galloping import RunningHeuristics
from companion.bots.giro import GiroHeuristics
from companion.bots.greyhounds import HoundsHeuristics
from companion.bots.heuristics import Heuristics
from companion.games.race import Race

_OF_A_MECHANISM: Final = (RunningHeuristics, GiroHeuristics, HoundsHeuristics)


def heuristics_of(race: Race) -> Heuristics[Any]:
    """Return the rules of thumb for this game; those of any game if it has no special ones."""
    for heuristics in _OF_A_MECHANISM:
        if isinstance(race, heuristics.plays):
            return heuristics()
    return Heuristics()
