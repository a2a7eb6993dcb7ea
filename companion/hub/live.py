"""Tells a reverse proxy what tables show as soon as it is heard; the proxy tells whoever watches.

So the hub has as much to do for ten thousand watchers as for one. A channel a table and language, and one for
all tables: nchan of nginx makes an address of each (docs/club.md). Without a proxy pages ask instead.

Whoever watches does not wait for the database: a picture may be lost, the next one is as good.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Raw, Struct

from companion.errors import InvalidInput
from companion.hub.posting import Posting
from companion.hub.tables import Changed, Summary, summary
from companion.hub.validation import Told, is_table_name, parsed_page
from companion.reply import encoded
from companion.telling.again import Again

TOGETHER_S: Final = 0.2  # what changes within it is told in one list of tables
CALM_S: Final = 0.02

log = logging.getLogger(__name__)


class _Pages(Struct):
    pages: dict[str, Raw]


class _Table:
    """What is known of a table: whether it is here, when it was heard, its page."""

    def __init__(self, here: bool = True, heard: datetime = datetime.min) -> None:
        self.here, self.heard = here, heard
        self.page: bytes | None = None

    def row(self) -> tuple[bool, datetime, bytes | None]:
        """As `summary` wants it."""
        return self.here, self.heard, self.page


class Live:
    """Publishes to the proxy at `publish`, from a thread of its own: who listens never waits for it."""

    def __init__(self, publish: str, known: Iterable[tuple[str, bool, datetime]] = ()) -> None:
        """`known`: the tables of the database, whether each is here, and when it was last heard."""
        self._publish = publish
        self._tables = {name: _Table(here, heard) for name, here, heard in known}
        self._pages: set[str] = set()  # whose page is to be told
        self._listed: set[str] = set()  # which are to be told in the list
        self._turn = threading.Lock()
        self._list_at = 0.0
        self._why = ""
        self._again = Again("live", self._attempt)

    def start(self) -> None:
        """Begin."""
        self._again.start()

    def stop(self) -> None:
        """End."""
        self._again.stop()

    def heard(self, told: Told) -> None:
        """This was told; called by whoever hears it."""
        if told.what not in ("here", "page") or not told.payload or not is_table_name(told.table):
            return
        with self._turn:
            table = self._tables.setdefault(told.table, _Table())
            was_here = table.here
            if told.what == "here":
                table.here = told.payload == b"here"
            if table.here or was_here:  # since when it is gone stays
                table.heard = datetime.now(UTC)
            if told.what == "page":
                table.page = told.payload
                self._pages.add(told.table)
            self._listed.add(told.table)
        self._again.woken.set()

    # --- its own thread --------------------------------------------------------------------------

    def _attempt(self) -> None:
        line = None
        try:
            line = Posting(self._publish)
            while not self._again.ended.is_set():
                self._again.woken.wait()
                self._again.woken.clear()
                self._tell(line)
                self._say("")
                self._again.ended.wait(CALM_S)
        except OSError as error:
            self._say(str(error) or type(error).__name__)
        finally:
            if line is not None:
                line.close()
            self._again.woken.set()  # what was not told is, by the next attempt

    def _tell(self, line: Posting) -> None:
        """What has changed, each as it is now; what could not be told has still changed."""
        with self._turn:
            pages = {name: self._tables[name].page for name in self._pages}
        line.post([post for name, page in pages.items() if page is not None for post in _posts(name, page)])
        with self._turn:
            self._pages -= {name for name, page in pages.items() if self._tables[name].page is page}
            if not self._listed:
                return
            if time.monotonic() < self._list_at:
                self._again.woken.set()
                return
            listed, self._listed = self._listed, set()
            tables = [(name, self._tables[name].row()) for name in sorted(listed)]
        try:
            line.post([("tables", encoded(Changed(tables=list(_summaries(tables)))))])
        except BaseException:
            with self._turn:
                self._listed |= listed
            raise
        self._list_at = time.monotonic() + TOGETHER_S

    def _say(self, why: str) -> None:
        if why and why != self._why:
            log.warning(
                "the proxy at %s: %s; pages are live again once it is back",
                urlsplit(self._publish).netloc,
                why,
            )
        elif self._why and not why:
            log.warning("the proxy is back")
        self._why = why


def _posts(name: str, page: bytes) -> Iterator[tuple[str, bytes]]:
    """The channel of each language of a table's page, and what it is told."""
    try:
        parsed_page(page)
    except InvalidInput:
        return  # it is in quarantine
    told = msgspec.json.decode(page, type=_Pages)
    for language, view in told.pages.items():
        yield f"tables/{quote(name, safe='')}/{quote(language, safe='')}", bytes(view)


def _summaries(tables: Sequence[tuple[str, tuple[bool, datetime, bytes | None]]]) -> Iterator[Summary]:
    for name, row in tables:
        yield summary(name, *row)
