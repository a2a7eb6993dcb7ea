"""Nothing is cut and nothing scrolls on the table page, in any language, at any moment that is photographed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.gallery import DRAWN, MOMENTS, TABLET, Moment
from tests.browser.test_layout import fits

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize(
    "moment", [one for one in MOMENTS if TABLET in one.screens and not one.lost], ids=lambda one: one.name
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
