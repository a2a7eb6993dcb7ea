"""Request bodies: read in full, within limits of size and time, before a worker thread takes the request.

There are few threads, and a thread that reads a body itself waits for the sender: four bodies that never
ended blocked the whole server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from companion.http.request import NotGranted
from companion.reply import encoded

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class WholeBodies:
    """ASGI middleware that calls `app` only after the body has arrived; 408 after `time` seconds without it.

    If the body has more than `most` bytes, the app gets only its length, so that it can reject it.
    """

    def __init__(self, app: App, most: int, time: float) -> None:
        self._app, self._most, self._time = app, most, time

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        lengths = {name: value for name, value in scope["headers"] if name in _LENGTHS}
        if not lengths or int(lengths.get(b"content-length", 0)) > self._most:
            await self._app(scope, _replayed(b"", receive), send)  # the app rejects a body that is too long
            return
        try:
            body = await asyncio.wait_for(_read(receive, self._most), self._time)
        except TimeoutError:
            await _send_timeout(send)
            return
        if body is None:
            return  # the client has disconnected
        headers = [(name, value) for name, value in scope["headers"] if name not in _LENGTHS]
        if body:  # also a chunked one, whose length the app could not know
            headers.append((b"content-length", b"%d" % len(body)))
        await self._app({**scope, "headers": headers}, _replayed(body, receive), send)


_LENGTHS: Final = (b"content-length", b"transfer-encoding")


async def _read(receive: Receive, most: int) -> bytes | None:
    """Return the body, or its beginning if it is longer than `most`; None if the client has disconnected."""
    body = bytearray()
    while len(body) <= most:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return bytes(body)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a receive function for the app: the whole body first, then the messages of `receive`."""
    is_delivered = False

    async def receive_replayed() -> MutableMapping[str, Any]:
        nonlocal is_delivered
        if is_delivered:
            return await receive()
        is_delivered = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_replayed


async def _send_timeout(send: Send) -> None:
    """Send a 408 in English: the companion's own pages never send a body in this way, so no one reads it."""
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    answer = NotGranted(kind="request-timeout", reason="the body did not come in time: send it again")
    await send({"type": "http.response.start", "status": 408, "headers": headers})
    await send({"type": "http.response.body", "body": encoded(answer)})
