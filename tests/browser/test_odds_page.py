"""The odds as people see them: bars, whiskers, chances next to payouts, and luck at the end.

Only here: a bar or whisker that is not as long as its chance, or an odds panel that sticks out of a tablet.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from companion import games
from companion.games.judge import checked
from companion.games.race import Race
from companion.match.record import decision_line
from tests.browser.conftest import Guests
from tests.support.browser.chromium import box_of, wait_until
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

NAMES = ("Ada", "Ben", "Cleo", "Dev")
SCREENS = [(1280, 800), (1024, 768), (800, 600)]


@pytest.fixture
def settings() -> str:
    return 'pad = false\npanel = false\n[track]\nkind = "none"\n'


def play(host: Client, name: str, until: Callable[[Race], bool], **options: Any) -> Race:
    """Play a game at random, by taps, up to a position, and return when its odds have come."""
    race, rng, made = games.find_by_name(name).new(NAMES, 0, **options), random.Random(5), 0
    host.post("/api/matches", game=name, seats=list(NAMES), options=options)
    while not until(race) and (due := race.awaits()) is not None:
        if not due.seats:
            deal = race.dealt_unseen()
            assert deal is not None
            race = race.after(deal)
            continue
        decision = race.at_random(rng.choice(due.seats), rng)
        host.decide(**decision_line(race, decision))
        race, made = checked(race, decision), made + 1
        if made % 3 == 0:
            host.until(odds_are_there)
    host.until(odds_are_there)
    return race


def odds_are_there(now: dict[str, Any]) -> bool:
    return bool(now["odds"]) and now["odds"]["seq"] == now["seq"]


def cards_played(count: int) -> Callable[[Race], bool]:
    """Return a condition that is true once so many cards were played, in any game."""

    def so_many(race: Any) -> bool:
        by_seat: Any = getattr(race, "played", None) or getattr(race, "used", ())
        return sum(map(len, by_seat)) >= count

    return so_many


def part(bar: Locator, what: str) -> tuple[float, float]:
    """Return where a part of a bar begins and ends, as shares of the bar's width."""
    box, inner = box_of(bar), box_of(bar.locator(what))
    begins = (inner["x"] - box["x"]) / box["width"]
    return begins, begins + inner["width"] / box["width"]


def test_bars_are_as_long_as_chances_and_whiskers_as_wide_as_errors(
    host: Client, home: str, guests: Guests
) -> None:
    """All bars have one scale, and each whisker spans the stated error within its bar."""
    play(host, "galloping-pigs", lambda race: len(getattr(race, "played", ())) == 9)
    table = guests.open(f"{home}/")
    expect(table.locator(".tote [data-odds]")).to_have_count(4)
    expect(table.locator(".tote:not(.old)")).to_be_visible()
    rough = table.locator(".tote [data-odds] .pc")
    assert all(re.fullmatch(r"[<>]?(\d*[05])%", text) for text in rough.all_inner_texts())
    table.locator(".tote summary").click()
    bars = {seat: table.locator(f"[data-exactly='{seat}'] .bar:not(.thin)") for seat in range(4)}

    def drawn_right(now: dict[str, Any]) -> bool:
        """Return whether the bars are as long as these odds; False if better odds came meanwhile."""
        wins = {c["seat"]: c for c in now["odds"]["chances"] if c["what"] == "win"}
        lengths = {seat: part(bar, "i")[1] for seat, bar in bars.items()}
        scale = lengths[0] / wins[0]["p"]
        return all(
            lengths[seat] == pytest.approx(chance["p"] * scale, abs=0.01)
            and part(bars[seat], "u") == pytest.approx([min(1, scale * p) for p in may_be(chance)], abs=0.03)
            and bars[seat].get_attribute("aria-label") == spoken(chance)
            for seat, chance in wins.items()
        )

    assert host.until(drawn_right)
    expect(table.locator(".tote .legend")).to_have_text("keeps the acorns")
    expect(table.locator(".tote .bar.thin")).to_have_count(4)


def spoken(chance: dict[str, Any]) -> str:
    """Return the label of a chance for people who cannot see the bar."""
    low, high = may_be(chance)
    return f"{percent(chance['p'])} likely, or from {percent(low)} to {percent(high)}"


def may_be(chance: dict[str, Any]) -> tuple[float, float]:
    """Return the lower and the upper end of a chance, as the page shows them."""
    return max(0.0, chance["p"] - chance["error"]), min(1.0, chance["p"] + chance["error"])


