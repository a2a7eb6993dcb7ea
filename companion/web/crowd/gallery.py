"""The gallery of one table: the state of its crowd, thread-safe.

It is not stored: it is lost when the companion ends, for then the evening is over.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from companion.errors import ConflictError, RateLimitedError, validation_error
from companion.http.rate_limit import Allowances, Rate
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from companion.views.cheers import SIGNS, Cheer
from companion.views.crowd import Contest, Crowd, contest, favourites, may_do, runners, winners

MOST: Final = 200  # tipsters in an evening
LONGEST: Final = 16  # letters of a nickname
OF_ONE: Final = Rate(3, 2.0)  # cheers of a device
OF_ALL: Final = Rate(10, 0.1)


class Gallery:
    """The watchers of this table, their picks and their cheers. Every error is a sentence for them."""

    def __init__(self, table: Table, clock: Callable[[], float] = time.monotonic) -> None:
        self._table, self._clock = table, clock
        self._lock = threading.Lock()
        self._allowances = Allowances(OF_ONE, OF_ALL)
        self.crowd = Crowd()
        self.listeners: list[Callable[[Cheer], None]] = []
        table.listeners.append(self.follow)

    def follow(self, picture: Snapshot) -> None:
        """Settle contests that are over, reopen those that no longer are; called from the table's thread."""
        match = picture.match
        if match is not None:
            with self._lock:
                self.crowd = self.crowd.ended(match.id, winners(picture, match))

    def name(self, device: str, nickname: str) -> None:
        """Set the nickname of a device's tipster."""
        _match_of(self._table.snapshot)
        tidied = " ".join(nickname.split())
        if not 1 <= len(tidied) <= LONGEST or not tidied.isprintable():
            raise validation_error(N_("a nickname has 1 to {high} letters: choose another"), high=LONGEST)
        with self._lock:
            others = (one.nickname for known, one in self.crowd.tipsters.items() if known != device)
            if tidied.casefold() in (name.casefold() for name in others):
                raise ConflictError("taken", Sentence(_TAKEN, {"text": tidied}))
            self._has_room(device)
            self.crowd = self.crowd.named(device, tidied)

    def pick(self, device: str, what: Contest, seat: int | None, piece: str | None) -> None:
        """Record a seat, or a piece of the race, as a device's favourite, at the present odds."""
        picture = self._table.snapshot
        on_table = _match_of(picture)
        if contest(on_table) != what or may_do(picture) != "open":
            raise ConflictError("closed", Sentence(_CLOSED))
        runner = _number(on_table, seat, piece)
        with self._lock:
            self._has_room(device)
            self.crowd = self.crowd.picked(device, what, favourites(picture, on_table)[runner])

    def cheer(self, device: str, sign: str, seat: int | None = None, piece: str | None = None) -> None:
        """Send a cheer to every page, for a seat or a piece or for all; RateLimitedError for too many."""
        picture = self._table.snapshot
        match = _match_of(picture)
        if sign not in SIGNS:
            raise validation_error(N_("there is no such sign: {text}"), text=sign)
        if seat is not None or piece is not None:
            _number(match, seat, piece)
        if not self._allowances.take(device, self._clock()):
            raise RateLimitedError("wait", Sentence(_BREATH))
        for listener in self.listeners:
            listener(Cheer(sign=sign, seat=seat, piece=piece))

    def _has_room(self, device: str) -> None:
        if device not in self.crowd.tipsters and len(self.crowd.tipsters) >= MOST:
            raise ConflictError("full", Sentence(_FULL))


def _number(match: Match, seat: int | None, piece: str | None) -> int:
    """Return the number of a favourite: a piece if pieces are picked, else a seat."""
    pieces = runners(match)
    if pieces:
        if piece not in pieces:
            raise validation_error(N_("no such piece runs: pick one that does"))
        return pieces.index(piece)
    if seat is None or not 0 <= seat < len(match.race.seats):
        raise validation_error(_NO_SEAT)
    return seat


def _match_of(picture: Snapshot) -> Match:
    """Return the match in which watchers take part now; ConflictError if there is none."""
    if not picture.switches.crowd:
        raise ConflictError("off", Sentence(_OFF))
    if picture.match is None:
        raise ConflictError("no-match", Sentence(_NO_MATCH))
    return picture.match


_OFF = N_("the host has switched this off: just watch")
_NO_MATCH = N_("no game is running: wait for the next one")
_CLOSED = N_("the first card is played: pick a favourite next time")
_NO_SEAT = N_("there is no such seat")
_TAKEN = N_("somebody else is called {text} already: choose another nickname")
_FULL = N_("there are as many tipsters as there is room for: just watch")
_BREATH = N_("that was a lot of cheering: take a breath, then cheer again")
