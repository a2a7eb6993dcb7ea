"""The cost of hostile connections for players: /healthz and a tap, without them and with 200 of a
kind open.

A `companion run --mock` process plays Galloping Pigs. A tap is a decision as the table page sends it, on a
new connection, up to the moment when that page's stream has it. Right before each kind the same is measured
without it; all take turns in one run. The hostile connections come from this machine itself, which may use
all connections that the limit allows: another device would get a hundred, which is less. Connections that
drip go on dripping meanwhile.
"""

from __future__ import annotations

import select
import socket
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import NamedTuple

from bench.crowd import Crowd, server_sent_events
from bench.report import is_short, machine, publish, table
from bench.running import Running, begin, companion
from bench.streams import ROUNDS, Post, many_files, plays


class Extent(NamedTuple):
    """The numbers of repetitions, hostile connections, and requests of each sort between two of them."""

    repetitions: int
    connections: int
    asked: int


LONG, SHORT = Extent(5, 200, 30), Extent(1, 200, 5)
SETTLE = 0.5  # seconds until new and closed connections are handled
GOAL = 2.0

HOST = b"Host: localhost\r\n"
POST_HEAD = b"POST /api/decide HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
STREAM = b"GET /events?as=page HTTP/1.1\r\n" + HOST + b"\r\n"


class Kind(NamedTuple):
    """The bytes that a hostile connection sends at once, and again every so many seconds."""

    said: bytes
    drips: bytes = b""
    every: float = 0.5


KINDS = {
    "silent": Kind(b""),
    "half a head": Kind(b"GET /api/table HTTP/1.1\r\nHost: local"),
    "a head without an end": Kind(b"GET /api/table HTTP/1.1\r\n" + HOST, b"A: b\r\n"),
    "half a body": Kind(POST_HEAD + b"Content-Length: 50\r\n\r\n{"),
    "a body letter by letter": Kind(POST_HEAD + b"Content-Length: 60000\r\n\r\n{", b" "),
    "half a chunk": Kind(POST_HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{"),
    "files never read": Kind((b"GET /static/host/host.js HTTP/1.1\r\n" + HOST + b"\r\n") * 40),
    "a page never read": Kind((b"GET /watch HTTP/1.1\r\n" + HOST + b"\r\n") * 2),
    "a stream never read": Kind(STREAM),
}


@dataclass
class Figures:
    """The seconds that /healthz and taps took without and with a kind of connections; how many
    stayed open.
    """

    healthz: defaultdict[bool, list[float]] = field(default_factory=lambda: defaultdict(list))
    tap: defaultdict[bool, list[float]] = field(default_factory=lambda: defaultdict(list))
    stayed: int = 10**9

    def ratios(self) -> list[float]:
        """Return the ratios with to without: /healthz, taps."""
        return [median(took[True]) / median(took[False]) for took in (self.healthz, self.tap)]

    def row(self, name: str) -> list[object]:
        """Return the figures of this kind."""
        said: list[object] = [name, self.stayed]
        for took, ratio in zip((self.healthz, self.tap), self.ratios(), strict=True):
            said += [
                f"{1000 * median(took[False]):.1f}",
                f"{1000 * median(took[True]):.1f}",
                f"{ratio:.2f} ×",
            ]
        return said


def hostile(port: int, kind: Kind) -> socket.socket:
    """Return one connection of this kind."""
    opened = socket.socket()
    opened.setsockopt(
        socket.SOL_SOCKET, socket.SO_RCVBUF, 4096
    )  # a client that does not read has a small buffer
    opened.settimeout(10)
    opened.connect(("127.0.0.1", port))
    opened.sendall(kind.said)
    return opened


@contextmanager
def besieged(port: int, kind: Kind, count: int) -> Iterator[list[socket.socket]]:
    """Hold so many connections of this kind open, dripping until the end."""
    opened = [hostile(port, kind) for _ in range(count)]
    over = threading.Event()

    def drip() -> None:
        while kind.drips and not over.wait(kind.every):
            for wire in opened:
                try:
                    wire.send(kind.drips)
                except OSError:  # it was sent away: then it is not counted either
                    continue

    dripping = threading.Thread(target=drip)
    dripping.start()
    try:
        yield opened
    finally:
        over.set()
        dripping.join()
        for wire in opened:
            wire.close()


def open_still(wires: list[socket.socket]) -> int:
    """Return how many of these the other end has not closed; its bytes are left unread."""
    poll = select.poll()
    for wire in wires:
        poll.register(wire, select.POLLRDHUP)
    return len(wires) - len(poll.poll(0))


def measure(server: Running, posts: Iterator[Post], figures: Figures, asked: int, *, besieged: bool) -> None:
    """Measure /healthz and taps in turn, as often as requested."""
    time.sleep(SETTLE)
    crowd = Crowd(server.port, 1, partial(server_sent_events, cookie=server.cookie))
    for _ in range(asked):
        began = time.perf_counter()
        server.ask("GET", "/healthz")
        figures.healthz[besieged].append(time.perf_counter() - began)
        figures.tap[besieged].append(crowd.decide(*next(posts)))
    crowd.close()


def main() -> None:
    """Take turns with and without each kind; publish."""
    short = is_short(__doc__)
    extent = SHORT if short else LONG
    many_files()
    found = {name: Figures() for name in KINDS}
    with companion("--mock") as server:
        posts = plays(begin(server, ROUNDS))
        measure(server, posts, Figures(), extent.asked, besieged=False)  # what is done first is done once
        for _ in range(extent.repetitions):
            for name, kind in KINDS.items():
                measure(server, posts, found[name], extent.asked, besieged=False)
                with besieged(server.port, kind, extent.connections) as wires:
                    measure(server, posts, found[name], extent.asked, besieged=True)
                    found[name].stayed = min(found[name].stayed, open_still(wires))
    report(found, extent, short=short)


def report(found: dict[str, Figures], extent: Extent, *, short: bool) -> None:
    """Publish the table."""
    worst = max((ratio, name) for name, figures in found.items() for ratio in figures.ratios())
    head = ["of each, open", "still open at the end"]
    for what in ("/healthz", "a tap"):
        head += [f"{what}, ms without", "with", "ratio"]
    publish(
        "hostile",
        f"# {extent.connections} hostile connections of a kind",
        table(head, [figures.row(name) for name, figures in found.items()]),
        f"Medians of {extent.repetitions} interleaved repetitions of {extent.asked} requests of each sort, "
        f"without and with. Goal: at most {GOAL:.0f} × as long; the most is {worst[0]:.2f} × ({worst[1]}).",
        machine(["uvicorn", "a2wsgi", "flask", "httptools"]),
        short=short,
    )


if __name__ == "__main__":
    main()
