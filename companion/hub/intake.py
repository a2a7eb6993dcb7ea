"""Store the messages of tables: each event once, the newest page, and valid records.

Every message is validated first (validation.py). An invalid one is quarantined with the reason, and the
others continue. One process stores, so it caches the state of tables. A batch is one transaction of few
statements, however large it is: the listener acknowledges messages once `take` has returned. A message that
arrives twice changes nothing.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import count
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Engine, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from companion.errors import InvalidInput
from companion.hub import schema
from companion.hub.database import utc
from companion.hub.key_values import get, put
from companion.hub.redaction import redacted
from companion.hub.validation import (
    LONGEST_NAME,
    Event,
    Here,
    Message,
    Page,
    TableMessage,
    check_game,
    claimed_at,
    is_dated,
    validated,
)
from companion.match.record import Replay
from companion.publishing.sealed import Sealed, opened
from companion.publishing.signing import is_signed

MOST_QUARANTINED: Final = 100  # of one table; older ones make room
LARGEST_QUARANTINED: Final = 64 << 10  # bytes of a message that cannot be accepted later
LONGEST_KIND: Final = 10
SIGNED: Final = ("events", "page")  # kinds of messages that a table signs one by one; records are sealed
_FORGOTTEN: Final = "· "
_CHANGES: Final = "changes of tables"  # how often tables or withheld matches have changed
_TO_CLEAR: Final = "retained to delete"  # names of tables, as JSON

M = TypeVar("M", bound=Struct)

_is_signed = lru_cache(512)(is_signed)  # a page is shown first and stored then: it is checked once

log = logging.getLogger(__name__)


class Known(NamedTuple):
    """The cached state of a table between two batches."""

    id: int
    last_entry: int
    key: str | None
    shown: bool  # whether there is a page of it


class Intake:
    """Storage of tables' messages; `later`: records wait in the database for the judge (judge.py)."""

    def __init__(self, engine: Engine, later: bool = False) -> None:
        self._engine, self._later = engine, later
        self._known: dict[str, Known] = {}
        self._changes: str | None = None
        self._withheld: set[tuple[int, int]] | None = None  # None: not loaded yet
        self._keys: dict[str, tuple[int, str | None]] = {}  # by table: its number and key
        self._served: dict[str, int] = {}  # by table: its last turn to have a record replayed
        self._turn = count(1)

    def take(self, batch: Iterable[TableMessage], now: datetime | None = None) -> None:
        """Store all messages; each one that is invalid, or that the database rejects, is quarantined.

        Raises what SQLAlchemy raises if the database is away: nothing is stored then, and the same batch may
        be taken again.
        """
        now = now or datetime.now(UTC)
        valid: list[tuple[TableMessage, Message]] = []
        invalid: list[tuple[TableMessage, str]] = []
        for message in batch:
            if not message.payload:
                continue  # a retained message was deleted
            try:
                valid.append((message, validated(message)))
            except InvalidInput as error:
                invalid.append((message, str(error)))
        try:
            self._store(valid, invalid, now)
        except Exception as error:
            if is_away(error):
                raise
            log.exception("a batch of %s messages was rejected: each is stored by itself", len(valid))
            self._store([], invalid, now)
            for one in valid:
                self._store_alone(one, now)

    def settle(self) -> bool:
        """Replay and store a record that waits; return True if there was one.

        The table that was served longest ago comes first, so that no table delays another.
        """
        w = schema.waiting.c
        oldest = select(w.table, func.min(w.id).label("id")).group_by(w.table)
        with self._engine.connect() as db:
            tables = db.execute(oldest).all()
            if not tables:
                self._served.clear()
                return False
            first = min(tables, key=lambda row: (self._served.get(row.table, 0), row.id))
            found = db.execute(select(w.id, w.table, w.at, w.body).where(w.id == first.id)).one_or_none()
        if found is None:
            return True  # it was deleted meanwhile
        self._served[found.table] = next(self._turn)
        message, at = TableMessage(found.table, "records", found.body.encode()), utc(found.at)

        def store(db: Connection) -> None:
            self._check_changes(db)
            self._one_record(db, message, at)
            db.execute(delete(schema.waiting).where(w.id == found.id))

        def quarantine(db: Connection, error: Exception) -> None:
            _quarantine(db, message, at, _unexpected(error))
            db.execute(delete(schema.waiting).where(w.id == found.id))

        self._one_of(message, store, quarantine)
        return True

    def _store(
        self,
        valid: Sequence[tuple[TableMessage, Message]],
        invalid: Sequence[tuple[TableMessage, str]],
        now: datetime,
    ) -> None:
        try:
            with self._engine.begin() as db:
                self._check_changes(db)
                self._all(db, valid, now)
                for message, reason in invalid:
                    _quarantine(db, message, now, reason)
        except BaseException:
            self._known.clear()  # it may contain changes that the database has rolled back
            raise

    def _store_alone(self, one: tuple[TableMessage, Message], now: datetime) -> None:
        def store(db: Connection) -> None:
            self._check_changes(db)
            self._all(db, [one], now)

        self._one_of(one[0], store, lambda db, error: _quarantine(db, one[0], now, _unexpected(error)))

    def _one_of(
        self,
        message: TableMessage,
        store: Callable[[Connection], None],
        quarantine: Callable[[Connection, Exception], None],
    ) -> None:
        """Run `store` in a transaction; if it fails for this message, `quarantine` in another."""
        try:
            with self._engine.begin() as db:
                store(db)
        except Exception as error:
            self._known.clear()
            if is_away(error):
                raise
            log.exception("%s: %s quarantined", message.table, message.what)
            with self._engine.begin() as db:
                quarantine(db, error)

    def bring(self, body: bytes, now: datetime | None = None) -> Sealed:
        """Store a sealed record from a file; raises InvalidInput or RecordError if it is invalid."""
        now = now or datetime.now(UTC)
        try:
            record = msgspec.json.decode(body, type=Sealed)
        except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
            raise InvalidInput(f"this is no sealed record: {error}") from None
        message = TableMessage(record.claim.table, "records", body)
        validated(message)
        try:
            with self._engine.begin() as db:
                self._record(db, message, now)
        except Exception as error:
            self._known.clear()
            if is_away(error) or isinstance(error, InvalidInput):
                raise
            log.exception("%s: records refused", message.table)
            raise InvalidInput(_unexpected(error)) from None
        return record

    def accept(self, table: str, now: datetime | None = None) -> int:
        """Accept another machine as this table: store its quarantined records; return their number.

        Its numbers start anew, so the data of the machine before it stays under its name with this day.
        """
        now = now or datetime.now(UTC)
        c, refused = schema.tables.c, schema.refused.c
        with self._engine.begin() as db:
            if (number := db.execute(select(c.id).where(c.name == table)).scalar()) is not None:
                former = f"{table} until {now:%Y-%m-%d} ({number})"
                db.execute(update(schema.tables).where(c.id == number).values(name=former, here=False))
                changed(db)
            self._known.pop(table, None)
            mine = (refused.table == table) & (refused.kind == "records")
            waiting = db.execute(select(refused.at, refused.body).where(mine).order_by(refused.id)).all()
            db.execute(delete(schema.refused).where(mine))
            for heard, body in waiting:
                self._one_record(db, TableMessage(table, "records", body.encode()), utc(heard))
        return len(waiting)

    def _check_changes(self, db: Connection) -> None:
        """Reload the cache of tables and withheld matches if another process has changed them."""
        if (changes := get(db, _CHANGES)) != self._changes:
            self._known.clear()
            self._withheld = None
            self._changes = changes
        if self._withheld is None:
            self._withheld = withheld(db)

    def _is_withheld(self, table: str, match: int | None) -> bool:
        return match is not None and (self._known[table].id, match) in (self._withheld or ())

    def to_clear(self) -> list[str]:
        """Return the tables whose retained messages should be deleted at the broker, and clear the list."""
        with self._engine.connect() as db:
            if get(db, _TO_CLEAR) is None:
                return []
        with self._engine.begin() as db:
            names = json.loads(get(db, _TO_CLEAR) or "[]")
            db.execute(delete(schema.key_values).where(schema.key_values.c.key == _TO_CLEAR))
        return [str(name) for name in names]

    def _all(self, db: Connection, batch: Sequence[tuple[TableMessage, Message]], now: datetime) -> None:
        """Store events before records: the events up to a record decide if its game counts."""
        here = _of(batch, Here)
        self._meet(db, {message.table for message, parsed in batch if not isinstance(parsed, Sealed)}, now)
        genuine = [(message, parsed) for message, parsed in batch if self._is_genuine(db, message, now)]
        pages, events = _of(genuine, Page), _of(genuine, Event)
        self._here(db, here, now)
        self._pages(db, pages)
        self._events(db, events, now)
        records = [message for message, _ in _of(batch, Sealed)]
        if self._later:
            rows = [
                {"table": message.table, "at": now, "body": _text(message.payload)} for message in records
            ]
            _each(db, insert(schema.waiting), rows)
        else:
            for message in records:
                self._one_record(db, message, now)

    def load(self) -> None:
        """Load the keys of all tables and the withheld matches, for `may_show`."""
        t = schema.tables.c
        with self._engine.connect() as db:
            self._check_changes(db)
            self._keys = {row.name: (row.id, row.key) for row in db.execute(select(t.name, t.id, t.key))}

    def may_show(self, message: TableMessage, page: Page) -> bool:
        """Return True if a page may be shown: signed by its table's key, of no withheld match.

        Called from any thread: it uses the cache of the last batch.
        """
        number, key = self._keys.get(message.table, (None, None))
        if number is not None and (number, page.match) in (self._withheld or ()):
            return False
        if message.key is None or message.signature is None:
            return key is None
        if key not in (None, message.key):
            return False
        return _is_signed(message.key, message.signature, message.table, message.what, message.payload)

    def _is_genuine(self, db: Connection, message: TableMessage, now: datetime) -> bool:
        """Return True if the table of an event or page has signed it; quarantine one that it has not.

        The first key that signs a message or a record of a table is its key from then on. Until then messages
        without a signature are stored too.
        """
        if message.what not in SIGNED:
            return True
        known = self._known[message.table]
        if message.key is None or message.signature is None:
            if known.key is not None:
                _quarantine(db, message, now, "it is not signed, and the messages before it were")
            return known.key is None
        if known.key not in (None, message.key):
            _quarantine(db, message, now, _other_key(message.table))
            return False
        if not _is_signed(message.key, message.signature, message.table, message.what, message.payload):
            _quarantine(db, message, now, "its signature is wrong")
            return False
        if known.key is None:
            self._believe(db, message.table, message.key)
        return True

    def _believe(self, db: Connection, table: str, key: str) -> None:
        """Store the key of a table."""
        mine = schema.tables.c.id == self._known[table].id
        db.execute(update(schema.tables).where(mine).values(key=key))
        self._known[table] = self._known[table]._replace(key=key)
        self._keys[table] = (self._known[table].id, key)

    def _one_record(self, db: Connection, message: TableMessage, now: datetime) -> None:
        try:
            self._record(db, message, now)
        except InvalidInput as error:
            _quarantine(db, message, now, str(error))

    # --- messages by kind ------------------------------------------------------------------------

    def _here(self, db: Connection, batch: Sequence[tuple[TableMessage, Here]], now: datetime) -> None:
        """Store which tables are connected; a repeated "gone" does not change its time."""
        last = {message.table: said.here for message, said in batch}
        t = schema.tables.c
        for is_here in (True, False):
            of = [{"of": self._known[table].id} for table, here in last.items() if here == is_here]
            changes = update(schema.tables).where(t.id == bindparam("of")).values(here=is_here, heard=now)
            _each(db, changes if is_here else changes.where(t.here), of)

    def _pages(self, db: Connection, batch: Sequence[tuple[TableMessage, Page]]) -> None:
        newest = {
            message.table: {"seq": page.seq, "body": message.payload.decode()}
            for message, page in batch
            if not self._is_withheld(message.table, page.match)
        }
        first = [table for table in newest if not self._known[table].shown]
        _each(
            db,
            update(schema.pages).where(schema.pages.c.table_id == bindparam("of")),
            [{"of": self._known[table].id, **page} for table, page in newest.items() if table not in first],
        )
        _each(
            db,
            insert(schema.pages),
            [{"table_id": self._known[table].id, **newest[table]} for table in first],
        )
        for table in first:
            self._known[table] = self._known[table]._replace(shown=True)

    def _events(self, db: Connection, batch: Sequence[tuple[TableMessage, Event]], now: datetime) -> None:
        new: list[dict[str, Any]] = []
        gaps: dict[str, int] = {}
        going: set[tuple[int, int]] = set()
        for message, event in batch:
            known = self._known[message.table]
            if event.entry <= known.last_entry:
                continue
            missing = known.last_entry > 0 and event.previous > known.last_entry
            if missing:
                log.warning(
                    "%s: events between %s and %s are missing", message.table, known.last_entry, event.entry
                )
            gaps[message.table] = gaps.get(message.table, 0) + missing
            self._known[message.table] = known._replace(last_entry=event.entry)
            if event.state != "finished":
                going.add((known.id, event.match))
            if self._is_withheld(message.table, event.match):
                continue
            new.append(
                {
                    "table_id": known.id,
                    "entry": event.entry,
                    "match": event.match,
                    "at": event.at,
                    "heard": now,
                    "state": event.state,
                    "body": message.payload.decode(),
                }
            )
        t, g = schema.tables.c, schema.games.c
        _each(db, insert(schema.events), new)
        _each(
            db,
            update(schema.tables)
            .where(t.id == bindparam("of"))
            .values(told=bindparam("last"), gaps=t.gaps + bindparam("more"), heard=bindparam("now")),
            [
                {"of": known.id, "last": known.last_entry, "more": more, "now": now}
                for known, more in ((self._known[table], more) for table, more in gaps.items())
            ],
        )
        _each(
            db,
            update(schema.games)
            .where(g.table_id == bindparam("of"), g.match == bindparam("which"))
            .values(counts=False),
            [{"of": table, "which": match} for table, match in sorted(going)],
        )

    def _record(self, db: Connection, message: TableMessage, now: datetime) -> None:
        record = validated(message)
        assert isinstance(record, Sealed)
        game = opened(record)
        check_game(game)
        known = self._table_anew(db, message.table, now)
        if known.key not in (None, record.key):
            raise InvalidInput(_other_key(message.table))
        self._store_game(db, known, record, game, now)
        if known.key is None:
            self._believe(db, message.table, record.key)

    def _store_game(self, db: Connection, known: Known, record: Sealed, game: Replay, now: datetime) -> None:
        claim, games = record.claim, schema.games.c
        mine = (games.table_id == known.id) & (games.match == claim.match)
        before = db.execute(select(games.id, games.entry, games.heard).where(mine)).one_or_none()
        if before is not None and before.entry > claim.entry:
            return  # an earlier end of a game that was continued and has ended again since
        whose = (
            _name_kinds(db, before.id)
            if before is not None
            else self._former(db, known.id, claim.match, game)
        )
        former = [seat for seat, is_ in whose.items() if is_ == "forgotten"]
        later = (
            select(func.count())
            .where(schema.events.c.table_id == known.id, schema.events.c.match == claim.match)
            .where(schema.events.c.entry > claim.entry, schema.events.c.state != "finished")
        )
        arrived = (
            _arrival_times(db, known.id, record, now) if before is None else {"heard": utc(before.heard)}
        )
        values = {
            "entry": claim.entry,
            "at": claimed_at(record) if is_dated(record) else arrived["heard"],
            "game": game.header.game if game.header else "",
            "counts": not db.execute(later).scalar(),
            "sealed": msgspec.json.encode(redacted(record, former)).decode(),
        }
        if before is not None:  # its number is part of addresses, so it stays
            number = before.id
            db.execute(update(schema.games).where(mine).values(values))
            db.execute(delete(schema.results).where(schema.results.c.game_id == number))
        else:
            values |= {
                "table_id": known.id,
                "match": claim.match,
                **arrived,
            }
            made = db.execute(insert(schema.games).values(values))
            assert made.inserted_primary_key is not None
            number = made.inserted_primary_key[0]
        seats = [{"game_id": number, **row} for row in rows(game, record)]
        for row in seats:
            row["whose"] = whose.get(row["seat"], "name")
            if row["whose"] == "forgotten":
                row["name"] = forgotten_name(row["seat"])
        _each(db, insert(schema.results), seats)

    def _former(self, db: Connection, table: int, match: int, game: Replay) -> dict[int, str]:
        """Return the seats of players who were forgotten before this record arrived."""
        if (table, match) not in (self._withheld or ()):
            return {}
        w, f = schema.withheld.c, schema.forgettings.c
        asked = (
            select(f.backup)
            .join_from(schema.withheld, schema.forgettings)
            .where(w.table_id == table, w.match == match, f.backup.is_not(None))
        )
        names = {name for backup in db.execute(asked).scalars() for name in json.loads(backup)["names"]}
        seats = game.race.seats if game.race is not None else ()
        return {seat: "forgotten" for seat, name in enumerate(seats) if name in names}

    def _table_anew(self, db: Connection, name: str, now: datetime) -> Known:
        """Reload a table from the database: another process may have stored a key for it."""
        self._known.pop(name, None)
        self._meet(db, {name}, now)
        return self._known[name]

    def _meet(self, db: Connection, names: set[str], now: datetime) -> None:
        """Load these tables into the cache; insert a row for new ones."""
        if not (strange := names - self._known.keys()):
            return
        t, p = schema.tables.c, schema.pages.c
        asked = (
            select(t.name, t.id, t.told, t.key, p.table_id.is_not(None))
            .join_from(schema.tables, schema.pages, isouter=True)
            .where(t.name.in_(strange))
        )
        values = {"told": 0, "gaps": 0, "here": False, "heard": now}
        new = strange - {row.name for row in db.execute(asked)}
        _each(db, insert(schema.tables), [{"name": name, **values} for name in sorted(new)])
        met = {name: Known(*known) for name, *known in db.execute(asked)}
        self._known |= met
        self._keys |= {name: (known.id, known.key) for name, known in met.items()}


