"""A new match of the same game for the same people; the next seat starts."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import ConflictError
from companion.match.match import Match
from companion.match.record import Header
from companion.message import N_, Sentence
from companion.table.table import Table


def again(table: Table, seq: int) -> int:
    """Begin the match on the table once more and return its number.

    `seq` is the last entry that the caller has seen. ConflictError if the match is not over.
    """
    match = table.ledger.current(seq)
    if not match.finished:
        raise ConflictError("not-over", Sentence(_NOT_OVER))
    race = match.race
    owned = race.field() if race.owned else ()
    return table.begin(next_header(match), match.deal, owned, race.nicknames, match.bots)


def next_header(match: Match) -> Header:
    """Return the header of the same game, started by the next seat."""
    header = match.header
    return replace(header, start=(header.start + 1) % len(header.seats))


_NOT_OVER = N_("this game is not over yet: play it to its end, or end it on the host page")
