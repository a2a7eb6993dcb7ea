"""A copy is put back: only one that is sound, as one step, and the former files are saved."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from bench.years import make
from companion.http.roles import PinLock
from companion.match.entries import Entry
from companion.match.record import Header, Replay
from companion.store import restore as restoring
from companion.store.backup import BackupError, whole
from companion.store.checksums import know_checksums, seal, seal_entry
from companion.store.journal import Journal
from companion.store.restore import JOURNAL, checked, finish, restore
from companion.store.schema import STEPS
from companion.table.table import Table
from tests.store.test_backup import SETTINGS, host, play_on, run
from tests.store.test_damage import WAYS, Contents, contents
from tests.store.test_journal import forget_sums
from tests.support.client import companion

NOW = "2026-11-24T23:10:00+00:00"
OTHER_SETTINGS = "pad = false\n"


class State(NamedTuple):
    """A data directory: all contents of the journal, and the settings."""

    journal: Contents
    settings: str | None


def state(data: Path) -> State:
    """Return the state as the next start finds it."""
    finish(data)
    with closing(Journal(data / "journal.sqlite")) as journal:
        assert journal.troubles() == []
        found = contents(journal)
    settings = data / "companion.toml"
    return State(found, settings.read_bytes().decode() if settings.exists() else None)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of an evening with a game that is over and one that runs, and of its settings."""
    table = Table(Journal(tmp_path / "evening.sqlite"), dealer=random.Random(4)).open()
    table.journal.bind({"04A1B2C3D4E5F6": "galloping-pigs/card/red/3"})
    for _ in "12":
        table.begin(Header("galloping-pigs", ("Ada", "Ben"), 0, {"rounds": 1}), "companion")
        play_on(table, random.Random(4), 1_000 if table.journal.seq() < 5 else 5)
    file = tmp_path / "copy.sqlite"
    file.write_bytes(whole(table.journal.copy(), SETTINGS))
    table.journal.close()
    return file


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a directory in which another evening was, cut off: its end is in the log of the file."""
    directory, origin = tmp_path / "data", tmp_path / "origin"
    for made in (directory, origin):
        made.mkdir()
    with closing(Journal(origin / "journal.sqlite")) as journal:
        for number in range(8):
            journal.begin(Header("galloping-horse", ("Dora", "Emil", f"Fritz {number}")), "people")
        for name in ("", "-wal", "-last"):
            shutil.copy2(origin / f"journal.sqlite{name}", directory)
    (directory / "companion.toml").write_text(OTHER_SETTINGS)
    return directory


def files(directory: Path) -> dict[str, bytes]:
    """Return every file, by name, but the lock."""
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and path.name != "companion.lock"
    }


# --- put back ------------------------------------------------------------------------------------


def test_a_copy_is_put_back_and_the_former_files_are_saved(copy: Path, data: Path) -> None:
    before = files(data)
    ran = run("restore", copy, "--data", data, "--yes")
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert "in it: 2 games (1 running), 1 tag, settings\n" in ran.stdout
    assert "the host chooses a new one" in ran.stdout, "there was no PIN yet"
    assert state(data) == State(contents(checked(copy).journal), SETTINGS)
    [saved] = data.glob("before-restore-*")
    assert f"the former data are in {saved}\n" in ran.stdout
    assert files(saved) == before
    assert saved.stat().st_mode & 0o777 == 0o700


def test_the_saved_files_can_be_put_back_as_well(copy: Path, data: Path) -> None:
    """There and back again; it is a journal with a log, and settings."""
    was = contents(checked(data / "journal.sqlite").journal)
    restore(checked(copy), data, NOW)
    ran = run("restore", data / "before-restore-20261124-231000" / "journal.sqlite", "--data", data, "--yes")
    assert ran.exit_code == 0
    assert state(data) == State(was, OTHER_SETTINGS)
    assert len(list(data.glob("before-restore-*"))) == 2


def test_an_empty_directory_gets_it_and_keeps_nothing(copy: Path, tmp_path: Path) -> None:
    new = tmp_path / "new" / "card"
    ran = run("restore", copy, "--data", new, "--yes")
    assert (ran.exit_code, "kept" in ran.stdout) == (0, False)
    assert set(files(new)) == {"journal.sqlite", "companion.toml"}
    assert {path.stat().st_mode & 0o777 for path in new.iterdir()} - {0o644} == {0o600}
    assert state(new).settings == SETTINGS


def test_it_asks_first(copy: Path, data: Path) -> None:
    from click.testing import CliRunner

    from companion.cli import main

    before = files(data)
    for said in ("n\n", ""):
        ran = CliRunner().invoke(main, ["restore", str(copy), "--data", str(data)], input=said)
        assert (ran.exit_code, f"let this be what is in {data}?" in ran.stdout) == (1, True)
        assert files(data) == before


def test_a_copy_of_everything_goes_on_with_its_game_and_its_pin(tmp_path: Path) -> None:
    """The cookie of the host's phone opens it as before, and the game runs on."""
    with companion(tmp_path / "one") as running:
        client = running.client.host()
        client.begin()
        assert run("backup", tmp_path / "copy", "--data", tmp_path / "one").exit_code == 0
    assert run("restore", tmp_path / "copy", "--data", tmp_path / "two", "--yes").exit_code == 0
    with companion(tmp_path / "two") as running:
        running.client.share(client)
        assert running.client.table["match"]["seats"] == ["Ada", "Ben"]
        running.client.now("/api/end")


