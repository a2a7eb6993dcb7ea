"""The server: uvicorn, Flask behind a2wsgi, and the stream, in one process and on one port."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import ssl
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple, TextIO

import uvicorn
from a2wsgi import WSGIMiddleware
from flask import Flask

from companion import systemd
from companion.http.address import plain
from companion.http.body import WholeBodies
from companion.http.connection_limits import (
    AT_ONCE,
    DEFAULT_LIMITS,
    ConnectionGate,
    Limits,
    protocol_for,
    within_file_limit,
)
from companion.http.files import OPENAPI, PREFIX, Files
from companion.http.health import PATH as HEALTH
from companion.http.health import HealthPage
from companion.http.proxy import Proxied
from companion.http.roles import device_of_cookie, is_host_cookie
from companion.http.sockets import BACKLOG
from companion.web.stream import Hub, Receive, Scope, Send

log = logging.getLogger(__name__)

PAGES = frozenset({"/", "/watch", "/seat", "/host", "/tv", "/overlay"})
"""The pages that many devices may ask for at once; others take long, such as papers to print."""
HANDSHAKE_S = 10.0  # a connection that says nothing is closed
PAGE_WORKERS = 1  # threads that render pages: one is as fast as many, since each needs the interpreter
WORKERS = 3  # threads for everything else; the table itself has one


class Site:
    """The ASGI app: `/events` is the hub's, files and `/healthz` are answered here, all else is Flask's.

    Pages have a thread of their own, so that a decision does not wait for ten phones that load one.
    """

    def __init__(
        self, app: Flask, hub: Hub, limits: Limits = DEFAULT_LIMITS, proxies: Sequence[str] = ()
    ) -> None:
        wsgi: Any = app  # Flask and a2wsgi name the types of WSGI differently
        pages: Any = WSGIMiddleware(wsgi, workers=PAGE_WORKERS)
        others: Any = WSGIMiddleware(wsgi, workers=WORKERS)
        self._pages = WholeBodies(pages, limits.body, limits.body_time)
        self._others = WholeBodies(others, limits.body, limits.body_time)
        self._files = Files(hosts=app.config["COMPANION_HOSTS"])
        self._health = HealthPage(app.extensions["companion.table"], app.config["COMPANION_HOSTS"])
        self.hub, self.limits, self.proxies = hub, limits, frozenset(plain(proxy) for proxy in proxies)
        self._proxied = Proxied(self._answer, proxies)
        hub.seat(
            app.extensions["companion.seats"], partial(device_of_cookie, app), partial(is_host_cookie, app)
        )
        app.extensions["companion.crowd"].listeners.append(hub.cheered)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or follow the server's lifespan."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._proxied(scope, receive, send)
        else:
            await send({"type": "websocket.close"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/events":
            await self.hub.serve(scope, receive, send)
        elif scope["path"] == HEALTH:
            await self._health(scope, send)
        elif scope["path"].startswith(PREFIX) or scope["path"] == OPENAPI:
            await self._files(scope, send)
        elif scope["method"] == "GET" and scope["path"] in PAGES:
            await self._pages(scope, receive, send)
        else:
            await self._others(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self.hub.open()
                await send({"type": "lifespan.startup.complete"})
            else:
                await send({"type": "lifespan.shutdown.complete"})
                return


class Secure(NamedTuple):
    """A listening socket for https, and its certificate."""

    listening: socket.socket
    context: ssl.SSLContext


class Server(uvicorn.Server):
    """A server that ends its streams first when it is stopped: they would never end by themselves."""

    def __init__(self, site: Site, sockets: list[socket.socket], secure: Secure | None = None) -> None:
        self._gate = ConnectionGate(within_file_limit(site.limits), proxies=site.proxies)
        config = uvicorn.Config(
            site,
            http=protocol_for(self._gate),
            log_level="warning",
            access_log=False,
            ws="none",
            proxy_headers=False,  # http/proxy.py trusts the proxies in the settings
            server_header=False,
            timeout_graceful_shutdown=3,
            timeout_keep_alive=30,
            backlog=AT_ONCE,
        )
        super().__init__(config)
        self._hub, self._sockets, self._secure = site.hub, sockets, secure

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve.

        asyncio uses one number for the connections that it accepts at once and for the queue. The first
        should be small, since each connection has a file before the gate sees it; the second not.
        """
        await super().startup(sockets)
        if self._secure is not None:
            self.servers.append(await self._serve_securely(self._secure))
        for listening in (*self._sockets, *([self._secure.listening] if self._secure else ())):
            listening.listen(BACKLOG)
        systemd.ready()

    async def _serve_securely(self, secure: Secure) -> asyncio.Server:
        """Serve the same site by https: uvicorn itself has one scheme for all sockets."""
        return await asyncio.get_running_loop().create_server(
            lambda: self.config.http_protocol_class(  # type: ignore[call-arg]
                config=self.config, server_state=self.server_state, app_state=self.lifespan.state
            ),
            sock=secure.listening,
            ssl=secure.context,
            ssl_handshake_timeout=HANDSHAKE_S,
            backlog=AT_ONCE,
        )

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Stop on SIGTERM or SIGINT."""
        self._close()
        super().handle_exit(sig, frame)

    def stop(self) -> None:
        """End the streams and the server, from any thread."""
        self._close()
        self.should_exit = True

    def _close(self) -> None:
        self._gate.close()
        self._hub.close()

    def serve_here(self) -> None:
        """Serve until SIGTERM or SIGINT, which uvicorn would raise again at the end."""
        before = {
            signum: signal.signal(signum, self.handle_exit) for signum in (signal.SIGTERM, signal.SIGINT)
        }
        try:
            self.run(sockets=self._sockets)
        finally:
            for signum, handler in before.items():
                signal.signal(signum, handler)


@contextmanager
def outlives_the_terminal() -> Iterator[None]:
    """Continue when the terminal closes (SIGHUP): output is lost and does not change the exit status."""
    before = signal.signal(signal.SIGHUP, _go_on)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)
        for stream in (sys.stdout, sys.stderr):
            _discard_unwritten(stream)


def _discard_unwritten(stream: TextIO) -> None:
    """Redirect a stream that accepts no more output to nowhere.

    Python flushes the standard streams when it exits, and exits with 120 if that fails.
    """
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _go_on(sig: int, frame: Any) -> None:
    log.warning("the terminal has closed: the companion goes on; end it with kill %d", os.getpid())
