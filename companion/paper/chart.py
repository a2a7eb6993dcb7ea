"""The chances to win over time, as lines that differ without colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from reportlab.lib.units import mm

from companion.history.past import Past
from companion.paper.sheet import HAIR, SOFT, Sheet

LINES: Final = (  # colour, dashes (mm)
    ("#23203F", ()),
    ("#B23A00", (2.2, 1.0)),
    ("#2A6BE8", (0.6, 1.0)),
    ("#0B6B3A", (3.0, 1.0, 0.6, 1.0)),
    ("#8A4FA8", (1.2, 0.6)),
)
NAMED: Final = 42.0  # mm on the right for the names
STEP: Final = 4.2  # mm that two names stand apart at least


def odds_over_time(sheet: Sheet, past: Past, x: float, y: float, width: float, height: float) -> float:
    """Draw the chart with its upper left corner at (x, y); return the height below it (mm)."""
    wide, last = width - NAMED - 8, max(1, len(past.odds) - 1)
    for share in (0, 0.5, 1):
        level = y + height * (1 - share)
        sheet.line(x + 8, level, x + 8 + wide, level, 0.15, HAIR)
        sheet.text(x + 7, level + 1, f"{share:.0%}", 7, colour=SOFT, align="right")
    ends = []
    for seat in range(len(past.seats)):
        points = [
            (x + 8 + wide * index / last, y + height * (1 - wins.chances[seat]))
            for index, wins in enumerate(past.odds)
            if wins is not None
        ]
        _draw(sheet, seat, points)
        ends.append(points[-1][1])
    for seat, level in zip(range(len(ends)), apart(ends, y, y + height), strict=True):
        colour, _ = LINES[seat % len(LINES)]
        _draw(sheet, seat, [(x + 10 + wide, level), (x + 18 + wide, level)])
        sheet.text(x + 20 + wide, level + 1, past.seats[seat], 8, colour=colour, width=NAMED - 12)
    return y + height + 4


def _draw(sheet: Sheet, seat: int, points: Sequence[tuple[float, float]]) -> None:
    colour, dashes = LINES[seat % len(LINES)]
    canvas = sheet.canvas
    canvas.saveState()
    canvas.setStrokeColor(colour)
    canvas.setLineWidth(0.5 * mm)
    canvas.setLineJoin(1)
    canvas.setDash([length * mm for length in dashes])
    path = canvas.beginPath()
    for index, (x, y) in enumerate(points):
        (path.lineTo if index else path.moveTo)(x * mm, sheet.up(y))
    canvas.drawPath(path, stroke=1, fill=0)
    canvas.restoreState()


def apart(levels: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return the levels, moved as little as possible so that no two are closer than STEP, from
    the top down.

    >>> apart([10, 10.1, 30], 0, 30)
    [10, 14.2, 30]
    """
    order = sorted(range(len(levels)), key=lambda n: levels[n])
    placed = [levels[n] for n in order]
    for index in range(1, len(placed)):
        placed[index] = max(placed[index], placed[index - 1] + STEP)
    lowest = max(bottom, top + STEP * (len(placed) - 1))
    for index in range(len(placed) - 1, -1, -1):
        placed[index] = min(placed[index], lowest - STEP * (len(placed) - 1 - index))
    by_seat = dict(zip(order, placed, strict=True))
    return [by_seat[n] for n in range(len(levels))]
