"""The place of the journal's file: is it still there, and how far was it written?

Next to the file is a note of one line, `-last`: the number of the last confirmed commit. A journal that ends
before it has lost something while the companion was off: its `-wal` was deleted or damaged, or an older file
was put in its place.
"""

from __future__ import annotations

import logging
import os
import re
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.errors import CompanionError
from companion.processes import users
from companion.store.checksums import checksum

log = logging.getLogger(__name__)

ROOM: Final = 256 * 1024  # bytes that a disk has at least, or the next decision may not fit

_READ_ONLY: Final = "the disk is read-only"
PARTS: Final = ("", "-wal", "-shm")
"""What SQLite adds to a file's name for the files that belong to it."""

SQLITE_FILES: Final = (*PARTS[1:], "-journal")
"""The same for a file that is being written, without itself."""


class GoneError(CompanionError, sqlite3.OperationalError):
    """The journal's file was deleted, moved or replaced while it is open: writes would be lost."""


class LockedError(CompanionError, sqlite3.OperationalError):
    """Another program has locked the journal; the text names it, where it can be seen."""


class ReadOnlyError(CompanionError, sqlite3.OperationalError):
    """The journal's file system takes no more writes."""


class Place:
    """A journal's file and its note; create it after SQLite has opened the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._note = part(path, "-last")
        self._files = {name: _identity(part(path, name)) for name in PARTS[:2]}

    def is_gone(self) -> bool:
        """Return True if the file, or the log with its latest writes, is missing or another one."""
        return any(_identity(part(self.path, name)) != file for name, file in self._files.items())

    def is_replaced(self) -> bool:
        """Return True if another file has the journal's name now."""
        return _identity(self.path) not in (None, self._files[""])

    def check(self) -> None:
        """Raise GoneError if the file is no longer there, ReadOnlyError if its file system is read-only.

        ext4 that is remounted read-only under an open file takes writes into memory, and its fsync succeeds:
        they would be gone after the next power cut (docs/machine.md).
        """
        if self.is_gone():
            raise GoneError(f"{self.path} was deleted, moved or replaced")
        with suppress(FileNotFoundError):
            if os.statvfs(self.path.parent).f_flag & os.ST_RDONLY:
                raise ReadOnlyError(_READ_ONLY)

    def locked(self) -> LockedError:
        """Return the error for a journal that another program has locked."""
        return LockedError("; ".join(map(str, users(*(part(self.path, name) for name in PARTS)))))

    def problem(self) -> str | None:
        """Return why the disk would reject a write now, in SQLite's words; None: it would accept it."""
        try:
            disk = os.statvfs(self.path.parent)
        except OSError as error:
            return str(error.strerror or error)
        if disk.f_flag & os.ST_RDONLY:
            return _READ_ONLY
        return "database or disk is full" if disk.f_bavail * disk.f_frsize < ROOM else None

    def last(self) -> int:
        """Return the last noted commit; 0 if no note can be read."""
        with suppress(OSError, ValueError):
            number, written = self._note.read_bytes().split()
            if checksum(int(number)) == written.decode():
                return int(number)
        return 0

    def note(self, commit: int) -> None:
        """Note that this commit is on the disk; after a power cut the note may be an older one."""
        try:
            with open(self._note, "wb", opener=_private) as file:
                file.write(f"{commit} {checksum(commit)}\n".encode())
        except OSError as error:
            log.warning("the note beside the journal could not be written: %s", error)

    def rename_others(self, when: str) -> None:
        """Rename other files that are in the journal's place; OSError if that fails."""
        free = free_name(self.path, "other", when)
        for name, file in self._files.items():
            if _identity(part(self.path, name)) not in (None, file):
                part(self.path, name).rename(part(free, name))

    def remove_log(self) -> None:
        """Remove the journal's log, if it is still this one: SQLite would take it for another file."""
        log_file = part(self.path, "-wal")
        if _identity(log_file) == self._files["-wal"]:
            log_file.unlink(missing_ok=True)
            part(self.path, "-shm").unlink(missing_ok=True)


def part(path: Path, name: str) -> Path:
    """Return the file of this name that belongs to a journal."""
    return path.with_name(path.name + name)


def free_name(path: Path, why: str, when: str) -> Path:
    """Return a free name for a file next to the journal.

    >>> free_name(Path("journal.sqlite"), "damaged", "2026-11-24T23:10:00+00:00").name
    'journal.damaged-20261124-231000.sqlite'
    """
    name = f"{path.stem}.{why}-{stamp(when)}"
    free, number = path.with_name(name + path.suffix), 1
    while free.exists() or part(free, "-wal").exists():
        number += 1
        free = path.with_name(f"{name}-{number}{path.suffix}")
    return free


def stamp(when: str) -> str:
    """Return a moment in ISO 8601 in the form for file names: 20261124-231000."""
    return re.sub("[-:]", "", when[:19]).replace("T", "-")


def put_in_place(new: Path, path: Path) -> None:
    """Make a closed file the journal: whole or, if the power fails, not at all. OSError if that fails."""
    sync(new)
    for name in PARTS[1:]:
        part(path, name).unlink(missing_ok=True)  # they would be taken for the new one's
    new.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Sync a file, or the names in a directory, to the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _identity(path: Path) -> tuple[int, int] | None:
    """Return a value that differs from any other file that may get this name; None if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
