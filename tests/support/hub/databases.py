"""Databases for a hub's tests: a file of SQLite, and a cluster of PostgreSQL of the test's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, delete

from companion.hub import database, schema
from tools.club.services import Database, MissingProgram


@contextmanager
def sqlite(directory: Path) -> Iterator[Engine]:
    """Yield a new SQLite file."""
    made = database.opened(f"sqlite:///{directory / 'hub.sqlite'}")
    yield made
    made.dispose()


@contextmanager
def postgresql(directory: Path) -> Iterator[Engine]:
    """Yield a running PostgreSQL; skip the test where it is not installed."""
    directory.mkdir(parents=True, exist_ok=True)
    try:
        server = Database(directory, {"fsync": "off"})
    except MissingProgram as missing:
        pytest.skip(str(missing))
    server.start()
    try:
        made = database.opened(server.address)
        yield made
        made.dispose()
    finally:
        server.stop()


def emptied(engine: Engine) -> Engine:
    """Delete every row of every table."""
    with engine.begin() as db:
        for table in reversed(schema.metadata.sorted_tables):
            db.execute(delete(table))
    return engine
