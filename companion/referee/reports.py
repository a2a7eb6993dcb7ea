"""The referee's messages to the people at the table, and the decisions that their cards make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from companion.games.terms import Decision, OneOf, Place
from companion.message import Sentence


class Alert(NamedTuple):
    """A message to the people at the table, until its cause is gone or it is dismissed."""

    kind: Literal["refused", "held", "not-played", "lost", "journal"]
    part: str
    text: Sentence


class Todo(NamedTuple):
    """A piece to move. `start`: where it is sensed, else where it was; `held`: the next card waits.

    `astray`: it was put on a wrong space, or fell off: more than just not moved yet.
    """

    piece: str
    start: Place | None
    to: Place
    held: bool
    text: Sentence
    astray: bool = False


class Attempt(NamedTuple):
    """The decision of the cards on the pad now, and the tags that cause it."""

    decision: Decision
    uids: tuple[str, ...]


class Gathered(NamedTuple):
    """Cards laid one by one that will make a decision together: the numbers of those on the pad by tag."""

    part: OneOf
    numbers: Mapping[str, int]


class Offer(NamedTuple):
    """A way to agree with the table: a decision that the pieces on the track mean, with their tags."""

    decision: Decision
    uids: tuple[str, ...]


class Fix(NamedTuple):
    """A way to trust one side where the table differs: ignore a piece, or change the decisions."""

    side: Literal["app", "table"]
    piece: str
    change: Literal["ignore", "undo"] | Decision