def test_after_a_copy_without_a_pin_the_host_chooses_one(copy: Path, data: Path, tmp_path: Path) -> None:
    """As with what a phone has downloaded, the next PIN that is entered is the PIN."""
    with closing(Journal(copy)) as journal:
        answer = host(Table(journal).open()).get(
            "/api/backup", environ_overrides={"REMOTE_ADDR": "192.168.1.9"}
        )
    (tmp_path / "phone.sqlite").write_bytes(answer.data)
    ran = run("restore", tmp_path / "phone.sqlite", "--data", data, "--yes")
    assert "no PIN is in it: the host chooses a new one, on /host\n" in ran.stdout
    with closing(Journal(data / "journal.sqlite")) as journal:
        lock = PinLock(Table(journal).open())
        assert not lock.is_set()
        lock.check("1357", "192.168.1.9")
        assert lock.is_set()


def test_a_copy_of_an_earlier_version_is_taken_in(copy: Path, data: Path) -> None:
    was = contents(checked(copy).journal)
    with closing(sqlite3.connect(copy)) as older:
        forget_sums(older)
    restore(checked(copy), data, NOW)
    assert state(data).journal == was


def test_a_companion_that_runs_is_not_disturbed(copy: Path, tmp_path: Path) -> None:
    with companion(tmp_path / "data") as running:
        before = running.client.host().table | {"parts": None}
        ran = run("restore", copy, "--data", tmp_path / "data", "--yes")
        assert ran.exit_code == 1
        assert f"another companion runs with the data in {tmp_path / 'data'}: stop it first" in ran.stderr
        assert running.client.table | {"parts": None} == before  # on a busy machine a part is silent at times
    assert not list((tmp_path / "data").glob("*rest*"))


# --- refused -------------------------------------------------------------------------------------


def test_a_damaged_copy_is_refused_or_is_whole(copy: Path, data: Path, soak: int) -> None:
    """A bit, a sector, a page, the end: what is taken in is what was copied, to the last entry."""
    was, before, refused = contents(checked(copy).journal), files(data), 0
    sound = copy.read_bytes()
    for way in WAYS:
        for seed in range(25 * soak):
            content = bytearray(sound)
            way(content, random.Random(f"{way.__name__} {seed}"))
            copy.write_bytes(content)
            try:
                found = checked(copy)
            except BackupError:
                refused += 1
            else:
                assert contents(found.journal) == was, f"{way.__name__} {seed}"
                assert found.settings == SETTINGS
    assert refused > 25
    assert files(data) == before


