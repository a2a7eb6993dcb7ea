"""Reserve ports for programs that cannot take an open socket, or that listen on the same port again."""

from __future__ import annotations

import errno
import socket
from contextlib import ExitStack
from typing import Final

_reserved: Final = ExitStack()  # of this process, until it ends


def reserved_port() -> int:
    """Return a port that the kernel gives, reserved for this process until it ends.

    A socket stays bound to it on each loopback address, and does not listen. While it is bound, Linux neither
    gives the port to a program that binds to port 0 nor to an outgoing connection. A server that sets
    SO_REUSEADDR (Mosquitto, nginx, uvicorn, asyncio and http.server do) can listen at the same time, and
    again after a restart. While no server listens, connections are refused. Servers of the test's own process
    need none of this: they bind to port 0 themselves.
    """
    while True:
        with ExitStack() as sockets:
            first = sockets.enter_context(_bound(socket.AF_INET, "127.0.0.1", 0))
            port: int = first.getsockname()[1]
            if socket.has_ipv6:
                try:
                    sockets.enter_context(_bound(socket.AF_INET6, "::1", port))
                except OSError as error:
                    if error.errno == errno.EADDRINUSE:
                        continue  # another program has it there: the kernel gives another
            _reserved.push(sockets.pop_all())
            return port


def _bound(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    made = socket.socket(family)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((address, port))
    except OSError:
        made.close()
        raise
    return made
