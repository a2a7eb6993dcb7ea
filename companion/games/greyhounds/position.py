"""A position of Greyhounds and simple queries about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from companion.games.greyhounds.bets import DOGS_OF, RACES, Odds, Sheet
from companion.games.greyhounds.money import Result
from companion.games.greyhounds.news import Move
from companion.games.greyhounds.run import DOGS, Run
from companion.games.greyhounds.sets import CARDS, FIVE, SIX, Cards, Dealt
from companion.games.race import Race
from companion.games.terms import Awaited, News, Payout


@dataclass(frozen=True)
class Position(Race):
    """Dogs are numbered like the seats that own them; by seat unless it says by dog."""

    latest: tuple[News, ...] = field(hash=False)  # holds no secret
    lap: int
    odds: tuple[Odds, ...]  # by race
    bet_step: int
    bookie: int | None
    ties: str  # MOVE or STRIKE: the effect of equal cards
    race: int
    due: str  # show, rank, bet, play; "" when the game is finished
    money: tuple[int, ...]
    dealt: tuple[Dealt | str | None, ...]  # not yet shown, see `sets_of`; None: people dealt
    shown: tuple[tuple[Cards, ...], ...]  # race by race
    bets: tuple[Sheet | str | None, ...]  # of this race
    staked: tuple[int, ...]  # paid to the bookie in this race
    aside: tuple[int | str | None, ...]  # None: unknown to the companion, and it does not follow yet
    played: tuple[Cards, ...]  # turned over in this race, in order
    choice: tuple[int | str | None, ...]  # chosen, not yet turned over
    table: tuple[int | None, ...]  # by dog: turned over in this turn
    run: Run
    moves: tuple[Move, ...]  # of the turn before, in order of the cards
    results: tuple[Result, ...]

    def awaits(self) -> Awaited | None:
        """Return the decision that is due; the seats that owe it may decide in any order."""
        if self.due == "play":
            seats = tuple(d for d in self.level() if self.choice[d] is None)
        elif self.due == "bet":
            seats = tuple(s for s in self.bettors() if self.bets[s] is None)
        elif self.due == "show":
            seats = tuple(s for s, sets in enumerate(self.shown) if len(sets) < self.race)
        elif self.due == "rank":
            assert self.bookie is not None
            seats = (self.bookie,)
        else:
            return None
        return Awaited(self.due, seats)

    def bettors(self) -> tuple[int, ...]:
        """Return the seats that bet."""
        return tuple(s for s in range(len(self.seats)) if s != self.bookie)

    def next_dogs(self) -> tuple[int, ...]:
        """Return the dogs whose cards are turned over next, together."""
        return self.run.level([d for d in self.run.running() if self.table[d] is None])

    def level(self) -> tuple[int, ...]:
        """Return the seats whose cards are turned over next."""
        level, seats = self.next_dogs(), len(self.seats)
        return tuple([d for d in level if d < seats]) if seats < len(DOGS) else level

    def set_size(self) -> int:
        """Return how many cards a set of this race has."""
        return SIX if self.bookie is None or self.race == RACES else FIVE

    def sets_of(self, seat: int) -> Dealt | None:
        """Return the sets dealt to this seat and not yet shown, with a bookie the one for race 3; None:
        unknown.
        """
        dealt = self.dealt[seat]
        return dealt if isinstance(dealt, tuple) else None

    def unshown(self, seat: int) -> frozenset[int]:
        """Return the cards that this seat has not shown yet."""
        return frozenset(CARDS).difference(*self.shown[seat])

    def free(self, seat: int) -> frozenset[int]:
        """Return the cards that it may still choose from, without those drawn for race 3, if known."""
        return self.unshown(seat).difference(*(self.sets_of(seat) or ()))

    def set_of(self, seat: int) -> Cards:
        """Return the set that this seat has shown for this race."""
        return self.shown[seat][self.race - 1]

    def used(self, seat: int) -> Cards:
        """Return the cards of this race that were played and have not come back yet."""
        played = self.played[seat]
        return played[len(played) - len(played) % FIVE :]

    def playable(self, seat: int) -> list[int]:
        """Return the cards of its set that this seat may play."""
        gone = (*self.used(seat), self.aside[seat])
        return [card for card in self.set_of(seat) if card not in gone]

    def deal_key(self) -> str:
        """Return the record key of a deal: all sets, or with a bookie the last ones."""
        return "sets" if self.bookie is None else "last"

    def sets_dealt(self) -> int:
        """Return how many sets a deal gives each seat."""
        return RACES if self.bookie is None else 1

    def may_deal(self) -> bool:
        """Return whether no decision was made yet: a deal is only possible as the first one."""
        return self.due == "show" and not any(self.shown) and self.dealt.count(None) == len(self.seats)

    def aside_is_known(self, seat: int) -> bool:
        """Return whether five different cards have been played: then the sixth follows from them."""
        return len(self.played[seat]) >= FIVE

    def own_piece(self, seat: int) -> str:
        """Return the dog of this seat, in order of seats."""
        return DOGS[seat]

    @property
    def pays(self) -> Odds:
        """The chart of this race."""
        return self.odds[self.race - 1]

    def payouts(self) -> Sequence[Payout]:
        """Return the payouts of the chart on the dogs, once they are ranked."""
        if not self.run.rank:
            return ()
        dogs = [DOGS[dog] for dog in self.run.rank]
        return [
            Payout(kind, [dogs[rank - 1] for rank in ranks], self.pays.of(kind, ranks))
            for kind, count in DOGS_OF.items()
            for ranks in combinations(range(1, len(DOGS) + 1), count)
        ]
