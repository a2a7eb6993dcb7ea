"""Times of entries on a machine without a battery for its clock: in order, marked, and put right."""

from __future__ import annotations

import ctypes
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.match.entries import Entry
from companion.match.record import Header
from companion.store import backup
from companion.store.checksums import first_fault
from companion.store.clock import Clock, kernel_is_synchronised
from companion.store.file import MEMORY
from companion.store.journal import Journal
from companion.store.restore import checked, restore
from companion.store.salvage import open_journal
from tests.support.board import Board

SAID = datetime(2026, 3, 1, 19, tzinfo=UTC)
REALLY = datetime(2026, 11, 28, 19, tzinfo=UTC)
HEADER = Header("galloping-pigs", ("Ada", "Ben"), 0, {})


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path / "root", SAID, REALLY)


@pytest.fixture
def start(tmp_path: Path, board: Board) -> Iterator[Callable[[], Journal]]:
    """Yield what starts the companion anew on the same data."""
    opened: list[Journal] = []

    def start() -> Journal:
        for one in opened:
            one.close()
        opened.append(open_journal(tmp_path / "journal.sqlite", board.clock))
        return opened[-1]

    yield start
    opened[-1].close()


def play(journal: Journal, board: Board, entries: int = 3) -> int:
    """Play a game, an entry a minute, and return its number."""
    filed, _ = journal.begin(HEADER, "people")
    for _ in range(entries):
        board.wait(60)
        journal.append(filed.id, [Entry("aside")])
    journal.append(filed.id, [Entry("aside")], "aside")
    return filed.id


def times(journal: Journal) -> list[datetime]:
    return [datetime.fromisoformat(one.at) for one in journal.entries_after(0, 1000)]


def marks(journal: Journal) -> list[bool]:
    return [one.undated for one in journal.entries_after(0, 1000)]


def check_order(journal: Journal) -> None:
    """Check that time never goes back, games begin with their first entry, and all sums are right."""
    assert all(before <= after for before, after in pairwise(times(journal)))
    begins = dict(reversed([(one.filed.id, one) for one in journal.entries_after(0, 1000)]))
    assert all(one.at == one.filed.began for one in begins.values())
    assert first_fault(journal._db) is None


def test_entries_are_marked_until_the_clock_is_set_and_then_put_right(
    board: Board, start: Callable[[], Journal]
) -> None:
    """Times of a clock that is months behind are moved to when it was, once that is known."""
    journal = start()
    began = board.really
    game = play(journal, board)
    assert times(journal)[0] == SAID
    assert journal.is_undated(game)
    board.set_clock()
    play(journal, board)
    assert times(journal)[0] == began
    assert times(journal)[4] == board.really - timedelta(minutes=3)
    assert not any(marks(journal))
    check_order(journal)


def test_a_clock_that_jumps_from_1970_moves_the_first_half_of_a_game(
    tmp_path: Path, start: Callable[[], Journal], board: Board
) -> None:
    """The beginning of a game, and each of its entries, has its true time after the clock was set in it."""
    board.switch_on(datetime(1970, 1, 1, 0, 0, 20, tzinfo=UTC))
    journal, began = start(), board.really
    filed, _ = journal.begin(HEADER, "people")
    board.wait(600)
    assert times(journal)[0].year == 1970
    board.set_clock()
    journal.append(filed.id, [Entry("aside")])
    assert times(journal) == [began, began + timedelta(minutes=10)]
    check_order(journal)


def test_a_restart_of_the_program_goes_on_with_the_same_times(
    board: Board, start: Callable[[], Journal]
) -> None:
    """Within one boot the span goes on, runs evenly, and is put right as a whole."""
    began = board.really
    play(start(), board)
    board.wait(600)
    play(start(), board)
    board.wait(600)
    journal = start()
    assert all(marks(journal))
    board.set_clock()
    assert journal.settle_clock()
    assert not journal.settle_clock()
    minutes = [(at - began) / timedelta(minutes=1) for at in times(journal)]
    assert minutes == [0, 1, 2, 3, 3, 13, 14, 15, 16, 16]
    assert not any(marks(journal))
    check_order(journal)


