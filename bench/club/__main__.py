"""How many tables and watchers one hub bears: real games replayed by 8, 100 and 1,000 tables.

A real Mosquitto, PostgreSQL and nginx, and `companion hub`, each with its own processes on this machine, as
`make club` runs them; tables and watchers are simulated by processes of this benchmark (bench/club). Then 100
tables again, while the broker is restarted, the hub and the database are killed.
"""

from __future__ import annotations

import argparse
import atexit
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Engine, text

from bench.club import measures
from bench.club.report import Measured, Size, into_page, summary, troubles
from bench.club.stories import recorded
from bench.report import machine, publish
from companion.hub import database
from tools.club.configuration import Ports
from tools.club.services import Broker, Database, Hub, Proxy, Service, free

PERIOD_S: Final = 5.0  # a table decides once in so many seconds
MOST_WATCHERS: Final = 9_000  # of one process
DATABASE: Final = {"track_commit_timestamp": "on"}  # nothing but Debian's own settings


LONG: Final = (Size(8, 0, 30.0), Size(100, 1_000, 40.0), Size(1_000, 0, 60.0), Size(1_000, 10_000, 60.0))
SHORT: Final = (Size(8, 20, 10.0),)
SETTLE_S: Final = 10.0


class Parts(NamedTuple):
    """The programs of a club without its tables."""

    broker: Broker
    database: Database
    proxy: Proxy
    hub: Hub
    ports: Ports


@contextmanager
def club(directory: Path) -> Iterator[Parts]:
    """Run a club as long as the block lasts."""
    ports = Ports(free(1884), free(8080), free(8100))
    base = Database(directory / "database", DATABASE)
    parts = Parts(
        Broker(directory / "broker", ports.broker),
        base,
        Proxy(directory / "proxy", ports),
        Hub(directory / "hub", ports, base.address),
        ports,
    )
    services: Sequence[Service] = parts[:4]
    try:
        for service in services:
            service.start()
        yield parts
    finally:
        for service in reversed(services):
            service.stop()


