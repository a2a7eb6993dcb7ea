"""The logic chips: their function tables, level by level.

A function is called with a pin's level (True, False, or None for one that is neither) and returns its
outputs; an output that is missing is off (three-state).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

Level = bool | None
Outputs = Mapping[str, Level]
Chip = Callable[[Callable[[str], Level]], Outputs]


def _number(bits: tuple[Level, ...]) -> int | None:
    """Return the number of these bits, the lowest first; None if one is neither high nor low."""
    return None if None in bits else sum(bool(bit) << n for n, bit in enumerate(bits))


def hc138(pin: Callable[[str], Level]) -> Outputs:
    """Return one of eight outputs low, while G1 is high and both other enables are low."""
    enables = (pin("G1"), _not(pin("G2A")), _not(pin("G2B")))
    at = _number((pin("A"), pin("B"), pin("C")))
    if False in enables:
        return {f"Y{n}": True for n in range(8)}
    if None in enables or at is None:
        return dict.fromkeys(f"Y{n}" for n in range(8))
    return {f"Y{n}": n != at for n in range(8)}


def hc251(pin: Callable[[str], Level]) -> Outputs:
    """Return one of eight inputs at Y, and inverted at W, while G is low."""
    if pin("G"):
        return {}
    at = _number((pin("A"), pin("B"), pin("C")))
    level = None if at is None or pin("G") is None else pin(f"D{at}")
    return {"Y": level, "W": _not(level)}


def hc244(pin: Callable[[str], Level]) -> Outputs:
    """Return eight gates, four behind each enable."""
    out: dict[str, Level] = {}
    for half in (1, 2):
        enable = pin(f"{half}OE")
        for n in range(1, 5):
            if not enable:
                out[f"{half}Y{n}"] = pin(f"{half}A{n}") if enable is False else None
    return out


def _not(level: Level) -> Level:
    return None if level is None else not level


CHIPS: Final[Mapping[str, Chip]] = {"74HC138": hc138, "74HC251": hc251, "74HC244": hc244}
ROW_INPUTS: Final = ("A", "B", "C", "D", "E", "F", "G", "H")  # of a 74HC165; QH shows H first
