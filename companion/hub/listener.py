"""The hub's connection to a broker: a message is acknowledged once the database has stored it.

The broker queues messages while the hub is away, for a session of this name. Only this file of the hub
imports paho.
"""

from __future__ import annotations

import logging
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from sqlalchemy.exc import SQLAlchemyError

from companion.hub.intake import Intake
from companion.hub.validation import TableMessage
from companion.publishing.broker import ANSWER_S, KEEPALIVE_S, BrokerUnavailable, run_loop, set_credentials
from companion.publishing.retry import RetryLoop
from companion.publishing.signing import KEY, SIGNATURE
from companion.settings import MqttSettings

WHATS: Final = ("here", "page", "events", "records")
RETAINED: Final = ("page", "picture")  # with names in them
CLEAR_S: Final = 1.0  # between two queries for retained messages to delete
MOST: Final = 500  # messages stored by one transaction
MOST_BYTES: Final = 16 << 20  # of them: 500 records of 1 MB took 4 s, for which all others waited
STUCK_S: Final = 60.0  # a turn that takes longer hangs; a large batch takes a second
QUIET_S: Final = 0.5  # between two checks for the end
TURN_S: Final = 0.0005  # switch interval of threads: Python's default of 5 ms caused the lag
SESSION_S: Final = 7 * 24 * 3600  # expiry of the session, for which a broker queues messages

log = logging.getLogger(__name__)


class Received(NamedTuple):
    """A message, and its packet for the acknowledgement."""

    message: TableMessage
    mid: int
    qos: int


class Listener:
    """Background threads that store tables' messages, until `stop`; they retry if broker or database is away.

    `on_message` is called with each message on arrival, by the connection's thread. `name` is the session's
    name at the broker.
    """

    def __init__(
        self,
        broker: MqttSettings,
        intake: Intake,
        on_message: Callable[[TableMessage], None] = lambda message: None,
        name: str = "companion-hub",
    ) -> None:
        self._broker, self._intake, self._on_message, self._name = broker, intake, on_message, name
        self._why = ""
        self._failing = ""  # the cause of the last attempt's end: broker, database
        self._last_turn: float | None = None  # time of the last turn; None: no open connection
        self._retry = RetryLoop("hub", self._attempt)

    @property
    def state(self) -> tuple[str, str]:
        """The listener's state and the broker's, in the words of health.py."""
        if self._last_turn is not None:
            return "ok" if time.monotonic() - self._last_turn < STUCK_S else "stuck", "ok"
        if self._failing == "database":
            return "failing", "ok"
        return ("ok", "away") if self._failing == "broker" else ("starting", "starting")

    def start(self) -> None:
        """Start the threads."""
        sys.setswitchinterval(TURN_S)
        self._retry.start()

    def stop(self) -> None:
        """Stop the threads; the broker queues further messages."""
        self._retry.stop()

    def _attempt(self) -> None:
        try:
            self._listen()
        except BrokerUnavailable as why:
            self._failing = "broker"
            self._log_outage(f"the broker at {self._broker.host} {why}")
        except SQLAlchemyError as error:
            self._failing = "database"
            self._log_outage(f"the database: {str(getattr(error, 'orig', None) or error).strip()}")
        finally:
            self._last_turn = None

    def _log_outage(self, why: str) -> None:
        if why != self._why:
            log.warning("%s; nothing is lost, it goes on once that is put right", why)
        self._why = why

    def _listen(self) -> None:
        """Connect and store messages until the end; BrokerUnavailable if the connection breaks."""
        session = _Session(self._broker, self._name, self._on_message)
        session.open()
        next_clear = 0.0
        try:
            while not self._retry.ended.is_set():
                self._last_turn = time.monotonic()
                if batch := session.next_batch(MOST, QUIET_S):
                    self._intake.take([one.message for one in batch])
                    session.acknowledge(batch)
                if time.monotonic() >= next_clear:
                    session.delete_retained(self._intake.to_clear())
                    next_clear = time.monotonic() + CLEAR_S
                if self._why:
                    log.warning("broker and database are back")
                self._why = ""
        finally:
            session.close()


