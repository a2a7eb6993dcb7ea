"""What the public may believe of how each seat plays, from the decisions that everybody has seen.

A belief is a value, worked out anew from the positions of a match: what was taken back was never learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from companion.games.giro.rules import GiroGaloppo
from companion.games.greyhounds.rules import Greyhounds
from companion.games.race import Race
from companion.odds.belief import Belief as Belief
from companion.odds.belief import Company, Evidence, Manners, believed
from companion.odds.giro.styles import MANNERS as GIRO
from companion.odds.greyhounds.styles import MANNERS as GREYHOUNDS

MANNERS: Final[Mapping[type[Race], Manners]] = {GiroGaloppo: GIRO, Greyhounds: GREYHOUNDS}
"""The games whose seats have styles."""


def learned(positions: Sequence[Race], companies: Sequence[Company] = ()) -> Belief:
    """What is believed at the last of these positions, which are those of a match from its opening on.

    Nothing counts that is not public: each is looked at as everybody sees it. `companies` are the game's own
    unless given.

    >>> from companion.games.galloping import GallopingPigs
    >>> learned([GallopingPigs.new(["Ada", "Ben"])])
    ()
    """
    manners = _manners(positions[0])
    if manners is None:
        return ()
    *_, last = _seen(positions, manners)
    return believed(last, companies or manners.companies)


def along(positions: Sequence[Race], companies: Sequence[Company] = ()) -> Iterator[Belief]:
    """What is believed at each of these positions of a match, from its opening on."""
    manners = _manners(positions[0])
    if manners is None:
        yield from (() for _ in positions)
        return
    before, belief = None, Belief()
    for evidence in _seen(positions, manners):
        if evidence != before:
            before, belief = evidence, believed(evidence, companies or manners.companies)
        yield belief


def unknown(race: Race, companies: Sequence[Company] = ()) -> Belief:
    """What is believed where nobody has been seen to play."""
    return learned([race], companies)


def of_own(race: Race, belief: Belief, seat: int) -> Belief:
    """What somebody in this seat believes who knows of himself that he plays with care; () if no robot does.

    `belief` is what the public has learned by now; () if nothing.
    """
    manners = _manners(race)
    if manners is None or manners.own is None:
        return ()
    believes = belief or unknown(race)
    own = tuple(float(style == manners.own) for style in range(len(believes[seat])))
    return (*believes[:seat], own, *believes[seat + 1 :])


def _manners(race: Race) -> Manners | None:
    return next((manners for game, manners in MANNERS.items() if isinstance(race, game)), None)


def _seen(positions: Iterable[Race], manners: Manners) -> Iterator[Evidence]:
    return manners.seen(position.seen_by(None) for position in positions)
