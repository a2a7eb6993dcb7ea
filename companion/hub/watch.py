"""Tables for the organiser's monitoring: silent ones, and those with a wrong clock."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, select

from companion.hub import schema
from companion.hub.database import utc
from companion.hub.tables import LISTED

LATE: Final = timedelta(minutes=10)  # events that were heard within it are the late ones
WRONG_S: Final = 120.0  # by which hearing and a table's own time may differ


class Watched(NamedTuple):
    """A table. `behind_s`: seconds from its newest event's own time to its arrival; None without an event."""

    name: str
    here: bool
    heard: datetime
    behind_s: float | None

    @property
    def is_wrong(self) -> bool:
        """True if the table's clock differs too much, or its newest event waited as long."""
        return self.behind_s is not None and abs(self.behind_s) > WRONG_S


def watched(db: Connection, now: datetime) -> list[Watched]:
    """Return the tables that are or were connected lately, those that have been silent longest first."""
    t = schema.tables.c
    found = [
        Watched(row.name, row.here, utc(row.heard), _behind(row))
        for row in db.execute(_newest().where(t.here | (t.heard > now - LISTED)))
    ]
    return sorted(found, key=lambda table: (table.here, not table.is_wrong, table.heard, table.name))


def lags(db: Connection, now: datetime) -> list[float]:
    """Return the seconds from each table's newest event to its arrival, for tables with recent events."""
    since = now - LATE
    rows = db.execute(_newest().where(schema.tables.c.heard > since))  # of events it would read all
    late = [row for row in rows if row.event_heard is not None and utc(row.event_heard) > since]
    return [behind for row in late if (behind := _behind(row)) is not None]


def _newest() -> Select[Any]:
    """Return a query of each table with its newest event, which is looked up by its key."""
    t, e = schema.tables.c, schema.events.c
    return select(t.name, t.here, t.heard, e.at, e.heard.label("event_heard")).join_from(
        schema.tables, schema.events, (e.table_id == t.id) & (e.entry == t.told), isouter=True
    )


def _behind(row: Any) -> float | None:
    return None if row.at is None else (utc(row.event_heard) - utc(row.at)).total_seconds()
