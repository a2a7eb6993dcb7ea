"""The table page reports a piece or card that is in the wrong place, and offers what can be done.

Only here: a misplaced piece that the table page does not mark, or a button that does not settle it.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Guests
from tests.support.browser.hands import LINE_UP
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def table(host: Client, home: str, guests: Guests) -> Page:
    """Return a race whose pieces are where they should be."""
    host.begin()
    uids = host.uids()
    for place, colour in enumerate(LINE_UP):
        host.space(-place % 22, uids[f"piece/{colour}"])
    page = guests.open(f"{home}/")
    page.locator("[data-action=confirm]").click()
    expect(page.locator("#big")).to_have_text("Ada, play a card")
    return page


def test_a_refusal_is_said_and_dismissed(host: Client, table: Page) -> None:
    host.pad(host.uids("galloping-horse")["card/red/1"])
    expect(table.locator("#stage")).to_have_attribute("data-tone", "wrong")
    expect(table.locator("#say .refusal")).to_be_visible()
    table.locator("#say [data-action=next]").click()
    expect(table.locator("#big")).to_have_text("Ada, play a card")
    expect(table.locator("#say [data-action=next]")).to_be_hidden()


def test_another_pig_was_moved(host: Client, table: Page) -> None:
    """The main sentence says the way back, and the track marks it."""
    host.space(7, host.uids()["piece/blue"])
    expect(table.locator("#big")).to_have_text("Move the blue pig from 7 to 21")
    expect(table.locator("#stage")).to_have_attribute("data-tone", "wrong")
    expect(table.locator("#track [data-piece=blue]")).to_have_attribute("data-space", "7")
    expect(table.locator("#track [data-piece=blue]")).to_have_class("piece due")
    expect(table.locator("#track [data-target='21']")).to_be_attached()


def test_trust_the_app(host: Client, table: Page) -> None:
    host.space(7, host.uids()["piece/blue"])
    table.locator("[data-action=trust-app][data-trust=blue]").click()
    expect(table.locator("#big")).to_have_text("Ada, play a card")
    expect(table.locator("#track [data-target]")).to_have_count(0)
    assert host.table["todo"] == []


def test_trust_the_table(host: Client, table: Page) -> None:
    """Pink was laid by mistake and yellow was moved; the page offers that yellow was meant."""
    host.pad(host.uids()["card/pink/1"])
    expect(table.locator("#big")).to_contain_text("Ada: move the pink pig")
    host.space(1, host.uids()["piece/yellow"])
    expect(table.locator("#track [data-piece=yellow]")).to_have_class("piece due")
    expect(table.locator("#big")).to_contain_text("Move the yellow pig from 1 to 19")
    table.locator("[data-action=trust-table]").filter(has_text="Ada played yellow").click()
    expect(table.locator("#big")).to_have_text("Ben, play a card")
    assert host.table["state"]["progress"]["yellow"] == 1


def test_a_second_card_waits_for_the_piece(host: Client, home: str, guests: Guests, table: Page) -> None:
    """The virtual table ticks the card that was played, and not the card that waits."""
    mock = guests.open(f"{home}/mock")
    mock.locator("[data-pile=pink]").click()
    expect(mock.locator("#big")).to_contain_text("pink pig")
    expect(mock.locator("[data-on-pad].ok")).to_have_count(1)
    mock.locator("[data-pile=blue]").click()
    expect(table.locator("#then")).to_contain_text("blue card waits")
    expect(mock.locator("[data-on-pad]")).to_have_count(1)  # the one that was played was taken away
    expect(mock.locator("[data-on-pad].ok")).to_have_count(0)
    host.space(1, host.uids()["piece/pink"])
    expect(table.locator("#big")).to_contain_text("blue pig")
    expect(mock.locator("[data-on-pad].ok")).to_have_count(1)
