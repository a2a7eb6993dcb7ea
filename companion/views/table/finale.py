"""A race that was just run: its finishers in order, for the pages' finale."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.games.presenter import presented
from companion.games.race import Race
from companion.match.match import Match
from companion.reply import Colour, Reply, Seat
from companion.table.snapshot import Snapshot, last_turn
from companion.translate import Words
from companion.views.table import sentence


class Finisher(Reply):
    """A piece that came home, and its owner, if any."""

    piece: Colour
    seat: Seat | None


class Finale(Reply):
    """A race that was just run; `start`: the space its winner ran from; `last`: no other race follows.

    `say`: the winner of the last race of several, for a page that opens it before it names the game's winner.
    """

    key: str
    order: Annotated[list[Finisher], Meta(min_length=1)]
    start: int | None
    last: bool
    say: sentence.Said | None = None


def finale(picture: Snapshot, match: Match, race: Race, words: Words) -> Finale | None:
    """Return the race that the last decision ended, once every piece has been moved to its end."""
    turn, order = last_turn(match), presented(race).finishers()
    if turn is None or not order or picture.ending:
        return None
    owners = {race.own_piece(seat): seat for seat in range(len(race.seats))}
    stood = (match.before or {}).get(order[0])
    return Finale(
        key=str(turn.seq),
        order=[Finisher(piece=piece, seat=owners.get(piece)) for piece in order],
        start=stood.space if stood else None,
        last=match.finished,
        say=sentence.of_the_race(race, words),
    )
