"""The table page holds still: nothing scrolls, no word is cut, one press prints, in every state."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Guests
from tests.support.browser.chromium import wait_until
from tests.support.browser.gallery import DRAWN
from tests.support.browser.hands import LINE_UP
from tests.support.client import Client

pytestmark = pytest.mark.browser

SCREENS = [(1280, 800), (1024, 768), (800, 1280), (1920, 1080)]
NAMES = ("Bartholomäus", "Maximilianus", "Wilhelmineke", "Konstantinos")  # twelve letters each

CUT = """() => {
  const cut = [];
  for (const el of document.querySelectorAll("#say *, #side *, #dock *, #board *")) {
    const own = [...el.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!own || !el.clientWidth || el.closest(".sr, svg")) continue;
    if (el.closest("#story-list li") && !inside(el.closest("li"), document.querySelector("#story-list"))) continue;
    const low = getComputedStyle(el).overflowY === "hidden" && el.scrollHeight > el.clientHeight + 2;
    if (el.scrollWidth > el.clientWidth + 1 || low) cut.push(el.textContent);
  }
  return cut;
  function inside(el, box) {
    const a = el.getBoundingClientRect(), b = box.getBoundingClientRect();
    return a.left < b.right && a.bottom <= b.bottom + 1;
  }
}"""
"""Texts that do not fit their own box. Lines of the story that do not fit at all are not shown: that is meant."""

SPILLED = """() => {
  const out = [], stage = document.querySelector("#stage").getBoundingClientRect();
  for (const id of ["say", "course", "dock", "side", "stand", "track", "taps"]) {
    const el = document.getElementById(id), box = el.getBoundingClientRect();
    if (!box.width) continue;
    if (box.left < stage.left - 1 || box.right > stage.right + 1 || box.top < stage.top - 1 || box.bottom > stage.bottom + 1) out.push(`${id} leaves the screen`);
    if (id !== "track" && el.scrollHeight > el.clientHeight + 1) out.push(`${id} is ${el.scrollHeight - el.clientHeight} px too high`);
    if (id !== "track" && el.scrollWidth > el.clientWidth + 1) out.push(`${id} is ${el.scrollWidth - el.clientWidth} px too wide`);
  }
  const page = document.scrollingElement;
  if (page.scrollHeight > innerHeight || page.scrollWidth > innerWidth) out.push("the page scrolls");
  return out;
}"""

COVERED = """() => {
  const button = document.querySelector("[data-action=print]"), box = button.getBoundingClientRect();
  const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return button.contains(seen) ? [] : ["one press does not print the table"];
}"""

RESIZED = "width => Math.abs(document.querySelector('#stage').getBoundingClientRect().width - width) < 1"


def fits(table: Page, state: str) -> list[str]:
    """Return what does not fit on any of the screens."""
    wrong = []
    for width, height in SCREENS:
        table.set_viewport_size({"width": width, "height": height})
        wait_until(table, RESIZED, arg=width)
        table.evaluate(DRAWN)
        size = table.evaluate("parseFloat(getComputedStyle(document.querySelector('#big')).fontSize)")
        found = [fault for law in (CUT, SPILLED, COVERED) for fault in table.evaluate(law)]
        found += [] if size >= 40 else [f"sentence {size} px"]
        wrong += [f"{state}, {width}×{height}: {what}" for what in found]
    return wrong


@pytest.mark.long
def test_it_fits_in_every_state(host: Client, home: str, guests: Guests) -> None:
    """Galloping Pigs fits every screen in each state of a game.

    Only here: a name or a sentence of Galloping Pigs that is cut, or a page that scrolls, with the longest
    names.
    """
    table = guests.open(f"{home}/", *SCREENS[0])
    wrong = [fault for state in states(host, table) for fault in fits(table, state)]
    assert not wrong, "\n".join(wrong)


def states(host: Client, table: Page) -> Any:
    """Bring the game from one state to the next; the table page shows it when it is yielded."""
    big, uids = table.locator("#big"), host.uids()
    host.begin(seats=NAMES, options={"food_on_track": True, "rounds": 1})
    expect(big).to_contain_text("line up the pigs")
    yield "line-up"
    for place, colour in enumerate(LINE_UP):
        host.space(-place % 22, uids[f"piece/{colour}"])
    expect(big).to_contain_text("is this the line-up?")
    yield "line-up offered"
    table.locator("[data-action=confirm]").click()
    expect(big).to_contain_text("lay an acorn")
    yield "food"
    for seat in range(4):
        host.decide(do="place-food", seat=seat, space=seat + 8)
    expect(big).to_contain_text("play a card")
    host.until(lambda now: now["odds"] and now["odds"]["seq"] == now["seq"])
    expect(table.locator("#board .tote.old")).to_have_count(0)
    yield "card"
    host.pad(uids["card/pink/1"])
    expect(big).to_contain_text("move the pink pig")
    yield "move pending"
    host.space(1, uids["piece/pink"])
    host.space(7, uids["piece/blue"])
    expect(big).to_contain_text("blue pig")
    yield "wrong move"
    host.space(21, uids["piece/blue"])
    expect(table.locator("[data-target]")).to_have_count(0)
    host.pad(uids["card/pink/1"], uids["card/pink/2"], uids["card/pink/3"])
    expect(table.locator("#say .refusal")).to_be_visible()
    yield "refused"
    host.pad()
    finish(host)
    expect(table.locator("#reveal")).to_be_visible()
    table.locator("#reveal").dispatch_event("click")  # on a busy machine it may be over by now
    expect(table.locator("#reveal")).to_be_hidden()
    host.stand()
    expect(table.locator("[data-podium]")).to_be_visible()
    yield "finished"


def finish(host: Client) -> None:
    """Tap all the other cards; the pieces stay where they are."""
    colours = [colour for colour in LINE_UP for _ in range(7)]
    colours.remove("pink")
    while (due := host.table["next"]) is not None:
        host.decide(do="play", seat=due["seats"][0], card=colours.pop())
