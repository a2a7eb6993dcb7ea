"""Signs for the spaces of a track: the prints of a game's board, to cut out and lay on the tiles.

A sign is as long as the track's pitch and has its place on the outer edge of a tile
(hardware/models/tile.scad), next to the piece. So one track is the board of every game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from reportlab.lib.units import mm

from companion.games.race import Race
from companion.message import N_, Sentence
from companion.paper.sheet import GROUND, HAIR, INK, SOFT, Sheet, ruler
from companion.translate import Words

PITCH: Final = 60  # mm, as hardware/models/sizes.scad has it
DEEP: Final = 18.0  # mm, across the track
LEAST, MOST = 35, 90  # mm, of a pitch
HEAD, EDGE = 34.0, 10.0  # mm
SAND, OBSTACLE = "#EAD9A8", "#C9BFB0"


class Sign(NamedTuple):
    """The number of a space, and its print: `sand`, `obstacle`, `start`, `finish` or nothing."""

    number: int
    kind: str


def signs(race: Race) -> list[Sign]:
    """Return a sign for each space that has a place on the track, in the order of the race.

    Food, obstacles that seats lay, and other loose things have none.
    """
    track = race.track()
    loop = track["kind"] == "loop"
    last = track["spaces"] + (0 if loop else track["behind"])
    printed = dict.fromkeys(track.get("sand", ()), "sand")
    printed |= dict.fromkeys(track.get("natural", ()), "obstacle")
    numbers = range(race.first_space, race.first_space + last)
    return [Sign(n, printed.get(n, _line(race, n, loop))) for n in numbers]


def _line(race: Race, number: int, loop: bool) -> str:
    if loop:
        return "start" if number == race.first_space else ""
    return "finish" if number == race.track()["spaces"] + 1 else ""


def spaces(race: Race, words: Words, size: str = "a4", pitch: int = PITCH) -> bytes:
    """Return the sheets as a PDF."""
    title = words.text(Sentence(_TITLE, {"game": words(race.title)}))
    sheet = Sheet(title, size)
    across, deep = int((sheet.width - 2 * EDGE) // pitch), int((sheet.height - HEAD - EDGE) // DEEP)
    all_signs = signs(race)
    pages = [all_signs[start : start + across * deep] for start in range(0, len(all_signs), across * deep)]
    for number, page in enumerate(pages, 1):
        _head(sheet, title, f"{number}/{len(pages)}" if len(pages) > 1 else "", pitch, words)
        for x, y, sign in _placed(sheet, page, across, pitch):
            _sign(sheet, x, y, sign, pitch, words)
        if number < len(pages):
            sheet.turn()
    return sheet.pdf()


def _placed(sheet: Sheet, page: list[Sign], across: int, pitch: int) -> Iterator[tuple[float, float, Sign]]:
    """Yield each sign with its upper left corner; neighbours on paper are neighbours on the track."""
    left = (sheet.width - across * pitch) / 2
    for n, sign in enumerate(page):
        down, along = divmod(n, across)
        yield left + along * pitch, HEAD + down * DEEP, sign


def _head(sheet: Sheet, title: str, page: str, pitch: int, words: Words) -> None:
    right = sheet.width - EDGE
    sheet.text(EDGE, 16, title, 15, bold=True, width=right - EDGE - 14)
    sheet.text(right, 16, page, 11, colour=SOFT, align="right")
    instructions = words.text(Sentence(_HOW, {"pitch": pitch, "deep": f"{DEEP:.0f}"}))
    sheet.lines(EDGE, 21.5, instructions, 8, right - EDGE - 58, 3, colour=SOFT)
    ruler(sheet, right - 50, 25, words)


def _sign(sheet: Sheet, x: float, y: float, sign: Sign, pitch: int, words: Words) -> None:
    """Draw a number and, for people who do not see colours, the kind in words and as a pattern."""
    ground = {"sand": SAND, "obstacle": OBSTACLE}.get(sign.kind, GROUND)
    sheet.canvas.setFillColor(ground)
    sheet.canvas.setStrokeColor(HAIR)
    sheet.canvas.setLineWidth(0.15 * mm)
    sheet.canvas.rect(x * mm, sheet.up(y + DEEP), pitch * mm, DEEP * mm, fill=1)
    if sign.kind in ("start", "finish"):
        _chequers(sheet, x, y)
    if sign.kind == "sand":
        _grains(sheet, x, y, pitch)
    if sign.kind == "obstacle":
        for rail in (5.5, 9.0, 12.5):
            sheet.line(x + pitch - 16, y + rail, x + pitch - 4, y + rail, 1.2)
        for post in (pitch - 14.5, pitch - 5.5):
            sheet.line(x + post, y + 3.5, x + post, y + 15, 1.2)
    sheet.text(x + 9, y + 12.4, str(sign.number), 24, bold=True)
    if sign.kind:
        text = words(_NAMES[sign.kind])
        sheet.text(x + 24, y + 11, text, 10, bold=True, width=pitch - (42 if sign.kind == "obstacle" else 28))


def _chequers(sheet: Sheet, x: float, y: float) -> None:
    """Draw the line, two squares wide, at the edge where pieces come from."""
    side = DEEP / 6
    sheet.canvas.setFillColor(INK)
    for n in range(6):
        sheet.canvas.rect((x + side * (n % 2)) * mm, sheet.up(y + side * (n + 1)), side * mm, side * mm, 0, 1)


def _grains(sheet: Sheet, x: float, y: float, pitch: int) -> None:
    sheet.canvas.setFillColor(SOFT)
    for n in range(pitch // 3):
        across, down = x + 1.5 + 3 * n, y + (15.6 if n % 2 else 16.6)
        sheet.canvas.circle(across * mm, sheet.up(down), 0.35 * mm, 0, 1)


_NAMES: Final = {
    "sand": N_("sand"),
    "obstacle": N_("obstacle"),
    "start": N_("start"),
    "finish": N_("finish line"),
}
_TITLE = N_("Signs for the spaces: {game}")
_HOW = N_(
    "Print at 100 % (actual size, not fitted to the page). Each sign is {pitch} × {deep} mm: a row may stay "
    "in one piece. They lie on the outer edge of the tiles, in the direction of the race."
)
