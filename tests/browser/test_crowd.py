"""Viewers pick favourites and cheer on their phones, and the table page shows the cheers.

Only here: a cheer that covers the course or is not drawn, or a favourite that a phone does not settle.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from companion.match.record import decision_line
from tests.browser.conftest import Guests
from tests.support.browser.law import LAW
from tests.support.client import Client
from tests.support.moments import Story

pytestmark = [pytest.mark.browser, pytest.mark.long]

HORSES = ("red", "blue", "green", "yellow")


@pytest.fixture
def settings() -> str:
    return 'pad = false\npanel = false\n[track]\nkind = "none"\n'


def begin(host: Client) -> None:
    host.begin("galloping-horse", ("Ada", "Ben"), options={"rounds": 1})


def play(host: Client, first: int, last: int) -> None:
    """Play these cards of the game, which has fourteen."""
    for turn in range(first, last):
        host.decide(do="play", seat=turn % 2, card=HORSES[turn // 4])


def line_up(host: Client) -> None:
    host.decide(do="line-up", seat=0, order=list(HORSES))


def test_a_favourite_is_picked_and_settled(host: Client, home: str, guests: Guests) -> None:
    """A favourite is picked by a touch before the first card, with a nickname.

    At the end both pages have the tipsters' table.
    """
    begin(host)
    phone, table = guests.open(f"{home}/watch", 360, 640), guests.open(f"{home}/")
    ben = phone.locator("[data-action=favourite]", has_text="Ben")
    ben.click()
    expect(ben).to_have_attribute("aria-pressed", "true")
    phone.locator("#nickname").fill("Lucky Ann")
    phone.locator(".naming button").click()
    expect(phone.locator("[data-panel=tipsters]")).to_contain_text("Lucky Ann")
    line_up(host)
    play(host, 0, 1)
    expect(phone.locator(".mine")).to_contain_text("Ben")
    expect(phone.locator("[data-action=favourite]")).to_have_count(0)
    assert phone.evaluate("document.scrollingElement.scrollWidth") <= 360
    play(host, 1, 14)
    expect(phone.locator(".mine :is(.gain, .loss)")).to_be_visible()
    expect(phone.locator("[data-cheer]")).to_have_count(0)
    expect(phone.locator("[data-panel=tipsters] tbody td")).to_have_count(3)
    late = guests.open(f"{home}/watch", 360, 640)
    expect(late.locator("#crowd [data-panel=tipsters]")).to_be_visible()
    expect(late.locator("#crowd .panel.crowd")).to_have_count(0)
    expect(table.locator("[data-panel=tipsters], [data-open=tipsters]").first).to_be_attached()


def test_each_race_of_greyhounds_has_a_favourite_dog(host: Client, home: str, guests: Guests) -> None:
    """A narrow phone offers all four dogs, also the one that runs for no player.

    Race 1 is settled when race 2 begins.
    """
    story = Story("greyhounds", ("Ada", "Ben", "Cleo"), 6)
    host.begin(story.game, story.seats)
    phone = guests.open(f"{home}/watch", 360, 640)
    brown = phone.locator("[data-action=favourite][data-card=brown]")
    expect(phone.locator("#crowd-title")).to_contain_text("Race 1")
    alike = phone.get_by_text("They all pay the same until the sets are shown.")
    expect(alike).to_be_visible()
    brown.click()
    expect(brown).to_have_attribute("aria-pressed", "true")
    for turn in story.match.turns[: story.where(lambda before, _: before.state()["race"] == 2)]:
        host.decide(**decision_line(story.match.opening, turn.decision))
    expect(phone.locator("#crowd-title")).to_contain_text("Race 2")
    expect(phone.locator("#crowd .mine")).to_contain_text("brown")
    expect(phone.locator("#crowd :is(.gain, .loss)")).to_be_visible()
    expect(brown).to_have_attribute("aria-pressed", "false")
    assert phone.evaluate("document.scrollingElement.scrollWidth") <= 360
    brown.click()
    expect(brown).to_have_attribute("aria-pressed", "true")


def cheer(phone: Page) -> None:
    with phone.expect_response("**/api/cheer") as answer:
        phone.locator("[data-cheer=rosette]").click()
    assert answer.value.ok


def test_cheers_rise_in_the_infield_unless_the_device_is_quiet(
    host: Client, home: str, guests: Guests
) -> None:
    """A cheer stays in the infield, cannot be touched and is hidden from screen readers.

    It breaks no layout law and redraws nothing else.
    """
    begin(host)
    line_up(host)
    phone, table = guests.open(f"{home}/watch", 360, 640), guests.open(f"{home}/")
    table.emulate_media(reduced_motion="no-preference")
    expect(table.locator("#stand-list li")).to_have_count(2)
    table.evaluate("""document.addEventListener("view", () => { window.views = (window.views ?? 0) + 1 })""")
    table.evaluate(
        """new MutationObserver(all => {
             window.risen = (window.risen ?? 0) + all.flatMap(one => [...one.addedNodes]).filter(
               el => el.matches?.(".cheers span")).length;
           }).observe(document.querySelector("#stage"), { childList: true, subtree: true })"""
    )
    cheer(phone)
    air = table.locator("#course > .cheers[aria-hidden=true]")
    expect(air).to_be_attached()
    expect(air).to_have_css("pointer-events", "none")  # its style is loaded with it
    table.wait_for_function("() => window.risen >= 1")
    assert table.evaluate(LAW) == []
    quiet = table.locator("[data-action=cheers]")
    quiet.click()
    expect(quiet).to_have_attribute("aria-pressed", "true")
    expect(table.locator(".cheers span")).to_have_count(0)
    with table.expect_event("console", lambda said: said.text == "cheered"):
        table.evaluate("""document.addEventListener("cheers", () => console.log("cheered"))""")
        cheer(phone)
    expect(table.locator(".cheers span")).to_have_count(0)


OUT_OF_BREATH = """async () => {
  const body = JSON.stringify({ sign: "heart", seat: null, piece: null });
  const of = { method: "POST", headers: { "Content-Type": "application/json" }, body };
  await Promise.all([1, 2, 3, 4].map(() => fetch("api/cheer", of)));
  document.querySelector("[data-cheer=heart]").click();
}"""


def test_too_much_cheering_is_no_fault(host: Client, home: str, guests: Guests) -> None:
    """The message after too many cheers looks like a hint, not like an error."""
    host.begin()
    guests.forgive(r"watch: .* 429 ")
    phone = guests.open(f"{home}/watch", 390, 844)
    cheer(phone)
    while True:  # on a busy machine breath comes back between two cheers
        with phone.expect_response(lambda answer: "api/cheer" in answer.url and answer.status == 429):
            phone.evaluate(OUT_OF_BREATH)
        if phone.locator("#toast").is_visible():
            break
    expect(phone.locator("#toast")).to_contain_text("take a breath")
    expect(phone.locator("#toast")).to_have_attribute("data-tone", "told")


@pytest.mark.parametrize("seats", [("Ada", "Ben", "Cleo"), ("Ada", "Ben", "Cleo", "Dev")])
def test_cheers_rise_however_wide_the_board_is(
    seats: tuple[str, ...], host: Client, home: str, guests: Guests
) -> None:
    """Where the infield has no room, cheers rise in the column next to the course."""
    host.begin("galloping-pigs", seats)
    host.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow", "pink"])
    phone, table = guests.open(f"{home}/watch", 360, 640), guests.open(f"{home}/", 1280, 800)
    table.emulate_media(reduced_motion="no-preference")
    expect(table.locator("#board .tote")).to_be_visible()
    table.evaluate(
        """new MutationObserver(all => {
             window.risen ||= all.some(one => [...one.addedNodes].some(el => el.matches?.(".cheers span")));
           }).observe(document.querySelector("#stage"), { childList: true, subtree: true })"""
    )
    cheer(phone)
    table.wait_for_function("() => window.risen")


def test_the_host_switches_it_off(host: Client, home: str, guests: Guests) -> None:
    """After that the phones have nothing to press, until the host switches it on again."""
    begin(host)
    phone = guests.open(f"{home}/watch", 360, 640)
    expect(phone.locator("[data-cheer]")).to_have_count(5)
    host.post("/api/crowd", on=False)
    expect(phone.locator("[data-cheer]:visible, [data-action=favourite]:visible")).to_have_count(0)
    host.post("/api/crowd", on=True)
    expect(phone.locator("[data-cheer]:visible")).to_have_count(5)
