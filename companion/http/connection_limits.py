"""The limits of the server's connections: how many, from which address, and for how long without a request.

uvicorn waits for ever for the head of a request, accepts a head of any length, and accepts as many
connections as the process may have files; after that asyncio prints two thousand tracebacks a second. The
people at the table must get through while a thousand silent connections are open.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import time
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, Final, NamedTuple

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from companion.http.address import is_this_machine, plain
from companion.logs import MINUTE

log = logging.getLogger(__name__)

AT_ONCE: Final = 32  # connections that are accepted before the gate has seen the first of them
WRITE_CHUNK: Final = "companion.write_chunk"
"""The extension in an ASGI scope that is `LimitedConnection.write_chunk`."""
_OTHER_FILES: Final = 124  # the journal, the parts, the odds, a page's files; and those `AT_ONCE`


class Limits(NamedTuple):
    """The limits of one server; lengths in bytes, times in seconds."""

    connections: int = 2_200  # two thousand who watch, and those at the table
    per_address: int = 100  # a phone needs five
    head: int = 16 * 1024
    head_time: float = 10.0  # from the connection, or the first byte of a further request, to the head's end
    body: int = 64 * 1024
    body_time: float = 10.0  # from the head's end to the body's
    send_time: float = 30.0  # for a client that does not read; a stream is closed earlier (web/stream.py)


DEFAULT_LIMITS: Final = Limits()


class ConnectionGate:
    """The open connections of a server, and those among them that have not sent the head of a request yet."""

    def __init__(
        self,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
        proxies: Collection[str] = (),
    ) -> None:
        self.limits = limits
        self._proxies = proxies
        self._clock = clock
        self._inside: Counter[str] = Counter()
        self._silent: dict[LimitedConnection, None] = {}  # the longest silent first
        self._rejected = 0
        self._warned_at = -MINUTE
        self._is_closed = False

    def close(self) -> None:
        """Reject every further connection: a server that shuts down would wait for those that came later."""
        self._is_closed = True

    def enter(self, address: str) -> bool:
        """Return True if one more connection from this address is accepted.

        If all places are taken, the connection that has been silent for longest is closed for it.
        """
        if self._is_closed:
            return False
        if self._inside[address] >= self.limits.per_address and not self._is_shared(address):
            self._reject(address)
            return False
        if self._inside.total() >= self.limits.connections:
            self._reject(address)
            if not self._silent:
                return False
            longest = next(iter(self._silent))
            self.mark_active(longest)
            longest.close_now()
        self._inside[address] += 1
        return True

    def _is_shared(self, address: str) -> bool:
        """Return True if connections from here may belong to many devices: this machine's, a proxy's."""
        return is_this_machine(address) or plain(address) in self._proxies

    def leave(self, connection: LimitedConnection, address: str) -> None:
        """Remove an accepted connection that has ended."""
        self.mark_active(connection)
        self._inside[address] -= 1
        if not self._inside[address]:
            del self._inside[address]

    def mark_silent(self, connection: LimitedConnection) -> None:
        """Mark a connection as waiting for the head of a request."""
        self._silent[connection] = None

    def mark_active(self, connection: LimitedConnection) -> None:
        """Mark a connection as no longer waiting: it has sent the head of a request."""
        self._silent.pop(connection, None)

    def _reject(self, address: str) -> None:
        """Count a rejected connection; log at most one line a minute."""
        self._rejected += 1
        if self._clock() - self._warned_at >= MINUTE:
            log.warning("too many connections: %d turned away, the last for %s", self._rejected, address)
            self._warned_at, self._rejected = self._clock(), 0


class LimitedConnection(HttpToolsProtocol):
    """uvicorn's HTTP connection, with limits on size and time."""

    gate: ConnectionGate  # of its server, set by `protocol_for`

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._address: str | None = None
        self._head_bytes = 0  # bytes of the head that is being read
        self._is_too_long = False
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection if the gate admits it, else abort it."""
        address = str((transport.get_extra_info("peername") or ("",))[0])
        super().connection_made(transport)
        if self.gate.enter(address):
            self._address = address
            self._wait_for_head()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers and free the connection's place."""
        for timer in self._timers.values():
            timer.cancel()
        if self._address is not None:
            self.gate.leave(self, self._address)
        super().connection_lost(exc)

    def close_now(self) -> None:
        """Close the connection at once."""
        self.transport.abort()

    def _start_timer(self, name: str, seconds: float) -> None:
        """Close the connection after so many seconds, unless `_stop_timer` is called before."""
        if name not in self._timers:
            self._timers[name] = self.loop.call_later(seconds, self._timed_out, name, seconds)

    def _timed_out(self, name: str, seconds: float) -> None:
        self._stop_timer(name)
        if name == "head" and self.cycle is not None and not self.cycle.response_complete:
            self._start_timer(name, seconds)  # its previous request is still being answered
        else:
            self.close_now()

    def _stop_timer(self, name: str) -> None:
        if (timer := self._timers.pop(name, None)) is not None:
            timer.cancel()

    def _wait_for_head(self) -> None:
        self._head_bytes = 0
        self.gate.mark_silent(self)
        self._start_timer("head", self.gate.limits.head_time)

    # --- callbacks of uvicorn's protocol -----------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Pass on bytes of a request; answer 431 if the head exceeds its limit."""
        super().data_received(data)
        if "head" in self._timers:
            self._head_bytes += len(data)
            if self._head_bytes > self.gate.limits.head:
                self._is_too_long = True
                self.send_400_response("")

    def on_message_begin(self) -> None:
        """Start the timer for the head: the first byte of a request has arrived."""
        super().on_message_begin()
        self._wait_for_head()

    def on_headers_complete(self) -> None:
        """Stop the timer for the head; raise ValueError if the head exceeds its limit."""
        self._stop_timer("head")
        self.gate.mark_active(self)
        length = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if length > self.gate.limits.head:
            self._is_too_long = True
            raise ValueError("the head is too long")  # uvicorn then calls send_400_response
        self.scope["extensions"] = {WRITE_CHUNK: self.write_chunk}  # type: ignore[dict-item]
        super().on_headers_complete()

    def write_chunk(self, chunk: bytes) -> bool:
        """Write a chunk of a response that has begun; return False, and do nothing, if it cannot be sent now.

        For messages to hundreds of streams: ASGI's `send` costs 12 µs for each, as much again as the system's
        call. `chunk` has its frame already (`framed`), made once for all.
        """
        if self.transport.is_closing() or self.transport.get_write_buffer_size():
            return False
        self.transport.write(chunk)
        return True

    def on_response_complete(self) -> None:
        """Allow `body_time` for the rest of a body that the app did not wait for: it has answered."""
        super().on_response_complete()
        if self.cycle.more_body:
            self._start_timer("rest", self.gate.limits.body_time)

    def on_message_complete(self) -> None:
        """Stop the timer for the rest of the body: the last byte of the request has arrived."""
        super().on_message_complete()
        self._stop_timer("rest")

    def send_400_response(self, msg: str) -> None:
        """Answer 431 if the head is too long, else 400: the request is not valid HTTP."""
        self._stop_timer("head")
        if self.transport.is_closing():
            return
        if self._is_too_long:
            self.transport.write(_TOO_LONG)
            self.transport.close()
        else:
            super().send_400_response(msg)

    def pause_writing(self) -> None:
        """Start the timer for sending: the client does not read."""
        super().pause_writing()
        self._start_timer("send", self.gate.limits.send_time)

    def resume_writing(self) -> None:
        """Stop the timer for sending: the client reads again."""
        super().resume_writing()
        self._stop_timer("send")


def framed(body: bytes) -> bytes:
    """Return bytes as a chunk of HTTP's chunked coding (RFC 9112, 7.1).

    >>> framed(b"hello")
    b'5\\r\\nhello\\r\\n'
    """
    return b"%x\r\n%s\r\n" % (len(body), body)


_TOO_LONG: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
)


def protocol_for(gate: ConnectionGate) -> type[LimitedConnection]:
    """Return the protocol class of one server, whose connections share one gate."""
    return type("LimitedConnection", (LimitedConnection,), {"gate": gate})


def within_file_limit(limits: Limits) -> Limits:
    """Return these limits, with at most as many connections as this process may have files, less its own.

    Raises the soft limit of open files as far as the hard limit allows.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = limits.connections + _OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= files:
        return limits
    with suppress(OSError, ValueError):
        more = files if hard == resource.RLIM_INFINITY else min(files, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
        soft = more
    return limits._replace(connections=max(1, min(limits.connections, soft - _OTHER_FILES)))
