"""Every page recovers without a reload after sleep, lost Wi-Fi or a restart of the companion.

Only here: a page that stays stale, or needs a reload, after its connection was lost.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PIN, Guests
from tests.support.browser.chromium import cut_off, wait_until
from tests.support.browser.hands import LINE_UP
from tests.support.client import Client, companion

pytestmark = [pytest.mark.browser, pytest.mark.long]

SLEEP = "Object.defineProperty(document, 'hidden', {configurable: true, get: () => %s});"
"""Chromium without a screen never hides a page: this is what a page sees when the phone's screen goes off."""


def remember(page: Page) -> None:
    page.evaluate("window.here = 'since the first load'")


def was_not_reloaded(page: Page) -> None:
    assert page.evaluate("window.here") == "since the first load"


def see(page: Page, shown: bool) -> None:
    page.evaluate(SLEEP % ("false" if shown else "true"))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_the_companion_stops_and_starts_again(tmp_path: Path, guests: Guests) -> None:
    guests.forgive("net::ERR_")  # while it is down, nothing answers
    with companion(tmp_path) as first:
        port = str(first.client.port)
        client = first.client.host(PIN)
        client.begin()
        client.decide(do="line-up", seat=0, order=list(LINE_UP))
        pages = [guests.open(f"http://127.0.0.1:{port}/{path}") for path in ("", "watch", "mock")]
        for page in pages:
            remember(page)
            expect(page.locator("#stale")).to_be_hidden()
        first.stop()
        for page in pages:
            expect(page.locator("#stale")).to_be_visible()
    with companion(tmp_path, "--port", port) as second:
        again = second.client.host(PIN)
        for page in pages:
            expect(page.locator("#stale")).to_be_hidden()
        again.decide(do="play", seat=0, card="pink")
        for page in pages:
            expect(page.locator("#big")).to_contain_text("Ada: move the pink pig")
            was_not_reloaded(page)


def test_a_phone_that_slept(host: Client, home: str, guests: Guests) -> None:
    """A sleeping phone receives nothing and shows no error; awake it is up to date at once."""
    host.begin()
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    phone, tablet = guests.open(f"{home}/watch", 360, 640), guests.open(f"{home}/")
    remember(phone)
    expect(phone.locator("#big")).to_contain_text("red pig")
    see(phone, shown=False)
    host.decide(do="play", seat=0, card="pink")
    expect(tablet.locator("#big")).to_contain_text("Ada: move the pink pig")
    expect(phone.locator("#big")).not_to_contain_text("Ada: move the pink pig")
    see(phone, shown=True)
    expect(phone.locator("#big")).to_contain_text("Ada: move the pink pig")
    expect(phone.locator("#stale")).to_be_hidden()
    was_not_reloaded(phone)


def test_seven_pages_of_one_browser(host: Client, home: str, guests: Guests) -> None:
    """They share one stream of the six connections that it has: each page loads, asks and follows.

    If the page that has the stream is closed, the others go on.
    """
    host.begin()
    first = guests.open(f"{home}/tv")
    parts = ("course", "standings", "odds", "sentence", "ticker")
    pages = [first, *(first.context.new_page() for _ in (*parts, "watch"))]
    for page, path in zip(pages[1:], (*(f"overlay?parts={part}" for part in parts), "watch"), strict=True):
        page.goto(f"{home}/{path}")
        page.evaluate("document.addEventListener('view', ({ detail }) => { window.seq = detail.seq; })")
        assert page.evaluate("fetch('api/table').then(answer => answer.status)") == 200
    decided = host.decide(do="line-up", seat=0, order=list(LINE_UP))["seq"]
    for page in pages[1:]:
        wait_until(page, f"window.seq >= {decided}")
    first.close()
    decided = host.decide(do="play", seat=0, card="pink")["seq"]
    for page in pages[1:]:
        wait_until(page, f"window.seq >= {decided}")
    expect(pages[-1].locator("#big")).to_contain_text("Ada: move the pink pig")
    expect(pages[-1].locator("#stale")).to_be_hidden()


def test_the_house_loses_its_network(host: Client, home: str, guests: Guests) -> None:
    guests.forgive("net::ERR_")
    host.begin()
    tablet = guests.open(f"{home}/")
    remember(tablet)
    expect(tablet.locator("#big")).to_contain_text("line up the pigs")
    see(tablet, shown=False)
    cut_off(tablet)
    see(tablet, shown=True)
    expect(tablet.locator("#stale")).to_be_visible()
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    tablet.context.set_offline(False)
    expect(tablet.locator("#stale")).to_be_hidden()
    expect(tablet.locator("#then")).to_contain_text("Ada, play a card")
    was_not_reloaded(tablet)
