"""What watchers may do, the favourites that they picked, and their gains: values apart from the game.

Each favourite costs the stake. It pays the fair amount at the time of the pick: the stake over its chance to
win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple

from companion.games.presenter import presented
from companion.games.terms import Heat
from companion.match.match import Match
from companion.odds.chance import Event
from companion.table.snapshot import Snapshot

STAKE: Final = 100  # play money
LEAST_CHANCE: Final = 0.01  # no favourite pays more than a hundred times the stake

MayDo = Literal["open", "closed", "over"]


class Contest(NamedTuple):
    """The subject of a favourite: a match, or one of its races, numbered from 1; 0: the match as a whole."""

    match: int
    race: int


class Favourite(NamedTuple):
    """The number of a seat, or of a piece that runs in a race, that a watcher picked as winner, and its pay
    if it wins.
    """

    runner: int
    pays: int


@dataclass(frozen=True)
class Tipster:
    """A device that watches: its number in order of arrival, its nickname, its favourites."""

    number: int
    nickname: str = ""
    favourites: Mapping[Contest, Favourite] = field(default_factory=dict)


@dataclass(frozen=True)
class Crowd:
    """All tipsters by device, and the winners of finished contests; `picked` and others return a new one."""

    tipsters: Mapping[str, Tipster] = field(default_factory=dict)
    winners: Mapping[Contest, frozenset[int]] = field(default_factory=dict)

    def tipster(self, device: str) -> Tipster:
        """Return the tipster of this device; a new one has the next number."""
        return self.tipsters.get(device) or Tipster(len(self.tipsters) + 1)

    def named(self, device: str, nickname: str) -> Crowd:
        """Return the crowd with this nickname for a device."""
        return self._with(device, replace(self.tipster(device), nickname=nickname))

    def picked(self, device: str, contest: Contest, favourite: Favourite) -> Crowd:
        """Return the crowd with this favourite of a device, in place of its former one for the contest."""
        tipster = self.tipster(device)
        favourites = {**tipster.favourites, contest: favourite}
        return self._with(device, replace(tipster, favourites=favourites))

    def ended(self, match: int, winners: Mapping[Contest, frozenset[int]]) -> Crowd:
        """Return the crowd with a match's winners so far: fewer than before if a card was taken back."""
        others = {one: won for one, won in self.winners.items() if one.match != match}
        return replace(self, winners={**others, **winners})

    def _with(self, device: str, tipster: Tipster) -> Crowd:
        return replace(self, tipsters={**self.tipsters, device: tipster})

    def gain(self, tipster: Tipster, contest: Contest) -> int | None:
        """Return a favourite's gain for a tipster, less the stake; None while undecided, or without one.

        Those who share the first place share the pay.

        >>> seven = Contest(7, 0)
        >>> ann = Tipster(1, favourites={seven: Favourite(0, 240)})
        >>> [Crowd(winners={seven: frozenset(won)}).gain(ann, seven) for won in ({0}, {0, 2}, {2})]
        [140, 20, -100]
        >>> Crowd().gain(ann, seven)
        """
        favourite, winners = tipster.favourites.get(contest), self.winners.get(contest)
        if favourite is None or not winners:
            return None
        return (favourite.pays // len(winners) if favourite.runner in winners else 0) - STAKE

    def money(self, tipster: Tipster, match: int | None = None) -> int:
        """Return the sum of a tipster's gains, over all matches or in one."""
        picked = (one for one in tipster.favourites if match in (None, one.match))
        return sum(self.gain(tipster, contest) or 0 for contest in picked)

    def ranked(self) -> list[tuple[str, Tipster]]:
        """Return the devices and tipsters with any favourite, the richest first."""
        betting = [(device, one) for device, one in self.tipsters.items() if one.favourites]
        return sorted(betting, key=lambda pair: (-self.money(pair[1]), pair[1].number))


def contest(match: Match) -> Contest:
    """Return the contest that comes next or is going on; the last one if the match is over."""
    return Contest(match.id, len(heats_of(match)))


def runners(match: Match) -> tuple[str, ...]:
    """Return the pieces that run, by number, if favourites are pieces; none if they are seats."""
    heats = heats_of(match)
    return tuple(heats[-1].runners) if heats else ()


def favourites(picture: Snapshot, match: Match) -> list[Favourite]:
    """Return all possible favourites and their pay by the public odds; without odds all are alike."""
    newest = picture.odds[-1].chances if picture.odds else ()
    chances = {c.event: c.p for c in newest}
    seats = range(len(match.race.seats))
    events = [Event("win", pieces=(one,)) for one in runners(match)] or [Event("win", n) for n in seats]
    even = 1 / len(events)
    return [
        Favourite(number, round(STAKE / max(LEAST_CHANCE, chances.get(event, even))))
        for number, event in enumerate(events)
    ]


def winners(picture: Snapshot, match: Match) -> dict[Contest, frozenset[int]]:
    """Return the winners of a match's finished contests; none while a piece is still to be moved."""
    heats = heats_of(match)
    won = {
        Contest(match.id, number): frozenset({heat.runners.index(heat.winner)})
        for number, heat in enumerate(heats, 1)
        if heat.winner is not None and not (picture.ending and number == len(heats))
    }
    if match.finished and not picture.ending and not heats:
        won[Contest(match.id, 0)] = frozenset(
            row.seat for row in match.race.seen_by(None).standings() if row.place == 1
        )
    return won


def may_do(picture: Snapshot) -> MayDo | None:
    """Return "open" while a favourite can be picked, that is until the first card of the game or of its race.

    "closed": only cheers; "over": the game is over; None if watchers take no part.
    """
    match = picture.match
    if match is None or not picture.switches.crowd:
        return None
    if match.finished:
        return "closed" if picture.ending else "over"
    return "closed" if _begun(match) else "open"


def heats_of(match: Match) -> Sequence[Heat]:
    """Return the races of a match in which each has a winner, as far as they are public."""
    return presented(match.race.seen_by(None)).heats()


def _begun(match: Match) -> bool:
    heats = heats_of(match)
    return heats[-1].begun if heats else any(turn.decision.do == "play" for turn in match.turns)
