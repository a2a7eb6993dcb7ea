"""The referee's manners, a test each: what is seen against what should be."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.devices.readings import PadSeen, PartIs, TrackSeen
from companion.errors import ConflictError
from companion.referee.tagged import BLINK, STRAY_STILL, TRACK_STILL
from companion.translate import Words
from companion.views.table.page import page
from tests.support.evening import UID, Evening


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """Return three at a sensing track with a pad, pigs at red 0, blue 21, green 20, yellow 19, pink 18."""
    evening = Evening(tmp_path)
    evening.line_up()
    return evening


def test_pieces_on_the_line_up_spaces_are_offered_and_confirmed_once(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    for place, piece in enumerate(("pink", "blue", "green", "yellow")):
        evening.put(piece, -place % 22)
    assert evening.table.snapshot.offer is None
    evening.put("red", 18)
    assert evening.race.due == "line-up"
    evening.press("confirm")
    assert evening.race.progress == {"red": -4, "blue": -1, "green": -2, "yellow": -3, "pink": 0}
    assert evening.todo == []
    assert evening.race.due == "play"


def test_a_line_up_that_changed_under_the_finger_is_not_confirmed(tmp_path: Path) -> None:
    """A page sends what it has shown: what a person has not seen is not confirmed."""
    evening = Evening(tmp_path)
    for place, piece in enumerate(("pink", "blue", "green", "yellow", "red")):
        evening.put(piece, -place % 22)
    offer = evening.table.snapshot.offer
    assert offer is not None
    shown = list(offer.decision.what)
    evening.put("red", 9)
    evening.put("yellow", 18)
    evening.put("red", 19)
    with pytest.raises(ConflictError) as refused:
        evening.table.play.confirm(evening.table.snapshot.seq, shown)
    assert refused.value.kind == "late"
    evening.table.play.confirm(evening.table.snapshot.seq, ["pink", "blue", "green", "red", "yellow"])
    assert evening.race.progress["yellow"] == -4


def test_a_card_is_played_by_the_seat_that_is_due_and_says_where_its_pig_goes(evening: Evening) -> None:
    evening.lay("pink 1")
    assert evening.played == "pink"
    assert evening.todo == ["move the pink pig from 18 to 1!"]
    evening.put("pink", 1)
    assert evening.todo == []
    assert evening.race.turn == 1


def test_a_card_left_lying_is_one_read(evening: Evening) -> None:
    evening.play("red 1", lift=False)
    evening.wait(60)
    evening.show_pad()
    assert evening.played == "red"
    assert evening.alerts == []


def test_the_next_card_is_played_though_the_last_one_is_still_there(evening: Evening) -> None:
    evening.play("red 1", lift=False)
    evening.play("blue 1", lift=False)
    assert evening.played == "red blue"


def test_a_card_left_lying_is_not_tried_again_after_a_restart(evening: Evening) -> None:
    evening.play("red 1", lift=False)
    evening.restart()
    assert evening.played == "red"
    assert evening.alerts == []


def test_a_card_left_lying_is_not_tried_again_after_an_undo(evening: Evening) -> None:
    evening.lay("red 1")
    evening.press("undo")
    evening.wait(60)
    assert evening.played == ""


def test_an_undone_card_left_lying_is_not_tried_again_after_a_restart(evening: Evening) -> None:
    evening.lay("red 1")
    evening.press("undo")
    evening.restart()
    assert evening.played == ""


def test_an_undone_card_is_played_when_it_is_lifted_and_laid_again(evening: Evening) -> None:
    evening.lay("red 1")
    evening.press("undo")
    evening.lift()
    evening.lay("red 1")
    assert evening.played == "red"


def test_a_card_of_the_last_round_left_lying_is_not_tried_in_the_next_one(tmp_path: Path) -> None:
    evening = Evening(tmp_path, seats=("Ada", "Ben"))
    evening.line_up()
    for number in range(1, 8):
        evening.play(f"red {number}")
        evening.play(f"blue {number}", lift=False)
    evening.lift(*(f"blue {n}" for n in range(1, 7)))
    assert evening.race.round == 2
    evening.line_up()
    assert evening.race.due == "play"
    evening.wait(60)
    assert evening.race.played == ()
    evening.lift("blue 7")
    evening.lay("blue 7")
    assert evening.race.played == ("blue",)


def test_a_card_already_played_this_round_is_refused_until_it_is_lifted(evening: Evening) -> None:
    evening.play("red 1")
    evening.lay("red 1")
    assert evening.played == "red"
    assert evening.alerts == ["this red card was played already: take another one"]
    evening.lift()
    assert evening.alerts == []


def test_two_cards_at_once_are_neither_tried(evening: Evening) -> None:
    evening.lay("red 1", "blue 1")
    assert evening.played == ""
    assert evening.alerts == ["one card at a time, please: lift them and lay one"]
    evening.lift("red 1")
    evening.wait(10)
    assert evening.played == "", "the one that stays was not meant either"
    evening.lift()
    evening.lay("blue 1")
    assert evening.played == "blue"


def test_a_second_card_within_a_blink_makes_two_at_once(evening: Evening) -> None:
    evening.lay("red 1", wait=0.05)
    evening.lay("blue 1")
    assert evening.played == ""


def test_a_pile_that_cannot_be_read_is_not_tried(evening: Evening) -> None:
    evening.on_pad = {evening.card("red 1")}
    evening.show_pad(unreadable=True)
    evening.wait()
    assert evening.played == ""
    assert evening.alerts == ["one card at a time, please: lift them and lay one"]


def test_a_card_when_none_is_due_changes_nothing(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.lay("red 1")
    assert evening.played == ""
    assert evening.alerts == [
        "no card is due now: Ada, line up the pigs: the front one on start, the others right behind it"
    ]


def test_a_card_of_another_game_changes_nothing(evening: Evening) -> None:
    evening.lay("galloping-horse red 1")
    assert evening.alerts == ["that's a Galloping Horse card: Ada, play a card"]


def test_an_unknown_tag_changes_nothing(evening: Evening) -> None:
    evening.on_pad = {"DEADBEEF"}
    evening.show_pad()
    evening.wait()
    assert evening.alerts == ["this tag is new here: nothing was played"]


def test_a_piece_on_the_pad_is_no_card(evening: Evening) -> None:
    evening.put("red", None)
    evening.on_pad = {UID["galloping-pigs/piece/red"]}
    evening.show_pad()
    evening.wait()
    assert evening.alerts == ["this is the red pig, not a card: put it on the track"]


def test_the_wrong_pig_is_named_with_its_way_back(evening: Evening) -> None:
    evening.lay("red 1")
    evening.put("blue", 1)
    assert evening.todo == ["move the red pig from start to 1!", "move the blue pig from 1 to 21!"]
    evening.put("blue", 21)
    evening.put("red", 1)
    assert evening.todo == []


def test_the_wrong_space_is_named_with_the_right_one(evening: Evening) -> None:
    evening.lay("pink 1")
    evening.put("pink", 3)
    assert evening.todo == ["move the pink pig from 3 to 1!"]


def test_a_piece_fallen_off_is_put_back(evening: Evening) -> None:
    evening.put("green", None)
    assert evening.todo == ["put the green pig back on 20!"]
    evening.put("green", 20)
    assert evening.todo == []


def test_two_pieces_on_a_space_are_named(evening: Evening) -> None:
    evening.put("green", 21)
    assert evening.todo == ["two pieces on 21: move the green pig to 20!"]


def test_a_sensed_difference_holds_the_next_card_until_the_table_agrees(evening: Evening) -> None:
    evening.lay("red 1")
    evening.lift()
    evening.lay("blue 1")
    assert evening.played == "red"
    assert evening.alerts == ["the blue card waits until the pieces stand right"]
    evening.put("red", 1)
    assert evening.played == "red blue"
    assert evening.alerts == []


def test_a_held_card_that_is_lifted_was_not_played_and_the_screen_says_so(evening: Evening) -> None:
    evening.lay("red 1")
    evening.lay("blue 1")
    evening.lift("blue 1")
    said = ["the blue card was lifted too early and not played: put the pieces right, then lay it again"]
    assert evening.alerts == said
    evening.put("red", 1)
    assert evening.played == "red"
    assert evening.alerts == said
    evening.lay("blue 1")
    assert (evening.played, evening.alerts) == ("red blue", [])


def test_a_card_that_waits_while_a_decision_is_taken_back_must_be_laid_again(evening: Evening) -> None:
    evening.play("pink 1")
    evening.put("red", 5)
    evening.lay("blue 1")
    assert evening.alerts == ["the blue card waits until the pieces stand right"]
    evening.press("undo")
    evening.put("pink", 18)
    evening.put("red", 0)
    assert evening.played == "", "it was laid for Ben, not for Ada, whose turn it is again"
    assert evening.alerts == ["the blue card was not played: lift it, and lay it again when it is due"]
    evening.lift()
    evening.lay("blue 1")
    assert evening.played == "blue"


def test_a_card_that_waits_is_played_when_the_difference_is_trusted(evening: Evening) -> None:
    evening.put("green", 9)
    evening.lay("red 1")
    assert evening.played == ""
    evening.table.play.trust(evening.table.snapshot.seq, "app", "green")
    assert evening.played == "red"


def test_a_card_that_waits_on_a_pad_that_dies_is_not_played(evening: Evening) -> None:
    evening.put("green", 9)
    evening.lay("red 1")
    evening.table.handle(PartIs("pad", "lost"))
    evening.put("green", 20)
    assert evening.played == ""
    evening.table.handle(PartIs("pad", "ok"))
    evening.show_pad()
    assert evening.played == "red"


def test_a_card_laid_while_the_pad_was_away_and_tapped_is_not_played_again(evening: Evening) -> None:
    """The pad comes back and reports it as new: it would be played for the next seat."""
    evening.table.handle(PartIs("pad", "lost"))
    evening.tap({"do": "play", "seat": 0, "card": "red"})
    evening.put("red", 1)
    evening.table.handle(PartIs("pad", "ok"))
    evening.lay("red 1")
    assert evening.played == "red"
    assert evening.alerts == [
        "the red card was laid while the pad did not answer: lift it, then lay it again if it is still due"
    ]
    evening.lift()
    evening.lay("red 1")
    assert evening.played == "red red"


def test_a_card_laid_while_the_pad_was_away_is_played_if_nothing_was_decided(evening: Evening) -> None:
    evening.table.handle(PartIs("pad", "lost"))
    evening.table.handle(PartIs("pad", "ok"))
    evening.lay("red 1")
    assert evening.played == "red"


def test_a_piece_moved_before_its_card_is_fine_once_the_card_comes(evening: Evening) -> None:
    evening.put("green", 1)
    assert evening.todo == ["move the green pig from 1 to 20!"]
    evening.lay("green 1")
    assert (evening.played, evening.todo) == ("green", [])


def test_a_piece_one_space_too_far_is_wrong_and_not_early(evening: Evening) -> None:
    evening.lay("pink 1")
    evening.put("pink", 2)
    assert evening.table.snapshot.early is None
    assert evening.todo == ["move the pink pig from 2 to 1!"]


def test_another_card_than_that_of_a_piece_moved_early_waits(evening: Evening) -> None:
    evening.put("green", 1)
    evening.lay("red 1")
    assert evening.played == ""
    evening.put("green", 20)
    assert evening.played == "red"


def test_a_piece_swept_over_several_spaces_counts_where_it_comes_to_rest(evening: Evening) -> None:
    evening.lay("pink 1")
    for space in (19, 20, 21, 0, 1, 2, 3):
        evening.put("pink", space, wait=0.1)
        assert evening.todo[0].endswith("to 1!"), "on its way the task stays what it is"
    evening.put("pink", 1, wait=0.2)
    assert evening.todo != []
    evening.wait(TRACK_STILL - 0.2)
    assert evening.todo == []


def test_a_card_laid_while_a_piece_slides_over_its_target_waits(evening: Evening) -> None:
    evening.lay("pink 1")
    evening.lay("red 1")
    evening.put("pink", 1, wait=0.1)
    evening.put("pink", 2)
    assert evening.played == "pink"


def test_a_tag_is_in_one_place_two_readers_that_see_it_say_nothing(evening: Evening) -> None:
    evening.lay("red 1")
    uid = UID["galloping-pigs/piece/red"]
    spaces = {n: frozenset({uid}) if n in (0, 1) else frozenset() for n in range(22)}
    others = {u: s for u, s in evening.on_track.items() if u != uid}
    for other, space in others.items():
        spaces[space] = frozenset({other})
    evening.table.handle(TrackSeen(spaces))
    evening.wait()
    assert evening.todo == ["move the red pig to 1!"]
    evening.put("red", 1)
    assert evening.todo == []


def test_an_unknown_tag_on_the_track_is_reported_and_can_be_dismissed(evening: Evening) -> None:
    evening.on_track["DEADBEEF"] = 9
    evening.show_track()
    evening.wait()
    assert evening.alerts == ["an unknown tag lies on 9: take it away"]
    evening.press("next")
    assert evening.alerts == []
    evening.play("red 1")
    assert evening.played == "red"


@pytest.mark.parametrize("place", ["pad", "track"])
def test_what_was_dismissed_is_reported_again_once_it_was_away(evening: Evening, place: str) -> None:
    """An unknown tag that is taken away and comes back is new."""
    for _ in range(2):
        if place == "pad":
            evening.on_pad.add("DEADBEEF")
        else:
            evening.on_track["DEADBEEF"] = 9
        show(evening)
        assert len(evening.alerts) == 1
        evening.press("next")
        assert evening.alerts == []
        evening.on_pad.clear()
        evening.on_track.pop("DEADBEEF", None)
        show(evening)


def show(evening: Evening) -> None:
    """Show what is on the pad and on the track, and wait."""
    evening.show_pad()
    evening.show_track()
    evening.wait()


def test_a_card_on_the_track_belongs_on_the_pad(evening: Evening) -> None:
    evening.on_track[evening.card("red 1")] = 9
    evening.show_track()
    evening.wait()
    assert evening.alerts == ["a card lies on 9: cards go on the pad"]


def test_unknown_is_not_empty(evening: Evening) -> None:
    evening.silent = {20}
    evening.show_track()
    evening.wait()
    assert evening.todo == [], "a silent reader under the green pig says nothing about it"
    evening.put("green", 5)
    assert evening.todo == ["move the green pig from 5 to 20!"], "but it was seen elsewhere"


def test_an_unsensed_move_needs_no_confirmation(evening: Evening) -> None:
    evening.silent = {1}
    evening.show_track()
    evening.lay("pink 1")
    evening.put("pink", None)
    assert evening.todo == ["move the pink pig to 1"], "not held"
    evening.lift()
    evening.lay("red 1")
    assert evening.played == "pink red"


def test_a_dead_track_lets_the_game_go_on_by_itself(evening: Evening) -> None:
    evening.table.handle(TrackSeen(dict.fromkeys(range(22))))
    evening.lay("red 1")
    evening.lift()
    evening.lay("blue 1")
    assert evening.played == "red blue"


def test_a_track_that_comes_back_lists_what_was_missed(evening: Evening) -> None:
    evening.table.handle(TrackSeen(dict.fromkeys(range(22))))
    evening.lay("red 1")
    evening.lift()
    evening.show_track()
    evening.wait()
    assert evening.todo == ["move the red pig from start to 1!"]


def test_trust_the_app_ignores_this_difference_until_that_piece_moves(evening: Evening) -> None:
    evening.put("green", 10)
    evening.table.play.trust(evening.table.snapshot.seq, "app", "green")
    assert evening.todo == []
    evening.play("red 1")
    assert evening.played == "red"
    evening.restart()
    assert evening.todo == [], "also over a restart"
    evening.put("green", 11)
    assert evening.todo == ["move the green pig from 11 to 20!"]
    evening.put("green", 10)
    assert evening.todo == ["move the green pig from 10 to 20!"], "it has moved"


def test_several_misplaced_pieces_are_left_where_they_are_at_once(evening: Evening) -> None:
    """There is one button for all of them: five wrong pieces make no wall of buttons."""
    evening.put("green", 10)
    evening.put("yellow", 5)
    table = evening.table
    ways = [(fix.side, fix.piece, fix.text) for fix in page(table.snapshot, Words.english()).actions.trust]
    assert ("app", "", "leave all 2 where they are") in ways
    assert [way for way in ways if way[0] == "app"] == [("app", "", "leave all 2 where they are")]
    table.play.trust(table.snapshot.seq, "app", "")
    assert evening.todo == []
    with pytest.raises(ConflictError):
        table.play.trust(table.snapshot.seq, "app", "")


@pytest.fixture
def trusting(evening: Evening) -> Evening:
    """Return an evening where green stands on 10 instead of 20, and may."""
    evening.put("green", 10)
    evening.table.play.trust(evening.table.snapshot.seq, "app", "green")
    return evening


@pytest.mark.parametrize("gone", [0.3, STRAY_STILL - 0.01])
def test_a_moment_unread_does_not_end_trust(trusting: Evening, gone: float) -> None:
    """A hand on it, a reader that misses it, a sweep that reads it next door."""
    for elsewhere in (None, 11):
        trusting.put("green", elsewhere, wait=gone)
        assert trusting.todo == []
        trusting.put("green", 10)
        assert trusting.todo == []


@pytest.mark.parametrize(("gone", "played"), [(BLINK - 0.2, "red"), (BLINK + 0.1, "")])
def test_a_pig_that_rests_may_be_unread_for_a_blink(evening: Evening, gone: float, played: str) -> None:
    """A card goes by at once, unless its own pig's space is in question longer."""
    evening.put("green", None, wait=gone - 0.1)
    evening.lay("red 1", wait=0.1)
    assert evening.played == played
    evening.put("green", 20)
    assert evening.played == "red"


