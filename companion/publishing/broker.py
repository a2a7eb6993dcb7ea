"""The connection to a broker: MQTT 5 by paho, until it breaks. Only this file imports paho.

Everything is published with QoS 1: the caller waits until the broker has it. Reason codes are those of MQTT
5.0, section 2.4.
"""

from __future__ import annotations

import selectors
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from paho.mqtt.client import Client, DisconnectFlags
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.plain_text import NotPlainTextError, decoded, first_line
from companion.settings import MqttSettings

KEEPALIVE_S: Final = 30  # a broker publishes the will after one and a half of it
ANSWER_S: Final = 10.0  # seconds to wait for an answer
POLL_S: Final = 0.5  # seconds between two polls for messages to send
NO_SUBSCRIBERS: Final = 0x10  # no matching subscribers


class BrokerUnavailable(Exception):
    """The broker cannot be reached now; the text continues a sentence that names it."""


class NotAccepted(BrokerUnavailable):
    """The broker rejected this message; the connection stays open."""


class Message(NamedTuple):
    """Something to publish; `retain`: the broker stores it for later subscribers."""

    topic: str
    payload: bytes
    retain: bool = False
    properties: tuple[tuple[str, str], ...] = ()  # user properties, MQTT 5.0, section 3.3.2.3.7


def set_credentials(client: Client, broker: MqttSettings) -> None:
    """Set user, password and TLS from the settings.

    OSError names a file that cannot be read, BrokerUnavailable one with something else than it should have.
    """
    if broker.user is not None:
        client.username_pw_set(broker.user, _password(broker.password_file))
    if broker.tls:
        client.tls_set_context(_tls(broker.ca))


def _password(file: str | None) -> str | None:
    """Return the password in the first line of a file, as any editor saves it."""
    if file is None:
        return None
    try:
        password = first_line(Path(file).read_bytes())
    except NotPlainTextError as error:
        raise BrokerUnavailable(f"is not asked: password_file {file}: {error}") from None
    if not password:
        raise BrokerUnavailable(f"is not asked: password_file {file} is empty: write the password into it")
    return password


def _tls(ca: str | None) -> ssl.SSLContext:
    """Return the rules of an encrypted connection; of the authority in this file, in PEM or DER, if any."""
    if ca is None:
        return ssl.create_default_context()
    certificate: str | bytes = Path(ca).read_bytes()
    with suppress(NotPlainTextError):  # it may be DER
        text = decoded(Path(ca).read_bytes())
        certificate = text[text.index("-----BEGIN") :] if "-----BEGIN" in text else "none"
    try:
        return ssl.create_default_context(cadata=certificate or "none")
    except (ssl.SSLError, ValueError):
        raise BrokerUnavailable(
            f"is not asked: ca {ca} is no certificate: name a file in PEM or DER"
        ) from None


