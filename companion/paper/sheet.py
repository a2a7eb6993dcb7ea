"""A sheet of paper: its size, its fonts, and text that is fitted to its place."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from reportlab.lib.pagesizes import A4, letter
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from companion.message import N_, Sentence
from companion.translate import Words

FONTS = Path(__file__).parent / "fonts"
SIZES: Final = {"a4": A4, "letter": letter}
INK, SOFT, HAIR, GROUND = "#23203F", "#575272", "#B9B2C8", "#F3EEE2"
RULER: Final = 50  # mm
SMALLEST = 5.0  # points: smaller text is unreadable


class Sheet:
    """Pages being written; lengths in millimetres from the upper left corner, sizes of letters in points."""

    def __init__(self, title: str, size: str = "a4") -> None:
        learn_fonts()
        self._file = io.BytesIO()
        self.canvas: Any = Canvas(self._file, pagesize=SIZES[size], pageCompression=1)
        self.canvas.setTitle(title)
        self.canvas.setCreator("race companion")
        self.width, self.height = (length / mm for length in SIZES[size])

    def pdf(self) -> bytes:
        """Return the finished file."""
        self.canvas.save()
        return self._file.getvalue()

    def turn(self) -> None:
        """Begin the next page."""
        self.canvas.showPage()

    def up(self, y: float) -> float:
        """Return a height in ReportLab's points, which count from the bottom."""
        points: float = (self.height - y) * mm
        return points

    def text(
        self,
        x: float,
        y: float,
        text: str,
        points: float,
        *,
        bold: bool = False,
        colour: str = INK,
        align: str = "left",
        width: float | None = None,
    ) -> None:
        """Draw one line with its baseline at `y`; where it is wider than `width` it is set
        smaller, then cut.
        """
        font, text = _font(bold), in_font(text)
        if width is not None:
            text, points = fitted(text, font, points, width * mm)
        self.canvas.setFont(font, points)
        self.canvas.setFillColor(colour)
        write = {
            "left": self.canvas.drawString,
            "right": self.canvas.drawRightString,
            "middle": self.canvas.drawCentredString,
        }[align]
        write(x * mm, self.up(y), text)

    def lines(
        self,
        x: float,
        y: float,
        text: str,
        points: float,
        width: float,
        most: int = 99,
        *,
        bold: bool = False,
        colour: str = INK,
    ) -> float:
        """Draw text in as many lines as it needs, at most `most`; return the height below them."""
        for line in broken(in_font(text), _font(bold), points, width * mm, most):
            self.text(x, y, line, points, bold=bold, colour=colour)
            y += points * 1.28 / mm
        return y

    def line(
        self, x: float, y: float, to_x: float, to_y: float, width: float = 0.2, colour: str = INK
    ) -> None:
        """Draw a straight line, `width` millimetres thick."""
        self.canvas.setStrokeColor(colour)
        self.canvas.setLineWidth(width * mm)
        self.canvas.line(x * mm, self.up(y), to_x * mm, self.up(to_y))

    def box(self, x: float, y: float, width: float, height: float, colour: str, round_: float = 0) -> None:
        """Draw a filled box."""
        self.canvas.setFillColor(colour)
        self.canvas.roundRect(
            x * mm, self.up(y + height), width * mm, height * mm, round_ * mm, stroke=0, fill=1
        )


def _font(bold: bool) -> str:
    return "Rubik-Bold" if bold else "Rubik"


@cache
def learn_fonts() -> None:
    """Register the fonts with ReportLab, to measure and to set them."""
    for name, file in (("Rubik", "rubik-regular.ttf"), ("Rubik-Bold", "rubik-bold.ttf")):
        pdfmetrics.registerFont(TTFont(name, FONTS / file))


def in_font(text: str) -> str:
    """Return the text with a space that the font has: French puts a narrow one before its signs."""
    return text.replace("\u202f", "\u00a0")


def fitted(text: str, font: str, points: float, width: float) -> tuple[str, float]:
    """Return the text and its size so that it is at most `width` points wide: smaller, then shorter."""
    wide = pdfmetrics.stringWidth(text, font, points)
    if wide <= width:
        return text, points
    points = max(min(points, SMALLEST), points * width / wide)
    if pdfmetrics.stringWidth(text, font, points) <= width + 0.01:
        return text, points
    while text and pdfmetrics.stringWidth(text + "…", font, points) > width:
        text = text[:-1]
    return text.rstrip() + "…", points


def broken(text: str, font: str, points: float, width: float, most: int) -> Sequence[str]:
    """Return the text in at most `most` lines of `width` points; the rest, and too long a word, is cut."""
    lines: list[str] = []
    for word in text.split(" "):  # not at a space that does not break
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and pdfmetrics.stringWidth(joined, font, points) <= width:
            lines[-1] = joined
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [_cut(line, font, points, width) for line in lines]


def _cut(text: str, font: str, points: float, width: float) -> str:
    if pdfmetrics.stringWidth(text, font, points) <= width:
        return text
    while text and pdfmetrics.stringWidth(text + "…", font, points) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def ruler(sheet: Sheet, x: float, y: float, words: Words) -> None:
    """Draw five centimetres, from `x` on, to check that the print was not scaled."""
    sheet.line(x, y, x + RULER, y, 0.3)
    for offset in range(0, RULER + 1, 5):
        sheet.line(x + offset, y, x + offset, y - (2.4 if offset % 10 == 0 else 1.4), 0.2)
    sheet.text(
        x + RULER,
        y + 3.4,
        words.text(Sentence(_RULER, {"size": RULER})),
        7,
        colour=SOFT,
        align="right",
        width=RULER,
    )


_RULER = N_("check: these are {size} mm")
