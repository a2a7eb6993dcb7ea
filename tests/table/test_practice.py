"""A practice round for newcomers: two minutes, explained, and forgotten with the next game."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import ConflictError
from companion.match.record import Header
from companion.store.journal import Journal
from companion.table.practice import forget_practice, practise
from companion.table.table import Table

SEATS = ("Guest", "Robot")


@pytest.fixture
def table(journal: Journal) -> Table:
    return Table(journal).open()


def test_it_is_one_round_against_a_robot_dealt_and_explained(table: Table) -> None:
    number = practise(table, SEATS)
    match = table.match
    assert match is not None
    assert (match.id, match.header.seats, match.bots, match.deal) == (
        number,
        SEATS,
        ("", "easy"),
        "companion",
    )
    assert match.race.rounds == 1  # type: ignore[attr-defined]
    assert table.snapshot.explaining
    assert table.preferences.last_game is None, "the next game is not offered against the robot"


def test_it_does_not_begin_while_a_game_runs(table: Table) -> None:
    table.begin(Header("giro-galoppo", ("Ada", "Ben"), 0, {}))
    with pytest.raises(ConflictError, match="a game is running"):
        practise(table, SEATS)


def test_it_is_forgotten_with_the_next_game_and_no_other_game_is(table: Table) -> None:
    number = practise(table, SEATS)
    table.end(table.snapshot.seq)
    assert [one.id for one in table.archive.over()] == [number], "its end can still be looked at"
    kept = table.begin(Header("giro-galoppo", ("Ada", "Ben"), 0, {}))
    forget_practice(table)
    assert table.archive.over() == []
    table.end(table.snapshot.seq)
    forget_practice(table)
    assert [one.id for one in table.archive.over()] == [kept]


def test_another_practice_round_takes_its_place(table: Table, tmp_path: Path) -> None:
    first = practise(table, SEATS)
    table.end(table.snapshot.seq)
    second = practise(table, SEATS)
    assert second > first
    assert table.archive.over() == []
