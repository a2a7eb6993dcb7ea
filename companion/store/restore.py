"""Restores a copy: checks it first, then puts it in the journal's place in one step; the old
files are saved.

The step is one renaming. The work after it can be repeated, by `finish`, which every caller runs that has
locked the data directory: a power cut leaves the old state or the new one.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from companion.match.match import Match
from companion.match.record import replayed, written
from companion.store.backup import MADE, BackupError, Made, settings_in, write_private
from companion.store.file import MEMORY, NAME_ANOTHER, JournalError, LaterError, connected
from companion.store.journal import Journal
from companion.store.place import PARTS, SQLITE_FILES, part, stamp, sync

JOURNAL: Final = "journal.sqlite"
SETTINGS: Final = "companion.toml"
TABLE_KEY: Final = "table-key"  # the signing key: in no copy, and deleted with the games that it signed
_INCOMING, _RESTORED = ".restoring", ".restored"
_COPYING: Final = "before-restore.copying"
_SIDE_FILES: Final = (*PARTS[1:], "-last", ".saved")
"""Files next to a journal that would be taken for part of the new one."""

_UNNAMED: Final = ""  # a file that SQLite deletes when it is closed: a copy of years may not fit in memory
REPLAYED: Final = 100  # newest games of a copy that are replayed before it is restored
_GOING_ON: Final = ("running", "finished", "aside")


class CheckedCopy(NamedTuple):
    """A copy that was checked: its journal in memory, its origin, and its contents.

    `games` are counted by their state; `settings` is the text of companion.toml, None if there is none.
    """

    journal: Journal
    made: Made | None
    games: Counter[str]
    settings: str | None


def checked(file: Path) -> CheckedCopy:
    """Check this file and return its contents, if all of it can be used; BackupError if not.

    It may also be a journal in a data directory: then companion.toml is read from the same directory.
    """
    try:
        journal = _read(file)
        made = journal.recall(MADE)
    except LaterError:
        raise BackupError(f"{file} was made by a later version of the companion: update this one") from None
    except JournalError as error:
        raise BackupError(str(error).removesuffix(f"; {NAME_ANOTHER}")) from None
    settings = settings_in(file.with_name(SETTINGS)) if made is None else made.settings
    return CheckedCopy(journal, made, _played(file, journal), settings)


def _read(file: Path) -> Journal:
    """Return the journal in a copy of this file, so that nothing is written next to it; it may have a log
    there.
    """
    with ExitStack() as undo, TemporaryDirectory(prefix="companion-restore-") as directory:
        content = undo.enter_context(closing(connected(_UNNAMED)))
        copy = Path(directory) / JOURNAL
        try:
            for name in PARTS[:2]:
                if not name or part(file, name).exists():
                    shutil.copyfile(part(file, name), part(copy, name))
        except OSError as error:
            raise BackupError(f"{file} cannot be read: {error.strerror or error}") from None
        try:
            with closing(sqlite3.connect(copy)) as source:
                _check_tables(file, source)
                source.backup(content)
        except (sqlite3.Error, UnicodeDecodeError) as error:  # its message may quote bytes that are no text
            raise BackupError(f"{file} is damaged or no copy of a companion's journal: {error}") from None
        undo.pop_all()
    return Journal(file, db=content)


def _check_tables(file: Path, source: sqlite3.Connection) -> None:
    """Raise BackupError if this file has other tables than a journal, or triggers."""
    fresh = connected(MEMORY)
    with closing(Journal(MEMORY, db=fresh)):
        ours = _names(fresh)
    if not {("table", "matches"), ("table", "entries"), ("table", "kept")} <= _names(source) <= ours:
        raise BackupError(f"{file} is no copy of a companion's journal")


def _names(db: sqlite3.Connection) -> set[tuple[str, str]]:
    return set(db.execute("select type, name from sqlite_master"))


def _played(file: Path, journal: Journal) -> Counter[str]:
    """Replay games of a journal by the rules: those that go on, and the newest. Return the number of games by
    state.

    Older games are as they were written, by their sums; to replay those of years would take minutes. Raises
    BackupError for a game that cannot be replayed.
    """
    replay = {filed.id: filed for filed in journal.matches(_GOING_ON)}
    replay |= {filed.id: filed for filed in journal.matches(most=REPLAYED)}
    for filed in replay.values():
        try:
            match = Match.of(filed, journal.entries(filed.id))
            error = replayed(written(filed.header, match.decisions()).encode()).error
        except Exception as problem:  # the entries may hold anything
            raise BackupError(
                f"{file} has a game that cannot be played: number {filed.id}, {problem}"
            ) from None
        if error is not None:
            raise BackupError(f"{file} has a game that breaks its rules: number {filed.id}, {error.reason}")
    return journal.states()


# --- putting it in place -------------------------------------------------------------------------


def restore(copy: CheckedCopy, data: Path, when: str) -> Path | None:
    """Restore this copy in the data directory; return the folder with the former files, if there were any.

    The directory must be locked. BackupError if it cannot be written: then nothing was changed.
    """
    copy.journal.remember(MADE, None)
    incoming, settings = part(data / JOURNAL, _INCOMING), part(data / SETTINGS, _RESTORED)
    saved: Path | None = None
    try:
        saved = _copy_present(data, when)
        copy.journal.write_to(incoming)
        settings.unlink(missing_ok=True)
        if copy.settings is not None:
            write_private(copy.settings.encode(), settings)
        sync(data)
        incoming.replace(part(data / JOURNAL, _RESTORED))  # the one step
    except OSError as error:
        for left in (incoming, *(part(incoming, name) for name in SQLITE_FILES), settings):
            with suppress(OSError):
                left.unlink()
        if saved is not None:
            shutil.rmtree(saved, ignore_errors=True)
        raise BackupError(
            f"{data} cannot be written, nothing was changed: {error.strerror or error}"
        ) from None
    finish(data)
    return saved


def finish(data: Path) -> None:
    """Finish a restore that was cut off, if there is one; BackupError if that fails."""
    restored, settings = part(data / JOURNAL, _RESTORED), part(data / SETTINGS, _RESTORED)
    try:
        if not restored.exists():
            _clear(data)
            return
        sync(data)
        if settings.exists():
            settings.replace(data / SETTINGS)
        for name in _SIDE_FILES:
            part(data / JOURNAL, name).unlink(missing_ok=True)
        (data / TABLE_KEY).unlink(missing_ok=True)  # numbers of games are used again: subscribers must ask
        restored.replace(data / JOURNAL)
        sync(data)
    except OSError as error:
        raise BackupError(
            f"a copy is half put back in {data}: {error.strerror or error}; make it writable and try again"
        ) from None


def _clear(data: Path) -> None:
    """Delete the remains of a restore that was cut off before its renaming."""
    incoming = part(data / JOURNAL, _INCOMING)
    for left in (
        incoming,
        *(part(incoming, name) for name in SQLITE_FILES),
        part(data / SETTINGS, _RESTORED),
    ):
        left.unlink(missing_ok=True)
    if (data / _COPYING).exists():
        shutil.rmtree(data / _COPYING)


def is_unfinished(data: Path) -> bool:
    """Return True if a copy was restored here and the power failed before all was done."""
    return part(data / JOURNAL, _RESTORED).exists()


def _copy_present(data: Path, when: str) -> Path | None:
    """Copy the present files into a dated folder, which is there whole or not at all."""
    present = list(_present(data))
    if not present:
        return None
    saved, number = data / f"before-restore-{stamp(when)}", 1
    while saved.exists():
        number += 1
        saved = data / f"before-restore-{stamp(when)}-{number}"
    copying = data / _COPYING
    try:
        copying.mkdir(0o700)
        for file in present:
            shutil.copy2(file, copying / file.name)
            sync(copying / file.name)
        sync(copying)
        copying.replace(saved)
    except OSError:
        shutil.rmtree(copying, ignore_errors=True)
        raise
    sync(data)
    return saved


def _present(data: Path) -> Iterator[Path]:
    for name in ("", *_SIDE_FILES):
        if name != "-shm" and part(data / JOURNAL, name).exists():
            yield part(data / JOURNAL, name)
    if (data / SETTINGS).exists():
        yield data / SETTINGS
