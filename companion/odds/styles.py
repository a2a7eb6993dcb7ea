"""What the public may believe of how each seat plays, from the decisions that everybody has seen.

A belief is a value, worked out anew from the positions of a match: what was taken back was never learned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from companion.games.giro.rules import GiroGaloppo
from companion.games.race import Race
from companion.odds.giro import styles as giro
from companion.odds.giro.styles import COMPANIES, Company

Belief = tuple[tuple[float, ...], ...]
"""By seat, how likely each style of the game's family is; () in a game that has none."""

Evidence = tuple[tuple[float, ...], ...]
"""By seat, how likely each style was to decide as that seat did, as a part of the likeliest one."""


def learned(positions: Sequence[Race], companies: Sequence[Company] = COMPANIES) -> Belief:
    """What is believed at the last of these positions, which are those of a match from its opening on.

    Nothing counts that is not public: each is looked at as everybody sees it.

    >>> from companion.games.galloping import GallopingPigs
    >>> learned([GallopingPigs.new(["Ada", "Ben"])])
    ()
    """
    *_, last = along(positions, companies)
    return last


def along(positions: Sequence[Race], companies: Sequence[Company] = COMPANIES) -> Iterator[Belief]:
    """What is believed at each of these positions of a match, from its opening on."""
    belief = unknown(positions[0], companies)
    evidence: Evidence = tuple((1.0,) * len(seat) for seat in belief)
    before: GiroGaloppo | None = None  # the position in which the cards of this round are chosen
    for position in positions:
        view = position.seen_by(None) if belief else None
        if isinstance(view, GiroGaloppo) and not any(view.choices):
            if before is not None:
                evidence = _with_round(evidence, before, view)
                belief = believed(evidence, companies)
            before = view if view.due == "play" else None
        yield belief


def unknown(race: Race, companies: Sequence[Company] = COMPANIES) -> Belief:
    """What is believed where nobody has been seen to play."""
    if not isinstance(race, GiroGaloppo):
        return ()
    return believed([[1.0] * len(giro.FAMILY)] * len(race.seats), companies)


def of_own(belief: Belief, seat: int) -> Belief:
    """The belief of somebody in this seat, who knows of himself that he plays with care."""
    own = tuple(float(style == giro.OWN) for style in range(len(giro.FAMILY)))
    return tuple(own if of == seat else styles for of, styles in enumerate(belief))


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


def _with_round(evidence: Evidence, before: GiroGaloppo, view: GiroGaloppo) -> Evidence:
    """The evidence with the cards of a round that were turned over."""
    after = list(evidence)
    for seat, card in giro.turned_over(before, view).items():
        joint = _joint(giro.likelihoods(before, seat, card), evidence[seat])
        after[seat] = tuple(likely / max(joint) for likely in joint)
    return tuple(after)
