"""People across tables: names that are claimed with a code, and other spellings of them.

A name that no one claimed counts as it was typed. A claim lists the names of a person at tables, and the
games of such a name that are not theirs. A name that has games already is claimed once the organiser
approves: anyone could ask for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, and_, delete, func, insert, select, update

from companion.errors import RateLimitedError, validation_error
from companion.hub import audit, codes, schema
from companion.hub.database import utc
from companion.hub.intake import is_forgotten_name
from companion.message import N_, Sentence

LONGEST: Final = 60  # letters of a name
MOST_OF_A_NAME: Final = 5  # claims that wait
MOST_WAITING: Final = 200
GUEST: Final = " (guest)"


class Person(NamedTuple):
    """A person who claimed a name; `mark` changes with the code."""

    id: int
    name: str
    mark: str


class Claimed(NamedTuple):
    """The code for a claimed name; if it `waits`, the code is good once the organiser approves."""

    code: str
    waits: bool


class Claim(NamedTuple):
    """A pending claim: `whose` wants `name` as another spelling; None: a new person wants it."""

    id: int
    name: str
    whose: str | None
    games: int
    at: datetime


def claim(db: Connection, name: str, now: datetime) -> Claimed:
    """Claim a name for a new person; ValidationError if it is claimed already, or cannot be claimed.

    A name without games is claimed at once. Of one with games, the claim waits for the organiser.
    """
    name = _checked(name)
    if whose_name(db, name) is not None:
        raise validation_error(_CLAIMED, text=name)
    code, hashed = codes.made()
    if _games(db, name):
        _wait(db, name, now, code=hashed)
        return Claimed(code, waits=True)
    _make(db, name, hashed, now)
    audit.log(db, now, "visitor", "claimed", name)
    return Claimed(code, waits=False)


def waiting_claims(db: Connection) -> list[Claim]:
    """Return the claims that wait for the organiser, the oldest first."""
    c, p = schema.claims.c, schema.people.c
    asked = select(c.id, c.name, p.name.label("whose"), c.at).join_from(
        schema.claims, schema.people, p.id == c.person_id, isouter=True
    )
    rows = db.execute(asked.order_by(c.id)).all()
    return [Claim(row.id, row.name, row.whose, _games(db, row.name), utc(row.at)) for row in rows]


def approve(db: Connection, number: int, now: datetime) -> None:
    """Approve a claim and decline others of the same name; ValidationError if it no longer waits."""
    found = _waiting(db, number)
    if whose_name(db, found.name) is not None:
        raise validation_error(_CLAIMED, text=found.name)
    if found.person_id is None:
        _make(db, found.name, found.code, now)
    else:
        db.execute(insert(schema.names).values(name=found.name, person_id=found.person_id))
    db.execute(delete(schema.claims).where(schema.claims.c.name == found.name))
    audit.log(db, now, "organiser", "approved", found.name)


def decline(db: Connection, number: int, now: datetime) -> None:
    """Delete a waiting claim; ValidationError if it waits no longer."""
    found = _waiting(db, number)
    db.execute(delete(schema.claims).where(schema.claims.c.id == number))
    audit.log(db, now, "organiser", "declined", found.name)


def release(db: Connection, name: str, now: datetime) -> None:
    """Undo a claim: its names count as they are typed, and its code opens nothing.

    Raises ValidationError if unclaimed.
    """
    n = schema.names.c
    number = db.execute(select(n.person_id).where(n.name == name)).scalar()
    if number is None:
        raise validation_error(_NOT_CLAIMED, text=name)
    db.execute(delete(schema.claims).where(schema.claims.c.person_id == number))
    db.execute(delete(schema.names).where(n.person_id == number))
    db.execute(delete(schema.people).where(schema.people.c.id == number))
    audit.log(db, now, "organiser", "released", name)


def _make(db: Connection, name: str, hashed: str, now: datetime) -> None:
    made = db.execute(insert(schema.people).values(name=name, code=hashed, since=now))
    assert made.inserted_primary_key is not None
    db.execute(insert(schema.names).values(name=name, person_id=made.inserted_primary_key[0]))


def _wait(
    db: Connection, name: str, now: datetime, code: str | None = None, person_id: int | None = None
) -> None:
    """Store a claim that waits.

    Raises RateLimitedError beyond `MOST_OF_A_NAME` of one name or `MOST_WAITING` in all.
    """
    c = schema.claims.c
    of_all = db.execute(select(func.count()).select_from(schema.claims)).scalar() or 0
    of_name = db.execute(select(func.count()).where(c.name == name)).scalar() or 0
    if of_all >= MOST_WAITING or of_name >= MOST_OF_A_NAME:
        raise RateLimitedError("wait", Sentence(_TOO_MANY))
    db.execute(insert(schema.claims).values(name=name, code=code, person_id=person_id, at=now))
    audit.log(db, now, "visitor" if person_id is None else "person", "asked", name)


def _waiting(db: Connection, number: int) -> Any:
    found = db.execute(select(schema.claims).where(schema.claims.c.id == number)).one_or_none()
    if found is None:
        raise validation_error(_NOT_WAITING)
    return found


def _games(db: Connection, name: str) -> int:
    """Count the seats that count under this name."""
    r = schema.results.c
    return db.execute(select(func.count()).where(r.name == name, r.whose == "name")).scalar() or 0


def person(db: Connection, name: str, code: str) -> Person:
    """Return the person who has claimed this name, or another spelling of it, with this code.

    Raises ValidationError if there is none.
    """
    p, n = schema.people.c, schema.names.c
    asked = (
        select(p.id, p.name, p.code)
        .join_from(schema.names, schema.people, p.id == n.person_id)
        .where(n.name == tidy(name))
    )
    found = db.execute(asked).one_or_none()
    if found is None or not codes.fits(found.code, code):
        raise validation_error(_WRONG)  # not which of the two
    return Person(found.id, found.name, codes.mark(found.code))


def known_again(db: Connection, number: int, mark: str) -> Person | None:
    """Return the person of a cookie; None if they were forgotten since, or have another code."""
    p = schema.people.c
    found = db.execute(select(p.id, p.name, p.code).where(p.id == number)).one_or_none()
    if found is None or codes.mark(found.code) != mark:
        return None
    return Person(found.id, found.name, mark)


def whose_name(db: Connection, name: str) -> str | None:
    """Return the own name of the person who claimed this one; None if it is not claimed."""
    p, n = schema.people.c, schema.names.c
    asked = select(p.name).join_from(schema.names, schema.people, p.id == n.person_id).where(n.name == name)
    return db.execute(asked).scalar()


def own_names(db: Connection) -> Mapping[str, str]:
    """Return the own name of its person by each claimed name."""
    p, n = schema.people.c, schema.names.c
    asked = select(n.name, p.name.label("own")).join_from(schema.names, schema.people, p.id == n.person_id)
    return {row.name: row.own for row in db.execute(asked)}


def spellings(db: Connection, person: Person) -> list[str]:
    """Return a person's other names at tables."""
    n = schema.names.c
    asked = select(n.name).where(n.person_id == person.id, n.name != person.name).order_by(n.name)
    return list(db.execute(asked).scalars())


