"""A seat's page on a phone, and hold-to-look at the table: a secret shows only while it is held.

Only here: a secret that stays in the page after the bar is released, or a drag, slide or key that a seat's
page misses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.browser.conftest import PIN, Guests
from tests.support.browser.chromium import cut_off, wait_until
from tests.support.browser.hands import Hands, middle, touch
from tests.support.client import Client, Stream

pytestmark = [pytest.mark.browser, pytest.mark.long]

PHONE = (360, 640)
HOUNDS = ("Ada", "Ben", "Cleo")


@pytest.fixture
def settings() -> str:
    return 'pad = false\npanel = false\n[track]\nkind = "none"\n'


@contextmanager
def pressed(page: Page, bar: Locator) -> Iterator[None]:
    """Hold the bar for as long as the context lasts."""
    page.mouse.move(*middle(bar))
    page.mouse.down()
    yield
    page.mouse.up()


def held(page: Page, bar: Locator) -> None:
    """Press until it stays open by itself, then release.

    A sealed decision may be on the page before the answer that closes its slip: the bar, pressed too early,
    would close it.
    """
    expect(bar).not_to_contain_text("Hide")
    with pressed(page, bar):
        expect(bar).to_contain_text("Hide")


def swipe(screen: CDPSession, at: tuple[float, float], to: tuple[float, float]) -> None:
    """Move the finger that is down, fast."""
    for step in (0.3, 0.7, 1):
        x, y = (a + (b - a) * step for a, b in zip(at, to, strict=True))
        touch(screen, "touchMove", x, y)


def join(guests: Guests, host: Client, home: str, seat: int, **device: Any) -> Page:
    """Open a phone that has scanned the code, and choose its seat."""
    phone = guests.open(f"{home}/seat?code={host.get('/api/join')['code']}", *PHONE, **device)
    phone.locator(f"#seat-list [data-seat='{seat}']").click()
    expect(phone.locator("#name")).to_be_visible()
    return phone


def hounds(host: Client) -> None:
    host.begin("greyhounds", HOUNDS, deal="companion")


def show_sets(host: Client, *seats: int) -> None:
    """Show the first set of each seat that has no phone."""
    for seat in seats:
        [first, *_] = host.get(f"/api/seat?seat={seat}")["own"]["decisions"]
        host.decide(**first)


# --- the phone -----------------------------------------------------------------------------------


def test_a_phone_chooses_its_seat(host: Client, home: str, guests: Guests) -> None:
    hounds(host)
    ada = join(guests, host, home, 0)
    expect(ada.locator("#name")).to_have_text("Ada")
    assert "code" not in ada.url
    late = guests.open(f"{home}/seat", *PHONE)
    guests.forgive("403")
    late.locator("#code").fill("0000")
    late.locator("#seat-list [data-seat='1']").click()
    expect(late.locator("#toast")).to_contain_text("that is not the code")
    late.locator("#code").fill(host.get("/api/join")["code"])
    late.locator("#seat-list [data-seat='1']").click()
    expect(late.locator("#name")).to_have_text("Ben")


def test_a_phone_that_lost_its_seat_asks_and_the_host_hands_it_over(
    host: Client, home: str, guests: Guests
) -> None:
    """Phone and host show one number; the phone gets its seat, and the former phone loses it."""
    hounds(host)
    ada = join(guests, host, home, 0)
    leader = guests.open(f"{home}/host", *PHONE)
    leader.locator("[name=pin]").fill(PIN)
    leader.locator("[name=pin]").press("Enter")
    again = guests.open(f"{home}/seat?code={host.get('/api/join')['code']}", *PHONE)
    again.locator("#seat-list [data-seat='0']").click()
    expect(again.locator("#asked")).to_contain_text("Show the host this number")
    number = host_sees(host)
    expect(again.locator("#asked")).to_contain_text(str(number))
    wish = leader.locator("#seating-list [data-seat='0'] .wish")
    expect(wish).to_contain_text(f"It shows {number}")
    leader.locator("[data-action=keep-seat]").click()
    expect(wish).to_have_count(0)
    expect(again.locator("#toast")).to_contain_text("has not handed the seat over")
    expect(again.locator("#asked")).to_be_hidden()
    again.locator("#seat-list [data-seat='0']").click()
    leader.locator("[data-action=hand-over]").click()
    expect(again.locator("#name")).to_have_text("Ada")
    expect(ada.locator("#join")).to_be_visible()
    expect(leader.locator("#seating-list [data-seat='0']")).to_contain_text("on a phone")


def host_sees(host: Client) -> int:
    """Return the number of the request for seat 0, as the table's page has it."""
    stream = Stream(host.port, "?as=page", host._cookie)
    number: int = stream.view()["seats"][0]["asks"]
    stream.close()
    return number


