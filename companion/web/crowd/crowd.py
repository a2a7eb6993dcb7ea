"""What watchers have picked, and what that brought them: values, beside the game.

Each favourite costs the stake, and pays what was fair when it was picked: the stake over its chance to win.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from companion.match.match import Match
from companion.odds.chance import Event
from companion.table.picture import Picture

STAKE: Final = 100  # play money
LEAST_CHANCE: Final = 0.01  # no favourite pays more than a hundred times the stake


class Favourite(NamedTuple):
    """A seat that somebody thinks will win, and what it pays if it does."""

    seat: int
    pays: int


@dataclass(frozen=True)
class Tipster:
    """A device that watches: its number in the order of coming, its nickname, its favourites by match."""

    number: int
    nickname: str = ""
    favourites: Mapping[int, Favourite] = field(default_factory=dict)


@dataclass(frozen=True)
class Crowd:
    """All tipsters by device, and who won the matches that are over; `picked` and the like give the next."""

    tipsters: Mapping[str, Tipster] = field(default_factory=dict)
    winners: Mapping[int, frozenset[int]] = field(default_factory=dict)

    def tipster(self, device: str) -> Tipster:
        """The tipster of this device; one that is new has the next number."""
        return self.tipsters.get(device) or Tipster(len(self.tipsters) + 1)

    def named(self, device: str, nickname: str) -> Crowd:
        """The same with this nickname for a device."""
        return self._with(device, replace(self.tipster(device), nickname=nickname))

    def picked(self, device: str, match: int, favourite: Favourite) -> Crowd:
        """The same with this favourite of a device, in the place of its former one in this match."""
        tipster = self.tipster(device)
        favourites = {**tipster.favourites, match: favourite}
        return self._with(device, replace(tipster, favourites=favourites))

    def ended(self, match: int, winners: frozenset[int]) -> Crowd:
        """The same after a match, or before its end again if nobody has won."""
        others = {one: won for one, won in self.winners.items() if one != match}
        return replace(self, winners={**others, match: winners} if winners else others)

    def _with(self, device: str, tipster: Tipster) -> Crowd:
        return replace(self, tipsters={**self.tipsters, device: tipster})

    def gain(self, tipster: Tipster, match: int) -> int | None:
        """What a match brought a tipster, less the stake; None where nothing is settled.

        Those who share the first place share what it pays.

        >>> ann = Tipster(1, favourites={7: Favourite(0, 240)})
        >>> [Crowd(winners={7: frozenset(won)}).gain(ann, 7) for won in ({0}, {0, 2}, {2})]
        [140, 20, -100]
        >>> Crowd().gain(ann, 7)
        """
        favourite, winners = tipster.favourites.get(match), self.winners.get(match)
        if favourite is None or not winners:
            return None
        return (favourite.pays // len(winners) if favourite.seat in winners else 0) - STAKE

    def money(self, tipster: Tipster) -> int:
        """What all matches together brought a tipster."""
        return sum(self.gain(tipster, match) or 0 for match in tipster.favourites)

    def ranked(self) -> list[tuple[str, Tipster]]:
        """Devices and tipsters who picked anything, the richest first."""
        betting = [(device, one) for device, one in self.tipsters.items() if one.favourites]
        return sorted(betting, key=lambda pair: (-self.money(pair[1]), pair[1].number))


def favourites(picture: Picture, match: Match) -> list[Favourite]:
    """What can be picked, by seat, and what it pays by the odds that all can see; without any, all alike."""
    newest = picture.odds[-1].chances if picture.odds else ()
    chances = {c.event: c.p for c in newest}
    seats = range(len(match.race.seats))
    even = 1 / len(seats)
    return [
        Favourite(seat, round(STAKE / max(LEAST_CHANCE, chances.get(Event("win", seat), even))))
        for seat in seats
    ]


def winners(match: Match) -> frozenset[int]:
    """The seats that share the first place."""
    return frozenset(row.seat for row in match.race.seen_by(None).standings() if row.place == 1)
