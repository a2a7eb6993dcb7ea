"""Nothing is cut and nothing scrolls on the table page at any moment that is photographed.

The languages take turns: that every text fits its box in each of them is the layout law's.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.gallery import DRAWN, LANGUAGES, MOMENTS, TABLET, Moment
from tests.browser.test_layout import fits

pytestmark = [pytest.mark.browser, pytest.mark.long]


SHOWN = [one for one in MOMENTS if TABLET in one.screens and not one.lost]


@pytest.mark.parametrize(
    ("moment", "language"),
    [pytest.param(one, LANGUAGES[n % 3], id=f"{one.name}-{LANGUAGES[n % 3]}") for n, one in enumerate(SHOWN)],
)
def test_it_fits(moment: Moment, language: str, browser: Browser) -> None:
    with moment.seen_on(TABLET._replace(language=language)).opened(browser) as [(_, table)]:
        reveal = table.locator("#reveal")
        table.evaluate(DRAWN)  # what covers the table comes some frames after what it shows
        if reveal.is_visible():
            reveal.click()
            table.clock.run_for(500)
            expect(reveal).to_be_hidden()
        wrong = fits(table, moment.name)
    assert not wrong, "\n".join(wrong)
