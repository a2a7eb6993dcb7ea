"""One Chromium for all these tests, and guests who open pages in it and mind their manners."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.support.browser.chromium import PATIENCE, chromium, program
from tests.support.client import Client, Companion, companion

PIN = "2468"
SLOW = int(os.environ.get("SLOW_PAGES", "1"))
"""How many times slower pages are, to find tests that look before a page has drawn: `make check-slow`."""
LATE_FRAMES = """{
  const soon = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = call => setTimeout(() => soon(call), %d);
}"""
"""Lets each frame of a page come so many ms late."""

expect.set_options(timeout=PATIENCE)


class Guests:
    """Opens pages as devices do, and keeps what each page complains of and whom it asks for what."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._devices: list[BrowserContext] = []
        self._complaints: list[str] = []
        self._strangers: list[str] = []
        self._forgiven: list[str] = []

    def open(self, url: str, width: int = 1280, height: int = 800, **device: Any) -> Page:
        """Return a page on a new device with new cookies; in mock mode it must say so."""
        context = self._browser.new_context(viewport={"width": width, "height": height}, **device)
        context.set_default_timeout(PATIENCE)
        self._devices.append(context)
        page = context.new_page()
        page.on("console", lambda said: self._console(page, said.type, said.text))
        page.on("pageerror", lambda error: self._complaints.append(f"{page.url}: {error}"))
        page.on("request", lambda request: self._asked(url, request.url))
        if SLOW > 1:
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
            context.add_init_script(LATE_FRAMES % (40 * SLOW))
        page.goto(url)
        expect(page.get_by_text("MOCK", exact=True).filter(visible=True).first).to_be_in_viewport()
        page.evaluate("document.fonts.ready.then(() => null)")  # letters that come late move what is pressed
        return page

    def forgive(self, pattern: str) -> None:
        """Forgive a complaint that this test provokes on purpose."""
        self._forgiven.append(pattern)

    def leave(self) -> None:
        """Close all devices; assert that no page complained, nor asked another host for anything."""
        for context in self._devices:
            context.close()
        complaints = [c for c in self._complaints if not any(re.search(p, c) for p in self._forgiven)]
        assert not complaints, complaints
        assert not self._strangers, self._strangers

    def _console(self, page: Page, kind: str, text: str) -> None:
        # on a busy machine a font that was asked for early is used late: that is no fault of the page
        if kind in ("error", "warning") and "preloaded using link preload but not used" not in text:
            self._complaints.append(f"{page.url}: {text}")

    def _asked(self, home: str, url: str) -> None:
        asked = urlsplit(url)
        if asked.scheme in ("http", "https", "ws", "wss") and asked.netloc != urlsplit(home).netloc:
            self._strangers.append(url)


def all_on_one_page(page: Page) -> None:
    """Make this device ask for a new game on one page, also for the first one."""
    page.evaluate("localStorage.setItem('new-game-by-question', 'no')")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Yield the browser; close it after this package: its event loop must not run on under other tests."""
    if program() is None:
        pytest.skip("there is no Chromium on this machine: apt install chromium")
    with chromium() as started:
        yield started


@pytest.fixture
def guests(browser: Browser) -> Iterator[Guests]:
    arrived = Guests(browser)
    yield arrived
    arrived.leave()


@pytest.fixture
def settings() -> str:
    """Return the companion.toml; a module may override it. Empty is mock mode: pad, panel, 22 spaces."""
    return ""


@pytest.fixture
def running(tmp_path: Path, settings: str) -> Iterator[Companion]:
    """Yield a companion in mock mode with an empty journal."""
    (tmp_path / "companion.toml").write_text(settings, encoding="utf-8")
    with companion(tmp_path) as started:
        yield started


@pytest.fixture
def home(running: Companion) -> str:
    return f"http://127.0.0.1:{running.client.port}"


@pytest.fixture
def host(running: Companion) -> Client:
    return running.client.host(PIN)