class _Session:
    """A session at a broker with manual acknowledgements."""

    def __init__(self, broker: MqttSettings, name: str, on_message: Callable[[TableMessage], None]) -> None:
        self._broker, self._name, self._on_message = broker, name, on_message
        self._queue: queue.SimpleQueue[Received | None] = queue.SimpleQueue()
        self._lock, self._changed = threading.Lock(), threading.Condition()
        self._open, self._broken = False, ""
        self._client = Client(
            CallbackAPIVersion.VERSION2,
            name,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
            manual_ack=True,
        )
        self._client.on_connect = self._welcomed
        self._client.on_subscribe = self._subscribed
        self._client.on_disconnect = lambda *_: self._break("has gone")
        self._client.on_message = lambda _client, _data, message: self._received(message)

    def open(self) -> None:
        broker = self._broker
        assert broker.host is not None
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.SessionExpiryInterval = SESSION_S
        try:
            set_credentials(self._client, broker)
            self._client.connect(
                broker.host, broker.port_there, KEEPALIVE_S, clean_start=False, properties=properties
            )
        except OSError as error:
            file = f"{error.filename}: " if error.filename else ""
            raise BrokerUnavailable(f"cannot be reached: {file}{error.strerror or error}") from None
        except UnicodeError:  # a name that no machine can have
            raise BrokerUnavailable("cannot be reached: its name is no name of a machine") from None
        threading.Thread(
            target=run_loop, args=(self._client, self._lock), name="hub line", daemon=True
        ).start()
        with self._changed:
            self._changed.wait_for(lambda: self._open or self._broken != "", ANSWER_S)
        if not self._open:
            raise BrokerUnavailable(self._broken or "does not answer")

    def next_batch(self, most: int, patience: float) -> list[Received]:
        """Return at most so many messages, of about `MOST_BYTES`; [] after so many seconds without one.

        Raises BrokerUnavailable.
        """
        batch: list[Received] = []
        size = 0
        try:
            one = self._queue.get(timeout=patience)
            while one is not None:
                batch.append(one)
                size += len(one.message.payload)
                if len(batch) == most or size >= MOST_BYTES:
                    break
                one = self._queue.get_nowait()
        except queue.Empty:
            pass
        if self._broken:
            raise BrokerUnavailable(self._broken)
        return batch

    def acknowledge(self, batch: list[Received]) -> None:
        """Acknowledge messages that the database has stored: the broker may forget them."""
        with self._lock:
            for one in batch:
                self._client.ack(one.mid, one.qos)

    def delete_retained(self, tables: list[str]) -> None:
        """Delete the retained messages of these tables at the broker: they publish their next state anew."""
        with self._lock:
            for table in tables:
                for kind in RETAINED:
                    self._client.publish(f"{self._broker.prefix}/{table}/{kind}", b"", 1, retain=True)

    def close(self) -> None:
        with self._lock:
            self._client.disconnect()

    # --- called by the line's thread --------------------------------------------------------------

    def _welcomed(self, client: Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Any) -> None:
        if reason.is_failure:
            self._break(f"does not let the hub in: {reason}")
        else:
            client.subscribe([(f"{self._broker.prefix}/+/{what}", 1) for what in WHATS])

    def _subscribed(self, _client: Any, _data: Any, _mid: int, reasons: list[ReasonCode], _more: Any) -> None:
        if any(reason.is_failure for reason in reasons):
            self._break(f"does not let the hub listen: {reasons[0]}")
        with self._changed:
            self._open = not self._broken
            self._changed.notify_all()

    def _received(self, packet: MQTTMessage) -> None:
        table, what = packet.topic.removeprefix(f"{self._broker.prefix}/").rsplit("/", 1)
        properties = dict(getattr(packet.properties, "UserProperty", ()))
        message = TableMessage(
            table, what, bytes(packet.payload), properties.get(KEY), properties.get(SIGNATURE)
        )
        self._on_message(message)
        self._queue.put(Received(message, packet.mid, packet.qos))

    def _break(self, why: str) -> None:
        with self._changed:
            self._broken = self._broken or why
            self._changed.notify_all()
        self._queue.put(None)
