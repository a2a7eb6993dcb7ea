"""The same people play the same game again, and the next seat starts."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import ConflictError
from companion.match.match import Match
from companion.match.record import Header
from companion.message import N_, Sentence
from companion.table.table import Table


def again(table: Table, seq: int) -> int:
    """Begin the match on the table once more and give its number; ConflictError where it is not over.

    `seq`: the entry that whoever asks has seen last.
    """
    match = table.ledger.current(seq)
    if not match.finished:
        raise ConflictError("not-over", Sentence(_NOT_OVER))
    race = match.race
    owned = race.field() if race.owned else ()
    return table.begin(next_header(match), match.deal, owned, race.nicknames, match.bots)


def next_header(match: Match) -> Header:
    """The same game, and the seat after the one that started it starts."""
    header = match.header
    return replace(header, start=(header.start + 1) % len(header.seats))


_NOT_OVER = N_("this game is not over yet: play it to its end, or end it on the host page")
