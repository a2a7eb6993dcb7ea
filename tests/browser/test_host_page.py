"""The host's phone: a game in ten touches at most, a preview before an undo, corrections, pieces in order.

Only here: a game that takes too many touches, a preview that changes the game, or a drag that ends on the
wrong place.
"""

from __future__ import annotations

import re
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PIN, Guests, all_on_one_page
from tests.support.browser.hands import LINE_UP, Hands
from tests.support.client import Client, Companion

pytestmark = [pytest.mark.browser, pytest.mark.long]

MOST_TOUCHES = 10
GAMES = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")


@pytest.fixture
def settings() -> str:
    return 'pad = false\npanel = false\n[track]\nkind = "none"\n'


def later(seq: int, table: dict[str, Any]) -> int:
    """Return the number of the table's entry if it is a later one, else 0."""
    return int(table["seq"]) if table["seq"] > seq else 0


class Finger:
    """Touches the phone and counts.

    A touch of a button counts as one, and so does typing into one field.
    """

    def __init__(self, page: Page) -> None:
        self.page, self.touches = page, 0

    def touch(self, what: Locator) -> None:
        what.tap()
        self.touches += 1

    def type(self, what: Locator, text: str) -> None:
        what.fill(text)
        self.touches += 1

    def to_the_first_card(self, client: Client, game: str) -> int:
        """Return the touches from the started game to its first card.

        The line-up takes one touch at random and one to confirm. Each obstacle takes one touch of the player
        who lays it. All of them count, although several people make them.
        """
        expect(self.page.locator("#to-table")).to_be_visible()
        self.touch(self.page.locator("#to-table"))
        expect(self.page.locator("#big")).not_to_have_text("One moment …")
        decided = client.table["seq"]
        while client.table["next"]["do"] not in ("play", "show"):
            if client.table["next"]["do"] == "line-up":
                self.touch(self.page.locator("[data-action=line-up-any]"))
                self.touch(self.page.locator("[data-action=line-up-ok]"))
            else:
                self.touch(self.page.locator("#track .hit.pick").first)
            decided = client.until(partial(later, decided))
            here = client.table["next"]["seats"][0]
            if client.table["next"]["do"] == "place-obstacle":
                expect(self.page.locator("#big")).to_contain_text(client.table["match"]["seats"][here])
        assert client.table["match"]["game"] == game
        return self.touches


