"""Rules of thumb for Greyhounds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from companion.bots.heuristics import MANY, Heuristics, best
from companion.games.greyhounds.bets import DOGS_OF, MOST, Bet, Sheet
from companion.games.greyhounds.refusals import set_aside
from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.run import DOGS
from companion.games.greyhounds.sets import DUMMY_CARD, DUMMY_SET, ranked
from companion.games.race import picked
from companion.games.terms import Decision
from companion.odds.greyhounds.styles import SPENT
from companion.odds.greyhounds.wagers import DOUBLE, PLACE, WIN

FEW: Final = 8  # sets and sheets worth a thought
TRIES: Final = 12  # random cards of the others that are tried for each choice


class HoundsHeuristics(Heuristics[Greyhounds]):
    """Back the strong dogs at good odds, set the worst card aside, and run where it gains most."""

    plays = Greyhounds

    def greedy(self, view: Greyhounds, seat: int, rng: random.Random) -> Decision:
        """Choose the strongest set, all the money on the own dog, and always the highest card."""
        if view.due == "show":
            return best(self.sets(view, seat, rng), lambda show: sum(show.what), rng)
        if view.due == "bet":
            return Decision("bet", seat, (Bet("win", (DOGS[seat],), most(view)),))
        if view.due == "play":
            return Decision("play", seat, max(view.playable(seat)))
        return view.at_random(seat, rng)

    def careful(self, view: Greyhounds, seat: int, rng: random.Random) -> Decision:
        """Choose each decision by its rule of thumb."""
        if view.due == "show":
            return best(self.sets(view, seat, rng), lambda show: sum(show.what), rng)
        if view.due == "rank":
            return Decision("rank", None, tuple(DOGS[dog] for dog in strongest(view)))
        if view.due == "bet":
            return max(self.bets(view, seat), key=lambda bet: expected(view, seat, bet.what))
        if set_aside(view, seat) is None:
            return Decision("set-aside", seat, min(view.set_of(seat)))
        return self._card(view, seat, rng)

    def sensible(self, view: Greyhounds, seat: int, rng: random.Random) -> Sequence[Decision]:
        """Return all cards, a few sets and sheets, and the rankings that differ little from the dogs'
        strength.
        """
        if view.due == "show":
            return self.sets(view, seat, rng)
        if view.due == "bet":
            return sorted(self.bets(view, seat), key=lambda bet: -expected(view, seat, bet.what))[:FEW]
        if view.due == "play":
            return [Decision("play", seat, card) for card in view.playable(seat)]
        return super().sensible(view, seat, rng)

    def considered(self, view: Greyhounds, seat: int, rng: random.Random) -> Sequence[Decision]:
        """Return the decisions of the base class, but setting a card aside needs no thought."""
        thumb = self.careful(view, seat, rng)
        return [thumb] if thumb.do == "set-aside" else super().considered(view, seat, rng)

    def reopened(self, view: Greyhounds, seat: int) -> Greyhounds:
        """Return the view in which none of the dogs that are level has chosen a card."""
        return view.replaced(choice=(None,) * len(view.seats))

    def sets(self, view: Greyhounds, seat: int, rng: random.Random) -> list[Decision]:
        """Return the sets that it holds; where it chooses a five itself, the strongest ones."""
        listed = view.decisions(seat)
        if isinstance(listed, list):
            return listed
        tried = dict.fromkeys(view.at_random(seat, rng) for _ in range(MANY))
        return sorted(tried, key=lambda show: -sum(show.what))[:FEW]

    def bets(self, view: Greyhounds, seat: int) -> list[Decision]:
        """Return the sheets with all the money on one bet."""
        return [
            Decision("bet", seat, (Bet(kind, dogs, most(view)),))
            for kind, count in DOGS_OF.items()
            for dogs in combinations(DOGS, count)
        ]

    def _card(self, view: Greyhounds, seat: int, rng: random.Random) -> Decision:
        tables = [others(view, seat, rng) for _ in range(TRIES)]
        plays = [Decision("play", seat, card) for card in view.playable(seat)]
        return best(
            plays,
            lambda play: sum(gain(view, seat, play.what, t) for t in tables) / TRIES - SPENT * play.what,
            rng,
        )


def most(view: Greyhounds) -> int:
    """Return the most that may be staked, in whole steps."""
    return MOST // view.bet_step * view.bet_step


def strongest(view: Greyhounds) -> tuple[int, ...]:
    """Return the dogs by the cards they have shown."""
    sets = [view.set_of(seat) for seat in range(len(view.seats))]
    return ranked([*sets, *[DUMMY_SET[: view.set_size()]] * (len(DOGS) - len(sets))])


def expected(view: Greyhounds, seat: int, sheet: Sheet) -> float:
    """Return the mean payout of a sheet if dogs run as usual for their strength, and its own dog one rank
    better.
    """
    others = [dog for dog in strongest(view) if dog != seat]
    place = max(0, strongest(view).index(seat) - 1)
    order = [*others[:place], seat, *others[place:]]
    return sum(bet.stake * _chance(view.race - 1, bet, order) * float(_odds(view, bet)) for bet in sheet)


def _chance(race: int, bet: Bet, order: Sequence[int]) -> float:
    by_strength = sorted(order.index(DOGS.index(dog)) for dog in bet.dogs)
    if bet.kind == "double":
        return DOUBLE[race][list(combinations(range(4), 2)).index((by_strength[0], by_strength[1]))]
    return (WIN if bet.kind == "win" else PLACE)[race][by_strength[0]]


def _odds(view: Greyhounds, bet: Bet) -> float:
    return float(view.pays.of(bet.kind, [view.run.rank.index(DOGS.index(dog)) + 1 for dog in bet.dogs]))


def others(view: Greyhounds, seat: int, rng: random.Random) -> dict[int, int]:
    """Return the cards on the table in this turn except this seat's: as they are, or at random where they are
    unknown.
    """
    cards: dict[int, int] = {}
    for dog in view.run.running():
        if dog != seat:
            lies = view.table[dog]
            may = [DUMMY_CARD] if dog >= len(view.seats) else view.playable(dog)
            cards[dog] = picked(may, rng) if lies is None else lies
    return cards


def gain(view: Greyhounds, seat: int, card: int, cards: dict[int, int]) -> float:
    """Return how much further the seat's dog gets in this turn than the others in the mean."""
    after = view.run.after({**cards, seat: card})
    moved = [new - old for new, old in zip(after.progress, view.run.progress, strict=True)]
    return moved[seat] - sum(moved[dog] for dog in cards) / len(cards)
