"""Cheers: what is cheered, and how often a device may."""

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
    """What was cheered since the last time, the first first."""

    cheers: list[Cheer]


class Rate(NamedTuple):
    """So many at once, and one more each time that so many seconds are over."""

    burst: int
    seconds: float


OF_ONE: Final = Rate(3, 2.0)
OF_ALL: Final = Rate(10, 0.1)


class Breath(NamedTuple):
    """What somebody has left of a rate, at a time in seconds.

    >>> one = Breath(1.0, 0.0).spent(OF_ONE, 0.5)
    >>> one, one.spent(OF_ONE, 1.0), one.spent(OF_ONE, 2.0)
    (Breath(left=0.25, at=0.5), None, Breath(left=0.0, at=2.0))
    """

    left: float
    at: float

    def spent(self, rate: Rate, now: float) -> Breath | None:
        """The same after one more; None if that is one too many."""
        left = self.rested(rate, now)
        return None if left < 1 else Breath(left - 1, now)

    def rested(self, rate: Rate, now: float) -> float:
        """How many there are by now."""
        return min(float(rate.burst), self.left + (now - self.at) / rate.seconds)


class Breaths:
    """What each device, and all of them together, may still cheer."""

    def __init__(self) -> None:
        self._of: dict[str, Breath] = {}
        self._all = Breath(float(OF_ALL.burst), 0.0)

    def take(self, device: str, now: float) -> bool:
        """Whether this device may cheer now; then it has."""
        fresh = Breath(float(OF_ONE.burst), now)
        mine = self._of.get(device, fresh).spent(OF_ONE, now)
        of_all = self._all.spent(OF_ALL, now)
        if mine is None or of_all is None:
            return False
        # whoever has rested enough is as good as new
        self._of = {one: b for one, b in self._of.items() if b.rested(OF_ONE, now) < OF_ONE.burst}
        self._of[device], self._all = mine, of_all
        return True
