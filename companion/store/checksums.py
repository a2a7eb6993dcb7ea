"""Checksums in the journal: a row that is not as it was written is detected, not believed.

SQLite detects a broken file structure, not a changed word. Each row has the sum of its values. Those of a
match's entries are a chain, and its end is summed in the row of the match: none can be missing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from hashlib import blake2b
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
    digest = blake2b(digest_size=8)
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
    for check in (structure_fault, links_fault, _sums_fault, numbers_fault):
        if (fault := check(db)) is not None:
            return fault
    return None


def fault_of_table(db: sqlite3.Connection) -> str | None:
    """Return the first fault of what is needed to go on: small values, tags, numbers, and the match on the
    table. sqlite3.Error as `first_fault`.
    """
    for table in ("kept", "tags"):
        if wrong := _wrong_rows(db, table):
            return _fault(wrong, table)
    for (match,) in db.execute("select id from matches where state in ('running', 'finished')").fetchall():
        if (fault := fault_of_match(db, match)) is not None:
            return fault
    return numbers_fault(db)


def fault_of_match(db: sqlite3.Connection, match: int) -> str | None:
    """Return the first fault of a match, its entries and its findings; None: there is none."""
    if wrong := _wrong_entries(db, "where match = ?", match):
        return _fault(wrong, "entries")
    if wrong := _wrong_rows(db, "matches", "where id = ?", match):
        return _fault(wrong, "matches")
    if wrong := _wrong_rows(db, "found_out", "where match = ?", match):
        return _fault(wrong, "found_out")
    return None


def structure_fault(db: sqlite3.Connection, table: str = "1") -> str | None:
    """Return what SQLite finds wrong in the structure of the file, or of one table; None: nothing."""
    [(result,), *_] = db.execute(f"pragma integrity_check({table})").fetchall()
    return None if result == "ok" else str(result).splitlines()[-1]


def links_fault(db: sqlite3.Connection) -> str | None:
    """Return a message about rows that belong to no match, if any."""
    lost = db.execute("pragma foreign_key_check").fetchall()
    return f"{len(lost)} rows of {lost[0][0]} belong to no match" if lost else None


def _sums_fault(db: sqlite3.Connection) -> str | None:
    """Return a message about rows with a wrong sum, if any."""
    for table in SUMMED:
        if wrong := _wrong_rows(db, table):
            return _fault(wrong, table)
    wrong = _wrong_entries(db)
    return _fault(wrong, "entries") if wrong else None


def _fault(wrong: int, table: str) -> str:
    return f"{wrong} rows of {table} are not as they were written"


def _wrong_rows(db: sqlite3.Connection, table: str, where: str = "", *values: object) -> int:
    """Return the number of rows with a wrong sum."""
    columns = SUMMED[table]
    pattern = b"%d:%s" * len(columns)
    wrong = 0
    for row in db.execute(f"select {_blobs((*columns, 'sum'))} from {table} {where}", values):
        wrong += None in row or _digest(pattern, row[:-1]) != row[-1]
    if table == "matches":
        asked = f"select count(*) from matches {where or 'where true'} and end_sum is not {_END}"
        wrong = wrong or db.execute(asked, values).fetchone()[0]
    return wrong


def _wrong_entries(db: sqlite3.Connection, where: str = "", *values: object) -> int:
    """Return the number of entries with a wrong sum, each after the one before it in its match.

    A journal of years has a million: this is `_digest`, written out.
    """
    before: dict[bytes, bytes] = {}
    wrong = 0
    asked = f"select {_blobs((*ENTRY, 'sum'))} from entries {where} order by seq"
    for row in db.execute(asked, values):
        if None in row:
            wrong += 1
            continue
        a, b, c, d, e, f, g, stored = row
        p = before.get(b, b"")
        lengths = len(p), p, len(a), a, len(b), b, len(c), c, len(d), d, len(e), e, len(f), f, len(g), g
        wrong += blake2b(_ENTRY % lengths, digest_size=8).hexdigest().encode() != stored
        before[b] = stored
    return wrong


_ENTRY: Final = b"%d:%s" * (len(ENTRY) + 1)


def _blobs(columns: Iterable[str]) -> str:
    """Return the SQL that reads these as bytes, so that values that are no longer text can be summed too."""
    return ", ".join(f"cast({column} as blob)" for column in columns)


def _digest(pattern: bytes, texts: Sequence[bytes]) -> bytes:
    """Return `checksum` of these values as bytes. It is called for every row, so it is short."""
    parts = [part for text in texts for part in (len(text), text)]
    return blake2b(pattern % tuple(parts), digest_size=8).hexdigest().encode()


def numbers_fault(db: sqlite3.Connection) -> str | None:
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
