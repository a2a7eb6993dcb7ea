"""The server of a hub's pages: uvicorn, worker processes if asked for, Flask behind a2wsgi, and files."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
import time
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any, Final

import uvicorn
from a2wsgi import WSGIMiddleware
from msgspec import Struct
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from uvicorn.supervisors import Multiprocess

from companion.http.address import plain
from companion.http.body import WholeBodies
from companion.http.connection_limits import (
    AT_ONCE,
    DEFAULT_LIMITS,
    ConnectionGate,
    protocol_for,
    within_file_limit,
)
from companion.http.files import PREFIX, Files
from companion.http.proxy import Proxied
from companion.http.sockets import BACKLOG
from companion.hub.database import connected
from companion.hub.health import DATABASE_AWAY
from companion.hub.site import create_hub
from companion.hub.site.app import FOLDERS
from companion.hub.site.health import PATHS
from companion.hub.site.organiser import IMPORT, MOST_TAKEN, is_signed_in
from companion.hub.streams import PREFIX as STREAMS
from companion.hub.streams import Streams
from companion.logs import start_logging
from companion.reply import encoded

THREADS: Final = 8  # for pages, in each worker
MOST: Final = DEFAULT_LIMITS._replace(connections=20_000)  # of each worker, if it may have so many files
WATCHED_S: Final = 5.0  # until a database that does not answer is said to be away
IMPORT_S: Final = 120.0  # for the body of an import
PARENT_S: Final = 0.25  # between two checks that the main process is still there
LAST_S: Final = 1.5  # for requests that are being answered when it has gone


_WATCHED: Final = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]


class Served(Struct, frozen=True):
    """The parameters of a worker: the database's address, its host names, its trusted proxies.

    And the key of the row with the main process's health, and the socket of its feed.
    """

    database: str
    hosts: Sequence[str] = ()
    proxies: Sequence[str] = ("127.0.0.1", "::1")
    health: str | None = None
    feed: str | None = None


class Site:
    """The ASGI app of a hub."""

    def __init__(self, served: Served) -> None:
        self._app = create_hub(connected(served.database), hosts=served.hosts, health=served.health)
        wsgi: Any = self._app
        inner: Any = WSGIMiddleware(wsgi, workers=THREADS)
        self._flask = WholeBodies(inner, DEFAULT_LIMITS.body, DEFAULT_LIMITS.body_time)
        self._watched: Any = WSGIMiddleware(wsgi, workers=2)  # answers while all others wait for the database
        self._imports = WholeBodies(inner, MOST_TAKEN, IMPORT_S)
        self._files = Files(FOLDERS, served.hosts)
        self._streams = Streams(served.feed, served.hosts)
        self._proxied = Proxied(self._answer, served.proxies)

    async def __call__(
        self,
        scope: MutableMapping[str, Any],
        receive: Callable[[], Awaitable[MutableMapping[str, Any]]],
        send: Callable[[MutableMapping[str, Any]], Awaitable[None]],
    ) -> None:
        """Answer one request."""
        await self._proxied(scope, receive, send)

    def close(self) -> None:
        """Close the database's connections."""
        engine: Engine = self._app.extensions["companion.engine"]
        engine.dispose()

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"].startswith(PREFIX):
            await self._files(scope, send)
        elif scope["path"].startswith(STREAMS):
            await self._streams.serve(scope, receive, send)
        elif scope["path"] in PATHS:
            await self._watch(scope, receive, send)
        elif scope["path"] == IMPORT and await asyncio.to_thread(self._is_organiser, scope):
            await self._imports(scope, receive, send)
        else:
            await self._flask(scope, receive, send)

    async def _watch(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a monitoring program, also if the database hangs."""
        is_sent = False

        async def sent(message: Any) -> None:
            nonlocal is_sent
            is_sent = True
            await send(message)

        try:
            await asyncio.wait_for(self._watched(scope, receive, sent), WATCHED_S)
        except TimeoutError:
            if not is_sent:
                await send({"type": "http.response.start", "status": 503, "headers": _WATCHED})
                await send({"type": "http.response.body", "body": encoded(DATABASE_AWAY) + b"\n"})

    def _is_organiser(self, scope: Any) -> bool:
        """Return True if the organiser asks; any other large body is rejected before it is read."""
        cookies = [value.decode("latin1") for name, value in scope["headers"] if name == b"cookie"]
        try:
            return is_signed_in(self._app, "; ".join(cookies))
        except SQLAlchemyError:
            return False  # Flask says that the database does not answer


class Config(uvicorn.Config):
    """uvicorn's configuration, which each worker process loads for itself.

    The app and the connection limits are made when it is loaded: they cannot be sent to another process.
    """

    def __init__(self, served: Served, workers: int) -> None:
        super().__init__(
            "companion.hub.serve:Site",
            workers=workers,
            lifespan="off",
            ws="none",
            log_level="warning",
            access_log=False,
            proxy_headers=False,  # http/proxy.py believes those that are named
            server_header=False,
            timeout_graceful_shutdown=3,
            timeout_keep_alive=30,
            timeout_worker_healthcheck=60,  # a busy machine takes long until Python has started
            backlog=AT_ONCE,
        )
        self._served, self._main = served, os.getpid()

    def load(self) -> None:
        """Make the app and the limits of this process; in a worker, also watch the main process."""
        if os.getpid() != self._main:
            start_logging("info")
            threading.Thread(target=_end_with, args=(self._main,), name="parent", daemon=True).start()
        proxies = frozenset(plain(proxy) for proxy in self._served.proxies)
        self.http = protocol_for(ConnectionGate(within_file_limit(MOST), proxies=proxies))
        self.app = Site(self._served)
        super().load()


def _end_with(parent: int) -> None:
    """End this process soon after its parent: without one, the hub hears nothing and its port stays taken."""
    while os.getppid() == parent:
        time.sleep(PARENT_S)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(LAST_S)
    os._exit(1)


class _Server(uvicorn.Server):
    """The server of a hub with one process."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve; then let more connections wait than asyncio accepts at once (web/serve.py)."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(BACKLOG)


class _Workers(Multiprocess):
    """The worker processes of a hub, started again when they end."""

    def keep_subprocess_alive(self) -> None:
        """Restart workers that ended, every half second, and set the queue of the shared socket again.

        A worker that starts sets it to its own.
        """
        super().keep_subprocess_alive()
        for listening in self.sockets:
            listening.listen(BACKLOG)


def serve(served: Served, listening: socket.socket, workers: int) -> None:
    """Serve until SIGTERM or SIGINT."""
    config = Config(served, workers)
    if workers > 1:
        _Workers(config, [listening]).run()
        return
    server = _Server(config)
    before = {asked: signal.signal(asked, server.handle_exit) for asked in (signal.SIGTERM, signal.SIGINT)}
    try:
        server.run(sockets=[listening])  # which raises the signal again at its end
    finally:
        for asked, handler in before.items():
            signal.signal(asked, handler)
