"""Server-sent events of a hub: the tables' pages, to everyone who watches, from each worker process.

`/live/tables/NAME/LANGUAGE` sends the page of a table, the newest at once. `/live/tables` sends the summaries
of tables that have changed. Updates come from the main process (feed.py), so watchers cost it nothing.
One send at most is in flight for each watcher: a slow one gets the newest page next and delays no one.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping, Sequence
from contextlib import suppress
from typing import Any, Final

from companion.http.request import NotGranted
from companion.http.roles import known_host
from companion.http.tasks import started
from companion.hub.feed import HEAD, LIST
from companion.reply import encoded

PREFIX: Final = "/live/"
PING_S: Final = 20.0
STUCK_S: Final = 20.0  # until a watcher that does not read is dropped
RETRY_S: Final = 0.5  # before the next connection to the main process
LISTS_S: Final = 0.5  # between two messages to those who watch all tables
AT_ONCE: Final = 200  # watchers that are served before the loop does something else
MOST_PENDING: Final = 1 << 20  # bytes of lists that a watcher has not read
CHANNEL: Final = re.compile(rf"{LIST}(/[^/]{{1,200}}/[A-Za-z-]{{2,20}})?")
_HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
_PING: Final = b": here\n\n"

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]


class Streams:
    """The streams of one worker; `feed`: the main process's socket, None if the hub has no broker."""

    def __init__(self, feed: str | None, hosts: Sequence[str] = ()) -> None:
        self._feed, self._hosts = feed, tuple(hosts)
        self._newest: dict[str, bytes] = {}
        self._watchers: dict[str, set[_Watcher]] = {}
        self._lists: list[bytes] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def serve(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve one stream, from its request to its end."""
        headers = {name.decode("latin1").lower(): value.decode("latin1") for name, value in scope["headers"]}
        channel = scope["path"].removeprefix(PREFIX)
        if not known_host(headers.get("host", ""), self._hosts):
            await _refuse(send, 400, "bad-request", "the hub has another name")
        elif scope["method"] != "GET":
            await _refuse(send, 405, "method-not-allowed", "the stream is read with GET")
        elif self._feed is None or CHANNEL.fullmatch(channel) is None:
            await _refuse(send, 404, "unknown", "there is no such stream")
        else:
            if not self._tasks:
                self._tasks = [
                    asyncio.create_task(work) for work in (self._follow(), self._ping(), self._list())
                ]
            await self._watch(_Watcher(send, channel == LIST), channel, receive)

    async def _watch(self, watcher: _Watcher, channel: str, receive: Receive) -> None:
        await watcher.begin()
        watchers = self._watchers.setdefault(channel, set())
        watchers.add(watcher)
        if (newest := self._newest.get(channel)) is not None:
            watcher.enqueue(newest)
        gone = asyncio.create_task(_disconnected(receive))
        ended = asyncio.create_task(watcher.ended.wait())
        try:
            await asyncio.wait([gone, ended], return_when=asyncio.FIRST_COMPLETED)
        finally:
            watchers.discard(watcher)
            if not watchers and self._watchers.get(channel) is watchers:
                del self._watchers[channel]
            watcher.drop()
            gone.cancel()
            ended.cancel()

    async def _follow(self) -> None:
        """Read the main process's messages; reconnect after it was restarted."""
        assert self._feed is not None
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_unix_connection(self._feed)
                try:
                    while True:
                        named, length = HEAD.unpack(await reader.readexactly(HEAD.size))
                        channel = (await reader.readexactly(named)).decode()
                        self._receive(channel, await reader.readexactly(length))
                finally:
                    writer.close()
            await asyncio.sleep(RETRY_S)

    def _receive(self, channel: str, body: bytes) -> None:
        if not body:
            self._newest.pop(channel, None)
            return
        event = b"data: %s\n\n" % body
        if channel == LIST:
            self._lists.append(event)
            return
        self._newest[channel] = event
        for watcher in self._watchers.get(channel, ()):
            watcher.enqueue(event)

    async def _list(self) -> None:
        """Send all lists of `LISTS_S` as one message."""
        while True:
            await asyncio.sleep(LISTS_S)
            if self._lists:
                lists, self._lists = b"".join(self._lists), []
                for watchers in _parts(self._watchers.get(LIST, ())):
                    for watcher in watchers:
                        watcher.enqueue(lists)
                    await asyncio.sleep(0)

    async def _ping(self) -> None:
        """Show watchers and proxies that the connection is alive; drop those that have not read for long."""
        while True:
            await asyncio.sleep(PING_S)
            now = asyncio.get_running_loop().time()
            for watchers in list(self._watchers.values()):
                for group in _parts(watchers):
                    for watcher in group:
                        watcher.ping(now)
                    await asyncio.sleep(0)


class _Watcher:
    """One open stream."""

    def __init__(self, send: Send, whole: bool) -> None:
        """Create the stream; `whole`: every message counts, else the newest replaces one that waits."""
        self._send, self._whole = send, whole
        self._pending = b""
        self._task: asyncio.Task[None] | None = None
        self._since = 0.0
        self.ended = asyncio.Event()

    async def begin(self) -> None:
        await self._send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        await self._write(_PING)  # the browser knows that it is open

    def enqueue(self, event: bytes) -> None:
        """Send this event, as soon as the one before is sent."""
        if self.ended.is_set():
            return
        if self._task is None:
            self._start(event)
            return
        self._pending = self._pending + event if self._whole else event
        if len(self._pending) > MOST_PENDING:
            self.ended.set()  # it asks for the whole when it comes again

    def ping(self, now: float) -> None:
        """Send a comment if nothing is being sent; end a stream whose send has hung for long."""
        if self._task is None:
            self.enqueue(_PING)
        elif now - self._since > STUCK_S:
            self.ended.set()

    def drop(self) -> None:
        """Give up what is being sent."""
        if self._task is not None:
            self._task.cancel()

    def _start(self, event: bytes) -> None:
        self._since = asyncio.get_running_loop().time()
        try:
            self._task = started(self._write(event))
        except Exception:
            self.ended.set()  # it has gone
            return
        if self._task is not None:
            self._task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if task.cancelled() or task.exception() is not None:
            self.ended.set()
        elif self._pending:
            pending, self._pending = self._pending, b""
            self._start(pending)

    async def _write(self, event: bytes) -> None:
        await self._send({"type": "http.response.body", "body": event, "more_body": True})


def _parts(watchers: Iterable[_Watcher]) -> Iterator[list[_Watcher]]:
    """Yield these watchers, `AT_ONCE` at a time, so that others have their turn in between."""
    there = list(watchers)
    for first in range(0, len(there), AT_ONCE):
        yield there[first : first + AT_ONCE]


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _refuse(send: Send, status: int, kind: str, reason: str) -> None:
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": encoded(NotGranted(kind=kind, reason=reason))})
