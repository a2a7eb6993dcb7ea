"""The result as an image to store or send: an SVG of our own drawings, with its fonts inside."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from types import MappingProxyType
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from reportlab.pdfbase import pdfmetrics

from companion.games.terms import Standing
from companion.history.past import Past
from companion.message import N_, Sentence
from companion.paper import drawings
from companion.paper.hats import hat_of
from companion.paper.sheet import INK, SOFT, broken, in_font, learn_fonts
from companion.table.faces import Face
from companion.translate import Words

WIDE: Final = 1080
HIGH: Final = 1350
EDGE: Final = 60
SMALLEST: Final = 24.0  # letters that a phone still shows
STRANGE: Final = 1.3  # of its size: the width of a letter missing in the font, such as an emoji
FONT: Final = "Rubik-Bold"  # for measuring; the drawn font has the same widths
ROW: Final = 58  # px, of a seat that is not on the podium
STEPS: Final = {1: 1.0, 2: 0.74}  # of the highest step; all others are as high as the third
THIRD: Final = 0.54
ENGLISH: Final = frozenset({*map(chr, range(0x20, 0x7F)), *"\u00a0·×–—‘’‚“”…−"})
"""Letters of the first part of the font (tools/web_fonts.py)."""

_SKY, _PLATE, _WHITE, _TURF, _DARK_TURF, _CLAY = (
    "#fff4dc",
    "#ffe27a",
    "#ffffff",
    "#9bd27f",
    "#8dc872",
    "#e9bf87",
)
_PAPER = ("#c91f37", "#2a6be8", "#27b07c", "#ffc524", "#ffa9d2", "#704c22")


def keepsake(
    past: Past, words: Words, text: Sentence | None, faces: Mapping[str, Face] = MappingProxyType({})
) -> bytes:
    """Return the image; `text` is the sentence about the game at its top, None for one that was given up.

    Of `faces` it has hats in their colours and no photo: those stay on the machine.
    """
    learn_fonts()
    return _Image(past, words, text, faces).svg()


class Poster:
    """An image of `WIDE` by `HIGH` px on its ground; lengths in px from the upper left corner."""

    def __init__(self, words: Words, floor: float) -> None:
        """Begin an image whose grass begins at `floor`."""
        self.words = words
        self.root = Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "width": str(WIDE),
                "height": str(HIGH),
                "viewBox": f"0 0 {WIDE} {HIGH}",
            },
        )
        self.letters: set[str] = set()
        self.style = SubElement(self.root, "style")
        self._ground(floor)

    def svg(self) -> bytes:
        """Return the finished file."""
        self.style.text = _style(self.letters)
        return b'<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(self.root)

    def _ground(self, floor: float) -> None:
        self._box(0, 0, WIDE, HIGH, _SKY)
        for index in range(64):  # paper that fell, the same on each picture
            x, y = (index * 397 + 131) % WIDE, 300 + (index * 211) % 560
            paper = self._box(x, y, 14, 24, _PAPER[index % len(_PAPER)], 3)
            paper.set("transform", f"rotate({index * 67 % 180} {x + 7} {y + 12})")
            paper.set("opacity", ".55")
        for index in range(12):  # pennants
            self._path(f"M{index * 90} 0h90l-45 78Z", _PAPER[index % len(_PAPER)], INK, 4)
        self._box(0, floor, WIDE, HIGH - floor, _TURF)
        for x in range(0, WIDE, 240):
            self._box(x, floor, 120, HIGH - floor, _DARK_TURF)
        self._box(0, HIGH - 96, WIDE, 96, _CLAY)
        self._path(f"M0 {HIGH - 96}H{WIDE}", "none", _WHITE, 10)

    def _plate(self, sentence: str) -> None:
        """Draw the sentence at the top, in one line or two."""
        lines = _balanced(in_font(sentence[:1].upper() + sentence[1:]), 44, WIDE - 2 * EDGE - 70)
        high = 46 + 56 * len(lines)
        self._box(EDGE, 264, WIDE - 2 * EDGE, high, _PLATE, 28, INK)
        for index, line in enumerate(lines):
            self._text(WIDE / 2, 330 + 56 * index, line, 44, WIDE - 2 * EDGE - 60)

    def _sign(self) -> None:
        """Write the name of this program at the bottom."""
        self._text(WIDE - EDGE, HIGH - 34, self.words(_COMPANION), 30, 400, "end", "#5a3a12")

    def _text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        wide: float,
        anchor: str = "middle",
        colour: str = INK,
    ) -> None:
        """Draw one line with its baseline at `y`, at most `wide`: smaller where it is longer, then cut."""
        text, size = _fitted(in_font(text), size, wide)
        self.letters.update(text)
        attributes = {"x": f"{x:g}", "y": f"{y:g}", "text-anchor": anchor, "fill": colour}
        line = SubElement(self.root, "text", {**attributes, "font-size": f"{size:.4g}"})
        line.text = text

    def _box(
        self, x: float, y: float, wide: float, high: float, fill: str, round_: float = 0, edge: str = "none"
    ) -> Element:
        sizes = {"x": x, "y": y, "width": wide, "height": high, "rx": round_, "stroke-width": 5}
        numbers = {name: f"{value:g}" for name, value in sizes.items()}
        return SubElement(self.root, "rect", {**numbers, "fill": fill, "stroke": edge})

    def _path(self, path: str, fill: str, edge: str, width: float) -> None:
        SubElement(self.root, "path", {"d": path, "fill": fill, "stroke": edge, "stroke-width": f"{width:g}"})

    def _draw(self, drawing: drawings.Drawing, x: float, y: float, wide: float, high: float) -> None:
        """Draw in the middle of a box, as large as fits."""
        self.root.append(placed(drawing, x, y, wide, high))


class _Image(Poster):
    """The image, drawn from its ground to the top; lengths in px from the upper left corner."""

    def __init__(self, past: Past, words: Words, text: Sentence | None, faces: Mapping[str, Face]) -> None:
        rows = [s for s in past.standings if s not in past.podium]
        floor = min(1085, 1108 - ROW * len(rows)) if past.podium else 420
        super().__init__(words, floor)
        self.past, self.faces = past, faces
        self._head(text)
        if past.podium:
            self._podium(floor)
        self._path(f"M0 {floor}H{WIDE}", "none", INK, 6)
        self._rest(rows, floor + 34)
        self._runners()

    # --- the parts of the picture ----------------------------------------------------------------

    def _head(self, headline: Sentence | None) -> None:
        past, day = self.past, self.words.day(datetime.fromisoformat(self.past.when))
        title = self.words(past.title)
        self._text(WIDE / 2, 178, past.name or title, 76, WIDE - 2 * EDGE)
        under = f"{title} · {day}" if past.name else day
        self._text(WIDE / 2, 232, under, 34, WIDE - 2 * EDGE, colour=SOFT)
        sentence = self.words.text(headline, past.race) if headline else self.words(_ENDED)
        self._plate(sentence)

    def _podium(self, floor: float) -> None:
        steps = self.past.podium
        order = [*steps[1:2], steps[0], *steps[2:]]
        wide = min(290.0, (WIDE - 2 * EDGE) / len(order))
        for index, standing in enumerate(order):
            self._step(standing, WIDE / 2 + (index - len(order) / 2) * wide, floor, wide)

    def _step(self, standing: Standing, x: float, floor: float, wide: float) -> None:
        place = standing.place or 0
        first = max(210.0, min(340.0, floor - 662))  # leaves room for the text above
        top, middle = floor - first * STEPS.get(place, THIRD), x + wide / 2
        left, right = x + 4, x + wide - 4
        outline = (
            f"M{left:g} {floor}V{top + 20:g}a20 20 0 0 1 20 -20H{right - 20:g}a20 20 0 0 1 20 20V{floor}"
        )
        self._path(outline, _PLATE if place == 1 else _WHITE, INK, 5)
        self._text(middle, top + 68, str(place), 68, wide)
        self._amount(middle, top + 116, standing.score, 36, wide - 20)
        self._text(middle, top - 18, self._called(standing), 42 if place == 1 else 36, wide - 10)
        self._figure(standing, middle, top - 66, min(wide - 16, 220 if place == 1 else 180))

    def _figure(self, standing: Standing, middle: float, below: float, wide: float) -> None:
        """Draw the animal that the seat owns, where each has one, else its hat; a winner's with the cup."""
        race = self.past.race
        if piece := race.own_piece(standing.seat):
            self._draw(drawings.animal(race.animal, piece), middle - wide / 2, below - 150, wide, 150)
            return
        size = min(wide, 124.0)
        self._draw(hat_of(self.past, standing.seat, self.faces), middle - size / 2, below - size, size, size)
        if standing.place == 1:
            self._draw(drawings.symbol("trophy"), middle - 42, below - size - 92, 84, 84)

    def _rest(self, rows: Sequence[Standing], top: float) -> None:
        if not rows:
            return
        self._box(EDGE, top, WIDE - 2 * EDGE, ROW * len(rows) + 16, _WHITE, 24, INK)
        for index, standing in enumerate(rows):
            y = top + 8 + ROW * index
            place = "" if self.past.ended else "–" if standing.place is None else str(standing.place)
            self._text(EDGE + 50, y + 43, place, 36, 60)
            self._draw(hat_of(self.past, standing.seat, self.faces), EDGE + 96, y + 5, 48, 48)
            self._text(EDGE + 170, y + 43, self._called(standing), 36, 560, "start")
            self._amount(WIDE - EDGE - 110, y + 43, standing.score, 36, 180)

    def _runners(self) -> None:
        """Draw animals of the game, home from the race, and the name of this program."""
        race = self.past.race
        for index, piece in enumerate(list(race.field())[:3]):
            self._draw(drawings.animal(race.animal, piece), 70 + 200 * index, HIGH - 168, 170, 118)
        self._sign()

    # --- words and shapes ------------------------------------------------------------------------

    def _called(self, standing: Standing) -> str:
        if self.past.bots[standing.seat]:
            return self.words.text(Sentence(_ROBOT, {"text": standing.name}))
        return standing.name

    def _amount(self, middle: float, y: float, score: int, size: float, wide: float) -> None:
        """Draw the score of a seat: money with its sign, food with an acorn."""
        unit = self.past.race.unit
        text = self.words.money(score) if unit == "money" else str(score)
        if unit != "food":
            self._text(middle, y, text, size, wide)
            return
        self._draw(drawings.symbol("acorn"), middle - size * 1.25, y - size * 0.92, size * 1.1, size * 1.1)
        self._text(middle + size * 0.1, y, text, size, wide / 2, "start")