def processes(parts: Parts) -> dict[str, list[int]]:
    """Return the processes of each program; the hub's first one is the one that listens to the broker."""
    listener, *workers = parts.hub.pids()
    judges = [pid for pid in workers if b"companion.hub.judge" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    return {
        "listener": [listener],
        "replays": judges,
        "workers": [pid for pid in workers if pid not in judges],
        "Mosquitto": parts.broker.pids(),
        "PostgreSQL": parts.database.pids(),
        "nginx": parts.proxy.pids(),
    }


def measure(size: Size, stories: Path, directory: Path, trouble: bool = False) -> Measured:
    """Run a size and return its measurements."""
    with club(directory) as parts:
        engine = database.connected(parts.database.address)
        before = {who: measures.used(pids) for who, pids in processes(parts).items()}
        begins = time.time() + 3 + size.tables / 200
        since = begins + SETTLE_S
        ends = since + size.seconds
        watchers = _watchers(size, parts.ports, ends + 3, directory)
        begins = max(begins, time.time() + 1 + size.tables / 500)
        since, ends = begins + SETTLE_S, max(ends, begins + SETTLE_S + size.seconds)
        tables = _tables(size, parts.ports, begins, ends, stories, directory)
        _sleep_until(since)
        at = {who: measures.used(pids) for who, pids in processes(parts).items()}
        began = time.time()
        took = _make_trouble(parts, engine, ends) if trouble else {}
        _sleep_until(ends)
        span = time.time() - began
        after = {who: measures.used(pids) for who, pids in processes(parts).items()}
        for process in tables:
            process.wait()
        when = measures.published_at(sorted(directory.glob("published-*")))
        found = _until_all(engine, len(when))
        broken = sum(_said(process) for process in watchers)
        pages = measures.seen(sorted(directory.glob("seen-*")), when, since, ends - 5)
        expected = sum(
            len(range(int(table[-4:]), size.watchers, size.tables))
            for (table, _), at_ in when.items()
            if since <= at_ < ends - 5
        )
        with engine.connect() as db:
            gaps = db.execute(text("select coalesce(sum(gaps), 0) from tables")).scalar_one()
        held = {(row[0], row[1]) for row in found}
        result = Measured(
            size=size,
            published=sum(since <= at_ < ends for at_ in when.values()),
            all_published=len(when),
            missing=len(set(when) - held),
            gaps=int(gaps),
            rows=measures.committed(found, when, since),
            pages=pages,
            unseen=expected - len(pages),
            broken=broken,
            idle=before,
            before=at,
            after=after,
            span=span,
            stored=_stored(engine),
            troubles=took,
        )
        engine.dispose()
        return result


def _watchers(size: Size, ports: Ports, ends: float, directory: Path) -> list[subprocess.Popen[str]]:
    started = []
    for first in range(0, size.watchers, MOST_WATCHERS):
        count = min(MOST_WATCHERS, size.watchers - first)
        words = {"site": ports.site, "first": first, "count": count, "tables": size.tables}
        # the streams are opened before the tables begin: so many more seconds
        later = ends + 2 * size.watchers / 1000
        started.append(_started("watchers", [directory / f"seen-{first}"], words | {"ends": later}))
    for process in started:
        assert process.stdout is not None
        if process.stdout.readline() != "open\n":
            raise RuntimeError("the watchers' streams cannot be opened")
    return started


def _tables(
    size: Size, ports: Ports, begins: float, ends: float, stories: Path, directory: Path
) -> list[subprocess.Popen[str]]:
    words = {"broker": ports.broker, "first": 0, "count": size.tables, "begins": begins, "period": PERIOD_S}
    return [_started("tables", [stories, directory / "published-0"], words | {"seconds": ends - begins})]


def _started(module: str, files: Sequence[Path], words: Mapping[str, float]) -> subprocess.Popen[str]:
    said = [f"--{option}={value}" for option, value in words.items()]
    process = subprocess.Popen(
        [sys.executable, "-m", f"bench.club.{module}", *map(str, files), *said],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    atexit.register(process.kill)  # Ctrl+C ends all of them
    return process


def _said(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    return int(process.stdout.read())


def _make_trouble(parts: Parts, engine: Engine, ends: float) -> dict[str, float]:
    """End one program after the other, spread over the time; return the seconds until each was back and had
    caught up.
    """
    took = {}
    pause = (ends - time.time()) / 4

    def broker() -> None:
        parts.broker.stop()  # it writes its data when it ends
        parts.broker.start()

    def hub() -> None:
        parts.hub.kill()
        parts.hub.start()

    def base() -> None:
        parts.database.kill()
        parts.database.start()

    for what, happens in {"broker": broker, "hub": hub, "database": base}.items():
        time.sleep(pause * random.Random(what).uniform(0.6, 1.0))
        began = time.time()
        happens()
        took[what] = time.time() - began
    engine.dispose()
    return took


def _until_all(engine: Engine, count: int) -> list[tuple[str, int, float]]:
    """Return each event that the database has, and when it had it, once it has so many or gets no more."""
    had, since = -1, time.time()
    while True:
        with engine.connect() as db:
            have = db.execute(text("select count(*) from events")).scalar_one()
        if have >= count or (have == had and time.time() - since > 30):
            break
        if have != had:
            had, since = have, time.time()
        time.sleep(0.2)  # the database does not report that
    with engine.connect() as db:
        asked = text(
            "select t.name, e.entry, extract(epoch from pg_xact_commit_timestamp(e.xmin))"
            " from events e join tables t on t.id = e.table_id"
        )
        return [(name, entry, float(at)) for name, entry, at in db.execute(asked)]


def _stored(engine: Engine) -> dict[str, tuple[int, int]]:
    found = {}
    with engine.connect() as db:
        for name in ("events", "pages", "games", "results", "tables"):
            count = db.execute(text(f"select count(*) from {name}")).scalar_one()
            size = db.execute(text(f"select pg_total_relation_size('{name}')")).scalar_one()
            found[name] = (count, size)
    return found


def _sleep_until(at: float) -> None:
    time.sleep(max(at - time.time(), 0.0))


def main() -> None:
    """Record the games, run each size, publish."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--short", action="store_true", help="the same on less, in a minute: not kept")
    parser.add_argument(
        "--stories", type=Path, help="games that were recorded before; made if it is not there"
    )
    parser.add_argument(
        "--sizes", nargs="*", help="tables,watchers,seconds instead of those that are published"
    )
    parser.add_argument("--no-troubles", action="store_true")
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    sizes: tuple[Size, ...] = SHORT if asked.short else LONG
    if asked.sizes:
        sizes = tuple(Size(*(int(n) for n in size.split(","))) for size in asked.sizes)
    with tempfile.TemporaryDirectory(prefix="companion-bench-club-") as folder:
        directory = Path(folder)
        stories = asked.stories or directory / "stories"
        if not stories.exists():
            stories.write_bytes(
                msgspec.msgpack.encode(recorded(directory / "recording", 2 if asked.short else 4))
            )
        found = []
        for number, size in enumerate(sizes):
            found.append(measure(size, stories, directory / f"{number}"))
            print(summary(found[-1:], PERIOD_S), flush=True)
        said = [summary(found, PERIOD_S)]
        if not asked.no_troubles:
            size = Size(8, 8, 24.0) if asked.short else Size(100, 100, 80.0)
            said.append(troubles(measure(size, stories, directory / "trouble", trouble=True)))
    said.append(machine(["paho-mqtt", "sqlalchemy", "psycopg", "uvicorn", "flask"]))
    publish("club", "# A hub's scale", *said, short=asked.short or bool(asked.sizes))
    if not (asked.short or asked.sizes):
        into_page("\n\n".join(said))


if __name__ == "__main__":
    main()
