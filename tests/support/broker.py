"""A real Mosquitto for the time of a test, and a client that listens to it."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.publishing.broker import look_after
from tests.support.client import PATIENCE_S
from tests.support.ports import reserved_port

MOSQUITTO: Final = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin")
OPEN: Final = "allow_anonymous true\n"


class Broker:
    """A broker that stores nothing on a disk, on a reserved port, the same after each start."""

    def __init__(self, directory: Path, rules: str = OPEN) -> None:
        if MOSQUITTO is None:
            pytest.skip("mosquitto is not installed: apt-get install mosquitto")
        self.port = reserved_port()
        self._config = directory / "mosquitto.conf"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\npersistence false\nuser root\nlog_type all\n{rules}"
        )
        self._log = directory / "mosquitto.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begin, and wait until it says that it listens."""
        assert MOSQUITTO is not None
        begun = self._said()
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([MOSQUITTO, "-c", self._config], stdout=log, stderr=log)
        end = time.monotonic() + PATIENCE_S
        while self._said() == begun:
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < end, "mosquitto does not listen"
            time.sleep(0.02)  # only its log says when

    def _said(self) -> int:
        return self._log.read_text().count(" running\n") if self._log.exists() else 0

    def subscribed(self, names: int) -> None:
        """Wait until so many subscriptions were made."""
        self._until(lambda log: log.count("Sending SUBACK") >= names)

    def answered(self) -> None:
        """Wait until all that tables published is acknowledged."""
        self._until(lambda log: log.count("Sending PUBACK") == log.count("Received PUBLISH"))

    def _until(self, true: Callable[[str], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not true(self._log.read_text()):
            assert time.monotonic() < end, self._log.read_text()
            time.sleep(0.02)  # only its log says when

    def freeze(self) -> None:
        """Say nothing any more, though every line stays: as over a Wi-Fi that has gone."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Go on, with all that came meanwhile."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """Stop it as its machine's restart does: it has the time to store what its rules allow."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(PATIENCE_S)

    def kill(self) -> None:
        """Kill it, as a power cut does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(PATIENCE_S)


@contextmanager
def running(directory: Path, rules: str = OPEN) -> Iterator[Broker]:
    """Yield a broker for the time of a test; skip the test, with a message, where there is no Mosquitto."""
    broker = Broker(directory, rules)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()


class Listener:
    """A subscriber: by default to all topics, and again each time the broker is back."""

    def __init__(self, port: int, topics: str = "#") -> None:
        self._changed = threading.Condition()
        self._subscribed = False
        self.events: list[dict[str, Any]] = []  # as they came, also twice
        self.records: list[bytes] = []  # as they came
        self.last: dict[str, bytes] = {}  # by topic
        self.retained: set[str] = set()  # topics of which the broker had stored a message
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self._topics = topics
        self._client.on_connect = lambda *_: self._subscribe()
        self._client.on_subscribe = lambda *_: self._note_subscribed()
        self._client.on_message = lambda _client, _data, message: self._got(message)
        self._turn, self._over = threading.Lock(), threading.Event()
        self._client.connect("127.0.0.1", port)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        self.until(lambda: self._subscribed, "a subscription")

    def _listen(self) -> None:
        while not self._over.is_set():
            look_after(self._client, self._turn)
            while not self._over.wait(0.1):  # it sends no message when it is back
                with suppress(OSError), self._turn:
                    self._client.reconnect()
                    break

    def _subscribe(self) -> None:
        self._client.subscribe(self._topics, qos=1)

    def _note_subscribed(self) -> None:
        with self._changed:
            self._subscribed = True
            self._changed.notify_all()

    def _got(self, message: MQTTMessage) -> None:
        with self._changed:
            self.last[message.topic] = bytes(message.payload)
            if message.retain:
                self.retained.add(message.topic)
            if message.topic.endswith("/events"):
                assert not message.retain, "an event must not be stored for later subscribers"
                self.events.append(json.loads(message.payload))
            if message.topic.endswith("/records"):
                assert not message.retain, "nor must a record"
                self.records.append(bytes(message.payload))
            self._changed.notify_all()

    def until(self, true: Callable[[], object], what: str) -> None:
        """Wait until this is true."""
        with self._changed:
            assert self._changed.wait_for(true, PATIENCE_S), f"waited for {what} in vain, {self.last}"

    def heard(self, entry: int, table: str = "window-2") -> None:
        """Wait for the event of this entry."""
        self.until(
            lambda: any(event["entry"] >= entry and event["table"] == table for event in self.events),
            f"entry {entry} of {table}",
        )

    def counted(self, table: str = "window-2") -> list[dict[str, Any]]:
        """Return the events as a subscriber counts them: each number once, in order.

        AssertionError if one is missing before another.
        """
        counted: list[dict[str, Any]] = []
        for event in (event for event in self.events if event["table"] == table):
            last = counted[-1]["entry"] if counted else 0
            if event["entry"] > last:
                assert event["previous"] <= last, f"something is missing between {last} and {event['entry']}"
                counted.append(event)
            else:
                assert event in counted, "the same number, and something else"
        return counted

    def close(self) -> None:
        self._over.set()
        with self._turn:
            self._client.disconnect()
        self._thread.join(PATIENCE_S)
