"""A copy of the journal's file alone, without its log, has the evening up to a moment ago."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.match.entries import Entry
from companion.match.record import Header
from companion.store.checkpoint import Checkpoints
from companion.store.journal import Journal
from tests.store.test_kill import TAPS_ONLY, Tapper
from tests.support.client import PATIENCE_S, companion

TRUST = [Entry("trust", {"piece": "red", "seen": None})]


def copied(file: Path, to: Path) -> int:
    """Return how many entries a copy has that a person makes: the file alone, opened elsewhere."""
    to.mkdir()
    subprocess.run(
        ["cp", file, to / "journal.sqlite"], check=True
    )  # read in here, SQLite would lose its locks
    with closing(Journal(to / "journal.sqlite")) as journal:
        return len(journal.entries(1))


def until_copied(file: Path, to: Path, entries: int) -> None:
    """Wait for the first copy that has so many entries: there is no event to wait for but the next copy."""
    end, number = time.monotonic() + PATIENCE_S, 0
    while copied(file, to / str(number)) < entries:
        assert time.monotonic() < end, "the file stays behind its log"
        number += 1
        time.sleep(0.02)


def test_the_file_alone_has_the_game_while_a_companion_runs(tmp_path: Path) -> None:
    """All that was confirmed before a quiet moment is in the file, and not by one big checkpoint."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "companion.toml").write_text(TAPS_ONLY, encoding="utf-8")
    with companion(data) as running:
        client = running.client.host()
        client.begin(options={"rounds": 100})
        tapper = Tapper(client, random.Random(5))
        for number in range(3):
            while len(tapper.answered) < 8 * (number + 1):
                tapper.tap()
            to = tmp_path / f"copies {number}"
            to.mkdir()
            until_copied(data / "journal.sqlite", to, client.table["seq"])
        log = data / "journal.sqlite-wal"
        assert log.stat().st_size < 1_000 * 4096, "SQLite's own checkpoint has not come to help"
        running.kill()


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[tuple[Journal, threading.Event, threading.Event]]:
    """Yield a journal with a game whose checkpoint takes until it is let go; and whether one has begun."""
    journal, begun, go = Journal(tmp_path / "journal.sqlite"), threading.Event(), threading.Event()
    journal.begin(Header("galloping-pigs", ("Ada", "Ben")), "people")
    quick = journal.checkpoint

    def slowly() -> None:
        begun.set()
        assert go.wait(PATIENCE_S)
        quick()

    journal.checkpoint = slowly  # type: ignore[method-assign]  # a card that takes its time
    yield journal, begun, go
    journal.close()


def test_who_writes_does_not_wait_for_a_slow_card(
    slow: tuple[Journal, threading.Event, threading.Event], tmp_path: Path
) -> None:
    journal, begun, go = slow
    checkpoints = Checkpoints(journal)
    checkpoints.start()
    assert begun.wait(PATIENCE_S)
    for _ in range(10):
        journal.append(1, TRUST)
    assert journal.seq() == 11, "written while the file is being brought up"
    go.set()
    (tmp_path / "copies").mkdir()
    until_copied(tmp_path / "journal.sqlite", tmp_path / "copies", 11)
    checkpoints.stop()


def test_a_checkpoint_changes_nothing_in_a_file_that_replaced_its_own(tmp_path: Path) -> None:
    """It makes no new file either where the journal was deleted."""
    file, other = tmp_path / "journal.sqlite", tmp_path / "other.sqlite"
    with closing(Journal(other)) as journal:
        journal.bind({"04A1B2C3D4E5F6": "galloping-pigs/piece/red"})
    content = other.read_bytes()
    with closing(Journal(file)) as journal:
        journal.begin(Header("galloping-pigs", ("Ada", "Ben")), "people")
        os.replace(other, file)
        journal.checkpoint()
        assert file.read_bytes() == content
        file.unlink()
        journal.checkpoint()
        assert not file.exists()


def test_a_disk_that_takes_no_checkpoint_is_logged_once_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.store.checkpoint.PAUSE", 0.0)
    tried = threading.Semaphore(0)

    def fails() -> None:
        tried.release()
        raise sqlite3.OperationalError("disk I/O error")

    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        journal.checkpoint = fails  # type: ignore[method-assign]
        checkpoints = Checkpoints(journal)
        checkpoints.start()
        for _ in range(3):
            assert tried.acquire(timeout=PATIENCE_S)
            journal.bind({})
        checkpoints.stop()
    assert caplog.messages == ["the journal's file is behind its log: disk I/O error"]


def test_an_interpreter_that_ends_does_not_wait_for_it(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        checkpoints = Checkpoints(journal)
        checkpoints.start()
        assert [thread.daemon for thread in threading.enumerate() if thread.name == "checkpoints"] == [True]
        checkpoints.stop()
