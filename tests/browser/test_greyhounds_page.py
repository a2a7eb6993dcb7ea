"""Greyhounds on the table page: sets, sealed bets, a turn with its arithmetic, the settlement."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Guests
from tests.browser.test_layout import NAMES, SCREENS, fits
from tests.support.client import Client

pytestmark = pytest.mark.browser

GAME = "greyhounds"
SEATS = ("Ada", "Ben", "Cleo")  # red, blue, brown; the green dog is a dummy and plays 10
SETS = ((2, 3, 5, 15, 18, 20), (1, 4, 9, 12, 14, 16), (6, 7, 8, 11, 13, 17))
WIN = [{"kind": "win", "dogs": ["red"], "stake": 500}]


def tags(host: Client, *cards: str) -> list[str]:
    uids = host.uids(GAME)
    return [uids[f"card/{card}"] for card in cards]


def show(host: Client, sets: tuple[tuple[int, ...], ...] = SETS) -> None:
    for seat, cards in enumerate(sets):
        host.decide(do="show", seat=seat, cards=list(cards))


def bet(host: Client, *seats: int) -> None:
    for seat in seats:
        host.decide(do="bet", seat=seat, bets=WIN)


def lay(mock: Page, colour: str, number: int) -> None:
    """Open the pile of this colour, unless it is open, and lay a number on the pad."""
    pile = mock.locator(f"[data-pile={colour}]")
    if pile.get_attribute("aria-expanded") != "true":
        pile.click()
    mock.get_by_role("button", name=f"{colour} card {number}", exact=True).click()
    expect(mock.locator("[data-on-pad].ok")).to_have_count(1)


def table_shows(page: Page, name: str, wanted: dict[str, list[str]]) -> None:
    """Wait until a panel has these dogs, each with the last cells of its row."""
    rows = page.locator(f"[data-panel={name}] tbody tr")
    expect(rows).to_have_count(len(wanted))
    for dog, cells in wanted.items():
        row = rows.filter(has=page.get_by_role("rowheader", name=dog, exact=True))
        for place, text in enumerate(cells):
            expect(row.locator("th, td").nth(2 + place)).to_have_text(text)


@pytest.mark.long
def test_a_turn_with_its_arithmetic(host: Client, home: str, guests: Guests) -> None:
    """The page says how far each dog moves and why, and what comes next.

    A set is laid card by card; then come bets, and cards on the pad.

    Only here: a sum or a distance of a turn that the table page shows wrongly, from a set that was gathered
    on the pad.
    """
    host.begin(GAME, SEATS)
    table, mock = guests.open(f"{home}/"), guests.open(f"{home}/mock")
    expect(table.locator("#big")).to_have_text("Everyone: show a set of 6 cards")
    for number in SETS[0][:3]:
        lay(mock, "red", number)
    expect(table.locator("[data-gathered='0']")).to_contain_text("3 of 6")
    expect(table.locator("[data-gathered='0'] .ncard")).to_have_text(["2", "3", "5"])
    for number in SETS[0][3:]:
        lay(mock, "red", number)
    expect(table.locator("[data-gathered]")).to_have_count(0)
    for seat in (1, 2):
        host.decide(do="show", seat=seat, cards=list(SETS[seat]))

    bet(host, 1)
    expect(table.locator("#stand-list [data-seat='1']").get_by_role("img", name="has bet")).to_be_visible()
    expect(table.locator("#stand-list .tick")).to_have_count(1)
    bet(host, 0, 2)
    expect(table.locator("#stand-list .tick")).to_have_count(0)

    for colour, number in (("red", 20), ("blue", 12), ("brown", 8)):
        lay(mock, colour, number)
    expect(table.locator("#big")).to_have_text("Ada: move the red dog to 8")
    expect(table.locator("#track [data-target='8']")).to_be_attached()
    expect(table.locator("#track [data-piece][data-space='0']")).to_have_count(
        4
    )  # side by side behind the line
    turn = {
        "red dog": ["20 − 12 = 8", "8"],
        "blue dog": ["12 stays", "0"],
        "brown dog": ["8 stays", "0"],
        "green dog": ["10 stays", "0"],
    }
    table_shows(table, "table", turn)
    watch = guests.open(f"{home}/watch", 360, 640)
    table_shows(watch, "table", turn)
    unseen = watch.locator("[data-panel=table] .note", has_text="−")
    expect(unseen).to_have_count(0)  # a narrow screen leaves words out, never a sign of a sum
    mock.locator("[data-action=todo]").click()
    expect(mock.locator("#track [data-piece=red]")).to_have_attribute("data-space", "8")
    expect(table.locator("#big")).to_have_text("Ada, play a card")


def test_a_set_by_tap(host: Client, home: str, guests: Guests) -> None:
    host.begin(GAME, SEATS)
    table = guests.open(f"{home}/")
    table.locator("[data-action=seat][data-seat='2']").click()
    card = "[data-action=pick][data-card='{}']"
    for number in SETS[2]:
        expect(table.locator("[data-action=show-ok]")).to_be_disabled()
        table.locator(card.format(number)).click()
    expect(table.locator("[data-count='6']")).to_have_text("6 of 6")
    expect(table.locator(card.format(1))).to_be_disabled()
    table.locator(card.format(17)).focus()
    table.keyboard.press("Enter")
    table.locator(card.format(20)).click()
    table.locator("[data-action=show-ok]").click()
    expect(table.locator("[data-picker]")).to_have_count(0)
    expect(table.locator("[data-action=seat]")).to_have_count(2)
    assert host.until(lambda now: now["next"]["seats"] == [0, 1])


def test_the_bookie_ranks_by_tap(host: Client, home: str, guests: Guests) -> None:
    host.begin(GAME, SEATS, options={"bookie": 1})
    show(host, ((2, 3, 5, 15, 18), (1, 4, 9, 12, 14), (6, 7, 8, 11, 13)))
    table = guests.open(f"{home}/")
    expect(table.locator("#big")).to_have_text("Ben, rank the dogs, the favourite first")
    for dog in ("green", "red", "brown"):
        table.locator(f"[data-action=rank][data-card={dog}]").click()
    table.locator("[data-action=rank-ok]").click()
    expect(table.locator("[data-panel=odds]")).to_be_visible()
    assert host.until(lambda now: now["state"]["rank"]) == ["green", "red", "brown", "blue"]


def race(host: Client) -> None:
    """Let the dogs run on, each with the highest card it may play, until this race is over."""
    now = host.table["state"]["race"]
    while (due := host.table["next"]) and due["do"] == "play" and host.table["state"]["race"] == now:
        seat = due["seats"][0]
        legal = host.get(f"/api/seat?seat={seat}")["own"]["decisions"]
        host.decide(**max((line for line in legal if line["do"] == "play"), key=lambda line: line["card"]))


@pytest.mark.long
def test_a_race_is_settled_line_by_line(host: Client, home: str, guests: Guests) -> None:
    """The settlement ends with each seat's money, and the standings have the same amount.

    Only here: a line of the settlement that does not lead to the money in the standings.
    """
    host.begin(GAME, SEATS)
    table = guests.open(f"{home}/")
    show(host)
    bet(host, 0, 1, 2)
    race(host)
    expect(table.locator("[data-panel=settlement]")).to_be_visible()
    money = {row["seat"]: row["score"] for row in host.table["standings"]}
    settlement = table.locator("[data-panel=settlement] table")
    for seat, amount in money.items():
        expect(table.locator(f"#stand-list [data-seat='{seat}'] .kept")).to_have_text(f"${amount}")
        mine = settlement.filter(has=table.locator("thead", has_text=SEATS[seat]))
        expect(mine.locator("tr", has_text="money now").locator(".n").last).to_have_text(str(amount))


@pytest.mark.long
def test_it_fits_in_every_state(host: Client, home: str, guests: Guests) -> None:
    """Greyhounds fits every tablet from the sets to the last settlement.

    Only here: a name or a sentence of Greyhounds that is cut, or a panel that leaves a tablet, with the
    longest names.
    """
    table = guests.open(f"{home}/", *SCREENS[0])
    wrong = [fault for state in states(host, table) for fault in fits(table, state)]
    assert not wrong, "\n".join(wrong)


def states(host: Client, table: Page) -> Any:
    """Bring the game from one state to the next; the table page shows it when it is yielded."""
    host.begin(GAME, NAMES)
    expect(table.locator("#big")).to_contain_text("show a set")
    yield "sets"
    table.locator("[data-action=seat][data-seat='2']").click()
    expect(table.locator("[data-picker='2']")).to_be_visible()
    yield "a set"
    show(host, (*SETS, (1, 2, 10, 11, 12, 19)))
    expect(table.locator("#big")).to_contain_text("bets")
    yield "bets"
    bet(host, 0, 1, 2, 3)
    for seat, card in enumerate((20, 14, 8, 19)):
        host.decide(do="play", seat=seat, card=card)
    expect(table.locator("#track [data-target]")).to_have_count(1)
    yield "a turn"
    race(host)
    expect(table.locator("[data-panel=settlement]")).to_be_visible()
    yield "settled"
