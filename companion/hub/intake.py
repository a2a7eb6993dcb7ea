"""What tables told, into the database: each event once, the newest picture, and records that hold.

One process takes in, so what it knows of tables it keeps. A batch is one transaction: whoever passes messages
on says that they were heard once `take` has returned. What comes twice changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Engine, delete, func, insert, select, update

from companion.errors import InvalidInput
from companion.hub import schema
from companion.hub.kept import keep, kept
from companion.match.record import Replay
from companion.telling.sealed import Sealed, opened

BROKEN: Final = (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError)
MOST_REFUSED: Final = 1000  # kept; older ones make room
_NOBODY: Final = "· "
_CHANGES: Final = "changes of tables"  # how often a table became another machine, or one got its key

log = logging.getLogger(__name__)


class Told(NamedTuple):
    """A message of a table: who tells, which of `here`, `page`, `events`, `records`, and what it says."""

    table: str
    what: str
    payload: bytes


class Event(Struct, frozen=True):
    """What a hub reads of an event; the rest is kept as it is."""

    table: str
    match: int
    entry: int
    previous: int
    at: datetime
    state: str


class Shown(Struct, frozen=True):
    """What a hub reads of a page; the rest is passed on as it is."""

    seq: int


class Known(NamedTuple):
    """What is known of a table between two batches."""

    id: int
    told: int
    key: str | None


class Intake:
    """Takes in what tables tell."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known: dict[str, Known] = {}
        self._changes: str | None = None

    def take(self, batch: Iterable[Told], now: datetime | None = None) -> None:
        """All of it, or nothing if the database fails: then the same may be taken again."""
        now = now or datetime.now(UTC)
        before, changes = dict(self._known), self._changes
        try:
            with self._engine.begin() as db:
                self._look_again(db)
                for told in _newest_pages(list(batch)):
                    self._one(db, told, now)
        except BaseException:
            self._known, self._changes = before, changes  # what the database does not have was not heard
            raise

    def bring(self, body: bytes, now: datetime | None = None) -> Sealed:
        """A sealed record that came as a file; raises InvalidInput or RecordError if refused."""
        now = now or datetime.now(UTC)
        try:
            given = msgspec.json.decode(body, type=Sealed)
        except BROKEN as error:
            raise InvalidInput(f"this is no sealed record: {error}") from None
        before = dict(self._known)
        try:
            with self._engine.begin() as db:
                self._record(db, Told(given.claim.table, "records", body), now)
        except BaseException:
            self._known = before
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
                self._one(db, Told(table, "records", body.encode()), now)
        return len(waiting)

    def _look_again(self, db: Connection) -> None:
        """What is known of tables counts no longer once another process has changed what they are."""
        if (changes := kept(db, _CHANGES)) != self._changes:
            self._known.clear()
            self._changes = changes

    def _change(self, db: Connection) -> None:
        keep(db, _CHANGES, str(int(kept(db, _CHANGES) or 0) + 1))

    def _one(self, db: Connection, told: Told, now: datetime) -> None:
        take = {"here": self._here, "page": self._page, "events": self._event, "records": self._record}
        try:
            take[told.what](db, told, now)
        except BROKEN as error:
            _refuse(db, told, now, f"this cannot be read: {error}")
        except InvalidInput as error:
            _refuse(db, told, now, str(error))

    # --- what is told ----------------------------------------------------------------------------

    def _here(self, db: Connection, told: Told, now: datetime) -> None:
        known = self._table(db, told.table, now)
        db.execute(
            update(schema.tables)
            .where(schema.tables.c.id == known.id)
            .values(here=told.payload == b"here", heard=now)
        )

    def _page(self, db: Connection, told: Told, now: datetime) -> None:
        shown = msgspec.json.decode(told.payload, type=Shown)
        known = self._table(db, told.table, now)
        values = {"seq": shown.seq, "body": told.payload.decode()}
        mine = schema.pages.c.table_id == known.id
        if not db.execute(update(schema.pages).where(mine).values(values)).rowcount:
            db.execute(insert(schema.pages).values(table_id=known.id, **values))

    def _event(self, db: Connection, told: Told, now: datetime) -> None:
        event = msgspec.json.decode(told.payload, type=Event)
        known = self._table(db, told.table, now)
        if event.entry <= known.told:
            return
        missing = known.told > 0 and event.previous > known.told
        if missing:
            log.warning("%s: events between %s and %s are missing", told.table, known.told, event.entry)
        self._known[told.table] = known._replace(told=event.entry)
        mine = schema.tables.c.id == known.id
        gaps = schema.tables.c.gaps + int(missing)
        db.execute(update(schema.tables).where(mine).values(told=event.entry, gaps=gaps, heard=now))
        db.execute(
            insert(schema.events).values(
                table_id=known.id,
                entry=event.entry,
                match=event.match,
                at=event.at,
                heard=now,
                state=event.state,
                body=told.payload.decode(),
            )
        )
        if event.state != "finished":
            taken_back = (schema.games.c.table_id == known.id) & (schema.games.c.match == event.match)
            db.execute(update(schema.games).where(taken_back).values(counts=False))

    def _record(self, db: Connection, told: Told, now: datetime) -> None:
        given = msgspec.json.decode(told.payload, type=Sealed)
        if given.claim.table != told.table:
            raise InvalidInput(f"this is a record of {given.claim.table}, told by {told.table}")
        game = opened(given)
        known = self._table(db, told.table, now)
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
            self._change(db)

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
        for row in rows(game, given):
            row["whose"] = whose.get(row["seat"], "name")
            if row["whose"] == "forgotten":
                row["name"] = nobody(row["seat"])
            db.execute(insert(schema.results).values(game_id=number, **row))

    def _table(self, db: Connection, name: str, now: datetime) -> Known:
        if (known := self._known.get(name)) is not None:
            return known
        c = schema.tables.c
        found = db.execute(select(c.id, c.told, c.key).where(c.name == name)).one_or_none()
        if found is None:
            db.execute(insert(schema.tables).values(name=name, told=0, gaps=0, here=False, heard=now))
            found = db.execute(select(c.id, c.told, c.key).where(c.name == name)).one()
        self._known[name] = Known(*found)
        return self._known[name]


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


def _whose(db: Connection, game: int) -> dict[int, str]:
    c = schema.results.c
    return {row.seat: row.whose for row in db.execute(select(c.seat, c.whose).where(c.game_id == game))}


def _newest_pages(batch: list[Told]) -> list[Told]:
    """A batch without the pages that a later one of it paints over."""
    last = {told.table: number for number, told in enumerate(batch) if told.what == "page"}
    return [told for number, told in enumerate(batch) if told.what != "page" or last[told.table] == number]


def _refuse(db: Connection, told: Told, now: datetime, reason: str) -> None:
    log.warning("%s: %s refused: %s", told.table, told.what, reason)
    if told.what != "records":
        return  # the next one says the same better
    body = told.payload.decode("utf-8", "backslashreplace")
    db.execute(insert(schema.refused).values(table=told.table, at=now, reason=reason, body=body))
    newest = select(func.max(schema.refused.c.id)).scalar_subquery()
    db.execute(delete(schema.refused).where(schema.refused.c.id <= newest - MOST_REFUSED))
