"""The journal's file is deleted, moved or replaced: it is said, and only stored entries are confirmed."""

from __future__ import annotations

import errno
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.cli.common import opened
from companion.match.record import Header
from companion.message import Sentence
from companion.store import file as journal_file
from companion.store.file import ENDS_EARLY, GONE
from companion.store.journal import Journal
from companion.store.place import GoneError
from companion.store.salvage import open_journal
from tests.store.test_damage import contents
from tests.support.client import HttpError, companion
from tests.support.evening import Evening


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """Return an evening at which Ada is to play, and has laid no card yet."""
    started = Evening(tmp_path, spaces=None)
    started.line_up()
    return started


def delete(directory: Path) -> None:
    (directory / "journal.sqlite").unlink()


def delete_log(directory: Path) -> None:
    (directory / "journal.sqlite-wal").unlink()


def move(directory: Path) -> None:
    (directory / "journal.sqlite").rename(directory / "elsewhere.sqlite")


def replace(directory: Path) -> None:
    """Replace the journal by an older one."""
    with closing(Journal(directory / "older.sqlite")) as older:
        older.bind({"04A1B2C3D4E5F6": "galloping-pigs/piece/red"})
    (directory / "older.sqlite").replace(directory / "journal.sqlite")


def delete_all(directory: Path) -> None:
    shutil.rmtree(directory)


WAYS = (delete, delete_log, move, replace, delete_all)


@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_is_gone_takes_no_card_and_is_written_anew_when_the_message_is_closed(
    way: Callable[[Path], None], evening: Evening, tmp_path: Path
) -> None:
    before = evening.table.match
    way(tmp_path)
    evening.lay("red 1")
    assert (evening.said, evening.table.match) == ([GONE], before)
    evening.lift()
    with pytest.raises(GoneError):
        evening.table.play.decide(evening.table.snapshot.seq, {"do": "play", "seat": 0, "card": "blue"})
    was = contents(evening.journal)
    evening.press("next")
    assert evening.said == []
    assert contents(evening.journal) == was, "all that is known"
    evening.lay("red 1")
    assert evening.race.progress["red"] == 1
    was = contents(evening.journal)
    evening.restart()
    assert (contents(evening.journal), evening.said) == (was, []), "all of it is in the new file"
    if way is replace:
        assert [p.name for p in tmp_path.glob("journal.other-*.sqlite")], "the file in its place is saved"


@pytest.mark.parametrize("way", [delete_log, delete, replace])
def test_what_was_taken_away_while_the_companion_was_off_is_said(
    way: Callable[[Path], None], evening: Evening, tmp_path: Path
) -> None:
    """It is as after a power cut: the latest decisions are still in the log of the file."""
    evening.lay("red 1")
    cut_off = tmp_path / "cut off"
    cut_off.mkdir()
    for name in ("", "-wal", "-last"):
        shutil.copy2(tmp_path / f"journal.sqlite{name}", cut_off)
    way(cut_off)
    (cut_off / "journal.sqlite-wal").unlink(missing_ok=True)
    with closing(open_journal(cut_off / "journal.sqlite")) as journal:
        [trouble] = journal.troubles()
        assert trouble == Sentence(ENDS_EARLY)
        journal.clear_troubles()
    with closing(open_journal(cut_off / "journal.sqlite")) as journal:
        assert journal.troubles() == [], "said once"


def test_the_message_of_a_trouble_stays_until_it_is_closed(evening: Evening) -> None:
    evening.journal.add_trouble(Sentence(ENDS_EARLY))
    evening.restart()
    assert len(evening.said) == 1
    evening.lay("red 1")
    assert (len(evening.said), evening.race.progress["red"]) == (1, 1), "the game goes on meanwhile"
    evening.restart()
    assert len(evening.said) == 1
    evening.press("next")
    evening.restart()
    assert evening.said == []


def test_a_note_that_cannot_be_read_or_is_behind_says_nothing(evening: Evening, tmp_path: Path) -> None:
    """After a power cut the note may be an older one, half written or not there at all."""
    note = tmp_path / "journal.sqlite-last"
    behind = note.read_bytes()
    evening.lay("red 1")
    for content in (behind, behind[:3], b"", b"9999 0123456789abcdef\n", b"\xff\xfe x\n"):
        note.write_bytes(content)
        evening.restart()
        assert evening.said == []
    note.unlink()
    evening.restart()
    assert evening.said == []


