"""The file of the journal: verified when opened, on the disk after a commit, rewritten if it is gone."""

from __future__ import annotations

import errno
import json
import logging
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import msgspec

from companion.errors import CompanionError
from companion.message import N_, Sentence, read_again, written_down
from companion.store.checksums import fault_of_table, first_fault, know_checksums, seal
from companion.store.keys import Key
from companion.store.place import (
    SQLITE_FILES,
    GoneError,
    LockedError,
    Place,
    ReadOnlyError,
    free_name,
    part,
    put_in_place,
    sync,
)
from companion.store.schema import TooNewError, migrate

T = TypeVar("T")

log = logging.getLogger(__name__)

MEMORY: Final = ":memory:"
TRIED: Final = 8192  # bytes of a trial write: some pages, so that a new one is needed
SLOW_COMMIT: Final = 0.25  # seconds; a good card takes 0.01, and the table waits so long

COMMITS: Final = Key("commits", int, 0)
DAMAGED: Final = Key("damaged", bool, False)
"""True if damage was found after the file was opened; the next one who opens it checks all of it."""
TROUBLES: Final[Key[list[dict[str, Any]]]] = Key("troubles", list[dict[str, Any]], [])

NOT_WRITTEN = N_("the journal could not be written, nothing was changed: {text}; look for space on the disk")
READ_ONLY = N_(
    "the journal could not be written, nothing was changed: {text}; a worn card makes itself read-only: copy "
    "everything, and replace it"
)
LOCKED = N_(
    "the journal could not be written, nothing was changed: another program has it open, such as a viewer of "
    "databases; close that one"
)
LOCKED_BY = N_(
    "the journal could not be written, nothing was changed: another program has it open, {text} (its "
    "process); close that one"
)
GONE = N_(
    "the journal's file was deleted or moved away, nothing is kept any more: close this message, "
    "then all that is known is written to a new one"
)
ENDS_EARLY = N_(
    "the end of the journal is missing, its file was changed while the companion was off: see where the game "
    "stands"
)

DAMAGED_PART = N_(
    "a part of the journal is damaged: finish this game, then start the companion again, which saves all "
    "that can be read"
)


class JournalError(CompanionError, OSError):
    """The journal cannot be opened or written; the text says what to do."""


class DamagedError(JournalError):
    """The journal is not as it was written; `store.salvage` saves the readable part."""


class LaterError(JournalError):
    """The journal was written by a later version of the companion."""


def not_written(error: sqlite3.Error) -> Sentence:
    """Return the message for people about a failed write."""
    if isinstance(error, GoneError):
        return Sentence(GONE)
    if isinstance(error, LockedError):
        return Sentence(LOCKED_BY, {"text": error}) if str(error) else Sentence(LOCKED)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    # ext4 that has found a fault answers every write with an I/O error, and looks writable all the same
    is_worn = isinstance(error, ReadOnlyError) or code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)
    return Sentence(READ_ONLY if is_worn else NOT_WRITTEN, {"text": str(error)})


