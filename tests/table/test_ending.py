"""While a piece is still to be put where it ran, no page shows who has won."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.terms import Place
from companion.history.evening import Evening
from companion.match.match import Match
from companion.message import Sentence
from companion.odds.luck_summary import Parts
from companion.referee.reports import Todo
from companion.table.messages import LuckIs
from companion.table.snapshot import Snapshot
from companion.translate import LANGUAGES, Words
from companion.views.table.page import page
from tests.support.moments import Story

SEATS = ("Ada", "Ben", "Cleo")
STORIES = (
    Story("galloping-pigs", SEATS, 3),
    Story("galloping-horse", SEATS, 4),
    Story("giro-galoppo", SEATS, 5),
    Story("greyhounds", SEATS, 6),
)


@pytest.mark.parametrize("to", [Place("home"), Place("track", 24)])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.game)
def test_no_result_is_shown_before_the_last_piece_stands(story: Story, language: str, to: Place) -> None:
    """No places, scores as before the last card, no story of it; until the piece is gone from where it was."""
    words, match = Words.of(language), story.match
    piece = next(iter(match.race.layout()))
    task = Todo(piece, Place("track", 3), to, False, Sentence("{piece}", {"piece": piece}))
    over = Snapshot(match.seq, True, match, luck=luck(match), evening=evening(match))
    waits, ended, unsensed = (
        page(replace(over, seen=seen, todo=(task,)), words) for seen in ({piece: 3}, {piece: None}, None)
    )
    assert (waits.over, ended.over, unsensed.over) == (False, True, True)
    assert [row.place for row in waits.standings] == [None] * 3
    before = match.position(len(match.turns) - 1).scores()
    assert {row.seat: row.score for row in waits.standings} == dict(enumerate(before))
    assert all(int(line.key) < match.seq for line in waits.story)
    assert int(ended.story[0].key) == match.seq
    assert (waits.finale, waits.round_end, waits.luck, waits.odds) == (None, None, None, None)
    assert waits.say.parts != ended.say.parts
    assert ended.luck is not None
    assert ended.luck.headline
    assert [parts.luck for parts in ended.luck.parts] == [75, -25, -25]


def luck(match: Match) -> LuckIs:
    """Return luck that brought it all."""
    parts = (Parts(25, 100, 75, None, None), *[Parts(25, 0, -25, None, None)] * 2)
    return LuckIs(match.id, match.seq, Sentence("Luck"), (Sentence("luck"),) * 3, (), parts)


def evening(match: Match) -> Evening:
    """Return an evening that the first seat won by luck."""
    return Evening((0,), ((25, 25, 25), (100, 0, 0)), luck(match).parts)
