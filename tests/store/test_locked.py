"""A journal that another program has locked: the message names that program, not the disk."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.store.file import not_written
from companion.store.journal import Journal

LOCKS = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("begin immediate")
print("locked", flush=True)
sys.stdin.read()
"""


def test_the_program_that_has_locked_it_is_named(journal: Journal, tmp_path: Path) -> None:
    """Nothing is changed, and it is written once that program has closed it."""
    [path] = tmp_path.glob("*.sqlite")
    journal._db.execute("pragma busy_timeout = 20")
    command = [sys.executable, "-c", LOCKS, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        with pytest.raises(sqlite3.OperationalError) as error:
            journal.bind({"04A1B2C3D4E5F6": "galloping-pigs/piece/red"})
        said = str(not_written(error.value))
        assert "another program has it open, python" in said
        assert f", {other.pid} (its process); close that one" in said
        assert "space on the disk" not in said
        assert str(journal.trouble()) == said
        other.kill()
    journal.bind({"04A1B2C3D4E5F6": "galloping-pigs/piece/red"})
    assert journal.trouble() is None


def test_one_that_cannot_be_seen_is_not_named(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.store.place.users", lambda *_: [])
    assert journal._place is not None
    assert "such as a viewer of databases" in str(not_written(journal._place.locked()))


def test_a_disk_that_is_read_only_is_not_searched_for_space(tmp_path: Path) -> None:
    with sqlite3.connect(":memory:") as db:
        db.execute("create table t (x)")
        db.execute("pragma query_only = on")
        with pytest.raises(sqlite3.OperationalError) as error:
            db.execute("insert into t values (1)")
    db.close()
    assert "a worn card makes itself read-only" in str(not_written(error.value))
