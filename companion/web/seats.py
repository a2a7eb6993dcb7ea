"""Seats and devices: the code to join with, the devices that hold the seats, and their permissions.

A phone that has lost its cookie is another device: it asks for its seat, and the host hands it over. The code
alone does not give it a seat that is held: everyone at the table knows the code, and the phone that holds the
seat may be asleep.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from companion.errors import ConflictError, NotFoundError
from companion.games.race import Race
from companion.games.terms import Decision
from companion.http.roles import Forbidden, Tries
from companion.match.match import Match
from companion.match.record import decision_of
from companion.message import N_, Sentence
from companion.store.keys import Key
from companion.table.table import Table
from companion.views.seat.page import Seating
from companion.web.doorbell import Doorbell

LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # no 0 and O, no 1 and I, which look alike
CODE_LENGTH: Final = 4
HOLDERS: Final[Key[dict[str, str]]] = Key("seats", dict[str, str], {})
FIRST_NUMBER: Final = 10
NUMBERS: Final = 90  # two figures: read out across a table
REQUEST_S: Final = 300.0  # seconds that a phone may ask for a seat
JOIN_CODE: Final[Key[str | None]] = Key("join code", str, None)


class Asker(NamedTuple):
    """The device of a request: its name, if it has one, and True if it has the role of the table."""

    device: str | None
    table: bool


class Renamed(NamedTuple):
    """A device and its new name; `was` None: it had no name."""

    was: str | None
    now: str


class SeatRequest(NamedTuple):
    """A device's request for a seat that another one, `holder`, held in this match at that time.

    `number` is shown on its screen, so that the host can identify the phone; `since` in seconds.
    """

    device: str
    holder: str
    match: int
    number: int
    since: float


class Seats:
    """The seats of one table and the devices that hold them.

    A seat is held by its name, so that its phone stays with it in the next game and over a restart.
    """

    def __init__(self, table: Table, clock: Callable[[], float] = time.monotonic) -> None:
        self._table, self._clock = table, clock
        self._tries = Tries("wrong-code", _WRONG_CODE, _WAIT)
        self._holders: Mapping[str, str] = table.ask(lambda t: t.journal.recall(HOLDERS))
        self._requests: Mapping[int, SeatRequest] = {}  # by seat, including expired ones
        self.listeners: list[Callable[[], None]] = []
        self.doorbell = Doorbell(self._notify, clock)

    def code(self) -> str:
        """Return the code to join with: made once and stored."""
        return self._table.ask(_stored_code)

    # --- seating ---------------------------------------------------------------------------------

    def seat_of(self, device: str | None, match: Match | None) -> int | None:
        """Return the seat of this match that a device holds; None if it holds none."""
        if device is None or match is None:
            return None
        names = match.header.seats
        held = (s for s, name in enumerate(names) if self._holders.get(name) == device)
        return next((seat for seat in held if not match.bots[seat]), None)

    def joined(self, match: Match | None) -> frozenset[int]:
        """Return the seats of this match that a device holds."""
        names = match.header.seats if match else ()
        return frozenset(
            s for s, name in enumerate(names) if name in self._holders and not (match and match.bots[s])
        )

    def seating(self, match: Match | None) -> Seating:
        """Return the seats of this match that are held, and what devices ask for."""
        asking = {seat: request.number for seat, request in self._asking(match).items()}
        return Seating(self.joined(match), asking, len(self.doorbell.waiting()))

    def _asking(self, match: Match | None) -> dict[int, SeatRequest]:
        """Return the requests for seats of this match that are still held by the same device as then."""
        held = {} if match is None else {s: self._holders.get(n) for s, n in enumerate(match.header.seats)}
        return {
            seat: request
            for seat, request in self._requests.items()
            if match is not None
            and (request.match, request.holder) == (match.id, held.get(seat))
            and self._clock() - request.since < REQUEST_S
        }

    def join(self, device: Renamed, address: str, code: str, seat: int) -> None:
        """Let a device hold a seat. Raises Forbidden for a wrong code, ConflictError for a taken seat."""
        self._check_code(address, code)
        self._table.ask(lambda table: self._take(table, device, seat))

    def ask(self, device: Renamed, address: str, code: str, seat: int) -> int:
        """Ask the host for a seat that another device holds; return the number to show for it.

        Raises Forbidden for a wrong code, ConflictError if the seat is free or asked for by another device.
        """
        self._check_code(address, code)
        return self._table.ask(lambda table: self._ask(table, device, seat))

    def answer(self, seat: int, number: int, hand_over: bool) -> None:
        """Hand the seat over to the device that asks and shows this number, or not.

        Raises ConflictError if none does.
        """
        self._table.ask(lambda table: self._answer(table, seat, number, hand_over))

    def _check_code(self, address: str, code: str) -> None:
        typed = code.strip().upper().encode()
        self._tries.check(address, lambda: hmac.compare_digest(typed, self.code().encode()))

    def follow(self, device: Renamed) -> None:
        """Transfer the seat and drop the request of a device that gets a new name."""
        self._table.ask(lambda table: self._follow(table, device))

    def holds(self, device: str | None) -> bool:
        """Return True if a device of this name holds a seat, of this match or of another."""
        return device in self._holders.values()

    def free(self, seat: int) -> None:
        """Free this seat."""
        self._table.ask(lambda table: self._leave(table, seat))

    def rename(self, seat: int, name: str) -> None:
        """Rename a seat; the device that holds it continues to hold it."""
        self._table.ask(lambda table: self._rename(table, seat, name))

    def _rename(self, table: Table, seat: int, name: str) -> None:
        if table.match is None:
            raise ConflictError("no-match", Sentence(_NO_MATCH))
        was, held = _name(table.match, seat), self._holders
        if was not in held:
            table.rename_seat(seat, name)
            return
        self._hold(table, {**held, name: held[was]})  # so that the device never loses sight of its seat
        try:
            table.rename_seat(seat, name)
        except ValueError:
            self._hold(table, held)
            raise
        if name != was:
            self._hold(table, {n: device for n, device in self._holders.items() if n != was})

    def _follow(self, table: Table, device: Renamed) -> None:
        self._requests = {s: one for s, one in self._requests.items() if one.device != device.was}
        if self.holds(device.was):
            held = {n: device.now if d == device.was else d for n, d in self._holders.items()}
            self._hold(table, held)

    def _take(self, table: Table, device: Renamed, seat: int) -> None:
        match = table.match
        if match is None:
            raise ConflictError("no-match", Sentence(_NO_MATCH))
        name = _name(match, seat)
        _check_person(match, seat)
        if self._holders.get(name, device.was) != device.was:
            raise ConflictError("taken", Sentence(_TAKEN, {"seat": seat}))
        mine = self.seat_of(device.was, match)
        if mine not in (None, seat):
            raise ConflictError("seated", Sentence(_SEATED, {"seat": mine}))
        self._requests = {s: one for s, one in self._requests.items() if one.device != device.was}
        others = {n: held_by for n, held_by in self._holders.items() if held_by != device.was}
        self._hold(table, {**others, name: device.now})

    def _ask(self, table: Table, device: Renamed, seat: int) -> int:
        match = table.match
        if match is None:
            raise ConflictError("no-match", Sentence(_NO_MATCH))
        holder = self._holders.get(_name(match, seat))
        _check_person(match, seat)
        mine = self.seat_of(device.was, match)
        if mine is not None:
            raise ConflictError("seated", Sentence(_SEATED, {"seat": mine}))
        if holder is None:
            raise ConflictError("free", Sentence(_FREE, {"seat": seat}))
        asking = self._asking(match)
        earlier = asking.get(seat)
        if earlier is not None and earlier.device != device.was:
            raise ConflictError("asked", Sentence(_ASKED, {"seat": seat}))
        number = earlier.number if earlier else FIRST_NUMBER + secrets.randbelow(NUMBERS)
        request = SeatRequest(device.now, holder, match.id, number, self._clock())
        self._requests = {s: one for s, one in asking.items() if one.device != device.was} | {seat: request}
        self._notify()
        return number

    def _answer(self, table: Table, seat: int, number: int, hand_over: bool) -> None:
        asking = self._asking(table.match)
        request = asking.pop(seat, None)
        if table.match is None or request is None or request.number != number:
            raise ConflictError("not-asked", Sentence(_NOT_ASKED))
        if hand_over:
            self._hold(table, {**self._holders, _name(table.match, seat): request.device})
        self._requests = asking
        self._notify()

    def _leave(self, table: Table, seat: int) -> None:
        if table.match is None:
            raise ConflictError("no-match", Sentence(_NO_MATCH))
        name = _name(table.match, seat)
        if name in self._holders:
            self._hold(table, {n: device for n, device in self._holders.items() if n != name})

    def _hold(self, table: Table, held: Mapping[str, str]) -> None:
        table.journal.remember(HOLDERS, dict(held))
        self._holders = held
        self._notify()

    def _notify(self) -> None:
        for listener in self.listeners:
            listener()

    # --- permissions -----------------------------------------------------------------------------

    def readable(self, asker: Asker, match: Match | None, requested: int | None) -> int:
        """Return the seat whose own view this device may have.

        That is its own, or (the table) one that no device holds. Forbidden for any other; ConflictError if
        there is no match.
        """
        mine = self.seat_of(asker.device, match)
        if mine is not None and requested in (None, mine):
            return mine
        if requested is None or not asker.table:
            raise Forbidden("role", Sentence(NO_SEAT))
        if match is None:
            raise ConflictError("no-match", Sentence(_NO_MATCH))
        _name(match, requested)
        _check_person(match, requested)
        if requested in self.joined(match):
            raise Forbidden("role", Sentence(_ON_ITS_PHONE, {"seat": requested}))
        return requested

    def decide(self, table: Table, asker: Asker, seq: int, line: Mapping[str, Any]) -> None:
        """Pass a device's decision to the table, in its thread; Forbidden if it is not this device's."""
        match = table.match
        mine = self.seat_of(asker.device, match)
        if not asker.table and mine is None:
            raise Forbidden("role", Sentence(_NEEDS_SEAT))
        if match is not None:
            self._check(asker, mine, match, decision_of(match.race, line))
        table.play.decide(seq, line)

    def _check(self, asker: Asker, mine: int | None, match: Match, decision: Decision) -> None:
        """Raise Forbidden before any rule is applied: a rule's answer about a hand is for its owner only."""
        seat = whose(match.race, decision)
        if seat is not None and 0 <= seat < len(match.bots):
            _check_person(match, seat)
        if mine is not None and seat == mine:
            return
        if not asker.table:
            raise Forbidden("role", Sentence(_NOT_YOURS, {"seat": mine}))
        if seat in self.joined(match) and match.hides(decision.do):
            raise Forbidden("role", Sentence(_ON_ITS_PHONE, {"seat": seat}))


