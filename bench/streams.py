"""From a decision to the last of many open streams: the companion against Flask-SocketIO.

Both servers are separate processes; one more process, this one, sends the decisions and reads all the
streams, and the next decision starts when every stream has the last. The companion (`companion run`, no
hardware) judges each decision, syncs it to its journal, words the view and has the odds computed at the same
time; Flask-SocketIO (threading mode, WebSockets) only spreads the same bytes: the same table as JSON.
"""

from __future__ import annotations

import itertools
import json
import resource
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bench.crowd import Crowd, Stream, server_sent_events, socket_io
from bench.report import is_short, machine, percentile, publish, table
from bench.running import Running, begin, companion, cpu_seconds, resident_mb, running


class Extent(NamedTuple):
    """The number of repetitions, and of decisions that each sends to so many streams."""

    repetitions: int
    decisions: Mapping[int, int]


LONG, SHORT = Extent(3, {40: 120, 500: 60, 2000: 20}), Extent(1, {4: 10, 40: 10})
COMPARED = 500  # streams at most of Flask-SocketIO, which has a thread for each
WARM_UP = 5
ROUNDS = 100  # of the game that is played through
COLOURS = ("red", "blue", "green", "yellow", "pink")
GOAL = 8.0


class Post(NamedTuple):
    """A decision as a request, and the bytes by which its message is known."""

    path: str
    body: object
    marker: bytes


@dataclass
class Contestant:
    """A server, its decisions, and its measurements by number of streams."""

    name: str
    server: Running
    opened: Callable[[int], Stream]
    posts: Iterator[Post]
    took: defaultdict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    cpu: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    resident: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))

    def measure(self, size: int, decisions: int) -> None:
        """Open the streams, send the decisions, note the seconds of each."""
        crowd = Crowd(self.server.port, size, self.opened)
        for _ in range(WARM_UP):
            crowd.decide(*next(self.posts))
        pid = self.server.process.pid
        before = cpu_seconds(pid)
        self.took[size] += [crowd.decide(*next(self.posts)) for _ in range(decisions)]
        self.cpu[size] += cpu_seconds(pid) - before
        self.resident[size] = max(self.resident[size], resident_mb(pid))
        crowd.close()

    def rate(self, size: int) -> float:
        """Return decisions a second."""
        return len(self.took[size]) / sum(self.took[size])

    def row(self, size: int, other: Contestant) -> list[object]:
        """Return the figures at this number of streams."""
        took = [1000 * seconds for seconds in self.took[size]]
        return [
            self.name,
            size,
            f"{self.rate(size):.1f}",
            f"{self.rate(size) / other.rate(size):.2f} ×" if size <= COMPARED else "",
            f"{percentile(took, 50):.1f}",
            f"{percentile(took, 99):.1f}",
            f"{1e6 * self.cpu[size] / len(took) / size:.0f}",
            f"{self.resident[size]:.0f}",
        ]


def plays(seq: int) -> Iterator[Post]:
    """Yield a game of Galloping Pigs by tap, hands dealt by people: each round the same cards."""
    for start in range(ROUNDS):
        seat = start % 4
        line_up = {"do": "line-up", "seat": seat, "order": COLOURS}
        yield Post("/api/decide", {"seq": seq, "decision": line_up}, b'{"seq":%d,' % (seq + 2))
        seq += 2  # the line-up, and the deal, which the companion enters
        for ply in range(28):
            card = {"do": "play", "seat": (seat + ply) % 4, "card": COLOURS[ply // 7]}
            yield Post("/api/decide", {"seq": seq, "decision": card}, b'{"seq":%d,' % (seq + 1))
            seq += 1


def posts() -> Iterator[Post]:
    """Yield decisions for the server that only spreads."""
    seq = 1_000
    while True:
        seq += 1
        yield Post("/decide", {"seq": seq}, b'{"seq":%d,' % seq)


def many_files() -> None:
    """Let this process hold a socket for every stream."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def main() -> None:
    """Start both servers, let them take turns, publish."""
    short = is_short(__doc__)
    extent = SHORT if short else LONG
    many_files()
    with companion() as ours, tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        own_posts = plays(begin(ours, ROUNDS))
        view = with_first_cards(ours, own_posts)
        json.dump(view, file)
        file.flush()
        with running("-m", "bench.socketio_server", file.name) as theirs:
            contestants = (
                Contestant("companion", ours, server_sent_events, own_posts),
                Contestant("Flask-SocketIO, threading", theirs, socket_io, posts()),
            )
            began, cpu = time.perf_counter(), time.process_time()
            for _ in range(extent.repetitions):
                for size, decisions in extent.decisions.items():
                    for contestant in contestants if size <= COMPARED else contestants[:1]:
                        contestant.measure(size, decisions)
                        time.sleep(1)
            busy = (time.process_time() - cpu) / (time.perf_counter() - began)
    report(contestants, len(json.dumps(view, separators=(",", ":"))), busy, extent, short=short)


def with_first_cards(server: Running, posts: Iterator[Post]) -> dict[str, object]:
    """Play a line-up and some cards; return the table in the middle of the round, odds included."""
    for post in itertools.islice(posts, 10):
        server.ask("POST", post.path, post.body)
    while (view := server.ask("GET", "/api/table"))["odds"] is None:
        time.sleep(0.1)
    first: dict[str, object] = view
    return first


def report(
    contestants: tuple[Contestant, Contestant], size_of_view: int, busy: float, extent: Extent, *, short: bool
) -> None:
    """Publish the table."""
    ours, theirs = contestants
    most = max(size for size in extent.decisions if size <= COMPARED)
    sent = " and ".join(f"{count} decisions to {size} streams" for size, count in extent.decisions.items())
    head = ["server", "streams", "decisions/s", "ratio", "ms, half", "ms, 99 %", "CPU µs a message", "MB"]
    rows = [
        contestant.row(size, theirs)
        for size in extent.decisions
        for contestant in contestants
        if contestant.took[size]
    ]
    publish(
        "streams",
        "# Decision to the last open stream",
        table(head, rows),
        f"{extent.repetitions} interleaved repetitions of {sent}; "
        f"a message is about {size_of_view:,} bytes; the next decision starts when all streams have the "
        "last. CPU is the server process's. "
        f"Goal at {most}: at least {GOAL:.0f} × the rate; here {ours.rate(most) / theirs.rate(most):.2f} ×. "
        f"The readers used {busy:.0%} of a core.",
        machine(["uvicorn", "a2wsgi", "flask", "flask-socketio", "python-engineio", "simple-websocket"]),
        short=short,
    )


if __name__ == "__main__":
    main()
