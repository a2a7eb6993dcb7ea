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
from companion.odds.belief import Company, Evidence, Manners, believed, with_decision
from companion.odds.giro.styles import MANNERS as GIRO
from companion.odds.greyhounds.styles import MANNERS as GREYHOUNDS

MANNERS: Final[Mapping[type[Race], Manners]] = {GiroGaloppo: GIRO, Greyhounds: GREYHOUNDS}
"""The games whose seats have styles."""


def learned(positions: Sequence[Race], companies: Sequence[Company] = (), prior: Evidence = ()) -> Belief:
    """What is believed at the last of these positions, which are those of a match from its opening on.

    Nothing counts that is not public: each is looked at as everybody sees it. `companies` are the game's own
    unless given; `prior` is what was seen of these people before this match.

    >>> from companion.games.galloping import GallopingPigs
    >>> learned([GallopingPigs.new(["Ada", "Ben"])])
    ()
    """
    manners = _manners(positions[0])
    if manners is None:
        return ()
    return believed(_joined(evidence(positions), prior), companies or manners.companies)


def evidence(positions: Sequence[Race]) -> Evidence:
    """What a match up to the last of these positions says of each seat's style; () in a game without any."""
    manners = _manners(positions[0])
    if manners is None:
        return ()
    *_, last = _seen(positions, manners)
    return last


def along(
    positions: Sequence[Race], companies: Sequence[Company] = (), prior: Evidence = ()
) -> Iterator[Belief]:
    """What is believed at each of these positions of a match, from its opening on."""
    manners = _manners(positions[0])
    if manners is None:
        yield from (() for _ in positions)
        return
    before, belief = None, Belief()
    for now in _seen(positions, manners):
        if now != before:
            before, belief = now, believed(_joined(now, prior), companies or manners.companies)
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


def _joined(seen: Evidence, prior: Evidence) -> Evidence:
    """What was seen in this match and before it."""
    return tuple(with_decision(seen, seat, before)[seat] for seat, before in enumerate(prior)) or seen


def _manners(race: Race) -> Manners | None:
    return next((manners for game, manners in MANNERS.items() if isinstance(race, game)), None)


def _seen(positions: Iterable[Race], manners: Manners) -> Iterator[Evidence]:
    return manners.seen(position.seen_by(None) for position in positions)
