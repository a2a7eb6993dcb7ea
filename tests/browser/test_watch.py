"""The watch page on a small phone; and that every page fits a phone's width."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Guests
from tests.support.browser.hands import LINE_UP
from tests.support.client import Client

pytestmark = pytest.mark.browser

PHONE = (360, 640)


@pytest.fixture
def settings() -> str:
    return 'pad = false\npanel = false\n[track]\nkind = "none"\n'


def begin(host: Client) -> None:
    """Begin a race for three, with three plays."""
    host.begin(seats=("Ada", "Maximiliane-Charlotte von und zu Hohenfels"[:40], "Bartholomäus"))
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    for seat, card in enumerate(("pink", "red", "yellow")):
        host.decide(do="play", seat=seat, card=card)


def test_standings_odds_and_story(host: Client, home: str, guests: Guests) -> None:
    begin(host)
    phone = guests.open(f"{home}/watch", *PHONE)
    state = host.until(lambda table: table["odds"] and table["odds"]["seq"] == table["seq"] and table)
    for row in state["standings"]:
        line = phone.locator(f"#stand-list [data-seat='{row['seat']}']")
        expect(line).to_contain_text(row["name"])
        expect(line.locator(f"[data-kept='{row['score']}']")).to_be_visible()
    assert state["state"]["provisional"] == [1, 1, 0]
    for seat, food in enumerate(state["state"]["provisional"]):
        expect(phone.locator(f"[data-seat='{seat}'] [data-provisional='{food}']")).to_be_visible()

    expect(phone.locator("#tote")).not_to_have_class("tote old")
    wins = [c for c in state["odds"]["chances"] if c["what"] == "win"]
    phone.locator("#tote summary").click()
    host.until(lambda now: shown(phone) == chances_in(now))  # better ones come while we look
    for chance in wins:
        line = phone.locator(f"[data-exactly='{chance['seat']}']")
        expect(line.locator(".bar:not(.thin) i")).to_be_visible()
        expect(line.locator(".bar:not(.thin) u")).to_be_visible()  # the whisker: how sure that is
    assert sum(chance["p"] for chance in wins) == pytest.approx(1, abs=0.01)

    story = phone.locator("[data-story]")
    expect(story).to_have_count(5)
    expect(story.first).to_contain_text("yellow pig to start")
    expect(story.last).to_contain_text("Ada lines up the pigs")
    expect(
        phone.locator(
            "button:visible:not([data-language]):not([data-cheer]), a:visible:not([href^='rules'], [href=seat])"
        )
    ).to_have_count(0)
    host.decide(do="play", seat=0, card="red")
    expect(phone.locator("#tote .oddslines")).to_be_visible()  # the chances over time, once there are two


def shown(phone: Page) -> list[tuple[str, str]]:
    """Return each seat's chances to win and to keep its food, as the page has them."""
    rows = [phone.locator(f"[data-exactly='{seat}']") for seat in range(3)]
    return [(row.locator(".pc b").inner_text(), row.locator(".pc .also").inner_text()) for row in rows]


def chances_in(table: dict[str, Any]) -> list[tuple[str, str]]:
    chances = {(c["seat"], c["what"]): f"{int(100 * c['p'] + 0.5)}%" for c in table["odds"]["chances"]}
    return [(chances[seat, "win"], chances[seat, "keep"]) for seat in range(3)]


@pytest.mark.long
@pytest.mark.parametrize("path", ["", "watch", "host", "mock"])
def test_nothing_is_wider_than_a_phone(path: str, host: Client, home: str, guests: Guests) -> None:
    """Nothing is wider than a phone.

    Only here: a page that scrolls sideways on a phone.
    """
    begin(host)
    phone = guests.open(f"{home}/{path}", *PHONE)
    if path != "host":
        expect(phone.locator("#track [data-number='5']")).to_be_visible()
    width = phone.evaluate("document.scrollingElement.scrollWidth")
    assert width <= PHONE[0], f"{path} is {width} px wide"
