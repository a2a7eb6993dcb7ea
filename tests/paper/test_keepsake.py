"""The result as a picture: well-formed, with everybody in it, under any name, in each language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from companion.history.past import Past
from companion.message import Sentence
from companion.paper.keepsake import HIGH, SMALLEST, WIDE, _width, keepsake
from companion.store.journal import Journal
from companion.table.faces import COLOURS, Face
from companion.table.table import Table
from companion.translate import LANGUAGES, Words
from companion.views.table.sentence import victory
from tests.paper.test_evening import STORIES, past_of
from tests.support.apps import create_app
from tests.support.moments import Story

NAMES = ("<script>alert(1)</script>", "Maximiliana Rosalinde Wilhelmina Theresa", "李小龍和他的朋友們 & 🐷🐷")
SVG = "{http://www.w3.org/2000/svg}"


def drawn(past: Past, language: str = "en", said: Sentence | None = None) -> ElementTree.Element:
    won = None if past.ended else said or victory(past.race)
    return ElementTree.fromstring(keepsake(past, Words.of(language), won))


def lines(picture: ElementTree.Element) -> list[str]:
    return [line.text or "" for line in picture.iter(f"{SVG}text")]


def spans(picture: ElementTree.Element) -> Iterator[tuple[str, float, float]]:
    """Yield each line, and from where to where it reaches at most."""
    for line in picture.iter(f"{SVG}text"):
        size, x = float(line.attrib["font-size"]), float(line.attrib["x"])
        wide = _width(line.text or "", size)
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[line.attrib["text-anchor"]]
        assert size >= SMALLEST, line.text
        yield line.text or "", left, left + wide


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", STORIES)
def test_everybody_is_in_it_and_nothing_leaves_it(kind: str, language: str) -> None:
    """Longest names, most seats: every score, the day as it is written there, and each line within the edges."""
    past = past_of(STORIES[kind], name="The night of the fog")
    picture = drawn(past, language)
    assert (picture.attrib["width"], picture.attrib["height"]) == (str(WIDE), str(HIGH))
    said = lines(picture)
    words = Words.of(language)
    for standing in past.standings:
        score = words.money(standing.score) if past.race.unit == "money" else str(standing.score)
        assert score.replace("\u202f", "\u00a0") in said
        assert any(line.rstrip("…") and standing.name.startswith(line.rstrip("…")) for line in said)
    assert any(
        {"en": "22 November", "fr": "22 novembre", "de": "22. November"}[language] in one for one in said
    )
    assert "The night of the fog" in said
    for line, left, right in spans(picture):
        assert 0 <= left <= right <= WIDE, line


def test_a_name_is_letters_and_nothing_else() -> None:
    """One that is a tag is read, not run; one of letters that the font has not is no wider than its place."""
    past = past_of(Story("greyhounds", NAMES, 6))
    raw = keepsake(past, Words.english(), victory(past.race))
    assert b"<script" not in raw
    picture = drawn(past)
    assert any(line.startswith("<script>alert") for line in lines(picture))
    names = [
        span for span in spans(picture) if any(name.startswith(span[0].rstrip("…")[:3]) for name in NAMES)
    ]
    steps = sorted(reach[1:] for reach in names if "wins" not in reach[0])
    assert len(steps) == 3
    assert all(one[1] <= other[0] for one, other in pairwise(steps)), "no name covers another"


def test_a_shared_place_shows_all_who_share_it() -> None:
    """Two on the second step stand as high as each other; everybody is there, once."""
    past = past_of(Story("galloping-pigs", ("Ada", "Ben", "Cleo"), 3))
    assert [standing.place for standing in past.podium] == [1, 2, 2]
    picture = drawn(past)
    names = {line.text: line.attrib["y"] for line in picture.iter(f"{SVG}text")}
    assert names["Ada"] == names["Cleo"] != names["Ben"]
    assert [lines(picture).count(name) for name in ("Ada", "Ben", "Cleo")] == [1, 1, 1]


def test_what_is_said_of_the_game_stands_in_two_lines_at_most() -> None:
    """The headline, however long: all of it where it fits, each line within its plate."""
    past = past_of(Story("galloping-horse", ("Ada", "Zoë"), 3))
    said = Sentence("a nose ahead of everybody who had believed in it until the very last card was laid down")
    picture = drawn(past, said=said)
    assert "A nose ahead of everybody who had believed" in " ".join(lines(picture))
    assert len(list(picture.iter(f"{SVG}text"))) == len(list(drawn(past).iter(f"{SVG}text"))) + 1


def test_a_game_that_was_given_up_has_no_steps() -> None:
    """Everybody stands in the list, and no one has won."""
    said = lines(drawn(past_of(STORIES["horse"], state="ended")))
    assert "Ended early" in said
    assert {standing.name for standing in past_of(STORIES["horse"]).standings} <= set(said)


def test_a_robot_is_called_one() -> None:
    past = past_of(Story("galloping-horse", ("Ada", "Hal"), 3))
    past = replace(past, match=replace(past.match, bots=("", "strong")))
    assert "Hal (robot)" in lines(drawn(past))


def test_everybody_wears_what_was_chosen() -> None:
    """A hat of the few in its colours, by the name; the photo is not in it."""
    past = past_of(Story("galloping-pigs", ("Ada", "Ben"), 3))
    faces = {"ada": Face(7, "red", "0123"), "cleo": Face(1, "sky")}
    plain, worn = (keepsake(past, Words.english(), None, known).decode() for known in ({}, faces))
    assert COLOURS["red"].hat not in plain
    assert COLOURS["red"].hat in worn
    assert COLOURS["red"].band in worn
    assert COLOURS["sky"].hat not in worn
    assert "<image" not in worn
    assert "0123" not in worn
    robot = replace(past, match=replace(past.match, bots=("easy", "")))
    assert COLOURS["red"].hat not in keepsake(robot, Words.english(), None, faces).decode()


def test_it_needs_no_other_file() -> None:
    """Its letters are inside; nothing in it names another address, and as a page it may load none."""
    raw = keepsake(past_of(STORIES["giro"]), Words.of("fr"), None).decode()
    assert {name[:5] for name in re.findall(r"url\((.*?)\)", raw)} == {"data:"}
    assert "href" not in raw
    table = Table(Journal(":memory:")).open()
    assert create_app(table).test_client().get("/paper/matches/9.svg").status_code == 404
