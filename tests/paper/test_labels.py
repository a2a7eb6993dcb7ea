"""Label sheets: real PDFs, read back."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from math import hypot
from typing import Any

import pytest
from pypdf import PdfReader, Transformation
from pypdf.generic import ContentStream
from reportlab.lib.units import mm

from companion import games
from companion.devices.mock.tags import means_of
from companion.paper import drawings
from companion.paper.labels import ACROSS, HEAD, INSIDE, LABEL, ROUND, items, labels
from companion.paper.sheet import SIZES, Sheet, broken, fitted
from companion.store.journal import Journal
from companion.table.table import Table
from companion.translate import Words
from tests.support.apps import create_app

REAL = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")
SOON_OR_LONG = [
    pytest.param(name, marks=pytest.mark.nightly if name == "greyhounds" else ()) for name in REAL
]
COUNTS = {"galloping-pigs": 40, "galloping-horse": 32, "giro-galoppo": 35, "greyhounds": 84}
PAGES = {"greyhounds": 2}
LARGEST = {"galloping-pigs": "2009"}  # the edition with the most cards, which the demo set has

IDENTITY = Transformation()
Said = tuple[float, float, str]  # where a piece of text begins (mm from the upper left corner), and the text


def texts(page: Any) -> list[Said]:
    """Return every piece of text of a page and where it begins."""
    found: list[Said] = []
    height = float(page.mediabox.height)

    def visit(text: str, now: Any, at: Any, font: Any, size: Any) -> None:
        if text.strip():
            x, y = at[4] * now[0] + now[4], at[5] * now[3] + now[5]
            found.append((x / mm, (height - y) / mm, text.strip()))

    page.extract_text(visitor_text=visit)
    return found


def on_labels(page: Any) -> dict[tuple[int, int], str]:
    """Return what stands on each label of a page."""
    left = (float(page.mediabox.width) / mm - ACROSS * LABEL) / 2
    found: dict[tuple[int, int], str] = {}
    for x, y, text in texts(page):
        if y > HEAD:
            place = int((y - HEAD) // LABEL), int((x - left) // LABEL)
            found[place] = f"{found.get(place, '')} {text}".strip()
    return found


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", SOON_OR_LONG)
def test_every_item_of_the_box_has_one_label(game: str, size: str) -> None:
    """There are as many labels as tags, each with its colour and number once, and none is off the paper.

    Only here: a label of Greyhounds, whose box needs more than one sheet, that is missing or printed twice.

    Only here: a card or piece without a label, or with two.
    """
    race, reader = (
        games.find_by_name(game),
        PdfReader(io.BytesIO(labels(games.find_by_name(game), Words.english(), size))),
    )
    said = Counter(text for page in reader.pages for text in on_labels(page).values())
    name = {colour: text.rpartition("|")[2] for colour, text in race.pieces.items()}
    wanted = Counter(f"{name[i.colour]} {i.number or ''}".strip() for row in items(race) for i in row)
    assert said == wanted
    assert set(said.values()) == {1}
    assert len(said) == COUNTS[game]
    assert len(reader.pages) == PAGES.get(game, 1)
    for page in reader.pages:
        assert [float(n) for n in page.mediabox[2:]] == pytest.approx(SIZES[size])
        for x, y, text in texts(page):
            assert 8 < x < float(page.mediabox.width) / mm - 8, text
            assert 8 < y < float(page.mediabox.height) / mm - 8, text


def test_the_items_are_those_that_tags_mean() -> None:
    """A sheet and the demo set know the same cards and pieces."""
    for game in REAL:
        means = {
            f"{i.game}/{i.kind}/{i.colour}" + (f"/{i.number}" if i.number else "")
            for row in items(games.find_by_name(game), LARGEST.get(game, ""))
            for i in row
        }
        assert means == {what for what, _ in means_of(game)}


def points(page: Any) -> Iterator[tuple[float, float]]:
    """Yield every point of every path of a page (mm from the upper left corner), ends and control points."""
    height = float(page.mediabox.height)
    now, stack = IDENTITY, []
    for operands, operator in ContentStream(page.get_contents(), page.pdf).operations:
        values = [float(value) for value in operands if isinstance(value, int | float)]
        if operator == b"q":
            stack.append(now)
        elif operator == b"Q":
            now = stack.pop()
        elif operator == b"cm":
            now = Transformation(tuple(values)).transform(now)  # type: ignore[arg-type]
        elif operator in (b"m", b"l", b"c"):
            for at in range(0, len(values), 2):
                x, y = now.apply_on((values[at], values[at + 1]))
                yield float(x) / mm, (height - float(y)) / mm


@pytest.mark.parametrize("game", SOON_OR_LONG)
def test_what_is_drawn_keeps_inside_the_sticker(game: str) -> None:
    """Each line is within a circle of 24 mm; only cut marks and the circle itself are outside.

    Only here: a line of a Greyhounds label that the sticker's edge cuts off.
    """
    page = PdfReader(io.BytesIO(labels(games.find_by_name(game), Words.english()))).pages[0]
    left = (float(page.mediabox.width) / mm - ACROSS * LABEL) / 2
    below = [(x, y) for x, y in points(page) if y > HEAD - 1]
    away = [hypot((x - left) % LABEL - LABEL / 2, (y - HEAD) % LABEL - LABEL / 2) for x, y in below]
    cut_marks, circle, handles = LABEL / 2**0.5 - 1, ROUND / 2, ROUND / 2 * hypot(1, 0.5523)
    outside = [r for r in away if r > INSIDE / 2 and r < cut_marks]
    assert max(away) < LABEL / 2**0.5 + 0.01
    assert all(r == pytest.approx(circle, abs=0.01) or r == pytest.approx(handles, abs=0.01) for r in outside)
    assert len(outside) == 13 * len(on_labels(page)), "each circle is drawn through 13 points"


@pytest.mark.long
def test_the_ruler_and_how_to_print_stand_on_every_sheet() -> None:
    """Each sheet has its title, how to print it, and a ruler of 50 mm.

    Only here: a second sheet without the ruler or the title.
    """
    for page in PdfReader(io.BytesIO(labels(games.find_by_name("greyhounds"), Words.english()))).pages:
        head = " ".join(text for _, y, text in texts(page) if y < HEAD)
        assert "Labels for the tags: Greyhounds" in head
        assert "Print at 100 %" in head
        assert "check: these are 50 mm" in head
        ruler = re.search(
            rb"([\d.]+) ([\d.]+) m ([\d.]+) \2 l", ContentStream(page.get_contents(), page.pdf).get_data()
        )
        assert ruler, "the first straight line of the page is the ruler"
        assert (float(ruler[3]) - float(ruler[1])) / mm == pytest.approx(50, abs=0.01)


def test_the_labels_are_those_of_the_box_in_the_house(journal: Journal) -> None:
    """Of the box that is asked for, else of the one that is remembered, else of the first; on one sheet."""
    client = create_app(Table(journal).open()).test_client()
    client.post("/api/unlock", json={"pin": "2468", "role": "host"}, headers={"Origin": "http://localhost"})

    def count(query: str) -> int:
        answer = client.get(f"/paper/labels/galloping-pigs.pdf{query}")
        [page] = PdfReader(io.BytesIO(answer.data)).pages
        return len(on_labels(page))

    assert (count(""), count("?edition=2009")) == (40, 45)
    kept = client.put(
        "/api/boxes/galloping-pigs", json={"edition": "2009"}, headers={"Origin": "http://localhost"}
    )
    assert kept.get_json()["boxes"] == {"galloping-pigs": "2009"}
    assert (count(""), count("?edition=2000")) == (45, 40)


def test_only_the_host_prints_labels(journal: Journal) -> None:
    """A watcher is refused; an unknown game or paper size is an error in words."""
    client = create_app(Table(journal).open()).test_client()
    assert client.get("/paper/labels/greyhounds.pdf").status_code == 403
    client.post("/api/unlock", json={"pin": "2468", "role": "host"}, headers={"Origin": "http://localhost"})
    answer = client.get("/paper/labels/greyhounds.pdf?size=letter")
    assert answer.mimetype == "application/pdf"
    assert float(PdfReader(io.BytesIO(answer.data)).pages[0].mediabox.width) == pytest.approx(612)
    for path, reason in (
        ("pigz.pdf", "no game called 'pigz'"),
        ("greyhounds.pdf?size=a3", "the paper is a4 or letter, not a3"),
        ("galloping-pigs.pdf?edition=1999", "galloping-pigs has no edition '1999': there are 2000, 2009"),
    ):
        refused = client.get(f"/paper/labels/{path}").get_json()["reason"]
        assert refused.startswith(reason)


def test_the_pdf_library_is_not_loaded_before_something_is_printed() -> None:
    """A companion that starts on a Pi does not pay for it."""
    asked = (
        "import sys, companion.cli, companion.web.app; print([m for m in sys.modules if 'reportlab' in m])"
    )
    answer = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


# --- the drawings --------------------------------------------------------------------------------


def test_every_drawing_of_the_pages_can_be_drawn_on_paper() -> None:
    """Symbols and marks: each gives shapes, in the colours of look.css; none says what paper cannot draw."""
    sheet = Sheet("all of them")
    for name in drawings._symbols():
        if name.startswith("mk-"):
            drawn = drawings.chip(name.removeprefix("mk-"))
        else:
            drawn = drawings.symbol(name, "hatpic")
        assert drawn.shapes, name
        drawings.draw(sheet.canvas, drawn, 10, 10, 50, 50)
    assert sheet.pdf().startswith(b"%PDF")


def test_an_animal_has_the_colours_of_the_pages() -> None:
    """The body is --c of its colour, the far legs --cd, the mark on top; an unknown animal is a chip."""
    pig = drawings.animal("pig", "green")
    body = [shape.fill for shape in pig.shapes if shape.width == 3.4 and shape.fill]
    assert "#27b07c" in body
    assert "#0c6e4a" in {shape.stroke for shape in pig.shapes}
    assert (pig.shapes[-1].fill, pig.shapes[-1].transform) == ("#23203f", "translate(58.5 40) scale(1.22)")
    assert pig.shapes[-1].path.startswith("M0-14 3.6")
    assert drawings.animal("newt", "green") == drawings.chip("green")
    assert drawings.animal("pig", "pink").shapes[-1].even_odd, "the ring has a hole"


# --- text that keeps to its place ----------------------------------------------------------------


def test_text_keeps_to_its_width() -> None:
    """Smaller first, then cut; lines break at spaces, and what has no room ends in an ellipsis."""
    Sheet("fonts")
    assert fitted("Ada", "Rubik", 10, 100) == ("Ada", 10)
    said, points = fitted("Bartholomew the Unready", "Rubik", 10, 90)
    assert (said, points < 10) == ("Bartholomew the Unready", True)
    said, points = fitted("W" * 90, "Rubik", 10, 90)
    assert (said[-1], points) == ("…", 5)
    assert broken("one two three", "Rubik", 10, 40, 9) == ["one two", "three"]
    assert broken("one two three four", "Rubik", 10, 40, 2)[-1].endswith("…")
