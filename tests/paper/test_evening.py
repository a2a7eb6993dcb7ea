"""The evening on one page: real PDFs, read back."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from pypdf import PdfReader
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics

from companion.history import past as history
from companion.history.leaderboard import same_name
from companion.history.past import Past, Wins
from companion.match.entries import Filed
from companion.match.record import Header, decision_line, standings
from companion.message import Sentence
from companion.odds.luck_summary import LuckSummary
from companion.paper.evening import COLUMNS, PODIUM, evening
from companion.paper.sheet import Sheet, in_font
from companion.store.journal import Journal
from companion.table.faces import COLOURS, Face
from companion.table.table import Table
from companion.translate import LANGUAGES, Words
from companion.views.table.sentence import victory
from tests.paper.test_labels import texts
from tests.support.apps import create_app
from tests.support.moments import Story

LONG = (
    "Bartholomew the Unready",
    "Wilhelmina-Theresa von W",
    "Jean-Christophe Second",
    "Maximiliana Rosalinde W",
    "Ådne Çelik-Ñandú Öztürk",
)
SENTENCE = Sentence(
    "a sentence that is as long as the longest that luck has to say about a seat in a game, and a little longer than that {n}",
    {"n": 7},
)
STORIES = {
    "pigs": Story("galloping-pigs", LONG[:4], 3, {"food_on_track": True}),
    "pigs-100": Story("galloping-pigs", LONG[:4], 3, {"rounds": 30}),
    "horse": Story("galloping-horse", LONG[:4], 4),
    "giro": Story("giro-galoppo", LONG[:5], 5),
    "hounds": Story("greyhounds", LONG[:4], 6),
    "bookie": Story("greyhounds", LONG[:4], 7, {"bookie": 1}),
}


def past_of(story: Story, state: Any = "played", name: str = "", luck: LuckSummary | None = None) -> Past:
    """Return the whole past game with made-up odds, as far as every moment."""
    filed = Filed(7, story.match.header, "people", (), state, "2026-11-22T19:30:00+01:00", name=name)
    past, rng = history.past(filed, history.in_public(story.match)), random.Random(1)
    count = len(story.seats)
    odds = [Wins(tuple(rng.random() for _ in range(count)), (0.01,) * count) for _ in past.odds]
    return replace(past, odds=tuple(odds), luck=luck)


def read(past: Past, language: str = "en", size: str = "a4") -> tuple[PdfReader, str]:
    won = None if past.ended else victory(past.race)
    reader = PdfReader(io.BytesIO(evening(past, Words.of(language), won, size)))
    return reader, " ".join(page.extract_text() for page in reader.pages)


def luck(seats: int) -> LuckSummary:
    return LuckSummary(Sentence("luck and choice"), (SENTENCE,) * seats, (SENTENCE,) * 3)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", ["a4", "letter"])
@pytest.mark.parametrize("kind", STORIES)
def test_the_worst_evening_is_one_page_and_all_of_it(kind: str, size: str, language: str) -> None:
    """With longest names, most seats and rounds, a name and all luck's sentences nothing leaves the paper.

    Only here: an evening with long names or many games that needs a second page in one language or paper size.
    """
    story = STORIES[kind]
    past = past_of(
        story,
        name="Grandmother's seventieth birthday, the long evening in autumn",
        luck=luck(len(story.seats)),
    )
    reader, text = read(past, language, size)
    [page] = reader.pages
    wide, high = float(page.mediabox.width) / mm, float(page.mediabox.height) / mm
    for x, y, said in texts(page):
        assert 8 < x < wide - 10, said
        assert 8 < y < high - 10, said
    for name in LONG[: len(story.seats)]:
        assert text.count(name.split("-")[0].split()[0]) >= 2, (
            "in the standings, and at the line of the chart"
        )
    assert text.replace("\\n", " ").count("longest that luck") == len(story.seats) + 3
    assert "Grandmother" in text


def test_what_it_says(tmp_path: Any) -> None:
    """It has the victory, every score once, the day in local form, and food won and lost in each round."""
    past = past_of(STORIES["pigs"])
    _, text = read(past)
    assert "22 November 2026" in text
    assert "22. November 2026" in read(past, "de")[1]
    assert Words.english().text(victory(past.race), past.race)[:20] in text
    for one in past.rounds:
        for safe, lost in zip(one.kept, one.lost, strict=True):
            assert (f"{safe} (−{lost})" if lost else str(safe)) in text
    assert text.count("•") == 4 + 3, "four moments, and its end"
    assert re.search(r"from \d+ % to \d+ %", text)


@pytest.mark.parametrize(
    ("story", "places"),
    [
        (Story("galloping-pigs", LONG[:4], 1, {"rounds": 1}), [1, 1, 1, 1]),
        (Story("galloping-horse", LONG[:4], 1), [1, 1, 3, 3]),
        (Story("greyhounds", LONG[:4], 4), [1, 2, 3, 3]),
    ],
)
def test_a_shared_place_shows_all(story: Story, places: list[int]) -> None:
    """Everybody on the first three places stands on the podium, also four: each name twice, here and in the list."""
    past = past_of(story)
    assert [standing.place for standing in past.standings] == places
    page = read(past)[0].pages[0]
    steps = [x for x, y, said in texts(page) if said in set(map(str, places)) and x < 14 + PODIUM and y < 95]
    assert len({round(x) for x in steps}) == 4, "next to each other"
    for name in LONG[:4]:
        assert sum(said.startswith(name[:8]) for _, _, said in texts(page)) >= 2


def test_people_wear_their_own_hats() -> None:
    """A chosen hat is on the paper too: its colour is painted nowhere else on the page."""
    past = past_of(STORIES["giro"])
    faces = {same_name(past.race.seats[2]): Face(hat=7, colour="sky")}

    def painted(known: Mapping[str, Face]) -> bool:
        pdf = evening(past, Words.english(), victory(past.race), faces=known)
        drawn = PdfReader(io.BytesIO(pdf)).pages[0].get_contents()
        assert drawn is not None
        red, green, blue = (int(COLOURS["sky"].hat[at : at + 2], 16) / 255 for at in (1, 3, 5))
        colours = re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) rg", drawn.get_data())
        return any(
            (float(r), float(g), float(b)) == pytest.approx((red, green, blue), abs=0.003)
            for r, g, b in colours
        )

    assert painted(faces)
    assert not painted({})


def test_many_rounds_share_columns() -> None:
    """Thirty rounds are shown in at most twelve columns, and they add up."""
    past = past_of(STORIES["pigs-100"])
    _, text = read(past)
    assert len(past.rounds) == 30 > COLUMNS
    assert "1–3" in text
    assert "28–30" in text
    first = sum(one.kept[0] for one in past.rounds[:3])
    assert str(first) in text


def test_a_game_that_was_given_up_has_no_podium() -> None:
    past = past_of(STORIES["horse"], state="ended")
    _, text = read(past)
    assert "ended early" in text
    assert "wins with" not in text


def test_without_odds_and_luck_it_is_whole_too() -> None:
    """Printed at once, it leaves out what is not worked out yet, and nothing else."""
    bare = replace(past_of(STORIES["hounds"]), odds=(None,) * (len(STORIES["hounds"].match.turns) + 1))
    _, text = read(bare)
    assert "over time" not in text
    assert "How it ended" in text


def test_everybody_gets_it_once_the_match_is_over(journal: Journal) -> None:
    """Of a match that goes on nothing is shown; of a finished one the page, in the viewer's language."""
    table = Table(journal).open()
    number = table.begin(Header("galloping-horse", ("Ada", "Ben"), 0, {"rounds": 1}))
    client = create_app(table).test_client()
    path, away = f"/paper/matches/{number}.pdf", {"REMOTE_ADDR": "192.168.1.77"}
    assert client.get(path, environ_base=away).status_code == 409
    rng = random.Random(2)
    while table.match is not None and (due := table.match.race.awaits()):
        decision = table.match.race.at_random(due.seats[0], rng)
        table.play.decide(journal.seq(), decision_line(table.match.race, decision))
    answer = client.get(path, environ_base=away, headers={"Accept-Language": "fr"})
    assert answer.mimetype == "application/pdf"
    assert "novembre" in (said := PdfReader(io.BytesIO(answer.data)).pages[0].extract_text()) or "20" in said
    assert table.match is not None
    assert str(standings(table.match.race)[0]["score"]) in said
    assert client.get("/paper/matches/99.pdf").status_code == 404


def test_the_letters_of_every_language_are_in_the_paper_font() -> None:
    """Everything in the catalogues, accents, spaces and signs, has a shape."""
    Sheet("fonts")
    known = set(pdfmetrics.getFont("Rubik").face.charToGlyph)
    for language in LANGUAGES:
        for text in chain.from_iterable(Words.of(language).catalogue.translations.values()):
            missing = {letter for letter in in_font(text) if ord(letter) not in known} - set("\n")
            assert not missing - set("→✓"), f"{language}: {missing} of {text}"
