"""A sheet of A4 as a value: marks in millimetres from its upper left corner, and the SVG that shows them.

Wires, labels and legs mean something: tests/support/hardware/reading.py makes nets of them.
Strokes and texts do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Final

from reportlab.pdfbase.pdfmetrics import stringWidth

from hardware.circuit import Terminal

WIDE: Final = 210.0
HIGH: Final = 297.0
MARGIN: Final = 10.0
SIZE: Final = 3.1  # of type: its capitals are 2.2 mm high
CAPITAL: Final = 0.72  # height of a capital, of the size; Helvetica's, as its metrics have it
BELOW: Final = 0.22  # how far a g goes below the line
FONT: Final = "Helvetica, Arial, 'Liberation Sans', sans-serif"

Point = tuple[float, float]


@dataclass(frozen=True)
class Text:
    """Words on a line; `anchor` is the part of them at the point: start, middle or end."""

    at: Point
    words: str
    anchor: str = "start"
    bold: bool = False
    size: float = SIZE

    @cached_property
    def wide(self) -> float:
        """Its width, which the SVG sets too, so that it is the same with any font."""
        return float(stringWidth(self.words, "Helvetica-Bold" if self.bold else "Helvetica", self.size))

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        left = self.at[0] - {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * self.wide
        return left, self.at[1] - CAPITAL * self.size, left + self.wide, self.at[1] + BELOW * self.size


@dataclass(frozen=True)
class Stroke:
    """A line that carries nothing: the outline of a part. Wires may cross a `board`'s."""

    points: tuple[Point, ...]
    closed: bool = False
    board: bool = False
    filled: bool = False


@dataclass(frozen=True)
class Ring:
    """A circle that carries nothing."""

    centre: Point
    radius: float


@dataclass(frozen=True)
class Wire:
    """A wire through points; it is joined to everything that its ends touch, and to wires that end on it."""

    points: tuple[Point, ...]


@dataclass(frozen=True)
class Label:
    """The name of the net that passes a point; its text begins with that name."""

    net: str
    at: Point
    text: Text


@dataclass(frozen=True)
class Leg:
    """The place of a pin of a part; its text is its number, without one the part has no polarity."""

    terminal: Terminal
    at: Point
    text: Text | None = None


@dataclass(frozen=True)
class Name:
    """A part's reference, and its value if it has one."""

    ref: str
    value: str
    text: Text


Mark = Text | Stroke | Ring | Wire | Label | Leg | Name


@dataclass(frozen=True)
class Sheet:
    """A drawing: its subject in a line and in sentences, and its marks."""

    title: str
    says: str
    marks: tuple[Mark, ...]


def texts(sheet: Sheet) -> Iterator[Text]:
    """Yield all words on a sheet."""
    for mark in sheet.marks:
        if isinstance(mark, Text):
            yield mark
        elif isinstance(mark, Label | Leg | Name) and mark.text is not None:
            yield mark.text


def spans(points: tuple[Point, ...], closed: bool = False) -> list[tuple[Point, Point]]:
    """Return the straight lines between points."""
    return list(zip(points, (*points[1:], points[0]) if closed else points[1:], strict=False))


def meets(point: Point, span: tuple[Point, Point], inside: bool = False) -> bool:
    """Return whether a point is on a level or upright line; `inside`: and is none of its ends."""
    (x0, y0), (x1, y1) = span
    on = min(x0, x1) <= point[0] <= max(x0, x1) and min(y0, y1) <= point[1] <= max(y0, y1)
    return on and not (inside and point in span)


def joints(wires: Iterable[Wire]) -> list[Point]:
    """Return the points where three ends of wires meet, or one ends on another: a dot is drawn there."""
    lines = [span for wire in wires for span in spans(wire.points)]
    ends = [end for line in lines for end in line]
    return sorted(
        at for at in set(ends) if ends.count(at) > 2 or (any(meets(at, line, inside=True) for line in lines))
    )


# -- SVG


def svg(sheet: Sheet) -> str:
    """Return the sheet as SVG, black on white, a line per mark; always the same bytes."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE:g}mm" height="{HIGH:g}mm" '
        f'viewBox="0 0 {WIDE:g} {HIGH:g}" role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(sheet.title)}</title>',
        f'<desc id="desc">{escape(sheet.says)}</desc>',
        f"<style>@page{{size:{WIDE:g}mm {HIGH:g}mm;margin:0}}</style>",  # a browser prints one page
        f'<rect width="{WIDE:g}" height="{HIGH:g}" fill="#fff"/>',
        '<g fill="none" stroke="#000" stroke-width=".25" stroke-linejoin="round">',
        *(_stroke(mark) for mark in sheet.marks if isinstance(mark, Stroke | Ring)),
        '</g>\n<g fill="none" stroke="#000" stroke-width=".35" stroke-linejoin="round">',
        *(f'<path d="{_path(mark.points)}"/>' for mark in sheet.marks if isinstance(mark, Wire)),
        "</g>\n<g>",
        *(
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r=".75"/>'
            for x, y in joints(mark for mark in sheet.marks if isinstance(mark, Wire))
        ),
        f'</g>\n<g font-family="{FONT}" font-size="{SIZE:g}">',
        *(_text(text) for text in texts(sheet) if text.words),
        "</g>\n</svg>\n",
    ]
    return "\n".join(lines)


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _path(points: tuple[Point, ...], closed: bool = False) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points) + ("Z" if closed else "")


def _stroke(mark: Stroke | Ring) -> str:
    if isinstance(mark, Ring):
        return f'<circle cx="{_n(mark.centre[0])}" cy="{_n(mark.centre[1])}" r="{_n(mark.radius)}"/>'
    fill = ' fill="#000"' if mark.filled else ""
    return f'<path d="{_path(mark.points, mark.closed)}"{fill}/>'


def _text(text: Text) -> str:
    how = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    how += ' font-weight="bold"' if text.bold else ""
    how += "" if text.size == SIZE else f' font-size="{text.size:g}"'
    width = f'textLength="{_n(text.wide)}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{_n(text.at[0])}" y="{_n(text.at[1])}" {width}{how}>{escape(text.words)}</text>'
