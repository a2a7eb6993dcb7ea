"""Tables in one process, each with its connection to the broker: each decides once in so many seconds.

Messages that the broker has not acknowledged are sent again, as a companion does. Written to a file: for each
event its table, its entry, and when it was first published (see PUBLISHED).
"""

from __future__ import annotations

import argparse
import asyncio
import random
import struct
import time
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bench.club.line import Line
from bench.club.stories import Publication, Story, stream
from companion.publishing.signing import signed

PUBLISHED: Final = struct.Struct("=IId")
AGAIN_S: Final = 1.0
RETAINED: Final = ("page", "picture")
SIGNED: Final = ("page", "events")


def name(number: int) -> str:
    """Return the name of the table of this number."""
    return f"table-{number:04}"


class Table:
    """A simulated table."""

    def __init__(self, number: int, port: int, stories: Sequence[Story], out: BinaryIO) -> None:
        self._number, self._name, self._port, self._out = number, name(number), port, out
        key = self._key = Ed25519PrivateKey.from_private_bytes(number.to_bytes(32, "big"))
        # in the midst of a game, so that some end all the time
        after = random.Random(-number).randrange(len(stories[number % len(stories)].steps))
        self._steps = stream(stories, self._name, number, after, key)
        self._line: Line | None = None

    async def run(self, begins: float, ends: float, period: float) -> None:
        """Publish a step each `period` from `begins` to `ends`, in seconds of the wall clock."""
        await self._publish("here", b"here", True)
        at = begins
        while at < ends:
            await asyncio.sleep(at - time.time())
            await self._step(next(self._steps))
            at += period
        if self._line is not None:
            self._line.close()

    async def _step(self, step: Sequence[Publication]) -> None:
        began = time.time()
        for message in step:
            await asyncio.sleep(began + message.after - time.time())
            if message.what == "events":
                self._out.write(PUBLISHED.pack(self._number, message.entry, time.time()))
            await self._publish(message.what, message.payload, message.what in RETAINED)

    async def _publish(self, what: str, payload: bytes, retain: bool) -> None:
        topic = f"companion/{self._name}"
        properties = signed(self._key, self._name, what, payload) if what in SIGNED else ()
        while True:
            try:
                if self._line is None:
                    self._line = await Line.opened(self._port, topic, f"{topic}/here")
                    await self._line.publish(f"{topic}/here", b"here", True)
                if await self._line.publish(f"{topic}/{what}", payload, retain, properties):
                    return
                if what == "picture":
                    return
            except (OSError, EOFError):
                if self._line is not None:
                    self._line.close()
                self._line = None
            await asyncio.sleep(AGAIN_S)


async def run(asked: argparse.Namespace) -> None:
    """Run all tables."""
    stories = msgspec.msgpack.decode(asked.stories.read_bytes(), type=list[Story])
    ends = asked.begins + asked.seconds
    with open(asked.out, "wb") as out:
        async with asyncio.TaskGroup() as group:
            for number in range(asked.first, asked.first + asked.count):
                phase = random.Random(number).uniform(0, asked.period)
                table = Table(number, asked.broker, stories, out)
                group.create_task(table.run(asked.begins + phase, ends, asked.period))
                await asyncio.sleep(0.001)  # not all connections at once


def main() -> None:
    """Run as a process of the benchmark."""
    parser = argparse.ArgumentParser()
    parser.add_argument("stories", type=Path)
    parser.add_argument("out", type=Path)
    for option in ("broker", "first", "count"):
        parser.add_argument(f"--{option}", type=int, required=True)
    for option in ("begins", "seconds", "period"):
        parser.add_argument(f"--{option}", type=float, required=True)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
