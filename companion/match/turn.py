"""What a match is made of: decisions in force, and what was done to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from companion.games.race import Race
from companion.games.terms import Decision, Place
from companion.match.entries import By


@dataclass(frozen=True)
class Turn:
    """A decision in force: who or what made it, the tags that caused it, and the position after it."""

    decision: Decision
    race: Race
    uids: tuple[str, ...]
    by: By
    seq: int
    secret: bool = False  # sealed when it was made


@dataclass(frozen=True)
class Trusted:
    """A sensed difference that is ignored: this piece is seen there and should be here."""

    seen: int | None
    expected: Place
    seq: int


class Change(NamedTuple):
    """An earlier decision was changed: which one, what was in force before, and how many are since."""

    was: Turn
    former: tuple[Turn, ...]
    left: int


class InForce(NamedTuple):
    """What was in force at one moment: the decisions, and the changes of earlier ones that led to them."""

    turns: tuple[Turn, ...]
    changes: tuple[Change, ...]
