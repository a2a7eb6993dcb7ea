"""Health of the companion: its one thread answers, and the journal accepts decisions.

The thread itself must answer, in its turn: a report by another thread would prove nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from typing import Any, Final, Literal, NamedTuple

from companion.message import Sentence
from companion.store.file import GONE
from companion.table.inbox import Inbox

PATIENCE: Final = 1.5  # seconds in which the thread answers, if it is not stuck
FRESH: Final = 1.0  # seconds for which an answer is as good as a new one

ThreadState = Literal["answers", "hangs", "ended"]
JournalState = Literal["writable", "unwritable", "gone", "unknown"]


class Health(NamedTuple):
    """Health of the companion: `alive` if a game can go on, else `why` not in English; state of thread and
    journal.
    """

    alive: bool
    why: str | None
    table: ThreadState
    journal: JournalState


class Pulse:
    """Asks the table's thread, once for all callers; from any thread.

    `trouble`, called in the table's thread, returns why the journal accepts no writes; None: it does.
    """

    def __init__(
        self,
        inbox: Inbox[Any],
        trouble: Callable[[], Sentence | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._inbox, self._trouble, self._clock = inbox, trouble, clock
        self._lock = threading.Lock()
        self._latest: Future[Sentence | None] | None = None
        self._asked = 0.0

    def latest_answer(self) -> tuple[Future[Sentence | None], float]:
        """Return the thread's latest answer, or the pending one, and how many seconds to wait for it."""
        with self._lock:
            if self._inbox.has_ended():
                return Future(), 0.0  # which never gets an answer
            age = self._clock() - self._asked
            if self._latest is None or (self._latest.done() and age >= FRESH):
                self._latest, self._asked, age = self._inbox.post(self._trouble), self._clock(), 0.0
            return self._latest, max(0.0, PATIENCE - age)

    def post(self, by: Callable[[], object]) -> None:
        """Run `by` in the thread, in its turn, as a sign that it is alive."""
        self._inbox.post(by)

    def health_from(self, beat: Future[Sentence | None]) -> Health:
        """Return the health that follows from an answer, or from its absence."""
        if self._inbox.has_ended():
            return Health(False, "the table's thread has ended: start the companion anew", "ended", "unknown")
        if not beat.done():
            waited = round(self._clock() - self._asked, 1)
            why = (
                f"the table's thread has not answered for {waited} s: if that lasts, start the companion anew"
            )
            return Health(False, why, "hangs", "unknown")
        if (error := beat.exception()) is not None:
            return Health(False, f"the journal cannot be asked: {error}", "answers", "unknown")
        trouble = beat.result()
        if trouble is None:
            return Health(True, None, "answers", "writable")
        return Health(False, str(trouble), "answers", "gone" if trouble.text == GONE else "unwritable")

    def health(self) -> Health:
        """Return the health now; waits for `PATIENCE` at most. For a watchdog."""
        beat, patience = self.latest_answer()
        wait_for([beat], patience)
        return self.health_from(beat)