def test_a_touch_says_what_the_odds_assume(host: Client, home: str, guests: Guests) -> None:
    """A touch opens the assumption, at the table and on a phone, and another touch closes it.

    It stays open while better odds come.
    """
    race = play(host, "giro-galoppo", cards_played(6))
    for address, size in ((f"{home}/watch", (390, 844)), (f"{home}/", (1280, 800))):
        page = guests.open(address, *size)
        summary, opener = page.locator(".tote summary"), page.locator("[data-open=tote]")
        expect(summary.or_(opener).first).to_be_visible()
        if not summary.is_visible():
            opener.click()
        said = page.locator(".tote details p").first
        expect(said).to_be_hidden()
        summary.click()
        expect(said).to_contain_text("as people have played so far")
        due = race.awaits()
        assert due is not None
        decision = race.at_random(due.seats[0], random.Random(1))
        host.decide(**decision_line(race, decision))
        race = race.after(decision)
        host.until(odds_are_there)
        expect(said).to_be_visible()
        summary.click()
        expect(said).to_be_hidden()


def test_each_dogs_chances_stand_next_to_its_payout(host: Client, home: str, guests: Guests) -> None:
    """Once the bets are closed, the payout chart has the chances of win, place and double.

    Before that it has none.
    """
    play(host, "greyhounds", lambda race: getattr(race, "due", "") == "bet")
    watch = guests.open(f"{home}/watch", 390, 844)
    chart = watch.locator("[data-panel=odds]")
    expect(chart).to_be_visible()
    expect(chart.locator(".may")).to_have_count(0)
    host.now("/api/end")
    race: Any = play(host, "greyhounds", cards_played(6))
    ranked = [bet.pieces[0] for bet in race.payouts() if bet.kind == "win"]
    expect(chart.locator("tbody .may")).to_have_count(14)
    expect(chart.locator("tbody .may").first).to_be_hidden()
    chart.locator("summary").click()
    expect(chart.locator("tbody .may").first).to_be_visible()
    host.until(lambda now: chances_in(chart) == shown_chances(now, ranked))


def chances_in(chart: Locator) -> list[list[str]]:
    """Return the chances in the chart, by row."""
    rows = chart.locator("tbody tr").all()
    return [row.locator(".may").all_inner_texts() for row in rows]


def shown_chances(now: dict[str, Any], ranked: list[str]) -> list[list[str]]:
    """Return the same from the API, by dog.

    A row has win and place of the dog, and its doubles with the dogs ranked below it.
    """
    p = {(c["what"], frozenset(c["pieces"])): percent(c["p"]) for c in now["odds"]["chances"] if c["pieces"]}
    return [
        [p["win", frozenset({dog})], p["place", frozenset({dog})]]
        + [p["double", frozenset({dog, other})] for other in ranked[at + 1 :]]
        for at, dog in enumerate(ranked)
    ]


def percent(p: float) -> str:
    return "<1%" if 0 < p < 0.01 else ">99%" if 0.99 < p < 1 else f"{int(p * 100 + 0.5)}%"


@pytest.mark.long
@pytest.mark.parametrize("name", ["giro-galoppo", "greyhounds"])
def test_where_the_course_has_no_room_the_odds_are_opened(
    name: str, host: Client, home: str, guests: Guests
) -> None:
    """The standings have a small bar, and a press opens all of it.

    Nothing scrolls or sticks out on any tablet.
    """
    play(host, name, cards_played(6))
    table = guests.open(f"{home}/")
    for width, height in SCREENS:
        table.set_viewport_size({"width": width, "height": height})
        expect(table.locator("#stand-list .bar.mini:visible")).to_have_count(4)
        table.locator("[data-open=tote]").click()
        expect(table.locator(".board .tote [data-odds] .bars")).to_have_count(4)
        expect(table.locator(".board .tote .sparks").first).to_be_attached()
        inside(table, ".board .tote")
        assert table.evaluate("document.documentElement.scrollHeight <= innerHeight"), (width, height)
        table.locator("[data-action=close-panel]").click()
        expect(table.locator(".board .closepanel:visible")).to_have_count(0)


