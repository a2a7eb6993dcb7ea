"""Delete data that a hub stores for a limited time: old events, and people who asked to be forgotten."""

from __future__ import annotations

import logging
import threading
import time
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import Engine, delete

from companion.hub import audit, forgetting, schema

DAYS: Final = 400  # a season, and the one before to compare with
DAY_S: Final = 24 * 3600
MINUTE_S: Final = 60

log = logging.getLogger(__name__)


def clear(engine: Engine, days: int, now: datetime | None = None) -> int:
    """Delete the events that were received more than so many days ago; return their number."""
    now = now or datetime.now(UTC)
    before = now - timedelta(days=days)
    with engine.begin() as db:
        audit.clear(db, before)
        return db.execute(delete(schema.events).where(schema.events.c.heard < before)).rowcount


def forget_due(engine: Engine, now: datetime | None = None) -> int:
    """Forget people whose delay is over, delete old backups of forgettings; return the number forgotten.

    Each has a transaction: a failure is logged, and the others are forgotten all the same.
    """
    now, count = now or datetime.now(UTC), 0
    with engine.begin() as db:
        forgetting.clear(db, now)
        due = forgetting.due(db, now)
    for one in due:
        try:
            with engine.begin() as db:
                forgetting.run(db, one, now)
            count += 1
        except Exception:
            log.exception("forgetting %s failed: it is tried again in a minute", one.id)
    return count


class Retention:
    """Background thread: once a day it deletes old events, once a minute it forgets people who are due."""

    def __init__(self, engine: Engine, days: int) -> None:
        self._engine, self._days = engine, days
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="retention", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        next_clear = 0.0
        while not self._ended.is_set():
            try:
                if time.monotonic() >= next_clear:
                    if gone := clear(self._engine, self._days):
                        log.info("events older than %s days are gone: %s", self._days, gone)
                    next_clear = time.monotonic() + DAY_S
                if count := forget_due(self._engine):
                    log.info("people who are forgotten now: %s", count)
            except Exception:
                log.exception("old events and people to be forgotten stay: tried again in a minute")
            self._ended.wait(MINUTE_S)
