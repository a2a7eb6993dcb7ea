"""Compare screenshots of a page: equal but for how the edges of letters are smoothed; and make them small."""

from __future__ import annotations

import io
from typing import Final, NamedTuple

import numpy as np
from PIL import Image, ImageDraw

BLOCK = 64  # pixels of the page
MOST = 0.05  # of a block's pixels may differ
COLOUR = 40  # steps of 256 that a colour may be off: palettes and smoothed edges
LARGEST: Final = 40_000  # bytes of a committed screenshot
_PALETTES: Final = (256, 192, 128, 96, 80, 64, 48, 40, 32)
_MARK: Final = (255, 0, 80)
_GAP: Final = 8  # pixels between the parts of a difference image


class Block(NamedTuple):
    """A block that differs: its corner in pixels of the page, and the share of its pixels that differ."""

    x: int
    y: int
    share: float


def differing(one: bytes, other: bytes, scale: int = 1) -> list[Block]:
    """Return the blocks of 64 × 64 pixels of the page in which more than 5 % differ.

    `scale` is by how much both are reduced. Screenshots of different sizes differ everywhere.
    """
    a, b = _pixels(one), _pixels(other)
    if a.shape != b.shape:
        return [Block(0, 0, 1.0)]
    differs, side = _differs(a, b), BLOCK // scale
    found = []
    for y in range(0, differs.shape[0], side):
        for x in range(0, differs.shape[1], side):
            share = float(differs[y : y + side, x : x + side].mean())
            if share > MOST:
                found.append(Block(x * scale, y * scale, share))
    return found


def beside(one: bytes, other: bytes, scale: int = 1) -> bytes:
    """Return a PNG of both side by side, and a third time the new one, faint, with what differs marked."""
    old, new = _opened(one), _opened(other)
    marked = Image.blend(new, Image.new("RGB", new.size, "white"), 0.7)
    if old.size == new.size:
        marked.paste(_MARK, mask=Image.fromarray(_differs(_pixels(one), _pixels(other))))
    draw, side = ImageDraw.Draw(marked), BLOCK // scale
    for block in differing(one, other, scale):
        x, y = block.x // scale, block.y // scale
        draw.rectangle((x, y, x + side - 1, y + side - 1), outline=_MARK, width=2)
    parts = (old, new, marked)
    sheet = Image.new("RGB", (sum(p.width for p in parts) + 2 * _GAP, max(p.height for p in parts)), "black")
    left = 0
    for part in parts:
        sheet.paste(part, (left, 0))
        left += part.width + _GAP
    return _png(sheet)


def reduced(png: bytes, scale: int) -> bytes:
    """Return the screenshot in an n-th of its width and height."""
    return png if scale == 1 else _png(_opened(png).reduce(scale))


def smaller(png: bytes, colours: int = 256) -> bytes:
    """Return the same in a palette of 256 colours: a third of the size."""
    return _png(_opened(png).quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE))


def small(png: bytes, scale: int = 1) -> bytes:
    """Return the same in at most LARGEST bytes, with as many colours as that allows; ValueError if it cannot."""
    image = _opened(png)
    for colours in _PALETTES:
        for method in (Image.Quantize.FASTOCTREE, Image.Quantize.MAXCOVERAGE):
            if method == Image.Quantize.MAXCOVERAGE and colours > 96:
                continue  # slower, and no better
            shrunk = _png(image.quantize(colours, method, dither=Image.Dither.NONE))
            if len(shrunk) <= LARGEST and not differing(png, shrunk, scale):
                return shrunk
    raise ValueError(f"{len(shrunk)} bytes in {colours} colours: show less of the page")


def _differs(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return for each pixel whether a colour is off by more than palettes and smoothed edges explain."""
    differs: np.ndarray = (np.abs(a - b) > COLOUR).any(axis=2)
    return differs


def _opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def _png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _pixels(png: bytes) -> np.ndarray:
    return np.asarray(_opened(png), dtype=np.int16)
