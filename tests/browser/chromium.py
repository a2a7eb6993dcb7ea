"""The Chromium of this machine, driven by Playwright: for the tests and for the pictures in docs/."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

_LAUNCH = [
    "--no-sandbox",  # it may run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=slight",  # the headless shell's letters stand where Chromium's do: same pictures
]
# the headless shell is Chromium without its windows: a new device costs it a third of the time
_PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser")


def program() -> str | None:
    """Where Chromium is, if there is one."""
    return next(filter(None, map(shutil.which, _PROGRAMS)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=_LAUNCH)
        yield browser
        browser.close()
