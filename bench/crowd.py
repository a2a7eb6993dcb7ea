"""Many open streams in one process, cheaply: the waiting must not distort the measurement.

A stream is a socket on which complete messages arrive; a message that holds `marker` has reached it.
"""

from __future__ import annotations

import json
import selectors
import socket
import time
from collections.abc import Callable

LIMIT = 10.0  # seconds after which something is wrong


class Stream:
    """One open stream and the received part of its next message."""

    def __init__(self, open_socket: socket.socket, end: bytes) -> None:
        self.socket, self.end, self._arrived = open_socket, end, b""

    def has_received(self, marker: bytes) -> bool:
        """Take in the bytes that have arrived; return True if a message with `marker` is complete now."""
        arrived = self.socket.recv(1 << 16)
        if not arrived:
            raise RuntimeError("the server has closed a stream")
        self._arrived += arrived
        if not self._arrived.endswith(self.end):
            return False
        whole, self._arrived = self._arrived, b""
        return marker in whole


def server_sent_events(port: int, cookie: str = "") -> Stream:
    """Open a stream of the companion: /events, after its first message."""
    request = f"GET /events HTTP/1.1\r\nHost: localhost:{port}\r\nCookie: {cookie}\r\n\r\n"
    stream = Stream(_connected(port, request), b"\n\n\r\n")
    while not stream.has_received(b"event: table"):
        pass
    return stream


def socket_io(port: int) -> Stream:
    """Open a stream of Flask-SocketIO over a WebSocket, after the answer to its connect packet."""
    upgrade = (
        f"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost:{port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    stream = Stream(_connected(port, upgrade), b"}")
    while not stream.has_received(b'0{"sid"'):
        pass
    stream.socket.sendall(b"\x81\x82\x00\x00\x00\x0040")  # "40", masked with zeros: connect
    while not stream.has_received(b'40{"sid"'):
        pass
    stream.end = b"}]"
    return stream


def _connected(port: int, request: str) -> socket.socket:
    connected = socket.create_connection(("localhost", port), LIMIT)
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.sendall(request.encode())
    return connected


class Crowd:
    """Open streams of one server, to which decisions are sent."""

    def __init__(self, port: int, size: int, opened: Callable[[int], Stream]) -> None:
        self._port = port
        self._selector = selectors.EpollSelector()
        self._streams = [opened(port) for _ in range(size)]
        for stream in self._streams:
            stream.socket.setblocking(False)
            self._selector.register(stream.socket, selectors.EVENT_READ, stream)

    def close(self) -> None:
        """Close all streams."""
        for stream in self._streams:
            stream.socket.close()
        self._selector.close()

    def decide(self, path: str, body: object, marker: bytes) -> float:
        """Send a decision; return the seconds until the last stream has the message with `marker`."""
        text = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost:{self._port}\r\nOrigin: http://localhost:{self._port}\r\n"
            f"Connection: close\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
        )
        with _connected(self._port, "") as decider:
            began = time.perf_counter()
            decider.sendall(head.encode() + text)
            left = self._wait(marker)
            took = time.perf_counter() - began
            answer = b"".join(iter(lambda: decider.recv(1 << 16), b""))
        if left or b" 200 " not in answer[:20]:
            raise RuntimeError(f"{left} streams were not told of {body}: {answer!r}")
        return took

    def _wait(self, marker: bytes) -> int:
        """Read until every stream has a message with `marker`; return how many have not after LIMIT."""
        waiting = set(self._streams)
        while waiting and (ready := self._selector.select(LIMIT)):
            for key, _ in ready:
                if key.data.has_received(marker):
                    waiting.discard(key.data)
        return len(waiting)
