"""Answers come in any order: on the host's page none that was asked for earlier replaces a later one.

Only here: an answer that comes late and replaces a newer one on the host's page.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PIN, Guests
from tests.support.browser.hands import LINE_UP
from tests.support.browser.slow import Slow
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def settings() -> str:
    return 'pad = false\npanel = false\n[track]\nkind = "none"\n'


@pytest.fixture
def page(host: Client, home: str, guests: Guests) -> Page:
    """Return the host's phone after a line-up and two cards."""
    host.begin(seats=("Ada", "Ben"))
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    for seat, card in enumerate(("blue", "red")):
        host.decide(do="play", seat=seat, card=card)
    opened = guests.open(f"{home}/host", 390, 844, has_touch=True)
    opened.locator("[name=pin]").fill(PIN)
    opened.locator("[name=pin]").press("Enter")
    expect(opened.locator("#run-say")).to_contain_text("Ben")
    return opened


def test_the_newest_list_stays(host: Client, page: Page) -> None:
    """The list of what was played, asked for before a card and after it."""
    slow = Slow(page, "**/api/played")
    with page.expect_request("**/api/played"):
        page.locator("#played summary").tap()
    slow.wait()
    host.decide(do="play", seat=0, card="pink")
    lines = page.locator("#played-list .line-btn")
    expect(lines).to_have_count(4)
    slow.arrive()
    expect(lines).to_have_count(4)
    expect(lines.first).to_contain_text("Ada played pink")


def test_the_newest_choice_is_looked_at(page: Page) -> None:
    """Two other cards tapped one after the other: what follows is said of the second one."""
    page.locator("#played summary").tap()
    page.locator("#played-list .line-btn", has_text="Ada played blue").tap()
    slow = Slow(page, "**/api/change")
    with page.expect_request("**/api/change"):
        page.locator("[data-choice=red]").tap()
    slow.wait()
    page.locator("[data-choice=green]").tap()
    moves = page.locator(".follows [data-ghost]")
    expect(page.locator(".follows [data-ghost=green]")).to_be_attached()
    drawn = [move.get_attribute("data-ghost") for move in moves.all()]
    slow.arrive()
    assert [move.get_attribute("data-ghost") for move in moves.all()] == drawn
