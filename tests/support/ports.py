"""A port that stays free while nobody listens there: for a server that ends and starts again within a test."""

from __future__ import annotations

import os
import socket
from itertools import count
from typing import Final

FIRST, PORTS = 20_000, 12_000
"""Below those that Linux gives to whoever asks for any (32,768 to 60,999): other tests' programs ask all the time."""
_tried: Final = count()


def own_port() -> int:
    """One that nobody listens on, and that no other process of these tests is likely to ask for."""
    while True:
        port = FIRST + (os.getpid() * 61 + next(_tried)) % PORTS
        with socket.socket() as asked:
            try:
                asked.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
