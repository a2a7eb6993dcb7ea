"""What the companion writes down about itself: start, parts, refusals, slow commits, mistakes of ours.

The standard library's logging, to the error output, where `journalctl` finds it on a Pi. Each module has a
logger of its own name. What is decided is never written here, nor a PIN, a code or a cookie: a refusal is
named by its kind, a request by its path without what stands behind the question mark.
"""

from __future__ import annotations

import logging
import sys
from typing import Final, Literal, get_args

Level = Literal["debug", "info", "warning", "error"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)


def start_logging(level: Level) -> None:
    """Write what is at least of this level to the error output, a line each."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    ours = logging.getLogger("companion")
    ours.handlers[:] = [handler]
    ours.setLevel(level.upper())
    ours.propagate = False
