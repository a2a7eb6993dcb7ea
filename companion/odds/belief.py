"""A belief about how each seat plays, by Bayes: what every game has in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, Final, NamedTuple

Belief = tuple[tuple[float, ...], ...]
"""By seat, how likely each style of the game's family is; () in a game that has none."""

Evidence = tuple[tuple[float, ...], ...]
"""By seat, how likely each style was to decide as that seat did, as a part of the likeliest one."""


class Company(NamedTuple):
    """People who sit down together: how likely such ones are, and how many of them have each style."""

    weight: float
    shares: tuple[float, ...]


class Manners(NamedTuple):
    """How people may play a game: its companies, and what is seen of the seats, view after view.

    `seen` is given the public views of a match from its opening on, and tells the evidence at each. `own` is
    the style in which robots that think ahead expect to play themselves; None: they do not think of styles.
    `robots` has the style that each strength of robot plays in.
    """

    companies: Sequence[Company]
    seen: Callable[[Iterable[Any]], Iterator[Evidence]]
    robots: Mapping[str, int]
    own: int | None = None


def nothing_seen(seats: int, styles: int) -> Evidence:
    """The evidence where nobody has decided anything."""
    return ((1.0,) * styles,) * seats


def with_decision(evidence: Evidence, seat: int, likely: Sequence[float]) -> Evidence:
    """The evidence with a decision of this seat that each style was so likely to make."""
    joint = _joint(likely, evidence[seat])
    return (*evidence[:seat], tuple(each / max(joint) for each in joint), *evidence[seat + 1 :])


FORGIVING: Final = 0.05
"""The least that a game lets a style count for the next one: people change."""


def remembered(games: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """What former games of a person say of each style, as a part of the likeliest one.

    They count as their square root would: who played so then need not play so today.

    >>> [round(part, 2) for part in remembered([(1.0, 0.25), (1.0, 0.0)])]
    [1.0, 0.11]
    """
    parts = [prod(max(game[style], FORGIVING) for game in games) ** 0.5 for style in range(len(games[0]))]
    return tuple(part / max(parts) for part in parts)


def believed(evidence: Sequence[Sequence[float]], companies: Sequence[Company]) -> Belief:
    """How likely each style of each seat is, by Bayes; other seats count too, as they tell the company."""
    joints = [[_joint(company.shares, seat) for seat in evidence] for company in companies]
    weights = [c.weight * prod(map(sum, joint)) for c, joint in zip(companies, joints, strict=True)]
    return tuple(
        tuple(
            sum(w * style / sum(joint[seat]) for w, joint, style in zip(weights, joints, styles, strict=True))
            / sum(weights)
            for styles in zip(*(joint[seat] for joint in joints), strict=True)
        )
        for seat in range(len(evidence))
    )


def _joint(shares: Sequence[float], evidence: Sequence[float]) -> list[float]:
    return [share * likely for share, likely in zip(shares, evidence, strict=True)]
