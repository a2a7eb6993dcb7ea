"""Forget a person, after a delay and so that the organiser can undo it.

Their names are replaced in results, records, leagues and rounds, so that the results of the others stay valid
and proven. Of matches that name them no page and no event is stored or shown any more (`withheld`), and the
listener deletes the retained messages of their tables at the broker. A backup is stored for `UNDO`, then
deleted with the events.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, delete, insert, or_, select, update

from companion.errors import validation_error
from companion.hub import audit, leagues, schema
from companion.hub.audit import Actor
from companion.hub.database import utc
from companion.hub.intake import changed, forgotten_name, is_forgotten_name, withheld
from companion.hub.people import Person, tidy
from companion.hub.redaction import redacted_json
from companion.message import N_

DELAY: Final = timedelta(days=3)
UNDO: Final = timedelta(days=30)
FORMER: Final = forgotten_name(0)  # in the audit log, once it cannot be undone
AT_ONCE: Final = 500  # values of a statement


class Forgetting(NamedTuple):
    """A person who will be forgotten on `due`, or was on `done`; `in_league`: the organiser may stop it."""

    id: int
    name: str
    at: datetime
    due: datetime
    done: datetime | None
    in_league: bool


def ask(db: Connection, person: Person, now: datetime) -> Forgetting:
    """Store this person's request to be forgotten, in `DELAY`; only once, however often they ask."""
    if (found := asked_by(db, person, now)) is not None:
        return found
    db.execute(insert(schema.forgettings).values(name=person.name, at=now, due=now + DELAY))
    audit.log(db, now, "person", "forget asked", person.name)
    found = asked_by(db, person, now)
    assert found is not None
    return found


def asked_by(db: Connection, person: Person, now: datetime) -> Forgetting | None:
    """Return this person's request if it is still pending."""
    return next((one for one in waiting(db, now) if one.name == person.name), None)


def cancel(db: Connection, person: Person, now: datetime) -> None:
    """Cancel this person's request."""
    f = schema.forgettings.c
    if db.execute(delete(schema.forgettings).where(f.name == person.name, f.done.is_(None))).rowcount:
        audit.log(db, now, "person", "forget cancelled", person.name)


def stop(db: Connection, number: int, now: datetime) -> None:
    """Stop a pending request, as the organiser.

    Raises ValidationError unless the name has games in a running league.
    """
    found = next((one for one in waiting(db, now) if one.id == number), None)
    if found is None:
        raise validation_error(_NOT_WAITING)
    if not found.in_league:
        raise validation_error(_NO_LEAGUE, text=found.name)
    db.execute(delete(schema.forgettings).where(schema.forgettings.c.id == number))
    audit.log(db, now, "organiser", "forget stopped", found.name)


def waiting(db: Connection, now: datetime) -> list[Forgetting]:
    """Return the pending requests, the first due first."""
    f = schema.forgettings.c
    rows = db.execute(select(schema.forgettings).where(f.done.is_(None)).order_by(f.due, f.id)).all()
    return [_forgetting(row, _in_running_league(db, row.name, now)) for row in rows]


def undoable(db: Connection) -> list[Forgetting]:
    """Return the people who were forgotten and can be restored, the latest first."""
    f = schema.forgettings.c
    rows = db.execute(select(schema.forgettings).where(f.backup.is_not(None)).order_by(f.id.desc())).all()
    return [_forgetting(row, False) for row in rows]


def run_due(db: Connection, now: datetime) -> int:
    """Forget everyone whose delay is over; return how many."""
    due = [one for one in waiting(db, now) if one.due <= now]
    for one in due:
        _forget(db, one.name, one.id, now, "hub")
    return len(due)


def forget(db: Connection, name: str, now: datetime, actor: Actor = "organiser") -> int:
    """Forget the person who claimed this name, or the name itself, at once; return in how many games."""
    name = tidy(name)
    f = schema.forgettings.c
    number = db.execute(select(f.id).where(f.name == name, f.done.is_(None))).scalar()
    if number is None:
        made = db.execute(insert(schema.forgettings).values(name=name, at=now, due=now))
        assert made.inserted_primary_key is not None
        number = made.inserted_primary_key[0]
    return _forget(db, name, number, now, actor)


