"""What tables told, into the database: each event once, the newest picture, and records that hold.

One process takes in, so what it knows of tables it keeps. A batch is one transaction of few statements,
however large it is: whoever passes messages on says that they were heard once `take` has returned. What comes
twice changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import Connection, Engine, bindparam, delete, func, insert, select, update

from companion.errors import InvalidInput
from companion.hub import schema
from companion.hub.database import utc
from companion.hub.kept import keep, kept
from companion.match.record import Replay
from companion.telling.sealed import Sealed, opened

BROKEN: Final = (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError)
MOST_REFUSED: Final = 1000  # kept; older ones make room
_NOBODY: Final = "· "
_CHANGES: Final = "changes of tables"  # how often a table became another machine
LONGEST_NAME: Final = 200
Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]  # what does not fit its column would keep all others out
S = TypeVar("S", bound=Struct)

log = logging.getLogger(__name__)


class Told(NamedTuple):
    """A message of a table: who tells, which of `here`, `page`, `events`, `records`, and what it says."""

    table: str
    what: str
    payload: bytes


class Event(Struct, frozen=True):
    """What a hub reads of an event; the rest is kept as it is."""

    table: str
    match: Number
    entry: Number
    previous: Number
    at: datetime
    state: Annotated[str, Meta(max_length=10)]


class Shown(Struct, frozen=True):
    """What a hub reads of a page; the rest is passed on as it is."""

    seq: Number


class Known(NamedTuple):
    """What is known of a table between two batches."""

    id: int
    told: int
    key: str | None
    shown: bool  # whether there is a page of it


class Intake:
    """Takes in what tables tell; `later`: records wait in the database for who replays them (judge.py)."""

    def __init__(self, engine: Engine, later: bool = False) -> None:
        self._engine, self._later = engine, later
        self._known: dict[str, Known] = {}
        self._changes: str | None = None

    def take(self, batch: Iterable[Told], now: datetime | None = None) -> None:
        """All of it, or nothing if the database fails: then the same may be taken again."""
        now = now or datetime.now(UTC)
        try:
            with self._engine.begin() as db:
                self._look_again(db)
                self._all(db, list(batch), now)
        except BaseException:
            self._known.clear()  # what the database does not have was not heard, and it may have lost pages
            raise

    def settle(self) -> bool:
        """Take in the record that has waited longest; whether there was one."""
        w = schema.waiting.c
        try:
            with self._engine.begin() as db:
                oldest = db.execute(select(w.id, w.table, w.at, w.body).order_by(w.id).limit(1)).one_or_none()
                if oldest is None:
                    return False
                self._look_again(db)
                self._one_record(db, Told(oldest.table, "records", oldest.body.encode()), utc(oldest.at))
                db.execute(delete(schema.waiting).where(w.id == oldest.id))
        except BaseException:
            self._known.clear()
            raise
        return True

    def bring(self, body: bytes, now: datetime | None = None) -> Sealed:
        """A sealed record that came as a file; raises InvalidInput or RecordError if refused."""
        now = now or datetime.now(UTC)
        try:
            given = msgspec.json.decode(body, type=Sealed)
        except BROKEN as error:
            raise InvalidInput(f"this is no sealed record: {error}") from None
        try:
            with self._engine.begin() as db:
                self._record(db, Told(given.claim.table, "records", body), now)
        except BaseException:
            self._known.clear()
            raise
        return given

    def accept(self, table: str, now: datetime | None = None) -> int:
        """Let another machine be this table: what was refused for it is taken in; how many records that were.

        Its numbers begin anew, so what the machine before it told stays under its name and this day.
        """
        now = now or datetime.now(UTC)
        c, refused = schema.tables.c, schema.refused.c
        with self._engine.begin() as db:
            if (number := db.execute(select(c.id).where(c.name == table)).scalar()) is not None:
                former = f"{table} until {now:%Y-%m-%d} ({number})"
                db.execute(update(schema.tables).where(c.id == number).values(name=former, here=False))
                self._change(db)
            self._known.pop(table, None)
            mine = refused.table == table
            waiting = db.execute(select(refused.body).where(mine).order_by(refused.id)).scalars().all()
            db.execute(delete(schema.refused).where(mine))
            for body in waiting:
                self._one_record(db, Told(table, "records", body.encode()), now)
        return len(waiting)

    def _look_again(self, db: Connection) -> None:
        """What is known of tables counts no longer once another process has changed what they are."""
        if (changes := kept(db, _CHANGES)) != self._changes:
            self._known.clear()
            self._changes = changes

    def _change(self, db: Connection) -> None:
        keep(db, _CHANGES, str(int(kept(db, _CHANGES) or 0) + 1))

    def _all(self, db: Connection, batch: Sequence[Told], now: datetime) -> None:
        """Events before records: whether a game counts is asked of them all when its record comes."""
        here = [told for told in batch if told.what == "here" and len(told.table) <= LONGEST_NAME]
        pages, events = _read(batch, "page", Shown), _read(batch, "events", Event)
        self._meet(db, {told.table for told in [*here, *(told for told, _ in [*pages, *events])]}, now)
        self._here(db, here, now)
        self._pages(db, pages)
        self._events(db, events, now)
        records = [told for told in batch if told.what == "records"]
        if self._later:
            fit = [told for told in records if len(told.table) <= LONGEST_NAME]
            rows = [{"table": told.table, "at": now, "body": _text(told.payload)} for told in fit]
            _each(db, insert(schema.waiting), rows)
        else:
            for told in records:
                self._one_record(db, told, now)

    def _one_record(self, db: Connection, told: Told, now: datetime) -> None:
        try:
            self._record(db, told, now)
        except BROKEN as error:
            _refuse(db, told, now, f"this cannot be read: {error}")
        except InvalidInput as error:
            _refuse(db, told, now, str(error))

    # --- what is told ----------------------------------------------------------------------------

    def _here(self, db: Connection, batch: Sequence[Told], now: datetime) -> None:
        last = {told.table: told.payload == b"here" for told in batch}
        _each(
            db,
            update(schema.tables).where(schema.tables.c.id == bindparam("of")),
            [{"of": self._known[table].id, "here": here, "heard": now} for table, here in last.items()],
        )

    def _pages(self, db: Connection, batch: Sequence[tuple[Told, Shown]]) -> None:
        newest = {told.table: {"seq": page.seq, "body": told.payload.decode()} for told, page in batch}
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

    def _events(self, db: Connection, batch: Sequence[tuple[Told, Event]], now: datetime) -> None:
        new: list[dict[str, Any]] = []
        gaps: dict[str, int] = {}
        going: set[tuple[int, int]] = set()
        for told, event in batch:
            known = self._known[told.table]
            if event.entry <= known.told:
                continue
            missing = known.told > 0 and event.previous > known.told
            if missing:
                log.warning("%s: events between %s and %s are missing", told.table, known.told, event.entry)
            gaps[told.table] = gaps.get(told.table, 0) + missing
            self._known[told.table] = known._replace(told=event.entry)
            if event.state != "finished":
                going.add((known.id, event.match))
            new.append(
                {
                    "table_id": known.id,
                    "entry": event.entry,
                    "match": event.match,
                    "at": event.at,
                    "heard": now,
                    "state": event.state,
                    "body": told.payload.decode(),
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
                {"of": known.id, "last": known.told, "more": more, "now": now}
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

    def _record(self, db: Connection, told: Told, now: datetime) -> None:
        given = msgspec.json.decode(told.payload, type=Sealed)
        if given.claim.table != told.table:
            raise InvalidInput(f"this is a record of {given.claim.table}, told by {told.table}")
        game = opened(given)
        known = self._table_anew(db, told.table, now)
        if known.key not in (None, given.key):
            raise InvalidInput(
                "another key has signed this than this table's records before: if it has a new machine, "
                f"companion hub accept {told.table}"
            )
        self._keep(db, known, given, game)
        if known.key is None:
            mine = schema.tables.c.id == known.id
            db.execute(update(schema.tables).where(mine).values(key=given.key))
            self._known[told.table] = self._known[told.table]._replace(key=given.key)

    def _keep(self, db: Connection, known: Known, given: Sealed, game: Replay) -> None:
        claim, games = given.claim, schema.games.c
        mine = (games.table_id == known.id) & (games.match == claim.match)
        before = db.execute(select(games.id, games.entry).where(mine)).one_or_none()
        if before is not None and before.entry > claim.entry:
            return  # an earlier end of a game that has ended anew since
        whose = _whose(db, before.id) if before is not None else {}
        later = (
            select(func.count())
            .where(schema.events.c.table_id == known.id, schema.events.c.match == claim.match)
            .where(schema.events.c.entry > claim.entry, schema.events.c.state != "finished")
        )
        values = {
            "entry": claim.entry,
            "at": datetime.fromisoformat(claim.at),
            "game": game.header.game if game.header else "",
            "counts": not db.execute(later).scalar(),
            "sealed": "" if "forgotten" in whose.values() else msgspec.json.encode(given).decode(),
        }
        if before is not None:  # its number stands in addresses: it stays
            number = before.id
            db.execute(update(schema.games).where(mine).values(values))
            db.execute(delete(schema.results).where(schema.results.c.game_id == number))
        else:
            values |= {"table_id": known.id, "match": claim.match}
            made = db.execute(insert(schema.games).values(values))
            assert made.inserted_primary_key is not None
            number = made.inserted_primary_key[0]
        seats = [{"game_id": number, **row} for row in rows(game, given)]
        for row in seats:
            row["whose"] = whose.get(row["seat"], "name")
            if row["whose"] == "forgotten":
                row["name"] = nobody(row["seat"])
        _each(db, insert(schema.results), seats)

    def _table_anew(self, db: Connection, name: str, now: datetime) -> Known:
        """Another process may have believed a key since this table was met."""
        self._known.pop(name, None)
        self._meet(db, {name}, now)
        return self._known[name]

    def _meet(self, db: Connection, names: set[str], now: datetime) -> None:
        """Know these tables; who is new gets a row."""
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
        self._known |= {name: Known(*known) for name, *known in db.execute(asked)}


def rows(game: Replay, given: Sealed) -> Iterator[dict[str, Any]]:
    """What a finished game brought each seat: a row of `results`."""
    assert game.race is not None
    standings = game.race.standings()
    first = [standing.seat for standing in standings if standing.place == 1]
    luck = given.claim.luck
    for standing in standings:
        yield {
            "seat": standing.seat,
            "name": standing.name,
            "score": standing.score,
            "place": standing.place,
            "victory": 1 / len(first) if standing.seat in first else 0.0,
            "luck": luck[standing.seat].luck if luck is not None and standing.seat < len(luck) else None,
        }


def nobody(seat: int) -> str:
    """What somebody who was forgotten is called in a game."""
    return f"{_NOBODY}{seat + 1}"


def is_nobody(name: str) -> bool:
    """Whether this is what somebody who was forgotten is called."""
    return name.startswith(_NOBODY)


def _text(payload: bytes) -> str:
    """Whatever was told as a text that any database can keep."""
    return payload.decode("utf-8", "backslashreplace").replace("\0", "\\x00")


def _whose(db: Connection, game: int) -> dict[int, str]:
    c = schema.results.c
    return {row.seat: row.whose for row in db.execute(select(c.seat, c.whose).where(c.game_id == game))}


def _read(batch: Iterable[Told], what: str, kind: type[S]) -> list[tuple[Told, S]]:
    """Those that can be read; the others are in the log: the next one says the same better."""
    read: list[tuple[Told, S]] = []
    for told in batch:
        if told.what != what or len(told.table) > LONGEST_NAME:
            continue
        try:
            read.append((told, msgspec.json.decode(told.payload, type=kind)))
        except BROKEN as error:
            log.warning("%s: %s refused: this cannot be read: %s", told.table, what, error)
    return read


def _each(db: Connection, statement: Any, rows: Sequence[dict[str, Any]]) -> None:
    """Once for each row, together: the database is asked once."""
    if rows:
        db.execute(statement, rows)


def _refuse(db: Connection, told: Told, now: datetime, reason: str) -> None:
    log.warning("%s: %s refused: %s", told.table, told.what, reason)
    body = _text(told.payload)
    db.execute(insert(schema.refused).values(table=told.table, at=now, reason=reason, body=body))
    newest = select(func.max(schema.refused.c.id)).scalar_subquery()
    db.execute(delete(schema.refused).where(schema.refused.c.id <= newest - MOST_REFUSED))
