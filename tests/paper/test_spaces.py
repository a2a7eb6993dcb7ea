"""Signs for the spaces of a track: real PDFs, read back."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from reportlab.lib.units import mm

from companion import games
from companion.games.race import Race
from companion.paper.spaces import DEEP, HEAD, PITCH, Sign, signs, spaces
from companion.translate import Words
from hardware import fit
from tests.paper.test_labels import REAL, texts
from tests.support.apps import create_app
from tests.support.evening import Evening

MODELS = Path(__file__).parents[2] / "hardware" / "models"


def opening(name: str, **options: Any) -> Race:
    return games.find_by_name(name).new(["Ada", "Ben", "Cleo"], **options)


def test_a_loop_has_its_spaces_and_its_start() -> None:
    found = signs(opening("galloping-pigs"))
    assert found[:2] == [Sign(0, "start"), Sign(1, "")]
    assert [sign.number for sign in found] == list(range(22))
    assert {sign.kind for sign in found[1:]} == {""}


def test_the_board_is_that_of_the_box_that_is_asked_for(tmp_path: Path) -> None:
    """Of the box with 27 tiles there are 27 signs, also while a game of the other one is on the table."""
    evening = Evening(tmp_path, "galloping-pigs", spaces=None)
    client = create_app(evening.table).test_client()
    client.post("/api/unlock", json={"pin": "2468", "role": "host"}, headers={"Origin": "http://localhost"})

    def last(query: str) -> int:
        reader = PdfReader(io.BytesIO(client.get(f"/paper/spaces/galloping-pigs.pdf{query}").data))
        said = [text for page in reader.pages for _, y, text in texts(page) if y > HEAD]
        return max(int(text) for text in said if text.isdecimal())

    assert (last(""), last("?edition=2009")) == (21, 26)


def test_a_course_has_what_its_board_prints_and_the_spaces_behind_the_line() -> None:
    """The host's own board: sand, natural obstacles, and the first space behind the line is the finish."""
    board: dict[str, Any] = {"finish": 20, "natural": [4], "sand": [2, 6, 8, 10, 12, 14, 16]}
    race = opening("giro-galoppo", board=board)
    kinds = {sign.number: sign.kind for sign in signs(race) if sign.kind}
    assert kinds == {4: "obstacle", 21: "finish"} | dict.fromkeys(board["sand"], "sand")
    assert [sign.number for sign in signs(race)] == list(range(1, 21 + race.track()["behind"]))


@pytest.mark.parametrize("size", ["a4", "letter"])
@pytest.mark.parametrize("pitch", [35, PITCH, 90])
@pytest.mark.parametrize("game", REAL)
def test_each_space_has_one_sign_on_the_paper(game: str, pitch: int, size: str) -> None:
    """Its number stands in its own place, row by row in the order of the race, and within the page."""
    race = opening(game)
    reader = PdfReader(io.BytesIO(spaces(race, Words.english(), size, pitch)))
    found: list[tuple[int, float, float, str]] = []
    for number, page in enumerate(reader.pages):
        wide, high = float(page.mediabox.width) / mm, float(page.mediabox.height) / mm
        across = int((wide - 20) // pitch)
        left = (wide - across * pitch) / 2
        for x, y, text in texts(page):
            assert 8 < x < wide - 8, text
            assert 8 < y < high - 8, text
            if y > HEAD and re.fullmatch(r"\d+", text):
                found.append((number, (y - HEAD) // DEEP, (x - left) // pitch, text))
    assert [text for *_, text in found] == [str(sign.number) for sign in signs(race)]
    assert sorted(found, key=lambda one: one[:3]) == found
    assert len({one[:3] for one in found}) == len(found)


def test_what_a_space_is_stands_there_in_words() -> None:
    """It is in words so that people need not distinguish colours."""
    text = PdfReader(io.BytesIO(spaces(opening("giro-galoppo"), Words.of("de")))).pages[0].extract_text()
    assert text.count("Sand") == sum(sign.kind == "sand" for sign in signs(opening("giro-galoppo")))
    assert "Ziellinie" in text


def test_a_sign_is_as_long_as_a_tile_and_fits_its_outer_edge() -> None:
    """The sizes are those of hardware/models: the pitch, and what is left of each tile outside its dish."""
    sizes = (MODELS / "sizes.scad").read_text("utf-8")

    def size(name: str) -> float:
        return float(re.search(rf"^{name} = ([\d.]+);", sizes, re.MULTILINE)[1])  # type: ignore[index]

    assert size("pitch") == PITCH
    for sensor, base, across in (("reader", "base", "near_across"), ("switch", "magnet_base", "switch_near")):
        outer = fit.model(f"{sensor}-straight").bounding_box()[4]  # y, from the middle of the dish
        assert outer - (size(base) / 2 + size(across)) >= DEEP


def test_the_board_is_that_of_the_match_on_the_table(tmp_path: Path) -> None:
    board = {"finish": 20, "natural": [], "sand": [2, 4, 6, 8, 10, 12, 14]}
    evening = Evening(tmp_path, "giro-galoppo", options={"board": board}, spaces=None)
    client = create_app(evening.table).test_client()
    client.post("/api/unlock", json={"pin": "2468", "role": "host"}, headers={"Origin": "http://localhost"})
    answer = client.get("/paper/spaces/giro-galoppo.pdf")
    assert answer.mimetype == "application/pdf"
    text = PdfReader(io.BytesIO(answer.data)).pages[0].extract_text()
    assert text.count("sand") == 7