@pytest.mark.parametrize(
    "game", [pytest.param(name, marks=() if name == "giro-galoppo" else pytest.mark.long) for name in GAMES]
)
def test_a_game_in_at_most_ten_touches(
    game: str, running: Companion, home: str, guests: Guests, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four new people, the same people again, and known names in another game stay within the limit."""
    client = running.client
    first = Finger(guests.open(f"{home}/host", 390, 844, has_touch=True))
    page = first.page
    all_on_one_page(page)
    first.type(page.locator("[name=pin]"), PIN)
    first.touch(page.locator("[data-action=unlock-send]"))
    first.touch(page.locator(f"[data-game={game}][data-count='4']"))
    first.touch(page.locator("[data-action=start]"))
    new = first.to_the_first_card(client, game)
    assert client.table["match"]["seats"] == ["Seat 1", "Seat 2", "Seat 3", "Seat 4"]

    client.host(PIN).now("/api/end")
    page.goto(f"{home}/host")
    second = Finger(page)
    second.touch(page.locator("#new [data-action=again]"))
    again = second.to_the_first_card(client, game)

    client.now("/api/end")
    client.begin(game, ("Ada", "Ben", "Cleo", "Dev"))
    client.now("/api/end")
    page.goto(f"{home}/host")
    expect(page.locator("#chips button")).to_have_count(
        0
    )  # "Seat 1" is not the name of a person, and all others sit
    third = Finger(page)
    third.touch(page.locator(f"[data-game={game}][data-count='4']"))
    third.touch(page.locator("[data-action=start]"))
    named = third.to_the_first_card(client, game)
    assert client.table["match"]["seats"] == ["Ada", "Ben", "Cleo", "Dev"]

    with capsys.disabled():
        print(f"\n{game}: {new} touches to the first card; again {again}; anew with known names {named}")
    assert new <= MOST_TOUCHES
    assert again < named < new


@pytest.fixture
def played(host: Client) -> Client:
    """Return the host after Ada played blue, then seven red cards are out, then pink."""
    host.begin(seats=("Ada", "Ben"))
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    for turn, card in enumerate(["blue", *["red"] * 7, "pink"]):
        host.decide(do="play", seat=turn % 2, card=card)
    return host


@pytest.fixture
def page(played: Client, home: str, guests: Guests) -> Page:
    """Return the host's phone while that game runs."""
    opened = guests.open(f"{home}/host", 390, 844, has_touch=True)
    opened.locator("[name=pin]").fill(PIN)
    opened.locator("[name=pin]").press("Enter")
    expect(opened.locator("#run-say")).to_contain_text("Ada")
    return opened


def test_before_something_is_taken_back_there_is_a_picture(played: Client, page: Page) -> None:
    """The preview changes nothing; then the last decision is taken back, or all from one on."""
    seq = played.table["seq"]
    undo, back = page.locator("#running [data-action=undo]"), page.locator("#back")
    undo.tap()
    expect(back).to_contain_text("undo: Ada played pink")
    expect(back.locator(".sketch [data-target]").first).to_be_attached()
    back.locator("[data-action=keep-it]").tap()
    expect(back).to_be_hidden()
    assert played.table["seq"] == seq
    undo.tap()
    back.locator("[data-action=take-it-back]").tap()
    expect(undo).to_contain_text("undo: Ben played red")
    expect(back).to_be_hidden()

    page.locator("#played summary").tap()
    page.locator("#played-list .line-btn").nth(5).tap()
    page.locator("[data-action=back-to]").tap()
    expect(page.locator("#played-list .ask")).to_contain_text("and 5 after it")
    page.locator("#played-list [data-action=take-it-back]").tap()
    expect(undo).to_contain_text("undo: Ben played red")
    expect(page.locator("#played-list .line-btn")).to_have_count(3)  # the line-up, blue and one red card
    assert played.table["state"]["played"] == [1, 1]


def test_a_decision_is_corrected_once_it_is_seen_what_follows(played: Client, page: Page) -> None:
    """The page names the first later decision that no longer fits, before anything changes.

    One undo restores all of it.
    """
    seq, state = played.table["seq"], played.table["state"]
    page.locator("#played summary").tap()
    line = page.locator("#played-list .line-btn", has_text="Ada played blue")
    line.tap()
    expect(page.locator("[data-choice=blue]")).to_be_disabled()
    page.locator("[data-choice=red]").tap()
    expect(page.locator(".follows .say")).to_have_text("Of 8 decisions after it, 6 still fit.")
    expect(page.locator(".broken")).to_contain_text("Ben played red")
    expect(page.locator(".broken")).to_contain_text("all 7 red cards of this round are out already")
    page.locator("[data-choice=green]").tap()
    expect(page.locator(".follows .say")).to_have_text("Everything after it still fits (8).")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"
    assert played.table["seq"] == seq
    page.locator("[data-action=change]").tap()
    expect(page.locator("#played-list .tag")).to_have_text("corrected")
    assert played.table["state"]["progress"] != state["progress"]
    page.locator("#running [data-action=undo]").tap()
    expect(page.locator("#back")).to_contain_text("Ada played green")
    page.locator("#back [data-action=take-it-back]").tap()
    expect(page.locator("#played-list .tag")).to_have_count(0)
    assert played.table["state"] == state


WIN = {"kind": "win", "dogs": ["red"], "stake": 500}


def test_a_bet_is_corrected_on_its_slip(host: Client, home: str, guests: Guests) -> None:
    """A bet is sealed until the race is settled.

    Then its slip shows the bet as it was made, and can be filled in again.
    """
    host.begin("greyhounds", ("Ada", "Ben", "Cleo"), deal="companion", options={"lap": 5})
    while host.table["state"]["race"] == 1:
        seat = host.table["next"]["seats"][0]
        listed = host.get(f"/api/seat?seat={seat}")["own"]["decisions"]
        host.decide(**(listed[0] if listed else {"do": "bet", "seat": seat, "bets": [WIN]}))
    page = guests.open(f"{home}/host", 360, 640, has_touch=True)
    page.locator("[name=pin]").fill(PIN)
    page.locator("[name=pin]").press("Enter")
    page.locator("#played summary").tap()
    page.locator("#played [data-action=more]").tap()
    page.locator("#played-list .line-btn", has_text="Ada has bet").tap()
    win, place = page.locator("[data-bet=win]"), page.locator("[data-bet=place]")
    expect(win.locator("[data-amount='500']")).to_be_visible()
    win.locator("[data-stake=less]").tap()
    expect(page.locator("[data-action=look]")).to_be_disabled()
    place.locator("[data-dog]").first.tap()
    page.locator("[data-action=look]").tap()
    expect(page.locator(".follows .say")).to_contain_text("Everything after it still fits")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"
    page.locator("[data-action=change]").tap()
    expect(page.locator("#played-list .tag")).to_have_text("corrected")


def test_another_line_up_is_put_in_order_by_keys(played: Client, page: Page) -> None:
    page.locator("#played summary").tap()
    page.locator("#played-list .line-btn").last.tap()
    pieces = page.locator("#played-list [data-place]")
    pieces.first.press("ArrowRight")
    expect(pieces.first).to_have_attribute("data-called", "blue pig")
    expect(pieces.nth(1)).to_be_focused()
    expect(page.get_by_text("red pig: place 2 of 5")).to_be_attached()
    page.locator("[data-action=look]").tap()
    expect(page.locator("[data-action=change]")).to_be_visible()
    pieces.nth(1).press("ArrowRight")
    expect(page.locator("[data-action=change]")).to_have_count(0)  # what follows was that of another order
    page.locator("[data-action=look]").tap()
    page.locator("[data-action=change]").tap()
    expect(page.locator("#played-list .line-btn").last).to_contain_text("the blue pig in front")


def test_a_line_up_is_dragged_on_a_page_turned_to_any_side(host: Client, home: str, guests: Guests) -> None:
    """A finger drags a piece to the front and back, also on a turned page; tapped pieces stay tapped."""
    host.begin()
    page = guests.open(f"{home}/", 1024, 768, has_touch=True)
    row, ok = page.locator("#taps [data-place]"), page.locator("[data-action=line-up-ok]")
    hands = Hands(page)
    hands.drag_by_finger(row.nth(3), row.nth(0))
    expect(row.first).to_have_attribute("data-card", "yellow")
    expect(page.locator("#track [data-ghost]")).to_have_count(len(LINE_UP))
    expect(ok).to_be_in_viewport(ratio=1)
    page.locator("[data-action=turn]").first.tap()
    hands.drag_by_finger(row.nth(0), row.nth(4))
    expect(row.last).to_have_attribute("data-card", "yellow")
    row.nth(2).click()  # out of the line, and in again behind all others but one
    expect(ok).to_have_count(0)
    row.last.press("ArrowLeft")
    ok.click()
    expect(page.locator("#big")).to_contain_text("red pig")
    front = [colour for colour, at in host.table["state"]["progress"].items() if at == 0]
    assert front == ["red"]
    assert host.table["state"]["progress"]["green"] == -3


def test_who_is_older_is_dragged(host: Client, home: str, guests: Guests) -> None:
    page = guests.open(f"{home}/host", 390, 844, has_touch=True)
    all_on_one_page(page)
    page.locator("[name=pin]").fill(PIN)
    page.locator("[name=pin]").press("Enter")
    page.locator("[data-game=giro-galoppo][data-count='3']").tap()
    page.locator("[data-options=giro-galoppo] summary").tap()
    grips = page.locator("[data-option=age] [data-grip]")
    page.locator("[data-option=age]").evaluate("list => list.scrollIntoView({ block: 'center' })")
    Hands(page).drag_by_finger(grips.nth(2), grips.nth(0))
    expect(grips.first).to_contain_text("Seat 3")
    grips.first.press("ArrowDown")
    expect(grips.nth(1)).to_be_focused()
    page.locator("[data-action=start]").tap()
    expect(page.locator("#running")).to_be_visible()
    assert host.table["match"]["options"] == {"age": [0, 2, 1]}


def test_one_press_at_the_table_takes_back_and_shows_where_that_led(
    played: Client, home: str, guests: Guests
) -> None:
    page = guests.open(f"{home}/", 1024, 768)
    page.locator("[data-action=undo]").click()
    note = page.locator(".takenback")
    expect(note).to_contain_text(re.compile("taken back: Ada played pink"))
    expect(note.locator("svg [data-target]").first).to_be_attached()
    assert played.table["state"]["played"] == [4, 4]
    note.locator("[data-action=put-back]").click()
    expect(note).to_have_count(0)
    played.until(lambda table: table["state"]["played"] == [5, 4])


def test_the_parts_of_the_table_are_changed_without_an_editor(
    host: Client, home: str, guests: Guests, tmp_path: Path
) -> None:
    """The owner chooses a reader and a voice on the phone; companion.toml has them, and when they count is said."""
    guest = guests.open(f"{home}/host")
    guest.locator("[name=pin]").fill(PIN)
    guest.locator("[data-action=unlock-send]").click()
    guest.locator("#more > summary").click()
    section = guest.locator("#machine")
    section.locator("summary").click()
    section.locator("[name=pad]").select_option("usb")
    section.locator("label", has=guest.locator("[name=voice]")).click()
    section.locator("[data-action=machine-keep]").click()
    expect(section.locator("[data-restart]")).to_be_visible()
    expect(section.locator("[data-restart]")).to_contain_text("from the next start")
    assert tomllib.loads((tmp_path / "companion.toml").read_text()) == {
        "pad": "usb",
        "panel": False,
        "track": {"kind": "none"},
        "sound": {"voice": "auto"},
    }
