"""Moves committed data from the log into the journal's file, while a companion runs.

SQLite does so after a thousand pages, which is an evening: until then a copy of the file alone is empty.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from typing import Final

from companion.store.file import JournalFile

PAUSE: Final = 0.5  # seconds between two, so that a hundred taps do not wear the card a hundred times

log = logging.getLogger(__name__)


class Checkpoints:
    """A background thread, because a slow card takes its time and the table must not wait for it.

    The file is behind by the commits of the last `PAUSE`, and while the card writes them.
    """

    def __init__(self, journal: JournalFile) -> None:
        self._journal = journal
        self._due, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="checkpoints", daemon=True)

    def start(self) -> None:
        """Start, with the data that is in the log already."""
        self._journal.committed = self._due.set
        self._due.set()
        self._thread.start()

    def stop(self) -> None:
        """Stop; closing the journal moves the rest."""
        self._ended.set()
        self._due.set()
        self._thread.join()

    def _run(self) -> None:
        is_logged = False
        while True:
            self._due.wait()
            if self._ended.is_set():
                return
            self._due.clear()
            try:
                self._journal.checkpoint()
                is_logged = False
            except sqlite3.Error as error:
                if not is_logged:  # nothing is lost: all is in the log next to the file, and it is retried
                    log.warning("the journal's file is behind its log: %s", error)
                is_logged = True
            self._ended.wait(PAUSE)
