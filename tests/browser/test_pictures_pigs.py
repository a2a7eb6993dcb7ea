"""The pages of Galloping Pigs look as in the committed pictures, at every moment that matters."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.support.browser.gallery import Moment, moments_of
from tests.support.browser.pictures import compare

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.mark.parametrize("moment", moments_of("pigs"), ids=lambda moment: moment.name)
def test_it_looks_as_it_did(moment: Moment, browser: Browser) -> None:
    compare(moment, browser)
