"""Pass the tables' pages to the worker processes, which pass them on to everyone who watches (streams.py).

Each worker connects to a Unix socket of the main process and gets the newest page of every table, then each
page on arrival, and the tables whose summary has changed. A page that a worker has not taken yet is
replaced by the next one. Pages do not wait for the database.

Frames: the length of a channel's name (2 bytes) and of a body (4 bytes), both big-endian, the name, the body.
"""

from __future__ import annotations

import logging
import shutil
import socket
import struct
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Raw, Struct

from companion.errors import InvalidInput
from companion.hub.tables import Changed, summary
from companion.hub.validation import Page, TableMessage, is_table_name, parsed_page
from companion.reply import encoded

LIST: Final = "tables"  # the channel of summaries that have changed
HEAD: Final = struct.Struct("!HI")
TOGETHER_S: Final = 0.2  # summaries that change within it are one message
MOST_WAITING: Final = 500  # lists that a worker has not taken: then it begins anew

log = logging.getLogger(__name__)


class _Pages(Struct):
    pages: dict[str, Raw]


class _Table:
    """The state of a table: if it is connected, the time of its last message, its page."""

    def __init__(self, here: bool = True, heard: datetime = datetime.min) -> None:
        self.here, self.heard = here, heard
        self.page: Page | None = None
        self.frames: dict[str, bytes] = {}  # by channel, a language each


class Feed:
    """Server of the worker processes, in background threads from `start` to `stop`.

    `known`: the tables of the database, if each is connected, and the time of its last message. `may_show`
    returns True if a page is its table's, and of a match that is shown.
    """

    def __init__(
        self,
        known: Iterable[tuple[str, bool, datetime]] = (),
        may_show: Callable[[TableMessage, Page], bool] = lambda message, page: True,
    ) -> None:
        self._directory = Path(tempfile.mkdtemp(prefix="companion-hub-"))
        self.path = str(self._directory / "feed")
        self._may_show = may_show
        self._tables = {name: _Table(here, heard) for name, here, heard in known}
        self._listed: set[str] = set()
        self._followers: set[_Follower] = set()
        self._lock = threading.Lock()
        self._changed, self._ended = threading.Event(), threading.Event()
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listening.bind(self.path)
        self._listening.listen()

    def start(self) -> None:
        """Start the threads."""
        for work in (self._accept, self._list):
            threading.Thread(target=work, name="feed", daemon=True).start()

    def stop(self) -> None:
        """End every connection."""
        self._ended.set()
        self._changed.set()
        self._listening.close()
        with self._lock:
            followers = list(self._followers)
        for follower in followers:
            follower.end()
        shutil.rmtree(self._directory, ignore_errors=True)

    def receive(self, message: TableMessage) -> None:
        """Take a message on arrival; called from the broker connection's thread."""
        if message.what == "here" and message.payload and is_table_name(message.table):
            self._here(message)
        elif message.what == "page" and is_table_name(message.table):
            self._page(message)

    def _here(self, message: TableMessage) -> None:
        with self._lock:
            table = self._tables.setdefault(message.table, _Table())
            was_here, table.here = table.here, message.payload == b"here"
            if table.here or was_here:  # since when it is gone stays
                table.heard = datetime.now(UTC)
            self._listed.add(message.table)
        self._changed.set()

    def _page(self, message: TableMessage) -> None:
        frames: Mapping[str, bytes] = {}
        page = None
        if message.payload:
            try:
                page = parsed_page(message.payload)
            except InvalidInput:
                return  # the intake puts it into quarantine
            if not self._may_show(message, page):
                return
            frames = _frames(message.table, message.payload)
        with self._lock:
            table = self._tables.setdefault(message.table, _Table())
            gone = {channel: frame(channel, b"") for channel in table.frames.keys() - frames.keys()}
            table.frames = {**gone, **frames}
            table.page = page
            if table.here:
                table.heard = datetime.now(UTC)
            self._listed.add(message.table)
            for follower in self._followers:
                follower.put(table.frames)
        self._changed.set()

    # --- its own threads -------------------------------------------------------------------------

    def _accept(self) -> None:
        while not self._ended.is_set():
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return  # it is closed
            follower = _Follower(connection, self._left)
            with self._lock:
                for table in self._tables.values():
                    follower.put(table.frames)
                follower.add(self._summaries(self._tables))
                self._followers.add(follower)
            follower.start()

    def _left(self, follower: _Follower) -> None:
        with self._lock:
            self._followers.discard(follower)

    def _list(self) -> None:
        while not self._ended.is_set():
            self._changed.wait()
            self._changed.clear()
            with self._lock:
                listed, self._listed = self._listed, set()
                if listed:
                    lists = self._summaries(listed)
                    for follower in self._followers:
                        follower.add(lists)
            self._ended.wait(TOGETHER_S)

    def _summaries(self, names: Iterable[str]) -> bytes:
        tables = [(name, self._tables[name]) for name in sorted(names)]
        changed = [summary(name, one.here, one.heard, one.page) for name, one in tables]
        return frame(LIST, encoded(Changed(tables=changed)))


class _Follower:
    """The connection of a worker, and the frames that it has not taken yet."""

    def __init__(self, connection: socket.socket, left: Callable[[_Follower], None]) -> None:
        self._connection, self._left = connection, left
        self._pages: dict[str, bytes] = {}
        self._lists: list[bytes] = []
        self._lock, self._filled = threading.Lock(), threading.Event()
        self._ended = False

    def start(self) -> None:
        threading.Thread(target=self._run, name="feed worker", daemon=True).start()

    def put(self, frames: Mapping[str, bytes]) -> None:
        """Send these in place of unsent ones of the same channels."""
        with self._lock:
            self._pages.update(frames)
        self._filled.set()

    def add(self, lists: bytes) -> None:
        """Send this list too; disconnect a worker that takes none for long, so that it starts anew."""
        with self._lock:
            self._lists.append(lists)
            stuck = len(self._lists) > MOST_WAITING
        if stuck:
            self.end()
        self._filled.set()

    def end(self) -> None:
        self._ended = True
        self._filled.set()
        with suppress(OSError):  # it has ended already
            self._connection.shutdown(socket.SHUT_RDWR)

    def _run(self) -> None:
        try:
            while not self._ended:
                self._filled.wait()
                self._filled.clear()
                with self._lock:
                    frames = [*self._pages.values(), *self._lists]
                    self._pages, self._lists = {}, []
                self._connection.sendall(b"".join(frames))
        except OSError:
            pass  # the worker has ended
        finally:
            self._connection.close()
            self._left(self)


def frame(channel: str, body: bytes) -> bytes:
    """Return a message for a worker; an empty body: there is no page any more."""
    name = channel.encode()
    return HEAD.pack(len(name), len(body)) + name + body


def _frames(table: str, payload: bytes) -> dict[str, bytes]:
    views = msgspec.json.decode(payload, type=_Pages).pages
    channels = {f"{LIST}/{table}/{language}": bytes(view) for language, view in views.items()}
    return {channel: frame(channel, view) for channel, view in channels.items()}
