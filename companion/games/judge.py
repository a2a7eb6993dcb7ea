"""One way to judge a decision: the position after it, or the reason against it in a player's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from companion.errors import ValidationError
from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Decision
from companion.message import Sentence

R = TypeVar("R", bound=Race)


class IllegalDecision(ValidationError):
    """A decision that the rules forbid; `sentence` is the reason in a player's words."""

    def __init__(self, sentence: Sentence, seats: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        named = {k: seats[v] if seats and k.startswith("seat") else v for k, v in sentence.values.items()}
        self.args = (str(sentence._replace(values=named)),)


def reason_against(race: Race, decision: Decision) -> Sentence | None:
    """Return why the rules forbid this decision now, in a player's words; None if it is legal."""
    reason = race.illegal_reason(decision)
    return reason and presented(race).sentence(reason)


def checked(race: R, decision: Decision) -> R:
    """Return the position after a decision that the rules allow; raise IllegalDecision with the reason
    otherwise.

    A match is a fold: `functools.reduce(checked, decisions, Game.new(seats))`.
    """
    reason = race.illegal_reason(decision)
    if reason is not None:
        raise IllegalDecision(presented(race).sentence(reason), race.seats)
    return race.after(decision)
