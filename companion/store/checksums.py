"""Checksums in the journal: a row that is not as it was written is detected, not believed.

SQLite detects a broken file structure, not a changed word. Each row has the sum of its values. Those of a
match's entries are a chain, and its end is summed in the row of the match: none can be missing.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from typing import Final

SUMMED: Final = {
    "matches": ("id", "header", "deal", "colours", "nicknames", "bots", "began", "name"),
    "found_out": ("match", "what", "last", "seq", "value"),
    "tags": ("uid", "means"),
    "kept": ("key", "value"),
}
"""By table, the columns whose sum is in the column `sum`."""
ENTRY: Final = ("seq", "match", "kind", "line", "uids", "made_by", "at")
"""The columns of an entry that are summed, after the sum of the match's entry before."""

STANDS: Final = ("id", "state", "standings")
"""The columns of a match whose sum with that of its last entry is in `end_sum`."""

BIGGEST: Final = 2**53
"""Every page can hold numbers below this one."""

_LAST: Final = "(select e.sum from entries e where e.match = matches.id order by e.seq desc limit 1)"


def checksum(*values: bytes | int | None) -> str:
    """Return the sum of these values, in order, as 16 hex digits.

    >>> checksum(b"red", 3) == checksum(b"red", b"3"), checksum(b"re", b"d3") == checksum(b"red", b"3")
    (True, False)
    """
    digest = hashlib.blake2b(digest_size=8)
    for value in values:
        text = b"" if value is None else value if isinstance(value, bytes) else b"%d" % value
        digest.update(b"%d:%s" % (len(text), text))
    return digest.hexdigest()


def know_checksums(db: sqlite3.Connection) -> None:
    """Let this connection's statements use `checksum`."""
    db.create_function("checksum", -1, checksum, deterministic=True)


def sum_of(values: Iterable[str]) -> str:
    """Return the SQL that sums these: as bytes, so that values that are no longer text have a sum too."""
    return f"checksum({', '.join(f'cast({value} as blob)' for value in values)})"


_END: Final = sum_of((*STANDS, _LAST))


def seal(db: sqlite3.Connection, table: str, where: str = "true", *values: object) -> None:
    """Sum up the present values of the rows of a table."""
    ends = f", end_sum = {_END}" if table == "matches" else ""
    db.execute(f"update {table} set sum = {sum_of(SUMMED[table])}{ends} where {where}", values)


def seal_entry(db: sqlite3.Connection, seq: int, match: int) -> None:
    """Sum up an entry with the sum of the one before it in its match."""
    before = "(select b.sum from entries b where b.match = ? and b.seq < ? order by b.seq desc limit 1)"
    db.execute(f"update entries set sum = {sum_of((before, *ENTRY))} where seq = ?", (match, seq, seq))


def first_fault(db: sqlite3.Connection) -> str | None:
    """Return the first fault of this file; None: it is as it was written. sqlite3.Error if it is
    too broken.
    """
    for check in (_structure, _links, _sums, _numbers):
        if (fault := check(db)) is not None:
            return fault
    return None


def _structure(db: sqlite3.Connection) -> str | None:
    [(result,), *_] = db.execute("pragma integrity_check(1)").fetchall()
    return None if result == "ok" else str(result).splitlines()[-1]


def _links(db: sqlite3.Connection) -> str | None:
    lost = db.execute("pragma foreign_key_check").fetchall()
    return f"{len(lost)} rows of {lost[0][0]} belong to no match" if lost else None


def _sums(db: sqlite3.Connection) -> str | None:
    """Return a message about rows with a wrong sum, if any."""
    wrong = {
        table: f"select count(*) from {table} where sum is not {sum_of(columns)}"
        for table, columns in SUMMED.items()
    }
    wrong["entries"] = (
        f"select count(*) from (select *, lag(sum) over (partition by match order by seq) as before "
        f"from entries) where sum is not {sum_of(('before', *ENTRY))}"
    )
    wrong["matches"] += f" or end_sum is not {_END}"
    for table, query in wrong.items():
        if count := db.execute(query).fetchone()[0]:
            return f"{count} rows of {table} are not as they were written"
    return None


def _numbers(db: sqlite3.Connection) -> str | None:
    """Check the next numbers of entries and matches, which SQLite stores in a separate table."""
    for table, key in (("entries", "seq"), ("matches", "id")):
        last = db.execute(f"select coalesce(max({key}), 0) from {table}").fetchone()[0]
        stored = db.execute("select seq from sqlite_sequence where name = ?", (table,)).fetchall()
        if not _are_valid([number for (number,) in stored], last):
            return f"the number of the next row of {table} is lost"
    return None


def _are_valid(stored: list[object], last: int) -> bool:
    """Return True if these stored numbers are valid for a table whose last row has number `last`."""
    if not stored:
        return last == 0
    return len(stored) == 1 and isinstance(stored[0], int) and last <= stored[0] < BIGGEST
