"""People across tables: a name that is claimed with a code, other spellings of it, and being forgotten.

Nobody has to: a name that nobody claimed counts as it stands. What is claimed here says under which names
tables know somebody, and which games of that name are not theirs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, delete, insert, or_, select, update

from companion.errors import refuse
from companion.hub import codes, schema
from companion.hub.intake import is_nobody, nobody
from companion.message import N_

LONGEST: Final = 60  # letters of a name
GUEST: Final = " (guest)"


class Person(NamedTuple):
    """Somebody who claimed a name; `mark` is another one once there is another code."""

    id: int
    name: str
    mark: str


def claim(db: Connection, name: str, now: datetime) -> str:
    """The code with which this name is somebody's from now on; Refusal if it is already, or is none."""
    name = _checked(name)
    if whose_name(db, name) is not None:
        raise refuse(_CLAIMED, text=name)
    code, hashed = codes.made()
    made = db.execute(insert(schema.people).values(name=name, code=hashed, since=now))
    assert made.inserted_primary_key is not None
    db.execute(insert(schema.names).values(name=name, person_id=made.inserted_primary_key[0]))
    return code


def person(db: Connection, name: str, code: str) -> Person:
    """Who has claimed this name, or another spelling of it, with this code; Refusal if that is nobody."""
    p, n = schema.people.c, schema.names.c
    asked = (
        select(p.id, p.name, p.code)
        .join_from(schema.names, schema.people, p.id == n.person_id)
        .where(n.name == _tidy(name))
    )
    found = db.execute(asked).one_or_none()
    if found is None or not codes.fits(found.code, code):
        raise refuse(_WRONG)  # not which of the two
    return Person(found.id, found.name, codes.mark(found.code))


def known_again(db: Connection, number: int, mark: str) -> Person | None:
    """Somebody as a cookie names them; None if they were forgotten since."""
    p = schema.people.c
    found = db.execute(select(p.id, p.name, p.code).where(p.id == number)).one_or_none()
    if found is None or codes.mark(found.code) != mark:
        return None
    return Person(found.id, found.name, mark)


def whose_name(db: Connection, name: str) -> str | None:
    """The own name of whoever tables know by this one; None if nobody claimed it."""
    p, n = schema.people.c, schema.names.c
    asked = select(p.name).join_from(schema.names, schema.people, p.id == n.person_id).where(n.name == name)
    return db.execute(asked).scalar()


def own_names(db: Connection) -> Mapping[str, str]:
    """By each claimed name the own name of whoever claimed it."""
    p, n = schema.people.c, schema.names.c
    asked = select(n.name, p.name.label("own")).join_from(schema.names, schema.people, p.id == n.person_id)
    return {row.name: row.own for row in db.execute(asked)}


def spellings(db: Connection, person: Person) -> list[str]:
    """Under which other names tables know them."""
    n = schema.names.c
    asked = select(n.name).where(n.person_id == person.id, n.name != person.name).order_by(n.name)
    return list(db.execute(asked).scalars())


def also_known_as(db: Connection, person: Person, other: str) -> None:
    """Another spelling under which tables know them; Refusal if that is somebody else."""
    other = _checked(other)
    whose = whose_name(db, other)
    if whose == person.name:
        return
    if whose is not None:
        raise refuse(_SOMEBODY_ELSES, text=other)
    mine = [person.name, *spellings(db, person)]
    r = schema.results.c
    theirs = select(r.game_id).where(r.name == other, r.whose == "name")
    together = select(r.game_id).where(r.name.in_(mine), r.whose == "name", r.game_id.in_(theirs)).limit(1)
    if db.execute(together).scalar() is not None:
        raise refuse(_TOGETHER, text=other)
    db.execute(insert(schema.names).values(name=other, person_id=person.id))


def not_known_as(db: Connection, person: Person, other: str) -> None:
    """Tables do not know them under this one after all; Refusal for their own name."""
    if other == person.name:
        raise refuse(_OWN_NAME)
    n = schema.names.c
    db.execute(delete(schema.names).where(n.name == other, n.person_id == person.id))


def not_me(db: Connection, person: Person, game_id: int, guest: bool = True) -> None:
    """In this game somebody else of the same name played, a guest; or they themselves after all.

    Refusal if the game does not have them.
    """
    names = [person.name, *spellings(db, person)]
    r = schema.results.c
    seat = and_(r.game_id == game_id, r.name.in_(names), r.whose != "forgotten")
    if not db.execute(update(schema.results).where(seat).values(whose="guest" if guest else "name")).rowcount:
        raise refuse(_NOT_IN_IT)


