"""The sheet to go on by hand, as Chromium prints it.

Only here: a printed sheet that Chromium breaks into two pages.
"""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.browser.conftest import Guests
from tests.paper.test_sheet import GAMES, asked, played
from tests.support.evening import Evening

LONG = ("Bartholomew", "Wilhelmina-Theresa", "Ada", "Jean-Christophe the Second", "Maximiliana Rose")
NICKNAMES = {"red": "Professor Oats the Elder", "green": "Second Helping of Pie"}
LARGEST = {
    "pigs": {"spaces": 60, "rounds": 100},
    "horse": {"spaces": 400},
    "giro": {},
    "hounds": {"lap": 60},
    "bookie": {},
}

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=() if kind == "bookie" else pytest.mark.long) for kind in GAMES]
)
def test_the_sheet_is_one_page_for_each_game_at_its_largest(
    home: str, guests: Guests, tmp_path: Path, kind: str
) -> None:
    """The sheet is one page with all names and room to write, on A4 and Letter, in the middle and late.

    Only here: a sheet that needs a second page in a game other than Greyhounds with a bookie.
    """
    game, seats, options = GAMES[kind]
    (tmp_path / "evening").mkdir()
    evening = Evening(
        tmp_path / "evening", game, LONG[:seats], None, {**options, **LARGEST[kind]}, nicknames=NICKNAMES
    )
    page, rng = guests.open(f"{home}/watch", 1024, 768), random.Random(7)
    for more in (40, 90):
        played(evening, rng, more)
        answer_with(page, asked(evening))
        page.goto(f"{home}/paper/table")
        expect(page.locator("html[data-drawn]")).to_be_attached()
        assert_nothing_is_cut(page)
        for paper in ("A4", "Letter"):
            printed = PdfReader(io.BytesIO(page.pdf(format=paper)))
            assert len(printed.pages) == 1, paper
            text = printed.pages[0].extract_text()
            assert all(name.split()[0].split("-")[0] in text for name in LONG[:seats])


def answer_with(page: Page, html: str) -> None:
    """Answer requests for the sheet with this one, drawn with the companion's scripts."""
    page.unroute("**/paper/table")
    page.route("**/paper/table", lambda route: route.fulfill(body=html, content_type="text/html"))


def assert_nothing_is_cut(page: Page) -> None:
    cut: list[Any] = page.evaluate(
        """() => [...document.querySelectorAll("#sheet, #sheet *:not(#blank):not(#blank *)")]
            .filter(el => !el.closest("svg") && getComputedStyle(el).overflow === "hidden" && (el.scrollHeight > el.clientHeight + 1 || el.scrollWidth > el.clientWidth + 1))
            .map(el => el.id || el.className)"""
    )
    assert cut == []
    assert page.evaluate("document.querySelector('#blank').clientHeight") > 100, "there is room to write"


def test_one_press_prints_from_the_host_page(home: str, host: Any, guests: Guests) -> None:
    """The button asks for the sheet, and the sheet prints itself once it is drawn; on a phone it does not scroll sideways."""
    host.begin(seats=("Ada", "Ben"))
    page = guests.open(f"{home}/host", 390, 844)
    page.add_init_script(
        "window.print = () => { document.documentElement.dataset.printed = document.documentElement.dataset.drawn; }"
    )
    page.get_by_label("PIN").fill("2468")
    page.keyboard.press("Enter")
    page.locator("#more > summary").click()
    page.get_by_role("link", name="Print the table").click()
    expect(page.locator("html[data-printed]")).to_be_attached()
    expect(page.get_by_role("article")).to_contain_text("How to go on by hand")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="Back to the table").click()
    expect(page.locator("#big")).to_contain_text("line up the pigs")