def test_a_reader_that_dies_under_it_does_not_end_trust(trusting: Evening) -> None:
    trusting.silent.add(10)
    trusting.show_track()
    trusting.wait()
    assert trusting.todo == []
    trusting.play("red 1")
    assert trusting.played == "red"


def test_trust_outlives_a_pico_that_starts_anew(trusting: Evening) -> None:
    """It reports its spaces one after the other, the one where the piece stands last."""
    known: dict[int, frozenset[str] | None] = dict.fromkeys(range(22))
    trusting.table.handle(TrackSeen(dict(known)))
    trusting.wait()
    there = {space: uid for uid, space in trusting.on_track.items()}
    for space in (*range(10), *range(11, 22), 10):
        known[space] = frozenset({there[space]} if space in there else ())
        trusting.table.handle(TrackSeen(dict(known)))
        trusting.wait(0.1)
        assert not any("green" in task for task in trusting.todo)


def test_trust_ends_when_the_piece_is_gone(trusting: Evening) -> None:
    trusting.put("green", None)
    assert trusting.todo == ["put the green pig back on 20!"]


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
    fixes = [fix for fix in evening.table.snapshot.fixes if fix.side == "table"]
    assert [fix.change.what for fix in fixes] == ["green"]  # type: ignore[union-attr]
    evening.table.play.trust(evening.table.snapshot.seq, "table", "green")
    assert (evening.played, evening.todo) == ("green", [])