class BrokerConnection:
    """A connection to a broker, as `client_id`, with a `will` that it publishes if the connection breaks.

    `woken` is set when the connection is broken, for a thread that waits for other events too.
    """

    def __init__(self, broker: MqttSettings, client_id: str, will: Message, woken: threading.Event) -> None:
        self._broker, self._woken = broker, woken
        self._lock, self._changed = threading.Lock(), threading.Condition()
        self._answers: dict[int, ReasonCode] = {}
        self._is_open, self._broken = False, ""
        self._client = Client(
            CallbackAPIVersion.VERSION2,
            client_id,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
        )
        self._client.will_set(will.topic, will.payload, 1, will.retain)
        self._client.on_connect = self._connected
        self._client.on_disconnect = self._disconnected
        self._client.on_publish = self._acknowledged

    def open(self) -> None:
        """Connect and wait for the broker's CONNACK; raises BrokerUnavailable."""
        try:
            set_credentials(self._client, self._broker)
            assert self._broker.host is not None
            self._client.connect(self._broker.host, self._broker.port_there, KEEPALIVE_S)
        except UnicodeError:  # a name that no machine can have
            raise BrokerUnavailable("cannot be reached: its name is no name of a machine") from None
        except OSError as error:
            file = f"{error.filename}: " if error.filename else ""
            raise BrokerUnavailable(f"cannot be reached: {file}{error.strerror or error}") from None
        threading.Thread(
            target=run_loop, args=(self._client, self._lock), name="mqtt line", daemon=True
        ).start()
        self._await(lambda: self._is_open)

    def publish(self, message: Message) -> bool:
        """Publish a message; return True if it had a subscriber, once the broker has it.

        BrokerUnavailable if the broker does not accept it.
        """
        with self._lock:
            mid = self._client.publish(
                message.topic, message.payload, 1, message.retain, _properties(message)
            ).mid
        self._await(lambda: mid in self._answers)
        answer = self._answers.pop(mid)
        if answer.is_failure:
            raise NotAccepted(f"does not take {message.topic}: {answer}")
        return int(answer.value) != NO_SUBSCRIBERS

    def check(self) -> None:
        """Raise BrokerUnavailable if the connection is broken."""
        if self._broken:
            raise BrokerUnavailable(self._broken)

    def close(self) -> None:
        """Disconnect; the will is not published."""
        with self._lock:
            self._client.disconnect()

    def _await(self, answered: Callable[[], bool]) -> None:
        with self._changed:
            if not self._changed.wait_for(lambda: answered() or self._broken != "", ANSWER_S):
                raise BrokerUnavailable("does not answer")
            if not answered():
                raise BrokerUnavailable(self._broken)

    # --- called by the connection's thread --------------------------------------------------------

    def _connected(self, _client: Any, _data: Any, _flags: Any, reason: ReasonCode, _more: Any) -> None:
        if reason.is_failure:
            self._break(f"does not let this table in: {reason}")
        with self._changed:
            self._is_open = not reason.is_failure
            self._changed.notify_all()

    def _disconnected(
        self, _client: Any, _data: Any, flags: DisconnectFlags, reason: ReasonCode, _more: Any
    ) -> None:
        reason_text = f": {reason}" if flags.is_disconnect_packet_from_server else ""
        # Mosquitto 2.0.11 gives no reason, not even that another client took the same name
        self._break(
            f"has gone{reason_text}; if it comes and goes, another table has this one's name under [mqtt]"
        )

    def _acknowledged(self, _client: Any, _data: Any, mid: int, reason: ReasonCode, _more: Any) -> None:
        with self._changed:
            self._answers[mid] = reason
            self._changed.notify_all()

    def _break(self, why: str) -> None:
        with self._changed:
            self._broken = self._broken or why
            self._changed.notify_all()
        self._woken.set()


def _properties(message: Message) -> Properties | None:
    if not message.properties:
        return None
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.UserProperty = list(message.properties)
    return properties


def run_loop(client: Client, lock: threading.Lock) -> None:
    """Read and write for a client until it is disconnected; other threads must hold its `lock` to use it.

    paho's own thread uses `select`, which supports no file descriptor from 1,024 on: with so many watchers a
    table would never reconnect to its broker.
    """
    with selectors.DefaultSelector() as waiting:
        if (sock := client.socket()) is None:
            return
        watched = waiting.register(sock, selectors.EVENT_READ).fd
        while True:
            with lock:
                if client.socket() is not sock:
                    return
                unsent = selectors.EVENT_WRITE if client.want_write() else 0
                waiting.modify(watched, selectors.EVENT_READ | unsent)
            ready = 0
            for _, found in waiting.select(POLL_S):
                ready |= found
            with lock:
                if ready & selectors.EVENT_WRITE:
                    client.loop_write()
                if ready & selectors.EVENT_READ:
                    client.loop_read()
                while client.socket() is sock and isinstance(sock, ssl.SSLSocket) and sock.pending():
                    client.loop_read()  # no selector reports bytes that are decrypted already
                client.loop_misc()