def now() -> str:
    """Return this moment as ISO 8601 text in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class JournalFile:
    """The file. One thread writes; every write is on the disk (synchronous=FULL) when it returns."""

    def __init__(
        self,
        path: Path | str,
        clock: Callable[[], float] = time.monotonic,
        *,
        db: sqlite3.Connection | None = None,
        check_all: bool = True,
    ) -> None:
        """Open the journal in this file, and create it if there is none; or use `db`, read from a file of
        this name.

        Without `check_all` only what is needed to go on is checked, unless damage was found before: see
        `BackgroundCheck`. JournalError if it cannot be used; DamagedError if it is not as it was written.
        """
        self._clock, self._check_all = clock, check_all
        self.committed: Callable[[], None] = lambda: None  # called after each commit, from the same thread
        self._reader_lock = threading.Lock()
        self._along: dict[Key[Any], Any] = {}
        if db is None:
            _make_private(path)
        try:
            self._open(path, db)
        except sqlite3.Error as error:
            kind = DamagedError if is_damage(error) else JournalError
            raise kind(f"the journal {path} cannot be used: {error}; {NAME_ANOTHER}") from None
        except TooNewError:
            raise LaterError(
                f"the journal {path} was written by a later version of the companion: "
                "update this one, or name another with --data"
            ) from None

    def _open(self, path: Path | str, db: sqlite3.Connection | None = None) -> None:
        self._reader: sqlite3.Connection | None = None
        self.failed: sqlite3.Error | None = None  # why the last commit failed
        self._db = db or connected(path)
        try:
            know_checksums(self._db)
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=full")
            self._db.execute("pragma foreign_keys=on")
            self._db.execute("pragma secure_delete=on")  # deleted data is overwritten in the file
            migrate(self._db, self._check_unsummed)
            if (fault := self._first_fault()) is not None:
                raise DamagedError(f"the journal {path} cannot be used: {fault}; {NAME_ANOTHER}")
            self._place = None if db is not None or path == MEMORY else Place(Path(path))
            if self._place is not None:
                self._reader = open_reader(path)
            for connection in filter(None, (self._db, self._reader)):
                # a copy in memory is passed on like any other value
                weakref.finalize(self, connection.close).atexit = False
            self._compare_with_note()
            if self.recall(DAMAGED):  # and yet all of it is as it was written
                self.remember(DAMAGED, False)
        except (sqlite3.Error, TooNewError, JournalError):
            self.close()
            raise

    def _first_fault(self) -> str | None:
        """Return the first fault of what is checked when the file is opened."""
        fault = None if self._check_all else fault_of_table(self._db)
        if fault is not None or not (self._check_all or self.recall(DAMAGED)):
            return fault
        return first_fault(self._db)

    def damaged(self) -> None:
        """Note that a part of the file is damaged, for people and for the next who opens it."""
        with self._commit():
            self._put(DAMAGED, True)
            self._put(TROUBLES, [*self.recall(TROUBLES), written_down(Sentence(DAMAGED_PART))])

    def _check_unsummed(self) -> None:
        """Check rows from before there were sums: sqlite3.DatabaseError if they cannot be true."""
        raise NotImplementedError

    def _compare_with_note(self) -> None:
        """Add a trouble if this file ends before the last confirmed commit."""
        missing = 0 if self._place is None else self._place.last() - self.recall(COMMITS)
        if missing > 0:
            log.warning("the journal ends %s commits before what was confirmed", missing)
            self.add_trouble(Sentence(ENDS_EARLY))

    @contextmanager
    def _commit(self) -> Iterator[None]:
        """Run a transaction: at its end all its writes are on the disk, or none."""
        began = self._clock()
        try:
            with self._db:
                self._db.execute("begin")
                yield
                for key, value in self._along.copy().items():
                    self._put(key, value)
                commit = self.recall(COMMITS) + 1
                self._put(COMMITS, commit)
                if self._place is not None:
                    self._place.check()
        except sqlite3.IntegrityError:  # the data is wrong, not the disk
            raise
        except sqlite3.Error as error:
            self.failed = error
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and self._place is not None:
                self.failed = self._place.locked()
                raise self.failed from error
            raise
        self.failed = None
        if self._place is not None:
            self._place.note(commit)
        self.committed()
        if (took := self._clock() - began) > SLOW_COMMIT:
            log.warning("a commit took %.2f s: the card or disk may be worn or busy", took)

    def close(self) -> None:
        """Close the file; written data stays."""
        with self._reader_lock:
            if self._reader is not None:
                self._reader.close()
            self._reader = None
            self._db.close()

    def checkpoint(self) -> None:
        """Move committed data from the log into the file, from any thread; the writer does not wait.

        sqlite3.Error if the disk rejects it; nothing is lost by that.
        """
        with self._reader_lock:
            if self._reader is not None:
                self._reader.execute("pragma wal_checkpoint(passive)").fetchall()

    @contextmanager
    def _reader_connection(self) -> Iterator[sqlite3.Connection]:
        """Give access to committed data for a quick read from any thread; the writer does not wait."""
        with self._reader_lock:
            yield self._reader or self._db

    def copy(self) -> Self:
        """Return all committed data as a journal in memory, from any thread; the writer does not wait.

        DamagedError if the file is not as it was written.
        """
        with ExitStack() as undo:
            copied = undo.enter_context(closing(connected(MEMORY)))
            with self._reader_lock:
                (self._reader or self._db).backup(copied)
            undo.pop_all()
        return type(self)(MEMORY if self._place is None else self._place.path, db=copied)

    @classmethod
    def copy_of(cls, path: Path, into: Path | None = None) -> Self:
        """Return a copy of a file that another program may be using, in memory or in the new file `into`.

        JournalError, too, if there is none; OSError if there is no room for it.
        """
        if not path.is_file():
            raise JournalError(f"there is no journal at {path}: name its directory with --data")
        if into is not None:
            _make_private(into)
        copied = connected(into or MEMORY)
        try:
            copied.execute("pragma locking_mode=exclusive")  # no shared memory, which not every medium has
            with closing(connected(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as source:
                source.backup(copied)
        except sqlite3.Error as error:
            copied.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
                raise OSError(errno.ENOSPC, str(error)) from None
            raise JournalError(f"the journal {path} cannot be read: {error}") from None
        return cls(path, db=copied)

    def close_alone(self) -> None:
        """Close a copy that is in a file, which then belongs to no process and has no log."""
        self._db.execute("pragma journal_mode=delete")
        self.close()

    def write_to(self, file: Path) -> None:
        """Write a copy that belongs to no process and has no log into a new file; OSError if that fails."""
        make_anew(file)
        try:
            with closing(connected(file)) as written:
                written.execute("pragma locking_mode=exclusive")
                self._db.backup(written)
                written.execute("pragma journal_mode=delete")
        except sqlite3.Error as error:
            full = error.sqlite_errorcode == sqlite3.SQLITE_FULL
            raise OSError(errno.ENOSPC if full else errno.EIO, str(error)) from None
        sync(file)

    def content(self) -> bytes:
        """Return a journal in memory as the bytes of a file that belongs to no process and has no log."""
        content = bytearray(self._db.serialize())
        content[18:20] = b"\1\1"  # by the format, section 1.3.3: no log
        return bytes(content)

    # --- its place, and its troubles ---------------------------------------------------------------

    def is_gone(self) -> bool:
        """Return True if the file was deleted, moved or replaced meanwhile: writes no longer arrive there."""
        return self._place is not None and self._place.is_gone()

    def rewrite(self) -> None:
        """Write all data to a new file in the journal's place, and continue with it.

        Another file that is there now is renamed. sqlite3.Error if writing fails.
        """
        assert self._place is not None, "what is in memory cannot be gone"
        path = self._place.path
        self._write_anew(path)
        self._open(path)

    def rescue(self) -> Path | None:
        """Write all data to a new file if the journal's own is gone, and close it, before the program ends.

        Return that file, None if nothing was needed. It is the journal's place, unless another file was put
        there: that one may be meant for the next start, so it stays, and the data get a name next to it.
        sqlite3.Error if writing fails.
        """
        if self._place is None or not self._place.is_gone():
            return None
        path = self._place.path
        if self._place.is_replaced():
            path = free_name(path, "rescued", now())
        self._write_anew(path)
        return path

    def _write_anew(self, path: Path) -> None:
        """Write all data to this file, and close the old one; sqlite3.Error if writing fails."""
        assert self._place is not None, "what is in memory cannot be gone"
        try:
            path.parent.mkdir(0o700, parents=True, exist_ok=True)
            new = part(path, ".new")
            new.unlink(missing_ok=True)
            _make_private(new)
            with closing(sqlite3.connect(new)) as copy:
                self._db.backup(copy)
            if path == self._place.path:
                self._place.rename_others(now())
            self.close()  # before the new one: closing deletes the log of its name
            put_in_place(new, path)
            if path != self._place.path:
                self._place.remove_log()
        except OSError as error:
            raise sqlite3.OperationalError(str(error)) from error

    def trouble(self) -> Sentence | None:
        """Return why writing is impossible now, as far as is known without writing; None: it is possible."""
        if self.is_gone():
            return Sentence(GONE)
        if self.failed is not None:
            return not_written(self.failed)
        why = None if self._place is None else self._place.problem()
        return (
            None if why is None else Sentence(READ_ONLY if "read-only" in why else NOT_WRITTEN, {"text": why})
        )

    def try_write(self) -> None:
        """Write as much as a decision needs, and delete it again; sqlite3.Error if writing fails."""
        with self._commit():
            self._db.execute("insert into kept (key, value) values ('try', zeroblob(?))", (TRIED,))
            self._db.execute("delete from kept where key = 'try'")

    def troubles(self) -> list[Sentence]:
        """Return the events of the file that people have not acknowledged yet."""
        return [read_again(line) for line in self.recall(TROUBLES)]

    def add_trouble(self, sentence: Sentence) -> None:
        """Store a message until people acknowledge it."""
        self.remember(TROUBLES, [*self.recall(TROUBLES), written_down(sentence)])

    def clear_troubles(self) -> None:
        """Delete the messages, once people have acknowledged them."""
        self.remember(TROUBLES, [])

    # --- small values ------------------------------------------------------------------------------

    def recall(self, key: Key[T]) -> T:
        """Return the value stored under this key; JournalError if it is not of the key's type."""
        row = self._db.execute("select value from kept where key = ?", (key.name,)).fetchone()
        value = None if row is None else json.loads(row[0])
        if value is None:
            return key.default
        try:
            stored: T = msgspec.convert(value, key.kind)
        except msgspec.ValidationError as error:
            raise JournalError(
                f"what the journal keeps as {key.name!r} cannot be used: {error}; name another with --data"
            ) from None
        return stored

    def names(self) -> list[str]:
        """Return the names of all stored values, in order."""
        return [name for (name,) in self._db.execute("select key from kept order by key")]

    def remember(self, key: Key[T], value: T, *more: tuple[Key[Any], Any]) -> None:
        """Store a value under this key, replacing the former one; and more of them, all or none."""
        with self._commit():
            for one, stored in ((key, value), *more):
                self._put(one, stored)

    def remember_with_next_commit(self, key: Key[T], value: T) -> None:
        """Store a value with the next commit, from any thread, which does not wait for it.

        A power cut before that commit loses it.
        """
        self._along[key] = value

    def wipe(self, names: Iterable[str]) -> None:
        """Delete the values under these names, and erase them from the file."""
        with self._commit():
            self._db.executemany("delete from kept where key = ?", [(name,) for name in names])
        self._db.execute("pragma wal_checkpoint(truncate)")  # the log still had it

    def _put(self, key: Key[T], value: T) -> None:
        plain = msgspec.to_builtins(value, builtin_types=(Decimal,))
        self._db.execute(
            "insert or replace into kept (key, value) values (?, ?)",
            (key.name, json.dumps(plain, default=float)),
        )
        seal(self._db, "kept", "key = ?", key.name)