def test_trust_the_table_is_not_offered_for_a_table_that_no_decision_explains(evening: Evening) -> None:
    evening.play("pink 1")
    evening.put("green", 7)
    assert [fix.side for fix in evening.table.snapshot.fixes] == ["app"]
    with pytest.raises(ConflictError, match="the table and the companion agree there"):
        evening.table.play.trust(evening.table.snapshot.seq, "table", "green")


def test_undo_lists_the_way_back(evening: Evening) -> None:
    evening.play("pink 1")
    evening.press("undo")
    assert evening.todo == ["move the pink pig from 1 to 18!"]
    evening.put("pink", 18)
    assert evening.todo == []


def test_undo_then_redo_changes_nothing(evening: Evening) -> None:
    evening.play("pink 1")
    before = evening.race
    evening.press("undo")
    evening.table.play.redo(evening.table.snapshot.seq)
    assert evening.race == before
    assert evening.todo == []


def test_an_alert_goes_when_a_decision_follows(evening: Evening) -> None:
    evening.lay("galloping-horse red 1")
    evening.tap({"do": "play", "seat": 0, "card": "red"})
    assert evening.alerts == []


def test_the_button_next_dismisses_the_message_until_the_card_is_laid_again(evening: Evening) -> None:
    evening.lay("galloping-horse red 1")
    evening.press("next")
    assert evening.alerts == []
    evening.lift()
    evening.lay("galloping-horse red 1")
    assert evening.alerts == ["that's a Galloping Horse card: Ada, play a card"]


