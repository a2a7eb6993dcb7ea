"""What may still happen, and how likely it is: values that table, pages and the odds process share."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

from companion.games.race import Race


class Event(NamedTuple):
    """Something that may happen: to a seat, or to these pieces.

    `what` is "win" (a seat wins the game; a dog its race), "keep" (a seat keeps its food of this round),
    "placed" (a seat's horse is past the line at the end), "place" (a dog is first or second), "double"
    (two dogs are first and second).

    >>> str(Event("win", 0)), str(Event("double", pieces=("red", "blue")))
    ('win/0', 'double/red-blue')
    """

    what: str
    seat: int | None = None
    pieces: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.what}/{'-'.join(self.pieces) if self.seat is None else self.seat}"


class Chance(NamedTuple):
    """How likely an event is, 0 to 1, and the half width of an interval that holds it in 95 % of cases
    at least: 0 where it is exact."""

    event: Event
    p: float
    error: float


def as_people_play(chance: Chance, habit: float) -> Chance:
    """A chance worked out for random play, as it is where people look ahead a little.

    `habit` says how much likelier what people aim at is then: most where it is open, nothing where it is
    certain. At random play people never save a card that leads for their last turn, and at a table they do.
    Half of what it adds goes into the error: nobody knows these people.

    >>> [as_people_play(Chance(Event("keep", 0), p, 0.0), 0.4)[1:] for p in (0.0, 0.5, 1.0)]
    [(0.0, 0.0), (0.6, 0.05), (1.0, 0.0)]
    """
    p, error, more = chance.p, chance.error, habit * chance.p * (1 - chance.p)
    return Chance(chance.event, p + more, hypot(error * (1 + habit * (1 - 2 * p)), more / 2))


def victory(race: Race) -> list[float]:
    """Each seat's part of the victory: 1, or its share of a shared one."""
    first = [standing.seat for standing in race.standings() if standing.place == 1]
    return [1 / len(first) if seat in first else 0.0 for seat in range(len(race.seats))]


def wins(chances: Sequence[Chance], seats: int) -> list[float]:
    """Each seat's chance to win the game, by seat."""
    by_seat = {c.event.seat: c.p for c in chances if c.event.what == "win" and c.event.seat is not None}
    return [by_seat[seat] for seat in range(seats)]
