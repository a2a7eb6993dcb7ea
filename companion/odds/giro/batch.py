"""Many views of Giro Galoppo ridden in one batch, for comparisons.

A round of some hundred worlds costs hardly less than one of some thousand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.games.giro.rules import GiroGaloppo
from companion.odds.giro.kernel import (
    WORLDS,
    Cards,
    Giro,
    Players,
    Spaces,
    Worlds,
    course_of,
    events,
    openings,
    results,
    ridden_out,
    side_by_side,
    to_lay,
)
from companion.odds.kernel import Playouts


class GiroBatch(Giro):
    """Giro Galoppo for several views of one game in one batch, each with its own worlds."""

    def play_batch(
        self, races: Sequence[GiroGaloppo], count: int, rngs: Sequence[np.random.Generator]
    ) -> list[Playouts]:
        """Return each view's results; those on whose course all obstacles are laid are ridden in the same
        rounds.
        """
        together = [n for n, race in enumerate(races) if not to_lay(race) and count <= WORLDS]
        most = WORLDS // count or 1
        played = dict[int, Playouts]()
        for begin in range(0, len(together), most):
            some = together[begin : begin + most]
            views = [races[n] for n in some]
            players = _BatchPlayers([self._players(races[n], count, rngs[n]) for n in some], count)
            course = side_by_side([course_of(view, count) for view in views])
            ends = ridden_out(openings(views, [count] * len(views)), course, players, views[0])
            for n, spaces in zip(some, np.split(ends, len(some), axis=1), strict=True):
                values = results(races[n], spaces).astype(np.float32)
                played[n] = Playouts(events(races[n]), values)
        return [
            played[n] if n in played else self.playouts(race, count, rng)
            for n, (race, rng) in enumerate(zip(races, rngs, strict=True))
        ]


class _BatchPlayers:
    """Players of several views in one batch, `count` worlds each at first."""

    def __init__(self, players: Sequence[Players], count: int) -> None:
        self._players, self._left = players, np.full(len(players), count)
        self.styles = np.concatenate([each.styles for each in players], axis=1)

    def cards(self, spaces: Spaces) -> Cards:
        """Return the cards of a round, view by view."""
        parts = np.split(spaces, self._left.cumsum()[:-1], axis=1)
        dealt = [
            players.cards(part) for players, part in zip(self._players, parts, strict=True) if part.shape[1]
        ]
        return np.concatenate(dealt, axis=1)

    def only(self, worlds: Worlds) -> None:
        """Continue in these worlds alone."""
        ends = self._left.cumsum()
        parts = np.split(worlds, np.searchsorted(worlds, ends)[:-1])
        for players, part, begin in zip(self._players, parts, ends - self._left, strict=True):
            players.only(part - begin)
        self._left = np.array([len(part) for part in parts])