def test_a_pad_that_was_lost_and_found_reads_a_lying_card_once(evening: Evening) -> None:
    evening.play("red 1", lift=False)
    evening.table.handle(PadSeen(frozenset(evening.on_pad)))
    evening.wait()
    assert (evening.played, evening.alerts) == ("red", [])


# --- tiers ---------------------------------------------------------------------------------------


def test_with_a_pad_only_the_next_card_confirms_the_move(tmp_path: Path) -> None:
    evening = Evening(tmp_path, spaces=None)
    evening.line_up()
    assert len(evening.todo) == 5
    evening.play("pink 1")
    assert evening.todo == ["move the pink pig to 1"]
    evening.play("red 1")
    assert evening.todo == ["move the red pig to 2"]
    evening.restart()
    assert evening.todo == ["move the red pig to 2"]


def test_with_nothing_every_card_is_a_tap(tmp_path: Path) -> None:
    evening = Evening(tmp_path, spaces=None)
    evening.tap({"do": "line-up", "seat": 0, "order": ["red", "blue", "green", "yellow", "pink"]})
    for seat, card in enumerate(("pink", "red", "red")):
        evening.tap({"do": "play", "seat": seat, "card": card})
    assert evening.played == "pink red red"


def test_a_track_shorter_than_the_game_senses_what_it_can(tmp_path: Path) -> None:
    evening = Evening(tmp_path, spaces=12)
    evening.tap({"do": "line-up", "seat": 0, "order": ["red", "blue", "green", "yellow", "pink"]})
    evening.put("red", 0)
    evening.lay("pink 1")
    assert evening.todo == ["move the pink pig to 1!"], "space 1 has a reader and misses it"
    evening.put("pink", 1)
    evening.lift()
    evening.lay("blue 1")
    assert evening.todo == ["move the blue pig to 2!"]