def placed(drawing: drawings.Drawing, x: float, y: float, wide: float, high: float) -> Element:
    """Return a drawing as a group of SVG in the middle of a box, as large as fits."""
    left, top, drawn, tall = drawing.box
    scale = min(wide / drawn, high / tall)
    x, y = x + (wide - drawn * scale) / 2 - left * scale, y + (high - tall * scale) / 2 - top * scale
    group = Element(
        "g",
        {
            "transform": f"translate({x:.4g} {y:.4g}) scale({scale:.4g})",
            "stroke-linecap": "round",
            "stroke-linejoin": "round",
        },
    )
    group.extend(_element(shape) for shape in drawing.shapes)
    return group


def _element(shape: drawings.Shape) -> Element:
    if shape.ellipse:
        x, y, wide, high = shape.ellipse
        numbers = {"cx": x + wide / 2, "cy": y + high / 2, "rx": wide / 2, "ry": high / 2}
        element = Element("ellipse", {name: f"{value:.4g}" for name, value in numbers.items()})
    else:
        element = Element("path", {"d": shape.path})
    attributes = {
        "transform": shape.transform,
        "fill": shape.fill or "none",
        "stroke": shape.stroke or "none",
        "stroke-width": f"{shape.width:.4g}",
        "stroke-dasharray": " ".join(f"{part:g}" for part in shape.dash),
        "opacity": "" if shape.opacity == 1 else f"{shape.opacity:g}",
        "fill-rule": "evenodd" if shape.even_odd else "",
    }
    for name, value in attributes.items():
        if value:
            element.set(name, value)
    return element