def rows(game: Replay, record: Sealed) -> Iterator[dict[str, Any]]:
    """Yield the rows of `results` for a finished game, one for each seat."""
    assert game.race is not None
    standings = game.race.standings()
    first = [standing.seat for standing in standings if standing.place == 1]
    luck = record.claim.luck
    for standing in standings:
        yield {
            "seat": standing.seat,
            "name": standing.name,
            "score": standing.score,
            "place": standing.place,
            "victory": 1 / len(first) if standing.seat in first else 0.0,
            "luck": luck[standing.seat].luck if luck is not None and standing.seat < len(luck) else None,
        }


def withheld(db: Connection) -> set[tuple[int, int]]:
    """Return the matches of which no page and no event is stored: table and match."""
    w = schema.withheld.c
    return {(row.table_id, row.match) for row in db.execute(select(w.table_id, w.match))}


def changed(db: Connection, to_clear: Iterable[int] = ()) -> None:
    """Mark tables or withheld matches as changed, for the other processes.

    `to_clear`: tables whose retained messages the listener deletes at the broker.
    """
    put(db, _CHANGES, str(int(get(db, _CHANGES) or 0) + 1))
    t = schema.tables.c
    if names := list(db.execute(select(t.name).where(t.id.in_(list(to_clear)))).scalars()):
        waiting = set(json.loads(get(db, _TO_CLEAR) or "[]"))
        put(db, _TO_CLEAR, json.dumps(sorted(waiting.union(names))))


