"""The time of a sweep of the track, from its heartbeats: one figure, reported when it is new."""

from __future__ import annotations

from typing import NamedTuple

BEATS = 5  # the last so many count: 2.5 s, 5 s where nothing happens


class Sweeps(NamedTuple):
    """The last sweeps reported by heartbeats, and the figure known at the table, in milliseconds.

    The median counts: the first sweep after a start, one with a contest, one that mends a reader take longer,
    up to three times, and are over before anything is done about them. A tenth more or less is not new: it
    comes and goes with every piece that is read.
    """

    beats: tuple[int, ...] = ()
    usual: int | None = None

    def after(self, ms: int) -> Sweeps:
        """Return the sweeps after one heartbeat more; one without a sweep changes nothing.

        >>> sweeps = Sweeps()
        >>> for ms in (280, 83, 84, 105, 82):
        ...     sweeps = sweeps.after(ms)
        >>> sweeps.usual
        84
        """
        if ms == 0:
            return self
        beats = (*self.beats, ms)[-BEATS:]
        middle = sorted(beats)[len(beats) // 2]
        known = self.usual is not None and abs(middle - self.usual) <= self.usual / 10
        return Sweeps(beats, self.usual if known or len(beats) < BEATS else middle)

    def anew(self) -> Sweeps:
        """Return the sweeps after the line was lost: the next Pico may be another, and is taken for this one
        at first.
        """
        return Sweeps(usual=self.usual)
