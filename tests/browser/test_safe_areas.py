"""A phone held across: no text is under its notch or its rounded corners.

Only here: a page that reaches to the edges (`viewport-fit=cover`) and forgets that a part of them is not there.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PIN, Guests
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

WIDE, HIGH = 844, 390
NOTCH = {"top": 0, "left": 47, "right": 47, "bottom": 21}  # an iPhone of 2021
PAGES = ("seat", "watch", "host", "history", "rules/galloping-pigs", "tags", "hardware", "mock", "")
# the texts and controls that begin or end under the notch
UNDER = """([left, right]) => [...document.querySelectorAll("h1, h2, p, li, button, a, label, input, img, summary")]
  .filter(el => el.checkVisibility() && !el.closest("svg, .sr, .mockribbon"))
  .filter(el => { const box = el.getBoundingClientRect();
    return box.width > 1 && (box.left < left - 1 || box.right > right + 1) })
  .map(el => el.outerHTML.slice(0, 100))"""


def notched(page: Page) -> None:
    """Give this page the edges of a phone with a notch."""
    page.context.new_cdp_session(page).send("Emulation.setSafeAreaInsetsOverride", {"insets": NOTCH})


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.partition("/")[0] or "table")
def test_nothing_is_under_the_notch(path: str, host: Client, home: str, guests: Guests) -> None:
    host.begin("greyhounds", ("Ada", "Ben", "Cleo"), deal="companion")
    page = guests.open(f"{home}/{path}", WIDE, HIGH, has_touch=True)
    if page.locator("[data-unlock] [name=pin]").first.is_visible():
        page.get_by_test_id("pin").first.fill(PIN)
        page.get_by_test_id("pin").first.press("Enter")
        expect(page.locator("[data-unlock]:visible")).to_have_count(0)
    if path == "seat":
        page.locator("#code").fill(host.get("/api/join")["code"])
        page.locator("#seat-list [data-seat='0']").click()
        expect(page.locator("#name")).to_be_visible()
    expect(page.locator("h1, h2").filter(visible=True).first).to_be_visible()
    notched(page)
    page.reload()
    expect(page.locator("body")).to_have_css("padding-left", f"{NOTCH['left']}px")
    assert page.evaluate(UNDER, [NOTCH["left"], WIDE - NOTCH["right"]]) == []
