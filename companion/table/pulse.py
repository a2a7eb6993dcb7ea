"""Whether the companion does its work: its one thread answers, and the journal takes what is decided.

The thread itself says so, in its turn, when somebody asks: what another thread said would prove nothing.
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
    """Whether a game can go on here, and if not, why, in English; how thread and journal are."""

    alive: bool
    why: str | None
    table: ThreadState
    journal: JournalState


class Pulse:
    """Asks the table's thread, once for all who want to know; from any thread.

    `trouble`, called in the table's thread, says why the journal takes nothing; None: it does.
    """

    def __init__(
        self,
        inbox: Inbox[Any],
        trouble: Callable[[], Sentence | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._inbox, self._trouble, self._clock = inbox, trouble, clock
        self._lock = threading.Lock()
        self._beat: Future[Sentence | None] | None = None
        self._asked = 0.0

    def beat(self) -> tuple[Future[Sentence | None], float]:
        """The thread's latest answer, or the one that is on its way, and how many seconds to wait for it."""
        with self._lock:
            if self._inbox.has_ended():
                return Future(), 0.0  # which nobody will answer
            age = self._clock() - self._asked
            if self._beat is None or (self._beat.done() and age >= FRESH):
                self._beat, self._asked, age = self._inbox.post(self._trouble), self._clock(), 0.0
            return self._beat, max(0.0, PATIENCE - age)

    def shown(self, by: Callable[[], object]) -> None:
        """Have the thread itself do something, in its turn, as a sign that it lives."""
        self._inbox.post(by)

    def felt(self, beat: Future[Sentence | None]) -> Health:
        """What follows from an answer that has come by now, or has not."""
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
        """How it is now; waits for `PATIENCE` at most. For a watchdog."""
        beat, patience = self.beat()
        wait_for([beat], patience)
        return self.felt(beat)
