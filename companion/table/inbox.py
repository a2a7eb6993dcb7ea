"""One thread with one inbox: what comes from anywhere is handled there, in order."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic, NamedTuple, TypeVar

M = TypeVar("M")
T = TypeVar("T")


class _Job(NamedTuple):
    """Something to be done in the thread for somebody who waits for the answer."""

    call: Callable[[], Any]
    answer: Future[Any]


class Inbox(Generic[M]):
    """Hands every message to `handle`, and calls `look` when nothing came for `patience()` seconds.

    Both see to their own errors. `patience` gives None where nothing is to be waited for.
    """

    def __init__(
        self, handle: Callable[[M], None], look: Callable[[], None], patience: Callable[[], float | None]
    ) -> None:
        self._handle, self._look, self._patience = handle, look, patience
        self._queue: queue.SimpleQueue[M | _Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def start(self) -> None:
        """Begin to handle what comes in."""
        self._thread.start()

    def stop(self) -> None:
        """Handle what is in the inbox, then end."""
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join()

    def put(self, message: M) -> None:
        """Put a message in, from any thread."""
        self._queue.put(message)

    def ask(self, call: Callable[[], T]) -> T:
        """Have something done in the thread and wait for its answer; its errors are raised here."""
        if not self._thread.is_alive() or threading.current_thread() is self._thread:
            return call()
        return self.post(call).result()

    def post(self, call: Callable[[], T]) -> Future[T]:
        """Have something done in the thread; the answer comes in its turn, if the thread ever gets there."""
        job = _Job(call, Future[T]())
        if self._thread.ident is None:  # it has not begun: nobody else is at work
            _do(job)
        else:
            self._queue.put(job)
        return job.answer

    def has_ended(self) -> bool:
        """Whether the thread was begun and is no more."""
        return self._thread.ident is not None and not self._thread.is_alive()

    def _run(self) -> None:
        while True:
            try:
                message = self._queue.get(timeout=self._patience())
            except queue.Empty:
                self._look()
                continue
            if message is None:
                return
            if isinstance(message, _Job):
                _do(message)
            else:
                self._handle(message)


def _do(job: _Job) -> None:
    try:
        done = job.call()
    except BaseException as error:
        job.answer.set_exception(error)
    else:
        job.answer.set_result(done)
