"""The board as a picture, of the drawings of its layers that KiCad made: the product of the maker's files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from hardware.board.pcb import CORNER
from hardware.board.placement import Design

UNITS: Final = 1e6  # of KiCad's drawing, a millimetre
BOARD, COPPER, BARE, PRINT, HOLE = "#0b4a2c", "#14733f", "#d9b352", "#f4f4ee", "#222"
SIDES: Final = {"top": "F", "bottom": "B"}


WIDE: Final = 1020
"""Of a picture, in pixels."""


def name(design: Design, side: str) -> str:
    """Return the name of the picture of a side.

    >>> from hardware.board.designs import DESIGNS
    >>> name(DESIGNS["group"], "top"), name(DESIGNS["reader"], "top")
    ('board-top.svg', 'board-reader-top.svg')
    """
    return f"board-{side}.svg" if design.name == "group" else f"board-{design.name}-{side}.svg"


def drawn(design: Design, folder: Path, side: str) -> str:
    """Return a side as SVG, the lower one in the view of the board turned over."""
    width, height = design.size
    letter = SIDES[side]
    turned = f' transform="translate({width:g} 0) scale(-1 1)"' if side == "bottom" else ""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {width + 2:g} {height + 2:g}"'
            f' width="{WIDE}" height="{WIDE * (height + 2) / (width + 2):.0f}" role="img"'
            f' aria-label="the board of {design.title}, {side} side">',
            f'<g{turned} stroke-linecap="round" stroke-linejoin="round" fill-rule="evenodd">',
            f'<rect width="{width:g}" height="{height:g}" rx="0.5" fill="{BOARD}"/>',
            *_layer(folder / f"{design.name}-{letter}_Cu.svg", COPPER),
            *_layer(folder / f"{design.name}-{letter}_Mask.svg", BARE),
            *_layer(folder / f"{design.name}-{letter}_Silkscreen.svg", PRINT),
            *_holes(design, folder),
            "</g>",
            "</svg>",
            "",
        ]
    )


def _layer(path: Path, colour: str) -> Iterator[str]:
    """Yield the shapes on a layer, in groups of the same style."""
    groups: dict[tuple[bool, float], list[str]] = {}
    for style, shape in _shapes(ElementTree.parse(path).getroot(), ""):
        filled = float(_found(r"fill-opacity:([\d.]+)", style) or 0) > 0
        width = 0.0 if filled else round(float(_found(r"stroke-width:([\d.]+)", style) or 0) / UNITS, 2)
        if made := _outline(shape):
            groups.setdefault((filled, width), []).append(made)
    for (filled, width), shapes in groups.items():
        look = f'fill="{colour}"' if filled else f'fill="none" stroke="{colour}" stroke-width="{width:g}"'
        yield f'<path {look} d="{"".join(shapes)}"/>'


def _shapes(of: ElementTree.Element, style: str) -> Iterator[tuple[str, ElementTree.Element]]:
    """Yield all shapes, each with the style that it has from the groups that it is in."""
    for each in of:
        if each.tag.endswith("}g"):
            yield from _shapes(each, each.get("style", style))
        else:
            yield style, each


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found[1] if found else ""


def _outline(shape: ElementTree.Element) -> str:
    """Return a line, a polygon or a disc as part of a path, in hundredths of a millimetre."""
    tag = shape.tag.rpartition("}")[2]
    if tag == "circle":
        x, y, r = (float(shape.get(name, "0")) / UNITS for name in ("cx", "cy", "r"))
        x, y = x - CORNER[0], y - CORNER[1]
        return _disc(x, y, r)
    if tag != "path":
        return ""
    drawn_as = shape.get("d", "")
    pairs = ((float(x) / UNITS, float(y) / UNITS) for x, y in _POINT.findall(drawn_as))
    whole = [(round(100 * (x - CORNER[0])), round(100 * (y - CORNER[1]))) for x, y in pairs]
    parts, last = [f"M{_short(whole[0][0])} {_short(whole[0][1])}"], whole[0]
    for at in whole[1:]:
        if at != last:
            parts.append(f"l{_short(at[0] - last[0])} {_short(at[1] - last[1])}")
            last = at
    return "".join(parts) + ("z" if "Z" in drawn_as else "")


_POINT: Final = re.compile(r"(-?[\d.]+)[ ,](-?[\d.]+)")


def _short(hundredths: int) -> str:
    return f"{hundredths / 100:.2f}".rstrip("0").rstrip(".")


def _disc(x: float, y: float, r: float) -> str:
    return f"M{x - r:.3f} {y:.3f}a{r:.3f} {r:.3f} 0 1 0 {2 * r:.3f} 0a{r:.3f} {r:.3f} 0 1 0 {-2 * r:.3f} 0"


def _holes(design: Design, folder: Path) -> Iterator[str]:
    """Yield the drilled holes, in the drill files' coordinates: from the lower left corner, y up."""
    discs = []
    for kind in ("PTH", "NPTH"):
        sizes: dict[str, float] = {}
        tool = ""
        path = folder / f"{design.name}-{kind}.drl"
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            if made := re.fullmatch(r"(T\d+)C([\d.]+)", line):
                sizes[made[1]] = float(made[2])
            elif line in sizes:
                tool = line
            elif at := re.fullmatch(r"X(-?[\d.]+)Y(-?[\d.]+)", line):
                discs.append(_disc(float(at[1]), design.size[1] - float(at[2]), sizes[tool] / 2))
    yield f'<path fill="{HOLE}" d="{"".join(discs)}"/>'
