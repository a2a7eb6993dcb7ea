"""A game of each kind by the person's hands in every engine: taps, drags, the held bar, the finish.

Only here: an event, a drag or a form that works in Chromium alone.
"""

from __future__ import annotations

import random

import pytest

from companion.games.race import random_decision
from companion.match.record import Header, decision_line
from tests.engines.conftest import Person
from tests.support.browser.hands import LINE_UP
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.nightly]

PHONE = (390, 844)


def play_all(host: Client, game: str, seats: tuple[str, ...]) -> None:
    """Begin a game and play it to its end by the interface, the same one in every browser."""
    race, rng = Header(game, seats).opening(), random.Random(1)
    while (decision := random_decision(race, rng)) is not None:
        unseen = race.dealt_unseen()  # people deal: the companion does not hear of it
        if unseen is None:
            host.decide(**decision_line(race, decision))
        race = race.after(unseen or decision)
    assert host.table["next"] is None


def test_a_new_game_from_the_host_page(host: Client, person: Person) -> None:
    """Chosen, started and lined up by tap, with a card played and taken back."""
    person.open_host(*PHONE)
    person.touch(".tile > label", 0)
    person.touch("[data-action=start]")
    person.sees("#running, #dock")
    person.open("", 1280, 800)
    person.touch("#dock [data-action=line-up-any]")
    person.touch("#dock [data-action=line-up-ok]")
    person.sees("#dock [data-action=play]")
    before = host.table["seq"]
    person.touch("#dock [data-action=play]")
    host.until(lambda table: table["seq"] > before)
    person.touch("[data-action=undo]")
    host.until(lambda table: table["seq"] > before + 1)
    person.sees("#dock [data-action=play]")
    person.has_no_trouble()


def test_a_line_up_is_dragged(host: Client, person: Person) -> None:
    host.begin()
    person.open(f"seat?code={host.get('/api/join')['code']}", *PHONE)
    person.touch("#seat-list [data-seat='0']")
    row = "[data-way=line-up] [data-choice]"
    person.sees(row)
    person.drag(row, 4, 0)
    person.until(
        "return document.querySelector(arguments[0]).getAttribute('aria-label') === '1. pink pig'", row
    )
    person.touch("#go")
    person.sees("[data-way=play]")
    assert host.table["state"]["progress"]["pink"] == 0


def test_a_sealed_bet_on_a_phone(host: Client, person: Person) -> None:
    """The secret is on the page only while it is held; a bet is chosen, sealed and settled."""
    host.begin("greyhounds", ("Ida", "Jon", "Kim"), deal="companion")
    person.open(f"seat?code={host.get('/api/join')['code']}", *PHONE)
    person.touch("#seat-list [data-seat='0']")
    person.sees("#name", "Ida")
    assert person.screen.run("return document.querySelector('#slip').innerHTML") == ""
    person.hold("#hold")
    person.touch("#slip .ownset", 1)
    person.touch("#go")
    for seat in (1, 2):
        host.decide(**host.get(f"/api/seat?seat={seat}")["own"]["decisions"][0])
    person.sees("#hold")
    person.hold("#hold")
    person.touch("[data-bet=win] [data-dog]", 1)
    person.touch("#go")
    person.sees("#cover-title", "Sealed")
    assert person.screen.run("return document.querySelector('#slip').innerHTML") == ""
    person.has_no_trouble()


@pytest.mark.parametrize("game", ["galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds"])
def test_the_finish_and_the_way_back_to_it(game: str, host: Client, person: Person) -> None:
    """The table shows who has won; the history plays the race again; /tv and /watch say the same."""
    seats = ("Lea", "Max", "Nia")
    host.begin(game, seats)
    person.open("", 1280, 800)
    play_all(host, game, seats)
    person.has_no_trouble()
    person.open("", 1280, 800)  # a race of dogs is settled leaf by leaf before it says who has won
    person.sees("#look-back")
    path = person.screen.run("return document.querySelector('#look-back').getAttribute('href')")
    person.has_no_trouble()
    for page, size in (("watch", PHONE), ("tv", (1920, 1080))):
        person.open(page, *size)
        person.sees("#finish, #board")
        person.has_no_trouble()
    person.open(path, 1280, 800)
    person.sees("h1, h2")
    person.has_no_trouble()


def test_back_and_forward(host: Client, person: Person) -> None:
    """A page that comes back from the browser's memory is whole and follows the game."""
    host.begin(seats=("Lea", "Max"))
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    person.open("watch", *PHONE)
    person.sees("#stand-list li")
    person.open("rules/galloping-pigs", *PHONE)
    person.screen.run("setTimeout(function () { history.back(); }, 0)")
    person.sees("#stand-list li")
    host.decide(do="play", seat=0, card="pink")
    person.sees("#story-list li")
    person.has_no_trouble()
