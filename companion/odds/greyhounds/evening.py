"""An evening of Greyhounds in columns of worlds: through turns and settlements to its end.

The model is uniform random play, as in `Greyhounds.at_random`: cards, sets, sheets, and a bookie's ranking.
Setting a card aside at random is equivalent to never playing the last of a random order. The play of cards,
the ranking of a bookie, and the boldness of bets are parameters (`PlayingStyle`), since the chances depend on
them most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.games.greyhounds.bets import RACES
from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.run import DOGS, Run
from companion.games.greyhounds.sets import FIVE, SIX
from companion.odds.greyhounds import sheets as hounds_sheets
from companion.odds.greyhounds.cards import (
    DUMMY,
    RANKINGS,
    Hands,
    HeldSets,
    begun,
    held,
    packed,
    ranks,
    sets_to_come,
)
from companion.odds.greyhounds.sheets import Sheets
from companion.odds.greyhounds.turn import GONE, RUNNING, Flags, Ints, Runs
from companion.odds.kernel import Values

_DROP: Final = 0.85  # worlds are dropped as soon as no more than so many of them still run

Ranking = Callable[[Ints, np.random.Generator], Ints]
"""How a bookie ranks: each dog's rank (0 is Dog 1) from the strength of the sets, both (dogs, worlds)."""


def any_ranking(strengths: Ints, rng: np.random.Generator) -> Ints:
    """Return the dogs in any order, as `at_random` ranks them."""
    return RANKINGS[:, rng.integers(RANKINGS.shape[1], size=strengths.shape[1], dtype=np.int8)]


def by_strength(strengths: Ints, rng: np.random.Generator) -> Ints:
    """Return the dogs in the order of their cards, as without a bookie."""
    return ranks(strengths)


@dataclass(frozen=True)
class PlayingStyle:
    """The assumed way of people to play: `cards` makes the hands of a race, `ranking` is the bookie's.

    `own_dog` and `favourite` are the probabilities that a seat stakes its maximum on a win of its dog, or of
    Dog 1, all evening; otherwise its sheets are random.
    """

    cards: Callable[[HeldSets, np.random.Generator], Hands] = Hands
    ranking: Ranking = any_ranking
    own_dog: float = 0.0
    favourite: float = 0.0


