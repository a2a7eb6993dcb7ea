"""The table page is light: what it loads, compressed as a phone on plain http gets it.

Only here: a page that loads more than it needs, or finds one of its scripts only by another.
"""

from __future__ import annotations

import http.client
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Guests
from tests.support.browser.gallery import LIVE
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

MOST = 100_000  # bytes, with the headers of the answers


def carried(url: str) -> int:
    """Return the bytes that this address takes on the wire, to a browser on another machine."""
    asked = urlsplit(url)
    wire = http.client.HTTPConnection(asked.hostname or "", asked.port or 80)
    headers = {"Accept-Encoding": "gzip, deflate", "Accept-Language": "en"}
    wire.request("GET", f"{asked.path}?{asked.query}" if asked.query else asked.path, headers=headers)
    answer = wire.getresponse()
    size = len(str(answer.headers)) + len(answer.read())
    wire.close()
    return size


def test_the_table_page_is_light(host: Client, home: str, guests: Guests) -> None:
    """That holds also in the middle of the game with most to draw; the stream itself is no page weight."""
    host.begin("greyhounds", ("Ada", "Ben", "Cleo"))
    table = guests.open(f"{home}/")
    expect(table.locator("#stand-list li")).to_have_count(3)
    loaded: list[str] = table.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    weights = {url: carried(url) for url in dict.fromkeys([f"{home}/", *loaded]) if "/events" not in url}
    listed = "\n".join(f"{size:7} {urlsplit(url).path}" for url, size in weights.items())
    assert sum(weights.values()) <= MOST, f"{sum(weights.values())} bytes:\n{listed}"


def test_a_page_names_all_its_scripts_at_once(host: Client, home: str, guests: Guests) -> None:
    """The browser must not find them layer by layer; a script loaded later loads what it needs."""
    for path in (*LIVE, "/history", "/tonight", "/rules", "/tags", "/hardware"):
        page = guests.open(home + path)
        page.wait_for_load_state("networkidle")
        named: list[str] = page.evaluate(
            "[...document.querySelectorAll('script[src], link[rel=modulepreload]')].map(one => one.src || one.href)"
        )
        loaded: list[str] = page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
        scripts = [url for url in loaded if url.endswith(".js")]
        assert sorted(scripts) == sorted(named), path
