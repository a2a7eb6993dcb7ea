"""The pages look and read as in the committed screenshots and accessibility snapshots, at every moment that matters.

Their data are frozen (tests/support/frozen_companion.py), so that only a change of look or words changes them. What
a screenshot does not show, as a table on a larger screen, is held to the layout law while it is open.

Only here: a change of look or of words that no rule describes, such as a lost icon or another colour.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.support.browser.gallery import MOMENTS, Moment
from tests.support.browser.law import found
from tests.support.browser.screenshots import compare

pytestmark = [pytest.mark.browser, pytest.mark.long]

SHOWN = [moment for moment in MOMENTS if moment.screens]
SIZES = {"/": ((1280, 800), (1920, 1080)), "/watch": ((360, 640),)}


@pytest.mark.parametrize("moment", SHOWN, ids=lambda moment: moment.name)
def test_it_looks_and_reads_as_committed(moment: Moment, browser: Browser) -> None:
    with moment.opened(browser) as pages:
        compare(moment, pages)
        faults = [
            f"{screen.path} {screen.language} {where}: {what}"
            for screen, page in pages
            for where, what in found(page, SIZES.get(screen.path, ()), (screen.scheme,))
        ]
    assert not faults, "\n".join(faults)
