"""A host whose pad is idle, without the reader chip's part of the work: `python -m bench.quiet run …`.

The arguments are those of `companion`. In mock mode the host process also does the work of the pad's reader
chip, unlike on a Pi: here the modelled chip's answers to an empty poll are recorded, and played back.
"""

from __future__ import annotations

from typing import Any

from companion.cli import main
from companion.devices.mock import pi

Transfer = tuple[list[int], list[int]]
LONGEST_POLL = 60  # transfers


def repeated(transfers: list[Transfer]) -> list[Transfer] | None:
    """Return the poll that `transfers` ends with three times over, or None."""
    for n in range(5, LONGEST_POLL):
        if len(transfers) >= 3 * n and transfers[-n:] == transfers[-2 * n : -n] == transfers[-3 * n : -2 * n]:
            return transfers[-n:]
    return None


def recorded(spidev: Any) -> Any:
    """Return a spidev that listens to its chip until it knows a poll, and then plays that back."""

    class SpiDev(spidev.SpiDev):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.transfers: list[Transfer] = []
            self.poll: list[Transfer] | None = None
            self.at = 0

        def xfer2(self, out: list[int]) -> list[int]:
            if self.poll is not None:
                wanted, answer = self.poll[self.at]
                if out == wanted:
                    self.at = (self.at + 1) % len(self.poll)
                    return answer
                self.poll, self.transfers = None, []  # the driver does something else: the chip again
            answer = list(super().xfer2(out))
            self.transfers = [*self.transfers[-3 * LONGEST_POLL :], (list(out), answer)]
            self.poll, self.at = repeated(self.transfers), 0
            return answer

    spidev.SpiDev = SpiDev
    return spidev


if __name__ == "__main__":
    make = pi.spidev_of
    pi.spidev_of = lambda world: recorded(make(world))
    main()
