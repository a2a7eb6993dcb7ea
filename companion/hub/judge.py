"""Replay of the records that wait, in a separate process, so that it does not delay the listener.

To replay a whole game takes a tenth of a second or more, and a thousand tables end two a second.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from contextlib import suppress
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from companion.hub.database import connected
from companion.hub.intake import Intake
from companion.logs import start_logging
from companion.publishing.retry import RetryLoop

DATABASE: Final = "COMPANION_HUB_DATABASE"
PARENT: Final = "COMPANION_HUB_PARENT"  # the process whose end is the judge's, also while it still starts
POLL_S: Final = 0.2  # between two polls for waiting records
STUCK_S: Final = 60.0  # no record takes so long
AWAY_S: Final = 1.0  # between two while the database is away

log = logging.getLogger(__name__)


class Judge:
    """Supervisor of that process, over the database at this address, from `start` to `stop`."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._beat: float | None = None  # when the process last showed a sign of life; None: it has not yet
        self._retry = RetryLoop("judge", self._attempt)

    @property
    def state(self) -> str:
        """The state of the process, in the words of health.py."""
        if self._beat is None:
            return "starting"
        return "ok" if time.monotonic() - self._beat < STUCK_S else "stuck"

    def start(self) -> None:
        """Start the process."""
        self._retry.start()

    def stop(self) -> None:
        """Stop the process; waiting records are replayed the next time."""
        self._retry.stop()

    def _attempt(self) -> None:
        with subprocess.Popen(
            [sys.executable, "-m", "companion.hub.judge"],
            env=os.environ | {DATABASE: self._address, PARENT: str(os.getpid())},
            stdout=subprocess.PIPE,
            bufsize=0,
        ) as running:
            assert running.stdout is not None
            os.set_blocking(running.stdout.fileno(), False)
            try:
                while running.poll() is None and not self._retry.ended.wait(POLL_S):
                    if running.stdout.read():
                        self._beat = time.monotonic()
            finally:
                self._beat = None
                running.terminate()


def main() -> None:
    """Replay waiting records, until the parent process has ended."""
    start_logging("info")
    os.nice(5)  # a league's table may come a second later; a live page may not
    intake, parent = Intake(connected(os.environ[DATABASE])), int(os.environ[PARENT])
    while os.getppid() == parent:
        with suppress(BrokenPipeError):  # the parent has just gone
            os.write(sys.stdout.fileno(), b".")
        try:
            if not intake.settle():
                time.sleep(POLL_S)
        except SQLAlchemyError as error:
            log.warning("the database: %s; records wait", str(getattr(error, "orig", None) or error).strip())
            time.sleep(AWAY_S)


if __name__ == "__main__":
    main()
