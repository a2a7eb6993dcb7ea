"""Validation of tables' messages: the one schema for every message, checked before anything is stored.

A message that passes fits its columns on every database, and can be rendered by every page of the hub. Other
fields (the rest of an event, the rest of a page) are stored and passed on as the table wrote them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from companion.errors import InvalidInput, ValidationError
from companion.match.record import Replay
from companion.publishing.events import State
from companion.publishing.sealed import Sealed
from companion.reply import Unit
from companion.table.names import LONGEST_SEAT, check_name

LONGEST_NAME: Final = 200  # letters of a table's name
LARGEST: Final[Mapping[str, int]] = {"here": 100, "events": 64 << 10, "page": 512 << 10, "records": 1 << 20}
"""Bytes of a message by kind: at least ten times the largest that a table publishes."""
MOST_SEATS: Final = 16
MOST_LINES: Final = 10_000  # of a record; a long game has 200
LONGEST_LINE: Final = 10_000
FIRST_YEAR: Final = 2000
LAST_YEAR: Final = 2099
_SHOWN: Final = 60  # letters of a value in a reason
_ESCAPED_NUL: Final = b"\\u0000"
_NUL: Final = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")

Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**31 - 1)]  # the range of an INTEGER column
Score: TypeAlias = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
Seat: TypeAlias = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
Place: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_SEATS)]
Short: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NAME)]
SeatNames: TypeAlias = Annotated[list[Short], Meta(max_length=MOST_SEATS)]


class TableMessage(NamedTuple):
    """A message of a table: the table and the kind of its topic (`here`, `page`, `events`, `records`).

    `key` and `signature`: its user properties of these names, None without them.
    """

    table: str
    what: str
    payload: bytes
    key: str | None = None
    signature: str | None = None


class Here(Struct, frozen=True):
    """True if a table is connected."""

    here: bool


class Event(Struct, frozen=True):
    """The fields of an event that a hub reads; `clock`: that of its table was not set, so `at` is wrong."""

    table: Short
    match: Number
    entry: Number
    previous: Number
    at: datetime
    state: State
    seats: SeatNames = []
    clock: Literal["unset"] | None = None


class Match(Struct, frozen=True):
    """The match of a page."""

    id: Number
    game: Short
    title: Short
    animal: Short
    seats: SeatNames
    finished: bool


class Row(Struct, frozen=True):
    """A row of the standings of a page."""

    seat: Seat
    name: Short
    kept: Score
    place: Place | None
    now: bool


class Chance(Struct, frozen=True):
    """A seat's probability to win, on a page."""

    seat: Seat
    name: Short
    p: Annotated[float, Meta(ge=0, le=1)]


class Odds(Struct, frozen=True):
    """The odds of a page."""

    rows: Annotated[list[Chance], Meta(max_length=MOST_SEATS)]


class View(Struct, frozen=True):
    """The fields of a page in one language that a hub reads."""

    match: Match | None
    standings: Annotated[list[Row], Meta(max_length=MOST_SEATS)]
    unit: Unit | None
    odds: Odds | None


class Page(Struct, frozen=True):
    """The fields of a page that a hub reads: the entry after which it was drawn, and the view by language."""

    seq: Number
    pages: Annotated[dict[Annotated[str, Meta(max_length=20)], View], Meta(max_length=20)]

    @property
    def match(self) -> int | None:
        """The number of the match on the table; None without one."""
        view = self.pages["en"]
        return None if view.match is None else view.match.id


Message: TypeAlias = Here | Event | Page | Sealed
S = TypeVar("S", bound=Struct)


def validated(message: TableMessage) -> Message:
    """Return the parsed message; InvalidInput with the reason if it is invalid.

    >>> validated(TableMessage("window-2", "here", b"gone"))
    Here(here=False)
    >>> validated(TableMessage("window-2", "page", b'{"seq": 1}'))
    Traceback (most recent call last):
    companion.errors.InvalidInput: Object missing required field `pages`
    """
    parse = _PARSERS.get(message.what)
    if parse is None:
        raise InvalidInput(f"a table publishes {', '.join(_PARSERS)}, not {message.what[:_SHOWN]!r}")
    check_table_name(message.table)
    if len(message.payload) > LARGEST[message.what]:
        raise InvalidInput(
            f"{len(message.payload)} bytes: {LARGEST[message.what]} is the most for {message.what}"
        )
    return parse(message)


def check_table_name(name: str) -> None:
    """Raise InvalidInput for a name that a table cannot have."""
    if not name.strip():
        raise InvalidInput("the table has no name")
    check_name(name, LONGEST_NAME)


def is_table_name(name: str) -> bool:
    """Return True if a table can have this name."""
    try:
        check_table_name(name)
    except InvalidInput:
        return False
    return True


def _here(message: TableMessage) -> Here:
    if message.payload not in (b"here", b"gone"):
        raise InvalidInput("here or gone was expected")
    return Here(message.payload == b"here")