def forget(db: Connection, name: str) -> int:
    """Take somebody out of everything; in how many games they were.

    Whoever claimed the name, with all their names; a name that nobody claimed by itself. Their seats stay,
    under the name of nobody, so that what the others won stays; what shows names beside that is deleted: the
    signed records of these games, what was told of them, the picture of a table that still shows them.
    """
    name = _tidy(name)
    n, r, g = schema.names.c, schema.results.c, schema.games.c
    number = db.execute(select(n.person_id).where(n.name == name)).scalar()
    names = {name}
    if number is not None:
        names |= set(db.execute(select(n.name).where(n.person_id == number)).scalars())
        db.execute(delete(schema.names).where(n.person_id == number))
        db.execute(delete(schema.people).where(schema.people.c.id == number))
    mine = and_(r.name.in_(names), r.whose == "name")
    seats = db.execute(select(r.game_id, r.seat).where(mine)).all()
    games = sorted({seat.game_id for seat in seats})
    for seat in sorted({seat.seat for seat in seats}):
        there = and_(mine, r.seat == seat)
        db.execute(update(schema.results).where(there).values(name=nobody(seat), whose="forgotten"))
    for at in range(0, len(games), 500):  # a statement has so many values at most
        some = games[at : at + 500]
        db.execute(update(schema.games).where(g.id.in_(some)).values(sealed=""))
        for table, match in db.execute(select(g.table_id, g.match).where(g.id.in_(some))).all():
            _untold(db, table, match)
    _forget_elsewhere(db, names)
    return len(games)


def _untold(db: Connection, table: int, match: int) -> None:
    e = schema.events.c
    db.execute(delete(schema.events).where(e.table_id == table, e.match == match))


def _forget_elsewhere(db: Connection, names: set[str]) -> None:
    """Games that came to no end, pictures, what was refused, members, rounds."""
    e, p, o = schema.events.c, schema.pages.c, schema.refused.c
    found = select(e.table_id, e.match).where(_holds(e.body, names)).distinct()
    for table, match in db.execute(found).all():
        if names & _seats_told(db, table, match):
            _untold(db, table, match)
    db.execute(delete(schema.pages).where(_holds(p.body, names)))
    db.execute(delete(schema.refused).where(or_(_holds(o.body, names), _holds(o.body, names, inside=True))))
    w = schema.waiting.c
    db.execute(delete(schema.waiting).where(or_(_holds(w.body, names), _holds(w.body, names, inside=True))))
    db.execute(delete(schema.members).where(schema.members.c.name.in_(names)))
    rounds = schema.rounds.c
    for row in db.execute(select(rounds.league_id, rounds.number, rounds.tables)).all():
        tables = json.loads(row.tables)
        after = [
            [nobody(seat) if who in names else who for seat, who in enumerate(table)] for table in tables
        ]
        if after != tables:
            this = and_(rounds.league_id == row.league_id, rounds.number == row.number)
            db.execute(update(schema.rounds).where(this).values(tables=json.dumps(after)))


def _holds(body: ColumnElement[str], names: Iterable[str], inside: bool = False) -> ColumnElement[bool]:
    """Whether JSON may name one of these; `inside`: in a text of it that is JSON itself."""
    texts = [msgspec.json.encode(name).decode() for name in names]
    if inside:
        texts = [msgspec.json.encode(text).decode()[1:-1] for text in texts]
    return or_(*(body.contains(text, autoescape=True) for text in texts))


class _Told(msgspec.Struct):
    seats: list[str] = []


def _seats_told(db: Connection, table: int, match: int) -> set[str]:
    e = schema.events.c
    bodies = db.execute(select(e.body).where(e.table_id == table, e.match == match)).scalars()
    return {name for body in bodies for name in msgspec.json.decode(body, type=_Told).seats}


def who(name: str, whose: str, own: str | None) -> str:
    """Who sat there: the own name of whoever claimed this one, a guest of that name, or as it stands."""
    if whose == "guest":
        return name + GUEST
    return own or name if whose == "name" else name


def _tidy(name: str) -> str:
    return " ".join(name.split())


def _checked(name: str) -> str:
    name = _tidy(name)
    if not name or len(name) > LONGEST or not name.isprintable():
        raise refuse(_NO_NAME, n=LONGEST)
    if is_nobody(name) or name.endswith(GUEST):
        raise refuse(_NOBODYS)
    return name


_CLAIMED: Final = N_("{text} is claimed already: if that is you, use its code; else choose how you differ")
_WRONG: Final = N_("no such name with that code: look at both again")
_SOMEBODY_ELSES: Final = N_("{text} is claimed by somebody else")
_TOGETHER: Final = N_("{text} has played in a game with you: that is somebody else")
_OWN_NAME: Final = N_("that is your own name: it stays until you are forgotten")
_NOT_IN_IT: Final = N_("you are not in this game")
_NO_NAME: Final = N_("a name has 1 to {n} letters: choose another")
_NOBODYS: Final = N_("that is how the hub writes guests and people who were forgotten: choose another name")