def test_a_secret_is_on_the_page_only_while_it_is_held(host: Client, home: str, guests: Guests) -> None:
    """While it is covered, the page has nothing of it, not even hidden; a short press shows it meanwhile."""
    hounds(host)
    ada = join(guests, host, home, 0)
    bar, slip = ada.locator("#hold"), ada.locator("#slip")
    [first, *_] = ada.evaluate("fetch('/api/seat').then(a => a.json()).then(a => a.own.sets)")
    choice = ada.locator(f"[data-choice='{' '.join(str(card) for card in first)}']")
    assert slip.inner_html() == ""
    with pressed(ada, bar):
        expect(choice).to_be_visible()
        expect(ada.locator("#cover")).to_be_hidden()
    expect(ada.locator("#cover")).to_be_visible()
    assert slip.inner_html() == ""
    held(ada, bar)
    expect(choice).to_be_visible()
    bar.click()
    expect(ada.locator("#cover")).to_be_visible()
    assert slip.inner_html() == ""


HIDES: dict[str, Callable[[Page], Any]] = {
    "another window": lambda page: page.evaluate("dispatchEvent(new Event('blur'))"),
    "the screen goes off": lambda page: page.evaluate(
        "Object.defineProperty(document, 'hidden', {configurable: true, get: () => true});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    ),
    "the escape key": lambda page: page.keyboard.press("Escape"),
    "nobody touches it": lambda page: page.clock.fast_forward(16_000),
}


@pytest.mark.parametrize("what", HIDES)
def test_it_is_covered_when(what: str, host: Client, home: str, guests: Guests) -> None:
    hounds(host)
    ada = join(guests, host, home, 0)
    ada.clock.install()
    with pressed(ada, ada.locator("#hold")):
        ada.clock.run_for(1_100)
    expect(ada.locator("#slip button").first).to_be_visible()
    HIDES[what](ada)
    expect(ada.locator("#cover")).to_be_visible()
    assert ada.locator("#slip").inner_html() == ""


def test_a_set_is_chosen_and_handed_in(host: Client, home: str, guests: Guests) -> None:
    hounds(host)
    ada = join(guests, host, home, 0)
    expect(ada.locator("#big")).to_have_text("your turn: show a set of 6 cards")
    held(ada, ada.locator("#hold"))
    expect(ada.locator("#go")).to_be_disabled()
    ada.locator("#slip .ownset").nth(1).click()
    ada.locator("#go").click()
    expect(ada.locator("#big")).to_have_text("wait for Ben and Cleo")
    expect(ada.locator("#cover")).to_be_visible()
    assert ada.locator("#slip").inner_html() == ""
    assert host.table["next"] == {"do": "show", "seats": [1, 2]}


def test_a_bet_slip(host: Client, home: str, guests: Guests) -> None:
    """The slip has stakes, the return of each bet and the total; it shows the reason of a refusal."""
    hounds(host)
    show_sets(host, 0, 1, 2)
    ada = join(guests, host, home, 0)
    held(ada, ada.locator("#hold"))
    win, double = ada.locator("[data-bet=win]"), ada.locator("[data-bet=double]")
    win.locator("[data-dog]").nth(1).click()
    win.locator("[data-stake=more]").click()
    expect(win.locator("[data-amount]")).to_have_text("$1000")
    expect(win.locator(".pay")).to_have_text("pays 5 → $5000")
    double.locator("[data-dog]").nth(0).click()
    expect(double.locator(".pay")).to_have_text("choose two")
    expect(ada.locator("#go")).to_be_disabled()
    double.locator("[data-dog]").nth(2).click()
    expect(double.locator(".pay")).to_have_text("pays 6 → $3000")
    expect(ada.locator("[data-total='1500']")).to_be_visible()
    for _ in range(2):
        double.locator("[data-stake=more]").click()
    guests.forgive("409")
    ada.locator("#go").click()
    expect(ada.locator("#toast")).to_contain_text("Ada bets 2500: at most 2000 in a race")
    for _ in range(2):
        double.locator("[data-stake=less]").click()
    ada.locator("#go").click()
    expect(ada.locator("#cover-title")).to_have_text("Sealed")
    held(ada, ada.locator("#hold"))
    expect(ada.locator("[data-known=bets] li")).to_have_count(2)
    expect(ada.locator("[data-known=bets]")).to_contain_text("$1000")


def test_a_card_is_set_aside_and_another_played(host: Client, home: str, guests: Guests) -> None:
    hounds(host)
    show_sets(host, 0, 1, 2)
    for seat in range(3):
        host.decide(do="bet", seat=seat, bets=[{"kind": "win", "dogs": ["red"], "stake": 500}])
    ada = join(guests, host, home, 0)
    held(ada, ada.locator("#hold"))
    ada.locator("[data-way=set-aside] [data-choice]").first.click()
    ada.locator("#go").click()
    expect(ada.locator("#cover")).to_be_visible()
    held(ada, ada.locator("#hold"))
    expect(ada.locator("[data-known=set_aside]")).to_be_visible()
    ada.locator("[data-way=play] [data-choice]").first.click()
    ada.locator("#go").click()
    expect(ada.locator("#cover-title")).to_have_text("Sealed")
    assert host.table["next"] == {"do": "play", "seats": [1, 2]}


def test_pieces_in_order_and_a_card_by_tap_where_nothing_is_secret(
    host: Client, home: str, guests: Guests
) -> None:
    """When people deal there is nothing to cover."""
    host.begin()
    ada = join(guests, host, home, 0)
    expect(ada.locator("#hold")).to_be_hidden()
    for colour in ("pink", "red", "green", "blue"):
        ada.locator(f"[data-choice={colour}]").click()
    ada.locator("#go").click()
    expect(ada.locator("[data-way=play]")).to_be_visible()
    assert host.table["state"]["progress"] == {"pink": 0, "red": -1, "green": -2, "blue": -3, "yellow": -4}
    ada.locator("[data-choice=pink]").click()
    expect(ada.locator("#go")).to_have_text("OK: pink")
    ada.locator("#go").click()
    expect(ada.locator("#big")).to_have_text("wait for Ben")
    assert host.table["state"]["progress"]["pink"] == 1


def test_a_line_up_is_dragged_with_one_thumb(host: Client, home: str, guests: Guests) -> None:
    """A piece is dragged, moved by arrow keys or tapped; a tap on a numbered piece removes its number."""
    host.begin()
    ada = join(guests, host, home, 0, has_touch=True)
    row, go = ada.locator("[data-way=line-up] [data-choice]"), ada.locator("#go")
    expect(go).to_be_disabled()
    Hands(ada).drag_by_finger(row.nth(4), row.nth(0))
    expect(row.nth(0)).to_have_attribute("aria-label", "1. pink pig")
    expect(go).to_be_enabled()
    row.nth(1).press("ArrowRight")
    expect(row.nth(2)).to_have_attribute("aria-label", "3. red pig")
    expect(row.nth(2)).to_be_focused()
    row.nth(0).tap()
    expect(row.nth(4)).to_have_attribute("aria-label", "pink pig")
    expect(go).to_be_disabled()
    row.nth(4).tap()
    go.tap()
    expect(ada.locator("[data-way=play]")).to_be_visible()
    assert host.table["state"]["progress"] == {"blue": 0, "red": -1, "green": -2, "yellow": -3, "pink": -4}


def test_a_tap_right_after_a_fast_drag_counts(host: Client, home: str, guests: Guests) -> None:
    host.begin()
    ada = join(guests, host, home, 0, has_touch=True)
    row = ada.locator("[data-way=line-up] [data-choice]")
    screen = ada.context.new_cdp_session(ada)
    touch(screen, "touchStart", *middle(row.nth(4)))
    swipe(screen, middle(row.nth(4)), middle(row.nth(0)))
    screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    screen.detach()
    expect(row.nth(0)).to_have_attribute("aria-label", "1. pink pig")
    ada.locator("#go").tap()
    expect(ada.locator("[data-way=play]")).to_be_visible()
    assert host.table["state"]["progress"]["pink"] == 0


def test_nothing_is_drawn_anew_under_a_finger_because_others_join(
    host: Client, home: str, guests: Guests
) -> None:
    host.begin()
    ada = join(guests, host, home, 0)
    ada.evaluate("document.addEventListener('view', event => { window.seats = event.detail.seats })")
    way = ada.locator("[data-way=line-up]").element_handle()
    join(guests, host, home, 1)
    wait_until(ada, "window.seats?.[1].joined")
    assert way.evaluate("way => way.isConnected")


def test_a_set_unknown_to_the_companion_is_put_together(host: Client, home: str, guests: Guests) -> None:
    host.begin("greyhounds", HOUNDS)
    ada = join(guests, host, home, 0)
    for card in (1, 2, 3, 11, 12):
        ada.locator(f"[data-choice='{card}']").click()
    expect(ada.locator("#go")).to_be_disabled()
    ada.locator("[data-choice='13']").click()
    ada.locator("#go").click()
    expect(ada.locator("#big")).to_have_text("wait for Ben and Cleo")


def test_the_host_frees_a_seat(host: Client, home: str, guests: Guests) -> None:
    """The phone that had the seat sees at once that it is free, and nothing else of it."""
    hounds(host)
    ada = join(guests, host, home, 0)
    held(ada, ada.locator("#hold"))
    page = guests.open(f"{home}/host", 412, 915)
    page.locator("[name=pin]").fill(PIN)
    page.locator("[name=pin]").press("Enter")
    expect(page.locator("#seating-code")).to_have_text(host.get("/api/join")["code"])
    row = page.locator("#seating-list [data-seat='0']")
    expect(row).to_contain_text("on a phone")
    row.locator("[data-action=free]").click()
    expect(row).to_contain_text("no phone")
    seat = ada.locator("#seat-list [data-seat='0']")
    expect(seat).to_be_visible()
    expect(seat).to_be_enabled()
    assert ada.locator("#slip").inner_html() == ""


def test_the_host_renames_a_seat_in_play(host: Client, home: str, guests: Guests) -> None:
    """The host types over the name; another seat's name is refused and undone."""
    guests.forgive("status of 400")
    hounds(host)
    watcher = guests.open(f"{home}/watch")
    page = guests.open(f"{home}/host", 360, 640)
    page.locator("[name=pin]").fill(PIN)
    page.locator("[name=pin]").press("Enter")
    name = page.locator("#seating-list").get_by_label("name of seat 1")
    name.fill("Grandma Zoë")
    name.press("Enter")
    expect(watcher.locator("#stand-list")).to_contain_text("Grandma Zoë")
    expect(page.locator("#run-seats")).to_contain_text("Grandma Zoë")
    name.fill("Ben")
    name.press("Enter")
    expect(page.locator("#toast")).to_have_text("two seats have the same name")
    expect(name).to_have_value("Grandma Zoë")


def test_a_phone_is_whole_again_without_a_reload(host: Client, home: str, guests: Guests) -> None:
    guests.forgive("net::ERR_")
    hounds(host)
    ada = join(guests, host, home, 0)
    held(ada, ada.locator("#hold"))
    ada.locator("#slip .ownset").first.click()
    ada.locator("#go").click()
    expect(ada.locator("#big")).to_have_text("wait for Ben and Cleo")
    ada.evaluate("window.here = 'since the first load'")
    ada.evaluate("Object.defineProperty(document, 'hidden', {configurable: true, get: () => true})")
    ada.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    cut_off(ada)
    ada.evaluate("Object.defineProperty(document, 'hidden', {configurable: true, get: () => false})")
    ada.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(ada.locator("#stale")).to_be_visible()
    show_sets(host, 1)
    ada.context.set_offline(False)
    expect(ada.locator("#stale")).to_be_hidden()
    expect(ada.locator("#big")).to_have_text("wait for Cleo")
    assert ada.evaluate("window.here") == "since the first load"


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_it_fits_a_small_phone(scheme: str, host: Client, home: str, guests: Guests) -> None:
    """Nothing is wider than the phone, and each button is large enough for a thumb."""
    nicknames = dict(
        zip(("red", "blue", "brown", "green"), ("W" * 24, "X" * 24, "Y" * 24, "Z" * 24), strict=True)
    )
    host.begin("greyhounds", ("Maximiliane-Charlotte von und zu Hohenfels"[:40], "Ben", "Cleo"), deal="companion", nicknames=nicknames)  # fmt: skip
    ada = join(guests, host, home, 0, color_scheme=scheme)
    for state in ("show", "bet", "play"):
        if state == "bet":
            show_sets(host, 1, 2)
            ada.locator("#slip .ownset").first.click()
            ada.locator("#go").click()
            expect(ada.locator("#cover")).to_be_visible()
        if state == "play":
            bets = [{"kind": "double", "dogs": ["red", "blue"], "stake": 500}]
            ada.evaluate(DECIDE, [host.table["seq"], {"do": "bet", "seat": 0, "bets": bets}])
            for seat in (1, 2):
                host.decide(do="bet", seat=seat, bets=bets)
            expect(ada.locator("#stage-text")).to_contain_text("turn 1")
            ada.keyboard.press("Escape")
        held(ada, ada.locator("#hold"))
        expect(ada.locator("#slip button").first).to_be_visible()
        assert ada.evaluate("document.scrollingElement.scrollWidth") <= PHONE[0], state
        small = ada.evaluate(SMALL)
        assert not small, f"{state}: {small}"


DECIDE = """([seq, decision]) => fetch("/api/decide", {method: "POST", headers: {"Content-Type": "application/json"},
  body: JSON.stringify({seq, decision})})"""
SMALL = """() => [...document.querySelectorAll("main button, footer button")].filter(b => b.offsetParent
  && (b.clientHeight < 46 || b.clientWidth < 46)).map(b => b.outerHTML)"""


# --- what is public, from this seat's side -------------------------------------------------------


def test_the_page_says_who_i_am_how_i_stand_and_how_long_till_me(
    host: Client, home: str, guests: Guests
) -> None:
    """The page has place and food, the turns that come before, and the course."""
    host.begin(seats=HOUNDS)
    cleo = join(guests, host, home, 2)
    expect(cleo.locator("#until")).to_have_text("2 turns till yours: Ada, Ben")
    host.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow", "pink"])
    host.decide(do="play", seat=0, card="red")
    expect(cleo.locator("#until")).to_have_text("you are next")
    expect(cleo.locator(".myplace")).to_have_attribute("aria-label", "Cleo: place 1 of 3")
    host.decide(do="play", seat=1, card="red")
    expect(cleo.locator("#until")).to_be_hidden()
    host.decide(do="play", seat=2, card="red")
    expect(cleo.locator("#mine [data-provisional='1']")).to_be_visible()
    expect(cleo.locator("#mine [data-score='0']")).to_be_visible()
    expect(cleo.locator("#track [data-piece=red], #track .red").first).to_be_visible()


FELT = "navigator.vibrate = how => (window.felt ??= []).push(how);"
SHORT = {"finish": 12, "natural": [], "sand": [1, 3, 5, 7, 9, 11]}


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_what_a_round_meant_is_said_and_felt_once(
    motion: str, host: Client, home: str, guests: Guests
) -> None:
    """The result is written once and felt once, but not with reduced motion.

    At the end of the game nothing is covered any longer.
    """
    host.begin("giro-galoppo", ("Ada", "Ben"), options={"board": SHORT})
    for space in (1, 3, 5, 7, 9):
        host.decide(do="place-obstacle", seat=host.table["next"]["seats"][0], space=space)
    ada = join(guests, host, home, 0, reduced_motion=motion)
    ada.evaluate(FELT)
    expect(ada.locator("#meant")).to_be_hidden()
    held(ada, ada.locator("#hold"))
    brings = ada.locator("#slip .brings")
    expect(brings).to_have_text(
        ["obstacle", "2, in front", "obstacle", "4, in front", "obstacle", "6, in front"]
    )
    expect(ada.locator(".myplace")).to_have_count(0)  # all are in the gate
    for cards, said in (
        ((6, 5), "You move to 6"),
        ((5, 3), "You move to 11"),
        ((4, 1), "You win, by 15 spaces"),
    ):
        for seat, card in enumerate(cards):
            host.decide(do="play", seat=seat, card=card)
        expect(ada.locator("#meant")).to_have_text(said)
        expect(ada.locator(".myplace")).to_have_attribute("aria-label", "Ada: place 1 of 2")
    for covered in ("#hold", "#cover", "#slip"):
        expect(ada.locator(covered)).to_be_hidden()
    assert ada.evaluate("window.felt ?? []").count(60) == (3 if motion == "no-preference" else 0)


SIZES = ((844, 390), (740, 360), (360, 640), (390, 844), (180, 320))


def test_a_phone_across_is_used_and_not_cut(host: Client, home: str, guests: Guests) -> None:
    """The bar is under the thumb and nothing is wider than the screen, also with letters twice as large."""
    hounds(host)
    show_sets(host, 0, 1, 2)
    ada = join(guests, host, home, 0)
    bar = ada.locator("#hold")
    for width, height in SIZES:
        ada.set_viewport_size({"width": width, "height": height})
        expect(bar).to_be_in_viewport(ratio=1)
        if width > height:
            assert middle(bar)[0] > width / 2
            assert middle(bar)[1] > height / 2
            expect(ada.locator("#course")).to_be_in_viewport(ratio=0.9)
        held(ada, bar)
        expect(ada.locator("#slip button").first).to_be_visible()
        assert ada.evaluate("document.scrollingElement.scrollWidth") <= width, (width, height)
        ada.keyboard.press("Escape")


# --- hold to look, on the table page -------------------------------------------------------------


def test_the_table_holds_a_seat_without_a_phone_open(host: Client, home: str, guests: Guests) -> None:
    """The secret is fetched while the button is held and removed when it is released.

    A seat with a phone has no button.
    """
    hounds(host)
    table = guests.open(f"{home}/")
    join(guests, host, home, 0)
    expect(table.locator("[data-hold]")).to_have_count(2)
    bar, box = table.locator("[data-hold='1']"), table.locator("#held")
    with pressed(table, bar):
        expect(box.locator(".ownset").first).to_be_visible()
    expect(box).to_be_hidden()
    assert box.inner_html() == ""
    held(table, bar)
    box.locator(".ownset").first.click()
    box.locator("[data-action=decide-held]").click()
    expect(box).to_be_hidden()
    assert box.inner_html() == ""
    expect(table.locator("[data-hold]")).to_have_count(1)
    assert host.table["next"] == {"do": "show", "seats": [0, 2]}


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1024, 768), (800, 1280)])
def test_the_course_stays_in_sight(width: int, height: int, host: Client, home: str, guests: Guests) -> None:
    """An open slip is next to or below the course, and below the bars that hold it open."""
    hounds(host)
    show_sets(host, 0, 1, 2)
    table = guests.open(f"{home}/", width, height)
    bar = table.locator("[data-hold='1']")
    held(table, bar)
    open_, course = table.locator("#held").bounding_box(), table.locator("#track").bounding_box()
    assert open_ is not None
    assert course is not None
    assert open_["x"] >= course["x"] + course["width"] or open_["y"] >= course["y"] + course["height"]
    expect(bar).to_be_in_viewport(ratio=1)
    more = table.locator("#held [data-bet=double] [data-stake=more]")
    more.scroll_into_view_if_needed()
    table.locator("#held [data-bet=win] [data-stake=more]").click()


