"""Greyhounds with tagged cards and dogs: sets shown card by card, dogs that share a space, dogs that are home."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.evening import Evening

SETS = {
    "red": (1, 2, 3, 18, 19, 20),
    "blue": (4, 5, 6, 15, 16, 17),
    "brown": (7, 8, 9, 12, 13, 14),
    "green": (1, 2, 10, 11, 12, 13),
}
WIN = [{"kind": "win", "dogs": ["red"], "stake": 500}]


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(
        tmp_path,
        "greyhounds",
        ("Ada", "Ben", "Cleo", "Dev"),
        options={"lap": 14},
        nicknames={"blue": "Not Yet"},
    )


def show(evening: Evening, colour: str) -> None:
    for number in SETS[colour]:
        evening.lay(f"{colour} {number}")
        evening.lift()


@pytest.fixture
def race(evening: Evening) -> Evening:
    """Return an evening where every set is shown and every bet is in."""
    for colour in SETS:
        show(evening, colour)
    for seat in range(4):
        evening.tap({"do": "bet", "seat": seat, "bets": WIN})
    return evening


def turn(evening: Evening, *cards: str) -> None:
    """Lay these cards, each when it is due, and put the dogs where they belong."""
    for card in cards:
        evening.lay(card)
        evening.lift()
    for dog, place in evening.race.layout().items():
        if dog not in evening.race.unsensed():
            evening.put(dog, place.space)


def test_a_set_is_shown_by_laying_its_cards_one_after_the_other(evening: Evening) -> None:
    for count, number in enumerate(SETS["red"][:5], 1):
        evening.lay(f"red {number}")
        evening.lift()
        assert len(evening.gathered[0]) == count
    evening.lay("red 20")
    assert evening.gathered == []
    assert shown(evening) == [(0, SETS["red"])]


def test_two_sets_may_grow_side_by_side(evening: Evening) -> None:
    for number in range(6):
        for colour in ("red", "blue"):
            evening.lay(f"{colour} {SETS[colour][number]}")
            evening.lift()
    assert shown(evening) == [(0, SETS["red"]), (1, SETS["blue"])]


def test_a_wrong_card_is_taken_back_by_laying_it_again(evening: Evening) -> None:
    for number in (1, 2, 4, 4, 3):
        evening.lay(f"red {number}")
        evening.lift()
    assert evening.gathered == [(1, 2, 3)]


def test_undo_takes_the_last_card_out_of_the_set_that_was_begun_last(evening: Evening) -> None:
    for card in ("red 1", "blue 4", "blue 5"):
        evening.lay(card)
        evening.lift()
    evening.press("undo")
    assert evening.gathered == [(1,), (4,)]


def test_undo_takes_back_the_last_card_of_a_set_first(evening: Evening) -> None:
    show(evening, "red")
    for number in (4, 5):
        evening.lay(f"blue {number}")
        evening.lift()
    evening.press("undo")
    assert evening.gathered == [(4,)]
    evening.press("undo")
    assert shown(evening) == [(0, SETS["red"])]
    evening.press("undo")
    assert shown(evening) == []


@pytest.mark.parametrize(
    ("laid", "card", "why"),
    [
        ((1, 2, 3), "red 4", "a set has 3 low cards and 3 high ones: 1 to 10, and 11 to 20"),
        ((), "galloping-pigs red 4", "that's a Galloping Pigs card: everyone: show a set of 6 cards"),
    ],
)
def test_a_card_that_fits_no_set_is_refused_and_the_others_stay(
    evening: Evening, laid: tuple[int, ...], card: str, why: str
) -> None:
    for number in laid:
        evening.lay(f"red {number}")
        evening.lift()
    evening.lay(card)
    assert evening.alerts == [why]
    assert evening.gathered == ([laid] if laid else [])


def test_a_set_that_is_half_shown_by_cards_may_be_finished_by_tap(evening: Evening) -> None:
    evening.lay("red 1")
    evening.lift()
    evening.tap({"do": "show", "seat": 0, "cards": list(SETS["red"])})
    assert evening.gathered == []
    assert shown(evening) == [(0, SETS["red"])]
    evening.press("undo")
    assert evening.gathered == [], "its cards are laid anew, in this race and in the next"


def test_a_set_shown_again_is_refused(evening: Evening) -> None:
    show(evening, "red")
    evening.lay("red 4")
    assert evening.alerts == ["Ada has shown a set for this race already"]


def test_a_card_before_the_bets_are_in_is_refused(evening: Evening) -> None:
    for colour in SETS:
        show(evening, colour)
    evening.lay("red 1")
    assert evening.alerts == ["no card is due now: everyone: place your bets"]


def test_the_card_that_showed_a_set_is_played_afterwards(race: Evening) -> None:
    turn(race, "red 20", "blue 17", "brown 14", "green 13")
    assert race.race.state()["progress"] == {"red": 3, "blue": 0, "brown": 0, "green": 0}
    assert race.todo == []


def test_a_card_of_another_set_is_refused(race: Evening) -> None:
    race.lay("red 4")
    assert race.alerts == ["Ada has not shown the 4 for this race"]


def test_a_played_card_comes_back_after_five(race: Evening) -> None:
    turn(race, "red 20", "blue 17", "brown 14", "green 13")
    race.lay("red 20")
    assert race.alerts == ["the 20 was played: it comes back when all 5 have been"]


def test_dogs_at_the_start_need_no_sensor_and_two_may_share_a_space(race: Evening) -> None:
    """Two 18s would move together: here red goes 3, then blue comes to stand next to it."""
    turn(race, "red 20", "blue 17", "brown 14", "green 13")
    turn(race, "red 1", "blue 16", "brown 13", "green 12")
    assert race.race.state()["progress"] == {"red": 3, "blue": 3, "brown": 0, "green": 0}
    assert race.todo == []
    assert race.alerts == []


def test_a_dog_next_to_its_space_holds_the_next_card(race: Evening) -> None:
    for card in ("red 20", "blue 17", "brown 14", "green 13"):
        race.lay(card)
        race.lift()
    race.put("red", 4)
    race.lay("red 1")
    assert race.alerts == ["the red card waits until the pieces stand right"]
    assert race.todo == ["move the red dog from 4 to 3!"]


def test_an_animal_is_called_by_its_name(race: Evening) -> None:
    turn(race, "red 1", "blue 17", "brown 14", "green 13")
    assert [news.kind for news in race.race.news if news.kind == "moved"] == ["moved"]
    race.put("blue", 9)
    assert race.todo == ["move Not Yet from 9 to 3!"]


def shown(evening: Evening) -> list[tuple[int | None, Any]]:
    assert evening.table.match is not None
    return [(d.seat, d.what) for d in evening.table.match.decisions() if d.do == "show"]
