"""The layout law, held to at every moment of the gallery: what is over the course covers nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from companion.games.presenter import presented
from tests.browser.test_layout import fits
from tests.support.browser.chromium import wait_until
from tests.support.browser.gallery import (
    DRAWN,
    LUCK_REPORT,
    PHONE,
    SCHEMES,
    TABLET,
    Moment,
    Scene,
    Screen,
    last,
    moments_of,
)
from tests.support.moments import Story

LAW = (Path(__file__).parent / "law.js").read_text(encoding="utf-8")
"""Gives the faults of a page: what covers what, which text does not fit."""

TABLES = ((1280, 800), (1920, 1080), (1024, 768), (800, 1280))
PHONES = ((360, 640), (390, 844), (844, 390))

SETTLED = """() => [innerWidth, document.querySelector("#stage")?.getBoundingClientRect().width ?? innerWidth]
  .every((width, i, all) => Math.abs(width - all[0]) < 2)"""


def screens(moment: Moment) -> tuple[Screen, ...]:
    """Return the pages of table and phone in the moment's language, and the table's with explanations."""
    ready = LUCK_REPORT if moment.then is Scene.with_luck else None
    pages = (TABLET._replace(ready=ready), PHONE._replace(whole=False, ready=ready))
    return tuple(page._replace(language=language) for page in pages for language in moment.languages)


def broken(moment: Moment, browser: Browser) -> list[str]:
    """Return every fault at this moment: on which page, how large, in which language, explained or not."""
    faults = []
    with moment.seen_on(*screens(moment)).opened(browser) as pages:
        for explained in (False, True):
            if explained and not explains(moment, pages[0][1]):
                break
            for screen, page in pages:
                sizes = TABLES if screen.path == "/" else PHONES
                faults += [
                    f"{screen.path} {where}{' explained' if explained else ''} {screen.language}: {what}"
                    for where, what in found(page, sizes, moment.schemes)
                ]
        if not moment.lost:
            faults += unfit(moment.name, pages[0][1])
    return faults


def unfit(name: str, table: Page) -> list[str]:
    """Return what is cut or scrolls on the tablet, once nothing covers its table."""
    table.set_viewport_size({"width": TABLET.width, "height": TABLET.height})
    table.evaluate(DRAWN)  # what covers the table comes some frames after what it shows
    reveal = table.locator("#reveal")
    if reveal.is_visible():
        reveal.click()
        table.clock.run_for(500)
        expect(reveal).to_be_hidden()
    return fits(table, name)


def explains(moment: Moment, table: Page) -> bool:
    """Switch the explanations of a first game on; return whether there is one now."""
    if moment.lost:
        return False
    table.evaluate(
        """fetch("/api/explain", {method: "POST", headers: {"Content-Type": "application/json"},
             body: JSON.stringify({on: true})})"""
    )
    wait_until(table, "window.shown.explaining !== false")
    return bool(table.evaluate("!!window.shown.explain"))


def found(
    page: Page, sizes: tuple[tuple[int, int], ...], schemes: tuple[str, ...] = SCHEMES
) -> Iterator[tuple[str, str]]:
    """Return the faults of a page on screens of these sizes, light and dark."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("dispatchEvent(new Event('resize'))")
        wait_until(page, SETTLED)
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for fault in at_rest(page):
                yield f"{width}×{height} {scheme}", fault
        leaves = page.locator("#board [role=tab]")
        for leaf in range(leaves.count()):  # what is opened leaf by leaf shows one of them
            leaves.nth(leaf).click()
            for fault in at_rest(page):
                yield f"{width}×{height} leaf {leaf + 1}", fault


def at_rest(page: Page) -> list[str]:
    """Return the faults that stay: a busy machine may still be drawing."""
    faults: list[str] = []
    for _ in range(6):
        page.evaluate(DRAWN)
        faults = page.evaluate(LAW)
        if not faults:
            break
    return faults


def moments(name: str) -> list[Moment]:
    """Return the gallery's moments and some more: most pieces on one space, a pulled cable, game over; a last
    card with something at risk, where a game has one.
    """
    seen = moments_of(name)
    story = seen[0].story
    return [
        *seen,
        *([Moment(f"{name}-stake", story, at_risk, Scene.nothing)] if name == "pigs" else []),
        Moment(f"{name}-crowd", story, crowded),
        Moment(f"{name}-part", story, halfway, pulled),
        Moment(f"{name}-over", story, last, Scene.with_luck),
    ]


def at_risk(story: Story) -> int:
    """Return the number of decisions before a last card that decides about food at risk."""
    return story.where(
        lambda race, turn: any(
            presented(race).last_card(seat) and presented(race).holdings(seat)["provisional"]
            for seat in range(len(race.seats))
        )
    )


def halfway(story: Story) -> int:
    """Return the place of a decision of people in the middle of the game."""
    return story.where(lambda race, turn: turn.by == "person", len(story.match.turns) // 2)


def pulled(scene: Scene) -> None:
    """Make the next decision by tap, and pull the track's cable out."""
    scene.go_on()
    scene.client.fault("pulled-cable", "track")
    scene.client.until(lambda table: table["parts"]["track"] == "lost")


def crowded(story: Story) -> int:
    """Return the place of the decision after which most pieces stand on one space."""

    def most(n: int) -> int:
        places = story.match.turns[n].race.layout().values()
        spaces = [place.space for place in places if place.zone == "track"]
        return max(map(spaces.count, spaces), default=0)

    return max(
        (n for n in range(len(story.match.turns) - 1) if story.match.turns[n].by == "person"), key=most
    )
