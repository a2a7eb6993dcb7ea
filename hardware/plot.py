"""Curves as a drawing: black on white, distinguished by their dashes, readable on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

WIDE: Final = 640
HIGH: Final = 300
LEFT: Final = 46
RIGHT: Final = 12
TOP: Final = 28
BOTTOM: Final = 36
DASHES: Final = ("", "7 3", "2 3", "10 3 2 3")

Curve = tuple[Sequence[float], Sequence[float]]


def drawn(
    title: str,
    curves: Mapping[str, Curve],
    x: tuple[float, float, float],
    y: tuple[float, float, float],
    units: tuple[str, str],
    levels: Sequence[float] = (),
) -> str:
    """Return an SVG: `x` and `y` are from, to and step of the axes, `levels` are marked across."""

    def px(value: float) -> float:
        return round(LEFT + (value - x[0]) / (x[1] - x[0]) * (WIDE - LEFT - RIGHT), 1)

    def py(value: float) -> float:
        return round(HIGH - BOTTOM - (value - y[0]) / (y[1] - y[0]) * (HIGH - TOP - BOTTOM), 1)

    parts = [f'<text x="{LEFT}" y="18" font-weight="bold">{escape(title)}</text>']
    for at in _steps(*x):
        parts.append(f'<path d="M{px(at)} {TOP}V{HIGH - BOTTOM}" stroke="#ddd"/>')
        parts.append(f'<text x="{px(at)}" y="{HIGH - BOTTOM + 14}" text-anchor="middle">{at:g}</text>')
    for at in _steps(*y):
        parts.append(f'<path d="M{LEFT} {py(at)}H{WIDE - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{py(at) + 4}" text-anchor="end">{at:g}</text>')
    for at in levels:
        parts.append(f'<path d="M{LEFT} {py(at)}H{WIDE - RIGHT}" stroke="#888"/>')
    for (name, (xs, ys)), dash, row in zip(curves.items(), DASHES, range(len(DASHES)), strict=False):
        points = [
            (px(a), py(min(max(b, y[0]), y[1]))) for a, b in zip(xs, ys, strict=True) if x[0] <= a <= x[1]
        ]
        line = "L".join(f"{a:g} {b:g}" for a, b in _thinned(points))
        pen = f'stroke="#000" stroke-width="1.6" stroke-dasharray="{dash}"'
        parts.append(f'<path d="M{line}" fill="none" {pen}/>')
        key = WIDE - RIGHT - 200, HIGH - BOTTOM - 14 - 16 * row
        parts.append(f'<rect x="{key[0] - 4}" y="{key[1] - 11}" width="204" height="16" fill="#fff"/>')
        parts.append(f'<path d="M{key[0]} {key[1] - 3}h30" {pen}/>')
        parts.append(f'<text x="{key[0] + 36}" y="{key[1] + 1}">{escape(name)}</text>')
    parts.append(f'<text x="{WIDE - RIGHT}" y="{HIGH - 6}" text-anchor="end">{escape(units[0])}</text>')
    parts.append(f'<text x="6" y="18">{escape(units[1])}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" '
        f'font-size="12"><rect width="{WIDE}" height="{HIGH}" fill="#fff"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _steps(low: float, high: float, step: float) -> list[float]:
    return [low + n * step for n in range(round((high - low) / step) + 1)]


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the points without those that a straight line meets within a third of a pixel (Ramer, Douglas
    and Peucker).
    """
    (x0, y0), (x1, y1) = points[0], points[-1]
    span = (x1 - x0) or 1.0
    apart = [abs(y0 + (y1 - y0) * (x - x0) / span - y) for x, y in points[1:-1]]
    if not apart or max(apart) < 0.34:
        return [points[0], points[-1]]
    at = apart.index(max(apart)) + 1
    return [*_thinned(points[: at + 1])[:-1], *_thinned(points[at:])]
