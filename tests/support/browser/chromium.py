"""The Chromium of this machine, driven by Playwright: for the tests and for the images in docs/."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, FloatRect, Locator, Page, Playwright, sync_playwright

PATIENCE = 60_000  # ms; what is waited for comes long before: a machine twice as busy must not fail
_FRAME = 20  # ms

LAUNCH = [
    "--no-sandbox",  # it may run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=slight",  # the headless shell's letters stand where Chromium's do: same screenshots
]
# the headless shell is Chromium without its windows: a new device costs it a third of the time
_PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser")


def program() -> str | None:
    """Return the path of Chromium, if there is one."""
    return next(filter(None, map(shutil.which, _PROGRAMS)), None)


_running: list[Playwright] = []


@contextmanager
def driver() -> Iterator[Playwright]:
    """Yield Playwright. A thread can run it once: inside another `driver()` it is the same one."""
    if _running:
        yield _running[0]
        return
    with sync_playwright() as playwright:
        _running.append(playwright)
        try:
            yield playwright
        finally:
            _running.clear()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a browser without a window."""
    with driver() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=LAUNCH)
        yield browser
        browser.close()


def box_of(what: Locator) -> FloatRect:
    """Return the box of an element on its page; retry while it is drawn anew and has no box for a moment."""
    until = time.monotonic() + PATIENCE / 1000
    while (box := what.bounding_box()) is None:
        if time.monotonic() > until:
            raise TimeoutError(f"{what} is not seen within {PATIENCE} ms")
        what.page.wait_for_timeout(_FRAME)
    return box


def cut_off(page: Page) -> None:
    """Cut the device off its network, and wait until requests fail: Chromium reports it too early."""
    page.context.set_offline(True)
    wait_until(page, "fetch('/healthz').then(() => false, () => true)")


def wait_until(page: Page, condition: str, arg: Any = None) -> None:
    """Wait until an expression, or a function of `arg`, holds on the page.

    `Page.wait_for_function` would ask the page to evaluate it, which our Content Security Policy forbids:
    it passes only where the condition holds at the first look.
    """
    until = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(condition, arg):
        if time.monotonic() > until:
            raise TimeoutError(f"{page.url}: not so within {PATIENCE} ms: {condition}")
        page.wait_for_timeout(_FRAME)
