"""What hands do on the virtual table is done, however late the companion's answers come.

Only here: a hand on the virtual table that is lost, or is taken back by a late answer.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Guests
from tests.support.browser.hands import Hands
from tests.support.browser.slow import Slow
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]


def test_an_older_answer_takes_back_nothing_that_a_hand_did(host: Client, home: str, guests: Guests) -> None:
    """A piece set next to another one leaves that one there."""
    hands = Hands(guests.open(f"{home}/mock"))
    expect(hands.piece("red")).to_be_visible()
    slow = Slow(hands.page, "**/api/mock")
    with hands.page.expect_response("**/api/mock/button"):
        hands.page.locator("[data-button=next]").click()
    slow.wait()
    with hands.page.expect_response("**/api/mock"):
        hands.move("red", 3)
    slow.arrive()
    assert hands.piece("red").get_attribute("data-space") == "3"
    with hands.page.expect_response("**/api/mock"):
        hands.move("blue", 3)
    uids = host.uids()
    lying = host.get("/api/mock")["tags"]
    assert {lying[uids[f"piece/{colour}"]]["at"] for colour in ("red", "blue")} == {"track/3"}


def test_a_press_counts_from_the_first_moment_of_the_page(home: str, guests: Guests) -> None:
    """Nothing was dragged yet whose end would be no press."""
    page = guests.open(f"{home}/mock")
    page.add_init_script("performance.now = () => 1")
    page.reload()
    with page.expect_response("**/api/mock/button"):
        page.locator("[data-button=next]").click()


def test_faults_are_folded_away_and_stay_as_they_were_left(home: str, guests: Guests) -> None:
    page = guests.open(f"{home}/mock")
    flicker = page.locator("[data-fault=flicker]")
    expect(page.locator("#pad")).to_be_in_viewport()
    expect(flicker).to_be_hidden()
    page.locator(".faults summary").click()
    expect(flicker).to_be_visible()
    page.reload()
    expect(flicker).to_be_visible()


def test_things_of_the_last_game_leave_the_table(host: Client, home: str, guests: Guests) -> None:
    """Pieces and cards, when a match of another game begins, and the page says so; the same game keeps its own."""
    page = guests.open(f"{home}/mock")
    host.begin("galloping-pigs")
    uids = host.uids("galloping-pigs")
    host.space(3, uids["piece/red"])
    host.pad(uids["card/blue/1"])
    host.now("/api/end")
    host.begin("galloping-pigs")
    assert host.get("/api/mock")["tags"][uids["piece/red"]]["at"] == "track/3"
    page.locator("[data-button=next]").click()  # the page has seen the piece
    expect(page.locator("svg [data-piece=red][data-space='3']")).to_be_attached()
    host.now("/api/end")
    expect(page.locator("#big")).to_have_text("Who plays tonight?")  # the page knows what lay there
    host.begin("galloping-horse")
    lying = host.get("/api/mock")["tags"]
    assert {lying[uids[name]]["at"] for name in ("piece/red", "card/blue/1")} == {"off"}
    expect(page.locator("#toast")).to_contain_text("Another game begins")
    host.space(5, uids["piece/red"])  # put there later: it stays, and the table says so
    assert host.get("/api/mock")["tags"][uids["piece/red"]]["at"] == "track/5"
