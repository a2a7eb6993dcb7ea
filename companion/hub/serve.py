"""Serving a hub's pages: uvicorn, worker processes if asked for, Flask behind a2wsgi, files beside it."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any, Final

import msgspec
import uvicorn
from a2wsgi import WSGIMiddleware
from msgspec import Struct

from companion.hub.database import connected
from companion.hub.site import create_hub
from companion.web.body import WholeBodies
from companion.web.door import BEARS
from companion.web.files import PREFIX, Files
from companion.web.proxy import Proxied

THREADS: Final = 8  # for pages, in each worker
_SERVED: Final = "COMPANION_HUB_SERVED"  # how a worker process knows what its parent was told


class Served(Struct, frozen=True):
    """What a worker needs to know: the database's address, names that it answers to, proxies it believes."""

    database: str
    hosts: Sequence[str] = ()
    proxies: Sequence[str] = ("127.0.0.1", "::1")


class Site:
    """The ASGI app of a hub."""

    def __init__(self, served: Served) -> None:
        wsgi: Any = create_hub(connected(served.database), hosts=served.hosts)
        inner: Any = WSGIMiddleware(wsgi, workers=THREADS)
        self._flask = WholeBodies(inner, BEARS.body, BEARS.body_time)
        self._files = Files(hosts=served.hosts)
        self._asked = Proxied(self._answer, served.proxies)

    async def __call__(
        self,
        scope: MutableMapping[str, Any],
        receive: Callable[[], Awaitable[MutableMapping[str, Any]]],
        send: Callable[[MutableMapping[str, Any]], Awaitable[None]],
    ) -> None:
        """Answer one request."""
        await self._asked(scope, receive, send)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"].startswith(PREFIX):
            await self._files(scope, send)
        else:
            await self._flask(scope, receive, send)


def site() -> Site:
    """A worker's app."""
    return Site(msgspec.json.decode(os.environ[_SERVED], type=Served))


def serve(served: Served, port: int, workers: int) -> None:
    """Serve until told to end by SIGTERM or SIGINT."""
    os.environ[_SERVED] = msgspec.json.encode(served).decode()
    uvicorn.run(
        "companion.hub.serve:site",
        factory=True,
        host="::",
        port=port,
        workers=workers,
        lifespan="off",
        ws="none",
        log_level="warning",
        access_log=False,
        proxy_headers=False,  # companion.web.proxy believes those that are named
        server_header=False,
        timeout_graceful_shutdown=3,
        timeout_worker_healthcheck=60,  # a worker answers when Python has started: a busy machine takes long
    )
