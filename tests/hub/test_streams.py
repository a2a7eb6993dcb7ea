"""What a table shows is on every watcher's stream, through the workers of a hub, and no watcher stops another."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import uvicorn

from companion.hub.feed import Feed
from companion.hub.streams import Streams
from companion.hub.validation import TableMessage
from tests.support.client import PATIENCE_S

HEADS = (
    "Last-Event-ID: 0\r\n",
    "Last-Event-ID: \x01:\x02\r\n",
    "Last-Event-ID: 99999999999999999999:-1\r\n",
    "Last-Event-ID: [1,2]:3,[4]\r\n",
    f"Last-Event-ID: {'9' * 4000}\r\n",
    'If-None-Match: "0"\r\nIf-Modified-Since: yesterday\r\n',
)


class Watcher:
    """An open stream of server-sent events."""

    def __init__(self, port: int, channel: str, more: str = "Host: localhost\r\n") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        self.socket.sendall(f"GET /live/{channel} HTTP/1.1\r\n{more}\r\n".encode("latin1"))
        self._lines = self.socket.makefile("rb")
        first = self._lines.readline().split()
        self.status = int(first[1]) if first else 0

    def line(self) -> bytes:
        """Return the next line that is an event's data, or a comment."""
        while not (line := self._lines.readline()).startswith((b"data: ", b":")):
            assert line, "the stream has ended"
        return line.rstrip(b"\n")

    def event(self) -> Any:
        """Return the data of the next event."""
        while not (line := self.line()).startswith(b"data: "):
            pass
        return json.loads(line.removeprefix(b"data: "))

    def opened(self) -> Watcher:
        """Wait until the hub serves it."""
        assert self.line() == b": here"
        return self

    def close(self) -> None:
        self._lines.close()
        self.socket.close()


def page(seq: int, seats: tuple[str, ...] = (), more: str = "") -> TableMessage:
    """Return a page of window-2 in two languages."""
    match = {"id": 1, "game": "g", "title": "t", "animal": "a", "seats": list(seats), "finished": False}
    view: dict[str, Any] = {
        "match": match if seats else None,
        "standings": [],
        "unit": None,
        "odds": None,
        "more": more,
    }
    pages = {"en": view | {"said": "in English"}, "de": view | {"said": "auf Deutsch"}}
    return TableMessage("window-2", "page", json.dumps({"seq": seq, "pages": pages}).encode())


@pytest.fixture
def feed() -> Iterator[Feed]:
    made = Feed()
    made.start()
    yield made
    made.stop()


def served(stack: ExitStack, feed: Feed) -> int:
    """Serve streams as a worker does; return the port."""
    streams = Streams(feed.path)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await streams.serve(scope, receive, send)

    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()

    def end() -> None:
        server.should_exit = server.force_exit = True
        thread.join()

    stack.callback(end)
    return int(listening.getsockname()[1])


@pytest.fixture
def ports(feed: Feed) -> Iterator[tuple[int, int]]:
    """Yield the ports of two workers."""
    with ExitStack() as stack:
        yield served(stack, feed), served(stack, feed)


def test_who_comes_gets_the_newest_page_and_then_each_new_one(feed: Feed, ports: tuple[int, int]) -> None:
    """From every worker, in the language of the address."""
    for seq in range(3):
        feed.receive(page(seq, (f"Ada {seq}",)))
    watchers = [Watcher(port, f"tables/window-2/{language}") for port in ports for language in ("en", "de")]
    said = []
    for watcher in watchers:
        while (event := watcher.event())["match"]["seats"] != ["Ada 2"]:
            pass
        said.append(event["said"])
    assert said == ["in English", "auf Deutsch"] * 2
    feed.receive(page(9, ("Ada 9",)))
    assert [watcher.event()["match"]["seats"] for watcher in watchers] == [["Ada 9"]] * 4
    for watcher in watchers:
        watcher.close()


def test_the_list_of_tables_has_what_has_changed(feed: Feed, ports: tuple[int, int]) -> None:
    watchers = [Watcher(port, "tables").opened() for port in ports]
    feed.receive(TableMessage("attic", "here", b"here"))
    feed.receive(page(5, ("Ada", "Ben")))
    for watcher in watchers:
        found: dict[str, Any] = {}
        while found.keys() != {"attic", "window-2"}:
            found |= {table["name"]: table for table in watcher.event()["tables"]}
        assert found["window-2"]["seats"] == ["Ada", "Ben"]
        assert found["attic"]["here"]
        watcher.close()