def test_what_others_do_draws_nothing_anew_that_is_held_open(host: Client, home: str, guests: Guests) -> None:
    """A player joins by phone meanwhile: the button under the finger stays the same element."""
    hounds(host)
    table = guests.open(f"{home}/")
    held(table, table.locator("[data-hold='1']"))
    one = table.locator("#held .ownset").first.element_handle()
    with table.expect_response("**/api/seat/page?seat=1") as answer:
        join(guests, host, home, 0)
        expect(table.locator("[data-hold='0']")).to_have_count(0)
    answer.value.finished()
    table.evaluate("() => new Promise(requestAnimationFrame)")
    assert one.evaluate("one => one.isConnected")


def test_it_is_held_open_by_the_space_key_too(host: Client, home: str, guests: Guests) -> None:
    hounds(host)
    table = guests.open(f"{home}/")
    bar, box = table.locator("[data-hold='1']"), table.locator("#held")
    expect(bar).to_be_visible()
    bar.focus()
    table.keyboard.down(" ")
    expect(box.locator(".ownset").first).to_be_visible()
    table.keyboard.up(" ")
    expect(box).to_be_hidden()
    table.keyboard.down(" ")
    expect(bar).to_contain_text("Hide")
    table.keyboard.up(" ")
    expect(box.locator(".ownset").first).to_be_focused()
    table.keyboard.press("Enter")
    expect(box.locator(".ownset").first).to_have_attribute("aria-pressed", "true")
    box.locator("[data-action=decide-held]").focus()
    table.keyboard.press("Enter")
    expect(box).to_be_hidden()
    assert host.table["next"] == {"do": "show", "seats": [0, 2]}