def _forget(db: Connection, name: str, number: int, now: datetime, actor: Actor) -> int:
    n, r, g, p = schema.names.c, schema.results.c, schema.games.c, schema.people.c
    backup: dict[str, Any] = {"person": None, "names": [name]}
    person = db.execute(
        select(p.id, p.name, p.code, p.since).join_from(schema.names, schema.people).where(n.name == name)
    ).one_or_none()
    if person is not None:
        backup["person"] = {"name": person.name, "code": person.code, "since": utc(person.since).isoformat()}
        backup["names"] = list(db.execute(select(n.name).where(n.person_id == person.id)).scalars())
        db.execute(delete(schema.claims).where(schema.claims.c.person_id == person.id))
        db.execute(delete(schema.names).where(n.person_id == person.id))
        db.execute(delete(schema.people).where(p.id == person.id))
    names = set(backup["names"])
    db.execute(delete(schema.claims).where(schema.claims.c.name.in_(names)))
    mine = and_(r.name.in_(names), r.whose == "name")
    seats = db.execute(select(r.game_id, r.seat, r.name).where(mine).order_by(r.game_id, r.seat)).all()
    backup["seats"] = [list(seat) for seat in seats]
    backup["sealed"] = []
    matches: set[tuple[int, int]] = set()
    by_game: dict[int, set[int]] = {}
    for seat in seats:
        by_game.setdefault(seat.game_id, set()).add(seat.seat)
        here = and_(r.game_id == seat.game_id, r.seat == seat.seat)
        db.execute(
            update(schema.results).where(here).values(name=forgotten_name(seat.seat), whose="forgotten")
        )
    for some in _parts(sorted(by_game)):
        rows = db.execute(select(g.id, g.table_id, g.match, g.sealed).where(g.id.in_(some))).all()
        for row in rows:
            matches.add((row.table_id, row.match))
            if row.sealed:
                backup["sealed"].append([row.id, row.sealed])
                after = redacted_json(row.sealed, by_game[row.id] | _forgotten(db, row.id))
                db.execute(update(schema.games).where(g.id == row.id).values(sealed=after))
    matches |= _matches_naming(db, names)
    if new := sorted(matches - withheld(db)):
        rows_ = [{"table_id": table, "match": match, "forgetting_id": number} for table, match in new]
        db.execute(insert(schema.withheld), rows_)
    _forget_messages(db, names)
    backup["members"], backup["rounds"] = _leave_leagues(db, names)
    values = {"name": name, "done": now, "backup": json.dumps(backup)}
    db.execute(update(schema.forgettings).where(schema.forgettings.c.id == number).values(values))
    audit.log(db, now, actor, "forgotten", name)
    changed(db, {table for table, _ in matches})
    return len(by_game)


def undo(db: Connection, number: int, now: datetime) -> None:
    """Restore a person who was forgotten.

    Raises ValidationError if it is too late, or if the name was claimed since.
    """
    f, r, g = schema.forgettings.c, schema.results.c, schema.games.c
    row = db.execute(select(f.name, f.backup).where(f.id == number)).one_or_none()
    if row is None or row.backup is None:
        raise validation_error(_TOO_LATE)
    backup = json.loads(row.backup)
    n = schema.names.c
    if db.execute(select(n.name).where(n.name.in_(backup["names"])).limit(1)).scalar() is not None:
        raise validation_error(_CLAIMED_SINCE, text=row.name)
    if (person := backup["person"]) is not None:
        values = person | {"since": datetime.fromisoformat(person["since"])}
        made = db.execute(insert(schema.people).values(values))
        assert made.inserted_primary_key is not None
        rows = [{"name": name, "person_id": made.inserted_primary_key[0]} for name in backup["names"]]
        db.execute(insert(schema.names), rows)
    for game, seat, name in backup["seats"]:
        here = and_(r.game_id == game, r.seat == seat, r.whose == "forgotten")
        db.execute(update(schema.results).where(here).values(name=name, whose="name"))
    for game, sealed in backup["sealed"]:
        # others who were forgotten since remain forgotten
        body = redacted_json(sealed, _forgotten(db, game))
        db.execute(update(schema.games).where(g.id == game).values(sealed=body))
    _rejoin_leagues(db, backup)
    w = schema.withheld.c
    tables = set(db.execute(select(w.table_id).where(w.forgetting_id == number)).scalars())
    db.execute(delete(schema.withheld).where(w.forgetting_id == number))
    db.execute(delete(schema.forgettings).where(f.id == number))
    audit.log(db, now, "organiser", "restored", row.name)
    changed(db, tables)


def clear(db: Connection, now: datetime) -> int:
    """Delete backups of forgettings of more than `UNDO` ago, with the events; return their number."""
    f, w, e = schema.forgettings.c, schema.withheld.c, schema.events.c
    old = db.execute(select(f.id, f.backup).where(f.done < now - UNDO, f.backup.is_not(None))).all()
    for row in old:
        matches = select(w.table_id, w.match).where(w.forgetting_id == row.id)
        for table, match in db.execute(matches).all():
            db.execute(delete(schema.events).where(e.table_id == table, e.match == match))
        names = json.loads(row.backup)["names"]
        for store in (schema.refused, schema.waiting):
            db.execute(delete(store).where(_holds_inside(store.c.body, names)))
        for name in names:
            audit.rename(db, name, FORMER)
        db.execute(update(schema.forgettings).where(f.id == row.id).values(name=FORMER, backup=None))
    return len(old)


def _forgetting(row: Any, in_league: bool) -> Forgetting:
    done = None if row.done is None else utc(row.done)
    return Forgetting(row.id, row.name, utc(row.at), utc(row.due), done, in_league)


def _in_running_league(db: Connection, name: str, now: datetime) -> bool:
    """Return True if this person has games in a league that has not ended, or takes part in one."""
    for league in leagues.every(db):
        if league.since <= now and (league.until is None or league.until > now):
            if name in leagues.members(db, league):
                return True
            if any(seat.who == name for game in leagues.games(db, league) for seat in game.seats):
                return True
    return False


