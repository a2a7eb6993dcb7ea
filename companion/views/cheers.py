"""Cheers: their signs, and rate limits by device."""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

from companion.reply import Colour, Reply, Seat, one_of

SIGNS: Final = ("heart", "star", "horseshoe", "rosette", "flag")


class Cheer(Reply):
    """A sign of our own for a seat or a piece, or for all of them."""

    sign: Annotated[str, one_of(*SIGNS)]
    seat: Seat | None
    piece: Colour | None = None


class Cheers(Reply):
    """The cheers since the last such event, oldest first."""

    cheers: list[Cheer]


class Rate(NamedTuple):
    """A rate limit: a burst, and one more every so many seconds."""

    burst: int
    seconds: float


OF_ONE: Final = Rate(3, 2.0)
OF_ALL: Final = Rate(10, 0.1)


class Breath(NamedTuple):
    """The rest of a rate limit at a time in seconds.

    >>> one = Breath(1.0, 0.0).spent(OF_ONE, 0.5)
    >>> one, one.spent(OF_ONE, 1.0), one.spent(OF_ONE, 2.0)
    (Breath(left=0.25, at=0.5), None, Breath(left=0.0, at=2.0))
    """

    left: float
    at: float

    def spent(self, rate: Rate, now: float) -> Breath | None:
        """Return the rest after one more use; None if the limit is exceeded."""
        left = self.rested(rate, now)
        return None if left < 1 else Breath(left - 1, now)

    def rested(self, rate: Rate, now: float) -> float:
        """Return the number of uses that are left at `now`."""
        return min(float(rate.burst), self.left + (now - self.at) / rate.seconds)


class Breaths:
    """The rates of cheers left to each device, and to all of them together."""

    def __init__(self) -> None:
        self._of: dict[str, Breath] = {}
        self._all = Breath(float(OF_ALL.burst), 0.0)

    def take(self, device: str, now: float) -> bool:
        """Return True if this device may cheer now, and count the cheer."""
        fresh = Breath(float(OF_ONE.burst), now)
        mine = self._of.get(device, fresh).spent(OF_ONE, now)
        of_all = self._all.spent(OF_ALL, now)
        if mine is None or of_all is None:
            return False
        # a device whose rate is full again is forgotten
        self._of = {one: b for one, b in self._of.items() if b.rested(OF_ONE, now) < OF_ONE.burst}
        self._of[device], self._all = mine, of_all
        return True
