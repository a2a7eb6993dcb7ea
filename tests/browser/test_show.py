"""The TV page and the overlay: large, live, with nothing to press and a transparent background.

Only here: a piece that is too small on a TV, a part that is cut, or an overlay that hides the page below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Guests
from tests.support.amount import some
from tests.support.browser.chromium import wait_until
from tests.support.browser.gallery import (
    DRAWN,
    GIRO,
    HORSE,
    HOUNDS,
    PIGS,
    Moment,
    Scene,
    Screen,
    at,
    due,
    last,
)
from tests.support.client import Client, companion
from tests.support.http import serving

pytestmark = [pytest.mark.browser, pytest.mark.long]

TV = Screen("/tv", 1920, 1080)
ALL = Screen("/overlay?parts=course,standings,odds,sentence,ticker", 1920, 1080)
SIZES = ((1920, 1080), (1280, 720))
PLAYED = (
    Moment("pigs", PIGS, at(0.55, "moved")),
    Moment("pigs-end", PIGS, last, Scene.finished),
    Moment("horse", HORSE, at(0.4, "leads")),
    Moment("giro", GIRO, due("play", 0, 0.4), Scene.nothing),
    Moment("giro-end", GIRO, last, Scene.finished),
    Moment("hounds", HOUNDS, due("play", 0, 0.4), Scene.nothing),
    Moment("hounds-bets", HOUNDS, due("bet", 0), Scene.nothing),
    Moment("hounds-end", HOUNDS, last, Scene.finished),
)
PIECES = """[...document.querySelectorAll("#track [data-piece]")].map(el => el.getBoundingClientRect())
  .filter(box => box.width).map(box => Math.round(Math.max(box.width, box.height)))"""
TO_PRESS = """[...document.querySelectorAll("a, button, input, select, [tabindex], [contenteditable]")]
  .filter(el => el.checkVisibility()).map(el => el.outerHTML)"""
CUT = """[...document.querySelectorAll("h1, h2, .then, .name, .score, .chance, .rows")].filter(el =>
  el.checkVisibility() && (el.scrollWidth > el.clientWidth + 1 || el.getBoundingClientRect().right > innerWidth
    || el.getBoundingClientRect().bottom > innerHeight + 1)).map(el => el.textContent)"""
OUT = """[[".now", "#big, #then, #pic > *"], [".side", ".rows"]].flatMap(([around, inner]) =>
  [...document.querySelectorAll(`${around} :is(${inner})`)].filter(el => el.checkVisibility()).filter(el => {
    const box = el.getBoundingClientRect(), outer = el.closest(around).getBoundingClientRect();
    return box.top < outer.top || box.bottom > outer.bottom + 1 || box.right > outer.right + 1;
  })).map(el => el.outerHTML)"""


@pytest.mark.parametrize("moment", some(PLAYED, 2), ids=lambda one: one.name)
def test_all_of_it_is_seen_from_afar(moment: Moment, browser: Browser) -> None:
    """Pieces are large, all standings show, nothing is cut, and nothing can be pressed.

    On a screen of 1080 lines a piece has at least 90 px.
    """
    screens = [screen._replace(width=width, height=height) for screen in (TV, ALL) for width, height in SIZES]
    with moment.seen_on(*screens).opened(browser) as pages:
        for screen, page in pages:
            page.evaluate(DRAWN)
            assert [one for one in page.evaluate(TO_PRESS) if "fullscreen" not in one] == [], screen
            assert page.evaluate(CUT) == [], screen
            assert page.evaluate(OUT) == [], screen
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), screen
            if screen == TV:
                sizes = page.evaluate(PIECES)
                over = page.locator("#finish").is_visible()  # it has taken the place of the course
                assert over or min(sizes) >= 90, sizes
                assert page.locator("#stand-list > li").count() == len(moment.story.seats)


def test_the_screen_goes_along(host: Client, home: str, guests: Guests) -> None:
    """The TV page follows by itself: before a game, in it, and after it is set aside."""
    page = guests.open(f"{home}/tv", 1920, 1080)
    expect(page.locator("#stand")).to_be_hidden()
    host.begin(seats=("Ada", "Ben", "Cleo", "Dev"))
    expect(page.locator("#big")).to_contain_text("line up the pigs")
    host.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow", "pink"])
    expect(page.locator("#stand-list > li")).to_have_count(4)
    host.stand()
    expect(page.locator("#track [data-piece]")).to_have_count(5)
    host.decide(do="play", seat=host.table["next"]["seats"][0], card="red")
    expect(page.locator("#story-list")).to_contain_text("red pig")
    host.now("/api/set-aside")
    for part in ("#stand", "#ticker", "#track"):
        expect(page.locator(part)).to_be_hidden()


def parts_of(page: Page) -> set[str]:
    """Return the names of the parts that the page has."""
    return {name for name in ("course", "stand", "odds", "now", "ticker") if page.locator(f"#{name}").count()}


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ("", {"stand", "odds", "ticker"}),
        ("?parts=odds", {"odds"}),
        ("?parts=ticker,course", {"course", "ticker"}),
        ("?parts=sentence,standings,nonsense", {"now", "stand"}),
        ("?parts=", set()),
    ],
)
def test_the_address_chooses_the_parts(asked: str, there: set[str], home: str, guests: Guests) -> None:
    assert parts_of(guests.open(f"{home}/overlay{asked}", 1280, 720)) == there


@contextmanager
def site(directory: Path) -> Iterator[str]:
    """Serve the files of a directory as another site."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(directory))
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as server:
        yield f"http://127.0.0.1:{server.server_port}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_behind_it_in_a_page_that_may_show_it(
    scheme: str, browser: Browser, tmp_path: Path
) -> None:
    """A site in the settings may frame the overlay and shows through it; it may frame no other page."""
    with site(tmp_path) as theirs:
        (tmp_path / "companion.toml").write_text(f'frames = ["{theirs}"]\n')
        with companion(tmp_path) as running:
            ours = f"http://127.0.0.1:{running.client.port}"
            frames = "".join(
                f'<iframe src="{ours}{path}" style="border:0;width:640px;height:360px"></iframe>'
                for path in ("/overlay?parts=odds", "/tv")
            )
            (tmp_path / "stream.html").write_text(f'<body style="margin:0;background:#0a64c8">{frames}')
            context = browser.new_context(viewport={"width": 1280, "height": 400}, color_scheme=scheme)  # type: ignore[arg-type]
            page = context.new_page()
            page.goto(f"{theirs}/stream.html")
            overlay = page.frame(url=f"{ours}/overlay?parts=odds")
            assert overlay is not None
            overlay.wait_for_selector("body.overlaypage", state="attached")
            wait_until(page, "document.readyState === 'complete'")
            page.evaluate(DRAWN)
            shot = Image.open(BytesIO(page.screenshot())).convert("RGB")
            assert shot.getpixel((320, 180)) == (0x0A, 0x64, 0xC8)
            assert [frame.url for frame in page.frames[1:]] == [
                f"{ours}/overlay?parts=odds",
                "chrome-error://chromewebdata/",
            ]
            context.close()
