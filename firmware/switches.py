"""A presence track: a switch under each space senses that something is there, not the tag."""

import clock
from board import Row

AGREEING_POLLS = 2  # in a row that must agree: a magnet that slides past at speed is no piece
PAUSE_MS = 5


class Switches:
    """The switches under the spaces `sensed` (switch s under space s); their state goes into `spaces`."""

    def __init__(self, spaces, sensed) -> None:
        self.spaces = spaces
        self.sensed = sorted(sensed)
        self.row = Row(self.sensed[-1] + 1)
        self.faults = {}
        self._same = [0] * len(spaces.now)
        self._last = [False] * len(spaces.now)

    def poll(self) -> None:
        """Poll all switches at once, and rest a moment."""
        whole = self.row.read()
        # a data line short to ground reads as a magnet everywhere, and no game has so many pieces
        if not whole or (len(self.sensed) >= 8 and all(self.row.closed(i) for i in self.sensed)):
            self._broken()
        else:
            self.faults.clear()
            for i in self.sensed:
                self._take(i, self.row.closed(i))
        clock.sleep_ms(PAUSE_MS)

    def _take(self, i: int, closed: bool) -> None:
        self._same[i] = self._same[i] + 1 if closed == self._last[i] else 1
        self._last[i] = closed
        if self._same[i] >= AGREEING_POLLS:
            self.spaces.set(i, closed)

    def _broken(self) -> None:
        for i in self.sensed:
            self.faults[i] = "chain"
            self._same[i] = 0
            self.spaces.set(i, None)
