"""Years of use: start, history and copies of a journal of 10,000 games, against an empty one.

The journal is made of real games, two of each kind, played at random, which are copied with new numbers,
names and sums. Start: CPU time of the process until `/` is answered. History: the first page, and every later
one, as the page of past games asks for it. Copies: `companion backup` and `companion restore`, as commands.

`python -m bench.years --make FILE` only writes such a journal.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from bench.host import shows_page
from bench.report import machine, publish, table
from bench.running import ROOT, Running, cpu_seconds
from companion.games.race import random_decision
from companion.match.record import Header, decision_line
from companion.store.checksums import ENTRY, STANDS, SUMMED, checksum
from companion.store.journal import Journal
from companion.table.table import Table

GAMES: Final = 10_000
KINDS: Final = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")
SEATS: Final = 3
PEOPLE: Final = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil", "Hana")
FIRST: Final = datetime(2020, 1, 1, 18, tzinfo=UTC)
STARTS: Final = 3
REST_S: Final = 8.0  # longer than the check waits before it begins
PAGE: Final = "/api/history?most=100"


class Row(NamedTuple):
    """A real game: the columns of its match, and those of its entries."""

    match: dict[str, Any]
    entries: list[dict[str, Any]]


def real_games(directory: Path) -> list[Row]:
    """Play two games of each kind, and return their rows."""
    rng = random.Random(5)
    journal = Journal(directory / "played.sqlite")
    board = Table(journal, dealer=rng).open()
    for name in KINDS * 2:
        board.begin(Header(name, PEOPLE[:SEATS]), "companion")
        while (decision := random_decision(board.ledger.running().race, rng)) is not None:
            board.play.decide(board.snapshot.seq, decision_line(board.ledger.running().race, decision))
    found = []
    db = journal._db
    db.row_factory = _as_dict
    for match in db.execute("select * from matches order by id").fetchall():
        entries = db.execute("select * from entries where match = ? order by seq", (match["id"],)).fetchall()
        found.append(Row({**match, "state": "played"}, entries))
    journal.close()
    return found


def _as_dict(cursor: Any, row: tuple[Any, ...]) -> dict[str, Any]:
    return {column[0]: value for column, value in zip(cursor.description, row, strict=True)}


def make(file: Path, games: int) -> int:
    """Write a journal of so many games into a new file, with right sums; return the number of its entries."""
    with TemporaryDirectory(prefix="companion-bench-") as directory:
        real = real_games(Path(directory))
    rng, seq = random.Random(6), 0
    with closing(Journal(file)) as journal:
        db = journal._db
        db.execute("begin")
        for number in range(1, games + 1):
            row = rng.choice(real)
            at = (FIRST + timedelta(hours=5 * number)).isoformat(timespec="seconds")
            match = row.match | {"id": number, "began": at} | _renamed(row.match, rng.sample(PEOPLE, SEATS))
            entries = [
                entry | {"seq": seq + n, "match": number, "at": at} for n, entry in enumerate(row.entries, 1)
            ]
            seq += len(entries)
            match["sum"] = match["end_sum"] = ""
            _insert(db, "matches", [match])
            before: bytes | None = None
            for entry in entries:
                entry["sum"] = checksum(before, *_values(entry, ENTRY))
                before = entry["sum"].encode()
            _insert(db, "entries", entries)
            sums = checksum(*_values(match, SUMMED["matches"])), checksum(*_values(match, STANDS), before)
            db.execute("update matches set sum = ?, end_sum = ? where id = ?", (*sums, number))
        db.execute("commit")
    return seq


def _renamed(match: dict[str, Any], people: list[str]) -> dict[str, str]:
    header, standings = json.loads(match["header"]), json.loads(match["standings"])
    header["seats"] = people
    for one in standings:
        one["name"] = people[one["seat"]]
    return {"header": json.dumps(header), "standings": json.dumps(standings)}


def _insert(db: Any, name: str, rows: list[dict[str, Any]]) -> None:
    columns = [*rows[0]]
    marks = ", ".join(f":{column}" for column in columns)
    db.executemany(f"insert into {name} ({', '.join(columns)}) values ({marks})", rows)


def _values(row: dict[str, Any], columns: tuple[str, ...]) -> Iterator[bytes | int]:
    for column in columns:
        value = row[column]
        yield value.encode() if isinstance(value, str) else value


# --- measuring -----------------------------------------------------------------------------------


class Served(NamedTuple):
    """What a companion took: CPU seconds to the first page, and its history."""

    start: float
    first_page: float
    slowest_page: float
    largest_page: int
    pages: int
    leaders: float
    leaders_again: float


def served(data: Path) -> Served:
    """Start a companion over this data, and read all of its history."""
    starts = []
    for _ in range(STARTS):
        server = Running("-m", "companion", "run", "--port", "0", "--data", str(data))
        try:
            while not shows_page(server):
                time.sleep(0.002)
            starts.append(cpu_seconds(server.process.pid))
            if len(starts) < STARTS:
                continue
            rest(server)
            times, sizes, next_page = [], [], PAGE
            while next_page:
                took, answer = timed(server, next_page)
                times.append(took)
                sizes.append(len(json.dumps(answer, separators=(",", ":"), ensure_ascii=False).encode()))
                more = answer.get("more")
                next_page = f"{PAGE}&before={more}" if more else ""
            leaders = [timed(server, "/api/leaderboard")[0] for _ in range(2)]
        finally:
            server.stop()
    return Served(median(starts), times[0], max(times), max(sizes), len(times), *leaders)


def rest(server: Running) -> None:
    """Wait until the check of old games in the background is over: its time is not that of a page."""
    used = -1.0
    while (now := cpu_seconds(server.process.pid)) - used > REST_S / 20:
        used = now
        time.sleep(REST_S)


def timed(server: Running, path: str) -> tuple[float, Any]:
    """Return the seconds until this was answered, and the answer."""
    began = time.perf_counter()
    answer = server.ask("GET", path)
    return time.perf_counter() - began, answer


class Copied(NamedTuple):
    """The seconds of a command, and those of the CPU."""

    took: float
    cpu: float


def copied(data: Path) -> list[Copied]:
    """Return the costs of `companion backup`, and of `companion restore` into an empty directory."""
    with TemporaryDirectory(prefix="companion-bench-") as directory:
        file = Path(directory) / "copy.sqlite"
        times = []
        for command in (
            ["backup", str(file), "--data", str(data)],
            ["restore", str(file), "--yes", "--data", f"{directory}/restored"],
        ):
            began, used = time.perf_counter(), _children_cpu()
            subprocess.run(
                [sys.executable, "-m", "companion", *command], check=True, cwd=ROOT, capture_output=True
            )
            times.append(Copied(time.perf_counter() - began, _children_cpu() - used))
    return times


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure, and publish the table."""
    parser = argparse.ArgumentParser(description="Years of use.")
    parser.add_argument("--short", action="store_true", help="the same on less, in seconds: not kept")
    parser.add_argument("--make", type=Path, metavar="FILE", help="only write a journal of so many games")
    parser.add_argument("--games", type=int, default=GAMES)
    given = parser.parse_args()
    if given.make:
        print(f"{make(given.make, given.games)} entries")
        return
    games = 300 if given.short else given.games
    with TemporaryDirectory(prefix="companion-bench-") as directory:
        full, empty = Path(directory) / "full", Path(directory) / "empty"
        full.mkdir()
        empty.mkdir()
        entries = make(full / "journal.sqlite", games)
        size = (full / "journal.sqlite").stat().st_size
        few, many = served(empty), served(full)
        few_copied, many_copied = copied(empty), copied(full)
    rows: list[tuple[str, str, str]] = [
        ("CPU to the first page, s", f"{few.start:.2f}", f"{many.start:.2f}"),
        ("first page of the history, ms", f"{1e3 * few.first_page:.0f}", f"{1e3 * many.first_page:.0f}"),
        (
            "slowest page of the history, ms",
            f"{1e3 * few.slowest_page:.0f}",
            f"{1e3 * many.slowest_page:.0f}",
        ),
        (
            "largest page of the history, kB",
            f"{few.largest_page / 1e3:.1f}",
            f"{many.largest_page / 1e3:.1f}",
        ),
        ("pages of the history", f"{few.pages}", f"{many.pages}"),
        ("leaderboards, ms", f"{1e3 * few.leaders:.0f}", f"{1e3 * many.leaders:.0f}"),
        ("leaderboards again, ms", f"{1e3 * few.leaders_again:.0f}", f"{1e3 * many.leaders_again:.0f}"),
    ]
    for number, command in enumerate(("backup", "restore")):
        few_cost, many_cost = few_copied[number], many_copied[number]
        rows.append((f"`companion {command}`, s", f"{few_cost.took:.1f}", f"{many_cost.took:.1f}"))
        rows.append((f"`companion {command}`, s of CPU", f"{few_cost.cpu:.1f}", f"{many_cost.cpu:.1f}"))
    publish(
        "years",
        "# Years of use",
        table(["", "empty journal", f"{games:,} games"], rows),
        f"{entries:,} entries in {size / 1e6:.0f} MB. The start takes {many.start / few.start:.2f} × that of "
        f"an empty journal (median of {STARTS}). The history is asked for by `{PAGE}`.",
        machine(["flask", "msgspec"]),
        short=given.short,
    )


if __name__ == "__main__":
    main()
