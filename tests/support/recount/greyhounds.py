"""Greyhounds on a score sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.support.recount.bets import ODDS, PRIZES, payout, staked, won
from tests.support.recount.dogs import DOGS, DUMMY_CARD, came_home, lapped, ranked, strides
from tests.support.recount.places import shared_places

RACES = 3
MOST_STILL = 10
"""So many turns in a row without a move end a race."""


class GreyhoundsSheet:
    """Three races on one sheet; `table` are the cards of the turn that is being played, by dog."""

    def __init__(self, header: Mapping[str, Any]) -> None:
        options = header.get("options", {})
        self.lap: int = options.get("lap", 28)
        self.odds: Mapping[str, Any] = options.get("odds", ODDS)
        self.ties: str = options.get("ties", "move")
        self.bookie: int | None = options.get("bookie")
        self.seats = range(len(header["seats"]))
        self.owned = DOGS[: len(self.seats)]
        self.dummies = DOGS[len(self.seats) :]
        self.money = [6000 for _ in self.seats]
        if self.bookie is not None:
            self.money[self.bookie] = 18000 if self.dummies else 24000
        self.races: list[dict[str, Any]] = []
        self.finished = False
        self._begin(1)

    def _begin(self, race: int) -> None:
        self.race = race
        self.turn = 0
        self.still = 0  # turns in a row without a move
        self.shown: dict[int, list[int]] = {}
        self.rank: list[str] = []
        self.bets: dict[int, list[Mapping[str, Any]]] = {}
        self.progress = dict.fromkeys(DOGS, 0)
        self.table: dict[str, int] = {}
        self.home: list[str] = []
        self.out: list[str] = []

    def take(self, line: Mapping[str, Any]) -> None:
        """Write down a decision and all that follows from it; a deal and a card set aside move nothing."""
        if line["do"] == "show":
            self.shown[line["seat"]] = line["cards"]
            if self.bookie is None and len(self.shown) == len(self.seats):
                owned = {DOGS[seat]: cards for seat, cards in self.shown.items()}
                self.rank = ranked({**owned, **{dummy: [DUMMY_CARD] * 6 for dummy in self.dummies}})
        elif line["do"] == "rank":
            self.rank = [*line["order"]]
        elif line["do"] == "bet":
            self.bets[line["seat"]] = line["bets"]
            self._pay(line["seat"], -self._stakes_held(line["seat"]))
        elif line["do"] == "play":
            self.table[DOGS[line["seat"]]] = line["card"]
            if not self._to_play():
                self._run()

    def _stakes_held(self, seat: int) -> int:
        """Return the bookie's part of this seat's stakes; without a bookie they stay with the seat."""
        return 0 if self.bookie is None else staked(self.bets[seat])

    def _pay(self, seat: int, amount: int) -> None:
        """Pay a seat: from the bookie where there is one, else from the bank."""
        self.money[seat] += amount
        if self.bookie is not None:
            self.money[self.bookie] -= amount

    def _running(self) -> list[str]:
        return [dog for dog in DOGS if dog not in self.home and dog not in self.out]

    def _to_play(self) -> list[str]:
        """Return the owned dogs whose card is still to come in this turn; the dummy's is there by itself."""
        return [dog for dog in self._running() if dog in self.owned and dog not in self.table]

    def _bettors(self) -> list[int]:
        return [seat for seat in self.seats if seat != self.bookie]

    def due(self) -> tuple[str, list[int]] | None:
        """Return the decision that is waited for, and of whom; of those to play, the leaders only."""
        if self.finished:
            return None
        if len(self.shown) < len(self.seats):
            return "show", [seat for seat in self.seats if seat not in self.shown]
        if self.bookie is not None and not self.rank:
            return "rank", [self.bookie]
        if len(self.bets) < len(self._bettors()):
            return "bet", [seat for seat in self._bettors() if seat not in self.bets]
        waiting = self._to_play()
        front = max(self.progress[dog] for dog in waiting)
        return "play", [DOGS.index(dog) for dog in waiting if self.progress[dog] == front]

    def _run(self) -> None:
        """Run a turn once all its cards are there: dogs move, finish, are lapped; the race may be over."""
        running = self._running()
        cards = self.table | {dummy: DUMMY_CARD for dummy in self.dummies if dummy in running}
        moves = strides(self.race, cards, self.ties)
        before = self.progress
        self.progress = {dog: at + moves.get(dog, 0) for dog, at in before.items()}
        self.table = {}
        self.turn += 1
        self.still = 0 if any(moves.values()) else self.still + 1
        home = came_home(running, before, self.progress, self.race * self.lap, self.rank)
        out = lapped(running, self.progress, self.lap, self.race, self.rank)
        left = [dog for dog in running if dog not in home and dog not in out]
        self.home = [*self.home, *home][: len(PRIZES)]
        self.out += out
        if len(self.home) == len(PRIZES):
            self._settle()
        elif len(left) <= 1 or self.still == MOST_STILL:
            left.sort(key=lambda dog: (-self.progress[dog], self.rank.index(dog)))
            self.home = [*self.home, *left][: len(PRIZES)]
            self._settle()

    def _settle(self) -> None:
        """Pay prizes, then bets; write down the winnings, and begin the next race if there is one."""
        prizes, bets = [0 for _ in self.seats], [0 for _ in self.seats]
        for dog, prize in zip(self.home, PRIZES, strict=False):
            # the bookie would pay his own prize to himself
            if dog in self.owned and DOGS.index(dog) != self.bookie:
                prizes[DOGS.index(dog)] = prize
        for seat in self._bettors():
            winnings = sum(
                payout(bet, self.odds, self.rank) for bet in self.bets[seat] if won(bet, self.home)
            )
            bets[seat] = winnings - staked(self.bets[seat])
            self._pay(seat, prizes[seat] + bets[seat] + self._stakes_held(seat))
        if self.bookie is not None:
            prizes[self.bookie], bets[self.bookie] = -sum(prizes), -sum(bets)
        self.races.append({"places": [*self.home], "prizes": prizes, "bets": bets})
        ruined = self.bookie is not None and self.money[self.bookie] < 0
        self.finished = self.race == RACES or ruined
        if not self.finished:
            self._begin(self.race + 1)

    def scores(self) -> list[int]:
        """Return the money of each seat."""
        return [*self.money]

    def places(self) -> list[int | None]:
        """Return the places: the richest is first, at any time of the game."""
        return shared_places(self.money)

    def state(self) -> dict[str, Any]:
        """Return the public state in the record format."""
        return {
            "race": self.race,
            "turn": self.turn,
            "money": [*self.money],
            "rank": [*self.rank],
            "progress": {**self.progress},
            "home": [*self.home],
            "out": [*self.out],
            "races": [{key: [*row] for key, row in race.items()} for race in self.races],
        }
