"""The public belief about how each seat plays, from the decisions that everybody has seen.

A belief is a value, computed anew from the positions of a match: decisions that were taken back have no
effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from companion.games.giro.rules import GiroGaloppo
from companion.games.greyhounds.rules import Greyhounds
from companion.games.race import Race
from companion.odds.belief import Belief as Belief
from companion.odds.belief import Company, Evidence, Manners, believed, nothing_seen
from companion.odds.giro.styles import MANNERS as GIRO
from companion.odds.greyhounds.styles import MANNERS as GREYHOUNDS

MANNERS: Final[Mapping[type[Race], Manners]] = {GiroGaloppo: GIRO, Greyhounds: GREYHOUNDS}
"""The games whose seats have styles."""


def learned(
    positions: Sequence[Race],
    companies: Sequence[Company] = (),
    prior: Evidence = (),
    bots: Sequence[str] = (),
) -> Belief:
    """Return the belief at the last of these positions, which are those of a match from its opening on.

    Only public facts count: each position is used as everybody sees it. `companies` are the game's own unless
    given; `prior` is the evidence on these people from before this match. `bots` is by seat the strength of a
    robot, "" for a person: robots play as they are set, which is no evidence about the people.

    >>> from companion.games.galloping import GallopingPigs
    >>> learned([GallopingPigs.new(["Ada", "Ben"])])
    ()
    """
    manners = _manners(positions[0])
    if manners is None:
        return ()
    *_, last = _seen(positions, manners, prior)
    return _believed(last, manners, companies, bots)


def evidence(positions: Sequence[Race]) -> Evidence:
    """Return the evidence on each seat's style in a match up to the last of these positions; () in a game
    without any.
    """
    manners = _manners(positions[0])
    if manners is None:
        return ()
    *_, last = _seen(positions, manners, ())
    return last


def along(
    positions: Sequence[Race],
    companies: Sequence[Company] = (),
    prior: Evidence = (),
    bots: Sequence[str] = (),
) -> Iterator[Belief]:
    """Yield the belief at each of these positions of a match, from its opening on."""
    manners = _manners(positions[0])
    if manners is None:
        yield from (() for _ in positions)
        return
    before, belief = None, Belief()
    for now in _seen(positions, manners, prior):
        if now != before:
            before, belief = now, _believed(now, manners, companies, bots)
        yield belief


def unknown(race: Race, companies: Sequence[Company] = ()) -> Belief:
    """Return the belief before any seat has been seen to play."""
    return learned([race], companies)


def learned_by_robots(positions: Sequence[Race], bots: Sequence[str] = ()) -> Belief:
    """Return the belief where robots that think ahead use it; () where they do not, at no cost.

    >>> learned_by_robots([Greyhounds.new(["Ada", "Ben", "Cleo"])])
    ()
    """
    manners = _manners(positions[0])
    return () if manners is None or manners.own is None else learned(positions, bots=bots)


def of_own(race: Race, belief: Belief, seat: int) -> Belief:
    """Return the belief of a player in this seat who knows that he himself plays with care; () if no robot
    does.

    `belief` is the public belief by now; () if empty.
    """
    manners = _manners(race)
    if manners is None or manners.own is None:
        return ()
    believes = belief or unknown(race)
    own = tuple(float(style == manners.own) for style in range(len(believes[seat])))
    return (*believes[:seat], own, *believes[seat + 1 :])


def _believed(seen: Evidence, manners: Manners, companies: Sequence[Company], bots: Sequence[str]) -> Belief:
    """Return the belief about each seat from the evidence in this match and before it."""
    robots = [manners.robots.get(strength) for strength in bots or [""] * len(seen)]
    people = [
        nothing if robot is not None else now
        for robot, now, nothing in zip(robots, seen, nothing_seen(len(seen), len(seen[0])), strict=True)
    ]
    belief = believed(people, companies or manners.companies)
    return tuple(
        likely if robot is None else tuple(float(style == robot) for style in range(len(likely)))
        for robot, likely in zip(robots, belief, strict=True)
    )


def _manners(race: Race) -> Manners | None:
    return next((manners for game, manners in MANNERS.items() if isinstance(race, game)), None)


def _seen(positions: Iterable[Race], manners: Manners, prior: Evidence) -> Iterator[Evidence]:
    return manners.seen((position.seen_by(None) for position in positions), prior)
