"""How long a hub keeps events: results and the records that prove them stay, single decisions go."""

from __future__ import annotations

import logging
import threading
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import Engine, delete
from sqlalchemy.exc import SQLAlchemyError

from companion.hub import schema

DAYS: Final = 400  # a season, and the one before to compare with
DAY_S: Final = 24 * 3600

log = logging.getLogger(__name__)


def clear(engine: Engine, days: int, now: datetime | None = None) -> int:
    """Take away the events that were heard more than so many days ago; how many those were."""
    before = (now or datetime.now(UTC)) - timedelta(days=days)
    with engine.begin() as db:
        return db.execute(delete(schema.events).where(schema.events.c.heard < before)).rowcount


class Retention:
    """Clears at the start and once a day, from a thread of its own."""

    def __init__(self, engine: Engine, days: int) -> None:
        self._engine, self._days = engine, days
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="retention", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                if gone := clear(self._engine, self._days):
                    log.info("events older than %s days are gone: %s", self._days, gone)
            except SQLAlchemyError as error:
                log.warning("old events stay for another day: %s", error)
            self._ended.wait(DAY_S)
