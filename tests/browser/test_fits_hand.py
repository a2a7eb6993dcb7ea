"""Pages fit a phone or tablet in the hand: nothing scrolls sideways, is cut, covered or too small to press.

Only here: a word that is cut or a button that is too small, with long names, on a phone in one of the
languages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Guests
from tests.browser.test_layout import NAMES
from tests.browser.test_seat import join
from tests.support.amount import some
from tests.support.browser.chromium import wait_until
from tests.support.browser.gallery import (
    DRAWN,
    GIRO,
    GIRO_RULES,
    HORSE,
    HOUNDS,
    LANGUAGES,
    LIVE,
    MOMENTS,
    PIGS,
    Moment,
    Scene,
    Screen,
    first,
    hold,
    moments_of,
    over,
)
from tests.support.client import Client
from tests.support.moments import Story

pytestmark = [pytest.mark.browser, pytest.mark.long]

WATCH = Screen("/watch", 360, 640)
HOST_PHONE = Screen("/host", 360, 640, "host")
PLAYED = (
    WATCH,
    WATCH._replace(width=800, height=1280),
    Screen("/seat", 360, 640, seat=0),
    Screen("/seat", 844, 390, seat=0),
    Screen("/seat", 740, 360, seat=0),
    HOST_PHONE,
    Screen("/mock", 360, 640, "host"),
)

FAULTS = """() => {
  const wrong = [], page = document.documentElement;
  const called = el => `${el.localName} “${(el.textContent || el.value || el.ariaLabel || "").trim().slice(0, 60)}”`;
  const seen = el => el.checkVisibility({ visibilityProperty: true }) && getComputedStyle(el).clipPath === "none" && !el.closest("svg, .sr, [aria-hidden=true]");
  const over = (el, way) => getComputedStyle(el)[`overflow${way}`];
  const scrolls = el => /auto|scroll/.test(over(el, "X") + over(el, "Y"));
  const around = el => { const all = []; for (let box = el; box !== document.body; box = box.parentElement) all.push(box); return all; };
  if (page.scrollWidth > page.clientWidth) wrong.push(`the page is ${page.scrollWidth - page.clientWidth} px too wide`);

  const words = [...document.querySelectorAll("body *")].filter(el => seen(el) && [...el.childNodes].some(node => node.nodeType === 3 && node.textContent.trim()));
  for (const el of words) {
    const range = document.createRange();
    range.selectNodeContents(el);
    const text = range.getBoundingClientRect(), boxes = around(el), cut = boxes.findIndex(scrolls);
    for (const box of cut < 0 ? boxes : boxes.slice(0, cut)) {
      const edge = box.getBoundingClientRect();
      if (over(box, "X") !== "visible" && (text.left < edge.left - 1 || text.right > edge.right + 1)) wrong.push(`cut at its side: ${called(el)}`);
      if (over(box, "Y") !== "visible" && (text.top < edge.top - 4 || text.bottom > edge.bottom + 4)) wrong.push(`cut below: ${called(el)}`);
    }
    if (text.width < 40 && text.height > 3 * parseFloat(getComputedStyle(el).fontSize)) wrong.push(`a column of letters: ${called(el)}`);
    if (cut < 0 && (text.left < -1 || text.right > innerWidth + 1)) wrong.push(`leaves the screen: ${called(el)}`);
  }

  for (const el of document.querySelectorAll("button, a.button, a.go, select, summary, input")) {
    const { width, height } = (el.closest("label") ?? el).getBoundingClientRect();
    const least = el.closest("table") ? 24 : 44;   // the printed tables are as they are: what WCAG 2.2 AA asks
    if (seen(el) && el.matches("#seats input, #seating input") && el.scrollWidth > el.clientWidth + 1) wrong.push(`a name is cut: ${called(el)}`);
    if (seen(el) && Math.min(width, height) < least) wrong.push(`${Math.round(width)} × ${Math.round(height)} px: ${called(el)}`);
  }

  scrollTo(0, page.scrollHeight);
  const foot = [...document.querySelectorAll("#foot, #slider")].find(seen)?.getBoundingClientRect();
  if (foot) for (const el of words) {
    const box = el.getBoundingClientRect();
    const beside = box.right < foot.left || box.left > foot.right || box.top > foot.bottom;
    if (!el.closest("#foot, #slider") && !around(el).some(scrolls) && !beside && box.bottom > foot.top + 1) wrong.push(`under the foot: ${called(el)}`);
  }
  scrollTo(0, 0);
  return [...new Set(wrong)];
}"""
"""What scrolls sideways by itself is no page that does; what is under the foot at the page's end stays there."""

