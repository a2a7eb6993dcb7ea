"""The log of the companion: start, parts, refused requests, slow commits, bugs.

It goes to the error output through the standard library's logging, where `journalctl` finds it on a Pi. Each
module has a logger of its own name. A decision, a PIN, a code or a cookie is never written to it: a refused
request is named by its kind and its path without the query.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import Final, Literal, get_args

Level = Literal["debug", "info", "warning", "error"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
MINUTE: Final = 60.0


def start_logging(level: Level) -> None:
    """Write what is at least of this level to the error output, a line each."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    ours = logging.getLogger("companion")
    ours.handlers[:] = [handler]
    ours.setLevel(level.upper())
    ours.propagate = False
    for theirs in ("uvicorn.error", "asyncio"):  # what anybody can make them say must not fill the card
        logging.getLogger(theirs).addFilter(Seldom())


class Seldom(logging.Filter):
    """Lets each sentence through once a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._told: dict[object, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this one is written; `msg` is the sentence before its values are filled in."""
        now = self._clock()
        self._told = {msg: at for msg, at in self._told.items() if now - at < MINUTE}
        if record.msg in self._told:
            return False
        self._told[record.msg] = now
        return True
