"""The companion deals: hands are known to it alone, and stay what they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.galloping.rules import Galloping
from companion.games.terms import HIDDEN
from tests.support.evening import Evening


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    dealt = Evening(tmp_path, spaces=None, deal="companion")
    dealt.line_up()
    return dealt


def hands(evening: Evening, seat: int | None) -> tuple[tuple[str, ...], ...]:
    """Return the hands as a seat, or the public, may see them."""
    assert evening.table.match is not None
    race = evening.table.match.race.seen_by(seat)
    assert isinstance(race, Galloping)
    return race.hands


def test_a_seat_sees_its_own_hand_and_counts_the_others(evening: Evening) -> None:
    for seat in (0, 1, 2):
        for other, hand in enumerate(hands(evening, seat)):
            assert len(hand) == 7
            assert (HIDDEN in hand) == (other != seat)
    assert hands(evening, None) == ((HIDDEN,) * 7,) * 3


def test_a_deal_taken_back_and_put_again_is_the_same_deal(evening: Evening) -> None:
    before = [hands(evening, seat) for seat in (0, 1, 2)]
    evening.table.play.undo(evening.journal.seq())
    assert hands(evening, 0) == ((), (), ())
    evening.table.play.redo(evening.journal.seq())
    assert [hands(evening, seat) for seat in (0, 1, 2)] == before


def test_a_deal_survives_a_restart(evening: Evening) -> None:
    before = [hands(evening, seat) for seat in (0, 1, 2)]
    evening.restart()
    assert [hands(evening, seat) for seat in (0, 1, 2)] == before


def test_a_tagged_card_is_not_needed_and_says_so(evening: Evening) -> None:
    evening.lay("red 1")
    assert evening.alerts == [
        "the companion dealt: cards are played on the players' phones or on this screen held open, not on the pad"
    ]
