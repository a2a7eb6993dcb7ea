"""Pieces and lines of a chart look different to people who see no red, no green or no blue.

Each colour has its own mark too (a saddlecloth, the shape of a point), but from across a table a mark is
small. So the colours alone must differ as seen by each of the three, by the matrices of Machado, Oliveira
and Fernandes (2009) at full severity.
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

import companion.web
from companion import games

WEB: Final = Path(companion.web.__file__).parent
SEEN: Final = {
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}  # fmt: skip
"""Linear red, green and blue as a person sees them who has no cones of one kind."""
XYZ: Final = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE: Final = (0.9505, 1.0, 1.089)
LEAST: Final = 12.0
"""Distance in CIELAB. About 2.3 is just noticeable side by side; a piece and its rival are spaces apart."""
LEAST_CONTRAST: Final = 3.0
"""WCAG 2.2, 1.4.11: parts of a picture that are needed to understand it."""


def linear(colour: str) -> NDArray[np.float64]:
    """Return the linear red, green and blue of `#rrggbb`, each 0 to 1 (IEC 61966-2-1)."""
    value = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return lightness and the two colour axes of CIELAB."""
    share = np.array(XYZ) @ np.clip(rgb, 0, 1) / np.array(WHITE)
    x, y, z = np.where(share > 216 / 24389, np.cbrt(share), (24389 / 27 * share + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(one: str, other: str, seen: str) -> float:
    """Return how far apart two colours are to a person who sees so."""
    matrix = np.array(SEEN[seen])
    return float(np.linalg.norm(lab(matrix @ linear(one)) - lab(matrix @ linear(other))))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG."""
    low, high = sorted(float(np.array(XYZ[1]) @ linear(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def of_rule(name: str, selector: str, field: str) -> str:
    """Return the colour that the first rule of this selector sets, with its variable of the light scheme."""
    rules = (WEB / name).read_text(encoding="utf-8")
    found = re.search(rf"^{re.escape(selector)} \{{[^}}]*?{field}: ([^;]+);", rules, re.MULTILINE)
    assert found, f"{selector} {field} in {name}"
    value = found[1].strip()
    if variable := re.fullmatch(r"var\((--[\w-]+)\)", value):
        return of_rule("common/look.css", ":root", variable[1])
    return value


def alike(colours: dict[str, str]) -> list[str]:
    """Return the pairs of colours that look alike to a person."""
    return [
        f"{one} and {other} with {seen}: {far:.1f}"
        for one, other in combinations(colours, 2)
        for seen in SEEN
        if (far := distance(colours[one], colours[other], seen)) < LEAST
    ]


def test_what_is_alike_is_found() -> None:
    """The brown dog and the line of the third seat were changed for this: their old colours are alike."""
    assert alike({"red": "#c91f37", "brown": "#8a5a34"}) == ["red and brown with no green: 8.3"]
    assert alike({"second": "#8fe3c0", "third": "#ff9ec4"}) == ["second and third with no green: 8.0"]


@pytest.mark.parametrize("game", games.all_games())
def test_the_pieces_of_a_game(game: str) -> None:
    assert not alike(
        {piece: of_rule("common/look.css", f".{piece}", "--c") for piece in games.find_by_name(game).pieces}
    )


def test_the_lines_of_the_chart() -> None:
    """They differ from each other and from their ground, and so do the points on them."""
    ground = of_rule("common/look.css", ":root", "--tote")
    for kind, field in (("ln", "stroke"), ("mk", "fill")):
        lines = {f"seat {seat}": of_rule("history/history.css", f".{kind}{seat}", field) for seat in range(5)}
        assert not alike(lines | {"ground": ground})
        assert [seat for seat, colour in lines.items() if contrast(colour, ground) < LEAST_CONTRAST] == []


def test_a_piece_has_an_edge_on_every_ground() -> None:
    """A piece's body may be like the ground under it: its outline is not, in light and dark."""
    outline, halo = (of_rule("common/look.css", ":root", field) for field in ("--outline", "--halo"))
    sheet = (WEB / "common/look.css").read_text(encoding="utf-8")
    for name in ("turf", "clay", "grass", "sand", "water", "moor"):
        grounds = re.findall(rf"^ +--{name}: (#\w+);", sheet, re.MULTILINE)
        assert len(grounds) == 2, name
        for ground in grounds:
            assert max(contrast(outline, ground), contrast(halo, ground)) >= LEAST_CONTRAST, name
