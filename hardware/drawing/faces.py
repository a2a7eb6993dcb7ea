"""Features that identify a board or part at a glance: the notch of a chip, the plug of a Pico, the shape of a
button.
"""

from __future__ import annotations

from math import cos, pi, sin

from hardware.circuit import PartType
from hardware.drawing.page import Mark, Point, Ring, Stroke, Text


def _ring(centre: Point, radius: float, start: float = 0.0, end: float = 2 * pi) -> tuple[Point, ...]:
    steps = [start + (end - start) * n / 12 for n in range(13)]
    return tuple(
        (round(centre[0] + radius * cos(a), 2), round(centre[1] + radius * sin(a), 2)) for a in steps
    )


def _square(x: float, y: float, half: float) -> Stroke:
    corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    return Stroke(tuple((round(a, 2), round(b, 2)) for a, b in corners), closed=True, board=True)


def first(at: Point) -> Mark:
    """Return a square about leg 1."""
    return _square(*at, 1.1)


def lying(kind: PartType, corner: Point, wide: float, high: float) -> list[Mark]:
    """Return a part seen from above, within its box."""
    x, y = corner
    middle, right = (x + wide / 2, y), (round(x + wide - 5.5, 2), round(y + high / 2, 2))
    if kind.name.startswith("74HC"):
        return [Stroke(_ring(middle, 1.6, 0, pi), board=True)]
    if kind.name == "Raspberry Pi Pico":
        plug = (
            (middle[0] - 4.5, y),
            (middle[0] - 4.5, y + 4),
            (middle[0] + 4.5, y + 4),
            (middle[0] + 4.5, y),
        )
        return [Stroke(plug, board=True), Text((middle[0], y + 3.1), "USB", "middle")]
    if kind.name == "button":
        return [_square(*right, 3.6), Ring(right, 2.0)]
    if kind.name == "piezo":
        return [Ring(right, 4.0), Ring(right, 0.6)]
    if kind.name == "RGB LED":
        return [Ring((right[0] + 2, right[1]), 2.8)]
    if kind.name == "capacitor":
        return [Stroke(_ring(right, 3.0), closed=True, board=True)]
    return []


def within(kind: PartType, corner: Point, wide: float, rows: dict[str, float]) -> list[Mark]:
    """Return the contents of a symbol's box, by the height of each leg: the diodes of an LED."""
    if kind.name != "RGB LED":
        return []
    far, left = corner[0] + wide - 1.5, corner[0] + wide - 7
    marks: list[Mark] = []
    for name, y in rows.items():
        if name == "cathode":
            marks.append(Stroke(((left + 0.8, y), (far, y))))
            continue
        tip = left + 3.6
        marks += [
            Stroke(((left, y), (left + 1.2, y))),
            Stroke(((left + 1.2, y - 1.3), (left + 1.2, y + 1.3), (tip, y)), closed=True),
            Stroke(((tip, y - 1.3), (tip, y + 1.3))),
            Stroke(((tip, y), (far, y))),
        ]
    heights = sorted(rows.values())
    return [*marks, Stroke(((far, heights[0]), (far, heights[-1])))]