# --- set aside -----------------------------------------------------------------------------------


def test_a_game_set_aside_lists_the_whole_set_up_when_it_is_resumed(evening: Evening) -> None:
    evening.play("pink 1")
    number = evening.table.match.id  # type: ignore[union-attr]
    evening.table.set_aside(evening.table.snapshot.seq)
    evening.on_track.clear()
    evening.show_track()
    evening.restart()
    assert evening.table.match is None
    evening.table.resume(number)
    assert len(evening.todo) == 5
    assert evening.played == "pink"
    for piece in ("red", "blue", "green", "yellow", "pink"):
        evening.put(piece, evening.at(piece))
    assert evening.todo == []


def test_a_late_tap_is_refused_after_an_undo(evening: Evening) -> None:
    seq = evening.table.snapshot.seq
    evening.play("pink 1")
    with pytest.raises(ConflictError, match="the table has changed meanwhile"):
        evening.table.play.decide(seq, {"do": "play", "seat": 0, "card": "red"})
    evening.press("undo")
    with pytest.raises(ConflictError, match="the table has changed meanwhile"):
        evening.table.play.decide(seq, {"do": "play", "seat": 0, "card": "red"})


def test_a_card_by_tap_needs_no_pieces_put_right(evening: Evening) -> None:
    evening.lay("pink 1")
    evening.tap({"do": "play", "seat": 1, "card": "red"})
    assert evening.played == "pink red"


