"""A finish: no winner before the last piece stands; then the steps one by one, and another game.

Only here: a page that names the winner too early, or that makes a viewer wait who opens it later.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.match.record import decision_line
from tests.browser.conftest import Guests
from tests.browser.test_greyhounds_page import GAME, SEATS, bet, race, show
from tests.browser.test_seat import join
from tests.support.browser.chromium import wait_until
from tests.support.client import Client
from tests.support.moments import Story

pytestmark = [pytest.mark.browser, pytest.mark.long]

HORSES = ["red", "blue", "green", "yellow"]
OPEN = "#board .leaf:not(.shut)"


def run(host: Client) -> None:
    """Play a short game by tap to its last card. The horses stay where they are."""
    host.begin("galloping-horse", ("Ada", "Ben"), options={"rounds": 1})
    host.decide(do="line-up", seat=0, order=HORSES)
    for turn in range(14):
        host.decide(do="play", seat=turn % 2, card=HORSES[turn // 4])


def stand(host: Client) -> None:
    """Put every horse on the space that it has reached."""
    uids = host.uids("galloping-horse")
    for piece, place in host.table["layout"].items():
        host.space(place["space"], uids[f"piece/{piece}"])


BEATS = """window.beats = [];
  new MutationObserver(() => {
    const beat = document.querySelector("#finish:not([hidden])")?.dataset.beat;
    if (beat && window.beats[window.beats.length - 1] !== beat) window.beats.push(beat);
    window.lit ||= document.querySelectorAll(".confetti b").length === 2;
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-beat", "hidden"] })"""
"""A page notes the beats of the finish that it shows, and light."""


@pytest.mark.parametrize("motion", [pytest.param("no-preference", marks=pytest.mark.long), "reduce"])
def test_no_victory_before_the_last_piece_stands(
    host: Client, home: str, guests: Guests, motion: str
) -> None:
    """The winner is named after the last piece stands, after a build-up; then comes another game.

    A device that asks for reduced motion sees the end at once.
    """
    table = guests.open(f"{home}/", reduced_motion=motion)
    watch = guests.open(f"{home}/watch", 390, 844)
    table.add_init_script(BEATS)
    table.evaluate(
        """pin => fetch("/api/unlock", {method: "POST", headers: {"Content-Type": "application/json"},
             body: JSON.stringify({pin, role: "table"})})""",
        "2468",
    )
    table.reload()
    run(host)
    seat = join(guests, host, home, 0)
    big = table.locator("#big")
    expect(table.locator("#then")).to_contain_text("hen we see who has won")
    for page in (table, watch):
        expect(page.locator("[data-podium]")).to_have_count(0)
        expect(page.locator("#stand-list .rk").first).to_have_text("–")
    expect(big).not_to_contain_text("win")
    expect(table.locator("#again")).to_be_hidden()
    expect(seat.locator("#meant")).to_be_hidden()
    stand(host)
    expect(table.locator("[data-podium]")).to_be_visible()
    expect(big).to_contain_text("share the victory")
    expect(watch.locator("[data-podium]")).to_be_visible()
    if motion == "no-preference":
        table.wait_for_function("() => window.lit")
        expect(table.locator("#again")).to_be_hidden()
        table.locator("#finish").click()  # a touch ends it
    expect(table.locator("#finish")).to_have_attribute("data-beat", "end")
    beats = table.evaluate("window.beats")
    assert beats[:2] == (["curtain", "place-1"] if motion == "no-preference" else ["end"])
    assert bool(table.evaluate("window.lit")) == (motion == "no-preference")
    seat.locator("#finish").click()
    expect(seat.locator("#finish")).to_contain_text("share the victory with Ben")
    table.reload()
    expect(table.locator("[data-podium]")).to_be_visible()
    assert table.evaluate("window.beats") == ["end"], "who comes later sees how it stands"
    expect(table.locator("#look-back")).to_have_text("See the race")
    table.locator("#again").click()
    expect(big).to_contain_text("Ben, line up the horses")
    assert host.table["match"]["seats"] == ["Ada", "Ben"]


def test_a_race_is_opened_leaf_by_leaf(host: Client, home: str, guests: Guests) -> None:
    """Leaves show the finish, each seat's bets and the sums, by keys too; the winner is named."""
    host.begin(GAME, SEATS)
    table = guests.open(f"{home}/", reduced_motion="reduce")
    show(host)
    bet(host, 0, 1, 2)
    race(host)
    expect(table.locator("#big")).to_contain_text("wins race 1!")
    rows = sorted(host.table["standings"], key=lambda row: row["seat"])
    expect(table.locator(f"{OPEN} .sums .n")).to_have_text([f"${row['score']}" for row in rows])
    expect(table.locator(f"{OPEN} .sums .nm")).to_have_text([row["name"] for row in rows])
    tabs = table.locator("#board [role=tab]")
    expect(tabs.last).to_have_attribute("aria-selected", "true")
    tabs.last.press("ArrowRight")
    expect(table.locator(f"{OPEN} [data-place]")).to_have_count(3)
    expect(tabs.first).to_be_focused()
    tabs.nth(1).click()
    expect(table.locator(f"{OPEN} thead")).to_contain_text("Ada")
    expect(table.locator(f"{OPEN} tbody tr").last).to_contain_text(str(rows[0]["score"]))


FRAMES = """new Promise(done => {
  let left = 20;
  const frame = () => (left-- ? requestAnimationFrame(frame) : done());
  frame();
})"""


def run_to_the_last_card(host: Client) -> dict[str, Any]:
    """Play Greyhounds up to its last decision, and return that decision."""
    story = Story(GAME, SEATS, 6)
    host.begin(story.game, story.seats)
    *most, last = [decision_line(story.match.opening, turn.decision) for turn in story.match.turns]
    for line in most:
        host.decide(**line)
    return last


def followed(page: Page) -> Page:
    """Wait until a page gets what happens and has drawn it: until then it takes what it is shown for the past.

    A page draws in steps, one in each frame.
    """
    page.add_init_script("document.addEventListener('view', event => { window.shown = event.detail })")
    page.reload()
    wait_until(page, "window.shown !== undefined")
    page.evaluate(FRAMES)
    return page


def money(table: Page) -> list[int]:
    """Return the money in the standings of a table page, from the top."""
    return [int(dollars) for dollars in re.findall(r"\$(\d+)", table.locator("#stand-list").inner_text())]


def test_the_last_race_is_opened_before_the_victory(host: Client, home: str, guests: Guests) -> None:
    """A page that was open shows the dog, then the leaves, then the winner; no standings tell it before.

    A page that is opened later names the winner at once.
    """
    last = run_to_the_last_card(host)
    table = followed(guests.open(f"{home}/", reduced_motion="no-preference"))
    big, won = table.locator("#big"), re.compile("wins with|share the victory")
    expect(big).not_to_be_empty()
    before = money(table)
    host.decide(**last)
    expect(big).to_contain_text("wins race 3!")
    expect(big).not_to_contain_text(won)
    tabs = table.locator("#board [role=tab]")
    expect(tabs.last).to_be_visible()
    assert money(table) == before != [row["score"] for row in host.table["standings"]]
    expect(table.locator("#again")).to_be_hidden()
    tabs.last.click()
    expect(table.locator("[data-podium]")).to_be_visible()
    expect(big).to_contain_text(won)
    late = guests.open(f"{home}/", reduced_motion="no-preference")
    expect(late.locator("#big")).to_contain_text(won)


def test_a_viewer_of_another_page_does_not_wait(host: Client, home: str, guests: Guests) -> None:
    """With another panel open, the page names the winner without the leaves; the panel is by the numbers."""
    last = run_to_the_last_card(host)
    table = followed(guests.open(f"{home}/", reduced_motion="no-preference"))
    big, won = table.locator("#big"), re.compile("wins with|share the victory")
    table.locator("[data-open=hands]:visible").click()
    expect(table.locator("#board [data-action=close-panel]")).to_be_visible()
    host.decide(**last)
    expect(big).to_contain_text(won)
    table.locator("#finish").click()
    table.locator("[data-action=numbers]").click()
    table.locator("#board [data-action=close-panel]").click()
    table.locator("[data-action=numbers]").click()  # back
    expect(table.locator("[data-podium]")).to_be_visible()
    expect(big).to_contain_text(won)
