"""A connection to a broker for thousands of tables in one process: as little of MQTT 5 as a table needs."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Sequence
from typing import Final

CONNECT: Final = 0x10
CONNACK: Final = 0x20
PUBLISH: Final = 0x32  # with QoS 1
RETAIN: Final = 0x01
PUBACK: Final = 0x40
NOBODY: Final = 0x10  # no matching subscribers
KEEPALIVE_S: Final = 120
USER_PROPERTY: Final = b"\x26"


class Line:
    """A connection; publishes one message after the other, each until the broker has it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer, self._mid = reader, writer, 0

    @classmethod
    async def opened(cls, port: int, name: str, here: str) -> Line:
        """Connect as `name`, with a last will at the topic `here`; OSError or EOFError if that fails."""
        line = cls(*await asyncio.open_connection("127.0.0.1", port))
        flags = 0x02 | 0x04 | 0x08 | 0x20  # a clean start; a will, with QoS 1, retained
        said = _text("MQTT") + bytes([5, flags]) + struct.pack("!H", KEEPALIVE_S) + b"\0"
        said += _text(name) + b"\0" + _text(here) + _text("gone")
        line._writer.write(_packet(CONNECT, said))
        kind, answer = await line._read()
        if kind != CONNACK or answer[1]:
            raise OSError(f"the broker does not let {name} in: {answer!r}")
        return line

    async def publish(
        self, topic: str, payload: bytes, retain: bool, properties: Sequence[tuple[str, str]] = ()
    ) -> bool:
        """Publish with these user properties; return whether there was a subscriber.

        OSError or EOFError if the line breaks.
        """
        self._mid = self._mid % 65535 + 1
        users = b"".join(USER_PROPERTY + _text(name) + _text(value) for name, value in properties)
        said = _text(topic) + struct.pack("!H", self._mid) + _size(len(users)) + users + payload
        self._writer.write(_packet(PUBLISH | (RETAIN if retain else 0), said))
        while True:
            kind, answer = await self._read()
            if kind == PUBACK and answer[:2] == struct.pack("!H", self._mid):
                return len(answer) < 3 or answer[2] != NOBODY

    def close(self) -> None:
        """Close the connection without a DISCONNECT."""
        self._writer.close()

    async def _read(self) -> tuple[int, bytes]:
        kind = (await self._reader.readexactly(1))[0]
        size, shift = 0, 0
        while True:
            byte = (await self._reader.readexactly(1))[0]
            size |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return kind & 0xF0, await self._reader.readexactly(size)


def _text(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("!H", len(raw)) + raw


def _packet(kind: int, said: bytes) -> bytes:
    return bytes([kind]) + _size(len(said)) + said


def _size(left: int) -> bytes:
    """Return a length as MQTT writes it, seven bits a byte."""
    size = b""
    while True:
        left, byte = left >> 7, left & 0x7F
        size += bytes([byte | (0x80 if left else 0)])
        if not left:
            return size
