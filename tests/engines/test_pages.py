"""Every page in every engine: all its parts are drawn, nothing is off the screen, and it says no trouble.

Only here: a method, property or layout that Chromium of today has and this browser has not.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines.conftest import FIND, Person
from tests.support.browser.hands import LINE_UP
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

GAMES = {
    "pigs": ("galloping-pigs", ("Ada", "Ben"), {}),
    "horse": ("galloping-horse", ("Ada", "Ben"), {}),
    "giro": ("giro-galoppo", ("Ada", "Ben", "Cleo"), {}),
    "hounds": ("greyhounds", ("Ada", "Ben", "Cleo"), {"deal": "companion"}),
}
LIVE = {  # a page, its window, and what must be seen on it in a game
    "": (1280, 800, ("#big", "#stand-list li", "#track text", "#dock button")),
    "watch": (390, 844, ("#big", "#stand-list li", "#track text")),
    "tv": (1920, 1080, ("#big", "#stand-list li", "#track text")),
    "overlay?parts=course,standings,odds,sentence,ticker": (
        1920,
        1080,
        ("#big", "#stand-list li", "#track text"),
    ),
    "mock": (1280, 800, ("#big", "[data-tag]")),
    "host": (390, 844, ("#run-title", "[data-action=end]")),
}
STILL = {
    "history": ("h1",),
    "rules/galloping-pigs": ("h1", "h2"),
    "tags": ("h1",),
    "hardware": ("h1", "#findings li"),
    "tonight": ("h1",),
    "plain": ("h1",),
    "seat": ("h1, h2",),
}
# a button, picture or list that can be reached by no scrolling; 2 px for rounded lines
OFF = (
    FIND
    + """return all.filter(function (el) {
  var box = el.getBoundingClientRect();
  return box.left < -2 || box.right > innerWidth + 2;
}).map(function (el) { return el.outerHTML.slice(0, 90); })"""
)


def begun(host: Client, game: str) -> None:
    name, seats, more = GAMES[game]
    host.begin(name, seats, **more)
    if game == "pigs":
        host.decide(do="line-up", seat=0, order=list(LINE_UP))


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("path", LIVE, ids=lambda path: path.partition("?")[0] or "table")
def test_a_live_page(path: str, game: str, host: Client, person: Person) -> None:
    """It shows sentence, standings and course, follows the next change, and nothing is cut at the sides."""
    width, height, parts = LIVE[path]
    begun(host, game)
    if path == "host":
        person.open_host(width, height)
    else:
        person.open(path, width, height)
    for part in parts:
        person.sees(part)
    host.request("PATCH", "/api/seats/1", {"name": "Zoë"})
    if "#stand-list li" in parts:
        person.sees("#stand-list li", "Zoë")
    assert person.screen.run(OFF, "button, a, img, li, h1, h2") == []
    person.has_no_trouble()


@pytest.mark.nightly
@pytest.mark.parametrize("path", STILL, ids=lambda path: path.partition("/")[0])
def test_another_page(path: str, host: Client, person: Person) -> None:
    """Its headings and lists are there on the host's phone."""
    person.open_host(390, 844)
    person.open(path, 390, 844)
    for part in STILL[path]:
        person.sees(part)
    assert "nothing at this address" not in person.screen.run("return document.body.innerText")
    assert person.screen.run(OFF, "button, a, img, h1, h2") == []
    person.has_no_trouble()


SIZES = ((1280, 800), (1024, 768), (768, 1024), (800, 1280))


@pytest.mark.nightly
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_start_screen_fits(size: tuple[int, int], person: Person, host: Client) -> None:
    """Without a game: the way to the first one and the code for phones are on the screen."""
    person.open("", *size)
    person.sees("#start")
    for part in ("[data-action=host], [data-host-code]",):
        person.sees(part)
    off: Any = person.screen.run(
        FIND + "return all.filter(function (el) { var b = el.getBoundingClientRect();"
        "return b.left < -2 || b.top < -2 || b.right > innerWidth + 2 || b.bottom > innerHeight + 2; })"
        ".map(function (el) { return el.outerHTML.slice(0, 90); })",
        "#start button, #start a, #start img",
    )
    assert off == []
    person.has_no_trouble()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_standings_are_on_the_table_page(size: tuple[int, int], host: Client, person: Person) -> None:
    """In every shape of a tablet; in iPads that end at Safari 15.8 they vanished in landscape."""
    begun(host, "pigs")
    person.open("", *size)
    person.sees("#stand-list li", "Ben")
    person.sees("#dock [data-action=play]")
