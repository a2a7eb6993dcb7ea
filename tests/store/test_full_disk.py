"""A card that the journal cannot take: the screen says why, and it is played once there is room."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.match.entries import Entry
from companion.table.journal_watch import UNWRITTEN_PAUSE
from tests.support.evening import Evening

NO_ROOM = (
    "the journal could not be written, nothing was changed: database or disk is full; "
    "look for space on the disk"
)


def fill(evening: Evening) -> None:
    """Fill this disk: it has no room for another entry."""
    db = evening.journal._db
    db.execute(f"pragma max_page_count = {db.execute('pragma page_count').fetchone()[0]}")
    trust = [Entry("trust", {"piece": "red", "seen": None})]
    with pytest.raises(sqlite3.OperationalError, match="full"):
        list(iter(lambda: evening.journal.append(1, trust), None))
    evening.table.evaluate()


def make_room(evening: Evening) -> None:
    evening.journal._db.execute("pragma max_page_count = 1000000")


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """Return an evening at which Ada is to play, and has laid no card yet."""
    started = Evening(tmp_path, spaces=None)
    started.line_up()
    return started


def test_a_card_waits_on_the_pad_until_there_is_room(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    fill(evening)
    before = evening.table.match
    evening.lay("red 1")
    assert (evening.said, evening.table.match) == ([NO_ROOM], before)
    evening.wait(10 * UNWRITTEN_PAUSE)
    assert (evening.said, evening.table.match) == ([NO_ROOM], before), "said once, tried again and again"
    slow = "a commit took"  # on a busy machine
    said = [message for message in caplog.messages if not message.startswith(slow)]
    assert said == ["the journal could not be written"]
    make_room(evening)
    evening.wait(UNWRITTEN_PAUSE)
    assert evening.said == []
    assert evening.race.progress["red"] == 1


def test_a_card_that_is_lifted_meanwhile_is_not_played(evening: Evening) -> None:
    fill(evening)
    before = evening.table.match
    evening.lay("red 1")
    evening.lift()
    make_room(evening)
    evening.wait(UNWRITTEN_PAUSE)
    assert (evening.said, evening.table.match) == ([], before)


def test_a_button_that_the_journal_does_not_take_says_the_same(evening: Evening) -> None:
    evening.lay("red 1")
    evening.lift()
    fill(evening)
    before = evening.table.match
    evening.press("undo")
    assert (evening.said, evening.table.match) == ([NO_ROOM], before)
    evening.wait(UNWRITTEN_PAUSE)
    assert evening.said == [], "nothing waits to be written"
