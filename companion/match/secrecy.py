"""Which decisions of a match are still secret, worked out from what the public has seen since."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from companion.games.race import Race
from companion.games.terms import Decision

if TYPE_CHECKING:
    from companion.match.match import Match

_MOST: Final = 64  # decisions looked at for one that shows the same
_EXAMPLES: Final = 3  # of those, tried where they are examples of many


def sealed(match: Match) -> frozenset[int]:
    """The decisions in force, by their number, that could have been others for all that is public since."""
    secret: set[int] = set()
    if match.finished:
        return frozenset()
    for at in range(len(match.turns) - 1, -1, -1):
        if match.turns[at].secret and _could_be_another(match, at, secret):
            secret.add(at)
    return frozenset(secret)


def _could_be_another(match: Match, at: int, later: set[int]) -> bool:
    race, decision = match.position(at), match.turns[at].decision
    public = race.seen_by(None).decisions(decision.seat)
    listed = isinstance(public, Sequence)
    alike = [other for other in islice(public, _MOST) if _alike(race, decision, other)]
    if not alike:
        return not listed  # only examples: there may be others
    return any(_looks_the_same(match, at, other, later) for other in alike[: None if listed else _EXAMPLES])


def _alike(race: Race, decision: Decision, other: Decision) -> bool:
    """Whether another decision is of the same kind and shows the same to everybody at first."""
    return other.do == decision.do and other != decision and _shows(race, other) == _shows(race, decision)


def _shows(race: Race, decision: Decision) -> Any:
    found = race.sealed(decision)
    return found and found.shows


def _looks_the_same(match: Match, at: int, other: Decision, later: set[int]) -> bool:
    """Whether the public cannot tell from what happened since that this was not decided instead."""
    race = match.position(at).after(other)
    if race.seen_by(None) != match.turns[at].race.seen_by(None):
        return False
    for number in range(at + 1, len(match.turns)):
        turn = match.turns[number]
        if race.refusal(turn.decision) is not None:
            return number in later  # whether it fits is a secret itself
        race = race.after(turn.decision)
        if race.seen_by(None) != turn.race.seen_by(None):
            return False
    return True
