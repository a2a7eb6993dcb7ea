"""Events that may still happen and their chances: values that table, pages and the odds process share."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from typing import NamedTuple

from companion.games.race import Race


class Event(NamedTuple):
    """An event that may happen to a seat, or to these pieces.

    `what` is "win" (a seat wins the game; a dog its race), "keep" (a seat's food of this round becomes safe),
    "placed" (a seat's horse is past the line at the end), "place" (a dog is first or second), "double" (two
    dogs are first and second).

    >>> str(Event("win", 0)), str(Event("double", pieces=("red", "blue")))
    ('win/0', 'double/red-blue')
    """

    what: str
    seat: int | None = None
    pieces: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.what}/{'-'.join(self.pieces) if self.seat is None else self.seat}"


class Chance(NamedTuple):
    """The probability of an event, 0 to 1, and half widths of 95 % intervals.

    `error` includes every uncertainty: how these people play, and how few playouts there were. `sampled` is
    the part from the playouts alone: 0 where the chance is exact.
    """

    event: Event
    p: float
    error: float
    sampled: float


def doubted(chance: Chance, doubt: float, spread: float = 0.0) -> Chance:
    """Return the chance with an error for the doubt whether these people play as assumed.

    `doubt` is the standard deviation of its log odds between people and the assumptions about them, so it
    moves open events and not certain ones. `spread` is the variance of the chance itself over all styles
    considered possible for these people.

    >>> [round(doubted(Chance(Event("win", 0), p, 0.0, 0.0), 0.6).error, 3) for p in (0.0, 0.25, 0.5)]
    [0.0, 0.225, 0.3]
    """
    people = 2 * hypot(doubt * chance.p * (1 - chance.p), sqrt(spread))
    return chance._replace(error=hypot(chance.error, people))


def as_people_play(chance: Chance, habit: float) -> Chance:
    """Return a chance of random play, corrected for people who plan a little ahead.

    `habit` says how much likelier people then reach their aim: most where it is open, not at all where it is
    certain. Random players never save a card that leads for their last turn, but people do.

    >>> [as_people_play(Chance(Event("keep", 0), p, 0.0, 0.0), 0.4).p for p in (0.0, 0.5, 1.0)]
    [0.0, 0.6, 1.0]
    """
    p, wider = chance.p, 1 + habit * (1 - 2 * chance.p)
    return Chance(chance.event, p + habit * p * (1 - p), chance.error * wider, chance.sampled * wider)


class Stretch(NamedTuple):
    """Factors for the differences between the seats' log odds of winning, relative to playouts.

    They are measured between two seats and between four; three seats use a value between them, more seats the
    value of four.
    """

    two: float = 1.0
    four: float = 1.0

    def of(self, seats: int) -> float:
        """Return the factor for this number of seats, linear in its inverse.

        >>> [round(Stretch(1.3, 1.0).of(seats), 3) for seats in (2, 3, 4, 7)]
        [1.3, 1.1, 1.0, 1.0]
        """
        return self.four + (self.two - self.four) * max(0.0, 4 / seats - 1)


def stretched(chances: Sequence[Chance], stretch: Stretch) -> tuple[Chance, ...]:
    """Return the seats' chances to win between people, who lose a lead less often than random players.

    The fewer opponents there are, the more the play of one of them matters.

    >>> even = [Chance(Event("win", seat), p, 0.0, 0.0) for seat, p in enumerate((0.2, 0.8))]
    >>> [round(chance.p, 2) for chance in stretched(even, Stretch(two=2.0))]
    [0.06, 0.94]
    """
    to_win = [c.event.what == "win" and c.event.seat is not None for c in chances]
    if not any(to_win):
        return tuple(chances)
    more = stretch.of(sum(to_win))
    wins = [c.p**more if mine else 0.0 for c, mine in zip(chances, to_win, strict=True)]
    return tuple(
        c if not win else Chance(c.event, win / sum(wins), c.error * more, c.sampled * more)
        for c, win in zip(chances, wins, strict=True)
    )


def victory(race: Race) -> list[float]:
    """Return each seat's part of the victory: 1, or its share of a shared one."""
    first = [standing.seat for standing in race.standings() if standing.place == 1]
    return [1 / len(first) if seat in first else 0.0 for seat in range(len(race.seats))]


def wins(chances: Sequence[Chance], seats: int) -> list[float]:
    """Return each seat's chance to win the game, by seat."""
    by_seat = {c.event.seat: c.p for c in chances if c.event.what == "win" and c.event.seat is not None}
    return [by_seat[seat] for seat in range(seats)]
