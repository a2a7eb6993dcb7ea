"""The layout law on the pages beside the table: nothing is covered, every text fits its box, nothing is too wide."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.support.amount import some
from tests.support.browser.gallery import HOST, MOCK, MOMENTS, Moment, moments_of
from tests.support.browser.law import found

pytestmark = [pytest.mark.browser, pytest.mark.long]

SIZES = ((390, 844), (360, 640), (800, 1280), (1280, 800))
PLAYED = [moment.seen_on(HOST, MOCK) for moment in MOMENTS if moment.name.endswith("-mid")]


@pytest.mark.parametrize("moment", [*some(PLAYED, 2), *moments_of("pages")], ids=lambda moment: moment.name)
def test_nothing_is_covered_or_cut(moment: Moment, browser: Browser) -> None:
    screens = [
        screen._replace(language=language) for screen in moment.screens for language in moment.languages
    ]
    with moment.seen_on(*screens).opened(browser) as pages:
        wrong = [
            f"{screen.path} {screen.language} {where}: {what}"
            for screen, page in pages
            for where, what in found(page, SIZES, moment.schemes)
        ]
    assert not wrong, "\n".join(wrong)
