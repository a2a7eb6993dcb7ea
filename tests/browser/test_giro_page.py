"""Giro Galoppo on the table page without sensors: obstacles, cards of several seats, a whole round at once.

Only here: a round that the page explains wrongly, a space that is drawn outside the course, or an obstacle
that cannot be tapped.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Guests
from tests.browser.test_layout import NAMES, SCREENS, fits
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

GAME = "giro-galoppo"
SEATS = ("Ada", "Ben", "Cleo")  # red, blue, green; Ada is the oldest, Cleo lays the first obstacle
OBSTACLES = (4, 9, 12, 22, 25)


@pytest.fixture
def settings() -> str:
    return 'pad = false\npanel = false\n[track]\nkind = "none"\n'


def lay_obstacles(host: Client, spaces: tuple[int, ...] = OBSTACLES) -> None:
    for space in spaces:
        host.decide(do="place-obstacle", seat=host.table["next"]["seats"][0], space=space)


def play(host: Client, *cards: int) -> None:
    """Play the cards of a round, by seat."""
    for seat, card in enumerate(cards):
        host.decide(do="play", seat=seat, card=card)


def tap_card(table: Page, seat: int, card: int, last: bool = False) -> None:
    """Tap the seat, then its card. With `last` the page names the seat by itself."""
    if last:
        expect(table.locator("#taps .due b")).to_have_text(SEATS[seat])
    else:
        table.locator(f"[data-action=seat][data-seat='{seat}']").click()
    table.locator(f"[data-action=play][data-card='{card}']").click()


def test_a_round_by_tap_from_the_gate(host: Client, home: str, guests: Guests) -> None:
    """Ben's horse lands on Ada's and pushes it back by one; Cleo's horse stops before the obstacle."""
    host.begin(GAME, SEATS)
    table = guests.open(f"{home}/")
    expect(table.locator("#big")).to_have_text("Cleo, lay an obstacle on sand: 5 to go")
    expect(table.locator(".hit[data-hit='7']")).to_have_count(0)  # a river is no sand
    for space in OBSTACLES:
        table.get_by_role("button", name=f"lay the obstacle on space {space}", exact=True).click()
        expect(table.get_by_role("img", name=f"obstacle on space {space}", exact=True)).to_be_visible()
    expect(table.locator(".hit")).to_have_count(0)
    expect(table.locator("#track [data-piece][data-zone=gate]")).to_have_count(3)

    tap_card(table, 0, 3)
    expect(table.locator("#stand-list [data-seat='0']").get_by_role("img", name="has chosen")).to_be_visible()
    expect(table.locator("[data-action=seat]")).to_have_count(2)
    expect(table.locator(".ncard, [data-panel]")).to_have_count(0)  # it is not turned over yet
    tap_card(table, 1, 3)
    tap_card(table, 2, 4, last=True)

    expect(table.locator("#big")).to_have_text("Ada: move the red horse to 2")
    for space in (2, 3):
        expect(table.locator(f"#track [data-target='{space}']")).to_be_attached()
    expect(table.get_by_role("img", name="green horse in the gate", exact=True)).to_be_visible()
    order = table.locator("[data-panel=order] tbody tr")
    expect(order.locator("> :first-child")).to_have_text(["3", "3", "4"])
    expect(order).to_contain_text(["to 3", "red horse back to 2", "stopped by the obstacle on 4"])
    assert host.table["state"]["progress"] == [2, 3, 0]


def test_a_used_card_is_refused_with_the_reason(host: Client, home: str, guests: Guests) -> None:
    host.begin(GAME, SEATS)
    lay_obstacles(host)
    play(host, 1, 2, 3)
    guests.forgive("409")
    table = guests.open(f"{home}/")
    tap_card(table, 1, 2)
    expect(table.locator("#toast")).to_contain_text("Ben has used the 2 already")
    table.locator("[data-action=play][data-card='6']").click()
    expect(table.locator("#stand-list [data-seat='1'] .tick")).to_be_visible()
    expect(table.locator("#toast")).to_be_hidden()


def test_a_horse_pushed_back_into_the_gate(host: Client, home: str, guests: Guests) -> None:
    """Ben leaves the gate onto Ada's space: the page shows her horse back in the gate."""
    host.begin(GAME, SEATS)
    lay_obstacles(host)
    play(host, 1, 4, 3)  # an obstacle is on 4: Ben stays in the gate
    play(host, 4, 1, 5)
    table = guests.open(f"{home}/")
    expect(table.locator("#track [data-piece=red]")).to_have_attribute("data-space", "1")
    expect(table.locator("#track [data-ghost=red][data-target=gate]")).to_be_attached()
    expect(table.locator("#track [data-piece=blue]")).to_have_attribute("data-zone", "gate")
    expect(table.locator("#track [data-target='1']")).to_be_attached()
    assert host.table["state"]["progress"] == [0, 1, 8]


@pytest.mark.parametrize(
    ("finish", "behind"), [(9, 6), pytest.param(60, 6, marks=pytest.mark.long), (300, 6)]
)
def test_a_course_of_any_length(finish: int, behind: int, host: Client, home: str, guests: Guests) -> None:
    """Every space is drawn once, inside the drawing, and a tap lays an obstacle."""
    host.begin(
        GAME,
        SEATS,
        options={"board": {"finish": finish, "natural": [], "sand": list(range(1, finish + 1, 2))}},
    )
    table = guests.open(f"{home}/")
    expect(table.locator("#track .layer-ground .cell")).to_have_count(finish + behind)
    spilled = table.evaluate("""() => {
      const box = document.querySelector("#track").getBoundingClientRect();
      return [...document.querySelectorAll("#track .cell")].filter(cell => {
        const at = cell.getBoundingClientRect();
        return at.left < box.left - 2 || at.right > box.right + 2 || at.top < box.top - 2 || at.bottom > box.bottom + 2;
      }).length;
    }""")
    assert spilled == 0
    table.locator(".hit[data-hit='3']").click()
    expect(table.locator("[data-obstacle='3']")).to_be_visible()


@pytest.mark.long
def test_it_fits_in_every_state(host: Client, home: str, guests: Guests) -> None:
    table = guests.open(f"{home}/", *SCREENS[0])
    wrong = [fault for state in states(host, table) for fault in fits(table, state)]
    assert not wrong, "\n".join(wrong)


def states(host: Client, table: Page) -> Any:
    """Bring the game from one state to the next, and yield once the table page shows it."""
    big = table.locator("#big")
    host.begin(GAME, NAMES)
    expect(big).to_contain_text("lay an obstacle")
    yield "obstacles"
    lay_obstacles(host)
    expect(big).to_contain_text("choose a card: 4 to go")
    yield "cards"
    play(host, 3, 3, 4, 6)
    expect(table.locator("#track [data-target]")).to_have_count(3)
    yield "a round"
    table.locator("[data-action=seat][data-seat='2']").click()
    expect(table.locator("[data-action=play]")).to_have_count(6)
    yield "a card of one seat"
    for card in (2, 1, 5, 4, 6, 3):
        if host.table["next"]:
            play(
                host,
                *[
                    c if c not in host.table["state"]["hand_used"][s] else hand(host, s)
                    for s, c in enumerate((card,) * 4)
                ],
            )
    while host.table["next"]:
        play(host, *(hand(host, seat) for seat in range(4)))
    expect(table.locator("[data-podium]")).to_be_visible()
    yield "finished"


def hand(host: Client, seat: int) -> int:
    """Return the highest card that this seat has not used."""
    return max(set(range(1, 7)) - set(host.table["state"]["hand_used"][seat]))
