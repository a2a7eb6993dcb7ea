"""Each device speaks its own language: what its browser asks for, until a person chooses on it.

Only here: a page that ignores its device's language, or has no way to choose another.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Guests
from tests.support.browser.chromium import box_of
from tests.support.browser.hands import LINE_UP
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def settings() -> str:
    return 'pad = false\npanel = false\n[track]\nkind = "none"\n'


def test_a_device_chooses_its_language(host: Client, home: str, guests: Guests) -> None:
    """Page and stream change at once, the device's other pages too, and no other device's page."""
    host.begin(seats=("Ada", "Ben"))
    english = guests.open(f"{home}/watch", 360, 640, locale="en-GB")
    german = guests.open(f"{home}/watch", 360, 640, locale="de-AT")
    expect(english.locator("html")).to_have_attribute("lang", "en")
    expect(english.locator("#big")).to_have_text(
        "Ada, line up the pigs: the front one on start, the others right behind it"
    )
    expect(german.locator("html")).to_have_attribute("lang", "de")
    expect(german.locator("#big")).to_contain_text("Ada, stell die Schweine auf")

    expect(german.locator("#tote")).to_contain_text("offen")

    choice = german.get_by_role("button", name="Français")
    choice.focus()
    german.keyboard.press("Enter")
    expect(german.locator("html")).to_have_attribute("lang", "fr")
    expect(german.locator("#big")).to_contain_text("Ada, aligne les cochons")
    expect(german.get_by_role("button", name="Français")).to_have_attribute("aria-pressed", "true")
    german.goto(f"{home}/seat")
    expect(german.locator("#join h1")).to_have_text("Quelle est ta place\N{NARROW NO-BREAK SPACE}?")

    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    expect(english.locator("#big")).to_have_text("Put the red pig on start")
    host.decide(do="play", seat=0, card="pink")
    numbers = guests.open(f"{home}/watch", 360, 640, locale="de-AT").locator("#tote .pc").first
    expect(numbers).to_contain_text("\N{NO-BREAK SPACE}%")
    expect(english.locator("#tote .pc").first).to_have_text(re.compile(r"\d%"))


def test_every_page_offers_the_languages(home: str, guests: Guests) -> None:
    """While nothing runs; each by its own name, to be pressed with a finger."""
    for path, size in (("/", (1024, 768)), ("/host", (360, 640)), ("/seat", (360, 640))):
        page = guests.open(f"{home}{path}", *size, locale="fr-CH")
        for name in ("English", "Français", "Deutsch"):
            button = page.get_by_role("button", name=name)
            button.scroll_into_view_if_needed()
            assert box_of(button)["height"] >= 56, path
        page.get_by_role("button", name="Deutsch").click()
        expect(page.locator("html")).to_have_attribute("lang", "de")
