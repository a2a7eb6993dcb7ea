"""A reader that repeats a card: what it types, at a table that plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.devices.held import HELD_S, Held
from companion.devices.typed import Typist
from companion.devices.uid_text import read_uid
from companion.errors import ValidationError
from companion.table.laid_again import LaidAgain
from tests.support.evening import PIGS, Evening

SEATS = ("Ada", "Ben", "Cleo", "Dev")


class Reader:
    """A reader that types at a table whose time the test moves."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.held = evening, Held()
        evening.table.listeners.append(LaidAgain(self.held.forget, evening.table.snapshot).update)

    def types(self, text: str, wait: float = 2.0) -> None:
        """Type a text, and let so many seconds pass."""
        now = self.evening.now
        try:
            self.held.typed(read_uid(text), now)
        except ValidationError as problem:
            self.held.failed(problem.sentence, now)
        self._report()
        self.evening.wait(min(wait, HELD_S))
        self._report()
        self.evening.wait(max(wait - HELD_S, 0.0))

    def _report(self) -> None:
        seen = self.held.seen(self.evening.now)
        if seen is not None:
            self.evening.table.handle(seen)


@pytest.fixture
def dogs(tmp_path: Path) -> Evening:
    return Evening(tmp_path, "greyhounds", SEATS, spaces=None)


@pytest.fixture
def pigs(tmp_path: Path) -> Evening:
    evening = Evening(tmp_path, spaces=None)
    evening.line_up(PIGS)
    return evening


def test_a_card_of_a_set_that_is_repeated_stays_in_it(dogs: Evening) -> None:
    """Three cards are shown; the third is typed again 2 s later, and later: it was not taken out."""
    reader = Reader(dogs)
    for number in (1, 2, 3):
        reader.types(dogs.card(f"red {number}"))
    for _ in range(4):
        reader.types(dogs.card("red 3"))
    assert dogs.gathered == [(1, 2, 3)]
    reader.evening.wait(6.0)
    reader.types(dogs.card("red 3"))
    assert dogs.gathered == [(1, 2)], "after a clear pause it was laid again"


def test_another_card_or_a_person_parts_a_card_from_itself(dogs: Evening) -> None:
    reader = Reader(dogs)
    for number in (1, 2, 3):
        reader.types(dogs.card(f"red {number}"))
    reader.types(dogs.card("red 2"))
    assert dogs.gathered == [(1, 3)]
    dogs.press("undo")  # takes the last card back
    assert dogs.gathered == [(1,)]
    reader.types(dogs.card("red 2"))
    assert dogs.gathered == [(1, 2)]


def test_a_card_that_was_played_is_not_refused_while_it_is_there(pigs: Evening) -> None:
    """The decision that a card makes does not part it from itself, but one of others does."""
    reader = Reader(pigs)
    for _ in range(4):
        reader.types(pigs.card("red 1"))
        assert (pigs.played, pigs.alerts) == ("red", [])
    pigs.press("undo")
    reader.evening.wait(0.7)
    reader.types(pigs.card("red 1"))
    assert pigs.played == "red"


def test_text_that_is_no_card_is_named(pigs: Evening) -> None:
    """It says what arrived instead of asking for one card at a time, and the next card is played."""
    reader = Reader(pigs)
    reader.types(";118,45763?", wait=0.5)
    assert pigs.alerts == [
        "The reader typed ';118,45763?'. The companion understands 8, 14 or 20 hex digits or a decimal number, "
        "also with signs around or between them: set the reader to one of these"
    ]
    reader.types(pigs.card("red 1"))
    assert (pigs.played, pigs.alerts) == ("red", [])


def test_text_that_is_no_card_is_named_while_tags_are_given(tmp_path: Path) -> None:
    """A repeated tag is given once, and one that was taken back can be held again."""
    evening = Evening(tmp_path, seats=(), spaces=None)
    evening.table.tags.bind({})
    reader = Reader(evening)
    evening.table.tags.enrol("galloping-pigs")
    evening.table.tags.go_on_enrolling(lambda now: now.from_here_again())
    reader.types("hello")
    assert evening.table.snapshot.enrolment is not None
    assert evening.table.snapshot.enrolment.turned is not None
    assert str(evening.table.snapshot.enrolment.turned.why).startswith("The reader typed 'hello'")


def test_the_case_of_the_sentinels() -> None:
    """`;04A1B2C3D4E5F6?` and Enter, as strokes."""
    typist = Typist()
    strokes = (39, 11, 5, 30, 2, 48, 3, 46, 4, 32, 5, 18, 6, 33, 7, 42, 53, 28)
    texts = [text for at, code in enumerate(strokes) for text in typist.key(code, at * 0.25)]
    assert texts == [";04A1B2C3D4E5F6?"]
    assert [read_uid(text) for text in texts] == ["04A1B2C3D4E5F6"]
