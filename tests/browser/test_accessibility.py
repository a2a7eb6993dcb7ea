"""Every page meets WCAG 2.2 AA as far as axe-core can see, at moments that show much.

Light and dark take turns, because most parts are on more than one page; `make soak` tries both.

Each page is checked as it is, and again after each touch that opens something on it.

Only here: a contrast, a name or a heading that fails WCAG in a panel that a touch opens, in light or dark.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PIN, Guests
from tests.support.amount import some
from tests.support.browser.gallery import (
    DEALT,
    DRAWN,
    GIRO,
    HORSE,
    HOUNDS,
    LUCK_REPORT,
    OVERLAY,
    PAST,
    PIGS,
    Moment,
    Scene,
    Screen,
    at,
    due,
    first,
    hold,
    last,
    over,
)
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

LEVEL = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
TABLE = Screen("/", 1280, 800, "table")
PHONE = Screen("/watch", 360, 640)
HOST = Screen("/host", 390, 844, "host")
TV = Screen("/tv", 1920, 1080)
SEAT = Screen("/seat", 360, 2000, seat=0)  # so high that nothing is scrolled half under the bar
OTHER_PAGES = tuple(
    Screen(path, 360, 640, "host")
    for path in (
        "/history",
        "/tonight",
        "/history/1",
        "/tags",
        "/hardware",
        "/rules",
        "/rules/greyhounds",
        "/paper/table",
    )
)


MOMENTS = (
    Moment("race", PIGS, at(0.55, "moved"), screens=(TABLE, PHONE, HOST, Screen("/mock", 1280, 800, "host"))),
    Moment("television", PIGS, at(0.55, "moved"), screens=(TV, OVERLAY)),
    Moment("television-end", GIRO, last, screens=(TV, OVERLAY)),
    Moment("wrong", GIRO, at(0.5, "pushed-back"), Scene.astray, (TABLE, PHONE)),
    Moment("hand", DEALT, due("play", 0), Scene.nothing, (TABLE, SEAT)),
    Moment("settled", HOUNDS, at(0, "balance"), screens=(TABLE, PHONE, SEAT)),
    Moment("end", PIGS, last, screens=(TABLE, PHONE, HOST)),
    Moment("beside", PIGS, over, Scene.nothing, OTHER_PAGES),
    Moment("favourite", HORSE, first, Scene.nothing, (TABLE, PHONE)),
    Moment("horse", HORSE, due("play", 0, 0.4), Scene.nothing, (SEAT, PHONE)),
    Moment(
        "horse-end",
        HORSE,
        last,
        Scene.with_luck,
        (TABLE._replace(ready=LUCK_REPORT), PHONE._replace(ready=LUCK_REPORT), SEAT),
    ),
    Moment("giro", GIRO, due("play", 0, 0.4), Scene.nothing, (SEAT, HOST)),
    Moment("giro-end", GIRO, last, Scene.finished, (TABLE, PHONE, SEAT)),
    Moment("bets", HOUNDS, due("bet", 0), Scene.nothing, (TABLE, PHONE, SEAT)),
    Moment("hounds", HOUNDS, due("play", 0, 0.4), Scene.nothing, (PHONE, SEAT, HOST)),
    Moment("hounds-end", HOUNDS, last, Scene.finished, (TABLE, PHONE, SEAT)),
    Moment("season", HORSE, over, Scene.nothing, (PAST,), before=(PIGS, GIRO, HOUNDS)),
)
TOUCHES = (
    "#board [role=tab][aria-selected=false]",  # the settlement, leaf by leaf
    "[data-open=tote]",
    "[data-action=favourite][aria-pressed=false]",
    "[data-action=tab][aria-pressed=false]",  # the season, game by game
)
FIRST_SEEN = "all => all.filter(one => one.checkVisibility()).slice(0, 3).map(one => all.indexOf(one))"
UNFOLD = """() => [...document.querySelectorAll("details:not([open])")].filter(one => one.checkVisibility())
  .map(one => { one.open = true }).length"""


def looks(screen: Screen, page: Page) -> Iterator[str]:
    """Yield what was touched: first nothing, then each thing that opens something on the page."""
    yield "as it is"
    if screen.seat is not None and page.locator("#hold").is_visible():
        hold(page)
        yield "held"
    for what in TOUCHES:
        for _ in page.locator(what).evaluate_all(FIRST_SEEN):
            if page.locator(what).count():
                page.locator(what).first.evaluate("one => one.click()")
                page.evaluate(DRAWN)
                yield what
    if page.evaluate(UNFOLD):
        yield "unfolded"


def faults(page: Page) -> Iterator[str]:
    """Yield what axe-core finds, one line for each element."""
    for violation in Axe().run(page, options=LEVEL).response["violations"]:
        for node in violation["nodes"]:
            yield f"{violation['id']}: {node['html'][:120]}: {node['failureSummary']}"


SOON = "hand"  # the others take minutes
LATER = [one for one in MOMENTS if one.name != SOON]


def test_no_page_in_a_hand_has_a_fault(browser: Browser) -> None:
    (hand,) = (one for one in MOMENTS if one.name == SOON)
    for scheme in hand.schemes:
        assert_everybody_can_use(hand, scheme, browser)


@pytest.mark.parametrize(
    ("moment", "scheme"),
    [
        pytest.param(one, scheme, id=f"{one.name}-{scheme}")
        for one in some(LATER, 2)
        for scheme in one.schemes
    ],
)
def test_no_page_has_a_fault(moment: Moment, scheme: str, browser: Browser) -> None:
    assert_everybody_can_use(moment, scheme, browser)


def assert_everybody_can_use(moment: Moment, scheme: str, browser: Browser) -> None:
    """Assert that no page of this moment has a fault, in light or dark."""
    with moment.seen_in(scheme).opened(browser) as pages:
        found = [
            f"{screen.path}, {look}: {fault}"
            for screen, page in pages
            for look in looks(screen, page)
            for fault in faults(page)
        ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_questions_of_a_first_game(scheme: str, host: Client, home: str, guests: Guests) -> None:
    """The questions before a first game have no fault, one question a screen.

    One game asks for the youngest player, the other asks for an order.
    """
    page = guests.open(f"{home}/host", 390, 844, color_scheme=scheme)
    page.locator("[name=pin]").fill(PIN)
    page.locator("[name=pin]").press("Enter")
    expect(page.locator("#new-title")).to_contain_text("1 of")
    found = []
    for game in ("galloping-pigs", "giro-galoppo"):
        while page.locator("[data-action=question-back]").is_visible():
            page.locator("[data-action=question-back]").click()
        page.locator(f".tile > label:has([value={game}])").click()
        onward = page.locator("[data-action=question-next]")
        while onward.is_visible():
            found += [f"{game}: {fault}" for fault in faults(page)]
            onward.click()
        found += [f"{game}: {fault}" for fault in faults(page)]
    assert not found, "\n".join(found)


def test_axe_sees_what_it_should(browser: Browser) -> None:
    """axe-core finds grey on grey and a button without a name: the tests above can fail."""
    page = browser.new_page()
    page.set_content(
        "<html lang=en><title>.</title><main><h1>.</h1><button></button><p style='color:#999'>pale</p>"
    )
    assert {fault.partition(":")[0] for fault in faults(page)} == {"button-name", "color-contrast"}
    page.close()
