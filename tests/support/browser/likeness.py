"""Whether two pictures of a page are alike: the same, but for how a letter's edge is smoothed."""

from __future__ import annotations

import io
from typing import NamedTuple

import numpy as np
from PIL import Image

BLOCK = 64  # pixels
MOST = 0.05  # of a block's pixels may differ
COLOUR = 40  # steps of 256 that a colour may be off: palettes and smoothed edges


class Block(NamedTuple):
    """A block that differs: where its corner is, and the share of its pixels that differ."""

    x: int
    y: int
    share: float


def differing(one: bytes, other: bytes) -> list[Block]:
    """The blocks of 64 × 64 pixels in which more than 5 % differ; a picture of another size differs everywhere."""
    a, b = _pixels(one), _pixels(other)
    if a.shape != b.shape:
        return [Block(0, 0, 1.0)]
    differs = (np.abs(a - b) > COLOUR).any(axis=2)
    found = []
    for y in range(0, differs.shape[0], BLOCK):
        for x in range(0, differs.shape[1], BLOCK):
            share = float(differs[y : y + BLOCK, x : x + BLOCK].mean())
            if share > MOST:
                found.append(Block(x, y, share))
    return found


def smaller(png: bytes) -> bytes:
    """The same picture in 256 colours: a third of the size."""
    shrunk = io.BytesIO()
    image = Image.open(io.BytesIO(png)).convert("RGB")
    image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        shrunk, "PNG", optimize=True
    )
    return shrunk.getvalue()


def _pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), dtype=np.int16)
