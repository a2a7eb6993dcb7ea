"""Latency from sensor to screen: the time until the table page shows the effect of a card or a button.

The clock starts when the sensor's message enters the table's inbox and stops when the page reports that it
has drawn the effect. So it includes the time that a card must be still, and the way back.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from companion.devices.readings import PadSeen, Pressed, Seen, Tell
from companion.table.snapshot import Snapshot

MOST_PAINTED: Final = 200
STALE_S: Final = 2.0  # seconds; an older message was waiting for people, or has caused nothing
AWAITED: Final = 20  # entries that no page has drawn yet; without a table page none is ever drawn


class Painted(NamedTuple):
    """An entry that the table page has drawn, and the latency in milliseconds."""

    seq: int
    ms: float


class Latency:
    """Measures one table. `seq` is the journal's entry at the start: only later entries count."""

    def __init__(self, seq: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self._seq, self._clock = seq, clock
        self._entered: dict[type, float] = {}
        self._awaited: dict[int, float] = {}
        self._painted: deque[Painted] = deque(maxlen=MOST_PAINTED)
        self._lock = threading.Lock()

    @property
    def painted(self) -> tuple[Painted, ...]:
        """The last entries that were drawn, the newest last."""
        with self._lock:
            return tuple(self._painted)

    def around(self, pass_on: Tell) -> Tell:
        """Return a function that notes when a message of a sensor comes in, then passes it on."""

        def noting(message: Seen) -> None:
            if not isinstance(message, Pressed) or message.button == "confirm":
                with self._lock:
                    self._entered[type(message)] = self._clock()
            pass_on(message)

        return noting

    def published(self, picture: Snapshot) -> None:
        """Note which new entry of a snapshot was caused by which sensor's message."""
        with self._lock:
            was, self._seq = self._seq, picture.seq
            cause = _cause(picture, was)
            began = self._entered.pop(cause, None) if cause is not None else None
            if began is not None and self._clock() - began < STALE_S:
                self._awaited[picture.seq] = began
                for seq in list(self._awaited)[:-AWAITED]:
                    del self._awaited[seq]

    def drawn(self, seq: int) -> None:
        """Note that a table page has drawn this entry, and all before; only the first report counts."""
        with self._lock:
            now = self._clock()
            for one in [one for one in self._awaited if one <= seq]:
                self._painted.append(Painted(one, 1000 * (now - self._awaited.pop(one))))


def _cause(picture: Snapshot, was: int) -> type | None:
    """Return the kind of message that has caused the newest entries: a card on the pad, or the button
    confirm.
    """
    if picture.match is None:
        return None
    by = {turn.by for turn in picture.match.turns if turn.seq > was}
    return PadSeen if "tag" in by else Pressed if "pieces" in by else None