def _event(message: TableMessage) -> Event:
    event = _decoded(message.payload, Event)
    _check_whose(event.table, message.table)
    (_check_time if event.clock is None else _in_utc)(event.at)
    if event.previous >= event.entry:
        raise InvalidInput(f"event {event.entry} follows event {event.previous}")
    _check_seats(event.seats)
    return event


def _page(message: TableMessage) -> Page:
    return parsed_page(message.payload)


@lru_cache(512)  # a page is shown first and stored then: it is parsed once
def parsed_page(body: str | bytes) -> Page:
    """Return the page in this JSON; InvalidInput if it is none."""
    page = _decoded(body, Page)
    if "en" not in page.pages:
        raise InvalidInput("the page is missing in English")
    for view in page.pages.values():
        _check_seats(view.match.seats if view.match else [])
        _check_seats([row.name for row in view.standings])
        _check_seats([row.name for row in view.odds.rows] if view.odds else [])
    return page


def _sealed(message: TableMessage) -> Sealed:
    record = _decoded(message.payload, Sealed)
    check_sealed(record)
    _check_whose(record.claim.table, message.table)
    return record


def check_sealed(record: Sealed) -> None:
    """Raise InvalidInput unless the claim of a sealed record fits the database; nothing is replayed yet."""
    claim = record.claim
    check_table_name(claim.table)
    for what, number in (("match", claim.match), ("entry", claim.entry)):
        if not 0 < number < 2**31:
            raise InvalidInput(f"{what} {_shown(number)}: a number from 1 to {2**31 - 1} was expected")
    claimed_at(record)
    if len(record.lines) > MOST_LINES or len(claim.digests) > MOST_LINES:
        raise InvalidInput(f"more than {MOST_LINES} lines")
    if any(len(line) > LONGEST_LINE for line in record.lines):
        raise InvalidInput(f"a line of more than {LONGEST_LINE} letters")
    for luck in claim.luck or []:
        for points in (luck.start, luck.end, luck.luck, luck.own, luck.others):
            if points is not None and not -1000 <= points <= 1000:
                raise InvalidInput(f"luck of {_shown(points)} points")


def check_game(game: Replay) -> None:
    """Raise InvalidInput unless the names and scores of a replayed record can be stored and shown."""
    assert game.race is not None
    standings = game.race.standings()
    _check_seats([standing.name for standing in standings])
    for standing in standings:
        if not -(2**31) <= standing.score < 2**31:
            raise InvalidInput(f"{standing.name} has a score of {_shown(standing.score)}")


def claimed_at(record: Sealed) -> datetime:
    """Return when the game ended by its table's clock, in UTC; InvalidInput if that is no time.

    It is wrong unless `is_dated`.
    """
    try:
        at = datetime.fromisoformat(record.claim.at)
    except ValueError:
        raise InvalidInput(
            f"{_shown(record.claim.at)} is no time: 2026-11-28T19:30:00+00:00 is one"
        ) from None
    return _check_time(at) if is_dated(record) else _in_utc(at)


def is_dated(record: Sealed) -> bool:
    """Return True if the clock of the table was set when the game ended."""
    return record.claim.clock is msgspec.UNSET


def _decoded(body: str | bytes, kind: type[S]) -> S:
    """Decode JSON by its type, with texts that every database holds."""
    try:
        decoded = msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidInput(str(error)) from None
    raw = body.encode() if isinstance(body, str) else body
    if _ESCAPED_NUL in raw and _NUL.search(raw):  # the first is fast, and says no for nearly every message
        raise InvalidInput("a text has the letter NUL, which PostgreSQL cannot store")
    return decoded


def _check_time(at: datetime) -> datetime:
    """Return a time of a clock that is set in UTC; InvalidInput if it is none, or no time of today."""
    at = _in_utc(at)
    if not FIRST_YEAR <= at.year <= LAST_YEAR:
        raise InvalidInput(f"the time {at.isoformat()}: is the table's clock right?")
    return at


def _in_utc(at: datetime) -> datetime:
    """Return this time in UTC; InvalidInput if it has no zone, or cannot be."""
    if at.tzinfo is None:
        raise InvalidInput(f"the time {at.isoformat()} has no zone: write +00:00 behind it")
    try:
        return at.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(f"the time {at.isoformat()} is not in any calendar") from None


def _check_whose(named: str, table: str) -> None:
    if named != table:
        raise InvalidInput(f"this is of {_shown(named)}, published by {_shown(table)}")


def _check_seats(names: list[str]) -> None:
    for name in names:
        if (reason := _against(name)) is not None:
            raise InvalidInput(reason)


@lru_cache(4096)  # a table says the same names with every message
def _against(name: str) -> str | None:
    """Return the reason why no seat can have this name; None if one can."""
    try:
        check_name(name, LONGEST_SEAT)
    except ValidationError as error:
        return str(error)
    return None


def _shown(value: object) -> str:
    text = ascii(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


_PARSERS: Final[Mapping[str, Callable[[TableMessage], Message]]] = {
    "here": _here,
    "page": _page,
    "events": _event,
    "records": _sealed,
}
