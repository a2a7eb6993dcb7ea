"""What the table tells of the journal: what it did not take, that its file is gone, what was lost in it."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from companion.message import Sentence
from companion.referee.told import Alert
from companion.store.file import GONE, not_written
from companion.store.journal import Journal

UNWRITTEN_PAUSE: Final = 5.0  # seconds after which what the journal did not take is tried again

log = logging.getLogger(__name__)


class JournalWatch:
    """Runs in the table's thread."""

    def __init__(self, journal: Journal, clock: Callable[[], float]) -> None:
        self._journal, self._clock = journal, clock
        self._unwritten: Sentence | None = None  # why the journal did not take what was played last
        self._again = 0.0  # when it is tried again
        self._tried = 0.0  # until when nothing is tried for those who only ask
        self._troubles: Sequence[Sentence] = ()

    def open(self) -> None:
        """Find what happened to the file while nobody looked."""
        self._troubles = self._journal.troubles()

    def not_written(self, error: sqlite3.Error) -> bool:
        """Something was not written, and nothing was changed; whether that is new."""
        is_new = self._unwritten is None
        if is_new:  # once: what is full may be the disk of the log too
            log.error("the journal could not be written", exc_info=error)
        self._unwritten = not_written(error)
        self._again = self._clock() + UNWRITTEN_PAUSE
        return is_new

    def written(self) -> None:
        """What was to be written is."""
        self._unwritten = None

    def next_deadline(self) -> float | None:
        """When what was not written is to be tried again; None: nothing waits."""
        return None if self._unwritten is None else self._again

    def waits(self, now: float) -> bool:
        """Whether it is too early to try again."""
        return self._unwritten is not None and now < self._again

    def alerts(self) -> list[Alert]:
        """What people should know of the journal, the weightiest first."""
        if self._journal.is_gone():
            return [Alert("journal", "", Sentence(GONE))]
        unwritten = [] if self._unwritten is None else [Alert("lost", "", self._unwritten)]
        return [*unwritten, *(Alert("journal", "", trouble) for trouble in self._troubles)]

    def trouble(self) -> Sentence | None:
        """Why the journal takes nothing now; None: it does. Where it did not, it is tried again."""
        now = self._clock()
        if self._journal.failed is not None and not self._journal.is_gone() and now >= self._tried:
            self._tried = now + UNWRITTEN_PAUSE
            with suppress(sqlite3.Error):  # which the journal keeps as the reason
                self._journal.try_write()
        return self._journal.trouble()

    def dismiss(self) -> bool:
        """Somebody has read what was told: a file that is gone is written anew. False if nothing was told.

        sqlite3.Error if it cannot be written.
        """
        if self._journal.is_gone():
            self._journal.write_anew()
            self.written()
            return True
        told, self._troubles = bool(self._troubles), ()
        if told:
            self._journal.clear_troubles()
        return told
