"""How long pieces must stand before it counts: where they should, where they should not, and in passing."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.referee.tagged import BLINK, STRAY_STILL, TRACK_STILL
from tests.support.evening import UID, Evening


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """Return an evening where red is to move from the line to space 1."""
    evening = Evening(tmp_path)
    evening.line_up()
    evening.lay("red 1", wait=0.2)
    assert evening.todo == ["move the red pig from start to 1!"]
    return evening


def test_a_piece_that_stands_where_it_should_counts_soon(evening: Evening) -> None:
    evening.put("red", 1, wait=TRACK_STILL - 0.01)
    assert evening.todo == ["move the red pig to 1!"]
    evening.wait(0.02)
    assert evening.todo == []


def test_spaces_touched_in_counting_are_not_reported(evening: Evening) -> None:
    """Each is reported for as long as a sweep; the card that waits is not played in between."""
    for space in (1, 2, 3):
        evening.put("red", space, wait=0.5)
        assert all(task.endswith("!") for task in evening.todo)
        assert evening.race.layout()["red"].space == 1
    assert not evening.alerts


def test_another_piece_touched_or_slipped_is_not_reported(evening: Evening) -> None:
    """Only what stands on a wrong space for longer than a hand takes to see it is reported."""
    evening.put("red", 1)
    assert evening.todo == []
    evening.put("blue", 5, wait=STRAY_STILL - 0.01)
    assert evening.todo == []
    evening.wait(0.02)
    assert evening.todo == ["move the blue pig from 5 to 21!"]
    evening.put("blue", 21)
    assert evening.todo == []


def test_a_stranger_is_reported_once_it_stays(evening: Evening) -> None:
    evening.on_track[UID["galloping-horse/piece/red"]] = 9
    evening.show_track()
    evening.wait(STRAY_STILL - 0.01)
    assert evening.alerts == []
    evening.wait(0.02)
    assert evening.alerts == ["a piece of another game stands on 9: take it away"]


def test_a_stray_piece_holds_the_next_card_back_from_the_first_moment(evening: Evening) -> None:
    """No report yet is no agreement: a card laid meanwhile waits."""
    evening.put("red", 1)
    evening.lift("red 1")
    evening.put("blue", 5, wait=0.1)
    evening.lay("red 2", wait=0.3)
    assert evening.played == "red"
    assert evening.alerts == []
    evening.put("blue", 21, wait=TRACK_STILL + 0.01)
    assert evening.played == "red red"


@pytest.mark.parametrize("gone", [0.1, BLINK - 0.01])
def test_a_piece_that_is_lost_for_a_blink_never_left(evening: Evening, gone: float) -> None:
    """Readers miss one now and then: neither while it is lost nor when it is back has a card to wait."""
    evening.put("red", 1)
    evening.lift("red 1")
    evening.put("blue", None, wait=gone)
    assert evening.todo == []
    evening.lay("red 2", wait=0.0)
    evening.put("blue", 21, wait=0.15)
    assert evening.played == "red red"


def test_a_piece_that_is_lifted_holds_the_next_card_back(evening: Evening) -> None:
    """Longer than a blink it is in a player's hand; set down again it must come to rest."""
    evening.put("red", 1)
    evening.lift("red 1")
    evening.put("blue", None, wait=BLINK)
    evening.lay("red 2", wait=0.3)
    assert evening.played == "red"
    evening.put("blue", 21, wait=TRACK_STILL - 0.01)
    assert evening.played == "red"
    evening.wait(0.02)
    assert evening.played == "red red"


@pytest.mark.parametrize("meanwhile", [None, 2])
def test_a_blink_costs_no_time(evening: Evening, meanwhile: int | None) -> None:
    """Lost, or heard by the reader next door, before it came to rest: it stands since it was set down."""
    evening.put("red", 1, wait=TRACK_STILL / 2)
    evening.put("red", meanwhile, wait=BLINK / 4)
    evening.put("red", 1, wait=TRACK_STILL / 2)
    assert evening.todo == []


def test_a_piece_that_went_and_came_back_stands_anew(evening: Evening) -> None:
    evening.put("red", 1, wait=TRACK_STILL / 2)
    evening.put("red", None, wait=BLINK)
    evening.put("red", 1, wait=TRACK_STILL - 0.01)
    assert evening.todo == ["move the red pig to 1!"]


def test_a_piece_that_passed_and_comes_back_stands_anew(evening: Evening) -> None:
    """A piece that slides over its space to the next and back stands anew: its times do not add up."""
    evening.put("red", 1, wait=0.03)
    evening.put("red", 2, wait=0.27)
    evening.put("red", 1, wait=TRACK_STILL - 0.01)
    assert evening.todo == ["move the red pig to 1!"]
    evening.wait(0.02)
    assert evening.todo == []