def written(file: Path, *statements: str) -> None:
    """Write into a copy as a person who knows its sums could."""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        know_checksums(db)
        for statement in statements:
            db.execute(statement)
        for table in ("tags", "kept", "found_out"):
            seal(db, table)
        for seq, match in db.execute("select seq, match from entries order by seq").fetchall():
            seal_entry(db, seq, match)
        seal(db, "matches")


def empty(file: Path) -> None:
    file.write_bytes(b"")


def text(file: Path) -> None:
    file.write_text("Dear diary,\n" * 1000)


def another_program(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as db:
        db.execute("create table diary (day, words)")


def acts_by_itself(file: Path) -> None:
    written(file, "create trigger t after insert on entries begin delete from entries; end")


def later(file: Path) -> None:
    written(file, f"pragma user_version = {len(STEPS) + 1}")


def cheated(file: Path) -> None:
    """Play a card twice as far, and make all sums fit."""
    line = '{"do": "play", "seat": 0, "card": "red"}'
    written(file, f"update entries set line = '{line}' where kind = 'decide' and match = 1")


def unplayable(file: Path) -> None:
    written(file, "update entries set line = '{}' where kind = 'decide' and match = 1")


def another_key(file: Path) -> None:
    written(file, "update kept set value = '[3]' where key = 'copy'")


def gone(file: Path) -> None:
    file.unlink()


def a_directory(file: Path) -> None:
    file.unlink()
    file.mkdir()


REFUSED: list[tuple[Callable[[Path], None], str]] = [
    (empty, "is no copy of a companion's journal"),
    (text, "is damaged or no copy of a companion's journal: file is not a database"),
    (another_program, "is no copy of a companion's journal"),
    (acts_by_itself, "is no copy of a companion's journal"),
    (later, "was made by a later version of the companion: update this one"),
    (cheated, "has a game that "),
    (unplayable, "has a game that cannot be played: number 1"),
    (another_key, "what the journal keeps as 'copy' cannot be used"),
    (gone, "cannot be read: No such file or directory"),
    (a_directory, "cannot be read: Is a directory"),
]


@pytest.mark.parametrize(("way", "said"), REFUSED, ids=[way.__name__ for way, _ in REFUSED])
def test_what_is_no_sound_copy_is_refused_in_one_sentence(
    way: Callable[[Path], None], said: str, copy: Path, data: Path
) -> None:
    before = files(data)
    way(copy)
    ran = run("restore", copy, "--data", data, "--yes")
    assert ran.exit_code == 1
    assert said in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert files(data) == before


@pytest.mark.parametrize("call", ["replace", "unlink", "mkdir"])
def test_a_disk_that_does_not_take_it_keeps_what_is_there(
    call: str, copy: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Full, or read-only: nothing was changed is said and is true."""
    was, found = files(data), checked(copy)

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, call, full)
    with pytest.raises(BackupError, match="nothing was changed: No space left on device"):
        restore(found, data, NOW)
    monkeypatch.undo()
    finish(data)
    left = files(data)
    assert {name: left[name] for name in was} == was
    assert not [name for name in left if "resto" in name and not name.startswith("before-restore")]


# --- a power cut ---------------------------------------------------------------------------------

TOUCHES: Final = ("open", "os.", "shutil.", "sqlite3.connect")
"""What Python tells of before it touches a file."""


def killed_at(step: int, copy: Path, data: Path) -> bool:
    """Put a copy back in a process that is killed before it touches the data for the so-manieth time.

    Return False if it came to its end before.
    """
    child = os.fork()
    if child == 0:  # pragma: no cover  it is killed, or ends without a word
        try:
            left = step

            def audited(event: str, arguments: tuple[Any, ...]) -> None:
                nonlocal left
                if event.startswith(TOUCHES) and str(data) in str(arguments):
                    left -= 1
                    if left < 0:
                        os.kill(os.getpid(), signal.SIGKILL)

            found = checked(copy)
            sys.addaudithook(audited)
            restore(found, data, NOW)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # from 3.12 on; no thread here holds a lock
def test_kill_9_at_any_step_leaves_the_old_or_the_new_never_half(
    copy: Path, data: Path, tmp_path: Path
) -> None:
    """After a second kill too, what is half done is done by the next start, or never was.

    Only here: a restore that leaves half of a copy when it is killed.
    """
    new = State(contents(checked(copy).journal), SETTINGS)
    old_of = tmp_path / "old"
    shutil.copytree(data, old_of)
    old = state(old_of)
    seen, step = [], 0
    while True:
        at = tmp_path / f"step {step}"
        shutil.copytree(data, at)
        was_killed = killed_at(step, copy, at)
        seen.append("new" if (found := state(at)) == new else "old")
        assert found in (old, new), f"step {step}"
        assert not [*at.glob("*.rest*"), *at.glob("*.copying")], (
            "nothing half is left behind by the next start"
        )
        if not was_killed:
            break
        step += 1
    assert seen == sorted(seen, reverse=True), "first the old, then the new"
    assert seen.count("old") > 10
    assert seen.count("new") > 4, "killed also after it had happened"


def test_a_copy_that_was_half_put_back_is_there_at_the_next_start(copy: Path, data: Path) -> None:
    """It is there before the settings are read; a half copy is never copied."""
    new = contents(checked(copy).journal)
    shutil.copy2(copy, data / "journal.sqlite.restored")
    (data / "companion.toml.restored").write_text('log = "info"\n')
    ran = run("backup", data / "x", "--data", data)
    assert (ran.exit_code, "start the companion once, then try again" in ran.stderr) == (1, True)
    with companion(data) as running:
        running.stop()
    assert "info" in (data / "companion.toml").read_text()
    assert "companion.serving" in (data / "console.txt").read_text(), "it was started with the new settings"
    assert state(data).journal.games == new.games


def test_the_program_says_it_in_one_line(copy: Path, tmp_path: Path) -> None:
    """The real command says it, in a separate process."""
    command = [
        sys.executable,
        "-m",
        "companion",
        "restore",
        str(copy),
        "--data",
        str(tmp_path / "new"),
        "--yes",
    ]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert f"it is put back in {tmp_path / 'new'}\n" in ended.stdout


def test_of_years_of_games_those_are_replayed_that_go_on_and_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All sums are checked; an old game that goes on is replayed, however many have ended since."""
    make(tmp_path / JOURNAL, 12)
    with closing(Journal(tmp_path / JOURNAL)) as journal:
        journal.append(2, [Entry("aside")], "aside")
    replayed: list[str] = []

    def noted(header: Header, _: object) -> str:
        replayed.append(header.game)
        return ""

    monkeypatch.setattr(restoring, "REPLAYED", 3)
    monkeypatch.setattr(restoring, "written", noted)
    with pytest.raises(BackupError, match="number 2, there is no header"):
        checked(tmp_path / JOURNAL)
    monkeypatch.setattr(restoring, "replayed", lambda text: Replay(None, None))
    replayed.clear()
    found = checked(tmp_path / JOURNAL)
    assert len(replayed) == 4
    assert found.games == {"played": 11, "aside": 1}
    with closing(sqlite3.connect(tmp_path / JOURNAL)) as db:
        db.execute("update entries set line = '[]' where match = 5 and seq % 9 = 0")
        db.commit()
    with pytest.raises(BackupError, match="rows of entries are not as they were written"):
        checked(tmp_path / JOURNAL)


def test_a_copy_is_not_read_into_memory(copy: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Years of games are more than a Pi has free; what is left of a restore that was cut off is replaced."""
    data.mkdir(exist_ok=True)
    for name in ("journal.sqlite.restoring", "journal.sqlite.restoring-journal"):
        (data / name).write_bytes(b"cut off")
    monkeypatch.setattr(Journal, "content", pytest.fail)
    restore(checked(copy), data, NOW)
    assert not [*data.glob("journal.sqlite.restor*")]
    assert state(data).journal == contents(checked(copy).journal)


def test_a_copy_that_is_forgotten_is_closed_by_any_thread(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python collects garbage in the thread that happens to run."""
    failed: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", failed.append)
    copies = [restoring._read(copy)]
    collector = threading.Thread(target=copies.clear)
    collector.start()
    collector.join()
    assert failed == []
