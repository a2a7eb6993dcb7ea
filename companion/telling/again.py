"""Something that is tried again, less and less often, until it can be done."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

FIRST_S: Final = 1.0  # until the first new attempt
LONGEST_S: Final = 60.0  # between two attempts; after one that lasted longer the pauses begin anew


def again_and_again(attempt: Callable[[], None], ended: threading.Event) -> None:
    """Attempt it until `ended`, with pauses that double; `attempt` raises nothing."""
    pause = FIRST_S
    while not ended.is_set():
        began = time.monotonic()
        attempt()
        if time.monotonic() - began > LONGEST_S:
            pause = FIRST_S
        ended.wait(pause)
        pause = min(2 * pause, LONGEST_S)
