"""The history on a small phone: slide through a game, read it, see its odds, name it and delete it.

Only here: a slider that shows a moment other than its own, a bar of luck out of scale, or a page that is too
wide.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bench.years import make
from tests.browser.conftest import Guests
from tests.support.client import Client, Companion, companion
from tests.support.moments import Story

pytestmark = [pytest.mark.browser, pytest.mark.long]

PHONE = (360, 640)
GAME = Story("galloping-pigs", ("Ada", "Ben"), 11, {"rounds": 1}, "companion")
LAST = len(GAME.match.turns)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Companion]:
    """Yield a companion whose table has a finished game."""
    GAME.write(tmp_path, LAST)
    with companion(tmp_path) as started:
        yield started


def shown_at(page: Page, moment: int) -> None:
    """Assert that the track is as it was at this moment, and that the slider names what happened."""
    slider, race = page.locator("#at"), GAME.match.turns[moment - 1].race
    expect(slider).to_have_value(str(moment))
    for piece, place in race.layout().items():
        expect(page.locator(f"#track [data-piece='{piece}'][data-space='{place.space}']")).to_have_count(1)
    line = page.locator(f"#story [data-moment='{moment}']")
    expect(line).to_have_attribute("aria-current", "true")
    expect(slider).to_have_attribute("aria-valuetext", line.locator(".tx").inner_text())


def test_a_game_is_slid_through_and_read(home: str, guests: Guests) -> None:
    phone = guests.open(f"{home}/history", *PHONE)
    winner = GAME.match.race.standings()[0]
    expect(phone.locator(f"[data-leader='{winner.name}'] .n")).to_have_text(["1", "1", "1"])
    expect(phone.locator(f"[data-leader='{winner.name}'] .best")).to_contain_text(str(winner.score))
    assert phone.evaluate("document.scrollingElement.scrollWidth") <= PHONE[0]
    phone.locator("[data-match='1'] a").click()
    slider = phone.get_by_role("slider", name="moment of the game")
    shown_at(phone, LAST)

    expect(phone.locator("#odds-note")).to_have_text("worked out from what everybody could know then")
    expect(phone.locator("[data-chance='0'] .pc")).to_have_text("100%" if winner.seat == 0 else "0%")
    phone.locator("#odds-table summary").click()
    expect(phone.locator("#odds-table tbody tr")).to_have_count(LAST + 1)  # for who cannot see the lines

    slider.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "before the race")
    for key, moment in (("ArrowRight", 1), ("ArrowRight", 2), ("End", LAST), ("ArrowLeft", LAST - 1)):
        slider.press(key)
        shown_at(phone, moment)
    phone.locator("#story [data-moment='7']").click()
    shown_at(phone, 7)
    phone.locator("[data-action=on]").click()
    shown_at(phone, 8)

    slider.press("Home")
    play = phone.locator("[data-action=play]")
    play.click()
    expect(slider).not_to_have_value("0")  # it goes on by itself, until it is stopped
    play.click()
    expect(play).to_have_attribute("aria-pressed", "false")
    shown_at(phone, int(slider.input_value()))

    expect(
        phone.locator("#rounds [aria-label$=' lost'], #rounds [aria-label$=' kept']").first
    ).to_be_visible()
    expect(phone.locator("[data-luck] li").first).to_be_hidden()
    phone.locator("[data-prose] summary").click()
    expect(phone.locator("[data-luck] li").first).to_be_visible()  # all of it in sentences, a touch away
    expect(phone.locator("[data-hand]:visible")).to_have_count(0)
    phone.locator("#story [data-moment='9']").click()
    phone.locator("[data-action=open-cards]").click()
    expect(phone.locator("[data-hand='0'] .chip")).to_have_count(len(hand(9)))
    assert phone.evaluate("document.scrollingElement.scrollWidth") <= PHONE[0]


def test_luck_is_read_at_a_glance(host: Client, home: str, guests: Guests) -> None:
    """Each player has a headline and three bars on one scale, with numbers.

    A key opens the rule of a badge.
    """
    phone = guests.open(f"{home}/history/1", *PHONE)
    expect(phone.locator("#evening")).to_be_visible()
    past = host.get("/api/history/1")
    said = "".join(part if isinstance(part, str) else part["text"] for part in past["headline"])
    expect(phone.locator("#evening")).to_have_text(said)

    bars = set()
    for seat, parts in enumerate(past["luck"]["parts"]):
        for what, label in (("luck", "luck"), ("own", "own choices"), ("others", "the other's choices")):
            row, points = phone.locator(f"[data-parts='{seat}'] [data-part={what}]"), parts[what]
            number = "±0no clear difference" if points is None else f"{points:+}".replace("-", "−")
            expect(row).to_have_text(f"{label}{number}")
            expect(row.locator(".fork i")).to_have_count(0 if points is None else 1)
            if points is not None:
                side, width = ("cost", "brought")[points > 0], row.locator(".fork i").get_attribute("style")
                expect(row.locator(".fork i")).to_have_class(side)
                bars.add((abs(points), float((width or "").removeprefix("width:").removesuffix("%"))))
    most = max(points for points, _ in bars)
    assert {width for _, width in bars} == {round(50 * points / most, 1) for points, _ in bars}

    rules = [badge["rule"] for badges in past["badges"] for badge in badges]
    assert rules, "or the test proves nothing"
    badge = phone.locator(".badge").first
    expect(badge.get_by_text(rules[0])).to_be_hidden()
    badge.locator("summary").press("Enter")
    expect(badge.get_by_text(rules[0])).to_be_visible()
    assert phone.evaluate("document.scrollingElement.scrollWidth") <= PHONE[0]


def test_a_moment_that_decided_is_seen_again_at_a_touch(host: Client, home: str, guests: Guests) -> None:
    """A touch moves the slider to the moment before, plays on to the moment and stops."""
    phone = guests.open(f"{home}/history/1", *PHONE)
    expect(phone.locator("[data-swing]").first).to_be_visible()
    swing = host.get("/api/history/1")["luck"]["swings"][0]
    slider, play = phone.locator("#at"), phone.locator("[data-action=play]")
    phone.evaluate(
        "window.shown = []; new MutationObserver(() => shown.push(document.querySelector('#at').value))"
        ".observe(document.querySelector('#count'), {childList: true})"
    )
    phone.locator("[data-swing]").first.click()
    expect(slider).to_be_focused()
    expect(phone.locator("#track")).to_be_in_viewport()
    expect(play).to_have_attribute("aria-pressed", "false")
    shown_at(phone, swing["at"])
    seen = [int(value) for value in phone.evaluate("shown")]
    assert seen == [*range(swing["since"], swing["at"] + 1)]


@pytest.mark.parametrize(("path", "width", "height"), [("/", 1280, 800), ("/watch", *PHONE)])
def test_luck_is_read_at_a_glance_when_a_game_is_over(
    host: Client, home: str, guests: Guests, path: str, width: int, height: int
) -> None:
    """The table and a phone have what the history has: headline, bars, folded sentences; the finish has badges.

    A touch on a moment opens the history, which plays it once.
    """
    page = guests.open(home + path, width, height)
    luck = page.locator("#luck")
    expect(page.locator("#finish .fin-badge b:visible, #finish [data-badge]:visible").first).to_be_visible()
    if path == "/":
        page.locator("[data-action=numbers]").click()
    expect(luck.locator(".evening")).to_be_visible()
    past = host.get("/api/history/1")
    said = "".join(part if isinstance(part, str) else part["text"] for part in past["headline"])
    expect(luck.locator(".evening")).to_have_text(said)
    expect(luck.locator(".fork")).to_have_count(6)
    expect(luck.locator(".fork i")).to_have_count(
        sum(parts[what] is not None for parts in past["luck"]["parts"] for what in ("luck", "own", "others"))
    )
    assert all(past["badges"]), "everyone has one"
    expect(luck.locator("[data-luck]")).to_be_hidden()
    luck.locator("[data-prose] summary").click()
    expect(luck.get_by_text(past["luck"]["seats"][0])).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width

    swing = past["luck"]["swings"][0]
    luck.locator("[data-swing]").first.click()
    expect(page).to_have_url(f"{home}/history/1#{swing['since']}-{swing['at']}")
    expect(page.locator("#at")).to_have_value(str(swing["at"]))
    expect(page.locator("[data-action=play]")).to_have_attribute("aria-pressed", "false")
    shown_at(page, swing["at"])


def hand(moment: int) -> list[str]:
    held: list[str] = GAME.match.turns[moment - 1].race.secrets_of(0)["hand"]
    return held


def test_a_game_is_named_and_forgotten_by_the_host(host: Client, home: str, guests: Guests) -> None:
    """A second press, which names the game, deletes it. A viewer can do neither."""
    watcher = guests.open(f"{home}/history/1", *PHONE)
    expect(watcher.locator("#headline")).not_to_be_empty()
    expect(watcher.locator("[data-action=forget], #rename")).to_have_count(0)
    page = guests.open(f"{home}/history/1", *PHONE)
    page.evaluate(
        "fetch('/api/unlock', {method: 'POST', headers: {'Content-Type': 'application/json'}, "
        "body: JSON.stringify({pin: '2468', role: 'host'})})"
    )
    page.reload()
    page.get_by_label("What shall this game be called?").fill("The foggy night")
    page.locator("[data-action=rename]").click()
    expect(page.get_by_role("heading", name="The foggy night")).to_be_visible()
    forget = page.locator("[data-action=forget]")
    forget.click()
    expect(forget).to_contain_text("Yes, delete “The foggy night")
    assert host.get("/api/history")["matches"], "one press forgets nothing"
    forget.click()
    expect(page).to_have_url(f"{home}/history")
    expect(page.locator("#games")).to_contain_text("Here stand the games that are over")
    assert host.get("/api/history")["matches"] == []
    guests.forgive("history/1: .*404")  # the watcher asked again for the odds of a game that is no more


def test_older_games_are_loaded_at_a_touch(tmp_path: Path, guests: Guests) -> None:
    """Only here: a page of years that shows a game twice, loses one, or mixes kinds."""
    make(tmp_path / "journal.sqlite", 120)
    with companion(tmp_path) as started:
        phone = guests.open(f"http://127.0.0.1:{started.client.port}/history", *PHONE)
        games, older = phone.locator("#games .game"), phone.get_by_role("button", name="Older games")
        for count in (50, 100):
            expect(games).to_have_count(count)
            older.click()
        expect(games).to_have_count(120)
        expect(older).to_be_hidden()
        shown = games.evaluate_all("list => list.map(one => Number(one.dataset.match))")
        assert shown == list(range(120, 0, -1))
        hounds = started.client.get("/api/history?game=greyhounds")["matches"]
        phone.locator("#tabs [data-card='greyhounds']").click()
        expect(games).to_have_count(len(hounds))
        assert {one["id"] for one in hounds} == set(
            games.evaluate_all("list => list.map(one => Number(one.dataset.match))")
        )