def _arrival_times(db: Connection, table: int, record: Sealed, now: datetime) -> dict[str, datetime | None]:
    """Return the hub's time of a match's end (of the event that ended it, else `now`), and of its begin.

    `began` is None if its events did not arrive while it was played, but together or not at all: if they
    arrived within less than half the time that the game took by its table's clock. If that clock was set
    during the game, the first of them must have arrived before its end.
    """
    claim, e = record.claim, schema.events.c
    asked = select(e.at, e.heard, e.body).where(e.table_id == table, e.match == claim.match)
    ended = db.execute(asked.where(e.entry == claim.entry)).one_or_none()
    first = db.execute(asked.order_by(e.entry).limit(1)).one_or_none()
    heard = now if ended is None else min(now, utc(ended.heard))
    if first is None:
        return {"heard": heard, "began": None}
    began, was_dated = utc(first.heard), msgspec.json.decode(first.body, type=_Dated).clock is None
    if was_dated and not is_dated(record):  # a game that was resumed: nothing says how long it took
        return {"heard": heard, "began": None}
    is_repaired = is_dated(record) and not was_dated
    took = claimed_at(record) - (began if is_repaired else utc(first.at))
    in_play = began < heard and heard - began >= took / 2 and not (is_repaired and took <= timedelta(0))
    return {"heard": heard, "began": began if in_play else None}