def connected(path: Path | str, uri: bool = False) -> sqlite3.Connection:
    """Return a connection without implicit transactions, which any thread may use and the last one closes."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, uri=uri)


def open_reader(path: Path | str) -> sqlite3.Connection:
    """Open another connection to the file, for work that must not delay the writer.

    It is opened with the first one, so that both mean the same file even if another takes its place.
    """
    with ExitStack() as undo:
        db = undo.enter_context(closing(connected(path)))
        db.execute("pragma synchronous=full")
        db.execute("select count(*) from kept").fetchall()  # now it has opened the log too
        undo.pop_all()
    return db


def make_anew(file: Path) -> None:
    """Make an empty file that only its owner can read, in place of one that was cut off; OSError if that
    fails.
    """
    for name in ("", *SQLITE_FILES):
        part(file, name).unlink(missing_ok=True)
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _make_private(path: Path | str) -> None:
    """Make the file readable only by its owner: it has hands, bets and the PIN's hash. SQLite's logs follow
    it.
    """
    if path != MEMORY:
        with suppress(OSError):  # SQLite reports a file that cannot be opened
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            os.chmod(path, 0o600)


def is_damage(error: sqlite3.Error) -> bool:
    """Return True if the file itself is wrong, not its place, its disk or its users."""
    # an error of Python's own decoding has no code
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    elsewhere = (
        sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_AUTH,
    )  # fmt: skip
    return code & 0xFF not in elsewhere


NAME_ANOTHER: Final = "name another with --data, or let `companion run` save what can be read of it"
