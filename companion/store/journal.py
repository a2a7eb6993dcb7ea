"""The journal: everything decided, in one SQLite file, on the disk before anybody is told.

A match is its entries: decisions as record lines with the tags that caused them, and appended
changes, undos and redos. No line is ever altered, and none taken out but with a whole match that is over,
when people want it forgotten. `seq`, an entry's number, never falls, not even then.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

import msgspec

from companion.errors import CompanionError
from companion.match.entries import By, Entry, EntryKind, Filed, MatchState
from companion.match.match import Match
from companion.match.record import Header
from companion.message import N_, Sentence, read_again, written_down
from companion.store.checksums import first_fault, know_checksums, seal, seal_entry
from companion.store.keys import Key
from companion.store.place import GoneError, Place, part, put_in_place
from companion.store.schema import TooNewError, migrate
from companion.store.unsummed import unfit

T = TypeVar("T")

log = logging.getLogger(__name__)

SLOW_COMMIT: Final = 0.25  # seconds; a good card takes 0.01, and the table waits meanwhile
_MOST_MATCHES = 2**63 - 1  # SQLite's greatest number

COMMITS: Final = Key("commits", int, 0)
TROUBLES: Final[Key[list[dict[str, Any]]]] = Key("troubles", list[dict[str, Any]], [])

NOT_WRITTEN = N_("the journal could not be written, nothing was changed: {text}; look for space on the disk")
GONE = N_(
    "the journal's file was deleted or moved away, nothing is kept any more: close this message, "
    "then all that is known is written to a new one"
)
ENDS_EARLY = N_(
    "the end of the journal is missing, its file was changed while the companion was off: see where the game "
    "stands"
)


class JournalError(CompanionError, OSError):
    """The journal cannot be opened or written; the text says what to do."""


class DamagedError(JournalError):
    """What stands in the journal is not what was written; `store.salvage` saves what can be read."""


def not_written(error: sqlite3.Error) -> Sentence:
    """What people are told about something that was not written."""
    return Sentence(GONE) if isinstance(error, GoneError) else Sentence(NOT_WRITTEN, {"text": str(error)})


def now() -> str:
    """This moment as ISO 8601 text in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Journal:
    """The file. One thread writes; every write is on the disk (synchronous=FULL) when it returns."""

    def __init__(self, path: Path | str, clock: Callable[[], float] = time.monotonic) -> None:
        """The journal in this file, which is made where there is none.

        JournalError if it cannot be used; DamagedError if it is not as it was written.
        """
        self._clock = clock
        _keep_private(path)
        try:
            self._open(path)
        except sqlite3.Error as error:
            kind = DamagedError if _is_damage(error) else JournalError
            raise kind(f"the journal {path} cannot be used: {error}; {_NAME_ANOTHER}") from None
        except TooNewError:
            raise JournalError(
                f"the journal {path} was written by a later version of the companion: "
                "update this one, or name another with --data"
            ) from None

    def _open(self, path: Path | str) -> None:
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            know_checksums(self._db)
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=full")
            self._db.execute("pragma foreign_keys=on")
            self._db.execute("pragma secure_delete=on")  # what is taken out is overwritten in the file
            migrate(self._db, self._check_unsummed)
            if (fault := first_fault(self._db)) is not None:
                raise DamagedError(f"the journal {path} cannot be used: {fault}; {_NAME_ANOTHER}")
            self._place = Place(Path(path)) if path != ":memory:" else None
            self._compare_with_note()
        except (sqlite3.Error, TooNewError, JournalError):
            self._db.close()
            raise

    def _check_unsummed(self) -> None:
        """A file from before there were sums is summed as it stands, if all games in it can be played."""
        try:
            for filed in self.matches():
                Match.of(filed, self.entries(filed.id))
            if (table := unfit(self._db)) is not None:
                raise sqlite3.DatabaseError(f"a row of {table} cannot be read")
        except sqlite3.Error:
            raise
        except Exception as error:  # anything may stand there
            raise sqlite3.DatabaseError(f"a game in it cannot be played: {error}") from error

    def _compare_with_note(self) -> None:
        """Say it if this file ends before the last that was confirmed."""
        missing = 0 if self._place is None else self._place.last() - self.recall(COMMITS)
        if missing > 0:
            log.warning("the journal ends %s commits before what was confirmed", missing)
            self.add_trouble(Sentence(ENDS_EARLY))

    @contextmanager
    def _commit(self) -> Iterator[None]:
        """What is written in here is on the disk at its end, all of it or none."""
        began = self._clock()
        with self._db:
            self._db.execute("begin")
            yield
            commit = self.recall(COMMITS) + 1
            self._keep(COMMITS, commit)
            if self._place is not None:
                self._place.check()
        if self._place is not None:
            self._place.note(commit)
        if (took := self._clock() - began) > SLOW_COMMIT:
            log.warning("a commit took %.2f s: the card or disk may be worn or busy", took)

    def close(self) -> None:
        """Close the file; what was written stays."""
        self._db.close()

    # --- the file --------------------------------------------------------------------------------

    def is_gone(self) -> bool:
        """Whether the file was deleted, moved or replaced meanwhile: nothing is written any more."""
        return self._place is not None and self._place.is_gone()

    def write_anew(self) -> None:
        """Write all that is known to a new file where the journal was, and go on with it.

        A file that lies there instead is kept beside it. sqlite3.Error if there is no writing.
        """
        assert self._place is not None, "what is in memory cannot be gone"
        path = self._place.path
        try:
            path.parent.mkdir(0o700, parents=True, exist_ok=True)
            new = part(path, ".new")
            new.unlink(missing_ok=True)
            _keep_private(new)
            with closing(sqlite3.connect(new)) as copy:
                self._db.backup(copy)
            self._place.keep_others(now())
            self._db.close()  # before the new one: it takes away the log that has its name
            put_in_place(new, path)
        except OSError as error:
            raise sqlite3.OperationalError(str(error)) from error
        self._open(path)

    def troubles(self) -> list[Sentence]:
        """What happened to the file that nobody has taken note of yet."""
        return [read_again(line) for line in self.recall(TROUBLES)]

    def add_trouble(self, sentence: Sentence) -> None:
        """Have this told until somebody takes note of it."""
        self.remember(TROUBLES, [*self.recall(TROUBLES), written_down(sentence)])

    def clear_troubles(self) -> None:
        """Somebody has taken note."""
        self.remember(TROUBLES, [])

    # --- matches and entries ---------------------------------------------------------------------

    def seq(self) -> int:
        """The number of the last entry that was ever written; 0 in a new journal."""
        # not the greatest there is: that would fall when the last match is forgotten
        row = self._db.execute("select seq from sqlite_sequence where name = 'entries'").fetchone()
        return 0 if row is None else int(row[0])

    def begin(
        self,
        header: Header,
        deal: str,
        colours: Sequence[str] = (),
        nicknames: Mapping[str, str] = MappingProxyType({}),
        bots: Sequence[str] = (),
    ) -> tuple[Filed, int]:
        """A new running match and the number of its first entry."""
        with self._commit():
            self._clear_table()
            made = self._db.execute(
                "insert into matches (header, deal, colours, nicknames, bots, state, began) "
                "values (?, ?, ?, ?, ?, 'running', ?)",
                (
                    header.line(),
                    deal,
                    json.dumps(list(colours)),
                    json.dumps(dict(nicknames)),
                    json.dumps(list(bots)),
                    now(),
                ),
            )
            assert made.lastrowid is not None
            seq = self._insert(made.lastrowid, Entry("new"))
            seal(self._db, "matches", "id = ?", made.lastrowid)
        return self.match(made.lastrowid), seq

    def append(
        self,
        match: int,
        entries: Iterable[Entry],
        state: MatchState = "running",
        standings: Sequence[Mapping[str, Any]] = (),
    ) -> list[Entry]:
        """Write entries and the match's state as one: all of them or, if the power fails, none."""
        with self._commit():
            written = [entry._replace(seq=self._insert(match, entry)) for entry in entries]
            if any(entry.kind == "resume" for entry in written):
                self._clear_table()
            self._db.execute(
                "update matches set state = ?, standings = ? where id = ?",
                (state, json.dumps(list(standings)), match),
            )
            seal(self._db, "matches", "id = ?", match)
        return written

    def _clear_table(self) -> None:
        for (match,) in self._db.execute("select id from matches where state = 'finished'").fetchall():
            self._db.execute("update matches set state = 'played' where id = ?", (match,))
            seal(self._db, "matches", "id = ?", match)

    def _insert(self, match: int, entry: Entry) -> int:
        made = self._db.execute(
            "insert into entries (match, kind, line, uids, made_by, at) values (?, ?, ?, ?, ?, ?)",
            (match, entry.kind, json.dumps(entry.line), json.dumps(entry.uids), entry.by, now()),
        )
        assert made.lastrowid is not None
        seal_entry(self._db, made.lastrowid, match)
        return made.lastrowid

    def last_decision(self, match: int) -> int:
        """The last entry that changed which decisions of a match are in force; 0 if there is none."""
        row = self._db.execute(
            "select coalesce(max(seq), 0) from entries "
            "where match = ? and kind in ('decide', 'change', 'undo', 'redo')",
            (match,),
        ).fetchone()
        return int(row[0])

    def entries(self, match: int) -> list[Entry]:
        """Everything that was done in a match, in order."""
        rows = self._db.execute(f"select {ENTRY_COLUMNS} from entries where match = ? order by seq", (match,))
        return [as_entry(*row) for row in rows]

    def lately_caused(self) -> frozenset[str]:
        """The tags that caused one of the latest decisions of all, also of those taken back."""
        rows = self._db.execute("select uids from entries where uids != '[]' order by seq desc limit 300")
        return frozenset(uid for (uids,) in rows for uid in json.loads(uids))

    def match(self, match: int) -> Filed:
        """The match with this number; KeyError if there is none."""
        if match > _MOST_MATCHES:
            raise KeyError(match)
        for found in self._matches("where id = ?", (match,)):
            return found
        raise KeyError(match)

    def matches(self) -> list[Filed]:
        """All matches, the newest first."""
        return self._matches("order by id desc", ())

    def current(self) -> Filed | None:
        """The match on the table: the one that runs, or the last one while its end is still shown."""
        return next(iter(self._matches("where state in ('running', 'finished') order by id desc", ())), None)

    def _matches(self, condition: str, values: tuple[Any, ...]) -> list[Filed]:
        rows = self._db.execute(f"select {MATCH_COLUMNS} from matches {condition}", values)
        return [as_filed(*row) for row in rows]

    def name_seats(self, match: int, header: Header) -> None:
        """Let the seats of a match be called as this header has them."""
        self._call(match, "header", header.line())

    def name_match(self, match: int, name: str) -> None:
        """Let a match be called so."""
        self._call(match, "name", name)

    def _call(self, match: int, column: str, value: str) -> None:
        with self._commit():
            self._db.execute(f"update matches set {column} = ? where id = ?", (value, match))
            seal(self._db, "matches", "id = ?", match)

    def forget(self, match: int) -> None:
        """Take a match out of the file for good: nothing of it can be read there any more."""
        with self._commit():
            for table, column in (("found_out", "match"), ("entries", "match"), ("matches", "id")):
                self._db.execute(f"delete from {table} where {column} = ?", (match,))
        self._db.execute("pragma wal_checkpoint(truncate)")  # the log still had it

    def keep_findings(self, match: int, what: str, end: int, found: Mapping[int, Any]) -> None:
        """Keep what was found out about a match at these entries, such as its odds.

        `end` is its last decision's entry, see `last_decision`: what belonged to another end is forgotten.
        """
        with self._commit():
            self._db.execute("delete from found_out where match = ? and last != ?", (match, end))
            self._db.executemany(
                "insert or replace into found_out (match, what, last, seq, value) values (?, ?, ?, ?, ?)",
                [(match, what, end, seq, json.dumps(value)) for seq, value in found.items()],
            )
            seal(self._db, "found_out", "match = ? and what = ? and last = ? and sum = ''", match, what, end)

    def findings(self, match: int, what: str, end: int) -> dict[int, Any]:
        """What was found out about a match with this end, by entry."""
        rows = self._db.execute(
            "select seq, value from found_out where match = ? and what = ? and last = ?", (match, what, end)
        )
        return {seq: json.loads(value) for seq, value in rows}

    # --- tags and small things -------------------------------------------------------------------

    def tags(self) -> dict[str, str]:
        """What each known tag means, by UID."""
        return dict(self._db.execute("select uid, means from tags"))

    def bind(self, tags: Mapping[str, str | None]) -> None:
        """Let these tags mean these things (None: nothing), all or none; former tags are forgotten."""
        with self._commit():
            for uid, means in tags.items():
                self._db.execute("delete from tags where uid = ? or means = ?", (uid, means))
            known = [(uid, means) for uid, means in tags.items() if means is not None]
            self._db.executemany("insert into tags (uid, means) values (?, ?)", known)
            seal(self._db, "tags", "sum = ''")

    def recall(self, key: Key[T]) -> T:
        """What is kept under this key; JournalError if it is not of the key's type."""
        row = self._db.execute("select value from kept where key = ?", (key.name,)).fetchone()
        value = None if row is None else json.loads(row[0])
        if value is None:
            return key.default
        try:
            kept: T = msgspec.convert(value, key.kind)
        except msgspec.ValidationError as error:
            raise JournalError(
                f"what the journal keeps as {key.name!r} cannot be used: {error}; name another with --data"
            ) from None
        return kept

    def remember(self, key: Key[T], value: T) -> None:
        """Keep a value under this key in place of the former one."""
        with self._commit():
            self._keep(key, value)

    def _keep(self, key: Key[T], value: T) -> None:
        plain = msgspec.to_builtins(value, builtin_types=(Decimal,))
        self._db.execute(
            "insert or replace into kept (key, value) values (?, ?)",
            (key.name, json.dumps(plain, default=float)),
        )
        seal(self._db, "kept", "key = ?", key.name)


