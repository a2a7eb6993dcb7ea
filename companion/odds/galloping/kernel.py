"""Chances in Galloping Pigs and Galloping Horse."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from companion.games.galloping.decks import HAND
from companion.games.galloping.rules import Galloping
from companion.games.terms import HIDDEN
from companion.odds.chance import Event, Stretch
from companion.odds.galloping.cards import RoundOrders, cards_to_come, plies, shuffled
from companion.odds.galloping.exact import exact
from companion.odds.galloping.round import Purses, food_to_come, lay, lined_up, play_round, shares
from companion.odds.galloping.table import MOST_ROUNDS, MOST_SEATS, RoundsToCome
from companion.odds.galloping.track import Ints
from companion.odds.kernel import Kernel, Playouts

USUAL_ROUNDS: Final = 3
USUAL_LEADS: Final = HAND - 1
"""Food that a round hands out, a seat, before any comes back: more in fewer than 1 of 1,000 rounds, of
100,000 played out for 2, 3 and 4 seats."""
FIRST: Final = 2000  # playouts of a first answer, while a table is being made
_TABLE_SEED: Final = 1


class Gallop(Kernel[Galloping]):
    """The kernel of both games, for random play except for each seat's last card.

    It caches the worlds of one round and the tables of a few games.
    """

    batches = (10_000, 10_000, 20_000, 40_000)
    habits = MappingProxyType({"keep": 0.37})  # a card that leads is saved for the last turn
    doubts = MappingProxyType({"win": 0.6, "keep": 0.7})
    stretch = Stretch(1.1, 0.97)

    def __init__(self) -> None:
        self._cached: tuple[tuple[object, ...], tuple[str, ...], RoundOrders] | None = None
        self._tables: dict[tuple[object, ...], RoundsToCome] = {}

    def first(self, race: Galloping, seed: int) -> Playouts | None:
        """Play out all rounds, while the table of the rounds to come is not ready."""
        if not self._wants_table(race) or self._table_key(race) in self._tables:
            return None
        return self._played_out(race, FIRST, np.random.default_rng([seed, 0]), None, None)

    def exact(self, race: Galloping) -> Mapping[Event, float]:
        """Return the exact chances of the last cards of a round, and of the game."""
        return exact(race)

    def batch(self, race: Galloping, number: int, seed: int) -> Playouts:
        """Play out a batch; the first one uses the cached worlds: in the same position they are the same."""
        count = self.batches[number]
        rng = np.random.default_rng([seed, number])
        if not self._wants_table(race):
            count //= max(1, (race.rounds - race.round) // USUAL_ROUNDS)
        hidden = all(card == HIDDEN for hand in race.hands for card in hand)
        if number or not hidden or race.due != "play":
            return self.playouts(race, count, rng)
        cards = self._cached_worlds(race, count, seed).to_come(sum(map(len, race.hands)))
        return self._played_out(race, count, rng, self._table(race), cards)

    def playouts(self, race: Galloping, count: int, rng: np.random.Generator) -> Playouts:
        """Play this round out; those to come too, unless a table holds their value."""
        return self._played_out(race, count, rng, self._table(race), None)

    def _cached_worlds(self, race: Galloping, count: int, seed: int) -> RoundOrders:
        """Return the orders of cards that this round began with, without the cards played."""
        copies = race.cards_per_colour
        key = (seed, count, len(race.animals), copies, race.round)
        if (
            self._cached is None
            or self._cached[0] != key
            or race.played[: len(self._cached[1])] != self._cached[1]
        ):
            rng = np.random.default_rng([seed, race.round])
            self._cached = (key, (), RoundOrders(len(race.animals), copies, count, rng))
        _, played, worlds = self._cached
        for card in race.played[len(played) :]:
            worlds.play(race.animals.index(card))
        self._cached = (key, race.played, worlds)
        return worlds

    # --- the rounds to come ------------------------------------------------------------------------

    def _table(self, race: Galloping) -> RoundsToCome | None:
        if not self._wants_table(race):
            return None
        key = self._table_key(race)
        if key not in self._tables:
            if len(self._tables) == 4:
                self._tables.clear()
            self._tables[key] = RoundsToCome(race, np.random.default_rng(_TABLE_SEED))
        table = self._tables[key]
        return table if self._plenty(race, table) else None

    def _table_key(self, race: Galloping) -> tuple[object, ...]:
        return (
            len(race.seats),
            race.spaces,
            race.food_on_track,
            race.cards_per_colour,
            race.last_card_decides,
        )

    def _wants_table(self, race: Galloping) -> bool:
        """Return whether rounds start afresh, the stock may last, and there are not too many seats and
        rounds to come.
        """
        to_come = race.rounds - race.round
        enough = _in_hand(race) >= USUAL_LEADS * len(race.seats)
        few = len(race.seats) <= MOST_SEATS and 0 < to_come <= MOST_ROUNDS
        return race.lined_up_anew and few and enough

    def _plenty(self, race: Galloping, table: RoundsToCome) -> bool:
        """Return whether the stock lasts to the end in all but the oddest games: then no round depends on
        another.
        """
        to_come = race.rounds - race.round
        return _in_hand(race) - table.usual_total(to_come) >= USUAL_LEADS * len(race.seats)

    # --- playing out -------------------------------------------------------------------------------

    def _played_out(
        self,
        race: Galloping,
        count: int,
        rng: np.random.Generator,
        table: RoundsToCome | None,
        cards: Ints | None,
    ) -> Playouts:
        seats, rounds = len(race.seats), race.rounds - race.round
        opened, food = _opened(race, count, rng)
        order = plies([len(hand) for hand in opened.hands], opened.turn)
        if cards is None:
            cards = cards_to_come(opened, count, rng)
        most = len(order) + seats + (0 if table else rounds * seats * (HAND + 1))
        purses = Purses.of(opened, count, most)
        if purses.stock is not None and food is not None:
            lay(food[len(race.track_food) :], purses.stock)
        progress = play_round(race, _columns(opened, count), food, cards, order, purses)
        keeps = purses.keeps.copy()
        if table is None:
            for number in range(rounds):
                if purses.stock is not None:  # food that was lost has gone back
                    purses.stock[:] = _in_hand(race) + sum(race.kept) - purses.kept.sum(axis=0)
                progress = _next_round(race, number, progress, purses, rng)
            won, bias = shares(purses.kept), 0.0
        else:
            won = table.chances(purses.kept, rounds, (race.start + race.round) % seats)
            bias = table.error(rounds)
        events = [Event("win", seat) for seat in range(seats)]
        if not race.last_card_decides or race.due != "play":
            return Playouts(tuple(events), won, bias)
        owing = [seat for seat, hand in enumerate(race.hands) if hand]
        events += [Event("keep", seat) for seat in owing]
        return Playouts(tuple(events), np.concatenate([won, keeps[owing].astype(np.float32)]), bias)


class HorseGallop(Gallop):
    """The kernel of Horse, where the style of play matters less."""

    doubts = MappingProxyType({"win": 0.43})
    stretch = Stretch(1.07, 1.0)


def _in_hand(race: Galloping) -> int:
    """Return the food that is not safe yet: in the stock, at risk, and on the track."""
    return race.stock + sum(race.provisional) + len(race.track_food)


def _opened(race: Galloping, worlds: int, rng: np.random.Generator) -> tuple[Galloping, Ints | None]:
    """Return the round at the start of card play, lined up and dealt, and the food on the track then."""
    if race.due == "play":
        return race, food_to_come(race, worlds, rng, 0)
    if race.due == "line-up":  # nothing tells the animals apart yet: any order is as good as another
        race = race.replaced(progress=lined_up(race))
    if race.due in ("line-up", "deal"):
        race = race.replaced(hands=((HIDDEN,) * HAND,) * len(race.seats))
    to_lay = len(race.seats) - len(race.track_food) if race.food_on_track else 0
    return race.replaced(turn=race.starter()), food_to_come(race, worlds, rng, to_lay)


def _columns(race: Galloping, worlds: int) -> Ints:
    """Return the progress of the animals, in every world."""
    return np.repeat(np.array([[p] for p in race.progress.values()], np.int32), worlds, axis=1)


def _next_round(
    race: Galloping, number: int, progress: Ints, purses: Purses, rng: np.random.Generator
) -> Ints:
    """Play a whole round to come out, into `purses`; return the progress after it."""
    seats, worlds = len(race.seats), progress.shape[1]
    order = plies([HAND] * seats, (race.start + race.round + number) % seats)
    cards = shuffled([race.cards_per_colour] * len(race.animals), len(order), worlds, rng)
    food = None
    if race.lined_up_anew:
        fresh = race.replaced(progress=lined_up(race), track_food=frozenset(), stock=race.food)
        progress = _columns(fresh, worlds)
        food = food_to_come(fresh, worlds, rng, seats if race.food_on_track else 0)
    if food is not None and purses.stock is not None:
        lay(food, purses.stock)
    return play_round(race, progress, food, cards, order, purses)
