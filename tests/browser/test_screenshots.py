"""The pages look and read as in the committed screenshots and accessibility snapshots, at every moment that matters.

Their data are frozen (tests/support/frozen_companion.py), so that only a change of look or words changes them.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.support.browser.gallery import MOMENTS, Moment
from tests.support.browser.screenshots import compare

pytestmark = [pytest.mark.browser, pytest.mark.long]

SHOWN = [moment for moment in MOMENTS if moment.screens]


@pytest.mark.parametrize("moment", SHOWN, ids=lambda moment: moment.name)
def test_it_looks_and_reads_as_committed(moment: Moment, browser: Browser) -> None:
    compare(moment, browser)