def _forgotten(db: Connection, game: int) -> set[int]:
    r = schema.results.c
    return set(db.execute(select(r.seat).where(r.game_id == game, r.whose == "forgotten")).scalars())


def _matches_naming(db: Connection, names: set[str]) -> set[tuple[int, int]]:
    """Find the matches whose events, or records that are not stored yet, name one of these."""
    e, t = schema.events.c, schema.tables.c
    found = select(e.table_id, e.match).where(_holds(e.body, names)).distinct()
    matches = {
        (row.table_id, row.match)
        for row in db.execute(found).all()
        if names & _seats_of(db, row.table_id, row.match)
    }
    tables = {row.name: row.id for row in db.execute(select(t.name, t.id))}
    for store in (schema.refused, schema.waiting):
        rows = db.execute(select(store.c.table, store.c.body).where(_holds_inside(store.c.body, names))).all()
        for row in rows:
            if row.table in tables and (match := _match_of(row.body)) is not None:
                matches.add((tables[row.table], match))
    return matches


class _Claim(msgspec.Struct):
    match: int


class _Record(msgspec.Struct):
    claim: _Claim


def _match_of(body: str) -> int | None:
    """Return the match in a record's claim; None if it is no record or fits no column."""
    try:
        match = msgspec.json.decode(body, type=_Record).claim.match
    except (msgspec.DecodeError, msgspec.ValidationError):
        return None
    return match if 0 < match < 2**31 else None


class _Event(msgspec.Struct):
    seats: list[str] = []


def _seats_of(db: Connection, table: int, match: int) -> set[str]:
    e = schema.events.c
    bodies = db.execute(select(e.body).where(e.table_id == table, e.match == match)).scalars()
    return {name for body in bodies for name in msgspec.json.decode(body, type=_Event).seats}


def _forget_messages(db: Connection, names: set[str]) -> None:
    """Delete pages that show one of these, and messages in quarantine that name one and are no records."""
    q = schema.refused.c
    db.execute(delete(schema.pages).where(_holds(schema.pages.c.body, names)))
    db.execute(delete(schema.refused).where(q.kind != "records", _holds(q.body, names)))


def _leave_leagues(db: Connection, names: set[str]) -> tuple[list[Any], list[Any]]:
    """Remove these names from leagues and rounds; return the data to restore them."""
    m, rounds = schema.members.c, schema.rounds.c
    joined = db.execute(select(m.league_id, m.name).where(m.name.in_(names))).all()
    db.execute(delete(schema.members).where(m.name.in_(names)))
    drawn = []
    for row in db.execute(select(rounds.league_id, rounds.number, rounds.tables)).all():
        tables = json.loads(row.tables)
        for index, table in enumerate(tables):
            for seat, name in enumerate(table):
                if name in names:
                    drawn.append([row.league_id, row.number, index, seat, name])
                    table[seat] = forgotten_name(seat)
        _write_round(db, row.league_id, row.number, tables)
    return [list(row) for row in joined], drawn


def _rejoin_leagues(db: Connection, backup: dict[str, Any]) -> None:
    lasting = set(db.execute(select(schema.leagues.c.id)).scalars())
    rows = [{"league_id": league, "name": name} for league, name in backup["members"] if league in lasting]
    if rows:
        db.execute(insert(schema.members), rows)
    rounds = schema.rounds.c
    for league, number, index, seat, name in backup["rounds"]:
        this = and_(rounds.league_id == league, rounds.number == number)
        if (found := db.execute(select(rounds.tables).where(this)).scalar()) is not None:
            tables = json.loads(found)
            if is_forgotten_name(tables[index][seat]):
                tables[index][seat] = name
                _write_round(db, league, number, tables)


def _write_round(db: Connection, league: int, number: int, tables: list[list[str]]) -> None:
    rounds = schema.rounds.c
    this = and_(rounds.league_id == league, rounds.number == number)
    db.execute(update(schema.rounds).where(this).values(tables=json.dumps(tables)))


def _parts(numbers: list[int]) -> Iterable[list[int]]:
    return (numbers[at : at + AT_ONCE] for at in range(0, len(numbers), AT_ONCE))


def _holds(body: ColumnElement[str], names: Iterable[str]) -> ColumnElement[bool]:
    """Match JSON that may name one of these."""
    texts = [msgspec.json.encode(name).decode() for name in names]
    return or_(*(body.contains(text, autoescape=True) for text in texts))


def _holds_inside(body: ColumnElement[str], names: Iterable[str]) -> ColumnElement[bool]:
    """Match JSON with a text that is JSON itself and may name one of these."""
    texts = [msgspec.json.encode(msgspec.json.encode(name).decode()).decode()[1:-1] for name in names]
    return or_(*(body.contains(text, autoescape=True) for text in texts))


_NOT_WAITING: Final = N_("this no longer waits: look at the list again")
_NO_LEAGUE: Final = N_("{text} has no games in a running league: only they can keep their name")
_TOO_LATE: Final = N_("this cannot be undone any more: it is more than 30 days ago")
_CLAIMED_SINCE: Final = N_("{text} was claimed by another person since: release that claim first")
