"""What is read before the first page, and what is checked after it."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bench.years import make
from companion.games.race import random_decision
from companion.match.entries import Entry
from companion.match.record import Header, decision_line
from companion.store import file as journal_file
from companion.store.background_check import BackgroundCheck
from companion.store.checksums import first_fault, know_checksums
from companion.store.file import DAMAGED, DamagedError
from companion.store.journal import Journal
from companion.store.salvage import open_journal
from companion.table.table import Table
from tests.support.client import PATIENCE_S, companion

OLD, RUNNING = 3, 41
DAMAGES = (
    "update entries set line = '[]' where match = {game} and seq % 7 = 1",
    "update matches set header = replace(header, 'Ada', 'Bob') where id = {game}",
    "update matches set standings = '[]' where id = {game}",
    "delete from entries where seq = (select max(seq) from entries where match = {game})",
)


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a journal of 40 games, and one that runs."""
    file = tmp_path_factory.mktemp("years") / "journal.sqlite"
    make(file, 40)
    with closing(Journal(file)) as journal:
        table = Table(journal, dealer=random.Random(3)).open()
        table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion")
        for _ in range(5):
            race = table.ledger.running().race
            decision = random_decision(race, random.Random(3))
            assert decision is not None
            table.play.decide(table.snapshot.seq, decision_line(race, decision))
    return file


@pytest.fixture
def file(tmp_path: Path, years: Path) -> Path:
    copy = tmp_path / "journal.sqlite"
    copy.write_bytes(years.read_bytes())
    return copy


def damage(file: Path, how: str, game: int) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("pragma foreign_keys = off")
        db.execute(how.format(game=game))
        db.commit()


def checked(file: Path) -> list[str]:
    """Return what the check in the background reports."""
    found: list[str] = []
    check = BackgroundCheck(file, found.append, delay=0)
    check.start()
    assert check.done.wait(PATIENCE_S)
    check.stop()
    return found


def test_a_journal_of_copied_games_is_as_a_journal_writes_it(file: Path) -> None:
    """All sums of the benchmark's journal are right, and each game can be played."""
    with closing(Journal(file)) as journal:
        assert first_fault(journal._db) is None
        assert len(journal.matches()) == RUNNING
    assert checked(file) == []


