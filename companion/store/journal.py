"""The journal: everything decided, in one SQLite file, on the disk before it is published.

A match is its entries: decisions as record lines with the tags that caused them, and appended changes, undos
and redos. No line is ever altered, and none is deleted except with a whole match that is over, when people
want it forgotten. `seq`, an entry's number, never falls, not even then.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from companion.match.entries import By, Entry, EntryKind, Filed, MatchState
from companion.match.match import Match
from companion.match.record import Header
from companion.store.checksums import seal, seal_entry
from companion.store.clock import Clock, TrustedClock
from companion.store.dates import UNDATED, UNKNOWN, UNSET, Dates, joined, newest_time
from companion.store.file import JournalFile
from companion.store.unsummed import unfit

_MOST = 2**63 - 1  # SQLite's greatest number
_AT_ONCE = 500  # matches of one query


class DatedEntry(NamedTuple):
    """An entry with the time it was written (ISO 8601, UTC), and the present file of its match.

    `undated`: the clock was not set then, so that only the order of such times is known.
    """

    at: str
    entry: Entry
    filed: Filed
    undated: bool = False


class Journal(JournalFile):
    """Matches, their entries, and the meanings of tags, in a file. One thread writes."""

    def __init__(
        self,
        path: Path | str,
        clock: Callable[[], float] = time.monotonic,
        *,
        db: sqlite3.Connection | None = None,
        check_all: bool = True,
        dated_by: Clock | None = None,
    ) -> None:
        """Open the journal in this file as JournalFile does; entries are `dated_by` the clock of the machine.

        None: by one that is believed.
        """
        super().__init__(path, clock, db=db, check_all=check_all)
        self.dates = Dates(dated_by or TrustedClock())
        self.dates.load(newest_time(self._db), self.recall(UNSET))

    def _check_unsummed(self) -> None:
        """Accept a file from before there were sums, if all games in it can be played; else
        sqlite3.DatabaseError.
        """
        try:
            for filed in self.matches():
                Match.of(filed, self.entries(filed.id))
            if (table := unfit(self._db)) is not None:
                raise sqlite3.DatabaseError(f"a row of {table} cannot be read")
        except sqlite3.Error:
            raise
        except Exception as error:  # the entries may hold anything
            raise sqlite3.DatabaseError(f"a game in it cannot be played: {error}") from error

    # --- matches and entries ---------------------------------------------------------------------

    def seq(self) -> int:
        """Return the number of the last entry that was ever written; 0 in a new journal."""
        # not the present maximum: that would fall when the last match is forgotten
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
        """Write a new running match, and return it and the number of its first entry."""
        self.settle_clock()
        at = self.dates.now()
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
                    at,
                ),
            )
            assert made.lastrowid is not None
            seq = self._insert(made.lastrowid, Entry("new"), at)
            self._mark(seq)
            seal(self._db, "matches", "id = ?", made.lastrowid)
        return self.match(made.lastrowid), seq

    def import_match(self, filed: Filed, entries: Iterable[Entry], undated: bool = False) -> None:
        """Write a match that was played elsewhere, under its number and dated at the time it began.

        `undated`: that time is not known.
        """
        columns = {
            "id": filed.id,
            "header": filed.header.line(),
            "deal": filed.deal,
            "colours": json.dumps(filed.colours),
            "nicknames": json.dumps(dict(filed.nicknames)),
            "bots": json.dumps(filed.bots),
            "state": filed.state,
            "standings": json.dumps(filed.standings),
            "began": filed.began,
            "name": filed.name,
        }
        with self._commit():
            marks = ", ".join("?" * len(columns))
            self._db.execute(
                f"insert into matches ({', '.join(columns)}) values ({marks})", [*columns.values()]
            )
            written = [self._insert(filed.id, entry, filed.began) for entry in entries]
            if undated and written:
                self._put(UNKNOWN, joined([*self.recall(UNKNOWN), (written[0], written[-1])]))
            seal(self._db, "matches", "id = ?", filed.id)

    def append(
        self,
        match: int,
        entries: Iterable[Entry],
        state: MatchState = "running",
        standings: Sequence[Mapping[str, Any]] = (),
    ) -> list[Entry]:
        """Write entries and the match's state as one: all of them or, if the power fails, none."""
        self.settle_clock()
        with self._commit():
            at = self.dates.now()
            written = [entry._replace(seq=self._insert(match, entry, at)) for entry in entries]
            if written:
                self._mark(written[0].seq)
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

    def _insert(self, match: int, entry: Entry, at: str = "") -> int:
        made = self._db.execute(
            "insert into entries (match, kind, line, uids, made_by, at) values (?, ?, ?, ?, ?, ?)",
            (
                match,
                entry.kind,
                json.dumps(entry.line),
                json.dumps(entry.uids),
                entry.by,
                at or self.dates.now(),
            ),
        )
        assert made.lastrowid is not None
        seal_entry(self._db, made.lastrowid, match)
        return made.lastrowid

    def _mark(self, seq: int) -> None:
        """Mark the entries from this one on if the clock is not set."""
        stored = self.recall(UNSET)
        span = self.dates.after(seq, stored)
        if span != stored:
            if stored is not None and stored.first < seq:  # the power failed before its clock was set
                self._put(UNKNOWN, joined([*self.recall(UNKNOWN), (stored.first, seq - 1)]))
            self._put(UNSET, span)

    def settle_clock(self) -> bool:
        """Put times right that were written before the clock was set; return True if there were some.

        sqlite3.Error if it cannot be written; nothing is changed then.
        """
        stored = self.recall(UNSET)
        if not self.dates.is_due(stored):
            return False
        with self._commit():
            unknown = self.recall(UNKNOWN)
            if (joined_spans := joined([*unknown, *self.dates.settled(self._db, stored)])) != unknown:
                self._put(UNKNOWN, joined_spans)
            if stored is not None:
                self._put(UNSET, None)
        return True

    def is_undated(self, match: int) -> bool:
        """Return True if the clock was not set while this match was played, or a part of it."""
        asked = f"select exists (select 1 from entries where match = ? and {UNDATED})"
        return bool(self._db.execute(asked, (match,)).fetchone()[0])

    def last_decision(self, match: int) -> int:
        """Return the last entry that changed which decisions of a match are in force; 0 if there is none."""
        row = self._db.execute(
            "select coalesce(max(seq), 0) from entries "
            "where match = ? and kind in ('decide', 'change', 'undo', 'redo')",
            (match,),
        ).fetchone()
        return int(row[0])

    def entries(self, match: int) -> list[Entry]:
        """Return all entries of a match, in order."""
        return _entries(self._db, match, _MOST)

    def entries_after(self, seq: int, most: int) -> list[DatedEntry]:
        """Return up to `most` entries after this one, in order, from any thread; the writer does not wait."""
        entries, matches = (
            ", ".join(f"{table}.{name}" for name in columns.split(", "))
            for table, columns in (("entries", ENTRY_COLUMNS), ("matches", MATCH_COLUMNS))
        )
        with self._reader_connection() as db:
            rows = db.execute(
                f"select entries.at, {UNDATED}, {entries}, {matches} "
                "from entries join matches on matches.id = match "
                "where seq > ? order by seq limit ?",
                (seq, most),
            ).fetchall()
        return [
            DatedEntry(at, as_entry(*row[:5]), as_filed(*row[5:]), bool(undated))
            for at, undated, *row in rows
        ]

    def entries_before(self, match: int, seq: int) -> list[Entry]:
        """Return the entries of a match before this one, in order, from any thread; the writer
        does not wait.
        """
        with self._reader_connection() as db:
            return _entries(db, match, seq - 1)

    def recent_tags(self) -> frozenset[str]:
        """Return the tags that caused one of the latest 300 decisions, also of those taken back.

        An evening has a thousand entries: only the latest 3000 are read, or a table without tags would read
        those of years.
        """
        recent = "select uids from entries order by seq desc limit 3000"
        rows = self._db.execute(f"select uids from ({recent}) where uids != '[]' limit 300")
        return frozenset(uid for (uids,) in rows for uid in json.loads(uids))

    def match(self, match: int) -> Filed:
        """Return the match with this number; KeyError if there is none."""
        if match > _MOST:
            raise KeyError(match)
        for found in self._matches("where id = ?", (match,)):
            return found
        raise KeyError(match)

    def matches(
        self,
        states: Collection[str] = (),
        kinds: Collection[str] = (),
        before: int | None = None,
        most: int | None = None,
    ) -> list[Filed]:
        """Return matches, the newest first: those in one of the `states` and of one of the `kinds` of games,
        if these are given, that began `before` the match of this number; at most so many.
        """
        conditions: list[str] = []
        values: list[Any] = []
        for column, among in (("state", states), ("json_extract(header, '$.game')", kinds)):
            if among:
                conditions.append(f"{column} in ({', '.join('?' * len(among))})")
                values += among
        if before is not None:
            conditions.append("id < ?")
            values.append(min(before, _MOST))
        where = f"where {' and '.join(conditions)}" if conditions else ""
        return self._matches(f"{where} order by id desc limit ?", (*values, _MOST if most is None else most))

    def played(self, known: Mapping[int, str]) -> tuple[list[int], list[tuple[str, Filed]]]:
        """Return the numbers of all matches that were played to their end, the newest first, and those of
        them whose row has another sum than the `known` one, with that sum. From any thread; the writer does
        not wait.
        """
        where = "state in ('finished', 'played')"
        with self._reader_connection() as db:
            sums = dict(db.execute(f"select id, sum || end_sum from matches where {where} order by id desc"))
            changed = [number for number, row in sums.items() if known.get(number) != row]
            rows = [
                row
                for first in range(0, len(changed), _AT_ONCE)
                for row in db.execute(
                    f"select sum || end_sum, {MATCH_COLUMNS} from matches where id in "
                    f"({', '.join(map(str, changed[first : first + _AT_ONCE]))}) and {where} order by id desc"
                )
            ]
        filed = [(row, as_filed(*columns)) for row, *columns in rows]
        there = known.keys() | {one.id for _, one in filed}
        return [number for number in sums if number in there], filed

    def states(self) -> Counter[str]:
        """Return the number of matches in each state."""
        return Counter(dict(self._db.execute("select state, count(*) from matches group by state")))

    def current(self) -> Filed | None:
        """Return the match on the table: the running one, or the last one while its end is still shown."""
        return next(iter(self._matches("where state in ('running', 'finished') order by id desc", ())), None)

    def _matches(self, condition: str, values: tuple[Any, ...]) -> list[Filed]:
        rows = self._db.execute(f"select {MATCH_COLUMNS} from matches {condition}", values)
        return [as_filed(*row) for row in rows]

    def name_seats(self, match: int, header: Header) -> None:
        """Rename the seats of a match as this header has them."""
        self._set_column(match, "header", header.line())

    def name_match(self, match: int, name: str) -> None:
        """Give a match this name."""
        self._set_column(match, "name", name)

    def _set_column(self, match: int, column: str, value: str) -> None:
        with self._commit():
            self._db.execute(f"update matches set {column} = ? where id = ?", (value, match))
            seal(self._db, "matches", "id = ?", match)

    def forget(self, match: int) -> None:
        """Delete a match for good: nothing of it can be read from the file any more."""
        with self._commit():
            for table, column in (("found_out", "match"), ("entries", "match"), ("matches", "id")):
                self._db.execute(f"delete from {table} where {column} = ?", (match,))
        self._db.execute("pragma wal_checkpoint(truncate)")  # the log still had it

    def store_findings(self, match: int, what: str, end: int, findings: Mapping[int, Any]) -> None:
        """Store findings about a match at these entries, such as its odds.

        `end` is its last decision's entry, see `last_decision`: findings for another end are deleted.
        """
        with self._commit():
            self._db.execute("delete from found_out where match = ? and last != ?", (match, end))
            self._db.executemany(
                "insert or replace into found_out (match, what, last, seq, value) values (?, ?, ?, ?, ?)",
                [(match, what, end, seq, json.dumps(value)) for seq, value in findings.items()],
            )
            seal(self._db, "found_out", "match = ? and what = ? and last = ? and sum = ''", match, what, end)

    def findings(self, match: int, what: str, end: int) -> dict[int, Any]:
        """Return the findings about a match with this end, by entry, from any thread; the writer does not
        wait.
        """
        with self._reader_connection() as db:
            rows = db.execute(
                "select seq, value from found_out where match = ? and what = ? and last = ?",
                (match, what, end),
            ).fetchall()
        return {seq: json.loads(value) for seq, value in rows}

    # --- tags ------------------------------------------------------------------------------------

    def tags(self) -> dict[str, str]:
        """Return the meaning of each known tag, by UID."""
        return dict(self._db.execute("select uid, means from tags"))

    def bind(self, tags: Mapping[str, str | None]) -> None:
        """Give these tags these meanings (None: none), all or none; their former tags are forgotten."""
        with self._commit():
            for uid, means in tags.items():
                self._db.execute("delete from tags where uid = ? or means = ?", (uid, means))
            known = [(uid, means) for uid, means in tags.items() if means is not None]
            self._db.executemany("insert into tags (uid, means) values (?, ?)", known)
            seal(self._db, "tags", "sum = ''")


ENTRY_COLUMNS: Final = "kind, line, uids, made_by, seq"
MATCH_COLUMNS: Final = "id, header, deal, colours, state, began, standings, nicknames, bots, name"


def _entries(db: sqlite3.Connection, match: int, last: int) -> list[Entry]:
    rows = db.execute(
        f"select {ENTRY_COLUMNS} from entries where match = ? and seq <= ? order by seq", (match, last)
    )
    return [as_entry(*row) for row in rows]


def as_entry(kind: EntryKind, line: str, uids: str, by: By, seq: int) -> Entry:
    """Return the entry that these columns of its row hold."""
    return Entry(kind, json.loads(line), tuple(json.loads(uids)), by, seq)


def as_filed(
    number: int, line: str, deal: str, colours: str, state: MatchState, began: str, standings: str,
    nicknames: str, bots: str, name: str,
) -> Filed:  # fmt: skip
    """Return the match that these columns of its row hold."""
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


_exact: Final = json.JSONDecoder(parse_float=Decimal)  # made once: a history reads thousands of headers


def _header(line: str) -> Header:
    fields = _exact.decode(line)
    return Header(fields["game"], tuple(fields["seats"]), fields["start"], fields["options"])
