"""The elements of a match: decisions in force, and changes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from companion.games.race import Race
from companion.games.terms import Decision, Place
from companion.match.entries import By


@dataclass(frozen=True)
class Turn:
    """A decision in force: its author, the tags that caused it, and the position after it."""

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
    """A change of an earlier decision: which one, the decisions in force before, and how many are since."""

    was: Turn
    former: tuple[Turn, ...]
    left: int


class InForce(NamedTuple):
    """The state at one moment: the decisions in force, and the changes of earlier ones that led to them."""

    turns: tuple[Turn, ...]
    changes: tuple[Change, ...]
