"""The pages other than the table page fit their screens: nothing is under the foot, cut, too small or too
wide.

They scroll, so it is the law of what is held in a hand (test_fits_hand.py), here also on large screens; the
virtual table does not, and has the layout law.

Only here: text that is cut, covered or scrolls aside on such a page, on one size of screen.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.test_fits_hand import faults
from tests.support.amount import some
from tests.support.browser.gallery import DRAWN, HOST, MOCK, MOMENTS, Moment, Screen, moments_of
from tests.support.browser.law import at_rest

pytestmark = [pytest.mark.browser, pytest.mark.long]

WIDE, UPRIGHT, SMALL = (1280, 800), (800, 1280), (360, 640)
PLAYED = [moment.seen_on(HOST, MOCK) for moment in MOMENTS if moment.name.endswith("-mid")]


def sizes(screen: Screen) -> tuple[tuple[int, int], ...]:
    """Return its own size, and a phone's or a tablet's."""
    return ((screen.width, screen.height), UPRIGHT if screen.path == MOCK.path else WIDE, SMALL)


def unfit(page: Page, screen: Screen) -> Iterator[str]:
    """Yield what does not fit at each size; colours move no box."""
    for width, height in sizes(screen):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        where = f"{screen.path} {screen.language} {width}×{height}"
        if screen.path == MOCK.path:  # its cards may be narrow, and what leaves it at its side is the ribbon
            yield from (f"{where}: {fault}" for fault in at_rest(page) if not fault.endswith("too wide"))
        else:
            yield from faults(page, where)


@pytest.mark.parametrize("moment", [*some(PLAYED, 2), *moments_of("pages")], ids=lambda moment: moment.name)
def test_nothing_is_covered_or_cut(moment: Moment, browser: Browser) -> None:
    screens = [
        screen._replace(language=language) for screen in moment.screens for language in moment.languages
    ]
    with moment.seen_on(*screens).opened(browser) as pages:
        wrong = [fault for screen, page in pages for fault in unfit(page, screen)]
    assert not wrong, "\n".join(wrong)
