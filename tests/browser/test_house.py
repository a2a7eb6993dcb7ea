"""An evening begins in a house: the tablet, the host's phone and a guest's phone, each with its own address.

Only here: a PIN, a screen or a seat that is granted only because every device has the table's own address.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.house import FromPage, House, house, why_not

pytestmark = [pytest.mark.browser, pytest.mark.long]

PIN = "2468"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[House]:
    if reason := why_not():
        pytest.skip(reason)
    with house(tmp_path, reduced_motion="reduce") as made:
        yield made


def begin(phone: Page, names: tuple[str, ...]) -> None:
    """Begin Galloping Pigs on the host's phone; the companion deals."""
    phone.locator(".tile > label:has([value=galloping-pigs])").tap()
    for seat, name in enumerate(names):
        if seat > 1:
            phone.locator("[data-action=add-seat]").tap()
        phone.locator("#seats input[type=text]").nth(seat).fill(name)
    deal = phone.locator(".tile:has([name=deal][value=companion])")
    for _ in range(2):
        phone.locator("[data-action=question-next]").tap()
    deal.tap()
    phone.locator("[data-action=start]").tap()


def test_the_first_evening_from_the_pin_to_the_first_card(home: House) -> None:
    """One touch lets the tablet in; the host is led to a seat; a guest's phone asks for nothing by itself."""
    tablet, phone, guest = home.pages["tablet"], home.pages["phone"], home.pages["small"]
    tablet.goto(home.home)
    number = tablet.locator("#admit-number")
    expect(number).not_to_be_empty()
    phone.goto(f"{home.home}/host")
    phone.locator("[name=pin]").fill(PIN)
    phone.locator("[name=pin]").press("Enter")
    guest.goto(home.home)
    expect(guest.locator("#big")).to_have_text("Who plays tonight?")
    expect(guest.locator("#admit")).to_be_hidden()
    letting_in = phone.locator("[data-action=let-in]")
    expect(letting_in).to_have_count(1)
    expect(number).to_have_text(str(letting_in.inner_text().split()[1]))
    letting_in.tap()
    expect(tablet.locator("#admit")).to_have_count(0)  # the page is loaded again, as the table's
    expect(tablet.locator("#big")).to_have_text("Who plays tonight?")

    begin(phone, ("Anna", "Marc", "Lena"))
    phone.locator("#to-seat.go").tap()
    phone.locator("#seat-list button", has_text="Anna").tap()
    expect(phone.locator("#big")).to_have_text("your turn: line them up, front first")
    code = FromPage(tablet).get("/api/join")["code"]
    guest.goto(f"{home.home}/seat?code={code}")
    expect(guest.locator("#explain")).to_be_hidden()
    guest.locator("#seat-list button", has_text="Marc").tap()
    expect(guest.locator("#big")).to_have_text("wait for Anna")
    tablet.locator("[data-action=line-up-any]").tap()
    tablet.locator("[data-action=line-up-ok]").tap()
    FromPage(tablet).stand()
    expect(phone.locator("#big")).to_have_text("your turn: play a card")
    expect(tablet.locator("#then")).to_have_text("On your phone, or hold your name on this screen")
    phone.goto(f"{home.home}/seat")
    phone.get_by_role("link", name="Host").tap()
    expect(phone.locator("#running")).to_be_visible()
