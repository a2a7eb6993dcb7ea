"""The door of the server: who may hold a connection, and for how long without saying anything.

uvicorn waits for ever for the head of a request, takes one of any length, and has as many connections as the
process may have files; then asyncio prints two thousand tracebacks a second. Whoever is at the table must get
through beside a thousand who say nothing.
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

AT_ONCE: Final = 32  # connections taken before the door has seen the first of them
_OTHER_FILES: Final = 124  # the journal, the parts, the odds, what is read for a page; and those at the door


class Limits(NamedTuple):
    """What one server bears; lengths in bytes, times in seconds."""

    connections: int = 900
    of_one_address: int = 100  # a phone needs five
    head: int = 16 * 1024
    head_time: float = 10.0  # from the connection, or the first byte of a further request, to the head's end
    body: int = 64 * 1024
    body_time: float = 10.0  # from the head's end to the body's
    send_time: float = 30.0  # for whoever does not read; a stream is given up before (web/stream.py)


BEARS: Final = Limits()


class ConnectionGate:
    """Which connections there are, and which of them have not said yet what they want."""

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
        self._silent: dict[Guest, None] = {}  # in the order in which they began to be
        self._turned_away = 0
        self._told = -MINUTE
        self._is_closed = False

    def close(self) -> None:
        """Let nobody in any more: the server ends who is inside, and would wait for whoever came later."""
        self._is_closed = True

    def enter(self, address: str) -> bool:
        """Whether one more from this address is let in; if all places are taken, a silent one goes for it."""
        if self._is_closed:
            return False
        if self._inside[address] >= self.limits.of_one_address and not self._is_of_many(address):
            self._turn_away(address)
            return False
        if self._inside.total() >= self.limits.connections:
            self._turn_away(address)
            if not self._silent:
                return False
            longest = next(iter(self._silent))
            self.has_spoken(longest)
            longest.turn_out()
        self._inside[address] += 1
        return True

    def _is_of_many(self, address: str) -> bool:
        """Whether the connections from here may be those of many devices: this machine's, a proxy's."""
        return is_this_machine(address) or plain(address) in self._proxies

    def leave(self, guest: Guest, address: str) -> None:
        """A connection that was let in has ended."""
        self.has_spoken(guest)
        self._inside[address] -= 1
        if not self._inside[address]:
            del self._inside[address]

    def is_silent(self, guest: Guest) -> None:
        """This one has yet to say what it wants."""
        self._silent[guest] = None

    def has_spoken(self, guest: Guest) -> None:
        """This one has said what it wants."""
        self._silent.pop(guest, None)

    def _turn_away(self, address: str) -> None:
        """One line a minute tells of all."""
        self._turned_away += 1
        if self._clock() - self._told >= MINUTE:
            log.warning("too many connections: %d turned away, the last for %s", self._turned_away, address)
            self._told, self._turned_away = self._clock(), 0


class Guest(HttpToolsProtocol):
    """A connection as uvicorn has it, with a limit for what it may cost."""

    door: ConnectionGate  # of its server, given by `guests`

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._address: str | None = None
        self._heard = 0  # bytes since the head that is being read began
        self._is_too_long = False
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected."""
        address = str((transport.get_extra_info("peername") or ("",))[0])
        super().connection_made(transport)
        if self.door.enter(address):
            self._address = address
            self._wait_for_head()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        for timer in self._timers.values():
            timer.cancel()
        if self._address is not None:
            self.door.leave(self, self._address)
        super().connection_lost(exc)

    def turn_out(self) -> None:
        """End it at once."""
        self.transport.abort()

    def _within(self, name: str, seconds: float) -> None:
        """Turn it out, unless `_in_time` is called in time."""
        if name not in self._timers:
            self._timers[name] = self.loop.call_later(seconds, self._late, name, seconds)

    def _late(self, name: str, seconds: float) -> None:
        self._in_time(name)
        if name == "head" and self.cycle is not None and not self.cycle.response_complete:
            self._within(name, seconds)  # what it asked before is still being answered
        else:
            self.turn_out()

    def _in_time(self, name: str) -> None:
        if (timer := self._timers.pop(name, None)) is not None:
            timer.cancel()

    def _wait_for_head(self) -> None:
        self._heard = 0
        self.door.is_silent(self)
        self._within("head", self.door.limits.head_time)

    # --- what uvicorn's protocol is told -----------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Bytes of a request."""
        super().data_received(data)
        if "head" in self._timers:
            self._heard += len(data)
            if self._heard > self.door.limits.head:
                self._is_too_long = True
                self.send_400_response("")

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        self._wait_for_head()

    def on_headers_complete(self) -> None:
        """The head of a request is here."""
        self._in_time("head")
        self.door.has_spoken(self)
        length = len(self.url) + sum(len(name) + len(said) for name, said in self.headers)
        if length > self.door.limits.head:
            self._is_too_long = True
            raise ValueError("the head is too long")  # which ends in send_400_response
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """The answer is given; a body that nobody waited for may still come, for a while."""
        super().on_response_complete()
        if self.cycle.more_body:
            self._within("rest", self.door.limits.body_time)

    def on_message_complete(self) -> None:
        """The last byte of a request."""
        super().on_message_complete()
        self._in_time("rest")

    def send_400_response(self, msg: str) -> None:
        """The request is none, or its head is too long."""
        self._in_time("head")
        if self.transport.is_closing():
            return
        if self._is_too_long:
            self.transport.write(_TOO_LONG)
            self.transport.close()
        else:
            super().send_400_response(msg)

    def pause_writing(self) -> None:
        """Whoever asked does not read."""
        super().pause_writing()
        self._within("send", self.door.limits.send_time)

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        self._in_time("send")


_TOO_LONG: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
)


def guests(door: ConnectionGate) -> type[Guest]:
    """The protocol of one server: its connections come through one door."""
    return type("Guest", (Guest,), {"door": door})


def possible(limits: Limits) -> Limits:
    """These limits, with no more connections than this process may have files, less those it needs itself.

    Raises the limit of its files as far as it may.
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
