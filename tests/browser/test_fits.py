"""Nothing is cut and nothing scrolls on the table page at any moment that is photographed.

The languages take turns, but in `make soak`: that every text fits its box is the layout law's too.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests import amount
from tests.browser.gallery import DRAWN, LANGUAGES, MOMENTS, TABLET, Moment
from tests.browser.test_layout import fits

pytestmark = [pytest.mark.browser, pytest.mark.long]


SHOWN = [one for one in MOMENTS if TABLET in one.screens and not one.lost]


@pytest.mark.parametrize(
    ("moment", "language"),
    [
        pytest.param(one, language, id=f"{one.name}-{language}")
        for n, one in enumerate(SHOWN)
        for language in (LANGUAGES if amount.soaking else (LANGUAGES[n % 3],))
    ],
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
