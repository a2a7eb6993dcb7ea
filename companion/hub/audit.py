"""The audit log of a hub: changes of names and their authors, so that the organiser can undo them."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal, NamedTuple, TypeAlias

from sqlalchemy import Connection, delete, insert, select, update

from companion.hub import schema
from companion.hub.database import utc

Actor: TypeAlias = Literal["visitor", "person", "organiser", "hub"]
Action: TypeAlias = Literal[
    "claimed",
    "asked",  # for a name that has games
    "approved",
    "declined",
    "released",
    "spelling added",
    "spelling removed",
    "forget asked",
    "forget cancelled",
    "forget stopped",
    "forgotten",
    "restored",
]
LATEST: Final = 200


class LogEntry(NamedTuple):
    """A line of the log."""

    at: datetime
    actor: Actor
    action: Action
    name: str


def log(db: Connection, now: datetime, actor: Actor, action: Action, name: str) -> None:
    """Add a line."""
    db.execute(insert(schema.audit).values(at=now, actor=actor, action=action, name=name))


def latest(db: Connection, most: int = LATEST) -> list[LogEntry]:
    """Return the newest lines, the newest first."""
    a = schema.audit.c
    rows = db.execute(select(a.at, a.actor, a.action, a.name).order_by(a.id.desc()).limit(most))
    return [LogEntry(utc(row.at), row.actor, row.action, row.name) for row in rows]


def rename(db: Connection, name: str, to: str) -> None:
    """Write another name in every line of this one."""
    db.execute(update(schema.audit).where(schema.audit.c.name == name).values(name=to))


def clear(db: Connection, before: datetime) -> int:
    """Delete the lines from before this time; return how many."""
    return db.execute(delete(schema.audit).where(schema.audit.c.at < before)).rowcount
