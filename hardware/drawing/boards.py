"""The places of legs on boards and chips, seen from above."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.circuit import PartType

Sides = tuple[Sequence[int], Sequence[int]]


def sides(part: PartType) -> Sides:
    """Return the numbers of legs at the left and at the right.

    The Pi's header has odd numbers at one side and even ones at the other; chips and the Pico count round,
    against the clock; all else has one row.
    """
    count = len(part.pins)
    if part.rows == 2:
        return range(1, count + 1, 2), range(2, count + 1, 2)
    if part.name.startswith("74HC") or part.name in ("Raspberry Pi Pico", "INA180A1"):
        half = -(-count // 2)
        return range(1, half + 1), range(count, half, -1)
    return range(1, count + 1), ()