HIGHEST = "Math.max(...[...document.querySelectorAll('#seats li')].map(seat => seat.offsetHeight))"


def faults(page: Page, state: str) -> Iterator[str]:
    """Yield what does not fit on the page."""
    page.evaluate(DRAWN)
    page.evaluate("document.fonts.ready")
    for fault in page.evaluate(FAULTS):
        yield f"{state}: {fault}"


def spoken(page: Page, screen: Screen, language: str) -> None:
    """Reload the page in another language."""
    page.context.add_cookies([{"name": "language", "value": language, "url": page.url}])
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", language)
    if screen.path in LIVE:
        wait_until(page, "window.shown !== undefined")
    if screen.ready:
        page.locator(screen.ready).first.wait_for()


def looked_at(page: Page, screen: Screen, state: str) -> Iterator[str]:
    """Yield what does not fit, covered and held open."""
    yield from faults(page, state)
    if screen.seat is not None and page.locator("#hold").is_visible():
        hold(page)
        yield from faults(page, f"{state}, held")


def named_long(moment: Moment) -> Moment:
    """Return the same moment, played by people with long names."""
    names = (*NAMES, "Anastasija")
    return replace(moment, story=replace(moment.story, seats=names[: len(moment.story.seats)]))


def unfit(moment: Moment, browser: Browser) -> Iterator[str]:
    """Yield what does not fit on each of the moment's screens, in each language."""
    with moment.opened(browser) as pages:
        for screen, page in pages:
            for language in moment.languages:
                spoken(page, screen, language)
                yield from looked_at(page, screen, f"{screen.name} {language}")


@pytest.mark.parametrize(
    "moment",
    some([one for one in MOMENTS if not one.lost and not one.name.startswith("pages-")], 3, 1),
    ids=lambda one: one.name,
)
def test_it_fits_while_a_game_goes_on(moment: Moment, browser: Browser) -> None:
    wrong = list(unfit(named_long(moment).seen_on(*PLAYED), browser))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("moment", moments_of("pages"), ids=lambda one: one.name)
def test_it_fits_next_to_the_game(moment: Moment, browser: Browser) -> None:
    small = {
        screen._replace(width=360, height=640, scheme="light", language="en") for screen in moment.screens
    }
    tall = {screen._replace(width=800, height=1280) for screen in small}
    wrong = list(unfit(moment.seen_on(*small, *tall), browser))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", [story.game for story in (PIGS, HORSE, HOUNDS)])
def test_the_other_rules_fit(game: str, browser: Browser) -> None:
    """The rules of the other games fit too. Those of Giro Galoppo are among the pages above."""
    rules = GIRO_RULES._replace(path=f"/rules/{game}")
    wrong = list(unfit(Moment("rules", PIGS, first, Scene.nothing, (rules,)), browser))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("story", [PIGS, HORSE, GIRO, HOUNDS], ids=lambda story: story.game)
def test_a_new_game_fits(story: Story, browser: Browser) -> None:
    """The form fits with every seat taken, one of them by a robot, and everything unfolded.

    A seat takes two rows at most.
    """
    over_again = named_long(
        Moment("new", story, over, Scene.nothing, (HOST_PHONE, HOST_PHONE._replace(width=800, height=1280)))
    )
    wrong: list[str] = []
    with over_again.opened(browser) as pages:
        for screen, page in pages:
            for language in LANGUAGES:
                spoken(page, screen, language)
                on_one_page = page.locator("[data-action=by-question]")
                expect(on_one_page).to_be_visible()
                if not page.locator("#seats").is_visible():  # the form remembers how it was asked last
                    on_one_page.click()
                page.locator(f"[data-game={story.game}]").last.click()
                page.locator("[data-bot='1']").select_option("medium")
                page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
                wrong += faults(page, f"{screen.name} {language}")
                assert page.evaluate(HIGHEST) < 3 * 56
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_explanation_fits(language: str, host: Client, home: str, guests: Guests) -> None:
    """An explanation of a first game fits a viewer's phone, a tablet either way up, and a seat."""
    host.begin(seats=NAMES, explain=True)
    wrong: list[str] = []
    for size in ((360, 640), (800, 1280), (1280, 800)):
        page = guests.open(f"{home}/watch", *size, locale=language)
        expect(page.locator("#explain .scenepic")).to_be_visible()
        wrong += faults(page, f"watch {size}")
    seat = join(guests, host, home, 0, locale=language)
    expect(seat.locator("#explain .scenepic")).to_be_visible()
    wrong += faults(seat, "seat")
    assert not wrong, "\n".join(wrong)
