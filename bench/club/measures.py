"""Measurements while tables publish: memory and CPU of each program, lags from the notes of each process."""

from __future__ import annotations

import re
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.club.tables import PUBLISHED, name
from bench.club.watchers import ARRIVED
from bench.running import cpu_seconds

_PSS: Final = re.compile(r"^Pss:\s+(\d+) kB", re.MULTILINE)


class Used(NamedTuple):
    """Of processes: memory in MB, what they share counted in equal parts; CPU in seconds."""

    mb: float
    cpu: float


def used(pids: Iterable[int]) -> Used:
    """Return what these processes have used so far."""
    mb = cpu = 0.0
    for pid in pids:
        try:
            found = _PSS.search(Path(f"/proc/{pid}/smaps_rollup").read_text())
            mb += int(found[1]) / 1024 if found else 0.0
            cpu += cpu_seconds(pid)
        except OSError:
            continue  # one of a database's that has ended meanwhile
    return Used(mb, cpu)


def rows(file: Path, kind: struct.Struct) -> Iterator[tuple[Any, ...]]:
    """Return the rows that a process has noted; an incomplete last row is left out."""
    data = file.read_bytes()
    return kind.iter_unpack(data[: len(data) // kind.size * kind.size])


PublishedAt = Mapping[tuple[str, int], float]


def published_at(files: Iterable[Path]) -> PublishedAt:
    """Return when each event was first published: by table and entry."""
    first: dict[tuple[str, int], float] = {}
    for file in files:
        for table, entry, at in rows(file, PUBLISHED):
            first.setdefault((name(table), entry), at)
    return first


def seen(files: Iterable[Path], when: PublishedAt, since: float, until: float) -> list[float]:
    """Return lags of pages, in s: for each watcher and event of this time, until its page or a later one
    came.

    Events that a watcher has not seen at all are left out.
    """
    entries: dict[str, list[int]] = defaultdict(list)
    for table, entry in sorted(when):
        entries[table].append(entry)
    at: dict[int, int] = defaultdict(int)  # by watcher, how many of its table's entries it has seen
    lags: list[float] = []
    for file in files:
        for watcher, table, seq, arrived in rows(file, ARRIVED):
            own = entries[name(table)]
            while at[watcher] < len(own) and own[at[watcher]] <= seq:
                began = when[name(table), own[at[watcher]]]
                if since <= began < until:
                    lags.append(arrived - began)
                at[watcher] += 1
    return lags


def committed(found: Sequence[tuple[str, int, float]], when: PublishedAt, since: float) -> list[float]:
    """Return lags of rows, in s: of each event published from then on, until the database had it."""
    return [at - when[table, entry] for table, entry, at in found if when.get((table, entry), 0.0) >= since]
