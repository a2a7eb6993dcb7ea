"""A practice round for newcomers: one round of Galloping Pigs against a robot, explained step by step.

It takes about two minutes, and is forgotten with the next game: then no history and no leaderboard has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games.galloping import GallopingPigs
from companion.match.record import Header
from companion.store.keys import Key
from companion.table.table import Table

PRACTICE: Final[Key[int | None]] = Key("practice", int, None)
ROBOT: Final = "easy"


def practise(table: Table, seats: Sequence[str]) -> int:
    """Begin a practice round of a newcomer against a robot, with these names; return its number.

    ConflictError if a game runs.
    """
    header = Header(GallopingPigs.name, tuple(seats), 0, {"rounds": 1})
    number = table.begin(header, "companion", played_by=("", ROBOT))
    forget_practice(table)
    table.journal.remember(PRACTICE, number)
    table.play.explain(True)
    return number


def forget_practice(table: Table) -> None:
    """Delete the practice round, once another game is on the table."""
    number = table.journal.recall(PRACTICE)
    if number is None or (table.match is not None and table.match.id == number):
        return
    table.journal.remember(PRACTICE, None)
    if any(filed.id == number for filed in table.archive.over()):
        table.forget(number)
