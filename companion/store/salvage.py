"""A damaged journal: the trustworthy part goes into a new file, the damaged one is renamed.

Of each match the unbroken entries from its beginning are saved; the sums decide that, and in a file from
before there were sums the rules. The new file is finished under another name before it takes the place.
"""

from __future__ import annotations

import json
import logging
import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from companion.match.entries import MatchState
from companion.match.match import Match
from companion.match.record import standings
from companion.message import N_, NN_, Sentence
from companion.store.checksums import (
    BIGGEST,
    ENTRY,
    STANDS,
    SUMMED,
    checksum,
    know_checksums,
    seal,
    seal_entry,
)
from companion.store.clock import Clock
from companion.store.file import COMMITS, DAMAGED_PART, DamagedError, JournalError, now
from companion.store.journal import ENTRY_COLUMNS, MATCH_COLUMNS, Journal, as_entry, as_filed
from companion.store.place import PARTS, Place, free_name, part, put_in_place, sync
from companion.store.unsummed import fits

log = logging.getLogger(__name__)

Row = Mapping[str, Any]

_ROWS_A_PAGE: Final = 100  # at most, and a few: none of ours is shorter than 40 bytes
_MOST_LOOKUPS: Final = 2_000_000
_UNKNOWN_LAST: Final = 1_000  # entries that may have been there after the readable part
_PAGE: Final = 4096
_SIZE: Final = slice(28, 32)  # of the file in pages, in its header
_ENTRY: Final = ENTRY_COLUMNS.split(", ")
_MATCH: Final = [(c, {"nicknames": "{}", "bots": "[]"}.get(c, "")) for c in MATCH_COLUMNS.split(", ")]


def open_journal(path: Path, dated_by: Clock | None = None, check_all: bool = True) -> Journal:
    """Open the journal in this file, as `Journal` does; if it is damaged, the readable part of it, with a
    trouble that says so.

    JournalError if it cannot be used, or nothing can be written next to it.
    """
    saved = part(path, ".saved")
    try:
        if saved.exists():  # the power failed before it took its place
            put_in_place(saved, path)
        try:
            return Journal(path, dated_by=dated_by, check_all=check_all)
        except DamagedError as damage:
            log.error("%s", damage)
        _salvage(path, saved)
        put_in_place(saved, path)
    except (OSError, sqlite3.Error) as error:
        if isinstance(error, JournalError):
            raise
        raise JournalError(
            f"the journal {path} is damaged, and what can be read of it cannot be written next to it: "
            f"{error}; make room there, or name another with --data"
        ) from None
    return Journal(path, dated_by=dated_by)


def _salvage(path: Path, saved: Path) -> None:
    """Copy this file, and write its trustworthy part to a new one."""
    damaged, saving = free_name(path, "damaged", now()), part(path, ".saving")
    _copy(path, damaged)
    for name in (*PARTS, "-last"):
        part(saving, name).unlink(missing_ok=True)
    Journal(saving).close()
    with TemporaryDirectory(prefix="companion-journal-") as directory:
        copy = Path(directory) / path.name
        _copy(path, copy)
        with closing(_readable(copy)) as db, closing(sqlite3.connect(saving, isolation_level=None)) as new:
            lost = _transfer(db, new, Place(path).last())
    with closing(Journal(saving)) as new_journal:
        known = [one for one in new_journal.troubles() if one.text != DAMAGED_PART]
        new_journal.clear_troubles()
        for trouble in (*known, *_troubles(lost, damaged.name)):
            log.error("%s", trouble)
            new_journal.add_trouble(trouble)
    part(saving, "-last").unlink(missing_ok=True)
    sync(saving)
    saving.replace(saved)


def _copy(path: Path, to: Path) -> None:
    for name in PARTS[:2]:
        if part(path, name).exists():
            shutil.copy2(part(path, name), part(to, name))
            sync(part(to, name))


# --- messages ------------------------------------------------------------------------------------


class Lost(NamedTuple):
    """The number of rows written again, and of losses: matches in whole or in part, other values."""

    written: int
    matches: int
    others: int


def _troubles(lost: Lost, damaged: str) -> Iterator[Sentence]:
    if not lost.written:
        yield Sentence(_NOTHING_SAVED, {"text": damaged})
    elif lost.matches:
        yield Sentence(_GAME_CUT, {"count": lost.matches, "text": damaged}, _GAMES_CUT)
    else:
        yield Sentence(_ALL_SAVED, {"text": damaged})
    if lost.others:
        yield Sentence(_OTHERS_LOST)


