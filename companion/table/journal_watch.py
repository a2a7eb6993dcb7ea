"""The table's messages about the journal: failed writes, a missing file, losses in it."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from companion.message import Sentence
from companion.referee.reports import Alert
from companion.store.file import DAMAGED_PART, GONE, not_written
from companion.store.journal import Journal

UNWRITTEN_PAUSE: Final = 5.0  # seconds after which a failed write is retried
CLOCK_PAUSE: Final = 10.0  # seconds between two checks of a clock that is not set

log = logging.getLogger(__name__)


class JournalWatch:
    """The state of the journal as the table reports it. Runs in the table's thread."""

    def __init__(self, journal: Journal, clock: Callable[[], float]) -> None:
        self._journal, self._clock = journal, clock
        self._unwritten: Sentence | None = None  # why the last write failed
        self._retry_at = 0.0  # when it is tried again
        self._next_try = 0.0  # until when queries trigger no retry
        self._troubles: Sequence[Sentence] = ()
        self._clock_at: float | None = None  # when the machine's clock is checked; None: it is set

    def open(self) -> None:
        """Load the troubles that the journal found when it was opened."""
        self._troubles = self._journal.troubles()
        self._clock_at = self._clock()

    def damaged(self) -> None:
        """Show that a part of the journal is damaged; the next start saves what can be read."""
        try:
            self._journal.damaged()
            self._troubles = self._journal.troubles()
        except sqlite3.Error as error:  # the damage may be there too; it is found again after the next start
            log.warning("the damage could not be noted: %s", error)
            self._troubles = [*self._troubles, Sentence(DAMAGED_PART)]

    def check_clock(self, now: float) -> None:
        """Put times right that were written before the machine's clock was set, once it is.

        sqlite3.Error if that cannot be written; it is tried again.
        """
        if self._clock_at is None or now < self._clock_at:
            return
        self._clock_at = now + CLOCK_PAUSE
        if self._journal.settle_clock():
            log.warning("the clock was set: the times of entries before were put right")
        if self._journal.dates.is_set():
            self._clock_at = None

    def not_written(self, error: sqlite3.Error) -> bool:
        """Note that a write failed and nothing was changed; return True if that is new."""
        is_new = self._unwritten is None
        if is_new:  # once: the disk of the log may be full too
            log.error("the journal could not be written", exc_info=error)
        self._unwritten = not_written(error)
        self._retry_at = self._clock() + UNWRITTEN_PAUSE
        return is_new

    def written(self) -> None:
        """Note that the pending write succeeded."""
        self._unwritten = None

    def next_deadline(self) -> float | None:
        """Return when to retry the failed write; None: no write is pending."""
        return None if self._unwritten is None else self._retry_at

    def clock_deadline(self) -> float | None:
        """Return when to check a clock that is not set; None: it is."""
        return self._clock_at

    def alerts(self) -> list[Alert]:
        """Return the messages about the journal, the most important first."""
        if self._journal.is_gone():
            return [Alert("journal", "", Sentence(GONE))]
        unwritten = [] if self._unwritten is None else [Alert("lost", "", self._unwritten)]
        return [*unwritten, *(Alert("journal", "", trouble) for trouble in self._troubles)]

    def trouble(self) -> Sentence | None:
        """Return why the journal accepts no writes now; None: it does. Retry where it did not."""
        now = self._clock()
        if self._journal.failed is not None and not self._journal.is_gone() and now >= self._next_try:
            self._next_try = now + UNWRITTEN_PAUSE
            with suppress(sqlite3.Error):  # which the journal keeps as the reason
                self._journal.try_write()
        return self._journal.trouble()

    def dismiss(self) -> bool:
        """Clear the messages that people have read, and rewrite a file that is gone. False if there were
        none.

        sqlite3.Error if it cannot be written.
        """
        if self._journal.is_gone():
            self._journal.rewrite()
            self.written()
            return True
        had_troubles, self._troubles = bool(self._troubles), ()
        if had_troubles:
            self._journal.clear_troubles()
        return had_troubles
