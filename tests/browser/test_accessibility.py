"""WCAG 2.2 AA on every page, as far as axe-core can see, in both colour schemes, at moments that show much."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.gallery import DEALT, GIRO, HOUNDS, PIGS, Moment, Scene, Screen, at, due, last

pytestmark = pytest.mark.browser

LEVEL = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
TABLE = Screen("/", 1280, 800, "table")
PHONE = Screen("/watch", 360, 640)
HOST = Screen("/host", 390, 844, "host")
SEAT = Screen("/seat", 360, 640, seat=0)
BESIDE = tuple(
    Screen(path, 360, 640, "host")
    for path in (
        "/history",
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
    Moment("wrong", GIRO, at(0.5, "pushed-back"), Scene.astray, (TABLE, PHONE)),
    Moment("hand", DEALT, due("play", 0), Scene.nothing, (TABLE, SEAT)),
    Moment("settled", HOUNDS, at(0, "balance"), screens=(TABLE, PHONE, SEAT)),
    Moment("end", PIGS, last, screens=(TABLE, PHONE, HOST)),
    Moment("beside", PIGS, lambda story: len(story.match.turns), Scene.nothing, BESIDE),
)


def faults(page: Page) -> Iterator[str]:
    """What axe-core finds, a line for each element."""
    for violation in Axe().run(page, options=LEVEL).response["violations"]:
        for node in violation["nodes"]:
            yield f"{violation['id']}: {node['html'][:120]}: {node['failureSummary']}"


SOON = [("hand", "dark")]  # the others take minutes


@pytest.mark.parametrize(
    ("moment", "scheme"),
    [
        pytest.param(
            one,
            scheme,
            marks=() if (one.name, scheme) in SOON else pytest.mark.long,
            id=f"{one.name}-{scheme}",
        )
        for one in MOMENTS
        for scheme in ("light", "dark")
    ],
)
def test_nobody_is_left_out(moment: Moment, scheme: str, browser: Browser) -> None:
    with moment.seen_in(scheme).opened(browser) as pages:
        found = [f"{screen.path}: {fault}" for screen, page in pages for fault in faults(page)]
    assert not found, "\n".join(found)


def test_axe_sees_what_it_should(browser: Browser) -> None:
    """Grey on grey and a nameless button are found: the tests above can fail."""
    page = browser.new_page()
    page.set_content(
        "<html lang=en><title>.</title><main><h1>.</h1><button></button><p style='color:#999'>pale</p>"
    )
    assert {fault.partition(":")[0] for fault in faults(page)} == {"button-name", "color-contrast"}
    page.close()
