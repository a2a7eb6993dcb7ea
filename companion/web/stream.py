"""Server-sent events: the whole view on connect and on change, a beat otherwise, and cheers.

The hub has one send in flight for each stream. A slow client gets the newest state next, and delays no other.
Each view is encoded once for each kind and language, and shared.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from contextlib import suppress
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs

from werkzeug.http import parse_cookie

from companion.http.address import client, is_this_machine
from companion.http.connection_limits import WRITE_CHUNK, framed
from companion.http.network import Reach
from companion.http.proxy import is_proxied
from companion.http.request import NotGranted, language
from companion.http.roles import NEEDS_HOST, known_host
from companion.http.tasks import started
from companion.reply import Done, Reply, encoded
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from companion.translate import Words
from companion.views import tags as tags_view
from companion.views.cheers import Cheer, Cheers
from companion.views.seat import page as seat_page
from companion.views.seat import table as seat_table
from companion.views.seat.page import Seating
from companion.views.table import public
from companion.web.seats import NO_SEAT, Seats

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Scope = MutableMapping[str, Any]

BEAT_S: Final = 5.0  # seconds between beats
STUCK_S: Final = 20.0  # timeout of a send in seconds: a phone that sleeps sends no FIN
FAREWELL_S: Final = 0.5  # seconds for the end of a stream to be sent
PAUSE_S: Final = 0.5  # seconds between two messages to a phone
CHEERS_S: Final = 0.2  # seconds in which cheers are sent together


VIEWS: Final = ("table", "page", "seat", "seatpage", "tags")


class Kind(NamedTuple):
    """The kind of a stream: its view, its language, its device, and the minimum of seconds between messages.

    Only the views of a seat need the device: their content depends on the seat that it holds.
    """

    view: str
    language: str
    device: str | None = None
    pause: float = 0.0
    is_proxied: bool = False  # then the page knows its own URL


class Hub:
    """All open streams of one table. Its methods run in the event loop unless they say otherwise."""

    def __init__(self, table: Table, reach: Reach | None = None, hosts: tuple[str, ...] = ()) -> None:
        self._table, self._hosts = table, hosts
        self._reach = reach
        self._streams: set[_Stream] = set()
        self._bytes: dict[tuple[str, str, int | None, bool], bytes] = {}
        self._chunks: dict[Kind, bytes | None] = {}
        self._seats: Seats | None = None
        self._device_of: Callable[[str], str | None] = lambda cookie: None
        self._is_host: Callable[[str], bool] = lambda cookie: False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._beat: asyncio.Task[None] | None = None
        self._closed = False
        self._shown = Seating()
        self._cheers: list[Cheer] = []
        self.snapshot = table.snapshot
        self.version = 0

    def seat(
        self, seats: Seats, device_of: Callable[[str], str | None], is_host: Callable[[str], bool]
    ) -> None:
        """Set the seats and two functions of a Cookie header: its device, and if that is the host's."""
        self._seats, self._device_of, self._is_host = seats, device_of, is_host
        seats.listeners.append(self.reseated)

    def reseated(self) -> None:
        """Send new views after a seat was joined, freed or asked for; called from the table's thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(lambda: self._broadcast(self.snapshot))

    def open(self) -> None:
        """Start to follow the table, in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._beat = self._loop.create_task(self._beats())
        self._table.listeners.append(self.changed)
        self.snapshot = self._table.snapshot

    def close(self) -> None:
        """End every stream, so that the server can stop; a stream that opens later ends at once.

        Called from any thread.
        """
        self._closed = True
        if self.changed in self._table.listeners:
            self._table.listeners.remove(self.changed)
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        if self._beat is not None:
            self._beat.cancel()
        for stream in self._streams:
            stream.ended.set()

    def changed(self, picture: Snapshot) -> None:
        """Send new views after the table has published a picture; called from its thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._broadcast, picture)

    def cheered(self, cheer: Cheer) -> None:
        """Send a watcher's cheer; called from any thread. Nothing on the table has changed."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._gather, cheer)

    def _gather(self, cheer: Cheer) -> None:
        self._cheers.append(cheer)
        if len(self._cheers) == 1:
            asyncio.get_running_loop().call_later(CHEERS_S, self._send_cheers)

    def _send_cheers(self) -> None:
        event, self._cheers = _event("cheers", Cheers(cheers=self._cheers)), []
        for stream in list(self._streams):
            stream.cheer(event)

    def _broadcast(self, picture: Snapshot) -> None:
        self.snapshot, self.version = picture, self.version + 1
        self._shown = self._seating()
        self._bytes.clear()
        self._chunks.clear()
        for stream in sorted(self._streams, key=lambda stream: stream.priority):
            stream.wake()

    async def _beats(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            has_moved = self._reach is not None and self._reach.refresh()
            if has_moved or self._seating() != self._shown:
                self._broadcast(self.snapshot)  # a request for a seat has expired, which notifies no listener
            beat = _event("beat", Done(seq=self.snapshot.seq))
            now = asyncio.get_running_loop().time()
            for stream in list(self._streams):
                stream.beat(beat, now)

    def message(self, kind: Kind) -> bytes | None:
        """Return the newest view of this kind as an event, made once for all who see the same.

        None: the device no longer holds a seat of this match.
        """
        seat = self._seat_of(kind.device)
        if kind.view == "seat" and seat is None:
            return None
        key = (kind.view, kind.language, seat, kind.is_proxied)
        if key not in self._bytes:
            self._bytes[key] = _event(kind.view, self._view(kind, seat))
        return self._bytes[key]

    def chunk(self, kind: Kind) -> bytes | None:
        """Return the newest view of this kind as a chunk of a response, made once for all."""
        if kind not in self._chunks:
            message = self.message(kind)
            self._chunks[kind] = None if message is None else framed(message)
        return self._chunks[kind]

    def _view(self, kind: Kind, seat: int | None) -> Reply:
        picture, words = self.snapshot, Words.of(kind.language)
        seating = self._seating()
        if kind.view == "seat" and seat is not None:
            return seat_table.table(picture, words, seat)
        if kind.view == "seatpage":
            return seat_page.page(picture, words, seat, seating)
        if kind.view == "tags":
            return tags_view.page(picture, words)
        if kind.view == "page":
            known = self._reach.url if self._reach else None
            address = "" if kind.is_proxied else known
            return seat_page.public(picture, words, address, seating)
        return public.table(picture, words)

    def _seating(self) -> Seating:
        return self._seats.seating(self.snapshot.match) if self._seats else Seating()

    def holds(self, kind: Kind) -> bool:
        """Return True if the stream's device holds a seat."""
        return self._seats is not None and self._seats.holds(kind.device)

    def _seat_of(self, device: str | None) -> int | None:
        return self._seats.seat_of(device, self.snapshot.match) if self._seats else None

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one stream, from its request to its end."""
        headers = {name.decode("latin1").lower(): value.decode("latin1") for name, value in scope["headers"]}
        query = parse_qs(scope.get("query_string", b"").decode("latin1"))
        asked = query.get("as", ["table"])[0]
        if not known_host(headers.get("host", ""), self._hosts):
            await _answer(send, 400, "bad-request", "this companion has another name")
        elif scope["method"] != "GET":
            await _answer(send, 405, "method-not-allowed", "the stream is read with GET", (b"allow", b"GET"))
        elif asked not in VIEWS:
            await _answer(send, 400, "malformed", "there is no such stream")
        else:
            cookie = headers.get("cookie", "")
            spoken = language(headers.get("accept-language"), parse_cookie(cookie).get("language"))
            name = self._device_of(cookie)
            device = name if asked in ("seat", "seatpage") else None
            pause = PAUSE_S if "calm" in query or asked == "seatpage" else 0.0
            if asked == "seat" and self._seat_of(device) is None:
                await _answer(send, 403, "role", Words.of(spoken)(NO_SEAT))
            elif asked == "tags" and not self._is_host(cookie):
                await _answer(send, 403, "role", Words.of(spoken)(NEEDS_HOST))
            else:
                address = client((scope.get("client") or ("",))[0], headers)
                kind = Kind(asked, spoken, device, pause, is_proxied(scope))
                write = scope.get("extensions", {}).get(WRITE_CHUNK)
                stream = _Stream(self, kind, send, write, _priority(name, address))
                await self._stream(stream, receive, send)

    async def _stream(self, stream: _Stream, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": _STREAM_HEADERS})
        self._streams.add(stream)
        if self._closed:
            stream.ended.set()
        stream.wake()
        gone = asyncio.create_task(_disconnected(receive))
        ended = asyncio.create_task(stream.ended.wait())
        try:
            await asyncio.wait([gone, ended], return_when=asyncio.FIRST_COMPLETED)
            if not gone.done() and not stream.stuck:
                with suppress(TimeoutError):  # the client may not read
                    last = send({"type": "http.response.body", "body": b"", "more_body": False})
                    await asyncio.wait_for(last, FAREWELL_S)
        finally:
            self._streams.discard(stream)
            stream.drop()
            gone.cancel()
            ended.cancel()


def _priority(name: str | None, address: str) -> int:
    """Return the priority of a stream: devices that have or had a role or seat are first (0).

    Players do not wait for strangers. Next is this machine's own screen (1), which is the table's without a
    role; then everyone else (2).
    """
    if name is not None:
        return 0
    return 1 if is_this_machine(address) else 2


_STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class _Stream:
    """One open stream: at most one send in flight. Streams with a lower `priority` are served first."""

    def __init__(
        self, hub: Hub, kind: Kind, send: Send, write: Callable[[bytes], bool] | None, priority: int
    ) -> None:
        self._hub, self._kind, self._send, self.priority = hub, kind, send, priority
        is_shared = kind.device is None and not kind.pause
        self._write = write if is_shared else None
        self._version = -1
        self._task: asyncio.Task[None] | None = None
        self._since = 0.0
        self._held = False
        self.ended = asyncio.Event()
        self.stuck = False

    def wake(self) -> None:
        """Send the new state, or leave it to the send in flight, which checks for it when it ends."""
        if self._task is None and not self._write_now():
            self._start(self._pump())

    def _write_now(self) -> bool:
        """Write the new state at once if the connection is free; most are."""
        if self._write is None or self.ended.is_set():
            return False
        chunk = self._hub.chunk(self._kind)
        if chunk is None or not self._write(chunk):
            return False
        self._version = self._hub.version
        return True

    def beat(self, beat: bytes, now: float) -> None:
        """Send a beat to show that the line is alive; end the stream if a send has hung for too long."""
        if self._task is None:
            self._start(self._send_message(beat))
        elif now - self._since > STUCK_S:
            self.stuck = True
            self.ended.set()

    def cheer(self, event: bytes) -> None:
        """Send cheers to a public page; one that is busy with news goes without them."""
        if self._kind.view == "page" and self._task is None and not self.ended.is_set():
            self._start(self._send_message(event))

    def drop(self) -> None:
        """Cancel the send in flight."""
        if self._task is not None:
            self._task.cancel()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._since = asyncio.get_running_loop().time()
        try:
            self._task = started(work)
        except Exception:
            self.ended.set()  # the client has disconnected
        if self._task is not None:
            self._task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if not task.cancelled() and task.exception() is not None:
            self.ended.set()
        elif self._version != self._hub.version and not self.ended.is_set():
            self.wake()

    async def _pump(self) -> None:
        while self._version != self._hub.version:
            self._version = self._hub.version
            message = self._hub.message(self._kind)
            if message is None:
                self.ended.set()
                return
            held_before, self._held = self._held, self._hub.holds(self._kind)
            await self._send_message(message)
            if held_before and not self._held:
                self.ended.set()  # its device may have a new name by now, with which the page reconnects
                return
            if self._kind.pause:
                await asyncio.sleep(self._kind.pause)

    async def _send_message(self, message: bytes) -> None:
        self._since = asyncio.get_running_loop().time()
        await self._send({"type": "http.response.body", "body": message, "more_body": True})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _answer(send: Send, status: int, kind: str, reason: str, *more: tuple[bytes, bytes]) -> None:
    headers = [(b"content-type", b"application/json"), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": encoded(NotGranted(kind=kind, reason=reason))})


def _event(name: str, data: Reply) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), encoded(data))
