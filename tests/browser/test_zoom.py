"""Every page at 200 %: it scrolls one way at most, and no text is cut.

A browser at 200 % reports half the window to the page: 1280 × 800 is 640 × 400, 1024 × 768 is 512 × 384.

Only here: a page that scrolls both ways or cuts a German word at 200 %.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.test_fits_hand import FAULTS
from tests.support.amount import some
from tests.support.browser.gallery import (
    DRAWN,
    GIRO,
    HORSE,
    HOUNDS,
    PIGS,
    Moment,
    Scene,
    Screen,
    at,
    due,
    hold,
    last,
    over,
)
from tests.support.browser.law import LAW

pytestmark = [pytest.mark.browser, pytest.mark.long]

ZOOM = (Path(__file__).parent / "zoom.js").read_text(encoding="utf-8")
"""Gives what is wrong with how a page scrolls."""
SIZES = ((640, 400), (512, 384))
WIDEST = "de"  # its words are the longest


def screens(*pages: str) -> tuple[Screen, ...]:
    """Return these pages as the host has them, and the page of a seat."""
    return tuple(
        Screen(page, *SIZES[0], None if page in ("/watch", "/seat") else "host", language=WIDEST)
        ._replace(seat=0 if page == "/seat" else None)
        for page in pages
    )  # fmt: skip


PLAYED = screens("/", "/watch", "/seat", "/host", "/mock")
ENDED = screens("/", "/watch", "/seat", "/host")
MOMENTS = (
    Moment("pigs", PIGS, at(0.55, "moved"), screens=PLAYED),
    Moment("pigs-end", PIGS, last, Scene.finished, ENDED),
    Moment("horse", HORSE, at(0.4, "leads"), screens=PLAYED),
    Moment("horse-end", HORSE, last, Scene.finished, ENDED),
    Moment("giro", GIRO, due("play", 0, 0.4), Scene.nothing, PLAYED),
    Moment("giro-end", GIRO, last, Scene.finished, ENDED),
    Moment("hounds", HOUNDS, due("bet", 0), Scene.nothing, PLAYED),
    Moment("hounds-race", HOUNDS, at(0, "balance"), screens=ENDED),
    Moment("hounds-end", HOUNDS, last, Scene.finished, ENDED),
    Moment(
        "beside",
        PIGS,
        over,
        Scene.nothing,
        screens(
            "/history",
            "/history/1",
            "/tonight",
            "/tags",
            "/hardware",
            "/rules",
            "/rules/greyhounds",
            "/paper/table",
        ),
    ),
)


def found(page: Page, screen: Screen) -> Iterator[str]:
    """Yield the faults at each size, also with a seat's slip held open."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        for look in looks(page, screen):
            page.evaluate(DRAWN)
            for fault in (*page.evaluate(ZOOM), *page.evaluate(LAW if screen.path == "/" else FAULTS)):
                yield f"{screen.path} {width}×{height}{look}: {fault}"


def looks(page: Page, screen: Screen) -> Iterator[str]:
    """Yield the page, then the page held open."""
    yield ""
    if screen.seat is not None and page.locator("#hold").is_visible():
        hold(page)
        yield " held"
        page.keyboard.press("Escape")


@pytest.mark.parametrize("moment", some(MOMENTS, 3, 2), ids=lambda one: one.name)
def test_it_scrolls_one_way(moment: Moment, browser: Browser) -> None:
    with moment.opened(browser) as pages:
        wrong = [fault for screen, page in pages for fault in found(page, screen)]
    assert not wrong, "\n".join(wrong)


def test_what_scrolls_both_ways_is_seen(browser: Browser) -> None:
    """A box that scrolls sideways on a page that scrolls down, and a page that is too wide, are found."""
    page = browser.new_page(viewport={"width": 640, "height": 400})
    page.set_content(
        "<div id=box style='overflow:auto'><p style='width:2000px'>long</p></div><p style='height:900px'>high</p>"
    )
    assert page.evaluate(ZOOM) == ["box scrolls sideways too"]
    page.set_content("<p style='width:700px'>wide</p>")
    assert page.evaluate(ZOOM) == ["the page is 68 px too wide"]
    page.close()
