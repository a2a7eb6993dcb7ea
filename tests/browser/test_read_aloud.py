"""A game of each kind as a screen reader reads it: the accessibility tree alone, without a picture.

Only here: a piece, a turn, a card or a result that is only seen.
"""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page, expect

from companion.games.race import Race, random_decision
from companion.match.record import Header, decision_line
from tests.browser.conftest import Guests
from tests.support.browser.chromium import wait_until
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

SEATS = {"greyhounds": ("Ada", "Ben", "Cleo"), "giro-galoppo": ("Ada", "Ben", "Cleo")}
ANIMALS = {"galloping-pigs": "pig", "galloping-horse": "horse", "giro-galoppo": "horse", "greyhounds": "dog"}
GAMES = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")


@pytest.fixture
def settings() -> str:
    return 'pad = false\npanel = false\n[track]\nkind = "none"\n'


def read(page: Page) -> str:
    """Return the page as a screen reader has it, in one line."""
    return " ".join(page.locator("body").aria_snapshot().split())


def play(host: Client, race: Race, decisions: int) -> Race:
    """Play so many decisions, the same in every run."""
    rng = random.Random(5)
    for _ in range(decisions):
        decision = random_decision(race, rng)
        if decision is None:
            return race
        unseen = race.dealt_unseen()
        if unseen is None:
            host.decide(**decision_line(race, decision))
        race = race.after(unseen or decision)
    return race


@pytest.mark.parametrize("game", GAMES)
def test_the_table_page_read_aloud(game: str, host: Client, home: str, guests: Guests) -> None:
    """It says whose turn it is, what was played last, and where every piece stands; then who has won."""
    seats = SEATS.get(game, ("Ada", "Ben"))
    host.begin(game, seats)
    table = guests.open(home + "/")
    race = play(host, Header(game, seats).opening(), 24)
    view = host.table
    expect(table.locator("#story-list li").first).to_be_attached()
    due = view["next"]["seats"][0]
    expect(table.get_by_role("banner")).to_contain_text(re.compile(rf"{seats[due]}|Everybody"))
    to_move = {
        task["piece"] for task in view["todo"]
    }  # they stand where they were, and the headline says where to
    for piece, place in view["layout"].items():
        if place["zone"] == "track" and piece not in to_move:
            said = f"{piece} {ANIMALS[game]} on "
            expect(table.locator(f"#track [data-piece={piece}]")).to_have_attribute(
                "aria-label", re.compile(rf"{said}.*({place['space']}|start|lap)")
            )
    # elsewhere cards and bets need the room, and say what was played
    has_story = game.startswith("galloping")
    if has_story:
        expect(table.locator("#story")).to_be_visible()  # its lines are drawn a frame before there is room
    text = read(table)
    banner = text.partition("- main")[0]
    assert re.search(rf"{seats[due]}|Everybody", banner), banner
    if has_story:
        assert re.search(r'So far" \[level=2\] - list: - listitem', text), text[-2500:]
    play(host, race, 10_000)
    table.goto(home + "/")
    expect(table.get_by_role("heading", name=re.compile("win", re.IGNORECASE)).first).to_be_visible()


WATCHED = """() => {
  window.spoken = [];
  document.addEventListener("view", ({ detail }) => { window.seq = detail.seq; });
  const seen = new WeakMap();
  const note = region => {
    const text = region.textContent.trim();
    if (region.closest("[hidden]") || !text) return;
    window.spoken.push([text, seen.get(region) === text]);
    seen.set(region, text);
  };
  for (const region of document.querySelectorAll("[aria-live=polite], [role=status]")) {
    seen.set(region, region.textContent.trim());
    new MutationObserver(() => note(region)).observe(region, { childList: true, characterData: true, subtree: true });
  }
}"""
"""Notes what a screen reader would speak, and whether it has just spoken the same."""
NESTED = """() => [...document.querySelectorAll("[aria-live] [aria-live], [role=status] [aria-live]")]
  .filter(el => el.getAttribute("aria-live") !== "off" && el.parentElement.closest("[aria-live], [role=status]").ariaLive !== "off")
  .map(el => el.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_spoken_twice(game: str, host: Client, home: str, guests: Guests) -> None:
    """A sentence that is drawn again unchanged would be spoken again; one in two regions, twice."""
    seats = SEATS.get(game, ("Ada", "Ben"))
    host.begin(game, seats)
    pages = [guests.open(f"{home}/{path}") for path in ("", "watch", "tv")]
    for page in pages:
        expect(page.locator("#big")).not_to_be_empty()
        page.evaluate(WATCHED)
    race = Header(game, seats).opening()
    for _ in range(12):
        race = play(host, race, 1)
        for page in pages:
            wait_until(page, "seq => window.seq >= seq", host.table["seq"])
    for page in pages:
        wait_until(page, "window.spoken.length > 0")
        assert [text for text, again in page.evaluate("window.spoken") if again] == [], page.url
    play(host, race, 10_000)
    pages.append(guests.open(f"{home}/seat?code={host.get('/api/join')['code']}", 390, 844))
    pages[-1].locator("#seat-list [data-seat='0']").click()
    for page in pages:
        expect(page.locator("#finish")).to_contain_text(re.compile(r"\w"))
        assert page.evaluate(NESTED) == [], page.url


def test_a_hand_read_aloud(host: Client, home: str, guests: Guests) -> None:
    """Held open, a seat says each card of its hand, and where it would land; covered, none of them."""
    host.begin("giro-galoppo", ("Ada", "Ben"), deal="companion")
    while (due := host.table["next"])["do"] == "place-obstacle":
        host.decide(**host.get(f"/api/seat?seat={due['seats'][0]}")["own"]["decisions"][0])
    hand = [line["card"] for line in host.get("/api/seat?seat=0")["own"]["decisions"]]
    page = guests.open(f"{home}/seat?code={host.get('/api/join')['code']}", 390, 844)
    page.locator("#seat-list [data-seat='0']").click()
    expect(page.locator("#hold")).to_be_visible()
    assert len(hand) > 3
    assert not re.search(r'button "\d+: ', read(page))
    page.locator("#hold").press("Enter")
    expect(page.locator("#slip")).to_be_visible()
    text = read(page)
    for card in hand:
        assert re.search(rf'"{card}: ', text), f"{card} is not in {text}"