class Evening:
    """A view played out in many worlds: `money` (seats, worlds) at the end, `places` and `ranks` by race.

    With a bookie, later races hold only the worlds in which he was not bankrupt by then.
    """

    def __init__(self, view: Greyhounds, worlds: int, rng: np.random.Generator, style: PlayingStyle) -> None:
        self._view, self._rng, self._style = view, rng, style
        self.money = np.repeat(np.array(view.money, np.int32)[:, None], worlds, axis=1)
        self.places: list[Ints] = []
        self.ranks: list[Ints] = []
        seats = range(len(view.seats))
        self.own, self.favourite = self._bold(len(view.seats), worlds)
        self._sets = [sets_to_come(view, seat, worlds, rng) for seat in seats]
        self._going = np.arange(worlds)
        self.run()

    def run(self) -> None:
        """Run every race to come, one after the other."""
        for number in range(self._view.race, RACES + 1):
            runs, start = self.begin(number)
            self.end(run_out(runs, self._hands(runs, start)))

    def shares(self) -> Values:
        """Return each seat's part of the victory (seats, worlds)."""
        first = self.money == self.money.max(axis=0)
        return first.astype(np.float32) / first.sum(axis=0, dtype=np.float32)

    def _bold(self, seats: int, worlds: int) -> tuple[Flags, Flags]:
        """Return which seats bet their maximum on their own dog, and which on the favourite: (seats, worlds)
        each.
        """
        own, favourite = self._style.own_dog, self._style.favourite
        if not own + favourite:
            return np.zeros((seats, worlds), bool), np.zeros((seats, worlds), bool)
        drawn = self._rng.random((seats, worlds), np.float32)
        return drawn < own, (drawn >= own) & (drawn < own + favourite)

    def begin(self, number: int) -> tuple[Runs, HeldSets]:
        """Begin a race with its bets made; return it with the owners' cards, in the worlds that
        still go on.
        """
        view, present, worlds = self._view, number == self._view.race, self._going
        sets = [
            own[number] if len(worlds) == self.money.shape[1] else own[number].of(worlds)
            for own in self._sets
        ]
        strengths = _stacked([own.strength for own in sets], DUMMY[1])
        rank = self._rank(strengths, present)
        self.ranks.append(rank)
        self._bets = self._sheets(number, rank, strengths)
        if present and view.due == "play":
            return Runs.of(view.run, rank), _present(view, len(worlds))
        start = begun(_stacked([own.packed for own in sets], DUMMY[0]), self._cards(number))
        return Runs.of(Run(number, view.lap, ties=view.ties), rank), start

    def end(self, place: Ints) -> None:
        """Settle the race that was begun; where the bookie is bankrupt the evening is over."""
        present, worlds = not self.places, self._going
        self.places.append(place)
        self._going = worlds[self._settle(worlds, self._bets, self.ranks[-1], place, present)]

    def _cards(self, number: int) -> int:
        return SIX if self._view.bookie is None or number == RACES else FIVE

    def _hands(self, runs: Runs, start: HeldSets) -> Hands:
        """Return the hands for a race."""
        return self._style.cards(start, self._rng)

    def _rank(self, strengths: Ints, present: bool) -> Ints:
        if present and self._view.run.rank:
            known = [self._view.run.rank.index(dog) for dog in range(len(DOGS))]
            return np.repeat(np.array(known, np.int8)[:, None], strengths.shape[1], axis=1)
        return ranks(strengths) if self._view.bookie is None else self._ranked(strengths)

    def _ranked(self, strengths: Ints) -> Ints:
        """Return the bookie's ranking of the dogs."""
        return self._style.ranking(strengths, self._rng)

    def _sheets(self, number: int, rank: Ints, strengths: Ints) -> Sheets:
        view, worlds = self._view, self._going
        known_sheets: list[hounds_sheets.KnownSheet] = [None] * len(view.seats)
        if number == view.race:
            known_sheets = [
                sheet if isinstance(sheet, tuple) else staked or None
                for sheet, staked in zip(view.bets, view.staked, strict=True)
            ]
        if view.bookie is not None:
            known_sheets[view.bookie] = ()
        drawn = hounds_sheets.sheets(known_sheets, view.bet_step, len(worlds), self._rng)
        self._stake(drawn, known_sheets, number, rank, strengths)
        return drawn

    def _stake(
        self,
        drawn: Sheets,
        known_sheets: list[hounds_sheets.KnownSheet],
        number: int,
        rank: Ints,
        strengths: Ints,
    ) -> None:
        """Change the sheets of those who do not bet at random, in place."""
        own, favourite = self.own[:, self._going], self.favourite[:, self._going]
        hounds_sheets.staked_boldly(drawn, known_sheets, self._view.bet_step, own, favourite, rank)

    def _settle(self, worlds: Ints, sheets: Sheets, rank: Ints, place: Ints, present: bool) -> Flags:
        view, step = self._view, self._view.bet_step
        pays = hounds_sheets.payouts(view.odds[view.race + len(self.places) - 2], step)
        result = hounds_sheets.brought(sheets, pays, step, rank, place)
        if view.bookie is None:
            self.money = hounds_sheets.with_bank(self.money, result)
            return np.ones(len(worlds), bool)
        if present:  # stakes made in it before now have changed hands
            result.stakes[[staked > 0 for staked in view.staked]] = 0
        self.money[:, worlds] = after = hounds_sheets.with_bookie(self.money[:, worlds], result, view.bookie)
        return after[view.bookie] >= 0


def run_out(runs: Runs, hands: Hands) -> Ints:
    """Run races to their end: return the place of each dog, 1 to 3 or GONE, (dogs, worlds)."""
    dogs, count = runs.place.shape
    places, worlds = np.full((dogs, count), GONE, np.int8), np.arange(count)
    while True:
        running = runs.place == RUNNING
        going = running.any(axis=0)
        left = np.count_nonzero(going)
        if left <= _DROP * len(worlds):
            places[:, worlds] = runs.place
            remaining = np.flatnonzero(going)
            worlds, running = worlds[remaining], running.take(remaining, axis=1)
            runs.restrict_to(remaining)
            hands.restrict_to(remaining)
        if not left:
            return places
        runs.turn(hands.next() * running)


def _stacked(seats: list[Ints], dummy: int) -> Ints:
    """Return a row for each dog, the dummy's last."""
    missing = len(DOGS) - len(seats)
    return np.stack([*seats, *[np.full_like(seats[0], dummy)] * missing])


def _present(view: Greyhounds, worlds: int) -> HeldSets:
    """Return the present cards of the owners, the same in every world."""
    cards, used, first, end = held(view)
    rows = [int(packed(np.array(own))) for own in cards]
    return HeldSets(np.repeat(np.array(rows, np.int32)[:, None], worlds, axis=1), used, first, end)