def whose(race: Race, decision: Decision) -> int | None:
    """Return the seat that makes this decision: the one it names, else the only seat that owes it."""
    if race.forms[decision.do].seat:
        return decision.seat
    due = race.awaits()
    return due.seats[0] if due and due.do == decision.do and len(due.seats) == 1 else None


def _check_person(match: Match, seat: int) -> None:
    """Raise Forbidden if a bot has the seat: no one else may see or play its cards."""
    if match.bots[seat]:
        raise Forbidden("role", Sentence(_A_BOT, {"seat": seat}))


def _name(match: Match, seat: int) -> str:
    if not 0 <= seat < len(match.header.seats):
        raise NotFoundError("unknown", Sentence(N_("there is no such seat")))
    return match.header.seats[seat]


def _stored_code(table: Table) -> str:
    code = table.journal.recall(JOIN_CODE)
    if code is None:
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        table.journal.remember(JOIN_CODE, code)
    return code


_A_BOT = N_("{seat} is played by the companion: it decides by itself")
_WRONG_CODE = N_("that is not the code: it stands on the table page")
_WAIT = N_("five wrong codes: wait a minute, then try again")
_NO_MATCH = N_("no game is running: seats are taken once the host has started one")
_TAKEN = N_("{seat}'s seat is taken by another device: the host can free it")
_FREE = N_("nobody holds {seat}'s seat: take it")
_ASKED = N_("another phone asks for {seat}'s seat already: wait until the host has answered")
_NOT_ASKED = N_("this phone does not ask for the seat any longer: let it ask again")
_SEATED = N_("this device holds {seat}'s seat already: the host can free it")
NO_SEAT = N_("this device holds no such seat: join with the code that stands on the table page")
_NEEDS_SEAT = N_("only the table or the seat that is due may do this: join with the code first")
_NOT_YOURS = N_("this device decides for {seat} only: the table decides for the others")
_ON_ITS_PHONE = N_("only the device that holds {seat}'s seat may do this: the host can free it")
