"""The table page without sensors: every decision is a tap or a key.

Only here: a tap that is lost when the page is redrawn or turned, or a button without a name for screen
readers.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from companion.http.network import own_address
from tests.browser.conftest import PIN, Guests
from tests.support.browser.hands import LINE_UP
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def settings() -> str:
    return 'pad = false\npanel = false\n[track]\nkind = "none"\n'


def tap_line_up(table: Page) -> None:
    """Tap four pieces; the fifth follows. Take one back in between."""
    first, second, *others = LINE_UP[:-1]
    card = "[data-action=line-up][data-card={}]"
    for colour in (first, others[0]):
        table.locator(card.format(colour)).click()
    table.locator("[data-action=line-up-back]").click()
    expect(table.locator(card.format(others[0]))).to_be_visible()
    for colour in (second, *others):
        table.locator(card.format(colour)).click()
    expect(table.locator("#track [data-ghost]")).to_have_count(len(LINE_UP))
    table.locator("[data-action=line-up-ok]").click()


def test_a_game_by_tap(host: Client, home: str, guests: Guests) -> None:
    host.begin(options={"food_on_track": True})
    table = guests.open(f"{home}/")
    tap_line_up(table)
    for place in range(len(LINE_UP)):
        expect(table.locator(f"#track [data-target='{-place % 22}']")).to_be_attached()

    table.locator(".hit[data-hit='9']").click()
    expect(table.locator("[data-food='9']")).to_be_visible()
    expect(table.locator(".hit[data-hit='9']")).to_have_count(0)
    table.locator(".hit[data-hit='7']").focus()
    table.keyboard.press("ArrowRight")
    expect(table.locator(".hit[data-hit='8']")).to_be_focused()
    table.keyboard.press("Enter")
    expect(table.locator("[data-food='8']")).to_be_visible()

    expect(table.locator("#big")).to_have_text("Ada, play a card")
    table.locator("[data-action=play][data-card=pink]").click()
    expect(table.locator("#track [data-target='1']")).to_be_attached()
    expect(table.locator("#stand-list [data-seat='0'] [data-provisional='1']")).to_be_visible()
    assert host.table["state"]["progress"]["pink"] == 1

    table.locator("[data-action=undo]").click()
    expect(table.locator("#big")).to_have_text(re.compile("Move the pink pig .*to 18"))
    expect(table.locator("#stand-list [data-provisional='1']")).to_have_count(0)
    table.locator("[data-action=redo]").click()
    expect(table.locator("#stand-list [data-seat='0'] [data-provisional='1']")).to_be_visible()
    assert host.table["state"]["progress"]["pink"] == 1


def test_turned_to_every_side_the_page_can_be_tapped(host: Client, home: str, guests: Guests) -> None:
    host.begin(seats=("Ada", "Ben", "Cleo", "Dev"), options={"food_on_track": True})
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    table = guests.open(f"{home}/")
    for side, turned, space in (("left", 90, 6), ("far", 270, 9), ("right", 180, 12), ("far", 0, 15)):
        table.get_by_label(f"turn the page to the {side} side of the table").click()
        expect(table.locator("#stage")).to_have_attribute("data-turn", str(turned))
        table.locator(f".hit[data-hit='{space}']").click()
        expect(table.locator(f"[data-food='{space}']")).to_be_visible()


def test_a_tap_is_not_lost_when_the_page_is_drawn_under_the_finger(
    host: Client, home: str, guests: Guests
) -> None:
    host.begin(seats=("Ada", "Ben", "Cleo", "Dev"), options={"food_on_track": True})
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    table = guests.open(f"{home}/")
    table.locator(".hit[data-hit='6']").hover()
    table.mouse.down()
    host.request("PATCH", "/api/seats/3", {"name": "Zoë"})
    expect(table.locator("#stand-list")).to_contain_text("Zoë")
    table.mouse.up()
    expect(table.locator("[data-food='6']")).to_be_visible()


def test_a_card_by_keyboard(host: Client, home: str, guests: Guests) -> None:
    host.begin()
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    table = guests.open(f"{home}/")
    table.locator("[data-action=play][data-card=red]").focus()
    table.keyboard.press("Tab")
    expect(table.locator("[data-action=play][data-card=blue]")).to_be_focused()
    table.keyboard.press("Enter")
    expect(table.locator("#big")).to_contain_text("Ada: move the blue pig")


def test_every_card_and_space_has_a_name(host: Client, home: str, guests: Guests) -> None:
    """Buttons, spaces and pieces have names for a screen reader."""
    host.begin(options={"food_on_track": True})
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    table = guests.open(f"{home}/")
    expect(table.get_by_role("button", name="lay it on space 5", exact=True)).to_be_visible()
    host.decide(do="place-food", seat=0, space=9)
    expect(table.get_by_role("img", name="red pig on space start")).to_be_visible()
    expect(table.get_by_role("img", name="food on space 9")).to_be_visible()
    host.decide(do="place-food", seat=1, space=10)
    for colour in LINE_UP:
        expect(table.get_by_role("button", name=colour, exact=True)).to_be_visible()


def test_another_device_becomes_the_table_by_the_pin(host: Client, home: str, guests: Guests) -> None:
    """Another device in the house may only watch, until someone enters the PIN."""
    address = own_address()
    if address.startswith("127."):
        pytest.skip("this machine has no address but its own: no other device can be played")
    host.begin()
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    guests.forgive("403")
    tablet = guests.open(f"http://{address}:{urlsplit(home).port}/")
    expect(tablet.locator("#then")).to_have_text(
        "then shuffle all race cards and deal 7 to each. Ada, play a card"
    )
    expect(tablet.locator("[data-action=play]")).to_have_count(0)
    expect(tablet.locator("#admit-title")).to_have_text("This screen isn’t the table yet")
    tablet.locator("[data-action=unlock]").click()
    tablet.locator("#door [name=pin]").fill("9999")
    tablet.locator("#door [data-action=unlock-send]").click()
    expect(tablet.locator("#toast")).to_be_visible()
    tablet.locator("#door [name=pin]").fill(PIN)
    tablet.locator("#door [data-action=unlock-send]").click()
    tablet.locator("[data-action=play][data-card=pink]").click()
    expect(tablet.locator("#big")).to_contain_text("Ada: move the pink pig")


def test_another_device_becomes_the_table_by_one_touch_of_the_host(
    host: Client, home: str, guests: Guests
) -> None:
    """The number on the tablet is the one that the host's phone asks about; until then the tablet watches."""
    address = own_address()
    if address.startswith("127."):
        pytest.skip("this machine has no address but its own: no other device can be played")
    host.begin()
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    phone = guests.open(f"{home}/host", 390, 844)
    phone.locator("[name=pin]").fill(PIN)
    phone.locator("[name=pin]").press("Enter")
    expect(phone.locator("#running")).to_be_visible()
    tablet = guests.open(f"http://{address}:{urlsplit(home).port}/")
    number = tablet.locator("#admit-number")
    expect(number).to_have_text(re.compile(r"^[1-9][0-9]$"))
    shown = number.text_content()
    expect(tablet.locator("#admit-how")).to_contain_text(f"let in number {shown}")
    expect(phone.locator("#screens")).to_contain_text(f"It shows {shown}.")
    tablet.locator("[data-action=just-watch]").click()
    expect(tablet.locator("#big")).to_be_visible()
    tablet.locator("[data-action=be-table]").click()
    expect(number).to_be_visible()
    phone.locator(f"[data-screen='{number.text_content()}'] [data-action=let-in]").click()
    tablet.locator("[data-action=play][data-card=pink]").click()
    expect(tablet.locator("#big")).to_contain_text("Ada: move the pink pig")
    expect(phone.locator("#screens")).to_be_hidden()


def test_a_screen_that_the_host_refuses_can_ask_again(host: Client, home: str, guests: Guests) -> None:
    address = own_address()
    if address.startswith("127."):
        pytest.skip("this machine has no address but its own: no other device can be played")
    tablet = guests.open(f"http://{address}:{urlsplit(home).port}/")
    number = tablet.locator("#admit-number")
    expect(number).to_be_visible()
    shown = int(number.text_content() or "0")
    host.post("/api/screens/answer", number=shown, grant=False)
    expect(tablet.locator("#admit-how")).to_have_text("The host said no.")
    expect(number).to_be_hidden()
    tablet.locator("[data-action=ask-again]").click()
    expect(number).to_have_text(re.compile(r"^[1-9][0-9]$"))
    assert int(number.text_content() or "0") != shown