def test_a_page_that_is_no_longer_shown_is_gone(feed: Feed, ports: tuple[int, int]) -> None:
    """The listener deletes what the broker retains of someone who was forgotten, and hears so itself."""
    feed.receive(page(1, ("Ada",)))
    first = Watcher(ports[0], "tables/window-2/en")
    assert first.event()["match"]["seats"] == ["Ada"]
    feed.receive(TableMessage("window-2", "page", b""))
    feed.receive(TableMessage("other", "page", page(2, ("Cleo",)).payload))
    known = Watcher(ports[0], "tables/other/en")
    assert known.event()["match"]["seats"] == ["Cleo"]  # so the worker has heard of both
    late = Watcher(ports[0], "tables/window-2/en").opened()
    feed.receive(page(3, ("Ben",)))
    assert late.event()["match"]["seats"] == ["Ben"]
    for watcher in (first, known, late):
        watcher.close()


def test_what_may_not_be_shown_reaches_no_one() -> None:
    """A page that another table has signed, or of a match that is withheld, and one that is none."""
    feed = Feed(may_show=lambda told, page: page.match != 1)
    feed.start()
    with ExitStack() as stack:
        watcher = Watcher(served(stack, feed), "tables/window-2/en").opened()
        feed.receive(page(1, ("Ada",)))
        feed.receive(TableMessage("window-2", "page", b'{"seq": 1}'))
        feed.receive(page(2))
        assert watcher.event()["match"] is None
        watcher.close()
    feed.stop()


def test_a_slow_watcher_gets_the_newest_and_holds_up_no_one(feed: Feed, ports: tuple[int, int]) -> None:
    """It reads nothing while two hundred large pages come, more than its socket takes."""
    slow = Watcher(ports[0], "tables/window-2/en").opened()
    quick = Watcher(ports[0], "tables/window-2/en").opened()
    large = "x" * 200_000
    for seq in range(200):
        feed.receive(page(seq, (f"Ada {seq}",), large))
    while quick.event()["match"]["seats"] != ["Ada 199"]:
        pass
    count = 1
    while slow.event()["match"]["seats"] != ["Ada 199"]:
        count += 1
    assert count < 200
    for watcher in (slow, quick):
        watcher.close()


@pytest.mark.parametrize("head", HEADS)
def test_a_strange_request_drops_no_watcher(feed: Feed, ports: tuple[int, int], head: str) -> None:
    """Two anonymous requests with a strange Last-Event-ID ended the web server's worker with nchan 1.3.6."""
    watchers = [Watcher(ports[0], "tables/window-2/en").opened() for _ in range(20)]
    strange = [Watcher(ports[0], "tables/window-2/en", f"Host: localhost\r\n{head}") for _ in range(2)]
    for one in strange:
        one.close()
    feed.receive(page(1, ("Ada",)))
    assert [watcher.event()["match"]["seats"] for watcher in watchers] == [["Ada"]] * 20
    for watcher in watchers:
        watcher.close()


@pytest.mark.parametrize(
    ("channel", "host", "status"),
    [
        ("nothing", "localhost", 404),
        ("tables/", "localhost", 404),
        ("tables/a/en/more", "localhost", 404),
        (f"tables/{'a' * 300}/en", "localhost", 404),
        ("tables", "elsewhere.example", 400),
    ],
)
def test_what_is_no_stream_is_answered(ports: tuple[int, int], channel: str, host: str, status: int) -> None:
    watcher = Watcher(ports[0], channel, f"Host: {host}\r\n")
    assert watcher.status == status
    watcher.close()


def test_streams_go_on_when_the_connection_to_the_main_process_breaks(feed: Feed) -> None:
    """A worker connects again and is given everything anew; its watchers stay."""
    with ExitStack() as stack:
        watcher = Watcher(served(stack, feed), "tables/window-2/en").opened()
        feed.receive(page(1, ("Ada",)))
        assert watcher.event()["match"]["seats"] == ["Ada"]
        for follower in list(feed._followers):
            follower.end()
        feed.receive(page(2, ("Ben",)))
        while watcher.event()["match"]["seats"] != ["Ben"]:
            pass
        watcher.close()
