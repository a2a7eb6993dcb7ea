"""Publishes events and snapshots of this table to a broker, from a background thread: the table
never waits.

An entry counts as published once the broker has it and had a subscriber for it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from companion.odds.luck_summary import Parts
from companion.publishing import home_assistant
from companion.publishing.broker import BrokerConnection, BrokerUnavailable, Message, NotAccepted
from companion.publishing.elsewhere import pages
from companion.publishing.events import Event, happened
from companion.publishing.follower import Follower
from companion.publishing.results import Results
from companion.publishing.sealed import table_key
from companion.publishing.signing import signed
from companion.publishing.story import Progress
from companion.reply import encoded
from companion.settings import MqttSettings
from companion.store.journal import Journal
from companion.store.keys import Key
from companion.table.snapshot import Snapshot
from companion.translate import Words
from companion.views.table import public

LAST_PUBLISHED: Final[Key[int | None]] = Key("told", int | None, None)  # the last published entry
BATCH_S: Final = 0.1  # seconds whose events are published together
NO_SUBSCRIBER_S: Final = 5.0  # seconds until events without a subscriber are published again

log = logging.getLogger(__name__)


class Publisher(Follower):
    """Publishes entries and snapshots to a broker, the oldest unpublished entry first."""

    def __init__(self, broker: MqttSettings, journal: Journal, picture: Snapshot, data: Path) -> None:
        self._broker, self._picture = broker, picture
        self._name = broker.name
        self._topic = f"{broker.prefix}/{self._name}"
        super().__init__("mqtt", Progress(journal, self._name, "mqtt", LAST_PUBLISHED))
        self._results = Results(journal, self._name, data)
        self._key = table_key(data)

    def update(self, picture: Snapshot) -> None:
        """Take in a new snapshot of the table; called from its thread."""
        self._picture = picture
        self._retry.woken.set()

    # --- the background thread -------------------------------------------------------------------

    def _attempt(self) -> None:
        try:
            self._publish_until_stopped()
        except BrokerUnavailable as why:
            self._log_unavailable(str(why))

    def _publish_until_stopped(self) -> None:
        """Connect, and publish until stopped; BrokerUnavailable if the connection breaks."""
        connection = BrokerConnection(
            self._broker, self._topic, self._availability("gone"), self._retry.woken
        )
        try:
            connection.open()
            connection.publish(self._availability("here"))
            self._log_available()
            self._introduce(connection)
            published = None
            while not self._retry.ended.is_set():
                self._retry.woken.clear()
                connection.check()
                had_subscribers = self._progress.publish_pending(
                    partial(self._publish, connection), self._retry.ended
                )
                if (picture := self._picture) is not published:
                    connection.publish(Message(f"{self._topic}/picture", _encoded_view(picture), retain=True))
                    connection.publish(self._signed("page", encoded(pages(picture)), retain=True))
                    if picture.luck is not None and (published is None or published.luck is not picture.luck):
                        self._publish_result(
                            connection, picture.luck.match, picture.luck.seq, picture.luck.parts
                        )
                    published = picture
                self._retry.woken.wait(None if had_subscribers else NO_SUBSCRIBER_S)
                self._retry.ended.wait(BATCH_S)
            connection.publish(self._availability("gone"))
        finally:
            connection.close()

    def _introduce(self, connection: BrokerConnection) -> None:
        if not self._broker.home_assistant:
            return
        try:
            connection.publish(Message(*home_assistant.discovery(self._topic, self._name), retain=True))
        except NotAccepted as why:
            log.warning("mqtt: Home Assistant will not find this table, as the broker %s", why)

    def _availability(self, what: str) -> Message:
        return Message(f"{self._topic}/here", what.encode(), retain=True)

    def _publish(self, connection: BrokerConnection, event: Event) -> bool:
        if happened(event) == "won":
            self._publish_result(connection, event.match, event.entry)
        return connection.publish(self._signed("events", encoded(event)))

    def _signed(self, kind: str, payload: bytes, retain: bool = False) -> Message:
        properties = signed(self._key, self._name, kind, payload)
        return Message(f"{self._topic}/{kind}", payload, retain, properties)

    def _publish_result(
        self, connection: BrokerConnection, match: int, entry: int, luck: Sequence[Parts] = ()
    ) -> None:
        if (result := self._results.of(match, entry, luck)) is not None:
            connection.publish(Message(f"{self._topic}/records", encoded(result)))

    def _log_unavailable(self, why: str) -> None:
        if why != self._why:
            log.warning(
                "mqtt: the broker at %s, port %s, %s; nothing is lost, events follow once that is put right",
                self._broker.host,
                self._broker.port_there,
                why,
            )
        self._why = why

    def _log_available(self) -> None:
        if self._why:
            log.warning("mqtt: the broker is back")
        else:
            log.info("mqtt: %s is published at %s", self._topic, self._broker.host)
        self._why = ""


def _encoded_view(picture: Snapshot) -> bytes:
    return encoded(public.table(picture, Words.english()))