def inside(page: Page, selector: str, *, scrolls: bool = False) -> None:
    """Wait until the element is at rest within the window, with nothing cut off.

    With `scrolls` it may be higher than its box and scroll down.
    """
    wait_until(
        page,
        """([s, scrolls]) => {
          const el = document.querySelector(s), r = el.getBoundingClientRect();
          return r.left >= 0 && r.right <= innerWidth + 1 && r.bottom <= innerHeight + 1
            && el.scrollWidth <= el.clientWidth + 1 && (scrolls || el.scrollHeight <= el.clientHeight + 1);
        }""",
        arg=[selector, scrolls],
    )


MADE = """
async odds => {
  const {tote} = await import("/static/common/odds.js");
  const box = document.createElement("section");
  tote({odds}, box, {whole: true});
  document.body.append(box);
  return {text: box.textContent, whiskers: box.querySelectorAll("u").length, old: box.classList.contains("old")};
}
"""
ROW = {"seat": 0, "name": "Ada", "p": 0.25, "error": 0.01, "line": [0.5, 0.25], "also": None}
BOARD: dict[str, Any] = {
    "title": "Who may win",
    "note": "",
    "old": False,
    "also": None,
    "pieces": [],
    "pairs": [],
    "off": None,
}
STATES: list[tuple[dict[str, Any], str, int, bool]] = [
    # the board's data, what it says, how many whiskers it has (also behind "?"), whether it is pale
    ({"rows": [ROW]}, "25%", 2, False),
    ({"rows": [ROW | {"error": 0, "line": [0.25]}], "note": "exact"}, "exact", 0, False),
    ({"rows": [ROW], "old": True, "note": "just a moment"}, "just a moment", 2, True),
    ({"rows": [], "off": "no odds: NumPy is not installed"}, "no odds: NumPy is not installed", 0, False),
]


def test_exact_old_and_off_look_different(home: str, guests: Guests) -> None:
    page = guests.open(f"{home}/watch", 390, 844)
    for board, said, whiskers, old in STATES:
        made = page.evaluate(MADE, BOARD | board)
        assert said in made["text"]
        assert (made["whiskers"], made["old"]) == (whiskers, old), board


SWAPPED = """async rows => {
  const {standings} = await import("/static/common/panels.js");
  const table = document.createElement("section"), head = document.createElement("header");
  const list = document.createElement("ol");
  table.className = "stand";
  table.append(head, list);
  document.body.append(table);
  return rows.map(odds => {
    standings({standings: [{seat: 0, name: "Ada"}, {seat: 1, name: "Ben"}], odds: {rows: odds}}, {head, list, odds: true});
    return [...list.children].map(row => row.querySelector(".pc").textContent);
  });
}"""


def test_the_standings_follow_when_two_seats_swap_their_chances(home: str, guests: Guests) -> None:
    """The chances of 60% and 40% stay on the page; whose they are is drawn anew."""
    page = guests.open(f"{home}/watch", 390, 844)
    before = [{"seat": 0, "p": 0.6, "error": 0.01}, {"seat": 1, "p": 0.4, "error": 0.01}]
    after = [{"seat": 1, "p": 0.6, "error": 0.01}, {"seat": 0, "p": 0.4, "error": 0.01}]
    assert page.evaluate(SWAPPED, [before, after]) == [["60%", "40%"], ["40%", "60%"]]


@pytest.mark.long
def test_luck_and_choice_are_shown_at_the_end(host: Client, home: str, guests: Guests) -> None:
    """The table and a phone show a bar for each part and open a sentence for each seat.

    Nothing sticks out at any size, nor are the last odds in the place of the report, at any speed.
    """
    play(host, "galloping-pigs", lambda race: race.awaits() is None, rounds=1)
    watch, table = guests.open(f"{home}/watch", 360, 640), guests.open(f"{home}/")
    table.locator("[data-action=numbers]").click()
    for page in (watch, table):
        expect(page.locator("#luck [data-parts]")).to_have_count(4)
        expect(page.locator("[data-luck] ul li").first).to_be_hidden()
        page.locator("[data-prose] summary").click()
        expect(page.locator("[data-luck] ul li")).to_have_count(4)
        expect(page.locator("[data-luck] ul li").first).to_be_visible()
        expect(page.locator("[data-luck] ul li").first).to_contain_text("Ada")
    assert watch.evaluate("document.documentElement.scrollWidth <= innerWidth")
    slow = table.context.new_cdp_session(table)
    for width, height in SCREENS * 3:
        table.set_viewport_size({"width": width, "height": height})
        expect(table.locator("#stand")).to_be_hidden()
        slow.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        inside(table, "#luck", scrolls=True)
