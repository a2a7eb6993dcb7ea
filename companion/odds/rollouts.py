"""Chances by playing the rest of the game at random, many times, through the rules."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import sqrt

from companion.games.race import Race, played_out
from companion.table import Chance

PLAYOUTS = 1000
BATCH = 100
_SURE = 1.96  # standard errors on either side of a 95 % interval


def victory(race: Race) -> list[float]:
    """Each seat's part of the victory: 1, or its share of a shared one."""
    first = [standing.seat for standing in race.standings() if standing.place == 1]
    return [1 / len(first) if seat in first else 0.0 for seat in range(len(race.seats))]


def chances(
    race: Race, rng: random.Random, playouts: int = PLAYOUTS, go_on: Callable[[], bool] = lambda: True
) -> tuple[Chance, ...] | None:
    """Every seat's chance to win from this view on; None if `go_on` said no between two batches.

    Unseen cards are dealt anew for every playout, and every seat plays a random card. `error` is the half
    width of the 95 % interval. A finished game has no error.
    """
    if race.awaits() is None:
        return tuple(Chance(seat, p, 0.0) for seat, p in enumerate(victory(race)))
    won = [0.0] * len(race.seats)
    for done in range(playouts):
        if done % BATCH == 0 and not go_on():
            return None
        for seat, part in enumerate(victory(played_out(race.guessed(rng), rng))):
            won[seat] += part
    return tuple(Chance(seat, w / playouts, _error(w / playouts, playouts)) for seat, w in enumerate(won))


def _error(p: float, playouts: int) -> float:
    """The half width of the 95 % interval of a share; never 0: what never happened in 1000 playouts may."""
    kept = min(max(p, 1 / playouts), 1 - 1 / playouts)
    return _SURE * sqrt(kept * (1 - kept) / playouts)
