"""Backup copies: a journal in one file, with the settings and the version that made it under a
separate key.

Such a file is a journal like any other, opens with any SQLite, and can prove that it is as it was written: by
the sums of its rows and the number of its tables' last step. There are two kinds: the whole journal, for
those who have the machine, and the public one, for anyone else.
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from companion import __version__
from companion.errors import CompanionError
from companion.match.entries import Entry, Filed
from companion.match.match import Match
from companion.match.record import decision_line
from companion.match.secrecy import never_secret
from companion.store.file import MEMORY, JournalError, make_anew, now
from companion.store.journal import Journal
from companion.store.keys import Key
from companion.store.place import SQLITE_FILES, part, stamp, sync


class Made(msgspec.Struct):
    """The time (ISO 8601, UTC) and version that made a copy, and the text of companion.toml, if any.

    `whole`: with the games that go on, the PIN and all keys.
    """

    at: str
    version: str
    settings: str | None
    whole: bool


MADE: Final[Key[Made | None]] = Key("copy", Made, None)
OVER: Final = ("finished", "played", "ended")

_NAMED: Final = re.compile(r"race-companion-\d{8}-\d{6}\.sqlite")
_PART: Final = ".part"


class BackupError(CompanionError, OSError):
    """A copy cannot be made or restored; the text says why, and that nothing was changed."""


def settings_in(file: Path) -> str | None:
    """Return the text of companion.toml; None if there is none. BackupError if it cannot be read."""
    try:
        return file.read_bytes().decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise BackupError(f"{file} is not UTF-8 text: save it as that first") from None
    except OSError as error:
        raise BackupError(f"{file} cannot be read: {error.strerror or error}") from None


def whole(copied: Journal, settings: str | None) -> bytes:
    """Return a journal that is in memory as a file, with all its contents."""
    return _finished(copied, settings, is_whole=True)


def public(copied: Journal, settings: str | None, is_public: Callable[[str], bool]) -> bytes:
    """Return the public part of a journal as a file: games that are over, tags, and the values of public
    keys.

    Of a game that was given up it has what `never_secret` lets out. Of other games it shows only that a
    number is missing. The file is written from scratch, so it contains only what is written to it. Odds and
    luck are left out too: they are computed again.
    """
    new = Journal(MEMORY)
    for filed in reversed(copied.matches()):
        if filed.state in OVER:
            new.import_match(filed, _public_entries(filed, copied), copied.is_undated(filed.id))
    new.bind(copied.tags())
    for key in (Key(name, Any, None) for name in copied.names() if is_public(name)):
        new.remember(key, copied.recall(key))
    return _finished(new, settings, is_whole=False)


def _public_entries(filed: Filed, copied: Journal) -> Iterator[Entry]:
    """Yield the entries of a match that is over, as its record has them."""
    yield Entry("new")
    entries = copied.entries(filed.id)
    if filed.state != "ended" and not any(entry.kind in _CORRECTIONS for entry in entries):
        for entry in entries:  # all are in force: years of games need not be played for that
            if entry.kind == "decide":
                yield Entry("decide", entry.line, by=entry.by)
        return
    match = Match.of(filed, entries)
    if filed.state == "ended":
        for decision in never_secret(match.opening, match.decisions()):
            yield Entry("decide", decision_line(match.opening, decision))
        yield Entry("end")
        return
    for turn in match.turns:
        yield Entry("decide", decision_line(match.opening, turn.decision), by=turn.by)


_CORRECTIONS: Final = (
    "change",
    "undo",
    "redo",
)  # after which some decisions are not in force as they were made


def _finished(journal: Journal, settings: str | None, is_whole: bool) -> bytes:
    journal.remember(MADE, Made(now(), __version__, settings, is_whole))
    return journal.content()


# --- files ---------------------------------------------------------------------------------------


def name_for(made: str) -> str:
    """Return the name of a copy made at this moment.

    >>> name_for("2026-11-24T23:10:00+00:00")
    'race-companion-20261124-231000.sqlite'
    """
    return f"race-companion-{stamp(made)}.sqlite"


class WholeCopy:
    """All of the journal in a file, with the text of companion.toml, as a copy that is written when it is
    asked for: years of games need not fit in memory.
    """

    def __init__(self, journal: Path, settings: str | None) -> None:
        self._journal, self._settings = journal, settings
        self.games = 0

    def __len__(self) -> int:
        """Return its size in bytes, or nearly so while it is not written."""
        return self._journal.stat().st_size

    def write(self, file: Path) -> None:
        """Write it to this new file; JournalError if the journal is not as it was written."""
        make_anew(file)
        copied = Journal.copy_of(self._journal, file)
        try:
            copied.remember(MADE, Made(now(), __version__, self._settings, True))
            self.games = copied.states().total()
            copied.close_alone()
        except sqlite3.Error as error:
            full = error.sqlite_errorcode == sqlite3.SQLITE_FULL
            raise OSError(errno.ENOSPC if full else errno.EIO, str(error)) from None
        finally:
            copied.close()
        sync(file)


def write(content: bytes | WholeCopy, file: Path) -> None:
    """Write a file, whole or not at all; BackupError if it exists, or there is no room."""
    if file.exists():
        raise BackupError(f"{file} is there already: name another file, or a directory with --into")
    beginning = file.with_name(f".{file.name}{_PART}")
    try:
        if isinstance(content, WholeCopy):
            content.write(beginning)
        else:
            write_private(content, beginning)
        beginning.replace(file)
        sync(file.parent)
    except JournalError:
        raise
    except OSError as error:
        raise BackupError(f"{file} cannot be written: {_reason(error, file.parent, len(content))}") from None
    finally:
        for name in ("", *SQLITE_FILES):
            with suppress(OSError):
                part(beginning, name).unlink()


def write_into(content: bytes | WholeCopy, directory: Path, keep: int) -> tuple[Path, list[Path]]:
    """Write a dated file into a directory, and delete all but the newest `keep` files; return it and the
    deleted ones.

    BackupError if it cannot be written: then nothing is deleted.
    """
    if not directory.is_dir():
        raise BackupError(f"there is no directory {directory}: is its medium plugged in and mounted?")
    file = directory / name_for(now())
    for left in directory.glob(f".race-companion-*{_PART}*"):  # of one that was cut off
        with suppress(OSError):
            left.unlink()
    write(content, file)
    return file, keep_newest(directory, file, keep)


def dated(directory: Path) -> list[Path]:
    """Return the copies in a directory that are named by day and time, the oldest first."""
    return sorted(path for path in directory.iterdir() if _NAMED.fullmatch(path.name))


def keep_newest(directory: Path, file: Path, keep: int) -> list[Path]:
    """Delete all but the newest `keep` dated files, and return the deleted ones.

    `file` stays in any case: a clock that was set back must not delete the new one.
    """
    all_there = dated(directory)
    gone = []
    for path in [path for path in all_there if path != file][: max(0, len(all_there) - keep)]:
        with suppress(OSError):
            path.unlink()
            gone.append(path)
    return gone


def write_private(content: bytes, file: Path) -> None:
    """Write a file that only its owner can read, and sync it to the disk; OSError if that fails."""
    with open(file, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())


def _reason(error: OSError, directory: Path, count: int) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        size = max(1, round(count / 1e6))
        return f"there is no room in {directory} for its {size} MB; the copies that are there stay"
    return error.strerror or str(error)
