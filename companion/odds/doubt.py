"""The dependence of chances on the players: the variance over the styles that people may have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.odds.kernel import Values


def spread(values: Values, styles: Iterable[NDArray[Any]]) -> NDArray[np.float64]:
    """Return, by event (a row of `values`), the variance of its chance over the styles drawn by seat and
    world.

    It is the variance between worlds that each seat's style explains, summed over the seats, less the amount
    that so few worlds would seem to explain by chance. Effects of several styles together are left out.

    >>> won = np.array([[1.0, 1.0, 0.0, 0.0] * 100])
    >>> ours, theirs = np.array([0, 0, 1, 1] * 100), np.array([0, 1, 0, 1] * 100)
    >>> spread(won, [ours, theirs]).round(3).tolist()
    [0.25]
    """
    values = values.astype(np.float64, copy=False)
    rest = values - values.mean(axis=1, keepdims=True)
    return np.sum([_explained(rest, seat) for seat in styles], axis=0)


def _explained(rest: NDArray[np.float64], style: NDArray[Any]) -> NDArray[np.float64]:
    """Return the variance around 0 between the styles of a seat, less the part expected by chance."""
    kinds, place, count = np.unique(style, return_inverse=True, return_counts=True)
    sums = np.stack([np.bincount(place, row) for row in rest])
    worlds = rest.shape[1]
    between = (sums * sums / count).sum(axis=1) / worlds
    within = (rest * rest).sum(axis=1) / worlds - between
    return np.maximum(between - within * (len(kinds) - 1) / max(1, worlds - len(kinds)), 0.0)
