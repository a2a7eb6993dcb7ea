"""The table as a value: what a message makes of it, and what is to be done about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.devices.readings import PadSeen, TrackSeen
from companion.games.terms import Decision
from companion.match.entries import Entry
from companion.match.record import decision_line
from companion.referee.evaluation import Evaluation
from companion.referee.pad import PAD_STILL
from companion.referee.tagged import TaggedTrack
from companion.table.signals import AskForOdds, Beep, Light, Publish, consequences
from companion.table.snapshot import Snapshot
from companion.table.step import Decide, Evaluate, State, Written, step
from tests.support.evening import Evening


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """Return an evening whose line-up is confirmed, so that a card is due."""
    evening = Evening(tmp_path)
    evening.line_up()
    return evening


@pytest.fixture
def laid(evening: Evening) -> State:
    """Return the state in which a card has just been laid."""
    state = evening.table.ledger.state
    return step(state, PadSeen(frozenset({evening.card("red 1")})), evening.now)[0]


def test_a_card_is_decided_once_it_has_been_still(evening: Evening, laid: State) -> None:
    early, effects = step(laid, Evaluate(), evening.now + PAD_STILL / 2)
    assert not effects
    assert early.evaluation.next_deadline == evening.now + PAD_STILL
    _, effects = step(early, Evaluate(), evening.now + PAD_STILL)
    assert effects == [Decide(Decision("play", 0, "red"), "tag", (evening.card("red 1"),))]


def test_a_decision_is_in_force_only_once_it_is_written(evening: Evening, laid: State) -> None:
    """Until then the same card is tried at each evaluation: nothing else needs to be remembered."""
    state, now = laid, evening.now + PAD_STILL
    for _ in range(3):
        state, effects = step(state, Evaluate(), now)
        assert state.match == laid.match
        [decide] = effects
    assert isinstance(decide, Decide)
    assert state.match is not None
    line = decision_line(state.match.race, decide.decision)
    match = state.match.after(Entry("decide", line, decide.uids, "tag", state.match.seq + 1))
    state, _ = step(state, Written(match, uids=decide.uids), now)
    assert state.match == match
    assert step(state, Evaluate(), now)[1] == []


def test_nothing_is_decided_while_the_journal_may_not_be_tried(evening: Evening, laid: State) -> None:
    state, effects = step(laid, Evaluate(may_decide=False), evening.now + 1)
    assert not effects
    assert state.now == evening.now + 1
    assert state.sensors == laid.sensors


def test_a_step_leaves_the_state_before_it_as_it_was(evening: Evening, laid: State) -> None:
    before = evening.table.ledger.state
    assert not before.sensors.pad.tags
    assert list(laid.sensors.pad.tags) == [evening.card("red 1")]
    assert step(laid, PadSeen(frozenset()), evening.now)[0].sensors.pad.tags == {}
    assert list(laid.sensors.pad.tags) == [evening.card("red 1")]


def test_an_evaluation_senses_each_position_once(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """The race as it is, and the race after each of the cards that may explain a piece moved early."""
    sensed = []
    pieces = TaggedTrack.pieces

    def noted(track: TaggedTrack, race: object, *rest: object) -> object:
        sensed.append(race)
        call: Callable[..., object] = pieces
        return call(track, race, *rest)

    monkeypatch.setattr(TaggedTrack, "pieces", noted)
    evening.put("red", 1)
    sensed.clear()
    state = replace(evening.table.ledger.state)
    for _ in range(3):
        assert state.evaluation.todo
        assert state.evaluation.early == Decision("play", 0, "red")
        assert not state.evaluation.alerts
    assert len(sensed) == len({id(race) for race in sensed}) == 1 + 5


def test_an_evaluation_of_an_empty_table_says_nothing() -> None:
    nothing = Evaluation(State().sensors, None, {}, 0.0)
    assert not nothing.todo
    assert not nothing.alerts
    assert not nothing.fixes
    assert not nothing.gathered
    assert (nothing.seen, nothing.offer, nothing.early, nothing.table_says) == (None, None, None, None)
    assert nothing.judged == (nothing.sensors, None)
    assert nothing.next_deadline is None


def test_a_track_that_reports_nothing_senses_no_piece(evening: Evening) -> None:
    state = evening.table.ledger.state
    assert state.evaluation.seen
    state, _ = step(state, TrackSeen(dict.fromkeys(range(22))), evening.now)
    assert state.evaluation.seen is None


def test_a_new_snapshot_is_published_before_lamp_tune_and_odds(evening: Evening) -> None:
    was = evening.table.snapshot
    evening.play("red 1")
    now = evening.table.snapshot
    kinds = [type(consequence) for consequence in consequences(was, now)]
    assert kinds == [Publish, Light, Beep, AskForOdds]
    assert list(consequences(now, now)) == []
    silent = [type(consequence) for consequence in consequences(Snapshot(0, False), Snapshot(0, True))]
    assert silent == [Publish, Light, AskForOdds]
