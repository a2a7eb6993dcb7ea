"""A round from tag to table page, as people play it: with a wrong move that is put right."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PIN, Guests, all_on_one_page
from tests.support.browser.hands import Hands
from tests.support.client import Client, Companion

pytestmark = pytest.mark.browser

CARDS = [
    ("pink", 1), ("red", 2), ("yellow", 0), ("green", 3), ("red", 4), ("red", 5), ("blue", 2),
    ("pink", 4), ("yellow", 1), ("green", 6), ("green", 7), ("red", 6), ("green", 8), ("yellow", 3),
]  # fmt: skip
"""Two seats' cards in turn, and where each sends its pig. Ada's last leads, Ben's last does not."""
WRONG = ("green", 3, 5)
"""The first green card sends the pig to 3; it is put on 5."""


def choose_pin(page: Page) -> None:
    all_on_one_page(page)
    page.locator("[name=pin]").fill(PIN)
    page.locator("[data-action=unlock-send]").click()


def new_game(page: Page) -> None:
    page.locator("[name=game][value=galloping-pigs]").check()
    for seat, name in enumerate(("Ada", "Ben")):
        page.locator(f"input[type=text][data-seat='{seat}']").fill(name)
    page.locator("[data-action=start]").click()
    expect(page.locator("#running")).to_be_visible()


@pytest.mark.long
def test_a_round_with_a_wrong_move_that_is_put_right(running: Companion, home: str, guests: Guests) -> None:
    """The table page guides a whole round on the virtual table, with one wrong move that is put right.

    The game is started on a phone.

    Only here: an instruction of the table page, or the score at a round's end, that is wrong when pieces are
    moved by hand.
    """
    phone = guests.open(f"{home}/host", width=412, height=915)
    table = guests.open(f"{home}/")
    hands = Hands(guests.open(f"{home}/mock"))
    choose_pin(phone)
    new_game(phone)
    expect(table.locator("#big")).to_contain_text("line up the pigs")

    hands.line_up()
    expect(table.locator("#big")).to_contain_text("is this the line-up?")
    hands.page.locator("[data-button=confirm]").click()
    expect(table.locator("#big")).to_have_text("Ada, play a card")

    for number, (colour, space) in enumerate(CARDS[:-1]):
        hands.lay(colour)
        expect(table.locator(f"#track [data-target='{space}']")).to_be_attached()
        expect(table.locator("#big")).to_contain_text(f"move the {colour} pig to {space or 'start'}")
        if number == 3:
            put_right(table, hands)
        hands.move(colour, space)
        expect(table.locator("#track [data-target]")).to_have_count(0)
    reveal(table, "Ada keeps 4 acorns")
    expect(table.locator("#big")).to_contain_text("Ben, your last card! 4 acorns at risk")
    hands.lay(CARDS[-1][0])
    reveal(table, "Ben gives 4 acorns back")
    the_end_of_the_round_agrees(table, running.client)
    for colour in {colour for colour, _ in CARDS[:-1]} - {CARDS[-1][0]}:
        expect(hands.pile(colour)).to_have_text("7")  # all cards are dealt anew


def reveal(table: Page, text: str) -> None:
    """Expect that what a last card brought is shown large, and touch it away."""
    expect(table.locator("#reveal")).to_contain_text(text)
    table.locator("#reveal").dispatch_event("click")  # on a busy machine it may be over by now
    expect(table.locator("#reveal")).to_be_hidden()


def put_right(table: Page, hands: Hands) -> None:
    """Put a pig two spaces too far: the page says the way back in the big sentence and marks it."""
    colour, right, wrong = WRONG
    hands.move(colour, wrong)
    expect(table.locator("#big")).to_have_text(re.compile(f"ove the {colour} pig .*to {right}"))
    piece = table.locator(f"#track [data-piece={colour}]")
    expect(piece).to_have_attribute("data-space", str(wrong))
    expect(piece).to_have_class("piece due")
    expect(table.locator(f"#track [data-target='{right}']")).to_be_attached()
    expect(table.locator(f"[data-ghost={colour}]")).to_be_attached()


def the_end_of_the_round_agrees(table: Page, client: Client) -> None:
    """Assert that the standings say what the round brought, and what the API says."""
    state = client.table
    rows = [(row["seat"], row["name"], str(row["score"])) for row in state["standings"]]
    assert [row[1:] for row in rows] == [("Ada", "4"), ("Ben", "0")]
    expect(table.locator("#stand-head h2")).to_have_text("Round 1 is over")
    ended = table.locator("[data-round-end] li")
    for row, (_, name, score) in zip(ended.all(), rows, strict=True):
        expect(row.locator(".nm")).to_contain_text(name)
        expect(row.locator(".under")).to_have_text(f"+{score}")
        expect(row.locator(".kept")).to_have_text(score)
    for seat, name, score in rows:
        row = table.locator(f"#stand-list [data-seat='{seat}']")
        expect(row).to_contain_text(name)
        expect(row.locator(f"[data-kept='{score}']")).to_be_visible()
        expect(row.locator("[data-provisional='0']")).to_be_visible()


def test_cards_and_pieces_by_finger(host: Client, home: str, guests: Guests) -> None:
    """On a phone Ada touches a card, a pig, and the space where it goes; Ben drags his card and his pig."""
    host.begin()
    hands = Hands(guests.open(f"{home}/mock", width=412, height=915, has_touch=True, is_mobile=True))
    big = hands.page.locator("#big")
    hands.page.locator("[data-action=line-up-pieces]").tap()
    expect(big).to_contain_text("is this the line-up?")
    hands.page.locator("[data-button=confirm]").tap()
    expect(big).to_have_text("Ada, play a card")

    hands.pile("pink").tap()
    expect(big).to_contain_text("move the pink pig to 1")
    hands.piece("pink").tap()
    hands.page.locator("[data-hit='1']").tap()
    expect(big).to_have_text("Ben, play a card")

    hands.drag_by_finger(hands.pile("red"), hands.pad)
    expect(big).to_contain_text("move the red pig to 2")
    expect(hands.page.locator("[data-on-pad]")).to_have_count(1)
    hands.drag_by_finger(hands.piece("red"), hands.space(2))
    expect(big).to_have_text("Ada, play a card")
    progress = host.table["state"]["progress"]
    assert (progress["pink"], progress["red"]) == (1, 2)
