"""A browser that keeps no cookies, as in private modes and where an owner has blocked them.

Only here: a seat that no phone holds, and a PIN form that comes back without a word.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.conftest import PIN, Guests
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

# what a page sees where cookies are blocked: what it sets is not there, and no error
BLOCKED = "Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} })"


def forgetful(guests: Guests, url: str) -> Page:
    page = guests.open(url)
    page.add_init_script(BLOCKED)
    page.goto(url)
    return page


def asked(page: Page, answers: list[str]) -> None:
    """Keep the addresses to which this page sends something, apart from what it has drawn."""

    def keep(answer: Response) -> None:
        if answer.request.method == "POST":
            answers.append(answer.url)

    page.on("response", keep)


def test_the_pin_is_not_taken(host: Client, home: str, guests: Guests) -> None:
    page, answers = forgetful(guests, home + "/tags"), list[str]()
    asked(page, answers)
    page.get_by_test_id("pin").fill(PIN)
    page.locator("[data-action=unlock-send]").click()
    expect(page.locator("#toast")).to_contain_text("This browser keeps no cookies")
    assert answers == []


def test_no_seat_is_lost(host: Client, home: str, guests: Guests) -> None:
    """The seat stays free, so that another phone of this player can take it."""
    host.begin("galloping-pigs", ("Ada", "Ben"))
    page, answers = forgetful(guests, f"{home}/seat?code={host.get('/api/join')['code']}"), list[str]()
    asked(page, answers)
    page.locator("[data-seat='0']").click()
    expect(page.locator("#toast")).to_contain_text("Allow cookies for this page, or leave private mode.")
    assert answers == []
