"""Recorded messages of tables: games that robots play at real companions, as a broker received them.

Any table can replay them: with its name, its numbers, and records signed with its own key.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.publishing.sealed import Sealed, sealed
from tools.club.configuration import tables
from tools.club.players import Players
from tools.club.services import Broker, Table, free

PAUSE_S: Final = 0.6  # of robots: odds come meanwhile, as they do where people play
LATEST_S: Final = 2.0  # a step's last message comes so long after its event; later ones are moved
PATIENCE_S: Final = 300.0
_SEQ: Final = re.compile(rb'"seq":(\d+)')


class Said(Struct, frozen=True):
    """A message: its kind (`page`, `events`, `records`, `snapshot`), and its time after its step's event."""

    what: str
    payload: bytes
    after: float


class Story(Struct, frozen=True):
    """A game: its messages step by step, an event or more and then pages; its number and last entry."""

    game: str
    match: int
    last: int
    steps: list[list[Said]]


def recorded(directory: Path, games: int) -> list[Story]:
    """Return so many games, each of another kind, played now at separate tables, one after the other.

    A real table has a computer for itself, and people think with their heads: nothing else runs meanwhile,
    and the robots are those that think least.
    """
    broker = Broker(directory / "broker", free(1984))
    broker.start()
    listening = _Listening(broker.port)
    try:
        return [_played(directory, broker.port, number, listening) for number in range(games)]
    finally:
        listening.close()
        broker.stop()


def _played(directory: Path, broker: int, number: int, listening: _Listening) -> Story:
    name, port = f"table-{number}", free(8400)
    place = Table(name, directory / name, tables(broker, name), port, pause_s=PAUSE_S)
    players = Players([port], games=1, strengths=("easy",), first=number)
    place.start()
    players.start()
    try:
        listening.until(lambda: _is_whole(listening.of(name)))
    finally:
        players.stop()
        place.stop()
    return _story(listening.of(name))


class _Listening:
    """Notes the messages of a broker, and their times."""

    def __init__(self, port: int) -> None:
        self._came: list[tuple[float, str, bytes]] = []
        self._changed = threading.Condition()
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self._client.on_message = lambda _client, _data, message: self._got(message)
        self._client.connect("127.0.0.1", port)
        self._client.subscribe("companion/#", 1)
        self._client.loop_start()

    def _got(self, message: MQTTMessage) -> None:
        with self._changed:
            self._came.append((time.monotonic(), message.topic, bytes(message.payload)))
            self._changed.notify_all()

    def of(self, table: str) -> list[tuple[float, str, bytes]]:
        """Return the messages of this table: time, kind and payload."""
        start = f"companion/{table}/"
        return [
            (at, topic.removeprefix(start), said) for at, topic, said in self._came if topic.startswith(start)
        ]

    def until(self, true: Callable[[], bool]) -> None:
        with self._changed:
            if not self._changed.wait_for(true, PATIENCE_S):
                raise RuntimeError("the games did not come to their end")

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def _is_whole(messages: list[tuple[float, str, bytes]]) -> bool:
    """Return True if the game is over and its luck is known, which is published in a second record."""
    records = [said for _, what, said in messages if what == "records"]
    return bool(records) and msgspec.json.decode(records[-1], type=Sealed).claim.luck is not None


def _story(messages: Sequence[tuple[float, str, bytes]]) -> Story:
    steps: list[list[Said]] = []
    waiting: list[Said] = []  # messages published with the next event
    began, event = 0.0, {}
    for at, what, said in messages:
        if what == "events":
            event = msgspec.json.decode(said)
            if steps and all(one.what != "page" for one in steps[-1]):
                waiting = [*steps.pop(), *waiting]  # events within a tenth of a second have one page
            began = at
            steps.append([*waiting, Said(what, said, 0.0)])  # its record comes before it
            waiting = []
        elif what == "records" and msgspec.json.decode(said, type=Sealed).claim.luck is None:
            waiting.append(Said(what, said, 0.0))
        elif steps and what in ("page", "picture", "records"):
            steps[-1].append(Said(what, said, min(at - began, LATEST_S)))
    return Story(event["game"], event["match"], event["entry"], steps)


class Publication(Struct, frozen=True):
    """A message of a table in a stream; `entry`: of an event, else 0."""

    what: str
    entry: int
    payload: bytes
    after: float


def stream(
    stories: Sequence[Story], table: str, first: int, after: int, key: Ed25519PrivateKey
) -> Iterator[list[Publication]]:
    """Yield the messages of a table of this name, step by step, without end, from the `first` of the stories
    on.

    The stream starts `after` so many of its steps.
    """
    match, before = 0, 0
    while True:
        story = stories[(first + match) % len(stories)]
        match += 1
        for step in story.steps[after:]:
            yield [_publication(said, table, match, before, key) for said in step]
        before, after = before + story.last, 0


def _publication(said: Said, table: str, match: int, before: int, key: Ed25519PrivateKey) -> Publication:
    payload = _again(said, table, match, before, key)
    entry = msgspec.json.decode(payload)["entry"] if said.what == "events" else 0
    return Publication(said.what, entry, payload, said.after)


def _again(said: Said, table: str, match: int, before: int, key: Ed25519PrivateKey) -> bytes:
    if said.what == "events":
        event = msgspec.json.decode(said.payload)
        event |= {"table": table, "match": match, "entry": event["entry"] + before}
        event["previous"] += before
        return msgspec.json.encode(event)
    if said.what == "records":
        was = msgspec.json.decode(said.payload, type=Sealed)
        return msgspec.json.encode(
            sealed(
                "\n".join(was.lines) + "\n",
                key,
                table=table,
                match=match,
                entry=was.claim.entry + before,
                at=was.claim.at,
                luck=was.claim.luck,
            )
        )
    return _SEQ.sub(lambda found: b'"seq":%d' % (int(found[1]) + before), said.payload)
