"""A belief about how each seat plays, by Bayes: the part that all games share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, Final, NamedTuple

Belief = tuple[tuple[float, ...], ...]
"""By seat, the probability of each style of the game's family; () in a game that has none."""

Evidence = tuple[tuple[float, ...], ...]
"""By seat, the probability of its decisions in each style, as a part of the likeliest one."""


class Company(NamedTuple):
    """A group of people who play together: the probability of such a group, and the number of its people per
    style.
    """

    weight: float
    shares: tuple[float, ...]


class Manners(NamedTuple):
    """The possible ways of people to play a game: its companies, and a function that observes the seats view
    by view.

    `seen` gets the public views of a match from its opening on and the evidence from before, and yields the
    evidence at each. `own` is the
    style in which robots that think ahead expect to play themselves; None: they do not use styles. `robots`
    has the style of each strength of robot.
    """

    companies: Sequence[Company]
    seen: Callable[[Iterable[Any], Evidence], Iterator[Evidence]]
    robots: Mapping[str, int]
    own: int | None = None


def nothing_seen(seats: int, styles: int) -> Evidence:
    """Return the evidence before any decision."""
    return ((1.0,) * styles,) * seats


def with_decision(evidence: Evidence, seat: int, likely: Sequence[float], changes: float) -> Evidence:
    """Return the evidence with a decision of this seat, given the probability of it in each style.

    What was seen before fades: with a probability of `changes` the style is another one since the decision
    before, any of them. This is the forward step of a hidden Markov model. `tools/fit_changes.py` compares
    rates for each game, on games of its own.

    >>> careful, random = (1.0, 0.1), (0.1, 1.0)
    >>> evidence = nothing_seen(1, 2)
    >>> for seen in (*[careful] * 6, *[random] * 3):
    ...     evidence = with_decision(evidence, 0, seen, 0.02)
    >>> [round(each, 2) for each in evidence[0]]
    [0.08, 1.0]
    """
    known = evidence[seat]
    any_style = sum(known) / len(known)
    faded = [(1 - changes) * each + changes * any_style for each in known]
    joint = _joint(likely, faded)
    return (*evidence[:seat], tuple(each / max(joint) for each in joint), *evidence[seat + 1 :])


FORGIVING: Final = 0.05
"""The least that a game lets a style count for the next one: people change."""


def remembered(games: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Return the likelihood of each style from a person's former games, as a fraction of the
    likeliest one.

    They count by their square root: a person who played in a style then may play in another one today.

    >>> [round(part, 2) for part in remembered([(1.0, 0.25), (1.0, 0.0)])]
    [1.0, 0.11]
    """
    parts = [prod(max(game[style], FORGIVING) for game in games) ** 0.5 for style in range(len(games[0]))]
    return tuple(part / max(parts) for part in parts)


def believed(evidence: Sequence[Sequence[float]], companies: Sequence[Company]) -> Belief:
    """Return the probability of each style of each seat, by Bayes; other seats count too, as evidence for the
    company.
    """
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
