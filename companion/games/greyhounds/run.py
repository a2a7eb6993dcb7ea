"""Running in Greyhounds: the moves by the cards on the table, dogs that are home, dogs that are lapped.

A dog is a number here, 0 to 3: its place in DOGS.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, Self

DOGS: Final = ("red", "blue", "brown", "green")
PLACES: Final = 3
IDLE_TURNS: Final = 10  # so many turns in a row without a move end a race
MOVE: Final = "move"  # dogs with equal cards move together
STRIKE: Final = "strike"  # equal cards are struck out: the rule of the original edition


def steps(race: int, cards: Sequence[int], ties: str = MOVE) -> tuple[int, ...]:
    """Return the spaces that the dogs with these cards on the table move in race 1, 2 or 3; at least two dogs
    run.

    `ties` is MOVE or STRIKE.

    >>> steps(1, [7, 10, 10, 13]), steps(2, [7, 10, 10, 13]), steps(3, [7, 10, 10, 13])
    ((0, 0, 0, 3), (0, 3, 3, 6), (0, 3, 3, 6))
    >>> steps(2, [18, 14, 14, 4])  # two of the first three are equal
    (14, 10, 10, 0)
    >>> steps(1, [18, 18, 9, 4], STRIKE), steps(2, [18, 14, 14, 4], STRIKE)
    ((0, 0, 5, 0), (14, 0, 0, 0))
    """
    if ties == STRIKE:
        return _single_move(race, cards)
    least, less = _threshold_and_deduction(race, sorted(cards, reverse=True))
    return tuple(card - less if card >= least else 0 for card in cards)


def _threshold_and_deduction(race: int, cards: Sequence[int]) -> tuple[int, int]:
    """Return the lowest card that moves its dog, and the card that is subtracted; `cards` fall."""
    first, lowest = cards[0], cards[-1]
    if race == 3 or len(cards) == 2:
        return lowest, lowest
    second, third = cards[1], cards[2]
    if race == 1:
        return first, next((card for card in cards if card < first), first)
    return second, third if first > second > third else lowest


def _single_move(race: int, cards: Sequence[int]) -> tuple[int, ...]:
    """Move the highest cards that only one dog shows, as many as the race's number, less the lowest."""
    lowest = min(cards)
    single = sorted([card for card in cards if card > lowest and cards.count(card) == 1])[-race:]
    return tuple([card - lowest if card in single else 0 for card in cards])


class Run(NamedTuple):
    """The dogs in one race: progress by dog, dogs home or out in that order, turns completed and idle."""

    laps: int
    lap: int  # spaces
    rank: tuple[int, ...] = ()  # Dog 1 first; empty until known
    progress: tuple[int, ...] = (0, 0, 0, 0)
    home: tuple[int, ...] = ()  # at most three; also a dog that was placed without crossing the line
    out: tuple[int, ...] = ()
    turn: int = 0
    idle: int = 0
    ties: str = MOVE

    @property
    def line(self) -> int:
        """The progress that a dog must exceed to be home."""
        return self.laps * self.lap

    def crossed(self, dog: int) -> bool:
        """Return whether a dog is past the line; the fourth one too, which takes no place."""
        return self.progress[dog] > self.line

    def running(self) -> tuple[int, ...]:
        """Return the dogs that still play cards."""
        gone, line = self.home + self.out, self.line
        return tuple([d for d, p in enumerate(self.progress) if p <= line and d not in gone])

    def over(self) -> bool:
        """Return whether the places of this race are settled."""
        return len(self.home) == PLACES or self.idle == IDLE_TURNS or not self.running()

    def level(self, dogs: Iterable[int]) -> tuple[int, ...]:
        """Return those of these dogs that are furthest ahead, alone or level: they choose their cards
        together.
        """
        front, level = -1, []
        for dog in dogs:
            if self.progress[dog] > front:
                front, level = self.progress[dog], [dog]
            elif self.progress[dog] == front:
                level.append(dog)
        return tuple(level)

    def in_order(self) -> tuple[int, ...]:
        """Return the running dogs in order of play: by progress, then by rank."""
        return tuple(sorted(self.running(), key=lambda d: (-self.progress[d], self.rank.index(d))))

    def after(self, cards: Mapping[int, int]) -> Self:
        """Return the race after a turn in which every running dog has played a card."""
        running = self.running()
        moved = dict(zip(running, steps(self.laps, [cards[d] for d in running], self.ties), strict=True))
        run = self._replace(
            progress=tuple(p + moved.get(d, 0) for d, p in enumerate(self.progress)),
            turn=self.turn + 1,
            idle=0 if any(moved.values()) else self.idle + 1,
        )
        return run._with_finish(self)._with_lapped(running)._with_places()

    def _with_finish(self, before: Self) -> Self:
        """Place the dogs over the line: the furthest first, then the one ahead before, then the
        better rank.
        """
        home = [d for d in before.running() if self.crossed(d)]
        home.sort(key=lambda d: (-self.progress[d], -before.progress[d], self.rank.index(d)))
        return self._replace(home=(*self.home, *home)[:PLACES])

    def _with_lapped(self, ran: Sequence[int]) -> Self:
        """Drop, in races of several laps, the dogs that are more than a lap behind the front dog of `ran`."""
        if self.laps == 1:
            return self
        front = min(max(self.progress[d] for d in ran), self.line + 1)
        lapped = [d for d in self.running() if self.progress[d] < front - self.lap]
        return self._replace(out=(*self.out, *sorted(lapped, key=self.rank.index)))

    def _with_places(self) -> Self:
        """Place the last dog running; after ten idle turns place the running dogs in order, as far as there
        are places.
        """
        left = self.in_order()
        if len(self.home) < PLACES and (len(left) == 1 or self.idle == IDLE_TURNS):
            return self._replace(home=(*self.home, *left)[:PLACES])
        return self
