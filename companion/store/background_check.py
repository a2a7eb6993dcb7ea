"""Checks the sums of old games while a companion runs, so that its first page need not wait for them.

A journal of years has a million entries. When it is opened, only what is needed to go on is checked: the
match on the table, tags and small values. This thread reads the rest, match by match, with pauses.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from companion.store.checksums import SUMMED, fault_of_match, know_checksums, links_fault, structure_fault
from companion.store.file import is_damage, open_reader

DELAY_S: Final = 5.0  # seconds after the start, so that the first page comes first
BATCH_S: Final = 0.005  # seconds of work, after which others have their turn
REST: Final = 4  # times as long as the work

log = logging.getLogger(__name__)


class BackgroundCheck:
    """A thread that checks all of the journal in `path` once, and reports the first fault."""

    def __init__(self, path: Path, report: Callable[[str], None], delay: float = DELAY_S) -> None:
        """Call `report` from the thread, with the fault in English; begin after `delay` seconds."""
        self._path, self._report, self._delay = path, report, delay
        self._ended = threading.Event()
        self.done = threading.Event()  # all was checked, or a fault was found
        self._thread = threading.Thread(target=self._run, name="check", daemon=True)

    def start(self) -> None:
        """Start to check."""
        self._thread.start()

    def stop(self) -> None:
        """Stop; the rest is checked after the next start."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        if self._ended.wait(self._delay):
            return
        try:
            with closing(open_reader(self._path)) as db:
                fault = self._first_fault(db)
        except sqlite3.Error as error:
            if not is_damage(error):
                log.warning("old games could not be checked: %s", error)
                return
            fault = str(error)
        if fault is not None:
            log.error("the journal is damaged: %s", fault)
            self._report(fault)
        if not self._ended.is_set():
            self.done.set()

    def _first_fault(self, db: sqlite3.Connection) -> str | None:
        """Return the first fault; None: there is none, or the check was stopped.

        Each match is read in one transaction: meanwhile it may be renamed, forgotten, or get other times.
        """
        know_checksums(db)
        last, began = 0, time.monotonic()
        while (
            match := db.execute("select min(id) from matches where id > ?", (last,)).fetchone()[0]
        ) is not None:
            db.execute("begin")
            fault = fault_of_match(db, match)
            db.execute("commit")
            if fault is not None:
                return fault
            last = match
            if (worked := time.monotonic() - began) > BATCH_S:
                if self._ended.wait(worked * REST):
                    return None
                began = time.monotonic()
        for table in (*SUMMED, "entries"):  # table by table: a checkpoint waits for each
            if self._ended.is_set() or (fault := structure_fault(db, table)) is not None:
                return None if self._ended.is_set() else fault
        return links_fault(db)
