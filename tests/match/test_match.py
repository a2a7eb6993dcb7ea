"""The fold of a journal: what is late, what an undo takes back, what is remembered."""

from __future__ import annotations

import pytest

from companion.errors import ConflictError
from companion.games.terms import Decision
from companion.match.entries import Entry
from companion.match.record import Header
from companion.store.journal import Journal
from companion.table.table import Table

PIGS = ["red", "blue", "green", "yellow", "pink"]


@pytest.fixture
def table(journal: Journal) -> Table:
    """Return three seats that pick at the same time; the match's first entry is number 1."""
    table = Table(journal).open()
    table.begin(Header("snail-sprint", ("Ada", "Ben", "Cleo")))
    return table


def pick(table: Table, seat: int, leaf: int, seq: int) -> None:
    table.play.decide(seq, {"do": "pick", "seat": seat, "leaf": leaf})


def picks(table: Table) -> list[tuple[int | None, int]]:
    assert table.match is not None
    return [(decision.seat, decision.what) for decision in table.match.decisions()]


def test_another_seats_secret_pick_makes_no_seat_late(table: Table) -> None:
    pick(table, 0, 1, seq=1)
    pick(table, 1, 2, seq=1)
    pick(table, 2, 3, seq=1)
    assert picks(table) == [(0, 1), (1, 2), (2, 3)]


def test_a_second_pick_of_the_same_seat_is_late_even_when_it_is_due_again(table: Table) -> None:
    for seat in (0, 1, 2):
        pick(table, seat, 1, seq=1)
    with pytest.raises(ConflictError, match="the table has changed meanwhile"):
        pick(table, 2, 1, seq=1)
    pick(table, 2, 1, seq=4)


def test_a_decision_from_before_an_undo_is_late(table: Table) -> None:
    pick(table, 0, 1, seq=1)
    table.play.undo(2)
    with pytest.raises(ConflictError, match="the table has changed meanwhile"):
        pick(table, 1, 2, seq=2)
    pick(table, 1, 2, seq=3)


def test_a_new_round_of_picks_makes_the_old_ones_late(table: Table) -> None:
    for seat in (0, 1, 2):
        pick(table, seat, 1, seq=1)
    with pytest.raises(ConflictError, match="the table has changed meanwhile"):
        pick(table, 0, 2, seq=1)


def test_what_no_seat_decides_is_late_as_soon_as_any_seat_has_decided(table: Table) -> None:
    """So is a decision of a seat that is not there; another seat's own decision is not."""
    pick(table, 1, 2, seq=1)
    match = table.match
    assert match is not None
    for stranger in (Decision("deal", None, None), Decision("pick", 3, 1)):
        assert match.late(stranger, seq=1)
        assert not match.late(stranger, seq=2)
    assert not match.late(Decision("pick", 0, 1), seq=1)


def test_a_redo_has_the_same_news_though_more_could_be_put_back(table: Table) -> None:
    for seat, seq in ((0, 1), (1, 2), (2, 3)):
        pick(table, seat, 1, seq)
    news_before = table.match.happened(None) if table.match else []
    for seq in (4, 5):
        table.play.undo(seq)
    table.play.redo(6)
    assert table.match is not None
    assert table.match.undone
    assert "undone" not in [news.kind for news in table.match.happened(None)]
    table.play.redo(7)
    assert table.match.happened(None) == news_before != []


def test_a_change_is_news_of_a_change(table: Table) -> None:
    """A change is not reported as the last decision, which may be long ago."""
    for seat in (0, 1, 2):
        pick(table, seat, 1, seq=1)
    assert table.match is not None
    change = Entry("change", {"entry": 2, "decision": None, "kept": 0}, seq=5)
    assert [news.kind for news in table.match.after(change).happened(None)] == ["changed"]


def test_undo_takes_back_the_last_pick_only_and_says_nothing_of_it(table: Table) -> None:
    pick(table, 0, 1, seq=1)
    pick(table, 1, 2, seq=1)
    table.play.undo(3)
    assert picks(table) == [(0, 1)]
    assert table.match is not None
    assert [news.kind for news in table.match.happened(None)] == ["undone"]
    table.play.redo(4)
    assert picks(table) == [(0, 1), (1, 2)]


def test_undo_takes_back_what_the_companion_entered_after_it(journal: Journal) -> None:
    """The deal by people is entered by the companion; it goes with the line-up, and comes back with it."""
    table = Table(journal).open()
    table.begin(Header("galloping-horse", ("Ada", "Ben")))
    table.play.decide(1, {"do": "line-up", "seat": 0, "order": PIGS[:4]})
    assert table.match is not None
    assert [d.do for d in table.match.decisions()] == ["line-up", "deal"]
    table.play.undo(3)
    assert table.match.decisions() == []
    table.play.redo(4)
    assert [d.do for d in table.match.decisions()] == ["line-up", "deal"]


def test_a_decision_after_an_undo_leaves_nothing_to_put_back(table: Table) -> None:
    pick(table, 0, 1, seq=1)
    table.play.undo(2)
    pick(table, 0, 3, seq=3)
    with pytest.raises(ConflictError, match="there is nothing to put back"):
        table.play.redo(4)


def test_there_is_nothing_to_take_back_at_the_start(table: Table) -> None:
    with pytest.raises(ConflictError, match="there is nothing to take back"):
        table.play.undo(1)


def test_the_last_decision_of_a_game_can_be_taken_back(table: Table) -> None:
    for round_ in range(3):
        for seat in (0, 1, 2):
            pick(table, seat, 1, seq=1 + 3 * round_)
    assert table.match is not None
    assert table.match.finished
    assert table.journal.matches()[0].state == "finished"
    table.play.undo(10)
    assert table.journal.matches()[0].state == "running"
    pick(table, 2, 2, seq=11)
    assert table.match.race.scores() == (0, 0, 2)


def test_the_journal_has_undone_decisions_too_and_the_record_has_not(table: Table) -> None:
    pick(table, 0, 1, seq=1)
    table.play.undo(2)
    for seat, leaf in enumerate((3, 1, 2)):
        pick(table, seat, leaf, seq=3)
    table.end(6)
    kinds = [entry.kind for entry in table.journal.entries(1)]
    assert kinds == ["new", "decide", "undo", "decide", "decide", "decide", "end"]
    assert [line for line in table.archive.record(1).splitlines() if "pick" in line] == [
        '{"do": "pick", "seat": 0, "leaf": 3}',
        '{"do": "pick", "seat": 1, "leaf": 1}',
        '{"do": "pick", "seat": 2, "leaf": 2}',
    ]


def test_remarks_on_a_line_are_allowed_at_the_table_too(table: Table) -> None:
    table.play.decide(1, {"do": "pick", "seat": 0, "leaf": 1, "at": "now", "note": "by Ada's aunt"})
    assert picks(table) == [(0, 1)]
