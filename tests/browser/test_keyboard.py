"""Whole games by keys alone, on the host's page, the table page, the virtual table and at a seat.

Every element that Tab reaches has a name and is visible; the focus never falls back to the top of the page
when the element is drawn anew.

Only here: a game that cannot be played by keys, or in which the focus is lost.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PIN, Guests
from tests.browser.test_greyhounds_page import bet
from tests.browser.test_odds_page import play
from tests.support.browser.chromium import wait_until
from tests.support.browser.gallery import DRAWN
from tests.support.browser.hands import LINE_UP
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]
long = pytest.mark.long

MOST_TABS = 80
NAMED = re.compile(r"\S")
NO_HARDWARE = 'pad = false\npanel = false\n[track]\nkind = "none"\n'
SENSED = ""
SHORT = {"finish": 12, "natural": [], "sand": [1, 3, 5, 7, 9, 11]}

REMEMBER = "document.addEventListener('view', event => { window.shown = event.detail })"
FOCUSED = "selector => document.activeElement.matches(selector)"
SOMEWHERE = "document.activeElement !== document.body"
COVERED = """() => {
  const el = document.activeElement, { left, top, width, height } = el.getBoundingClientRect();
  const x = left + width / 2, y = top + height / 2;
  if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return "out of sight";
  const over = document.elementFromPoint(x, y);
  return el.contains(over) || over?.contains(el) || el.labels?.[0]?.contains(over) ? "" : `under ${over.outerHTML.slice(0, 80)}`;
}"""


class Keys:
    """A person at a page who has a keyboard and nothing else."""

    def __init__(self, page: Page, host: Client) -> None:
        self.page, self.host, self.began = page, host, False
        page.add_init_script(REMEMBER)
        page.reload()

    def go_to(self, selector: str) -> None:
        """Press Tab until the focus is on it; it must be seen there and have a name."""
        self.began = True
        for _ in range(MOST_TABS):
            if self.page.evaluate(FOCUSED, selector):
                break
            self.page.keyboard.press("Tab")
        assert self.page.evaluate(FOCUSED, selector), f"{selector} is out of reach"
        covered = self.page.evaluate(COVERED)
        assert not covered, f"{selector} is {covered}"
        expect(self.page.locator(":focus")).to_have_accessible_name(NAMED)

    def enter(self, selector: str) -> None:
        self.go_to(selector)
        self.page.keyboard.press("Enter")

    def settled(self) -> None:
        """Wait until the page shows what the companion knows; assert that an element has the focus."""
        wait_until(self.page, "seq => window.shown?.seq >= seq", self.host.table["seq"])
        self.page.evaluate(DRAWN)
        if self.began:
            self.is_somewhere()

    def is_somewhere(self) -> None:
        """Wait until an element has the focus; for one frame after a drawing it may be on its way."""
        wait_until(self.page, SOMEWHERE)

    def decide(self, *selectors: str) -> None:
        """Press these one after the other: the last one decides something."""
        before = self.host.table["seq"]
        for selector in selectors:
            self.enter(selector)
            self.page.evaluate(DRAWN)
            self.is_somewhere()
        self.host.until(lambda table: table["seq"] > before)
        self.settled()

    def play_again(self) -> None:
        """Wait for the end of the finish, and begin another game of the same people by one press."""
        before = self.host.table["match"]["id"]
        expect(self.page.locator("[data-podium]")).to_be_visible()
        expect(self.page.locator("#again")).to_be_visible()
        self.enter("#again")
        self.host.until(lambda table: table["match"]["id"] != before)
        self.settled()


@pytest.fixture
def settings(request: pytest.FixtureRequest) -> str:
    return str(getattr(request, "param", NO_HARDWARE))


@long
@pytest.mark.parametrize("settings", [SENSED], indirect=True, ids=["sensed"])
def test_pigs_on_the_virtual_table(host: Client, home: str, guests: Guests) -> None:
    """Cards are laid on the pad, pigs moved where the page says, by keys; one round.

    Only here: a control of the virtual table, or a task to move a piece, that the keyboard cannot reach.
    """
    host.begin(options={"rounds": 1})
    mock = Keys(guests.open(f"{home}/mock"), host)
    mock.settled()  # the button is hidden until the page knows the state
    mock.enter("[data-action=line-up-pieces]")
    wait_until(mock.page, "!!window.shown.actions.confirm")
    mock.decide("[data-button=confirm]")
    turn = 0
    while host.table["next"]:
        mock.decide(f"[data-pile={LINE_UP[turn % 5]}]")
        turn += 1
        if host.table["todo"]:
            mock.enter("[data-action=todo]")
            host.until(lambda table: not table["todo"])
    Keys(guests.open(f"{home}/"), host).play_again()


@long
def test_horse_from_the_host_page_on(host: Client, home: str, guests: Guests) -> None:
    """Galloping Horse is started on the host's page and played by its taps, to the winner.

    The live region announces each step.

    Only here: a step from the host's form to the winner that needs a pointer, or that the live region does
    not announce.
    """
    page = guests.open(f"{home}/host")
    keys = Keys(page, host)
    keys.go_to("[name=pin]")
    page.keyboard.type(PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#new")).to_be_visible()
    keys.go_to("[name=game]")
    while page.evaluate("document.activeElement.value") != "galloping-horse":
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    for question in ("Who plays?", "Who is the youngest?", "Who has the cards?"):
        expect(page.locator("#new-title")).to_contain_text(question)
        keys.enter("[data-action=start].go, [data-action=question-next]:not([hidden])")
    expect(page.locator("#running")).to_be_visible()
    keys.settled()
    keys.enter("#running a[href='./']")
    page.wait_for_url(f"{home}/")
    big = page.locator("#big[aria-live=polite]")
    while (due := host.table["next"]) is not None:
        who = host.table["match"]["seats"][due["seats"][0]]
        expect(page.locator("#say")).to_contain_text(who)
        if due["do"] == "line-up":
            keys.decide("[data-action=line-up-any]", "[data-action=line-up-ok]")
        else:
            keys.decide("#taps [data-card]:not([disabled])")
    winner = min(host.table["standings"], key=lambda row: row["place"] or 99)
    expect(big).to_contain_text(str(winner["score"]))
    keys.play_again()


def seat(host: Client, home: str, guests: Guests) -> Keys:
    """Return Ada's phone: it has the code from the table, and takes the seat by keys."""
    phone = Keys(guests.open(f"{home}/seat?code={host.get('/api/join')['code']}", 390, 844), host)
    phone.enter("#seat-list [data-seat='0']")
    expect(phone.page.locator("#name")).to_have_text("Ada")
    phone.settled()
    return phone


