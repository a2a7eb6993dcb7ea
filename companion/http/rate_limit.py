"""Rate limits: by device, and for all devices together. The caller brings the time."""

from __future__ import annotations

import threading
from typing import NamedTuple


class Rate(NamedTuple):
    """A rate limit: a burst, and one more every so many seconds."""

    burst: int
    seconds: float


class Allowance(NamedTuple):
    """The rest of a rate limit at a time in seconds.

    >>> rate = Rate(3, 2.0)
    >>> one = Allowance(1.0, 0.0).after_use(rate, 0.5)
    >>> one, one.after_use(rate, 1.0), one.after_use(rate, 2.0)
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
    """What is left to each device of the rate `of_one`, and to all together of `of_all`; thread-safe."""

    def __init__(self, of_one: Rate, of_all: Rate) -> None:
        self._lock = threading.Lock()
        self._of_one, self._of_all = of_one, of_all
        self._by_device: dict[str, Allowance] = {}
        self._shared = Allowance(float(of_all.burst), 0.0)

    def take(self, device: str, now: float) -> bool:
        """Return True if this device may act now, and count it."""
        with self._lock:
            return self._take(device, now)

    def _take(self, device: str, now: float) -> bool:
        fresh = Allowance(float(self._of_one.burst), now)
        mine = self._by_device.get(device, fresh).after_use(self._of_one, now)
        shared = self._shared.after_use(self._of_all, now)
        if mine is None or shared is None:
            return False
        # a device whose rate is full again is forgotten
        self._by_device = {
            name: allowance
            for name, allowance in self._by_device.items()
            if allowance.available(self._of_one, now) < self._of_one.burst
        }
        self._by_device[device], self._shared = mine, shared
        return True
