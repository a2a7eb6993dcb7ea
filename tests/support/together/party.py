"""The others in the house: phones that look on, sleep and stall, and hostile clients.

All are another device than the companion's own, as far as the network of this machine allows.
"""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections import Counter
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, NamedTuple

from bench.hostile import KINDS
from tests.support.client import PATIENCE_S

AWAY_S: Final = (0.2, 4.0)  # seconds that a phone sleeps; those that one looks on or stalls are some more
LOOK_S: Final = (0.5, 12.0)
GET: Final = "GET {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
PAGES: Final = (
    "/watch",
    "/api/table",
    "/api/matches",
    "/rules",
    "/seat",
    "/api/seat?seat=0",
    "/api/matches/1/record",
)
ANSWERS: Final = (0, 200, 403, 404, 409, 503)  # to those; 0: cut off in the middle


def post(path: str, origin: str, body: str) -> str:
    """Return a request that is to change something."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nOrigin: {origin}\r\nConnection: close\r\n"
    return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"


OWN, EVIL = "http://localhost", "http://evil.example"
BAD: Final = (
    "\x00\x01\x02\x03\r\n\r\n",
    GET.format("/").replace("localhost", "["),
    GET.format("/static/" + "table.css+" * 3000).replace("GET", "HEAD"),
    GET.format("/").replace("Host", "A: b\r\n" * 50_000 + "Host"),
    post("/api/decide", EVIL, "{}"),
    post("/api/next", EVIL, "{}"),
    post("/api/undo", EVIL, '{"seq": 1}'),
    post("/api/unlock", OWN, '{"pin": "0000", "role": "host"}'),
    post("/api/decide", OWN, "[" * 5),
)
"""What is refused."""


class Seen(NamedTuple):
    """What a phone was shown of the game at an entry."""

    match: int | None
    next: Any
    standings: Any
    state: Any


class Party:
    """A thread with everybody. `seen`: by entry, what was shown; `odd`: what should not have been."""

    def __init__(self, address: str, port: int, rng: random.Random, phones: int, hostile: int) -> None:
        self._address, self._port, self._rng = address, port, rng
        self._sizes = (phones, hostile)
        self._over = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._everybody()))
        self.seen: dict[int, Seen] = {}
        self.odd: list[str] = []
        self.done: Counter[str] = Counter()

    def start(self) -> None:
        """Let them come."""
        self._thread.start()

    def stop(self) -> None:
        """Let all of them go."""
        self._over.set()
        self._thread.join()

    async def _everybody(self) -> None:
        phones, hostile = self._sizes
        people: list[Coroutine[Any, Any, None]] = [self._again(self._phone) for _ in range(phones)]
        people += [self._again(self._hostile) for _ in range(hostile)]
        guests = [asyncio.create_task(guest) for guest in people]
        while not self._over.is_set():
            await asyncio.sleep(0.05)
        for guest in guests:
            guest.cancel()
        for answer in await asyncio.gather(*guests, return_exceptions=True):
            if isinstance(answer, Exception):
                self.odd.append(repr(answer))

    async def _again(self, deed: Any) -> None:
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):  # the power is off, or the door is shut
                await deed()
            await asyncio.sleep(self._rng.uniform(*AWAY_S))

    @asynccontextmanager
    async def _said(self, said: bytes, *, read: bool = True) -> AsyncIterator[asyncio.StreamReader]:
        """Yield a connection on which this was said; `read`: whether anything that comes back is read."""
        reader, writer = await asyncio.open_connection(self._address, self._port)
        try:
            if not read:
                writer.transport.pause_reading()  # type: ignore[attr-defined]
            writer.write(said)
            yield reader
        finally:
            writer.transport.abort()

    async def _phone(self) -> None:
        rng = self._rng
        deed = rng.choice(("look", "look", "look", "page", "stall"))
        self.done[deed] += 1
        if deed == "look":
            await self._look(rng.uniform(*LOOK_S))
        elif deed == "page":
            await self._page(rng.choice(PAGES))
        else:
            await self._stall(GET.format(rng.choice(("/events", "/events?as=page"))).encode())

    async def _look(self, seconds: float) -> None:
        """Follow the table for a while: its entries only go on, and are what everybody is shown."""
        last = -1
        async with self._said(GET.format("/events").encode()) as reader:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    while line := await reader.readline():
                        if line.startswith(b'data: {"seq":') and b'"standings"' in line:
                            last = self._take(json.loads(line[6:]), last)

    def _take(self, shown: dict[str, Any], last: int) -> int:
        seq: int = shown["seq"]
        match = shown["match"]
        now = Seen(match and match["id"], shown["next"], shown["standings"], shown["state"])
        before = self.seen.setdefault(seq, now)
        if before != now:
            self.odd.append(f"entry {seq} was shown as {before} and as {now}")
        if seq < last:
            self.odd.append(f"entry {seq} was shown after {last}")
        self.done["shown"] += 1
        return seq

    async def _page(self, path: str) -> None:
        status = await self._status(GET.format(path))
        if status not in ANSWERS:
            self.odd.append(f"{path} was answered with {status}")

    async def _status(self, said: str) -> int:
        """Return the status of the answer; 0 if the connection was cut instead."""
        async with self._said(said.encode()) as reader:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    head = await reader.readline()
                    while await reader.read(1 << 16):
                        pass
            except TimeoutError:  # an OSError, which a power cut may be too
                self.odd.append(f"{said[:60]!r} was not answered within {PATIENCE_S:.0f} s")
                return 0
            except ConnectionError:  # it was cut off in the middle of its message
                return 0
        return int(head.split()[1]) if head else 0

    async def _stall(self, said: bytes) -> None:
        """Say this, and read nothing for a while."""
        async with self._said(said, read=False):
            await asyncio.sleep(self._rng.uniform(*LOOK_S))

    async def _hostile(self) -> None:
        rng = self._rng
        if rng.random() < 0.5:
            self.done["hostile, hangs"] += 1
            await self._stall(rng.choice(list(KINDS.values())).said)
            return
        self.done["hostile, asks"] += 1
        said = rng.choice(BAD)
        status = await self._status(said)
        if status >= 500 or status == 200:
            self.odd.append(f"{said[:60]!r} was answered with {status}")