def test_a_second_finger_chooses_while_the_first_one_holds(host: Client, home: str, guests: Guests) -> None:
    hounds(host)
    table = guests.open(f"{home}/", has_touch=True)
    bar, box = table.locator("[data-hold='1']"), table.locator("#held")
    screen = table.context.new_cdp_session(table)
    thumb = dict(zip("xy", middle(bar), strict=True))
    touch(screen, "touchStart", **thumb)
    expect(box.locator(".ownset").first).to_be_visible()
    for what in (box.locator(".ownset").first, box.locator("[data-action=decide-held]")):
        expect(what).to_be_visible()
        finger = dict(zip("xy", middle(what), strict=True))
        points = [{**thumb, "id": 0}, {**finger, "id": 1}]
        screen.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
        screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": points[1:]})
    expect(box).to_be_hidden()
    screen.detach()
    assert host.table["next"] == {"do": "show", "seats": [0, 2]}


def test_a_finger_slides_from_the_bar_to_a_set(host: Client, home: str, guests: Guests) -> None:
    """Two touches decide a secret: hold, slide and release on a set, then OK.

    Released elsewhere, all is covered again.
    """
    hounds(host)
    ada = join(guests, host, home, 0, has_touch=True)
    bar, sets = ada.locator("#hold"), ada.locator("#slip .ownset")
    screen = ada.context.new_cdp_session(ada)
    for what, chosen in ((ada.locator("#name"), 0), (sets.nth(1), 1)):
        touch(screen, "touchStart", *middle(bar))
        expect(sets).to_have_count(3)
        swipe(screen, middle(bar), middle(what))
        screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(sets).to_have_count(3 * chosen)
        expect(ada.locator("#slip [aria-pressed=true]")).to_have_count(chosen)
    text = sets.nth(1).get_attribute("data-choice")
    ada.locator("#go").tap()  # Chromium takes the first tap after a fast swipe for what stops it
    expect(ada.locator("#cover")).to_be_visible()
    screen.detach()
    assert host.table["next"] == {"do": "show", "seats": [1, 2]}
    assert text
    assert text.replace(" ", ", ") in str(host.get("/api/table"))