def test_before_the_first_page_no_old_game_is_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening a journal and its table reads entries of the running game, and of an evening; never all."""
    read: list[str] = []
    connect = journal_file.connected

    def traced(*given: Any) -> sqlite3.Connection:
        db = connect(*given)
        db.set_trace_callback(read.append)
        return db

    monkeypatch.setattr(journal_file, "connected", traced)
    with closing(Journal(file, check_all=False)) as journal:
        Table(journal).open()
    statements = {one for one in read if "entries" in one and one.startswith(("select", "pragma"))}
    with closing(sqlite3.connect(file)) as db:
        know_checksums(db)
        plans = {one: {row[3] for row in db.execute(f"explain query plan {one}")} for one in statements}
    assert len(plans) > 3
    assert not [one for one, plan in plans.items() if "SCAN entries" in plan and "limit" not in one]
    assert not [one for one in read if "integrity_check" in one or "foreign_key_check" in one]


@pytest.mark.parametrize("how", DAMAGES)
def test_damage_of_the_running_game_is_found_at_once(file: Path, how: str) -> None:
    """The game on the table goes on only if it is as it was written."""
    damage(file, how, RUNNING)
    with pytest.raises(DamagedError):
        Journal(file, check_all=False)


@pytest.mark.parametrize("how", DAMAGES)
def test_damage_of_an_old_game_is_found_in_the_background(file: Path, how: str) -> None:
    """It is reported and shown, and the next start saves what can be read."""
    damage(file, how, OLD)
    with closing(Journal(file, check_all=False)) as journal:
        [fault] = checked(file)
        assert "not as" in fault
        table = Table(journal).open()
        table.watch.damaged()
        table.evaluate()
        [said] = [str(alert.text) for alert in table.snapshot.alerts]
        assert "start the companion again" in said
    with closing(open_journal(file, check_all=False)) as journal:
        assert first_fault(journal._db) is None
        [said] = map(str, journal.troubles())
        assert "damaged" in said
        assert "again" not in said
        assert not journal.recall(DAMAGED)
        assert [*file.parent.glob("journal.damaged-*.sqlite")]


@pytest.mark.parametrize("how", DAMAGES)
def test_a_copy_is_checked_as_a_whole(file: Path, how: str) -> None:
    """No copy of a damaged journal counts as good, although the companion runs with it."""
    damage(file, how, OLD)
    with closing(Journal(file, check_all=False)) as journal, pytest.raises(DamagedError):
        journal.copy()
    with pytest.raises(DamagedError):
        Journal.copy_of(file)


def test_a_broken_structure_is_found_in_the_background(file: Path) -> None:
    """A page that was overwritten is damage."""
    content = bytearray(file.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 4096] = random.Random(1).randbytes(4096)
    file.write_bytes(bytes(content))
    assert len(checked(file)) == 1


class _Playing:
    """A journal that changes while it is checked: games are renamed, forgotten, written, and dated anew."""

    def __init__(self, journal: Journal) -> None:
        self._journal, self._rng = journal, random.Random(2)

    def change(self) -> None:
        games = [filed.id for filed in self._journal.matches() if filed.state == "played"]
        self._journal.name_match(self._rng.choice(games), "A name")
        self._journal.forget(self._rng.choice(games))
        self._journal.append(RUNNING, [Entry("aside"), Entry("resume")])


@pytest.fixture
def playing(file: Path) -> Iterator[_Playing]:
    with closing(Journal(file, check_all=False)) as journal:
        yield _Playing(journal)


def test_changes_meanwhile_are_no_damage(file: Path, playing: _Playing) -> None:
    """What is written while the check runs is right before and after it."""
    found: list[str] = []
    check = BackgroundCheck(file, found.append, delay=0)
    check.start()
    for _ in range(20):
        playing.change()
    assert check.done.wait(PATIENCE_S)
    check.stop()
    assert found == []


def test_a_check_can_be_stopped(file: Path) -> None:
    """A companion that ends does not wait for it."""
    check = BackgroundCheck(file, pytest.fail)
    check.start()
    check.stop()
    assert not check.done.is_set()


@pytest.mark.long
def test_a_companion_that_runs_shows_damage_of_an_old_game_and_its_next_start_saves_the_rest(
    file: Path,
) -> None:
    """Only here: a process whose check never begins, or whose next start trusts the file."""
    damage(file, DAMAGES[0], OLD)
    data = file.parent
    with companion(data) as running:
        assert running.client.get("/api/table")["match"]["id"] == RUNNING
        end = time.monotonic() + PATIENCE_S
        while not (said := [alert["text"] for alert in running.client.get("/api/table")["alerts"]]):
            assert time.monotonic() < end
            time.sleep(0.1)
        assert any("start the companion again" in text for text in said)
    with companion(data) as running:
        said = [alert["text"] for alert in running.client.get("/api/table")["alerts"]]
        assert any("the damaged file is kept as journal.damaged-" in text for text in said)
        assert running.client.get("/api/table")["match"]["id"] == RUNNING
        states = {one["id"]: one["state"] for one in running.client.get("/api/matches")["matches"]}
        assert states == {RUNNING: "running", OLD: "aside"} | {
            number: "finished" for number in range(1, RUNNING) if number != OLD
        }


def test_the_table_with_the_fault_is_named(file: Path) -> None:
    """Who repairs it by hand knows where to look."""
    damage(file, DAMAGES[1], OLD)
    assert checked(file) == ["1 rows of matches are not as they were written"]


def test_a_broken_index_of_tags_is_found_in_the_background(file: Path) -> None:
    """No game reads it: only SQLite's own check does."""
    with closing(sqlite3.connect(file)) as db:
        db.execute("insert into tags (uid, means) values ('04A1B2C3', 'galloping-pigs/piece/red')")
        db.commit()
        [(page,)] = db.execute("select rootpage from sqlite_master where name = 'sqlite_autoindex_tags_2'")
        [(size,)] = db.execute("pragma page_size")
        db.execute("pragma wal_checkpoint(truncate)")
    content = bytearray(file.read_bytes())
    index = content[(page - 1) * size : page * size]
    content[(page - 1) * size : page * size] = index.replace(b"galloping-pigs", b"gallopinG-pigs")
    file.write_bytes(bytes(content))
    assert len(checked(file)) == 1


def test_an_interpreter_that_ends_does_not_wait_for_it(file: Path) -> None:
    check = BackgroundCheck(file, pytest.fail)
    check.start()
    assert [thread.daemon for thread in threading.enumerate() if thread.name == "check"] == [True]
    check.stop()
