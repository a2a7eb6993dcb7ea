"""Retries with exponential back-off."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

FIRST_S: Final = 1.0  # until the first retry
LONGEST_S: Final = 60.0  # between two attempts; after one that lasted longer the pauses start again

log = logging.getLogger(__name__)


class RetryLoop:
    """Background thread that retries `attempt` with exponential back-off, from `start` to `stop`.

    `attempt` returns when it should be retried: it polls `ended`, and callers with work for it set `woken`,
    as `stop` does. An exception from it is a bug.
    """

    def __init__(self, name: str, attempt: Callable[[], None]) -> None:
        self.woken, self.ended = threading.Event(), threading.Event()
        self._name, self._attempt = name, attempt
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self, patience: float | None = None) -> None:
        """Stop, and wait up to `patience` seconds for the end."""
        self.ended.set()
        self.woken.set()
        self._thread.join(patience)

    def _run(self) -> None:
        pause = FIRST_S
        while not self.ended.is_set():
            began = time.monotonic()
            try:
                self._attempt()
            except Exception:
                log.exception("%s: a bug in the companion; trying again", self._name)
            if time.monotonic() - began > LONGEST_S:
                pause = FIRST_S
            self.ended.wait(pause)
            pause = min(2 * pause, LONGEST_S)