_ALL_SAVED = N_("the journal was damaged; every game could be saved, the damaged file is kept as {text}")
_GAME_CUT, _GAMES_CUT = NN_(
    "the journal was damaged: {count} game could not be saved up to its end, see where it stands; "
    "the damaged file is kept as {text}",
    "the journal was damaged: {count} games could not be saved up to their end, see where they stand; "
    "the damaged file is kept as {text}",
)
_NOTHING_SAVED = N_(
    "the journal was damaged and nothing in it could be read: it begins anew; "
    "the damaged file is kept as {text}"
)
_OTHERS_LOST = N_("of PIN, seats, names and tags something was lost: enter it again where it is missing")


# --- the readable part ---------------------------------------------------------------------------


def _readable(copy: Path) -> sqlite3.Connection:
    """Open a copy of a damaged journal so that its tables can be found; sqlite3.Error if that fails."""
    db = _connected(copy)
    with suppress(sqlite3.Error):
        tables = {name for (name,) in db.execute("select name from sqlite_master")}
        if {b"matches", b"entries"} <= tables:
            return db
    db.close()
    _renew_first_page(copy)
    return _connected(copy)


def _connected(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.row_factory, db.text_factory = sqlite3.Row, bytes  # the values need not be text
    db.execute("pragma writable_schema = on")  # so that SQLite reads a file without its end
    return db


def _renew_first_page(copy: Path) -> None:
    """Give a file the first page of a new journal: the tables are at the same place in all."""
    fresh = copy.with_name("fresh.sqlite")
    Journal(fresh).close()
    content = copy.read_bytes()
    first = bytearray(fresh.read_bytes()[:_PAGE])
    first[_SIZE] = (len(content) // _PAGE).to_bytes(4, "big")
    copy.write_bytes(bytes(first) + content[_PAGE:])


def _rows(db: sqlite3.Connection, table: str) -> Iterator[Row]:
    """Yield the readable rows of a table, each once, in order; past an unreadable place one by one."""
    read: set[int] = set()
    try:
        for row in db.execute(f"select rowid as number, * from {table} not indexed order by rowid"):
            if row["number"] not in read:  # a page may be in two places
                read.add(row["number"])
                yield dict(row)
    except sqlite3.Error:
        for number in range(max(read, default=0) + 1, _last_number(db, table) + 1):
            with suppress(sqlite3.Error):
                found = db.execute(f"select rowid as number, * from {table} where rowid = ?", (number,))
                yield from map(dict, found.fetchall())


def _last_number(db: sqlite3.Connection, table: str) -> int:
    """Return a number that no row of this table exceeds."""
    numbers = [0]
    for query, values in (
        ("select seq from sqlite_sequence where name = ?", (table,)),
        (f"select max(rowid) from {table}", ()),
        (f"select page_count * {_ROWS_A_PAGE} from pragma_page_count", ()),
    ):
        with suppress(sqlite3.Error):
            numbers += [n for (n,) in db.execute(query, values) if isinstance(n, int)]
    return min(max(numbers), _MOST_LOOKUPS)


def _sum(*values: Any) -> bytes:
    """Return the sum of values as they are in the file."""
    return checksum(*(v if isinstance(v, bytes | int | None) else repr(v).encode() for v in values)).encode()


def _these(row: Row, columns: Iterable[str]) -> list[Any]:
    return [row.get(column) for column in columns]


def _text(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


# --- the trustworthy part ------------------------------------------------------------------------


class _Saved(NamedTuple):
    """The trustworthy part of a match, with the rows of its entries; `whole` if that is all of it."""

    row: Row
    entries: Sequence[Row]
    match: Match
    whole: bool


def _transfer(db: sqlite3.Connection, new: sqlite3.Connection, commits: int) -> Lost:
    """Write the trustworthy part to a new journal, which confirmed at least `commits` commits."""
    summed = _has_sums(db)
    chains, cut = _chains(db, summed)
    rows, bad_rows = _trusted(db, "matches", summed)
    found = {row["id"]: _saved(row, chains.get(row["id"], ()), row["id"] not in cut, summed) for row in rows}
    saved = {number: match for number, match in found.items() if match is not None}
    games = len(chains.keys() | cut | found.keys() | {row.get("id") for row in bad_rows})
    others, written = 0, len(saved)
    know_checksums(new)
    new.execute("begin")
    is_free = not any(_is_on_table(match) for match in saved.values())
    for number, match in saved.items():
        _write_match(new, match, goes_on=is_free and number == max(saved))
    for table in ("tags", "kept", "found_out"):
        good, bad = _trusted(db, table, summed)
        for row in good:
            try:
                if table != "found_out" or (summed and row["match"] in saved):
                    _insert(new, table, SUMMED[table], row)
                    written += 1
            except sqlite3.IntegrityError:  # something is missing in it, or it is there already
                bad.append(row)
        seal(new, table)
        others += len(bad) if table != "found_out" else 0  # findings are computed again
    _number_on(new, "matches", _last_given(db, "matches"))
    _number_on(new, "entries", _last_given(db, "entries"))
    _count_on(new, commits)
    new.execute("commit")
    return Lost(written, games - sum(match.whole for match in saved.values()), others)


def _has_sums(db: sqlite3.Connection) -> bool:
    with suppress(sqlite3.Error):
        return any(row["name"] == b"sum" for row in db.execute("pragma table_info(entries)"))
    return True


def _trusted(db: sqlite3.Connection, table: str, summed: bool) -> tuple[list[Row], list[Row]]:
    """Return the rows of a table that are as they were written, and those that are not."""
    columns = SUMMED[table]
    good: list[Row] = []
    bad: list[Row] = []
    for row in _rows(db, table):
        if row.get("sum") == _sum(*_these(row, columns)) if summed else fits(row, columns):
            good.append(row)
        else:
            bad.append(row)
    return good, bad


def _chains(db: sqlite3.Connection, summed: bool) -> tuple[dict[int, list[Row]], set[int]]:
    """Return by match its entries that follow the one before, and the matches in which one does not."""
    chains: dict[int, list[Row]] = defaultdict(list)
    cut: set[int] = set()
    for row in sorted(_rows(db, "entries"), key=itemgetter("number")):
        match = row.get("match")
        if not isinstance(match, int) or match in cut:
            continue
        before = chains[match][-1]["sum"] if chains[match] and summed else None
        if summed and row.get("sum") != _sum(before, *_these(row, ENTRY)):
            cut.add(match)
        else:
            chains[match].append(row)
    return chains, cut


def _saved(row: Row, rows: Sequence[Row], unbroken: bool, summed: bool) -> _Saved | None:
    """Return a match with the entries that can be played; None if it cannot even begin."""
    try:
        match = Match.of(as_filed(*(_text(row.get(c, d)) for c, d in _MATCH)), ())
    except Exception:  # a row without a sum may hold anything, also an impossible game
        return None
    played: list[Row] = []
    for entry in rows:
        if not fits(entry, ENTRY):
            break
        try:
            match = match.after(as_entry(*(_text(entry[column]) for column in _ENTRY)))
        except Exception:
            break
        played.append(entry)
    if not played:
        return None
    whole = unbroken and len(played) == len(rows)
    if summed:
        whole = whole and row.get("end_sum") == _sum(*_these(row, STANDS), played[-1]["sum"])
    return _Saved(row, played, match, whole)


def _write_match(new: sqlite3.Connection, saved: _Saved, goes_on: bool) -> None:
    state = _text(saved.row["state"]) if saved.whole else _state(saved, goes_on)
    stands = {"state": state, "standings": json.dumps(standings(saved.match.race))}
    row = dict(_MATCH) | dict(saved.row) | stands
    _insert(new, "matches", [name for name, _ in _MATCH], row)
    for entry in saved.entries:
        _insert(new, "entries", ENTRY, entry)
        seal_entry(new, entry["seq"], entry["match"])
    seal(new, "matches", "id = ?", saved.row["id"])


def _is_on_table(saved: _Saved) -> bool:
    """Return True if this match is certainly the one on the table."""
    return saved.whole and _text(saved.row["state"]) in ("running", "finished")


def _state(saved: _Saved, goes_on: bool) -> MatchState:
    """Return the state of a match that lost its end: it can go on, now or later, if it is not over."""
    if saved.match.finished:
        return "finished" if goes_on else "played"
    if saved.match.last == "end":
        return "ended"
    return "running" if goes_on else "aside"


def _insert(new: sqlite3.Connection, table: str, columns: Sequence[str], row: Row) -> None:
    values = [_text(row[column]) for column in columns]
    new.execute(
        f"insert into {table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})", values
    )


def _last_given(db: sqlite3.Connection, table: str) -> int | None:
    """Return the last number that a row of this table was given, also a deleted one; None: that is lost."""
    with suppress(sqlite3.Error):
        for (last,) in db.execute("select seq from sqlite_sequence where name = ?", (table,)):
            if isinstance(last, int) and 0 <= last < BIGGEST:
                return last
    return None


def _number_on(new: sqlite3.Connection, table: str, last: int | None) -> None:
    """Set the next number of this table, so that no former number is used again."""
    [(there,)] = new.execute("select coalesce(max(rowid), 0) from " + table)
    new.execute("delete from sqlite_sequence where name = ?", (table,))
    number = there + _UNKNOWN_LAST if last is None else max(there, last)
    new.execute("insert into sqlite_sequence (name, seq) values (?, ?)", (table, number))


def _count_on(new: sqlite3.Connection, commits: int) -> None:
    """Raise the count of commits to the confirmed one: losses are reported elsewhere."""
    new.execute(
        "insert into kept (key, value) values (?, ?) on conflict (key) do update "
        "set value = max(cast(value as integer), cast(excluded.value as integer))",
        (COMMITS.name, str(commits)),
    )
    seal(new, "kept")
