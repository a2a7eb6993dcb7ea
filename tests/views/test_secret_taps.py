"""A secret decision is not among those that are tapped in front of all."""

from __future__ import annotations

from companion.translate import Words
from companion.views.table.actions import tap
from tests.support.moments import Story


def test_a_card_that_is_set_aside_is_not_tapped_on_the_table() -> None:
    """With the first card of a race a player sets one aside in secret: the table offers only the card to play."""
    story = Story("greyhounds", ("Ada", "Ben", "Cleo", "Dev"), 3)
    for turn in story.match.turns:
        due = turn.race.awaits()
        for seat in due.seats if due is not None and due.do == "play" else ():
            if {one.do for one in turn.race.decisions(seat)} == {"play", "set-aside"}:
                choices = tap(turn.race, "play", seat, Words.english()).choices
                assert isinstance(choices, list)
                assert {choice.line["do"] for choice in choices} == {"play"}
                return
    raise AssertionError("no one could set a card aside")
