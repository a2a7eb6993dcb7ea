"""The comparison of screenshots sees what people see: a pig one space off, but no edge of a letter.

Only here: a comparison that calls a real change equal, or two screenshots of one moment different.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.support.browser.gallery import PIGS, TABLET, Moment, Scene, at
from tests.support.browser.likeness import LARGEST, differing, reduced, small

pytestmark = [pytest.mark.browser, pytest.mark.long]

RACE = Moment("race", PIGS, at(0.55, "moved"), Scene.nothing, (TABLET,))
SCALE = TABLET.scale


@pytest.fixture(scope="module")
def race(browser: Browser) -> bytes:
    return taken(browser)


def taken(browser: Browser, *prepared: object) -> bytes:
    """Return a screenshot of the table in the middle of a race, as it is compared."""
    [shot] = RACE.shots(browser, *prepared)  # type: ignore[arg-type]
    assert shot.png is not None
    return reduced(shot.png, SCALE)


def one_off(page: Page) -> None:
    """Draw the first pig of every view one space further."""

    def changed(route: Route) -> None:
        source = route.fetch().text()
        shows = 'guard("page", () => show(view));'
        assert shows in source
        ahead = "const pig = view.pieces?.[0]; if (pig) { pig.space += 1; view.seen[pig.piece] = pig.space; }"
        route.fulfill(body=source.replace(shows, ahead + shows, 1), content_type="text/javascript")

    page.route("**/live.js", changed)


def test_the_same_moment_looks_the_same_twice(race: bytes, browser: Browser) -> None:
    assert differing(race, taken(browser), SCALE) == []


def test_fewer_colours_are_no_difference(race: bytes) -> None:
    assert len(small(race, SCALE)) <= LARGEST
    assert differing(race, small(race, SCALE), SCALE) == []


def test_a_pig_one_space_off_is_a_difference(race: bytes, browser: Browser) -> None:
    off = taken(browser, one_off)
    assert 0 < len(differing(small(race, SCALE), off, SCALE)) < 8, "the pig, and nothing but the pig"
