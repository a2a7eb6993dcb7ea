"""Pages for monitoring programs: the hub's health, and numbers for Prometheus."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from statistics import median
from typing import Final

import msgspec
from flask import Blueprint, Response, current_app
from sqlalchemy import Connection, Table, case, func, select, text

from companion.http.request import json_response
from companion.hub import schema
from companion.hub.database import utc
from companion.hub.health import HubHealth, health
from companion.hub.site.shown import engine, now
from companion.hub.watch import lags

watch = Blueprint("watch", __name__)

PATHS: Final = ("/healthz", "/metrics")
PROMETHEUS: Final = "text/plain; version=0.0.4; charset=utf-8"


@watch.get("/healthz")
def healthz() -> Response:
    """Return the health of listener, broker, judge and database: 200 or 503."""
    found = _health()
    response = json_response(found, 200 if found.ok else 503)
    response.headers["Cache-Control"] = "no-store"
    return response


@watch.get("/metrics")
def metrics() -> Response:
    """Return numbers in Prometheus' text format; none of them names a person or a table."""
    began, found = time.monotonic(), _health()
    with engine().connect() as db:
        lines = list(_lines(db, now()))
    parts = msgspec.structs.asdict(found.parts)
    up = {f'part="{name}"': float(state == "ok") for name, state in parts.items() if state != "off"}
    lines += _metric("part_up", "gauge", "1 if this part of the hub works.", up)
    took = {"": time.monotonic() - began}
    lines += _metric("database_seconds", "gauge", "How long the database took for these numbers.", took)
    response = Response("\n".join(lines) + "\n", content_type=PROMETHEUS)
    response.headers["Cache-Control"] = "no-store"
    return response


def _health() -> HubHealth:
    return health(engine(), current_app.config["COMPANION_HEALTH"])


def _lines(db: Connection, at: datetime) -> Iterator[str]:
    """Yield the lines with numbers from the database.

    No query reads the events through: their number is estimated by the database, lags are looked up by key, a
    row for each table. Games are counted by an index; few records wait or are in quarantine.
    """
    t, g = schema.tables.c, schema.games
    known = db.execute(
        select(
            func.count().label("known"),
            func.coalesce(func.sum(case((t.here, 1), else_=0)), 0).label("present"),
            func.coalesce(func.sum(t.gaps), 0).label("gaps"),
            func.min(case((t.here, t.heard))).label("oldest"),
            func.max(t.heard).label("newest"),
        )
    ).one()
    numbers = {
        "events_stored": ("gauge", "Events in the database, about.", _events(db)),
        "records_stored": ("gauge", "Games with a record.", _count(db, g)),
        "records_waiting": ("gauge", "Records that are not replayed yet.", _count(db, schema.waiting)),
        "messages_refused": ("gauge", "Messages in quarantine.", _count(db, schema.refused)),
        "gaps_total": ("counter", "How often events were missing before one.", known.gaps),
        "tables_known": ("gauge", "Tables that the hub has heard.", known.known),
        "tables_present": ("gauge", "Tables that are connected to the broker.", known.present),
    }
    for name, (kind, about, number) in numbers.items():
        yield from _metric(name, kind, about, {"": number})
    for name, about, received_at in (
        ("oldest_message_seconds", "Age of the last message of the most silent present table.", known.oldest),
        ("newest_message_seconds", "Age of the last message of any table.", known.newest),
    ):
        if received_at is not None:
            yield from _metric(name, "gauge", about, {"": (at - _time(received_at)).total_seconds()})
    if found := lags(db, at):
        quantiles = {'quantile="0.5"': median(found), 'quantile="1"': max(found)}
        yield from _metric("lag_seconds", "gauge", "From a table's newest event to its hearing.", quantiles)


def _metric(name: str, kind: str, about: str, values: dict[str, float]) -> list[str]:
    name = f"companion_hub_{name}"
    samples = [
        f"{name}{{{labels}}} {value}" if labels else f"{name} {value}" for labels, value in values.items()
    ]
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}", *samples]


def _count(db: Connection, table: Table) -> int:
    return db.execute(select(func.count()).select_from(table)).scalar() or 0


def _events(db: Connection) -> int:
    """Return an estimate of the number of events, by SQLite's row numbers or PostgreSQL's statistics."""
    return db.execute(text(_ESTIMATES[db.dialect.name])).scalar() or 0


def _time(time_value: datetime | str) -> datetime:
    """Return a time of an expression, which SQLite returns as a string."""
    return utc(datetime.fromisoformat(time_value) if isinstance(time_value, str) else time_value)


_ESTIMATES: Final = {
    "sqlite": "select (select max(rowid) from events) - (select min(rowid) from events) + 1",
    "postgresql": "select n_live_tup from pg_stat_user_tables where relid = 'events'::regclass",
}
