"""The server's listening socket, bound before its address is published."""

from __future__ import annotations

import socket
from typing import Final

BACKLOG: Final = 512  # connections that the kernel queues until they are accepted
SEND_BUFFER: Final = 64 * 1024  # bytes buffered for a client that does not read; Linux doubles it


def listen(port: int) -> socket.socket:
    """Return a socket that listens on this port of every address; OSError if the port is taken."""
    family = socket.AF_INET6 if socket.has_dualstack_ipv6() else socket.AF_INET
    # asyncio sets TCP_NODELAY only where the protocol is named; else a second message waits 40 ms and more
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)  # for each that it takes
        if socket.has_dualstack_ipv6():
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            listening.bind(("::", port))
        else:
            listening.bind(("0.0.0.0", port))
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening
