"""Watchers in one process: each an open stream of server-sent events of one table's page, in English.

Written to a file: for each page that has arrived whole its watcher, its table, its entry, and when (ARRIVED).
"""

from __future__ import annotations

import argparse
import re
import selectors
import socket
import struct
import time
from pathlib import Path
from typing import BinaryIO, Final

from bench.club.tables import name

ARRIVED: Final = struct.Struct("=IIId")
EACH: Final = 20_000  # watchers from one address of this machine: it has some 28,000 ports for each
_PAGE: Final = re.compile(rb'data: \{"seq":(\d+)')


class Watcher:
    """An open stream, and the page that is arriving."""

    def __init__(self, number: int, table: int, port: int) -> None:
        self.number, self.table = number, table
        self.seq = 0
        self.broken = False
        self.socket = socket.create_connection(("127.0.0.1", port), 30, (f"127.0.0.{1 + number // EACH}", 0))
        request = f"GET /live/tables/{name(table)}/en HTTP/1.1\r\nHost: localhost\r\n"
        self.socket.sendall(f"{request}Accept: text/event-stream\r\n\r\n".encode())
        self.socket.setblocking(False)

    def take(self, out: BinaryIO) -> None:
        """Take in the bytes that have arrived."""
        said = self.socket.recv(1 << 18)
        if not said:
            self.broken = True
            return
        for found in _PAGE.finditer(said):  # the head of a page comes in one piece: it is sent so
            self.seq = int(found[1])
        if self.seq and said.endswith((b"\n\n", b"\n\n\r\n")):  # the second one in chunks
            out.write(ARRIVED.pack(self.number, self.table, self.seq, time.time()))
            self.seq = 0


def main() -> None:
    """Run as a process of the benchmark: prints `open` once all streams are, and how many broke
    at the end.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    for option in ("site", "first", "count", "tables"):
        parser.add_argument(f"--{option}", type=int, required=True)
    parser.add_argument("--ends", type=float, required=True)
    asked = parser.parse_args()
    waiting = selectors.EpollSelector()
    broken = 0
    with open(asked.out, "wb") as out:
        for number in range(asked.first, asked.first + asked.count):
            watcher = Watcher(number, number % asked.tables, asked.site)
            waiting.register(watcher.socket, selectors.EVENT_READ, watcher)
        print("open", flush=True)
        while (left := asked.ends - time.time()) > 0:
            for key, _ in waiting.select(min(left, 1.0)):
                key.data.take(out)
                if key.data.broken:
                    broken += 1
                    waiting.unregister(key.data.socket)
    print(broken, flush=True)


if __name__ == "__main__":
    main()
