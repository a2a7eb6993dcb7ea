"""The comparison of screenshots sees what people see: a pig one space off, but no edge of a letter.

Only here: a comparison that calls a real change equal, or two screenshots of one moment different.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.support.browser.gallery import PIGS, TABLET, Moment, Scene, at
from tests.support.browser.likeness import differing, smaller

pytestmark = [pytest.mark.browser, pytest.mark.long]

RACE = Moment("race", PIGS, at(0.55, "moved"), Scene.nothing, (TABLET,))


@pytest.fixture(scope="module")
def race(browser: Browser) -> bytes:
    [(_, png)] = RACE.pictures(browser)
    return png


def one_off(page: Page) -> None:
    """Draw the first pig of every view one space further."""

    def changed(route: Route) -> None:
        source = route.fetch().text()
        assert "show(view);" in source
        ahead = "const pig = view.pieces?.[0]; if (pig) { pig.space += 1; view.seen[pig.piece] = pig.space; } show(view);"
        route.fulfill(body=source.replace("show(view);", ahead, 1), content_type="text/javascript")

    page.route("**/live.js", changed)


def test_the_same_moment_looks_the_same_twice(race: bytes, browser: Browser) -> None:
    [(_, again)] = RACE.pictures(browser)
    assert differing(race, again) == []


def test_fewer_colours_are_no_difference(race: bytes) -> None:
    assert differing(race, smaller(race)) == []


def test_a_pig_one_space_off_is_a_difference(race: bytes, browser: Browser) -> None:
    [(_, off)] = RACE.pictures(browser, one_off)
    assert 0 < len(differing(race, off)) < 8, "the pig, and nothing but the pig"
