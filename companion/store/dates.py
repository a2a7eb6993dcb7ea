"""The times of entries: never before the newest one, and marked while the clock was not set.

While the clock is unset, time is `seconds since boot + offset`. The offset is fixed when the journal is
opened, so that time runs evenly and is never behind the newest entry. The journal stores the first entry of
this span. Once the clock is set, in the same boot, the span is moved to its true place in one transaction. If
the power fails before, its entries stay marked for good: they are in order, but their time is unknown.

A clock that is behind the newest entry by more than `LATE` is not believed, unless it follows a time server
now. Then the entries are wrong, because a clock was wrong before: those that are later than the present get
the latest time that is possible, and are marked.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final, Literal

import msgspec

from companion.store.checksums import seal, seal_entry
from companion.store.clock import Clock
from companion.store.keys import Key

ClockState = Literal["set", "unset", "late"]
"""`unset`: since the machine was switched on; `late`: too far behind the newest entry to be believed."""

LATE: Final = 3600.0  # seconds by which a clock may be behind the newest entry, after it was put right
_NEWEST: Final = 1_000  # entries that are compared: an evening


class Unset(msgspec.Struct, frozen=True):
    """The entries from `first` on were written while the clock was not set, in this boot of the machine.

    Their time is the seconds since boot and `offset`.
    """

    first: int
    boot: str
    offset: float


UNSET: Final[Key[Unset | None]] = Key("clock", Unset | None, None)
UNKNOWN: Final[Key[list[tuple[int, int]]]] = Key("clock unknown", list[tuple[int, int]], [])
"""Entries whose time stays unknown: the first and the last of each span."""

UNDATED: Final = (
    "(exists (select 1 from kept where key = 'clock' and entries.seq >= json_extract(value, '$.first')) or "
    "exists (select 1 from kept, json_each(kept.value) as span where kept.key = 'clock unknown' "
    "and entries.seq between json_extract(span.value, '$[0]') and json_extract(span.value, '$[1]')))"
)
"""SQL that is true for an entry whose time is not known."""


class Dates:
    """The times of the entries that one thread writes; `load` before the first of them."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._boot = clock, clock.boot
        self._is_set = False
        self._newest = self._offset = 0.0

    def load(self, newest: float, stored: Unset | None) -> None:
        """Begin after an entry of the time `newest`, with the stored span of entries, if there is one."""
        self._newest = newest
        if not self._boot:
            return
        if stored is not None and stored.boot == self._boot:
            self._offset = stored.offset
        else:
            self._offset = max(self._clock.wall(), newest) - self._clock.since_boot()

    @property
    def state(self) -> ClockState:
        """The state of the clock; once it was set it stays so, while it is not set back."""
        if not self._boot:
            return "set"
        self._is_set = self._is_set or self._clock.is_set()
        if not self._is_set:
            return "unset"
        is_late = self._clock.wall() < self._newest - LATE
        return "late" if is_late and not self._clock.is_synchronised() else "set"

    def is_set(self) -> bool:
        """Return True if the clock is believed."""
        return self.state == "set"

    def now(self) -> str:
        """Return the time for an entry that is written now (ISO 8601, UTC)."""
        seconds = self._clock.wall() if self.is_set() else self._clock.since_boot() + self._offset
        self._newest = max(self._newest, seconds)
        return text(self._newest)

    def after(self, seq: int, stored: Unset | None) -> Unset | None:
        """Return the span to store, now that entry `seq` is written."""
        if self.is_set():
            return None
        if stored is not None and stored.boot == self._boot:
            return stored
        return Unset(seq, self._boot, self._offset)

    def is_due(self, stored: Unset | None) -> bool:
        """Return True if times that are stored can be put right now."""
        if not self._boot or not self.is_set():
            return False
        return stored is not None or self._clock.wall() < self._newest - LATE

    def settled(self, db: sqlite3.Connection, stored: Unset | None) -> Iterator[tuple[int, int]]:
        """Put right what can be put right, within a transaction; yield the spans that stay unknown.

        The times of a span of this boot are moved. Times that are later than a synchronised clock are wrong:
        each becomes that of the entry after it, or the present.
        """
        now, last = self._clock.wall(), _last(db)
        changed: dict[int, float] = {}
        if stored is not None and stored.boot == self._boot:
            shift = now - self._clock.since_boot() - stored.offset
            changed = {seq: at + shift for seq, at in _times(db, stored.first)}
        elif stored is not None and stored.first <= last:
            yield stored.first, last
        first = min(changed, default=last + 1)
        before = _newest(db, first)
        if self._clock.is_synchronised() and before > now + LATE:
            limit = changed.get(first, now)
            for seq, at in reversed([*_times(db, 0)]):
                if seq < first and at > now + LATE:
                    changed[seq] = limit
                    yield seq, seq
                elif seq < first:
                    limit = min(limit, at)
            before = 0.0
        floor = before
        for seq in sorted(changed):
            floor = changed[seq] = max(floor, changed[seq])
        _write(db, changed)
        self._newest = _newest(db, last + 1)


def text(seconds: float) -> str:
    """Return a time as the journal has it.

    >>> text(1795813800.9)
    '2026-11-27T21:10:00+00:00'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return these spans in order, adjacent ones as one.

    >>> joined([(7, 9), (1, 4), (5, 6), (12, 12)])
    [(1, 9), (12, 12)]
    """
    found: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found


def newest_time(db: sqlite3.Connection) -> float:
    """Return the time of the newest entry in seconds; 0 if there is none."""
    return _newest(db, _last(db) + 1)


def _last(db: sqlite3.Connection) -> int:
    return int(db.execute("select coalesce(max(seq), 0) from entries").fetchone()[0])


def _newest(db: sqlite3.Connection, before: int) -> float:
    """Return the latest time of the entries before this one."""
    asked = "select max(at) from (select at from entries where seq < ? order by seq desc limit ?)"
    found = db.execute(asked, (before, _NEWEST)).fetchone()[0]
    return 0.0 if found is None else _seconds(found)


def _times(db: sqlite3.Connection, first: int) -> Iterator[tuple[int, float]]:
    """Yield the entries from this one on, with their times."""
    for seq, at in db.execute("select seq, at from entries where seq >= ? order by seq", (first,)):
        yield seq, _seconds(at)


def _seconds(at: str) -> float:
    try:
        return datetime.fromisoformat(at).timestamp()
    except ValueError:
        return 0.0


def _write(db: sqlite3.Connection, times: dict[int, float]) -> None:
    """Give entries these times, and the matches that begin with one of them; renew the sums of both."""
    db.executemany("update entries set at = ? where seq = ?", [(text(at), seq) for seq, at in times.items()])
    matches: dict[int, int] = {}
    for seq in sorted(times):
        [(match,)] = db.execute("select match from entries where seq = ?", (seq,))
        matches.setdefault(match, seq)
    for match, changed in matches.items():
        entries = [
            seq for (seq,) in db.execute("select seq from entries where match = ? order by seq", (match,))
        ]
        if entries[0] == changed:
            db.execute("update matches set began = ? where id = ?", (text(times[changed]), match))
        for seq in entries[entries.index(changed) :]:
            seal_entry(db, seq, match)
        seal(db, "matches", "id = ?", match)