def test_what_is_next_to_the_journal_is_the_companions_alone(evening: Evening, tmp_path: Path) -> None:
    """Its log has the hands of a game that runs; its note is written by the same hand."""
    evening.lay("red 1")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("journal.sqlite*")}
    assert "journal.sqlite-last" in modes
    assert set(modes.values()) == {0o600}


def test_a_file_that_cannot_be_written_anew_is_reported_and_tried_again(
    evening: Evening, tmp_path: Path
) -> None:
    delete(tmp_path)
    (tmp_path / "journal.sqlite.new").mkdir()
    with pytest.raises(sqlite3.OperationalError):
        evening.table.play.dismiss()
    (tmp_path / "journal.sqlite.new").rmdir()
    evening.press("next")
    assert evening.said == []


def test_a_tap_that_meets_a_file_that_is_gone_tells_it_on_every_page(tmp_path: Path) -> None:
    """Each tap is refused with the sentence; the table page says it too, and closing it mends it."""
    with companion(tmp_path) as running:
        client = running.client.host()
        client.begin()
        line_up = {"do": "line-up", "seat": 0, "order": ["red", "blue", "green", "yellow", "pink"]}
        delete(tmp_path)
        with pytest.raises(HttpError) as refusal:
            client.post("/api/decide", seq=client.table["seq"], decision=line_up)
        assert refusal.value.kind == "journal"
        assert [alert["kind"] for alert in client.table["alerts"] if alert["text"] == GONE] == ["journal"]
        client.post("/api/next")
        assert GONE not in [alert["text"] for alert in client.table["alerts"]]
        client.post("/api/decide", seq=client.table["seq"], decision=line_up)
        running.kill()
    with closing(open_journal(tmp_path / "journal.sqlite")) as journal:
        assert [entry.line for entry in journal.entries(1)][1] == line_up


@pytest.mark.parametrize("way", WAYS)
def test_a_stop_while_the_file_is_gone_loses_nothing_that_was_confirmed(
    way: Callable[[Path], None], evening: Evening, tmp_path: Path
) -> None:
    """All is written to a new file in its place, or next to another file that was put there."""
    evening.lay("red 1")
    way(tmp_path)
    was = contents(evening.journal)
    written = evening.journal.rescue()
    evening.journal.close()
    assert written is not None
    assert written.name.startswith("journal.rescued-" if way is replace else "journal.sqlite")
    with closing(open_journal(written)) as journal:
        assert contents(journal) == was
        assert journal.troubles() == []
    if way is replace:
        with closing(open_journal(tmp_path / "journal.sqlite")) as other:
            assert other.tags() == {"04A1B2C3D4E5F6": "galloping-pigs/piece/red"}, "it stays as it was"


def test_a_stop_with_the_file_in_its_place_writes_nothing(evening: Evening, tmp_path: Path) -> None:
    assert evening.journal.rescue() is None
    assert not list(tmp_path.glob("journal.rescued-*"))


def test_a_companion_that_is_stopped_says_where_it_wrote_the_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also that it could not: then the disk is the reason, and it is named."""
    with opened(tmp_path) as journal:
        journal.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion")
        delete(tmp_path)
    assert (
        f"everything that was confirmed was written to {tmp_path / 'journal.sqlite'}"
        in capsys.readouterr().err
    )
    with opened(tmp_path) as journal:
        assert [filed.header.seats for filed in journal.matches()] == [("Ada", "Ben")]
        delete(tmp_path)
        (tmp_path / "journal.sqlite.new").mkdir()
    assert "could not be written to a new one: " in capsys.readouterr().err


def test_a_copy_for_which_there_is_no_room_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is another error than a journal that cannot be read: the disk is full, and SQLite's words are in it."""

    class Full(sqlite3.Connection):
        def backup(self, *_: Any, **__: Any) -> None:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error

    path = tmp_path / "journal.sqlite"
    Journal(path).close()
    monkeypatch.setattr(
        journal_file, "connected", lambda at, uri=False: sqlite3.connect(at, uri=uri, factory=Full)
    )
    with pytest.raises(OSError, match="disk is full") as refused:
        Journal.copy_of(path)
    assert refused.value.errno == errno.ENOSPC


def test_a_folder_that_is_made_anew_is_the_companions_alone(tmp_path: Path) -> None:
    """The journal has the hands of a game that runs."""
    (tmp_path / "data").mkdir()
    evening = Evening(tmp_path / "data")
    evening.line_up()
    shutil.rmtree(tmp_path / "data")
    evening.lay("red 1")
    evening.press("next")
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