def also_known_as(db: Connection, person: Person, other: str, now: datetime) -> bool:
    """Add another spelling of this person's name at tables; return True if it waits for the organiser.

    One without games is added at once. ValidationError if another person has it, or if both sat at one table.
    """
    other = _checked(other)
    whose = whose_name(db, other)
    if whose == person.name:
        return False
    if whose is not None:
        raise validation_error(_SOMEBODY_ELSES, text=other)
    mine = [person.name, *spellings(db, person)]
    r = schema.results.c
    theirs = select(r.game_id).where(r.name == other, r.whose == "name")
    together = select(r.game_id).where(r.name.in_(mine), r.whose == "name", r.game_id.in_(theirs)).limit(1)
    if db.execute(together).scalar() is not None:
        raise validation_error(_TOGETHER, text=other)
    if _games(db, other):
        if other not in waiting_spellings(db, person):
            _wait(db, other, now, person_id=person.id)
        return True
    db.execute(insert(schema.names).values(name=other, person_id=person.id))
    audit.log(db, now, "person", "spelling added", other)
    return False


def waiting_spellings(db: Connection, person: Person) -> list[str]:
    """Return the other spellings of this person that wait for the organiser."""
    c = schema.claims.c
    return list(db.execute(select(c.name).where(c.person_id == person.id).order_by(c.id)).scalars())


def not_known_as(db: Connection, person: Person, other: str, now: datetime) -> None:
    """Remove another spelling, also one that waits; ValidationError for the person's own name."""
    if other == person.name:
        raise validation_error(_OWN_NAME)
    n, c = schema.names.c, schema.claims.c
    db.execute(delete(schema.claims).where(c.name == other, c.person_id == person.id))
    if db.execute(delete(schema.names).where(n.name == other, n.person_id == person.id)).rowcount:
        audit.log(db, now, "person", "spelling removed", other)


def not_me(db: Connection, person: Person, game_id: int, guest: bool = True) -> None:
    """Mark this person's seat in a game as a guest's of the same name; or as theirs again.

    ValidationError if the game does not have them.
    """
    names = [person.name, *spellings(db, person)]
    r = schema.results.c
    seat = and_(r.game_id == game_id, r.name.in_(names), r.whose != "forgotten")
    if not db.execute(update(schema.results).where(seat).values(whose="guest" if guest else "name")).rowcount:
        raise validation_error(_NOT_IN_IT)


def who(name: str, whose: str, own: str | None) -> str:
    """Return the own name of the person who claimed this one, a guest's name, or the name unchanged."""
    if whose == "guest":
        return name + GUEST
    return own or name if whose == "name" else name


def tidy(name: str) -> str:
    """Return the name with single spaces."""
    return " ".join(name.split())


def _checked(name: str) -> str:
    name = tidy(name)
    if not name or len(name) > LONGEST or not name.isprintable():
        raise validation_error(_NO_NAME, n=LONGEST)
    if is_forgotten_name(name) or name.endswith(GUEST):
        raise validation_error(_NOBODYS)
    return name


_CLAIMED: Final = N_("{text} is claimed already: if that is you, use its code; else choose how you differ")
_WRONG: Final = N_("no such name with that code: look at both again")
_SOMEBODY_ELSES: Final = N_("{text} is claimed by somebody else")
_NOT_CLAIMED: Final = N_("no one has claimed {text}")
_NOT_WAITING: Final = N_("this claim no longer waits: look at the list again")
_TOO_MANY: Final = N_("too many claims wait for the organiser: ask the organiser, then try again")
_TOGETHER: Final = N_("{text} has played in a game with you: that is somebody else")
_OWN_NAME: Final = N_("that is your own name: it stays until you are forgotten")
_NOT_IN_IT: Final = N_("you are not in this game")
_NO_NAME: Final = N_("a name has 1 to {n} letters: choose another")
_NOBODYS: Final = N_("that is how the hub writes guests and people who were forgotten: choose another name")
