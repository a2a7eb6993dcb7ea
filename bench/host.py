"""What the companion costs when nothing happens: start to first page, memory, idle CPU.

Measured is the host process of `companion run`, without hardware and in mock mode, beside a Flask page
that says hello on the same server (bench/hello.py). Start: from spawning the process to the first 200 on
`/`, asked until it comes. Memory and CPU: after a page was shown, a game was begun and nobody watches;
CPU over IDLE seconds. The odds process stands in a row of its own. In mock mode the host process also
models the pad's reader chip; the modelled Pico stands for another computer and is left out.
"""

from __future__ import annotations

import os
import time
from contextlib import AbstractContextManager, ExitStack
from http.client import HTTPConnection
from statistics import median

from bench.report import machine, publish, table
from bench.running import Running, begin, companion, cpu_seconds, resident_mb, running

STARTS = 5
IDLE = 15.0  # seconds
SETTLE = 5.0  # seconds until what a start has left to do is done

KINDS = ("Flask hello", "companion, no hardware", "companion --mock")


def kind(name: str) -> AbstractContextManager[Running]:
    """A server of this kind, just spawned."""
    if name == "Flask hello":
        return running("-m", "bench.hello")
    return companion("--mock") if name == "companion --mock" else companion()


def start_seconds(name: str) -> float:
    """From spawning the process to the first 200 on `/`."""
    with kind(name) as server:
        while not shows_page(server):
            time.sleep(0.002)
        return time.perf_counter() - server.spawned


def shows_page(server: Running) -> bool:
    """Whether `/` is answered with 200."""
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


def idle(servers: dict[str, Running]) -> dict[str, tuple[float, float]]:
    """Memory in MB and CPU in percent of a core, of every server and odds process, all at the same time."""
    pids = {name: server.process.pid for name, server in servers.items()}
    pids["odds process"] = servers["companion, no hardware"].children()["companion.odds.process"]
    time.sleep(SETTLE)
    before = {name: cpu_seconds(pid) for name, pid in pids.items()}
    time.sleep(IDLE)
    used = {name: cpu_seconds(pid) - before[name] for name, pid in pids.items()}
    return {name: (resident_mb(pid), 100 * used[name] / IDLE) for name, pid in pids.items()}


def main() -> None:
    """Start each in turn, then let all be idle together; publish."""
    starts: dict[str, list[float]] = {name: [] for name in KINDS}
    for _ in range(STARTS):
        for name in KINDS:
            starts[name].append(start_seconds(name))
    with ExitStack() as stack:
        servers = {name: stack.enter_context(kind(name)) for name in KINDS}
        for name, server in servers.items():
            shows_page(server)
            if name != "Flask hello":
                begin(server)
        figures = idle(servers)
    seconds = {name: median(starts[name]) for name in KINDS}
    report(seconds, figures)


def report(seconds: dict[str, float], figures: dict[str, tuple[float, float]]) -> None:
    """Publish the table."""
    bare, bare_mb = seconds["Flask hello"], figures["Flask hello"][0]
    rows: list[list[object]] = []
    for name, (mb, cpu) in figures.items():
        start = f"{seconds[name]:.2f}" if name in seconds else ""
        start_ratio = f"{seconds[name] / bare:.2f} ×" if name in seconds else ""
        rows.append([name, start, start_ratio, f"{mb:.1f}", f"{mb / bare_mb:.2f} ×", f"{cpu:.2f} %"])
    publish(
        "host",
        "# The host process at rest",
        table(
            ["process", "s to first page", "of hello", "resident MB", "of hello", "idle CPU, of a core"], rows
        ),
        f"Start: medians of {STARTS} interleaved starts. Memory and CPU (percent of a core): all at once, a "
        f"game begun, nobody watching, {IDLE:.0f} s; CPU time is counted in ticks, of which one is "
        f"{100 / os.sysconf('SC_CLK_TCK') / IDLE:.2f} %.",
        machine(["uvicorn", "a2wsgi", "flask"]),
    )


if __name__ == "__main__":
    main()
