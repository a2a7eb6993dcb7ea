"""The terms of the rules: decisions, news, places, standings, bets; each a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

LONGEST_NAME = 24  # of an animal, in letters: it must fit on a phone


HIDDEN = "?"
"""A card that cannot be named: dealt by people, or another seat's. An ordinary value in a hand."""


class Decision(NamedTuple):
    """One decision, equal to one record line: what is done, by which seat, with what.

    >>> Decision("play", 0, "red")
    Decision(do='play', seat=0, what='red')
    """

    do: str
    seat: int | None = None
    what: Any = None


class News(NamedTuple):
    """Something that just happened: a kind and its values, worded at the edge by `Presenter.sentence`."""

    kind: str
    values: Mapping[str, Any] = {}


class Awaited(NamedTuple):
    """The decision that the game waits for and the seats that owe it (several: simultaneous)."""

    do: str
    seats: tuple[int, ...] = ()


class Standing(NamedTuple):
    """A seat's score and place; place is None where the game gives none."""

    seat: int
    name: str
    score: int
    place: int | None


class Place(NamedTuple):
    """The place of a piece: `zone` is track, gate, home or out; `space` is None except on the track."""

    zone: str
    space: int | None = None


class Sealed(NamedTuple):
    """A decision that stays secret for now: the seats that may know it at once (apart from its own seat), and
    what everybody sees of it, such as the sum of the stakes.
    """

    knows: frozenset[int] = frozenset()
    shows: Any = None


class OneOf(NamedTuple):
    """A card that makes a decision only together with others: `needed` cards laid one by one."""

    do: str
    seat: int
    needed: int

    def made(self, numbers: Sequence[int]) -> Decision:
        """Return the decision that these cards, laid one by one, make together."""
        return Decision(self.do, self.seat, tuple(numbers))


class Payout(NamedTuple):
    """A bet of a kind on these pieces and its payout for each unit staked, the stake included."""

    kind: str
    pieces: Sequence[str]
    odds: Decimal


class Heat(NamedTuple):
    """A race of a game whose races each have a winner: the pieces that run, whether a card of it was turned
    over, and the piece that won it; None: not yet."""

    runners: Sequence[str]
    begun: bool
    winner: str | None = None


class Slip(NamedTuple):
    """The possible bets now: one bet of each kind at most, stakes in steps, together from `least`
    to `most`.

    `pays` holds every possible bet, the kinds in order, the favourite first. The game's words name each kind,
    and under `KIND-means` say when such a bet is won.
    """

    step: int
    least: int
    most: int
    pays: Sequence[Payout]