def test_the_table_shows_the_code_while_a_seat_has_no_phone(host: Client, home: str, guests: Guests) -> None:
    hounds(host)
    table = guests.open(f"{home}/")
    text, qr = table.locator("[data-join-text]"), table.locator("[data-join] img")
    expect(text).to_have_text(f"scan to take your seat: {host.get('/api/join')['code']}")
    expect(qr).to_have_attribute("src", re.compile(r"^qr\.svg\?at=[\d.:]+&to=seat$"))
    for seat in range(3):
        join(guests, host, home, seat)
    expect(text).to_have_text("scan to watch")
    expect(qr).to_have_attribute("src", re.compile(r"^qr\.svg\?at=[\d.:]+$"))


def test_the_code_is_shown_large_after_the_one_of_the_wifi(host: Client, home: str, guests: Guests) -> None:
    """One press shows both codes, another one returns to the race; keys do too."""
    hounds(host)
    leader = guests.open(f"{home}/host", 390, 844)
    leader.locator("[data-testid=pin]").fill(PIN)
    leader.locator("[data-action=unlock-send]").click()
    leader.locator("#more > summary").click()
    leader.locator("#wifi summary").click()
    leader.locator("#wifi [name=name]").fill("Haus am See")
    leader.locator("#wifi [name=password]").fill("geheim123")
    leader.locator("[data-action=wifi-keep]").click()
    expect(leader.locator("[data-wifi-name]")).to_have_text("Haus am See")
    table = guests.open(f"{home}/")
    opens, codes = table.locator("#side [data-action=join]"), table.locator("#joining img")
    expect(opens).to_be_visible()  # the key goes nowhere before
    opens.press("Enter")
    expect(codes).to_have_count(2)
    sources = [code.get_attribute("src") or "" for code in codes.all()]
    assert [source.partition("&")[2] for source in sources] == ["to=wifi", "to=seat"]
    expect(table.locator("#joining")).to_contain_text(host.get("/api/join")["code"])
    table.keyboard.press("Escape")
    expect(table.locator("#joining")).to_be_hidden()
    expect(opens).to_be_focused()