def test_time_is_never_behind_the_newest_entry(board: Board, start: Callable[[], Journal]) -> None:
    """A board that is switched on with a clock behind its last game goes on after that."""
    board.set_clock()
    play(start(), board)
    board.switch_on(SAID)
    play(start(), board)
    journal = start()
    assert times(journal)[5] == times(journal)[4]
    assert marks(journal) == [False] * 5 + [True] * 5
    check_order(journal)


def test_power_cut_before_the_clock_was_set_leaves_the_marks(
    board: Board, start: Callable[[], Journal]
) -> None:
    """Entries of an earlier boot stay as they are, and later ones are put right."""
    play(start(), board)
    before = times(start())
    for _ in range(2):  # two more evenings without a network
        board.switch_on(SAID)
        play(start(), board)
    board.switch_on(SAID)
    began = board.really
    journal = start()
    play(journal, board)
    board.set_clock()
    assert journal.settle_clock()
    assert times(journal)[:5] == before
    assert times(journal)[15] == began
    assert marks(journal) == [True] * 15 + [False] * 5
    check_order(journal)
    assert marks(start()) == [True] * 15 + [False] * 5


def test_a_clock_set_back_by_hand_is_not_believed(board: Board, start: Callable[[], Journal]) -> None:
    """Time goes on from the newest entry; within an hour unmarked, beyond it marked until a server is reached."""
    board.set_clock()
    journal, began = start(), board.really
    play(journal, board)
    board.turn_clock(-1800.0)
    play(journal, board)
    assert not any(marks(journal))
    board.turn_clock(-86_400.0 * 400)
    journal = start()
    play(journal, board)
    assert marks(journal) == [False] * 10 + [True] * 5
    assert journal.dates.state == "late"
    check_order(journal)
    board.set_clock()
    assert journal.settle_clock()
    assert not any(marks(journal))
    assert times(journal)[0] == began
    assert times(journal)[-1] == board.really
    check_order(journal)


def test_entries_from_a_clock_that_was_ahead_get_the_latest_possible_time(
    board: Board, start: Callable[[], Journal]
) -> None:
    """A game dated in the far future is moved before what a time server says, and marked; others are not."""
    board.set_clock()
    first = board.really
    play(start(), board)
    board.turn_clock(86_400.0 * 4000)
    play(start(), board)
    board.switch_on(SAID)
    journal = start()
    play(journal, board)
    assert times(journal)[-1].year == 2037
    began = board.really - timedelta(minutes=3)
    board.set_clock()
    assert journal.settle_clock()
    assert times(journal)[0] == first
    assert times(journal)[5:11] == [began] * 6
    assert times(journal)[-1] == board.really
    assert marks(journal) == [False] * 5 + [True] * 5 + [False] * 5
    check_order(journal)
    play(journal, board)
    assert times(journal)[-1] == board.really


def test_putting_right_is_one_transaction(board: Board, start: Callable[[], Journal]) -> None:
    """If the disk rejects a part of it, all times stay as they were, and it can be tried again."""
    journal = start()
    play(journal, board)
    before = times(journal)
    board.set_clock()
    journal._db.execute(
        "create trigger no before update of began on matches begin select raise(abort, 'full'); end"
    )
    with pytest.raises(sqlite3.Error):
        journal.settle_clock()
    assert times(journal) == before
    assert all(marks(journal))
    assert first_fault(journal._db) is None
    journal._db.execute("drop trigger no")
    assert journal.settle_clock()
    assert not any(marks(journal))


