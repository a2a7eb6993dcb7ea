"""One moment of a past game, drawn in the history and in the finish."""

from __future__ import annotations

from dataclasses import replace

from companion.translate import Words
from companion.views.history import at_moment
from tests.support.moments import Story

WORDS = Words.english()


def test_the_last_move_of_a_round_is_shown_where_it_ended() -> None:
    """The position after it is that of the next round, whose pieces stand nowhere yet."""
    story = Story("galloping-pigs", ("Ada", "Ben", "Cleo"), 3, {"rounds": 2}, "companion")
    turns, ended = story.match.turns, 0
    for number, turn in enumerate(turns):
        if number == 0 or any(place.zone == "track" for place in turn.race.layout().values()):
            continue
        ended += 1
        [moved] = [news.values for news in turn.race.seen_by(None).news if news.kind == "moved"]
        shown = at_moment(replace(story.match, turns=turns[: number + 1]), None, {}, WORDS)
        places = {piece.piece: piece.space for piece in shown.pieces}
        before = {piece: place.space for piece, place in turns[number - 1].race.layout().items()}
        assert places == before | {moved["piece"]: moved["space"]}
    assert ended
