"""The layout law at moments of Galloping Horse: nothing covers the course, every text fits its box.

Only here: a panel or label that covers a space in Galloping Horse, or a text that is cut, on a tablet or a
phone in one of the languages.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.support.amount import some
from tests.support.browser.gallery import Moment
from tests.support.browser.law import broken, moments

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.mark.parametrize("moment", some(moments("horse"), 3), ids=lambda moment: moment.name)
def test_nothing_of_the_course_is_covered(moment: Moment, browser: Browser) -> None:
    faults = broken(moment, browser)
    assert not faults, "\n".join(faults)
