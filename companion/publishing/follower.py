"""Common base of MQTT and webhooks: a thread that follows the journal and publishes its entries."""

from __future__ import annotations

from typing import Final

from companion.publishing.retry import RetryLoop
from companion.publishing.story import Progress

STOP_S: Final = 3.0  # seconds that a stop waits for the thread


class Follower:
    """Publishes each entry until it is acknowledged, from `start` to `stop`; others wait in the journal."""

    def __init__(self, name: str, progress: Progress) -> None:
        self._progress = progress
        self._why = ""  # the last logged reason of a failure; "": it works
        self._retry = RetryLoop(name, self._attempt)

    def start(self) -> None:
        """Start, before the table's thread does: with unpublished entries, or with the game on the table."""
        self._progress.begin()
        self._retry.start()

    def stop(self) -> None:
        """Stop, once the table's thread has ended; unpublished entries wait."""
        self._retry.stop(STOP_S)
        self._progress.end()

    def _attempt(self) -> None:
        """Publish until stopped, or until it fails; called again after a while."""
        raise NotImplementedError
