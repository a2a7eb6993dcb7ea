"""The cost of an idle companion: start to first page, memory, idle CPU.

Measured is the host process of `companion run`, without hardware and in mock mode, against a Flask page that
says hello on the same server (bench/hello.py). Start: from spawning the process to the first 200 on `/`,
polled until it comes. Memory and CPU: after a page was shown and a game was begun, without viewers, and once
more with a table page and three phones open. The odds process has its own row. One companion publishes to a
broker, a real Mosquitto with a listener, against one that does not. In mock mode the host process also models
the pad's reader chip, so there is one more row: pad, panel and track idle, with the chip's answers played
back (bench/quiet.py). The modelled Pico is left out: it represents another computer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.report import is_short, machine, publish, table
from bench.running import Running, begin, companion, resident_mb, run_seconds, running
from tests.support.broker import Listener
from tests.support.broker import running as mosquitto


class Extent(NamedTuple):
    """The number of starts; seconds that are measured at rest, and seconds until all is at rest after a
    start.
    """

    starts: int
    idle: float
    settle: float  # until a start has finished its work, and the pad has come to rest


LONG, SHORT = Extent(5, 40.0, 26.0), Extent(1, 2.0, 2.0)
PAGES = 4  # a table and three phones

BARE, QUIET = "companion, no hardware", "companion, pad, panel and track idle"
PUBLISHING = "companion, publishing to a broker"
KINDS = ("Flask hello", BARE, PUBLISHING, "companion --mock", QUIET)


def kind(name: str) -> AbstractContextManager[Running]:
    """Return a server of this kind, just spawned."""
    if name == "Flask hello":
        return running("-m", "bench.hello")
    if name == PUBLISHING:
        return telling()
    if name == QUIET:
        return companion("--mock", program="bench.quiet")
    return companion("--mock") if name == "companion --mock" else companion()


@contextmanager
def telling() -> Iterator[Running]:
    """Run a companion that publishes to a broker with one subscriber."""
    with ExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory(prefix="companion-bench-")))
        broker = stack.enter_context(mosquitto(directory))
        stack.enter_context(closing(Listener(broker.port)))
        settings = directory / "companion.toml"
        settings.write_text(f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\n')
        yield stack.enter_context(companion("--settings", str(settings)))


def start_seconds(name: str) -> float:
    """Return the seconds from spawning the process to the first 200 on `/`."""
    with kind(name) as server:
        while not shows_page(server):
            time.sleep(0.002)
        return time.perf_counter() - server.spawned


def shows_page(server: Running) -> bool:
    """Return True if `/` is answered with 200."""
    connection = HTTPConnection("localhost", server.port, timeout=10)
    try:
        connection.request("GET", "/")
        answer = connection.getresponse()
        answer.read()
        return answer.status == 200
    except ConnectionError:
        return False
    finally:
        connection.close()


def idle(servers: dict[str, Running], extent: Extent) -> dict[str, tuple[float, float, float]]:
    """Measure memory in MB, CPU in percent of a core without and with pages open: every server,
    all at once.
    """
    pids = {name: server.process.pid for name, server in servers.items()}
    pids["odds process"] = servers[BARE].children()["companion.worker.process"]
    time.sleep(extent.settle)
    alone = used(pids, extent.idle)
    memory = {name: resident_mb(pid) for name, pid in pids.items()}
    with ExitStack() as stack:
        for name, server in servers.items():
            for _ in range(PAGES if name != "Flask hello" else 0):
                stack.enter_context(closing(page(server)))
        time.sleep(1)
        watched = used(pids, extent.idle)
    return {name: (memory[name], alone[name], watched[name]) for name in pids}


def page(server: Running) -> HTTPConnection:
    """Open a page that listens."""
    connection = HTTPConnection("localhost", server.port, timeout=10)
    connection.request("GET", "/events")
    connection.getresponse()
    return connection


def used(pids: dict[str, int], seconds: float) -> dict[str, float]:
    """Return the CPU in percent of a core over so many seconds."""
    before = {name: run_seconds(pid) for name, pid in pids.items()}
    time.sleep(seconds)
    return {name: 100 * (run_seconds(pid) - before[name]) / seconds for name, pid in pids.items()}


def main() -> None:
    """Start each in turn, then let all be idle together; publish."""
    short = is_short(__doc__)
    extent = SHORT if short else LONG
    starts: dict[str, list[float]] = {name: [] for name in KINDS}
    for _ in range(extent.starts):
        for name in KINDS:
            starts[name].append(start_seconds(name))
    with ExitStack() as stack:
        servers = {name: stack.enter_context(kind(name)) for name in KINDS}
        for name, server in servers.items():
            shows_page(server)
            if name != "Flask hello":
                begin(server)
        figures = idle(servers, extent)
    seconds = {name: median(starts[name]) for name in KINDS}
    report(seconds, figures, extent, short=short)


def report(
    seconds: dict[str, float], figures: dict[str, tuple[float, float, float]], extent: Extent, *, short: bool
) -> None:
    """Publish the table."""
    bare, bare_mb = seconds["Flask hello"], figures["Flask hello"][0]
    of_bare = [figures[QUIET][i] / figures[BARE][i] for i in (1, 2)]
    rows: list[list[object]] = []
    for name, (mb, cpu, watched) in figures.items():
        start = f"{seconds[name]:.2f}" if name in seconds else ""
        start_ratio = f"{seconds[name] / bare:.2f} ×" if name in seconds else ""
        rows.append([name, start, start_ratio, f"{mb:.1f}", f"{mb / bare_mb:.2f} ×"])
        rows[-1] += [f"{cpu:.2f} %", f"{watched:.2f} %" if name != "Flask hello" else ""]
    publish(
        "host",
        "# The host process at rest",
        table(
            [
                *("process", "s to first page", "of hello", "resident MB", "of hello"),
                *("idle CPU, of a core", f"with {PAGES} pages open"),
            ],
            rows,
        ),
        f"Start: medians of {extent.starts} interleaved starts. Memory and CPU (percent of a core): all at "
        f"once, a game begun, {extent.idle:.0f} s. Pad, panel and track idle cost {of_bare[0]:.2f} × the "
        f"host without them, {of_bare[1]:.2f} × with {PAGES} pages open. "
        "A table without a broker pays nothing for it: without the setting nothing of it is loaded.",
        machine(["uvicorn", "a2wsgi", "flask"]),
        short=short,
    )


if __name__ == "__main__":
    main()
