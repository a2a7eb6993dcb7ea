"""The tables of the journal, and the steps that migrate a file of an earlier version to them.

SQLite stores the number of the last step in the file (`pragma user_version`); a released step is never
changed, the next change of the tables is one more.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Final

from companion.store.checksums import SUMMED, seal, seal_entry

_FIRST: Final = (
    """create table if not exists matches (
    id integer primary key autoincrement, header text not null, deal text not null, colours text not null,
    state text not null, began text not null, standings text not null default '[]',
    nicknames text not null default '{}', bots text not null default '[]', name text not null default '')""",
    """create table if not exists entries (
    seq integer primary key autoincrement, match integer not null references matches, kind text not null,
    line text not null, uids text not null, made_by text not null, at text not null)""",
    "create index if not exists entries_of_match on entries (match, seq)",
    """create table if not exists found_out (
    match integer not null references matches, what text not null, last integer not null,
    seq integer not null, value text not null, primary key (match, what, last, seq))""",
    "create table if not exists tags (uid text primary key, means text not null unique)",
    "create table if not exists kept (key text primary key, value text not null)",
)


def _tables(db: sqlite3.Connection) -> None:
    """Create all tables; a file from before the steps were numbered may have them, without the
    last columns.
    """
    for statement in _FIRST:
        db.execute(statement)
    there = {row[1] for row in db.execute("pragma table_info(matches)")}
    for column, default in (("nicknames", "{}"), ("bots", "[]"), ("name", "")):
        if column not in there:
            db.execute(f"alter table matches add column {column} text not null default '{default}'")


def _sums(db: sqlite3.Connection) -> None:
    """Add a sum to each row; its present values count as written."""
    for table in (*SUMMED, "entries"):
        db.execute(f"alter table {table} add column sum text not null default ''")
    db.execute("alter table matches add column end_sum text not null default ''")
    for seq, match in db.execute("select seq, match from entries order by seq").fetchall():
        seal_entry(db, seq, match)
    for table in SUMMED:
        seal(db, table)


STEPS: Final[tuple[Callable[[sqlite3.Connection], None], ...]] = (_tables, _sums)


class TooNewError(ValueError):
    """The file was written by a later version of the companion, whose tables this one does not know."""


def migrate(db: sqlite3.Connection, check_unsummed: Callable[[], None]) -> None:
    """Bring the tables up to date, all steps or none; TooNewError if they are ahead of this version.

    `check_unsummed` checks rows from before they had sums, in which damage cannot be detected otherwise.
    """
    if _version(db) == len(STEPS):
        return
    db.execute("begin immediate")
    try:
        version = _version(db)  # another process may have come first
        if version > len(STEPS):
            raise TooNewError(f"version {version} of a file where this companion knows {len(STEPS)}")
        for step in STEPS[version:]:
            if step is _sums:
                check_unsummed()
            step(db)
        db.execute(f"pragma user_version = {len(STEPS)}")
        db.execute("commit")
    except BaseException:
        db.execute("rollback")
        raise


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("pragma user_version").fetchone()[0])