class _Dated(Struct):
    """Whether an event was written while the clock was set, read from its body."""

    clock: str | None = None


def forgotten_name(seat: int) -> str:
    """Return the replacement for the name of a forgotten player in a game."""
    return f"{_FORGOTTEN}{seat + 1}"


def is_forgotten_name(name: str) -> bool:
    """Return True if this is such a replacement for a name."""
    return name.startswith(_FORGOTTEN)


def _text(payload: bytes) -> str:
    """Return a payload as a text that any database can store."""
    return payload.decode("utf-8", "backslashreplace").replace("\0", "\\x00")


def _name_kinds(db: Connection, game: int) -> dict[int, str]:
    c = schema.results.c
    return {row.seat: row.whose for row in db.execute(select(c.seat, c.whose).where(c.game_id == game))}


def _of(batch: Iterable[tuple[TableMessage, Message]], kind: type[M]) -> list[tuple[TableMessage, M]]:
    return [(message, parsed) for message, parsed in batch if isinstance(parsed, kind)]


def _each(db: Connection, statement: Any, rows: Sequence[dict[str, Any]]) -> None:
    """Execute the statement for all rows, in one query."""
    if rows:
        db.execute(statement, rows)


def is_away(error: BaseException) -> bool:
    """Return True if this error means that the database cannot be used now, independent of the message."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return isinstance(error, OperationalError | InterfaceError | PoolTimeout | OSError | MemoryError)


def _unexpected(error: Exception) -> str:
    first = str(error).strip().partition("\n")[0] or type(error).__name__
    return f"it could not be stored: {first}"


def _other_key(table: str) -> str:
    return (
        "another key has signed this than this table's messages before: if it has a new machine, "
        f"companion hub accept {table}"
    )


def _quarantine(db: Connection, message: TableMessage, now: datetime, reason: str) -> None:
    """Store an invalid message with the reason; a table has at most `MOST_QUARANTINED`, the newest."""
    q = schema.refused.c
    table = _text(message.table.encode("utf-8", "backslashreplace"))[:LONGEST_NAME]
    reason = _text(reason.encode("utf-8", "backslashreplace"))
    log.warning("%s: %s quarantined: %s", ascii(table), message.what, reason)
    payload = message.payload if message.what == "records" else message.payload[:LARGEST_QUARANTINED]
    values = {
        "table": table,
        "kind": message.what[:LONGEST_KIND],
        "at": now,
        "reason": reason,
        "body": _text(payload),
    }
    db.execute(insert(schema.refused).values(values))
    surplus = (
        select(q.id).where(q.table == table).order_by(q.id.desc()).offset(MOST_QUARANTINED).limit(1)
    ).scalar_subquery()
    db.execute(delete(schema.refused).where(q.table == table, q.id <= surplus))
