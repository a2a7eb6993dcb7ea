"""The layout law at a seat: nothing covers the course, and every text fits, also held open and explained.

Only here: a slip, card or explanation at a seat that covers something or is cut, on a phone upright or
across.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Guests
from tests.browser.test_fits_hand import faults, spoken
from tests.support.amount import some
from tests.support.browser.gallery import (
    DEALT,
    GIRO,
    HORSE,
    HOUNDS,
    PIGS,
    Moment,
    Scene,
    Screen,
    at,
    due,
    hold,
    last,
)
from tests.support.browser.law import PHONES, at_rest, found
from tests.support.client import Client
from tests.support.moments import Story

pytestmark = [pytest.mark.browser, pytest.mark.long]

SEAT = Screen("/seat", *PHONES[0], seat=0)


def moment(name: str, story: Story, *more: object) -> Moment:
    return replace(Moment(name, story, *more), screens=(SEAT,))  # type: ignore[arg-type]


def explained(scene: Scene) -> None:
    """Switch on the explanations of a first game."""
    scene.client.post("/api/explain", on=True)


MOMENTS = (
    moment("pigs-line-up", PIGS, due("line-up", 0), Scene.nothing),
    moment("pigs-card", DEALT, due("play", 0, 0.4), Scene.nothing),
    moment("pigs-end", PIGS, last, Scene.finished),
    moment("horse-card", HORSE, due("play", 0, 0.4), Scene.nothing),
    moment("horse-end", HORSE, last, Scene.finished),
    moment("giro-card", GIRO, due("play", 0, 0.4), Scene.nothing),
    moment("giro-end", GIRO, last, Scene.finished),
    moment("hounds-set", HOUNDS, due("show", 0), Scene.nothing),
    moment("hounds-bets", HOUNDS, due("bet", 0), Scene.nothing),
    moment("hounds-card", HOUNDS, due("play", 0, 0.4), Scene.nothing),
    moment("hounds-race", HOUNDS, at(0, "balance")),
    moment("pigs-explained", DEALT, due("play", 0, 0.4), explained),
    moment("giro-explained", GIRO, due("play", 0, 0.4), explained),
    moment("hounds-explained", HOUNDS, due("bet", 0), explained),
    moment("hounds-end", HOUNDS, last, Scene.finished),
)


def looked_at(page: Page, language: str, schemes: tuple[str, ...], how: str = "") -> Iterator[str]:
    """Yield the layout faults on each phone.

    On the last phone also yield what is too small or under the bar.
    """
    for where, what in found(page, PHONES, schemes):
        yield f"{language}{how} {where}: {what}"
    yield from faults(page, f"{language}{how}")


def broken(page: Page, moment: Moment) -> Iterator[str]:
    """Yield the layout faults in each language of the moment, covered and held open."""
    for language in moment.languages:
        spoken(page, SEAT, language)
        yield from looked_at(page, language, moment.schemes)
        if page.locator("#hold").is_visible():
            hold(page)
            yield from looked_at(page, language, moment.schemes, " held")


@pytest.mark.parametrize("moment", some(MOMENTS, 3), ids=lambda one: one.name)
def test_nothing_at_a_seat_is_covered_or_cut(moment: Moment, browser: Browser) -> None:
    with moment.opened(browser) as [(_, page)]:
        wrong = list(broken(page, moment))
    assert not wrong, "\n".join(wrong)


CROWD = ("Anna-Katharina von Bergen", "Maximilian Oberstleutnant", "Ada", "Ben")


def test_who_plays_is_read_where_a_seat_is_chosen(host: Client, home: str, guests: Guests) -> None:
    """Names of robots too, on the narrowest phones; and no stake of a slip breaks into two lines."""
    host.begin("greyhounds", CROWD, bots=["", "easy", "easy", "strong"], deal="companion")
    page = guests.open(f"{home}/seat", 360, 640)
    expect(page.locator("#seat-list li")).to_have_count(4)
    wrong = [f"{where}: {what}" for where, what in found(page, ((360, 640), (390, 844)), ("light",))]
    assert not wrong, "\n".join(wrong)


def test_no_stake_is_torn(browser: Browser) -> None:
    """A stake of four figures stays in a line while the slip is held open."""
    with moment("hounds-stake", HOUNDS, due("bet", 0), Scene.nothing).opened(browser) as [(_, page)]:
        page.set_viewport_size({"width": 360, "height": 640})
        hold(page)
        page.locator("#slip [data-dog]").first.click()
        more = page.locator("#slip [data-stake=more]").first
        while more.is_enabled():
            more.click()
        wrong = at_rest(page)
    assert not [fault for fault in wrong if "torn" in fault], "\n".join(wrong)
