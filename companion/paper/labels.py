"""Labels for the tags: one for every card and piece of a box, to print, cut out and stick on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from reportlab.lib.units import mm

from companion.games.boxes import box_called
from companion.games.race import Race
from companion.message import N_, Sentence
from companion.paper import drawings
from companion.paper.sheet import HAIR, RULER, SOFT, Sheet, ruler
from companion.tags.item import Item
from companion.tags.worded import box_title
from companion.translate import Words

LABEL: Final = 26.0  # mm, the square between the cut marks
ROUND: Final = 25.0  # mm, the circle in it: for round stickers of 25 to 30 mm
INSIDE: Final = 24.0  # mm, the drawing fits such a circle, and so a square sticker of 24 mm
ACROSS: Final = 7
HEAD, EDGE = 34.0, 10.0  # mm
MARK = 2.0  # mm, the length of a cut mark


def items(game: type[Race], edition: str = "") -> list[list[Item]]:
    """Return all things in the box that get a tag: a row of cards for each colour, then the pieces."""
    numbers = range(1, box_called(game, edition).numbers + 1)
    cards = [[Item(game.name, "card", c, n) for n in numbers] for c in game.pieces]
    return [*filter(None, cards), [Item(game.name, "piece", colour, 0) for colour in game.pieces]]


def labels(game: type[Race], words: Words, size: str = "a4", edition: str = "") -> bytes:
    """Return the sheets of an edition as a PDF; InvalidInput if there is no such edition."""
    title = words.text(Sentence(_TITLE, {"game": box_title(game, edition, words)}))
    sheet = Sheet(title, size)
    deep = int((sheet.height - HEAD - EDGE) // LABEL)
    rows = _rows(items(game, edition), deep)
    pages = [rows[start : start + deep] for start in range(0, len(rows), deep)]
    for number, page in enumerate(pages, 1):
        _head(sheet, title, f"{number}/{len(pages)}" if len(pages) > 1 else "", words)
        _grid(sheet, page)
        for x, y, item in _placed(sheet, page):
            _label(sheet, x, y, item, game, words)
        if number < len(pages):
            sheet.turn()
    return sheet.pdf()


def _rows(things: list[list[Item]], deep: int) -> list[list[Item]]:
    """Return the rows of labels: each colour begins one, unless that takes a sheet more, `deep` rows long."""
    apart = [row[at : at + ACROSS] for row in things for at in range(0, len(row), ACROSS)]
    line = [item for row in things for item in row]
    close = [line[at : at + ACROSS] for at in range(0, len(line), ACROSS)]
    return apart if -(-len(apart) // deep) == -(-len(close) // deep) else close


def _placed(sheet: Sheet, rows: Sequence[Sequence[Item]]) -> Iterator[tuple[float, float, Item]]:
    """Yield each item with the middle of its label."""
    left = (sheet.width - ACROSS * LABEL) / 2
    for down, row in enumerate(rows):
        for along, item in enumerate(row):
            yield left + (along + 0.5) * LABEL, HEAD + (down + 0.5) * LABEL, item


def _head(sheet: Sheet, title: str, page: str, words: Words) -> None:
    left, right = (sheet.width - ACROSS * LABEL) / 2, (sheet.width + ACROSS * LABEL) / 2
    sheet.text(left, 16, title, 15, bold=True, width=right - left - 14)
    sheet.text(right, 16, page, 11, colour=SOFT, align="right")
    instructions = words.text(Sentence(_HOW, {"size": f"{LABEL:.0f}"}))
    sheet.lines(left, 21.5, instructions, 8, right - left - RULER - 8, 3, colour=SOFT)
    ruler(sheet, right - RULER, 25, words)


def _grid(sheet: Sheet, rows: Sequence[Sequence[Item]]) -> None:
    """Draw cut marks at the corners of every label."""
    left, corners = (sheet.width - ACROSS * LABEL) / 2, set()
    for down, row in enumerate(rows):
        for along in range(len(row)):
            corners |= {(along + i, down + j) for i in (0, 1) for j in (0, 1)}
    for along, down in sorted(corners):
        x, y = left + along * LABEL, HEAD + down * LABEL
        sheet.line(x - MARK / 2, y, x + MARK / 2, y, 0.12, SOFT)
        sheet.line(x, y - MARK / 2, x, y + MARK / 2, 0.12, SOFT)


def _label(sheet: Sheet, x: float, y: float, item: Item, game: type[Race], words: Words) -> None:
    """Draw a label round its middle: the animal, its name, and on a card the mark once more and
    the number.
    """
    name = words.without_article(game.pieces[item.colour])
    sheet.canvas.setStrokeColor(HAIR)
    sheet.canvas.setLineWidth(0.1 * mm)
    sheet.canvas.circle(x * mm, sheet.up(y), ROUND / 2 * mm)
    if item.kind == "card":
        _drawn(sheet, drawings.animal(game.animal, item.colour), x, y - 5.2, 18.0, 10.2)
        sheet.text(x, y + 3.3, name, 8, bold=True, align="middle", width=20.5)
        _drawn(sheet, drawings.chip(item.colour), x - 4.1, y + 7.2, 5.6, 5.6)
        sheet.text(x + 3.6, y + 9.3, str(item.number), 17, bold=True, align="middle")
    else:
        _drawn(sheet, drawings.animal(game.animal, item.colour), x, y - 2.8, 20.5, 13.5)
        sheet.text(x, y + 7.4, name, 8.5, bold=True, align="middle", width=16)


def _drawn(sheet: Sheet, drawing: drawings.Drawing, x: float, y: float, width: float, height: float) -> None:
    """Draw round a middle."""
    drawings.draw(
        sheet.canvas, drawing, (x - width / 2) * mm, sheet.up(y + height / 2), width * mm, height * mm
    )


_TITLE = N_("Labels for the tags: {game}")
_HOW = N_(
    "Print at 100 % (actual size, not fitted to the page). Cut along the marks: each label is "
    "{size} × {size} mm. Cut round, it fits a sticker of 25 mm; trimmed, a square of 24 mm."
)
