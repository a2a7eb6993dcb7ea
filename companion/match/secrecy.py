"""Secrecy of a match: decisions that are still secret after all that the public has seen since, and the
public part of a game that was given up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

from companion.games.race import Race
from companion.games.terms import Decision
from companion.match.turn import Turn

_MOST: Final = 64  # decisions looked at for one that shows the same
_EXAMPLES: Final = 3  # of those, tried where they are examples of many


def still_sealed(opening: Race, turns: Sequence[Turn]) -> frozenset[int]:
    """Return the indices of decisions in an unfinished game that could still be others, given everything
    public since.
    """
    secret: set[int] = set()
    races = [opening, *(turn.race for turn in turns)]
    for index in range(len(turns) - 1, -1, -1):
        if turns[index].secret and _could_be_another(races[index], turns[index:], index, secret):
            secret.add(index)
    return frozenset(secret)


def _could_be_another(race: Race, turns: Sequence[Turn], index: int, later: set[int]) -> bool:
    """Return whether the first of these turns, number `index`, made in this position, could have
    been another.
    """
    decision = turns[0].decision
    public = race.seen_by(None).decisions(decision.seat)
    listed = isinstance(public, Sequence)
    alike = [other for other in islice(public, _MOST) if _alike(race, decision, other)]
    if not alike:
        return not listed  # only examples: there may be others
    tried = alike[: None if listed else _EXAMPLES]
    return any(_is_indistinguishable(race.after(other), turns, index, later) for other in tried)


def _alike(race: Race, decision: Decision, other: Decision) -> bool:
    """Return whether another decision is of the same kind and shows the same to everybody at first."""
    return other.do == decision.do and other != decision and _shows(race, other) == _shows(race, decision)


def _shows(race: Race, decision: Decision) -> Any:
    found = race.sealed(decision)
    return found and found.shows


def _is_indistinguishable(race: Race, turns: Sequence[Turn], index: int, later: set[int]) -> bool:
    """Return whether the public cannot rule out `index` by anything that happened since."""
    if race.seen_by(None) != turns[0].race.seen_by(None):
        return False
    for number, turn in enumerate(turns[1:], index + 1):
        if race.illegal_reason(turn.decision) is not None:
            return number in later  # whether it fits is a secret itself
        race = race.after(turn.decision)
        if race.seen_by(None) != turn.race.seen_by(None):
            return False
    return True


def never_secret(opening: Race, decisions: Iterable[Decision]) -> list[Decision]:
    """Return the public decisions of a game that was given up, as a legal record.

    A deal is recorded as if people had dealt: its cards are unknown, or, where the game does not wait for it,
    it is left out. So is a decision that may be made in secret without being waited for. The end is the last
    position in which nothing is hidden.
    """
    race, public_decisions, opened = opening, list[Decision](), 0
    for decision in decisions:
        public = _public_part(race, decision)
        if public is None:
            continue
        if race.illegal_reason(public) is not None:
            break  # it does not fit without the decisions left out
        race = race.after(public)
        public_decisions.append(public)
        if not _hides(race):
            opened = len(public_decisions)
    return public_decisions[:opened]


def _public_part(race: Race, decision: Decision) -> Decision | None:
    """Return a decision without its part that stays secret for good; None: it is left out."""
    if decision in race.decisions(None):
        return race.dealt_unseen() if _hides(race.after(decision)) else decision
    due = race.awaits()
    waited_for = due is not None and due.do == decision.do
    return decision if waited_for or race.sealed(decision) is None else None


def _hides(race: Race) -> bool:
    """Return whether anything in this position is not for everybody."""
    return race.seen_by(None) != race