def others(host: Client) -> None:
    """Decide for the seats that have other phones."""
    while (due := host.table["next"]) and (waiting := [s for s in due["seats"] if s != 0]):
        one = waiting[0]
        if due["do"] == "bet":
            bet(host, one)
            continue
        legal = host.get(f"/api/seat?seat={one}")["own"]["decisions"]
        host.decide(**(next(line for line in legal if line["do"] == due["do"])))


def look(phone: Keys) -> None:
    """Open what is secret, and assert that the focus is in it."""
    phone.enter("#hold[aria-expanded=false]")
    expect(phone.page.locator("#slip")).to_be_visible()
    assert phone.page.evaluate("document.querySelector('#slip').contains(document.activeElement)")


@long
def test_the_focus_goes_on_though_the_script_for_keys_comes_late(
    host: Client, home: str, guests: Guests
) -> None:
    """The script is loaded with the first key; the button that is pressed by then is gone when it comes.

    Only here: a focus that is lost on a slow network.
    """
    play(host, "galloping-pigs", lambda race: race.awaits() is None, rounds=1)
    keys = Keys(guests.open(f"{home}/"), host)
    held: list[Route] = []
    keys.page.route("**/keys.js*", lambda request: held.append(request))
    before = host.table["match"]["id"]
    keys.enter("#again")
    host.until(lambda table: table["match"]["id"] != before)
    wait_until(keys.page, "document.activeElement === document.body")
    for request in held:
        request.continue_()
    keys.settled()


