"""Which decisions of a match are still secret, worked out from what the public has seen since; and what may
be given out of a game that was given up."""

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
    """Decisions of a game that goes on, by number, that could be others for all that is public since."""
    secret: set[int] = set()
    races = [opening, *(turn.race for turn in turns)]
    for at in range(len(turns) - 1, -1, -1):
        if turns[at].secret and _could_be_another(races[at], turns[at:], at, secret):
            secret.add(at)
    return frozenset(secret)


def _could_be_another(race: Race, turns: Sequence[Turn], at: int, later: set[int]) -> bool:
    """Whether the first of these turns, number `at`, made in this position, could have been another."""
    decision = turns[0].decision
    public = race.seen_by(None).decisions(decision.seat)
    listed = isinstance(public, Sequence)
    alike = [other for other in islice(public, _MOST) if _alike(race, decision, other)]
    if not alike:
        return not listed  # only examples: there may be others
    tried = alike[: None if listed else _EXAMPLES]
    return any(_looks_the_same(race.after(other), turns, at, later) for other in tried)


def _alike(race: Race, decision: Decision, other: Decision) -> bool:
    """Whether another decision is of the same kind and shows the same to everybody at first."""
    return other.do == decision.do and other != decision and _shows(race, other) == _shows(race, decision)


def _shows(race: Race, decision: Decision) -> Any:
    found = race.sealed(decision)
    return found and found.shows


def _looks_the_same(race: Race, turns: Sequence[Turn], at: int, later: set[int]) -> bool:
    """Whether the public cannot tell from what happened since that `at` did not lead here."""
    if race.seen_by(None) != turns[0].race.seen_by(None):
        return False
    for number, turn in enumerate(turns[1:], at + 1):
        if race.illegal_reason(turn.decision) is not None:
            return number in later  # whether it fits is a secret itself
        race = race.after(turn.decision)
        if race.seen_by(None) != turn.race.seen_by(None):
            return False
    return True


def never_secret(opening: Race, decisions: Iterable[Decision]) -> list[Decision]:
    """The decisions of a game that was given up, as far as everybody may know them for good; a legal record.

    A deal is as if people had dealt: its cards are unknown, or, where the game does not wait for it, it is
    left out. So is what may be decided in secret without being waited for. The end is the last position in
    which nothing is hidden.
    """
    race, told, opened = opening, list[Decision](), 0
    for decision in decisions:
        public = _as_told(race, decision)
        if public is None:
            continue
        if race.illegal_reason(public) is not None:
            break  # it does not fit without what was left out
        race = race.after(public)
        told.append(public)
        if not _hides(race):
            opened = len(told)
    return told[:opened]


def _as_told(race: Race, decision: Decision) -> Decision | None:
    """A decision without what it keeps secret for good; None: it is left out."""
    if decision in race.decisions(None):
        return race.dealt_unseen() if _hides(race.after(decision)) else decision
    due = race.awaits()
    waited_for = due is not None and due.do == decision.do
    return decision if waited_for or race.sealed(decision) is None else None


def _hides(race: Race) -> bool:
    """Whether anything in this position is not for everybody."""
    return race.seen_by(None) != race
