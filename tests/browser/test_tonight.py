"""The evening's page on a phone, and the practice round from the tablet.

Only here: a page that stays as it was when a game ends, or a practice round that cannot be begun by a touch.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Guests
from tests.support.browser.hands import LINE_UP
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def settings() -> str:
    """Return a table without sensors: nothing waits for pieces to be moved."""
    return 'pad = false\npanel = false\n[track]\nkind = "none"\n'


def play(host: Client) -> None:
    """Play a game of one round to its end."""
    host.begin(seats=("Ada", "Ben"), options={"rounds": 1})
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    turn = 0
    while due := host.table["next"]:
        host.decide(do="play", seat=due["seats"][0], card=LINE_UP[turn % 5])
        turn += 1


def test_the_evening_counts_each_game_and_names_a_champion(host: Client, home: str, guests: Guests) -> None:
    """The page follows by itself: nothing yet, one game, three games; the picture is saved."""
    phone = guests.open(f"{home}/tonight", 360, 640)
    say = phone.locator("#tonight-say")
    expect(say).to_have_text("Tonight's first game is still to come.")
    play(host)
    expect(say).to_contain_text("tonight.")
    expect(phone.locator("#cup")).to_be_hidden()
    expect(phone.locator("#tonight-people li")).to_have_count(2)
    play(host)
    play(host)
    expect(say).to_contain_text("of the evening!")
    expect(phone.locator("#cup")).to_be_visible()
    expect(phone.locator("#tonight-games li")).to_have_count(3)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"
    with phone.expect_download() as saved:
        phone.locator("[data-action=keep-tonight]").click()
    assert saved.value.suggested_filename == "tonight.png"


def test_newcomers_practise_from_the_tablet_at_a_touch(host: Client, home: str, guests: Guests) -> None:
    """One round against a robot, with explanations; the host's next game is not offered against it."""
    tablet = guests.open(f"{home}/")
    tablet.locator("[data-action=practice]").click()
    expect(tablet.locator("#big")).to_contain_text("Guest, line up the pigs")
    expect(tablet.locator("#explain")).to_be_visible()
    assert host.table["match"]["bots"] == ["", "easy"]