@long
def test_giro_at_a_seat(host: Client, home: str, guests: Guests) -> None:
    """Obstacles and secret cards on the phone; each card says where it would land.

    Only here: an obstacle or a secret card of Giro Galoppo that the keyboard cannot choose on the phone.
    """
    host.begin("giro-galoppo", ("Ada", "Ben"), options={"board": SHORT}, deal="companion")
    phone = seat(host, home, guests)
    while due := host.table["next"]:
        if 0 not in due["seats"]:
            others(host)
            phone.settled()
        elif due["do"] == "place-obstacle":
            phone.decide("#open [data-choice]", "#go")
        else:
            look(phone)
            expect(phone.page.locator("#slip [data-choice]").first).to_have_accessible_name(
                re.compile(r"\d: ")
            )
            phone.decide("#slip [data-choice]", "#go")
    phone.settled()
    Keys(guests.open(f"{home}/"), host).play_again()


def decide_hounds(phone: Keys, do: str) -> None:
    """Decide on a set, on a bet to win and one on two dogs, or on a card."""
    look(phone)
    if do == "bet":
        phone.decide(
            "[data-bet=win] [data-dog]",
            "[data-bet=win] [data-stake=more]",
            "[data-bet=double] [data-dog]",
            "[data-bet=double] [data-dog][aria-pressed=false]",
            "#go",
        )
    elif do == "show":
        phone.decide("#slip .ownset[data-choice]", "#go")
    else:
        phone.decide("[data-way=play] [data-choice]", "#go")


@long
def test_greyhounds_at_a_seat(host: Client, home: str, guests: Guests) -> None:
    """Sets, bets and cards of three races are decided on the phone; the settlement opens leaf by leaf.

    Only here: a set, a bet slip or a leaf of the settlement that the keyboard cannot operate.
    """
    host.begin("greyhounds", ("Ada", "Ben", "Cleo"), options={"lap": 10}, deal="companion")
    phone, leafed = seat(host, home, guests), False
    while due := host.table["next"]:
        if 0 in due["seats"]:
            decide_hounds(phone, due["do"])
        others(host)
        phone.settled()
        if not leafed and host.table["state"]["race"] == 2:
            leafed = leaf_by_leaf(guests.open(f"{home}/"), host)
    phone.settled()
    Keys(guests.open(f"{home}/"), host).play_again()


def leaf_by_leaf(page: Page, host: Client) -> bool:
    """Turn the settlement of a race page by page, by the arrow keys; return whether there was one."""
    table = Keys(page, host)
    table.go_to("#board [role=tab]")
    for _ in range(page.locator("#board [role=tab]").count()):
        page.keyboard.press("ArrowRight")
        page.evaluate(DRAWN)
        assert page.evaluate(FOCUSED, "#board [role=tab][aria-selected=true]")
    page.close()
    return True


def test_the_focus_goes_on_with_the_game(host: Client, home: str, guests: Guests) -> None:
    """It goes from the line-up to the cards; where nothing is to be pressed any more, to the sentence."""
    host.begin("galloping-horse")
    table, phone = Keys(guests.open(f"{home}/"), host), seat(host, home, guests)
    table.decide("[data-action=line-up-any]", "[data-action=line-up-ok]")
    assert table.page.evaluate(FOCUSED, "#taps [data-card]")
    phone.settled()
    phone.decide("#open [data-choice]", "#go")
    assert phone.page.evaluate(FOCUSED, "#big")
    expect(phone.page.locator("#big")).to_have_text("wait for Ben")
