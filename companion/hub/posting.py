"""Many small POST requests to one address over one connection, sent together (RFC 9112, 9.3.2: pipelining).

The client of Python's library waits for each answer before the next request, which is most of what one costs.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

ANSWER_S: Final = 5.0
TOGETHER: Final = 32  # requests that are sent before an answer is read: their answers find room meanwhile
_HEAD: Final = re.compile(rb"HTTP/1\.1 (\d{3}) ([^\r]*)\r\n(.*?\r\n)\r\n", re.DOTALL)
_LENGTH: Final = re.compile(rb"^content-length: *(\d+)\r", re.IGNORECASE | re.MULTILINE)


class Posting:
    """A connection to the address `url`, whose path all others begin with; OSError if there is nobody."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._path = parts.path.rstrip("/")
        self._host = parts.netloc
        self._socket = socket.create_connection((parts.hostname or "", parts.port or 80), ANSWER_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._came = b""

    def post(self, requests: Sequence[tuple[str, bytes]]) -> None:
        """Post each body to its path, in order; OSError if one is not taken, later ones may have been."""
        for first in range(0, len(requests), TOGETHER):
            together = requests[first : first + TOGETHER]
            self._socket.sendall(b"".join(self._request(path, body) for path, body in together))
            for path, _ in together:
                self._answer(path)

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _request(self, path: str, body: bytes) -> bytes:
        head = (
            f"POST {self._path}/{path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body

    def _answer(self, path: str) -> None:
        while (head := _HEAD.match(self._came)) is None:
            self._more()
        length = _LENGTH.search(head[3])
        if length is None:
            raise OSError(f"answers to {path} what is not understood here: {head[0][:200].decode('latin-1')}")
        end = head.end() + int(length[1])
        while len(self._came) < end:
            self._more()
        self._came = self._came[end:]
        if int(head[1]) >= 300:
            raise OSError(f"answers {head[1].decode()} {head[2].decode('latin-1')} to {path}")

    def _more(self) -> None:
        said = self._socket.recv(1 << 16)
        if not said:
            raise ConnectionResetError("has hung up")
        self._came += said
