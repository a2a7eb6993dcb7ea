"""The table from a seat's side, for programs: `GET /api/seat` and the event `seat`."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from companion.match.record import decision_line
from companion.reply import Colour, Line, Reply, Seat
from companion.table.snapshot import Snapshot
from companion.translate import Words
from companion.views.seat.forms import listed
from companion.views.table.public import TableView, seen_by


class SealedBet(Reply):
    """A bet on a slip that is not open yet."""

    kind: str
    dogs: list[Colour]
    stake: Annotated[int, Meta(ge=1)]


class Own(Reply):
    """The facts that only this seat knows; null if there is no such fact, or the companion does not know it.

    `hand`: colours, or the numbers of cards; `choice`: the card that is chosen and not yet turned over;
    `decisions`: the decisions of this seat now, null if there are too many to list.
    """

    seat: Seat
    hand: list[str | int] | None
    sets: list[list[int]] | None
    bets: list[SealedBet] | None
    choice: int | None
    set_aside: int | None
    decisions: list[Line] | None


class SeatTable(TableView):
    """The table from a seat's side: its public part is the same for all."""

    own: Own


def table(picture: Snapshot, words: Words, seat: int) -> SeatTable:
    """Return the table as a seat may see it; it must have a match."""
    match = picture.match
    assert match is not None
    race = match.race.seen_by(seat)
    secrets: dict[str, Any] = {key: race.secrets_of(seat).get(key) for key in _SECRETS}
    lines = listed(race, seat)
    decisions = None if lines is None else [decision_line(race, decision) for decision in lines]
    return SeatTable(**seen_by(seat, picture, words), own=Own(seat=seat, **secrets, decisions=decisions))


_SECRETS = ("hand", "sets", "bets", "choice", "set_aside")