def _fitted(text: str, size: float, wide: float) -> tuple[str, float]:
    """Return the text and its size so that it is at most `wide`: smaller, then cut."""
    if (full := _width(text, size)) <= wide:
        return text, size
    size = max(min(size, SMALLEST), size * wide / full)
    if _width(text, size) <= wide + 0.01:
        return text, size
    while text and _width(f"{text}…", size) > wide:
        text = text[:-1]
    return f"{text.rstrip()}…", size


def _width(text: str, size: float) -> float:
    """Return the width of the text; letters missing in the font are drawn by the device, at most so wide."""
    known = pdfmetrics.getFont(FONT).face.charToGlyph
    ours = "".join(letter for letter in text if ord(letter) in known)
    width: float = pdfmetrics.stringWidth(ours, FONT, size) + STRANGE * size * (len(text) - len(ours))
    return width


def _balanced(text: str, size: float, wide: float) -> Sequence[str]:
    """Return the text in one line, or in two of about the same length; the rest is cut."""
    if _width(text, size) > wide:
        for part in (0.55, 0.65, 0.75, 0.85):
            lines = broken(text, FONT, size, wide * part, 99)
            if len(lines) <= 2 and not any(line.endswith("…") for line in lines):
                return lines
    return broken(text, FONT, size, wide, 2)


def _style(letters: Iterable[str]) -> str:
    """Return the style with the fonts inside the image: a file that is sent finds no others."""
    parts = ("basic",) if ENGLISH.issuperset(letters) else ("basic", "latin", "latin-ext")
    faces = "".join(
        f'@font-face{{font-family:"{part}";font-weight:500 900;src:url({_font(part)}) format("woff2")}}'
        for part in parts
    )
    named = ",".join(f'"{part}"' for part in parts)
    return f'{faces}text{{font-family:{named},Rubik,"DejaVu Sans",system-ui,sans-serif;font-weight:700}}'


@cache
def _font(part: str) -> str:
    data = (drawings.WEB / "fonts" / f"rubik-{part}.woff2").read_bytes()
    return f"data:font/woff2;base64,{base64.b64encode(data).decode()}"


_ENDED = N_("ended early")
_ROBOT = N_("{text} (robot)")
_COMPANION = N_("Race companion")