ENTRY_COLUMNS: Final = "kind, line, uids, made_by, seq"
MATCH_COLUMNS: Final = "id, header, deal, colours, state, began, standings, nicknames, bots, name"


def as_entry(kind: EntryKind, line: str, uids: str, by: By, seq: int) -> Entry:
    """The entry that these columns of its row hold."""
    return Entry(kind, json.loads(line), tuple(json.loads(uids)), by, seq)


def as_filed(
    number: int, line: str, deal: str, colours: str, state: MatchState, began: str, standings: str,
    nicknames: str, bots: str, name: str,
) -> Filed:  # fmt: skip
    """The match that these columns of its row hold."""
    return Filed(
        id=number,
        header=_header(line),
        deal=deal,
        colours=tuple(json.loads(colours)),
        state=state,
        began=began,
        standings=tuple(json.loads(standings)),
        nicknames=json.loads(nicknames),
        bots=tuple(json.loads(bots)),
        name=name,
    )


def _keep_private(path: Path | str) -> None:
    """Let nobody else read the file: it has hands, bets and the PIN's hash. SQLite's logs follow it."""
    if path != ":memory:":
        with suppress(OSError):  # what cannot be opened, SQLite says
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            os.chmod(path, 0o600)


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether it is the file that is wrong, not where it is, its disk or who uses it."""
    code = getattr(
        error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT
    )  # what Python itself could not read has none
    elsewhere = (
        sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_AUTH,
    )  # fmt: skip
    return code & 0xFF not in elsewhere


_NAME_ANOTHER = "name another with --data, or let `companion run` save what can be read of it"


def _header(line: str) -> Header:
    given = json.loads(line, parse_float=Decimal)
    return Header(given["game"], tuple(given["seats"]), given["start"], given["options"])