def test_a_hand_is_held_in_any_order(host: Client, home: str, guests: Guests) -> None:
    """Cards are dragged or moved by arrow keys; a reload keeps the order, and one press sorts them again."""
    host.begin("giro-galoppo", ("Ada", "Ben"))
    for space in (22, 25, 9, 4, 18):
        host.decide(do="place-obstacle", seat=host.table["next"]["seats"][0], space=space)
    phone = join(guests, host, home, 0)
    cards, bar = phone.locator("#slip .owncard > b"), phone.locator("#hold")
    held(phone, bar)
    expect(cards).to_have_text(["1", "2", "3", "4", "5", "6"])
    phone.mouse.move(*middle(cards.nth(0)))
    phone.mouse.down()
    phone.mouse.move(*middle(cards.nth(2)), steps=4)
    phone.mouse.up()
    expect(cards).to_have_text(["2", "3", "1", "4", "5", "6"])
    buttons = phone.locator("#slip .owncard")
    buttons.nth(5).press("ArrowLeft")
    expect(cards).to_have_text(["2", "3", "1", "4", "6", "5"])
    expect(buttons.nth(4)).to_be_focused()
    phone.reload()
    held(phone, bar)
    expect(cards).to_have_text(["2", "3", "1", "4", "6", "5"])
    phone.locator("[data-action=sort-hand]").click()
    expect(cards).to_have_text(["1", "2", "3", "4", "5", "6"])
