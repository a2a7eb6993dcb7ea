"""A reverse proxy in front of the companion: its headers are trusted if the settings name it.

uvicorn's own middleware sets the client's address and the scheme; the name and the path that were asked for
are added here. Such headers from any other client stay in the request, whose origin is then unknown
(address.py).
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any, Final

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from companion.http.address import is_forwarding_header, plain

Scope = MutableMapping[str, Any]
App = Callable[[Any, Any, Any], Awaitable[None]]

_PREFIX: Final = re.compile(r"(?:/[\w.~-]+)+")
_PROXIED: Final = "companion.proxied"


class Proxied:
    """The ASGI app `app` behind the proxies at these addresses."""

    def __init__(self, app: App, proxies: Sequence[str]) -> None:
        self._proxies = frozenset(plain(proxy) for proxy in proxies)
        self._app: App = ProxyHeadersMiddleware(_after(app), sorted(self._proxies))

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Answer one request."""
        address, port = scope.get("client") or ("", 0)
        scope = {**scope, "client": (plain(address), port)}
        names = {name for name, _ in scope["headers"]}
        scope[_PROXIED] = plain(address) in self._proxies and b"x-forwarded-for" in names
        await self._app(scope, receive, send)


def is_proxied(scope: Scope) -> bool:
    """Return True if this request came through a proxy that is named in the settings."""
    return bool(scope.get(_PROXIED))


def _after(app: App) -> App:
    """Wrap the app so that it gets requests as the proxy received them."""

    async def forwarded_app(scope: Scope, receive: Any, send: Any) -> None:
        await app(as_received_by_proxy(scope) if is_proxied(scope) else scope, receive, send)

    return forwarded_app


def as_received_by_proxy(scope: Scope) -> Scope:
    """Return the request as it came to the proxy, with the name and the prefix that were asked for."""
    values = {name: value.decode("latin1").strip() for name, value in scope["headers"]}
    headers = [
        (name, value) for name, value in scope["headers"] if not is_forwarding_header(name.decode("latin1"))
    ]
    if host := values.get(b"x-forwarded-host"):
        others = [(name, value) for name, value in headers if name != b"host"]
        headers = [(b"host", host.encode("latin1")), *others]
    prefix = values.get(b"x-forwarded-prefix", "").rstrip("/")
    root = prefix if _PREFIX.fullmatch(prefix) else ""
    # a path that still has the prefix is not changed: a2wsgi removes it for Flask, as ASGI wants it
    path = scope["path"].removeprefix(root) or "/"
    return {**scope, "headers": headers, "root_path": root, "path": path}
