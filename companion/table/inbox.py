"""One thread with one inbox, which handles all messages in order."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic, NamedTuple, TypeVar

M = TypeVar("M")
T = TypeVar("T")


class _Job(NamedTuple):
    """A call for the thread on behalf of a caller that waits for the answer."""

    call: Callable[[], Any]
    answer: Future[Any]


class Inbox(Generic[M]):
    """Passes every message to `handle`, and calls `on_idle` when none came for `patience()` seconds.

    Both handle their own errors. `patience` returns None to wait without limit.
    """

    def __init__(
        self, handle: Callable[[M], None], on_idle: Callable[[], None], patience: Callable[[], float | None]
    ) -> None:
        self._handle, self._on_idle, self._patience = handle, on_idle, patience
        self._queue: queue.SimpleQueue[M | _Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def start(self) -> None:
        """Start to handle messages."""
        self._thread.start()

    def stop(self) -> None:
        """Handle the messages in the inbox, then end."""
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join()

    def put(self, message: M) -> None:
        """Enqueue a message, from any thread."""
        self._queue.put(message)

    def ask(self, call: Callable[[], T]) -> T:
        """Run a call in the thread and return its answer; its errors are raised here."""
        if not self._thread.is_alive() or threading.current_thread() is self._thread:
            return call()
        return self.post(call).result()

    def post(self, call: Callable[[], T]) -> Future[T]:
        """Enqueue a call for the thread; the future gets its answer, if the thread ever gets there."""
        job = _Job(call, Future[T]())
        if self._thread.ident is None:  # it has not started: no other thread is at work
            _do(job)
        else:
            self._queue.put(job)
        return job.answer

    def has_ended(self) -> bool:
        """Return True if the thread was started and is no longer alive."""
        return self._thread.ident is not None and not self._thread.is_alive()

    def _run(self) -> None:
        while True:
            try:
                message = self._queue.get(timeout=self._patience())
            except queue.Empty:
                self._on_idle()
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
