"""What the referee tells the people at the table, and what the cards they lay decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from companion.games.terms import Decision, OneOf, Place
from companion.message import Sentence


class Alert(NamedTuple):
    """Something the people at the table should know, until it is mended or dismissed."""

    kind: Literal["refused", "held", "not-played", "lost", "journal"]
    part: str
    text: Sentence


class Todo(NamedTuple):
    """A piece to move. `start`: where it is sensed, else where it stood; `held`: the next card waits.

    `astray`: it was put where it should not be, or fell off: more than just not moved yet.
    """

    piece: str
    start: Place | None
    to: Place
    held: bool
    text: Sentence
    astray: bool = False


class Attempt(NamedTuple):
    """What the cards laid on the pad decide now, and the tags that cause it."""

    decision: Decision
    uids: tuple[str, ...]


class Gathered(NamedTuple):
    """Cards laid one by one that will make a decision together, as far as they lie: their numbers by tag."""

    part: OneOf
    numbers: Mapping[str, int]


class Offer(NamedTuple):
    """A way to agree with the table: a decision that the lying pieces mean, with their tags."""

    decision: Decision
    uids: tuple[str, ...]
