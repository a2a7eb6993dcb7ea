"""The ledger of a game that is over: the effects on each seat's chance, term by term, and whether they add
up.

Terms are means over worlds, each from separate worlds, so their covariances add up as well. The remainder
that no term accounts for is the *gap*. Its expectation is zero, so it is a control variate: a part whose
error correlates with the gap is corrected by as much as the gap predicts of that error.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.odds.estimate import SURE

Numbers = NDArray[np.float64]

_CERTAIN: Final = 1e-9  # a variance that rounding alone may leave


class Share(NamedTuple):
    """The effect of something on a chance, -1 to 1, and the half width of its 95 % interval."""

    value: float
    error: float

    def is_clear(self) -> bool:
        """Return whether this is more than its error, and at least half a point in a hundred."""
        return abs(self.value) > max(self.error, 0.005)


class Account(NamedTuple):
    """A seat's chance at the `start`, its share of the victory at the `end`, and the effects between them.

    `luck` is `deals`, the effect of cards dealt or drawn, and `unseen`, the effect of choices beyond what
    their makers could know. `gap` is the remainder of the victory after all effects had been computed.
    """

    start: float
    end: float
    luck: Share
    own: Share
    others: Share
    deals: Share
    unseen: Share
    measured: Share
    gap: Share


class Check(NamedTuple):
    """The deviation of a game from adding up: of all seats' gaps together chi-square, with
    `freedom` degrees.
    """

    chi2: float
    freedom: int


class Worlds(NamedTuple):
    """The mean of a term over its worlds, by seat, and the covariance of that mean."""

    mean: Numbers
    covariance: Numbers

    @classmethod
    def of(cls, values: Numbers) -> Worlds:
        """Return the mean and covariance of (seats, worlds); one world is certain."""
        seats, worlds = values.shape
        spread = np.cov(values) / worlds if worlds > 1 else np.zeros((seats, seats))
        return cls(values.mean(axis=1), spread)

    def times(self, share: float) -> Worlds:
        """Return the same, multiplied by `share`."""
        return Worlds(share * self.mean, share**2 * self.covariance)


class _Part:
    """A sum over terms by seat, its variance, and its covariance with the gap."""

    def __init__(self, seats: int) -> None:
        self.value, self.variance, self.with_gap = np.zeros((3, seats))

    def __add__(self, other: _Part) -> _Part:
        """Return both together, if no term is in both."""
        both = _Part(len(self.value))
        both.value = self.value + other.value
        both.variance = self.variance + other.variance
        both.with_gap = self.with_gap + other.with_gap
        return both

    def add(self, term: Worlds, seats: Numbers, sign: int = 1, in_gap: bool = False) -> None:
        """Add a term of these seats; `in_gap`: the gap is the smaller by it."""
        variance = np.diag(term.covariance) * seats
        self.value += sign * term.mean * seats
        self.variance += variance
        self.with_gap -= variance * in_gap


class Ledger:
    """Terms are entered one by one; `accounts` and `check` are the totals."""

    def __init__(self, seats: int) -> None:
        self._every = np.ones(seats)
        self._own, self._others, self._deals, self._unseen = (_Part(seats) for _ in range(4))
        self._gap, self._covariance = np.zeros(seats), np.zeros((seats, seats))

    def start(self, chances: Worlds) -> None:
        """Enter the chances at the start."""
        self._into_gap(chances)

    def deal(self, moved: Worlds) -> None:
        """Enter the effect of a deal or draw."""
        self._deals.add(moved, self._every, in_gap=True)
        self._into_gap(moved)

    def judged(self, maker: int, moved: Worlds) -> None:
        """Enter the effect of a choice as its maker could see it: the unseen part is smaller by it."""
        self._choice(maker, moved, in_gap=False)
        self._unseen.add(moved, self._every, -1)

    def known(self, moved: Worlds) -> None:
        """Enter the effect of a choice with everything known."""
        self._unseen.add(moved, self._every, in_gap=True)
        self._into_gap(moved)

    def seen_through(self, maker: int, moved: Worlds) -> None:
        """Enter the effect of a choice whose maker knew everything: judged and known at once."""
        self._choice(maker, moved, in_gap=True)
        self._into_gap(moved)

    def common(self, error: float, times: int) -> None:
        """Add the covariance of terms whose worlds share something with this `error`, `times` times between
        two seats.
        """
        seats = len(self._gap)
        self._covariance += times * error**2 * (np.eye(seats) - 1 / seats)

    def _choice(self, maker: int, moved: Worlds, in_gap: bool) -> None:
        own = np.arange(len(self._gap)) == maker
        self._own.add(moved, own * 1.0, in_gap=in_gap)
        self._others.add(moved, ~own * 1.0, in_gap=in_gap)

    def _into_gap(self, term: Worlds) -> None:
        self._gap -= term.mean
        self._covariance += term.covariance

    # --- totals ----------------------------------------------------------------------------------

    def accounts(self, start: Numbers, end: Numbers) -> tuple[Account, ...]:
        """Return every seat's account, of this chance at the start and this victory."""
        gap = self._gap + end
        luck = self._deals + self._unseen
        parts = (luck, self._own, self._others, self._deals, self._unseen)
        columns = [
            start.tolist(),
            end.tolist(),
            *(self._controlled(part, gap) for part in parts),
            _shares(luck.value, luck.variance),
            _shares(gap, np.diag(self._covariance)),
        ]
        return tuple(Account(*row) for row in zip(*columns, strict=True))

    def _controlled(self, part: _Part, gap: Numbers) -> list[Share]:
        """Return a part corrected by the gap, for all seats alike, so that they still add up."""
        of_gap = np.diag(self._covariance)
        by = -part.with_gap.sum() / of_gap.sum() if of_gap.sum() > _CERTAIN else 0.0
        variance = part.variance + 2 * by * part.with_gap + by**2 * of_gap
        return _shares(part.value + by * gap, np.maximum(variance, 0.0))

    def check(self, end: Numbers) -> Check:
        """Check whether the sum is equal to this victory."""
        gap = self._gap + end
        variances, axes = np.linalg.eigh(self._covariance)
        open_ = variances > _CERTAIN
        along = gap @ axes[:, open_]
        return Check(float((along**2 / variances[open_]).sum()), int(open_.sum()))


def _shares(values: Numbers, variances: Numbers) -> list[Share]:
    errors = SURE * np.sqrt(variances)
    return [Share(*pair) for pair in zip(values.tolist(), errors.tolist(), strict=True)]
