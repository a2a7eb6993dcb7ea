"""The ledger of a game that is over: what moved each seat's chance, term by term, and whether it adds up.

Terms are means over worlds, each from worlds of its own, so their covariances add up as well. What no term
accounts for is the *gap*. It is expected to be nothing, so it is a control variate: a part that errs with the
gap is put right by as much as the gap tells of that error.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.odds.estimate import SURE

Numbers = NDArray[np.float64]

_CERTAIN: Final = 1e-9  # a variance that rounding alone may leave


class Share(NamedTuple):
    """By how much something moved a chance, -1 to 1, and the half width of its 95 % interval."""

    value: float
    error: float

    def tells(self) -> bool:
        """Whether this is more than its error, and at least half a point in a hundred."""
        return abs(self.value) > max(self.error, 0.005)


class Account(NamedTuple):
    """A seat's chance at the `start` and its share of the victory at the `end`, and what lies between.

    `luck` is `deals`, what cards dealt or drawn brought, and `unseen`, what choices brought beyond what those
    who made them could know. `gap` is what was left of the victory when all of it had been worked out.
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
    """How far a game is from adding up: of all seats' gaps together chi-square, with `freedom` degrees."""

    chi2: float
    freedom: int


class Worlds(NamedTuple):
    """The mean of a term over its worlds, by seat, and the covariance of that mean."""

    mean: Numbers
    covariance: Numbers

    @classmethod
    def of(cls, values: Numbers) -> Worlds:
        """From (seats, worlds); one world is certain."""
        seats, worlds = values.shape
        spread = np.cov(values) / worlds if worlds > 1 else np.zeros((seats, seats))
        return cls(values.mean(axis=1), spread)

    def times(self, share: float) -> Worlds:
        """The same, so many times as much."""
        return Worlds(share * self.mean, share**2 * self.covariance)


class _Part:
    """A sum over terms by seat, its variance, and its covariance with the gap."""

    def __init__(self, seats: int) -> None:
        self.value, self.variance, self.with_gap = np.zeros((3, seats))

    def __add__(self, other: _Part) -> _Part:
        """Both together, if no term is in both."""
        both = _Part(len(self.value))
        both.value = self.value + other.value
        both.variance = self.variance + other.variance
        both.with_gap = self.with_gap + other.with_gap
        return both

    def add(self, term: Worlds, seats: Numbers, sign: int = 1, in_gap: bool = False) -> None:
        """A term of these seats; `in_gap`: the gap is the smaller by it."""
        variance = np.diag(term.covariance) * seats
        self.value += sign * term.mean * seats
        self.variance += variance
        self.with_gap -= variance * in_gap


class Ledger:
    """Terms are entered one by one; `accounts` and `check` say what they come to."""

    def __init__(self, seats: int) -> None:
        self._every = np.ones(seats)
        self._own, self._others, self._deals, self._unseen = (_Part(seats) for _ in range(4))
        self._gap, self._covariance = np.zeros(seats), np.zeros((seats, seats))

    def start(self, chances: Worlds) -> None:
        """The chances at the start."""
        self._into_gap(chances)

    def deal(self, moved: Worlds) -> None:
        """What a deal or draw moved."""
        self._deals.add(moved, self._every, in_gap=True)
        self._into_gap(moved)

    def judged(self, maker: int, moved: Worlds) -> None:
        """What a choice moved as its maker could see it: by so much it brought less unseen."""
        self._choice(maker, moved, in_gap=False)
        self._unseen.add(moved, self._every, -1)

    def known(self, moved: Worlds) -> None:
        """What a choice moved with everything known."""
        self._unseen.add(moved, self._every, in_gap=True)
        self._into_gap(moved)

    def seen_through(self, maker: int, moved: Worlds) -> None:
        """What a choice moved whose maker knew everything: judged and known at once."""
        self._choice(maker, moved, in_gap=True)
        self._into_gap(moved)

    def common(self, error: float, times: int) -> None:
        """Terms whose worlds shared something that is `error` off did so this many times between two."""
        seats = len(self._gap)
        self._covariance += times * error**2 * (np.eye(seats) - 1 / seats)

    def _choice(self, maker: int, moved: Worlds, in_gap: bool) -> None:
        own = np.arange(len(self._gap)) == maker
        self._own.add(moved, own * 1.0, in_gap=in_gap)
        self._others.add(moved, ~own * 1.0, in_gap=in_gap)

    def _into_gap(self, term: Worlds) -> None:
        self._gap -= term.mean
        self._covariance += term.covariance

    # --- what it comes to ------------------------------------------------------------------------

    def accounts(self, start: Numbers, end: Numbers) -> tuple[Account, ...]:
        """Every seat's account, of this chance at the start and this victory."""
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
        """A part put right by the gap, for all seats alike, so that they still add up."""
        of_gap = np.diag(self._covariance)
        by = -part.with_gap.sum() / of_gap.sum() if of_gap.sum() > _CERTAIN else 0.0
        variance = part.variance + 2 * by * part.with_gap + by**2 * of_gap
        return _shares(part.value + by * gap, np.maximum(variance, 0.0))

    def check(self, end: Numbers) -> Check:
        """Whether the sum holds, of this victory."""
        gap = self._gap + end
        variances, axes = np.linalg.eigh(self._covariance)
        open_ = variances > _CERTAIN
        along = gap @ axes[:, open_]
        return Check(float((along**2 / variances[open_]).sum()), int(open_.sum()))


def _shares(values: Numbers, variances: Numbers) -> list[Share]:
    errors = SURE * np.sqrt(variances)
    return [Share(*pair) for pair in zip(values.tolist(), errors.tolist(), strict=True)]
