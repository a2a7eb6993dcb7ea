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


class Allowance(NamedTuple):
    """The rest of a rate limit at a time in seconds.

    >>> one = Allowance(1.0, 0.0).after_use(OF_ONE, 0.5)
    >>> one, one.after_use(OF_ONE, 1.0), one.after_use(OF_ONE, 2.0)
    (Allowance(left=0.25, as_of=0.5), None, Allowance(left=0.0, as_of=2.0))
    """

    left: float
    as_of: float

    def after_use(self, rate: Rate, now: float) -> Allowance | None:
        """Return the rest after one more use; None if the limit is exceeded."""
        left = self.available(rate, now)
        return None if left < 1 else Allowance(left - 1, now)

    def available(self, rate: Rate, now: float) -> float:
        """Return the number of uses that are left at `now`."""
        return min(float(rate.burst), self.left + (now - self.as_of) / rate.seconds)


class Allowances:
    """The rates of cheers left to each device, and to all of them together."""

    def __init__(self) -> None:
        self._by_device: dict[str, Allowance] = {}
        self._shared = Allowance(float(OF_ALL.burst), 0.0)

    def take(self, device: str, now: float) -> bool:
        """Return True if this device may cheer now, and count the cheer."""
        fresh = Allowance(float(OF_ONE.burst), now)
        mine = self._by_device.get(device, fresh).after_use(OF_ONE, now)
        shared = self._shared.after_use(OF_ALL, now)
        if mine is None or shared is None:
            return False
        # a device whose rate is full again is forgotten
        self._by_device = {
            name: allowance
            for name, allowance in self._by_device.items()
            if allowance.available(OF_ONE, now) < OF_ONE.burst
        }
        self._by_device[device], self._shared = mine, shared
        return True
