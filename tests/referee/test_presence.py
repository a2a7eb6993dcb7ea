"""A track that only senses that something stands there: the referee with switches under the spaces."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

from companion.devices.readings import PartIs, TrackSeen
from companion.errors import ConflictError
from tests.support.evening import PIGS, UID, Evening

CHECK_ALL = "check the colours: each piece should stand where it is drawn"


def present(directory: Path, game: str = "galloping-pigs", **options: Any) -> Evening:
    evening = Evening(directory, game, kind="present", **options)
    evening.show_track()
    evening.wait()
    return evening


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """Return three at a track of switches and a pad, pigs at red 0, blue 21, green 20, yellow 19, pink 18."""
    evening = present(tmp_path)
    evening.line_up()
    return evening


def feel(evening: Evening, *more: int, unknown: tuple[int, ...] = ()) -> None:
    """Report the switches as if something closes `more` of them than the pieces do."""
    evening.closed_too, evening.silent = set(more), set(unknown)
    evening.show_track()
    evening.closed_too, evening.silent = set(), set()


def lift(evening: Evening, *pieces: str, wait: float = 1.0) -> None:
    for piece in pieces:
        evening.put(piece, None, wait=wait)


def hold_to_pad(evening: Evening, piece: str) -> None:
    """Hold a piece to the pad and take it away again."""
    evening.on_pad = {UID[f"{evening.game}/piece/{piece}"]}
    evening.show_pad()
    evening.wait()
    assert evening.alerts == []
    evening.on_pad = set()
    evening.show_pad()
    evening.wait(0.2)


# --- the line-up ---------------------------------------------------------------------------------


def test_pigs_on_the_line_up_spaces_are_who_the_tap_says(evening: Evening) -> None:
    assert evening.table.snapshot.seen == {"red": 0, "blue": 21, "green": 20, "yellow": 19, "pink": 18}
    assert (evening.todo, evening.alerts, evening.race.due) == ([], [], "play")


def test_pigs_without_a_name_are_not_offered(tmp_path: Path) -> None:
    evening = present(tmp_path)
    for place, piece in enumerate(PIGS):
        evening.put(piece, -place % 22)
    assert evening.table.snapshot.offer is None
    with pytest.raises(ConflictError, match="there is nothing to confirm"):
        evening.table.play.confirm(evening.table.snapshot.seq)


def test_pigs_held_to_the_pad_before_they_are_set_down_are_offered(tmp_path: Path) -> None:
    evening = present(tmp_path)
    for space, piece in ((18, "pink"), (21, "green"), (0, "blue"), (19, "red")):
        hold_to_pad(evening, piece)
        evening.put(piece, space)
    evening.put("yellow", 20)  # the last one is known without
    evening.press("confirm")
    assert evening.race.progress == {"blue": 0, "green": -1, "yellow": -2, "red": -3, "pink": -4}
    assert (evening.todo, evening.alerts) == ([], [])


def test_pigs_put_after_the_tap_are_taken_for_what_was_asked_for(tmp_path: Path) -> None:
    evening = present(tmp_path)
    evening.tap({"do": "line-up", "seat": 0, "order": list(PIGS)})
    assert len(evening.todo) == 5
    for place, piece in enumerate(PIGS):
        evening.put(piece, -place % 22)
    assert (evening.todo, evening.alerts) == ([], [])


@pytest.mark.parametrize("kind", ["tag", "present"])
def test_the_front_one_is_asked_for_first(tmp_path: Path, kind: Literal["tag", "present"]) -> None:
    evening = Evening(tmp_path, "galloping-pigs", kind=kind)
    evening.show_track()
    evening.wait()
    order = ["green", "pink", "red", "yellow", "blue"]
    evening.tap({"do": "line-up", "seat": 0, "order": order})
    places = ("start", "21", "20", "19", "18")
    asked = [f"put the {piece} pig on {place}" for piece, place in zip(order, places, strict=True)]
    assert [task.rstrip("!") for task in evening.todo] == asked


def test_a_pig_that_was_lined_up_next_to_its_space_is_reported(tmp_path: Path) -> None:
    evening = present(tmp_path)
    for place, piece in enumerate(PIGS):
        evening.put(piece, -place % 22 if piece != "pink" else 16)
    evening.tap({"do": "line-up", "seat": 0, "order": list(PIGS)})
    assert evening.todo == ["move the pink pig from 16 to 18!"]


def test_pigs_moved_one_by_one_to_the_next_line_up_are_known(tmp_path: Path) -> None:
    evening = present(tmp_path, seats=("Ada", "Ben"))
    evening.line_up()
    for number in range(1, 8):
        evening.play(f"red {number}")
        evening.play(f"blue {number}")
    assert evening.race.round == 2
    for space, piece in ((0, "blue"), (21, "red")):
        lift(evening, piece)
        evening.put(piece, space)
    offer = evening.table.snapshot.offer
    assert offer is not None
    assert offer.decision.what == ("blue", "red", "green", "yellow", "pink")


def test_pigs_swept_up_together_are_not_known_at_the_next_line_up(tmp_path: Path) -> None:
    evening = present(tmp_path, seats=("Ada", "Ben"))
    evening.line_up()
    for number in range(1, 8):
        evening.play(f"red {number}")
        evening.play(f"blue {number}")
    lift(evening, *PIGS)
    evening.line_up(("pink", "yellow", "green", "blue", "red"))
    assert evening.table.snapshot.seen == {"pink": 0, "yellow": 21, "green": 20, "blue": 19, "red": 18}
    assert (evening.todo, evening.alerts, evening.race.due) == ([], [], "play")


# --- moves ---------------------------------------------------------------------------------------


def test_the_move_is_seen_and_the_next_card_is_played(evening: Evening) -> None:
    evening.lay("pink 1")
    assert evening.todo == ["move the pink pig from 18 to 1!"]
    lift(evening, "pink")
    assert evening.todo == ["move the pink pig to 1!"]
    evening.put("pink", 1)
    assert (evening.todo, evening.alerts) == ([], [])
    evening.lift()
    evening.play("pink 2")
    assert (evening.played, evening.todo, evening.alerts) == ("pink pink", [], [])


def test_a_move_that_is_not_made_holds_the_next_card(evening: Evening) -> None:
    evening.lay("red 1")
    evening.lift()
    evening.lay("blue 1")
    assert evening.played == "red"
    assert evening.alerts == ["the blue card waits until the pieces stand right"]
    evening.put("red", 1)
    assert (evening.played, evening.alerts) == ("red blue", [])


def test_a_pig_in_the_hand_holds_the_next_card(evening: Evening) -> None:
    evening.lay("red 1")
    lift(evening, "red")
    evening.lay("blue 1")
    assert evening.played == "red"
    evening.put("red", 1)
    assert evening.played == "red blue"


@pytest.mark.parametrize(
    ("piece", "space", "todo"),
    [
        ("pink", 3, ["move the pink pig from 3 to 1!"]),
        ("red", 1, ["move the pink pig from 18 to 1!", "move the red pig from 1 to start!"]),
        ("green", 9, ["move the pink pig from 18 to 1!", "move the green pig from 9 to 20!"]),
        ("pink", None, ["move the pink pig to 1!"]),
        ("pink", 21, ["move the pink pig to 1!"]),
        ("green", 21, ["move the pink pig from 18 to 1!", "put the green pig back on 20!"]),
    ],
)
def test_a_wrong_move_is_reported_by_piece_and_space(
    evening: Evening, piece: str, space: int | None, todo: list[str]
) -> None:
    """The pink card is out. A pig that joins another one is missed where it stood."""
    evening.lay("pink 1")
    lift(evening, piece)
    evening.put(piece, space)
    assert evening.todo == todo


def test_a_wrong_move_after_another_is_reported_too(evening: Evening) -> None:
    evening.put("green", 9)
    evening.put("blue", 12)
    assert evening.todo == ["move the blue pig from 12 to 21!", "move the green pig from 9 to 20!"]
    evening.put("green", 20)
    evening.put("blue", 21)
    assert (evening.todo, evening.alerts) == ([], [])


def test_two_pigs_that_change_places_one_after_the_other_are_reported(evening: Evening) -> None:
    for piece, space in (("red", 10), ("green", 0), ("red", 20)):
        lift(evening, piece)
        evening.put(piece, space)
    assert evening.todo == ["move the red pig from 20 to start!", "move the green pig from start to 20!"]


def test_a_pig_moved_before_its_card_is_fine_once_the_card_comes(evening: Evening) -> None:
    lift(evening, "green")
    evening.put("green", 1)
    assert evening.table.snapshot.early is not None
    evening.lay("green 1")
    assert (evening.played, evening.todo) == ("green", [])


def test_another_card_than_that_of_a_pig_moved_early_waits(evening: Evening) -> None:
    evening.put("green", 1)
    evening.lay("red 1")
    assert evening.played == ""
    evening.put("green", 20)
    assert evening.played == "red"


def test_trust_the_app_ignores_this_difference_until_that_pig_moves(evening: Evening) -> None:
    evening.put("green", 10)
    evening.table.play.trust(evening.table.snapshot.seq, "app", "green")
    assert evening.todo == []
    evening.play("red 1")
    assert (evening.played, evening.todo) == ("red", [])
    evening.put("green", 11)
    assert evening.todo == ["move the green pig from 11 to 20!"]
    evening.put("green", 10)
    assert evening.todo == ["move the green pig from 10 to 20!"], "it has moved"


def test_trust_the_table_is_offered_when_an_undo_fits_the_table(evening: Evening) -> None:
    evening.play("pink 1")
    evening.put("pink", 18)
    assert [(fix.side, fix.change) for fix in evening.table.snapshot.fixes] == [
        ("app", "ignore"),
        ("table", "undo"),
    ]
    evening.table.play.trust(evening.table.snapshot.seq, "table", "pink")
    assert (evening.played, evening.todo) == ("", [])


def test_trust_the_table_is_offered_when_another_card_fits_the_table(evening: Evening) -> None:
    evening.lay("pink 1")
    evening.put("green", 1)
    evening.table.play.trust(evening.table.snapshot.seq, "table", "green")
    assert (evening.played, evening.todo) == ("green", [])


def test_trust_the_table_is_not_offered_for_spaces_that_no_decision_explains(evening: Evening) -> None:
    evening.play("pink 1")
    evening.put("green", 7)
    assert [fix.side for fix in evening.table.snapshot.fixes] == ["app"]


def test_undo_lists_the_way_back_and_redo_the_way_on(evening: Evening) -> None:
    evening.play("pink 1")
    evening.press("undo")
    assert evening.todo == ["move the pink pig from 1 to 18!"]
    evening.table.play.redo(evening.table.snapshot.seq)
    assert evening.todo == []
    evening.press("undo")
    evening.put("pink", 18)
    assert (evening.todo, evening.alerts) == ([], [])


# --- switches ------------------------------------------------------------------------------------


def test_a_pig_swept_over_several_spaces_counts_where_it_comes_to_rest(evening: Evening) -> None:
    evening.lay("pink 1")
    for space in (17, 16, 2, 3, 2):
        evening.put("pink", space, wait=0.1)
        assert evening.todo[0].endswith("to 1!"), "on its way the task stays what it is"
    evening.put("pink", 1, wait=0.2)
    assert evening.todo != []
    evening.wait(0.2)
    assert (evening.todo, evening.alerts) == ([], [])


def test_a_pig_pushed_along_slowly_is_still_the_same_pig(evening: Evening) -> None:
    evening.lay("red 1")
    evening.lift()
    evening.put("red", 1)
    for space in (2, 3, 4):
        feel(evening, space)  # its magnet closes the next switch before it leaves the last one
        evening.wait(0.1)
        evening.put("red", space)
    assert evening.todo == ["move the red pig from 4 to 1!"]


def test_a_flicker_is_nothing(evening: Evening) -> None:
    before = evening.table.snapshot.seen
    feel(evening, 9)
    evening.wait(0.2)
    evening.put("green", None, wait=0.2)
    evening.put("green", 20, wait=0.2)
    assert (evening.todo, evening.alerts, evening.table.snapshot.seen) == ([], [], before)
    evening.play("red 1")
    assert (evening.played, evening.todo, evening.alerts) == ("red", [], [])


def test_a_switch_that_flickers_without_end_blocks_nothing(evening: Evening) -> None:
    for number, card in enumerate(("red 1", "blue 1", "green 1", "pink 1")):
        for _ in range(4):
            feel(evening, 13)
            evening.wait(0.1)
            feel(evening)
            evening.wait(0.1)
        evening.play(card)
        assert len(evening.played.split()) == number + 1
    assert (evening.todo, evening.alerts) == ([], [])


@pytest.mark.parametrize("also", [0, 2])
def test_a_magnet_between_two_spaces_is_believed_where_its_pig_should_be(evening: Evening, also: int) -> None:
    evening.lay("pink 1")
    evening.lift()
    evening.on_track[UID["galloping-pigs/piece/pink"]] = 1
    feel(evening, also)
    evening.wait()
    assert (evening.todo, evening.alerts) == ([], [])
    evening.lay("green 1")
    assert evening.played == "pink green"


def test_a_magnet_between_two_wrong_spaces_is_believed_where_it_stays(evening: Evening) -> None:
    evening.lay("red 1")
    evening.on_track[UID["galloping-pigs/piece/red"]] = 5
    feel(evening, 6)
    evening.wait()
    assert evening.todo in (["move the red pig from 5 to 1!"], ["move the red pig from 6 to 1!"])
    evening.put("red", 6)
    assert evening.todo == ["move the red pig from 6 to 1!"]
    evening.put("red", 1)
    assert (evening.todo, evening.alerts) == ([], [])


def test_unknown_is_not_empty(evening: Evening) -> None:
    evening.silent = {20}
    evening.show_track()
    evening.wait()
    assert evening.todo == [], "a dead switch under the green pig says nothing about it"
    evening.put("green", 5)
    assert evening.todo == ["move the green pig from 5 to 20!"], "but it was felt elsewhere"


def test_a_move_to_a_dead_switch_needs_no_confirmation(evening: Evening) -> None:
    evening.silent = {1}
    evening.show_track()
    evening.lay("pink 1")
    evening.put("pink", 1)
    assert evening.todo == ["move the pink pig to 1"], "not held"
    evening.lift()
    evening.play("red 1")
    assert (evening.played, evening.todo, evening.alerts) == ("pink red", [], [])
    evening.play("pink 2")
    assert (evening.played, evening.todo, evening.alerts) == ("pink red pink", [], [])


def test_something_strange_on_the_track_is_reported_and_can_be_dismissed(evening: Evening) -> None:
    feel(evening, 9)
    evening.wait()
    assert evening.alerts == ["something stands on 9, where no piece should: take it away"]
    evening.press("next")
    assert evening.alerts == []
    evening.on_track["a thing"] = 9
    evening.play("red 1")
    assert (evening.played, evening.todo, evening.alerts) == ("red", [], [])


def test_a_track_shorter_than_the_game_senses_what_it_can(tmp_path: Path) -> None:
    evening = present(tmp_path, spaces=12)
    evening.tap({"do": "line-up", "seat": 0, "order": list(PIGS)})
    evening.put("red", 0)
    evening.lay("pink 1")
    assert evening.todo == ["move the pink pig to 1!"], "the switch of space 1 misses it"
    evening.put("pink", 1)
    evening.lift()
    evening.lay("blue 1")
    assert evening.todo == ["move the blue pig to 2!"]


# --- doubt ---------------------------------------------------------------------------------------


def test_two_pigs_up_at_once_are_asked_for_once(evening: Evening) -> None:
    """The switches cannot show whether they changed places: the game goes on, and `next` is the answer."""
    lift(evening, "red", "green")
    assert evening.todo == ["put the red pig back on start!", "put the green pig back on 20!"]
    evening.put("green", 20)
    assert evening.todo == ["put the red pig back on start!"]
    evening.put("red", 0)
    assert evening.todo == []
    assert evening.alerts == ["check the colours: the red pig on start, the green pig on 20"]
    evening.press("next")
    assert evening.alerts == []
    evening.play("red 1")
    assert (evening.played, evening.todo, evening.alerts) == ("red", [], [])


def test_a_doubt_that_was_reported_is_over_with_the_next_card(evening: Evening) -> None:
    lift(evening, "red", "green")
    evening.put("green", 20)
    evening.put("red", 0)
    evening.wait(5)
    evening.play("pink 1")
    assert (evening.played, evening.alerts) == ("pink", [])


def test_a_doubt_that_was_not_shown_yet_outlives_the_card_that_waited(evening: Evening) -> None:
    lift(evening, "red", "green")
    evening.lay("pink 1")
    evening.put("green", 20)
    evening.put("red", 0, wait=0.5)
    assert evening.played == "pink"
    assert evening.alerts == ["check the colours: the red pig on start, the green pig on 20"]


def test_two_pigs_set_down_wrong_are_reported_by_their_spaces(evening: Evening) -> None:
    """It is unknown which of them stands on 9: the sentence names the space and not the colour."""
    lift(evening, "red", "green")
    evening.put("red", 9)
    evening.put("green", 20)
    assert evening.todo == ["move the piece on 9 to start!"]
    evening.put("red", 0)
    assert evening.todo == []
    assert evening.alerts == ["check the colours: the red pig on start, the green pig on 20"]


def test_a_pig_held_to_the_pad_is_the_one_that_is_set_down_next(evening: Evening) -> None:
    lift(evening, "red", "green")
    hold_to_pad(evening, "green")
    evening.put("green", 9)
    assert evening.todo == ["put the red pig back on start!", "move the green pig from 9 to 20!"]
    evening.put("red", 0)
    evening.put("green", 20)
    assert (evening.todo, evening.alerts) == ([], [])


def test_a_pig_lifted_from_the_pad_after_its_game_is_nothing(evening: Evening) -> None:
    lift(evening, "red", "green")
    evening.on_pad.add(UID["galloping-pigs/piece/green"])
    evening.show_pad()
    evening.wait()
    evening.table.end(evening.table.snapshot.seq)
    evening.on_pad.clear()
    evening.show_pad()
    assert evening.alerts == []


def test_a_pig_held_to_the_pad_corrects_what_was_believed(evening: Evening) -> None:
    """Red and green changed places in the air; the one that is lifted then says who it is."""
    lift(evening, "red", "green")
    evening.put("green", 0)
    evening.put("red", 20)
    assert evening.todo == []
    lift(evening, "green")
    hold_to_pad(evening, "green")
    assert evening.todo == ["put the green pig back on 20!", "move the red pig from 20 to start!"] or (
        evening.todo == ["move the red pig from 20 to start!", "put the green pig back on 20!"]
    )


def test_a_pig_that_is_still_on_the_pad_is_not_the_one_that_is_set_down(evening: Evening) -> None:
    lift(evening, "red", "green")
    evening.on_pad = {UID["galloping-pigs/piece/green"]}
    evening.show_pad()
    evening.wait()
    evening.put("red", 0)
    assert evening.todo == ["put the green pig back on 20!"]


def test_a_pig_on_the_pad_while_all_stand_is_no_card(evening: Evening) -> None:
    evening.on_pad = {UID["galloping-pigs/piece/red"]}
    evening.show_pad()
    evening.wait()
    assert evening.alerts == ["this is the red pig, not a card: put it on the track"]


# --- when nothing could be seen ------------------------------------------------------------------


def test_after_a_power_cut_the_colours_are_to_be_checked_and_the_game_goes_on(evening: Evening) -> None:
    evening.play("pink 1")
    evening.restart()
    assert (evening.todo, evening.alerts) == ([], [CHECK_ALL])
    evening.press("next")
    assert evening.alerts == []
    evening.play("red 1")
    assert (evening.played, evening.todo, evening.alerts) == ("pink red", [], [])


def test_after_a_power_cut_spaces_are_compared(evening: Evening) -> None:
    evening.play("pink 1")
    evening.on_track[UID["galloping-pigs/piece/green"]] = 9
    evening.restart()
    assert evening.todo == ["move the piece on 9 to 20!"]
    evening.put("green", 20)
    assert (evening.todo, evening.alerts) == ([], [CHECK_ALL])


def test_after_a_power_cut_what_was_trusted_still_is(evening: Evening) -> None:
    evening.put("green", 10)
    evening.table.play.trust(evening.table.snapshot.seq, "app", "green")
    evening.restart()
    assert (evening.todo, evening.alerts) == ([], [CHECK_ALL])
    evening.play("red 1")
    assert (evening.played, evening.todo) == ("red", [])
    evening.put("green", 11)
    assert [task[-6:] for task in evening.todo] == ["to 20!"]


def test_after_a_power_cut_a_missing_pig_is_reported(evening: Evening) -> None:
    evening.on_track.pop(UID["galloping-pigs/piece/green"])
    evening.restart()
    assert evening.todo == ["put the green pig on 20!"]


def test_a_power_cut_between_card_and_move_tells_the_move(evening: Evening) -> None:
    evening.lay("pink 1")
    evening.restart()
    assert evening.todo == ["move the piece on 18 to 1!"]
    evening.put("pink", 1)
    assert (evening.todo, evening.alerts) == ([], [CHECK_ALL])


def test_a_cable_that_was_out_while_nothing_moved_is_nothing(evening: Evening) -> None:
    feel(evening, unknown=tuple(range(22)))
    evening.wait(5)
    assert (evening.todo, evening.alerts) == ([], [])
    evening.show_track()
    evening.wait()
    assert (evening.todo, evening.alerts) == ([], [])


def test_what_moved_while_the_cable_was_out_is_to_be_checked(evening: Evening) -> None:
    """Any message that the track is gone counts: also one of a track with readers."""
    evening.table.handle(TrackSeen(dict.fromkeys(range(22))))
    evening.lay("pink 1")
    evening.on_track[UID["galloping-pigs/piece/pink"]] = 1
    evening.lift()
    assert evening.todo == ["move the pink pig to 1"]
    evening.show_track()
    evening.wait()
    assert evening.todo == []
    assert evening.alerts == ["check the colours: the pink pig on 1"]


def test_cards_go_on_while_the_cable_is_out(evening: Evening) -> None:
    feel(evening, unknown=tuple(range(22)))
    for card in ("pink 1", "red 1", "pink 2"):
        evening.lay(card)
        evening.lift()
    assert evening.played == "pink red pink"
    for piece in ("pink", "red"):
        evening.on_track[UID[f"galloping-pigs/piece/{piece}"]] = evening.at(piece)
    evening.show_track()
    evening.wait()
    assert evening.todo == []
    assert evening.alerts == ["check the colours: the red pig on 2, the pink pig on 3"]


def test_a_game_resumed_lists_the_set_up_and_asks_for_the_colours(evening: Evening) -> None:
    evening.play("pink 1")
    number = evening.table.match.id  # type: ignore[union-attr]
    evening.table.set_aside(evening.table.snapshot.seq)
    lift(evening, *PIGS)
    evening.table.resume(number)
    assert len(evening.todo) == 5
    for piece in ("red", "blue", "green", "yellow", "pink"):
        evening.put(piece, evening.at(piece))
    assert (evening.todo, evening.alerts) == ([], [CHECK_ALL])


def test_without_a_pad_all_cards_are_taps_and_the_moves_are_still_seen(evening: Evening) -> None:
    evening.table.handle(PartIs("pad", "lost"))
    for seat, card in enumerate(("pink", "red", "blue")):
        evening.tap({"do": "play", "seat": seat, "card": card})
        assert evening.todo[0].startswith(f"move the {card} pig from")
        evening.put(card, evening.at(card))
        assert (evening.todo, evening.alerts) == ([], [])


# --- games in which pieces share spaces or push each other back ------------------------------------


@pytest.fixture
def hounds(tmp_path: Path) -> Evening:
    """Return four dogs on a lap of 14: red and blue, which play, both on 3, brown and green at the start."""
    evening = present(
        tmp_path, "greyhounds", seats=("Ada", "Ben", "Cleo", "Dev"), options={"lap": 14}, spaces=14
    )
    for piece in ("red", "blue", "brown", "green"):
        evening.put(piece, 0)
    for seat, cards in enumerate(
        ((1, 2, 3, 18, 19, 20), (4, 5, 6, 15, 16, 17), (7, 8, 9, 12, 13, 14), (1, 2, 10, 11, 12, 13))
    ):
        evening.tap({"do": "show", "seat": seat, "cards": list(cards)})
    for seat in range(4):
        evening.tap({"do": "bet", "seat": seat, "bets": [{"kind": "win", "dogs": ["red"], "stake": 500}]})
    turn(evening, "red 20", "blue 17", "brown 14", "green 13")
    evening.put("red", 3)
    turn(evening, "red 1", "blue 16", "brown 13", "green 12")
    return evening


def turn(evening: Evening, *cards: str) -> None:
    for card in cards:
        evening.lay(card)
        evening.lift()


def test_a_dog_that_joins_another_one_needs_no_tap(hounds: Evening) -> None:
    """It came from those that wait to a space that is taken: no switch can see it, the next card confirms."""
    assert hounds.race.state()["progress"] == {"red": 3, "blue": 3, "brown": 0, "green": 0}
    assert hounds.todo == ["move the blue dog to 3"]
    hounds.lay("red 2")
    assert hounds.alerts == []
    assert hounds.todo == []


def test_a_dog_that_leaves_a_shared_space_is_seen_where_it_comes_to(hounds: Evening) -> None:
    hounds.put("blue", 3)
    turn(hounds, "red 19", "blue 4", "brown 12", "green 11")
    assert hounds.todo == ["two pieces on 3: move the red dog to 10!"]
    hounds.put("red", 9)
    assert hounds.todo == ["move the red dog from 9 to 10!"]
    hounds.put("red", 10)
    assert (hounds.todo, hounds.alerts) == ([], [])


@pytest.fixture
def giro(tmp_path: Path) -> Evening:
    """Return an evening: Ada has the pink horse, Ben the blue one, Cleo the red one: on 1, 2 and 3."""
    evening = present(tmp_path, "giro-galoppo", colours=("pink", "blue", "red"))
    for place, space in enumerate((22, 25, 9, 4, 18)):
        evening.tap({"do": "place-obstacle", "seat": (2 + place) % 3, "space": space})
    evening.wait()
    turn(evening, "red 3", "pink 1", "blue 2")
    assert evening.todo == [
        "move the pink horse to 1!",
        "move the blue horse to 2!",
        "move the red horse to 3!",
    ]
    for horse, space in (("red", 3), ("pink", 1), ("blue", 2)):
        evening.put(horse, space)
    return evening


def test_horses_that_leave_the_gate_are_who_they_should_be(giro: Evening) -> None:
    assert (giro.todo, giro.alerts) == ([], [])
    assert giro.table.snapshot.seen == {"pink": 1, "blue": 2, "red": 3}


@pytest.fixture
def pushed(giro: Evening) -> Evening:
    """Return an evening where blue jumps from 2 to red, which goes back: the taken spaces stay the same."""
    turn(giro, "pink 6", "blue 1", "red 5")
    return giro


def test_a_push_back_that_is_not_seen_holds_the_next_card(pushed: Evening) -> None:
    assert pushed.todo == ["move the blue horse from 2 to 3!", "move the red horse from 3 to 2!"]
    pushed.lay("red 1")
    assert pushed.alerts == ["the red card waits until the pieces stand right"]


def test_a_push_back_by_both_hands_is_seen_by_the_lifting(pushed: Evening) -> None:
    lift(pushed, "blue", "red")
    pushed.put("red", 2)
    pushed.put("blue", 3)
    assert pushed.todo == []
    assert pushed.alerts == ["check the colours: the blue horse on 3, the red horse on 2"]


def test_a_push_back_in_a_blink_is_seen_too(pushed: Evening) -> None:
    """One is taken away and the other put there at once: the switch hardly opens."""
    lift(pushed, "blue")
    lift(pushed, "red", wait=0.1)
    pushed.put("blue", 3)
    pushed.put("red", 2)
    assert pushed.todo == []
    assert pushed.alerts == ["check the colours: the blue horse on 3, the red horse on 2"]


def test_a_flicker_while_a_horse_is_in_the_hand_agrees_to_nothing_wrong(giro: Evening) -> None:
    lift(giro, "blue")
    lift(giro, "red", wait=0.1)
    giro.put("red", 3)
    giro.put("blue", 5)
    assert giro.todo == ["move the blue horse from 5 to 2!"]
    giro.put("blue", 2)
    assert (giro.todo, giro.alerts) == ([], [])


def test_a_push_back_that_is_not_seen_is_agreed_by_tap(pushed: Evening) -> None:
    for task in pushed.table.snapshot.todo:
        if task.held:
            pushed.table.play.trust(pushed.table.snapshot.seq, "app", task.piece)
    assert pushed.todo == []
    pushed.lay("red 1")
    assert pushed.alerts == []


def test_a_horse_that_may_be_right_is_not_also_something_to_take_away(tmp_path: Path) -> None:
    """One thing on a space gets one message and one button: the check, or the stranger."""
    evening = present(tmp_path, "giro-galoppo", seats=("Ada", "Ben"), colours=("pink", "blue"))
    for place, space in enumerate((22, 25, 9, 4, 18)):
        evening.tap({"do": "place-obstacle", "seat": 1 - place % 2, "space": space})
    turn(evening, "blue 1", "pink 1")
    assert evening.todo == ["move the blue horse to 1!"]
    evening.put("blue", 1)
    lift(evening, "blue")
    evening.put("pink", 8)  # from the gate: it is taken for the blue one
    evening.put("blue", 1, wait=5)
    assert evening.alerts == ["check the colours: the blue horse on 1"]
    evening.press("next")
    evening.wait(5)
    assert evening.todo == []
    assert evening.alerts == ["something stands on 8, where no piece should: take it away"]


def test_what_stood_there_before_is_not_the_pig_that_is_lifted(evening: Evening) -> None:
    """A switch that is stuck: something is said to stand on 9, and the pigs go on being who they are."""
    feel(evening, 9)
    evening.wait()
    assert evening.alerts == ["something stands on 9, where no piece should: take it away"]
    evening.lay("red 1")
    del evening.on_track[UID["galloping-pigs/piece/red"]]
    feel(evening, 9)
    evening.wait()
    evening.on_track[UID["galloping-pigs/piece/red"]] = 1
    feel(evening, 9)
    evening.wait()
    assert (evening.todo, evening.alerts) == ([], [])  # what was said before the card is not said again
