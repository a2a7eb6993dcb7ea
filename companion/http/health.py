"""Health check for monitoring: the table's thread, the journal, the parts.

It is answered in the event loop: if the table hangs, the threads behind Flask wait for it too.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Annotated, Final, get_args

from msgspec import Meta

from companion import __version__
from companion.devices.readings import PartIs
from companion.http.files import Scope, Send
from companion.http.request import NotGranted
from companion.http.roles import known_host
from companion.reply import Count, Reply, Text, encoded, one_of
from companion.table.pulse import Health, JournalState, ThreadState
from companion.table.table import Table

PATH: Final = "/healthz"
_STATES: Final = {"ok": "working", "lost": "lost", "tap": "not there"}

AtWork = Annotated[str, one_of(*_STATES.values())]


class PartsAtWork(Reply):
    """The state of each part; a game can go on without any of them, by taps."""

    pad: AtWork
    track: AtWork
    panel: AtWork


class HealthView(Reply):
    """The health of the companion: `ok` if a game can go on here; if not, `why`, for its caretaker.

    `table`: the thread that plays; `journal`: whether it takes decisions, "unknown" if that cannot be
    determined.
    """

    ok: bool
    why: Text | None
    version: str
    table: Annotated[str, one_of(*get_args(ThreadState))]
    journal: Annotated[str, one_of(*get_args(JournalState))]
    parts: PartsAtWork
    uptime_s: Annotated[Count, Meta(description="Seconds since the companion began to serve.")]


class HealthPage:
    """The ASGI app at `/healthz`."""

    def __init__(self, table: Table, hosts: tuple[str, ...] = ()) -> None:
        self._table, self._hosts = table, hosts
        self._since = time.monotonic()

    async def __call__(self, scope: Scope, send: Send) -> None:
        """Answer one request: 200 if a game can go on, else 503."""
        asked = dict(scope["headers"]).get(b"host", b"").decode("latin1")
        if not known_host(asked, self._hosts):
            await _answer(send, 400, NotGranted(kind="bad-request", reason="this companion has another name"))
        elif scope["method"] not in ("GET", "HEAD"):
            await _answer(send, 405, NotGranted(kind="method-not-allowed", reason="it is read with GET"))
        else:
            health = await self._health()
            status = 200 if health.alive else 503
            await _answer(send, status, self._view(health), is_sent=scope["method"] == "GET")

    async def _health(self) -> Health:
        beat, patience = self._table.pulse.latest_answer()
        if not beat.done() and patience:
            await asyncio.wait([asyncio.wrap_future(beat)], timeout=patience)
        return self._table.pulse.health_from(beat)

    def _view(self, health: Health) -> HealthView:
        return HealthView(
            ok=health.alive,
            why=health.why,
            version=__version__,
            table=health.table,
            journal=health.journal,
            parts=_parts(self._table.snapshot.parts or {}),
            uptime_s=int(time.monotonic() - self._since),
        )


def _parts(parts: Mapping[str, PartIs]) -> PartsAtWork:
    states = {
        name: _STATES[parts[name].state if name in parts else "tap"] for name in ("pad", "track", "panel")
    }
    return PartsAtWork(**states)


async def _answer(send: Send, status: int, reply: Reply, is_sent: bool = True) -> None:
    body = encoded(reply) + b"\n"
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body if is_sent else b""})
