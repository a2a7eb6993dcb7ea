"""The exploded view of the oval is drawn from the present parts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hardware import exploded


@pytest.mark.long
def test_the_picture_is_of_the_present_parts() -> None:
    """The picture in the repository is the one drawn now; if not, python -m hardware.exploded.

    Only here: a picture of older parts.
    """
    assert exploded.is_like(exploded.drawn(), exploded.PNG)


def test_the_picture_is_small_and_shows_all_layers() -> None:
    """It has at most 150 kB, and shows tiles, dishes, keys, boards and bases."""
    assert exploded.PNG.stat().st_size < 150_000
    picture = np.asarray(Image.open(exploded.PNG).convert("RGB"), dtype=float).reshape(-1, 3)
    for colour in (exploded.TILE, exploded.BEND, exploded.KEY, exploded.OF_PART["board"], exploded.COVER):
        lit = picture - np.array(colour, dtype=float) * (0.52 + 0.48 * exploded.LIGHT[2])
        assert (np.abs(lit).max(axis=1) < 16).sum() > 300


def test_another_picture_is_no_match(tmp_path: Path) -> None:
    """A picture with a part less is another one."""
    image = Image.open(exploded.PNG)
    assert exploded.is_like(image, exploded.PNG)
    changed = image.convert("RGB")
    changed.paste((255, 255, 255), (600, 500, 700, 600))
    assert not exploded.is_like(changed, exploded.PNG)
