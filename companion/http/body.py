"""Bodies of requests: read whole, within a limit and a time, before a thread is taken for them.

There are few threads, and one that reads a body itself waits for whoever sends it: four bodies that never
end stopped everything.
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
    """The ASGI app `app`, asked only once the body is here: 408 for one that does not come in time.

    Of more than `most` bytes the app gets only the length, to refuse it; `time` in seconds.
    """

    def __init__(self, app: App, most: int, time: float) -> None:
        self._app, self._most, self._time = app, most, time

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        lengths = {name: said for name, said in scope["headers"] if name in _LENGTHS}
        if not lengths or int(lengths.get(b"content-length", 0)) > self._most:
            await self._app(scope, _again(b"", receive), send)  # what is too long is refused for its length
            return
        try:
            body = await asyncio.wait_for(_read(receive, self._most), self._time)
        except TimeoutError:
            await _too_slow(send)
            return
        if body is None:
            return  # whoever asked is gone
        headers = [(name, said) for name, said in scope["headers"] if name not in _LENGTHS]
        if body:  # also one that came in chunks, of which the app would see nothing
            headers.append((b"content-length", b"%d" % len(body)))
        await self._app({**scope, "headers": headers}, _again(body, receive), send)


_LENGTHS: Final = (b"content-length", b"transfer-encoding")


async def _read(receive: Receive, most: int) -> bytes | None:
    """The body, or its beginning where it is longer than `most`; None if whoever asked is gone."""
    body = bytearray()
    while len(body) <= most:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """What the app receives: the whole body, then whatever comes."""
    told = False

    async def received() -> MutableMapping[str, Any]:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return received


async def _too_slow(send: Send) -> None:
    """No sentence in the viewer's language: no page of ours sends like this."""
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    answer = NotGranted(kind="request-timeout", reason="the body did not come in time: send it again")
    await send({"type": "http.response.start", "status": 408, "headers": headers})
    await send({"type": "http.response.body", "body": encoded(answer)})
