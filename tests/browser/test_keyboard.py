"""A whole game by keys alone, from the host's page on, with what a screen reader says of every step."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import PIN, Guests
from tests.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

MOST_TABS = 80
NAMED = re.compile(r"\S")


@pytest.fixture
def settings() -> str:
    return 'pad = false\npanel = false\n[track]\nkind = "none"\n'


def go_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is on it; it must be seen there and have a name."""
    for _ in range(MOST_TABS):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            break
        page.keyboard.press("Tab")
    focused = page.locator(selector).first
    assert page.evaluate("selector => document.activeElement.matches(selector)", selector), (
        f"{selector} is out of reach"
    )
    expect(focused).to_have_accessible_name(NAMED)


def enter(page: Page, selector: str) -> None:
    go_to(page, selector)
    page.keyboard.press("Enter")


def test_a_game_without_a_pointer(host: Client, home: str, guests: Guests) -> None:
    """Started on the host's page, played by its taps, to the winner; the live region says each step."""
    page = guests.open(f"{home}/host")
    go_to(page, "[name=pin]")
    page.keyboard.type(PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#new")).to_be_visible()
    go_to(page, "[name=game]")
    while page.evaluate("document.activeElement.value") != "galloping-horse":
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    for question in ("Who plays?", "Who is the youngest?", "Who has the cards?"):
        expect(page.locator("#new-title")).to_contain_text(question)
        enter(page, "[data-action=start].go, [data-action=question-next]:not([hidden])")
    enter(page, "#running a[href='./']")
    big = page.locator("#big[aria-live=polite]")
    while (due := host.table["next"]) is not None:
        who = host.table["match"]["seats"][due["seats"][0]]
        expect(page.locator("#say")).to_contain_text(who)
        with page.expect_request(partial(paints_all_of, host)):
            decide(page, due["do"])
    winner = min(host.table["standings"], key=lambda row: row["place"] or 99)
    expect(big).to_contain_text(str(winner["score"]))


def paints_all_of(host: Client, request: Request) -> bool:
    """Whether the page says with this that it shows what the companion knows."""
    return request.url.endswith("/api/painted") and request.post_data_json == {"seq": host.table["seq"]}


def decide(page: Page, do: str) -> None:
    """Any decision of this kind, by the buttons of the page."""
    if do == "line-up":
        enter(page, "[data-action=line-up-any]")
        enter(page, "[data-action=line-up-ok]")
    else:
        enter(page, "#taps [data-card]:not([disabled])")
