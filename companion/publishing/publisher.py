"""Tells a broker what happens at this table, from a thread of its own: the table's never waits for it.

An entry counts as told once the broker has it and had somebody to pass it on to.
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
from companion.publishing.results import Results
from companion.publishing.retry import RetryLoop
from companion.publishing.sealed import table_key
from companion.publishing.signing import signed
from companion.publishing.story import Progress
from companion.reply import encoded
from companion.settings import MqttSettings
from companion.store.journal import Journal
from companion.store.keys import Key
from companion.table.picture import Picture
from companion.translate import Words
from companion.views.table import public

TOLD: Final[Key[int | None]] = Key("told", int | None, None)  # up to which entry
CALM_S: Final = 0.1  # what happens within it is told together
UNHEARD_S: Final = 5.0  # until what nobody has subscribed to is told again
FAREWELL_S: Final = 3.0  # how long a stop waits for the line

log = logging.getLogger(__name__)


class Publisher:
    """Tells a broker of entries and pictures, the oldest entry that it was not told first."""

    def __init__(self, broker: MqttSettings, journal: Journal, picture: Picture, data: Path) -> None:
        self._broker, self._picture = broker, picture
        self._name = broker.name
        self._topic = f"{broker.prefix}/{self._name}"
        self._progress = Progress(journal, self._name, "mqtt", TOLD)
        self._results = Results(journal, self._name, data)
        self._key = table_key(data)
        self._why = ""  # why the broker was away when that was last said; "": it was there
        self._again = RetryLoop("mqtt", self._attempt)

    def start(self) -> None:
        """Begin, before the table's thread does: with what is not told yet, or with the game on the table."""
        self._progress.begin()
        self._again.start()

    def stop(self) -> None:
        """Take leave of the broker, once the table's thread has ended; what was not told waits."""
        self._again.stop(FAREWELL_S)
        self._progress.end()

    def shown(self, picture: Picture) -> None:
        """The table has published a picture; called from its thread."""
        self._picture = picture
        self._again.woken.set()

    # --- its own thread --------------------------------------------------------------------------

    def _attempt(self) -> None:
        try:
            self._keep_telling()
        except BrokerUnavailable as why:
            self._say_away(str(why))

    def _keep_telling(self) -> None:
        """Connect, and tell until the end; BrokerUnavailable if the line breaks."""
        line = BrokerConnection(self._broker, self._topic, self._is("gone"), self._again.woken)
        try:
            line.open()
            line.publish(self._is("here"))
            self._say_back()
            self._introduce(line)
            shown = None
            while not self._again.ended.is_set():
                self._again.woken.clear()
                line.check()
                heard = self._progress.tell(partial(self._publish, line), self._again.ended)
                if (picture := self._picture) is not shown:
                    line.publish(Message(f"{self._topic}/picture", _drawn(picture), retain=True))
                    line.publish(self._signed("page", encoded(pages(picture)), retain=True))
                    if picture.luck is not None and (shown is None or shown.luck is not picture.luck):
                        self._publish_result(line, picture.luck.match, picture.luck.seq, picture.luck.parts)
                    shown = picture
                self._again.woken.wait(None if heard else UNHEARD_S)
                self._again.ended.wait(CALM_S)
            line.publish(self._is("gone"))
        finally:
            line.close()

    def _introduce(self, line: BrokerConnection) -> None:
        if not self._broker.home_assistant:
            return
        try:
            line.publish(Message(*home_assistant.found(self._topic, self._name), retain=True))
        except NotAccepted as why:
            log.warning("mqtt: Home Assistant will not find this table, as the broker %s", why)

    def _is(self, what: str) -> Message:
        return Message(f"{self._topic}/here", what.encode(), retain=True)

    def _publish(self, line: BrokerConnection, event: Event) -> bool:
        if happened(event) == "won":
            self._publish_result(line, event.match, event.entry)
        return line.publish(self._signed("events", encoded(event)))

    def _signed(self, kind: str, payload: bytes, retain: bool = False) -> Message:
        properties = signed(self._key, self._name, kind, payload)
        return Message(f"{self._topic}/{kind}", payload, retain, properties)

    def _publish_result(
        self, line: BrokerConnection, match: int, entry: int, luck: Sequence[Parts] = ()
    ) -> None:
        if (result := self._results.of(match, entry, luck)) is not None:
            line.publish(Message(f"{self._topic}/records", encoded(result)))

    def _say_away(self, why: str) -> None:
        if why != self._why:
            log.warning(
                "mqtt: the broker at %s, port %s, %s; nothing is lost, it is told once that is put right",
                self._broker.host,
                self._broker.port_there,
                why,
            )
        self._why = why

    def _say_back(self) -> None:
        if self._why:
            log.warning("mqtt: the broker is back")
        else:
            log.info("mqtt: %s is told at %s", self._topic, self._broker.host)
        self._why = ""


def _drawn(picture: Picture) -> bytes:
    return encoded(public.table(picture, Words.english()))