def test_what_is_salvaged_is_marked_and_put_right(
    tmp_path: Path, board: Board, start: Callable[[], Journal]
) -> None:
    """A damaged row takes its game's end with it, and nothing else of the span."""
    began = board.really
    play(start(), board)
    journal = start()
    play(journal, board)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as db:
        db.execute("update entries set line = '[]' where seq = 8")
        db.commit()
    journal = start()
    assert len(journal.troubles()) == 1
    assert marks(journal) == [True] * 7
    board.set_clock()
    assert journal.settle_clock()
    assert times(journal)[0] == began
    assert not any(marks(journal))
    check_order(journal)


@pytest.mark.parametrize("same_boot", [True, False])
def test_a_copy_that_is_put_back_has_its_marks(
    tmp_path: Path, board: Board, start: Callable[[], Journal], same_boot: bool
) -> None:
    """In the same boot its times can be put right, in another one they stay marked."""
    began = board.really
    journal = start()
    play(journal, board)
    file = tmp_path / "copy.sqlite"
    backup.write(backup.whole(journal.copy(), None), file)
    play(journal, board)
    journal.close()
    restore(checked(file), tmp_path, "2026-03-01T20:00:00+00:00")
    if not same_boot:
        board.switch_on(SAID)
    board.set_clock()
    journal = start()
    assert journal.settle_clock()
    assert times(journal)[0] == (began if same_boot else SAID)
    assert marks(journal) == [not same_boot] * 5
    check_order(journal)


def test_the_public_copy_has_the_marks_of_its_games(board: Board, start: Callable[[], Journal]) -> None:
    """Its entries have numbers of their own; what is marked is the same game."""
    journal = start()
    ended = play(journal, board)
    journal.append(ended, [Entry("resume"), Entry("end")], "ended")
    board.set_clock()
    board.switch_on(SAID)
    board.set_clock()
    journal = start()
    other, _ = journal.begin(HEADER, "people")
    journal.append(other.id, [Entry("end")], "ended")
    content = backup.public(journal.copy(), None, lambda name: False)
    db = sqlite3.connect(MEMORY, isolation_level=None)
    db.deserialize(content)
    copied = Journal(MEMORY, db=db)
    assert [copied.is_undated(number) for number in (ended, other.id)] == [True, False]


def test_a_journal_without_marks_has_none_of_their_keys(tmp_path: Path, board: Board) -> None:
    """While the clock is set, a journal has the same values as before there were marks."""
    board.set_clock()
    with closing(Journal(tmp_path / "journal.sqlite", dated_by=board.clock)) as journal:
        play(journal, board)
        assert journal.names() == ["commits"]


@pytest.mark.parametrize(
    ("board_is", "is_set"),
    [
        (lambda board: None, False),
        (lambda board: board.set_clock(), True),
        (lambda board: setattr(board, "is_synchronised", True), True),
        (lambda board: board.add_battery_clock(SAID + timedelta(hours=11)), True),  # in local time
        (lambda board: board.add_battery_clock(datetime(1970, 1, 1, tzinfo=UTC)), False),  # a Pi 5 without one
        (lambda board: board.add_battery_clock(REALLY), False),  # the system has not taken it
        (lambda board: (board.root / "proc/device-tree/model").unlink(), True),  # a PC
    ],
)  # fmt: skip
def test_a_board_is_believed_once_something_has_set_its_clock(
    board: Board, board_is: Callable[[Board], object], is_set: bool
) -> None:
    """A time server or a battery that agrees has set it; a PC is always believed."""
    board_is(board)
    assert board.clock.is_set() is is_set


def test_this_machine_can_be_asked() -> None:
    """The real files and the real kernel answer, on any machine."""
    assert isinstance(Clock().is_set(), bool)
    assert isinstance(Clock().is_synchronised(), bool)


@pytest.mark.parametrize(("state", "follows"), [(0, True), (4, True), (5, False), (-1, False)])
def test_the_kernel_says_whether_its_clock_follows_a_time_server(
    state: int, follows: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TIME_ERROR is 5 [adjtimex(2)]; -1: it could not be asked."""
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(adjtimex=lambda _: state))
    assert kernel_is_synchronised() is follows
