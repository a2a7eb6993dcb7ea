"""A hub's database: any that SQLAlchemy supports; tested with PostgreSQL and SQLite."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from companion.errors import InvalidInput

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def opened(address: str) -> Engine:
    """Return the database at this address, created or migrated; InvalidInput if it cannot be opened.

    `postgresql://user@host/name`, or `sqlite:///file`.
    """
    engine = connected(address)
    _keep_private(engine)
    try:
        with engine.begin() as connection:
            command.upgrade(migrations(connection), "head")
    except SQLAlchemyError as error:
        where = engine.url.render_as_string(hide_password=True)
        raise InvalidInput(f"the database {where} cannot be opened: {_first_line(error)}") from None
    return engine


def connected(address: str) -> Engine:
    """Return the database at this address, not migrated or connected yet; InvalidInput for no address."""
    try:
        url = make_url(address)
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        engine = create_engine(url, pool_pre_ping=True)
    except (ArgumentError, ModuleNotFoundError) as error:
        raise InvalidInput(
            f"no database at {address!r}: {error}; write postgresql://user@host/name or sqlite:///file"
        ) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _as_sqlite)
    return engine


def migrations(connection: Any) -> Config:
    """Return Alembic's configuration to run the migrations over this connection."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def utc(at: datetime) -> datetime:
    """Return a time from the database in UTC: SQLite drops the zone, PostgreSQL returns its own zone."""
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def _as_sqlite(connection: Any, _record: Any) -> None:
    """Configure SQLite so that readers do not wait for writers, and that foreign keys cascade."""
    for pragma in ("journal_mode = wal", "synchronous = full", "foreign_keys = on", "busy_timeout = 10000"):
        connection.execute(f"pragma {pragma}")


def _keep_private(engine: Engine) -> None:
    """Make SQLite's file private, since it has the key of cookies; its logs get the same mode."""
    file = engine.url.database
    if engine.dialect.name != "sqlite" or not file or file == ":memory:" or file.startswith("file:"):
        return
    for path in (file, f"{file}-wal", f"{file}-shm"):  # the last two are there after a power cut
        with suppress(OSError):  # SQLite reports a file that cannot be opened
            os.close(os.open(path, os.O_RDWR | (os.O_CREAT if path == file else 0), 0o600))
            os.chmod(path, 0o600)


def _first_line(error: SQLAlchemyError) -> str:
    return str(getattr(error, "orig", None) or error).strip().splitlines()[0]
