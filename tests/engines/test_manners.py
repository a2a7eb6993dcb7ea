"""What devices do to a page in every engine: sleep, a second tab, fingers, large text, dark, little motion.

Only here: a page that stays behind after sleep, a finger that does nothing, or a look that only Chromium has.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.engines.conftest import Person
from tests.engines.test_games import PHONE
from tests.engines.test_pages import OFF
from tests.support.browser.engines import Engine
from tests.support.browser.hands import LINE_UP
from tests.support.client import Client, Companion

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.nightly]

SLEEP = """
  window.asleep = true;
  Object.defineProperty(document, "hidden", { configurable: true, get: function () { return window.asleep; } });
  document.dispatchEvent(new Event("visibilitychange"));
"""
TEN_MINUTES_LATER = """
  var now = Date.now;
  Date.now = function () { return now.call(Date) + 600000; };
  window.asleep = false;
  document.dispatchEvent(new Event("visibilitychange"));
"""
"""The page's timers stood still and its clock went on: what a page finds that was asleep."""
LARGE = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
# the share of light of the ground, and the contrast of the headline with it (WCAG)
SEEN = """
  function light(colour) {
    var c = colour.match(/[\\d.]+/g).slice(0, 3).map(function (v) {
      v = v / 255; return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
  }
  var ground = light(getComputedStyle(document.body).backgroundColor);
  var text = light(getComputedStyle(document.body).color);
  return [ground, (Math.max(ground, text) + 0.05) / (Math.min(ground, text) + 0.05)];
"""


def begun(host: Client) -> None:
    host.begin(seats=("Ada", "Ben"))
    host.decide(do="line-up", seat=0, order=list(LINE_UP))


def seated(host: Client, person: Person, size: tuple[int, int] = PHONE) -> None:
    """Open the seat of Ada: taken by touch where this browser has it not yet."""
    person.open(f"seat?code={host.get('/api/join')['code']}", *size)
    person.sees("#seat-list [data-seat='0'], #name")
    if person.count("#seat-list [data-seat='0']"):
        person.touch("#seat-list [data-seat='0']")
    person.sees("#name", "Ada")


def test_ten_minutes_asleep(host: Client, person: Person) -> None:
    """The stream is closed and the game goes on; awake, the page is up to date without a reload."""
    begun(host)
    person.open("watch", *PHONE)
    person.sees("#big", "red pig")
    person.screen.run("window.same = true;" + SLEEP)
    host.decide(do="play", seat=0, card="pink")
    host.decide(do="play", seat=1, card="blue")
    person.screen.run(TEN_MINUTES_LATER)
    person.sees("#story-list li", "blue pig")
    assert person.screen.run("return window.same") is True, "it was reloaded"
    person.has_no_trouble()


def test_two_tabs_of_one_seat(host: Client, person: Person) -> None:
    """The second tab is the same seat; a card that is played there is played in the first one too."""
    begun(host)
    seated(host, person)
    if not person.screen.has_tabs:
        pytest.skip("this driver has one window without tabs")
    person.screen.new_tab()
    try:
        person.open("seat", *PHONE)
        person.sees("#name", "Ada")
        person.touch("[data-way=play] [data-choice]")
        person.touch("#go")
        host.until(lambda table: table["next"]["seats"] == [1])
        person.screen.switch(0)
        person.sees("#big", "Ben")
        person.has_no_trouble()
    finally:
        person.screen.close_tab()


def test_by_finger(host: Client, person: Person) -> None:
    """A line-up is dragged and a card played with a finger: the page does not scroll away under it."""
    host.begin()
    seated(host, person)
    row = "[data-way=line-up] [data-choice]"
    person.sees(row)
    try:
        person.drag(row, 4, 0, finger=True)
    except RuntimeError as cannot:
        pytest.skip(f"this driver has no finger: {str(cannot)[:80]}")
    first = "return document.querySelector(arguments[0]).getAttribute('aria-label') === '1. pink pig'"
    person.until(first, row)
    person.touch("#go", finger=True)
    person.touch("[data-way=play] [data-choice]", finger=True)
    person.touch("#go", finger=True)
    host.until(lambda table: table["next"]["seats"] == [1])
    person.has_no_trouble()


@pytest.mark.parametrize("path", ["", "watch", "seat", "host"], ids=lambda path: path or "table")
@pytest.mark.parametrize("size", [(640, 400), (844, 390)], ids=["200 %", "phone across"])
def test_text_twice_as_large_and_a_phone_across(
    size: tuple[int, int], path: str, host: Client, person: Person
) -> None:
    """At 200 % a browser reports half its window: nothing is off the screen at its sides."""
    begun(host)
    if path == "seat":
        seated(host, person, size)
    elif path == "host":
        person.open_host(*size)
    else:
        person.open(path, *size)
        person.sees("#big")
    if person.screen.run("return innerWidth") != size[0]:
        pytest.skip("this driver cannot make its window so small")
    assert person.screen.run(LARGE) <= 0
    assert person.screen.run(OFF, "button, a, h1, h2") == []
    person.has_no_trouble()


@pytest.fixture(scope="module")
def at_night(engine: Engine, running: Companion) -> Iterator[Person]:
    """Yield a browser that asks for dark pages and little motion."""
    with engine.start(night=True) as screen:
        yield Person(screen, f"http://127.0.0.1:{running.client.port}")


@pytest.mark.parametrize("path", ["", "watch", "tv"], ids=lambda path: path or "table")
def test_dark_and_calm(path: str, host: Client, at_night: Person) -> None:
    """The ground is dark, text on it is easily read, and a move is shown without a run."""
    begun(host)
    at_night.open(path, *PHONE if path == "watch" else (1280, 800))
    asked = (
        "return ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)'].filter(function (q) {"
    )
    if missing := at_night.screen.run(asked + "return !matchMedia(q).matches; })"):
        pytest.skip(f"this driver cannot ask for {' and '.join(missing)}")
    at_night.sees("#big")
    ground, contrast = at_night.screen.run(SEEN)
    assert ground < 0.05
    assert contrast >= 7
    host.decide(do="play", seat=0, card="pink")
    at_night.sees("#big", "pink pig")
    moving = (
        "return document.getAnimations().filter(function (a) { return a.playState === 'running'; }).length"
    )
    assert at_night.screen.run(moving) == 0
    at_night.has_no_trouble()
