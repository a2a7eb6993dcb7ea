"""The rules on a phone and over the table; the explanations of a first game fit, and are gone when they were read.

Only here: a first game whose explanations cover the course, or rules that cannot be reached.
"""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Guests
from tests.browser.test_layout import CUT, RESIZED, SPILLED
from tests.support.browser.chromium import wait_until
from tests.support.browser.gallery import DRAWN
from tests.support.browser.hands import LINE_UP
from tests.support.client import PATIENCE_S, Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

SCREENS = [(1280, 800), (1024, 768), (800, 1280)]
OVER = """() => {
  const box = id => document.querySelector(id).getBoundingClientRect(), it = box("#explain"), page = box("#stage");
  const on = other => it.left < other.right - 1 && other.left < it.right - 1 && it.top < other.bottom - 1 && other.top < it.bottom - 1;
  const found = ["#say", "#track", "#dock", "#side"].filter(id => on(box(id)));
  const el = document.querySelector("#explain"), text = el.querySelector("p");
  if (text.scrollHeight > el.clientHeight || el.scrollHeight > el.clientHeight + 1) found.push("too long");
  if (it.right > page.right || it.bottom > page.bottom) found.push("off the screen");
  return found;
}"""
"""What the explanation hides, or does not hold."""


def check(table: Page, state: str) -> None:
    """Fail if something does not fit when the page is drawn.

    Playwright does not wait until the page knows its new size, and the page draws one step in each frame: for
    some frames texts are cut. The same is true when new odds come meanwhile.
    """
    for width, height in SCREENS:
        table.set_viewport_size({"width": width, "height": height})
        wait_until(table, RESIZED, arg=width)
        end = time.monotonic() + PATIENCE_S
        table.evaluate(DRAWN)
        while wrong := [fault for law in (OVER, CUT, SPILLED) for fault in table.evaluate(law)]:
            assert time.monotonic() < end, f"{state}, {width}×{height}: {wrong}"
            table.evaluate(DRAWN)


def test_a_first_game_is_explained_and_the_rules_are_one_press_away(
    host: Client, home: str, guests: Guests
) -> None:
    table = guests.open(f"{home}/", *SCREENS[0])
    host.begin(seats=("Ada", "Ben", "Cleo", "Dan"), explain=True)
    box = table.locator("#explain")
    expect(box).to_contain_text("Put one animal on the starting space")
    expect(box.locator("svg.track")).to_be_visible()
    check(table, "line-up")
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    expect(box).to_contain_text("to the next free space")
    host.decide(do="play", seat=0, card="pink")
    expect(box).to_contain_text("hops over the whole row")
    check(table, "hop")
    box.get_by_role("button", name="Got it").click()
    expect(box).to_contain_text("at risk until your last card")
    box.get_by_role("button", name="No more explanations").click()
    expect(box).to_be_hidden()

    table.locator("[data-action=rules]").click()
    rules = table.frame_locator("#rulesbox iframe")
    expect(rules.get_by_role("heading", name="So that nobody argues")).to_be_attached()
    expect(table.locator("#big")).to_be_in_viewport()
    host.decide(do="play", seat=1, card="red")
    expect(table.locator("#big")).to_contain_text("Ben")  # the page under the rules is live
    table.keyboard.press("Escape")
    expect(table.locator("#rulesbox")).to_have_count(0)
    expect(table.locator("[data-action=rules]")).to_be_focused()

    phone = guests.open(f"{home}/rules/giro-galoppo", 360, 640)
    expect(phone.locator("[data-scene] svg.track").first).to_be_visible()
    expect(phone.locator("[data-scene] svg.track")).to_have_count(phone.locator("[data-scene]").count())
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
