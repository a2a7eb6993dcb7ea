"""Giro Galoppo with tagged cards and horses: turned over, laid in any order, put into order by the companion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from companion.translate import Words
from companion.views.table.page import page
from tests.support.evening import Evening

COLOURS = ("pink", "blue", "red")
OBSTACLES = (22, 25, 9, 4, 18)  # by Cleo, the youngest, and on clockwise


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """Return an evening: Ada has pink, Ben blue, Cleo red; the track senses spaces 1 to 22 of 28."""
    begun = Evening(tmp_path, "giro-galoppo", colours=COLOURS, nicknames={"pink": "Late Again"})
    for turn, space in enumerate(OBSTACLES):
        begun.tap({"do": "place-obstacle", "seat": (2 + turn) % 3, "space": space})
    begun.show_track()
    begun.wait()
    return begun


def play_round(evening: Evening, *cards: str) -> None:
    """Lay these cards one after the other, then take them all off again."""
    for card in cards:
        evening.lay(card)
    evening.lift()


def test_a_card_is_its_owners_from_any_hand(evening: Evening) -> None:
    assert evening.due == "everybody, choose a card: 3 to go"
    evening.lay("red 3")
    evening.lay("pink 1")
    assert [(d.seat, d.what) for d in evening.table.match.decisions() if d.do == "play"] == [(2, 3), (0, 1)]  # type: ignore[union-attr]
    assert evening.due == "Ben, choose a card: all others have chosen"


def test_the_companion_says_who_moves_first_and_where_to(evening: Evening) -> None:
    play_round(evening, "red 3", "pink 1", "blue 2")
    assert evening.todo == ["move Late Again to 1!", "move the blue horse to 2!", "move the red horse to 3!"]


def test_horses_put_down_in_another_order_are_fine(evening: Evening) -> None:
    play_round(evening, "red 3", "pink 1", "blue 2")
    for horse, space in (("red", 3), ("pink", 1), ("blue", 2)):
        evening.put(horse, space)
    assert evening.todo == []


def test_a_card_waits_until_the_horses_stand_right(evening: Evening) -> None:
    play_round(evening, "red 3", "pink 1", "blue 2")
    evening.put("red", 3)
    evening.lay("red 5")
    assert evening.alerts == ["the red card waits until the pieces stand right"]
    evening.put("pink", 1)
    evening.put("blue", 2)
    assert evening.race.secrets_of(2)["choice"] == 5


def test_a_horse_at_the_gate_needs_no_sensor(evening: Evening) -> None:
    """At an obstacle the horse stays where it is: in the gate, which nothing senses."""
    play_round(evening, "red 4", "pink 1", "blue 2")
    assert evening.todo == ["move Late Again to 1!", "move the blue horse to 2!"]


def test_a_horse_pushed_back_into_the_gate_is_to_leave_the_track(evening: Evening) -> None:
    play_round(evening, "red 3", "pink 1", "blue 2")
    for horse, space in (("red", 3), ("pink", 1), ("blue", 2)):
        evening.put(horse, space)
    play_round(evening, "red 1", "pink 2", "blue 6")
    assert "put the red horse" not in " ".join(evening.todo)


def test_spaces_behind_the_last_reader_are_not_compared(evening: Evening) -> None:
    """The board is longer than the track: there the horses are moved without anybody looking."""
    for _ in range(12):
        play_round(
            evening,
            *(
                f"{colour} {max(evening.race.secrets_of(seat)['hand'])}"
                for seat, colour in enumerate(COLOURS)
            ),
        )
        for horse, place in evening.race.layout().items():
            evening.put(horse, place.space if (place.space or 99) <= 22 else None)
        assert not [task for task in evening.todo if task.endswith("!")]
        if max(evening.race.progress) > 22:
            return
    pytest.fail("no horse came so far")


@pytest.mark.parametrize(
    ("card", "why"),
    [
        ("red 3", "Cleo has chosen already, and a card cannot be changed"),
        ("green 2", "nobody plays the horse of this card"),
        ("greyhounds red 2", "that's a Greyhounds card: everybody, choose a card: 2 to go"),
    ],
)
def test_a_wrong_card_is_refused_with_the_reason(evening: Evening, card: str, why: str) -> None:
    evening.lay("red 2")
    evening.lift()
    before = evening.table.match.decisions()  # type: ignore[union-attr]
    evening.lay(card)
    assert evening.alerts == [why]
    assert evening.table.match.decisions() == before  # type: ignore[union-attr]


def test_a_used_card_comes_back_after_six_rounds(evening: Evening) -> None:
    play_round(evening, "red 1", "pink 2", "blue 3")
    for horse, place in evening.race.layout().items():
        if place.space is not None:
            evening.put(horse, place.space)
    evening.lay("red 1")
    assert len(evening.alerts) == 1
    assert "Cleo" in evening.alerts[0]


def test_a_horse_that_takes_no_part_is_sent_away(evening: Evening) -> None:
    evening.put("green", 5)
    assert evening.alerts == ["the green horse takes no part in this game: take it off 5"]


def test_used_cards_are_shown_only_if_the_host_wants_it(evening: Evening) -> None:
    """All six can be tapped whether used or not; the switch survives a restart."""
    play_round(evening, "red 1", "pink 2", "blue 3")
    shown = to_builtins(page(evening.table.snapshot, Words.english()))
    assert [len(tap["choices"]) for tap in shown["actions"]["taps"]] == [6, 6, 6]
    assert [panel["name"] for panel in shown["panels"]] == ["order"]
    evening.table.show(used_cards=True)
    evening.restart()
    used = to_builtins(page(evening.table.snapshot, Words.english()))["panels"][-1]
    assert [plain(row[0]) + plain(row[1]) for row in used["rows"]] == ["Ada2", "Ben3", "Cleo1"]


def plain(parts: list[Any]) -> str:
    return "".join(part if isinstance(part, str) else part["text"] for part in parts)