def test_lamp_and_buzzer_tell_what_the_screen_tells(evening: Evening) -> None:
    signals: list[str] = []

    class Panel:
        def lamp(self, colour: str) -> None:
            signals.append(colour)

        def beep(self, tune: str) -> None:
            signals.append(tune)

    evening.table.signals = Panel()
    evening.lay("pink 1")
    evening.put("pink", 1)
    evening.lay("galloping-horse red 1")
    assert [now for now, before in zip(signals, ["", *signals], strict=False) if now != before] == [
        *("yellow", "ok", "yellow", "green", "red", "wrong")
    ]


def test_an_error_of_ours_is_shown_and_the_evening_goes_on(evening: Evening) -> None:
    evening.table._guarded(lambda: print(1 // 0))
    said = "something went wrong inside the companion, the game goes on: ZeroDivisionError"
    assert evening.alerts[0].startswith(said)
    evening.play("red 1")
    assert evening.played == "red"


# --- two tags with one number --------------------------------------------------------------------


def twice(evening: Evening, thing: str, space: int) -> None:
    """Put a second tag with the number of this one on a space."""
    evening.on_track[UID[thing]] = space
    evening.show_track()


def test_two_tags_with_one_number_are_reported_again_once_one_was_away(evening: Evening) -> None:
    for _ in range(2):
        evening.on_pad.add(UID["galloping-pigs/piece/red"])
        show(evening)
        assert len(evening.alerts) == 1
        evening.press("next")
        assert evening.alerts == []
        evening.on_pad.clear()
        show(evening)


def test_a_piece_read_on_pad_and_track_is_named_and_nothing_waits_for_it(evening: Evening) -> None:
    """It replaces the messages of either alone; the game goes on by taps, and it is quiet when mended."""
    evening.on_pad.add(UID["galloping-pigs/piece/red"])
    evening.show_pad()
    evening.wait()
    assert evening.alerts == [
        "the red pig is on the card pad and on start: two tags have the same number, replace one of them"
    ]
    evening.tap({"do": "play", "seat": 0, "card": "pink"})
    assert evening.played == "pink"
    evening.on_pad.clear()
    evening.show_pad()
    assert evening.alerts == []


def test_a_card_whose_number_is_on_the_track_too_is_played_and_reported(evening: Evening) -> None:
    twice(evening, "galloping-pigs/card/red/3", 9)
    evening.lay("red 3")
    assert evening.played == "red"
    assert evening.alerts == [
        "a red card is on the card pad and on 9: two tags have the same number, replace one of them"
    ]
    evening.press("next")
    assert evening.alerts == []


def test_an_unknown_tag_that_is_read_twice_is_reported(evening: Evening) -> None:
    """So is one of another game: what it means there says nothing here."""
    card = UID["galloping-horse/card/red/3"]
    twice(evening, "galloping-horse/card/red/3", 9)
    evening.on_pad.add(card)
    evening.show_pad()
    evening.wait()
    assert evening.alerts == ["the same tag is on the card pad and on 9: replace one of the two"]


def test_a_piece_carried_from_the_track_to_the_pad_is_one(evening: Evening) -> None:
    """The track needs a moment to see that it was lifted; a pad that is lost shows nothing."""
    evening.on_pad.add(UID["galloping-pigs/piece/red"])
    evening.show_pad()
    evening.wait(0.9)
    assert evening.alerts == ["this is the red pig, not a card: put it on the track"]
    evening.put("red", None)
    evening.table.handle(PartIs("pad", "lost"))
    evening.put("red", 0, wait=5)
    assert not any("two tags" in alert for alert in evening.alerts)
