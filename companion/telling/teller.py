"""Tells a broker what happens at this table, from a thread of its own: the table's never waits for it.

What was not told yet waits in the journal, nowhere else. An entry counts as told once the broker has it and
had somebody to pass it on to; the number of the last one is kept with the journal's next commit. So after a
power cut some are told again, with their numbers, by which whoever counts sees each once.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Iterator
from typing import Final

from companion.match.entries import Filed
from companion.match.match import Match
from companion.reply import encoded
from companion.settings import MqttSettings
from companion.store.journal import Journal, Later
from companion.store.keys import Key
from companion.table.picture import Picture
from companion.telling import home_assistant
from companion.telling.events import Event, told
from companion.telling.line import Away, Line, Message, NotTaken
from companion.translate import Words
from companion.web.table import public

TOLD: Final[Key[int | None]] = Key("told", int | None, None)
FIRST_S: Final = 1.0  # until the first new attempt
LONGEST_S: Final = 60.0  # between two attempts
CALM_S: Final = 0.1  # what happens within it is told together
UNHEARD_S: Final = 5.0  # until what nobody has subscribed to is told again
FAREWELL_S: Final = 3.0  # how long a stop waits for the line
AT_ONCE: Final = 50  # entries read at once

log = logging.getLogger(__name__)


class Teller:
    """Tells a broker of entries and pictures, the oldest entry that it was not told first."""

    def __init__(self, broker: MqttSettings, journal: Journal, picture: Picture) -> None:
        self._broker, self._journal, self._picture = broker, journal, picture
        self._name = broker.name
        self._topic = f"{broker.prefix}/{self._name}"
        self._story = Story(journal, self._name)
        self._told = 0
        self._why = ""  # why the broker was away when that was last said; "": it was there
        self._woken, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)

    def start(self) -> None:
        """Begin, before the table's thread does: with what is not told yet, or with the game on the table."""
        kept = self._journal.recall(TOLD)
        if kept is None:
            kept = _first(self._journal)
            self._journal.remember(TOLD, kept)
        self._told = kept
        self._thread.start()

    def stop(self) -> None:
        """Take leave of the broker, once the table's thread has ended; what was not told waits."""
        self._ended.set()
        self._woken.set()
        self._thread.join(FAREWELL_S)
        try:
            self._journal.remember(TOLD, self._told)
        except sqlite3.Error as error:
            log.warning("mqtt: how far it was told cannot be kept, so some is told again: %s", error)

    def shown(self, picture: Picture) -> None:
        """The table has published a picture; called from its thread."""
        self._picture = picture
        self._woken.set()

    # --- its own thread --------------------------------------------------------------------------

    def _run(self) -> None:
        pause = FIRST_S
        while not self._ended.is_set():
            began = time.monotonic()
            try:
                self._keep_telling()
            except Away as why:
                self._say_away(str(why))
            except Exception:
                log.exception("mqtt: a mistake of ours, it is tried again")
            if time.monotonic() - began > LONGEST_S:
                pause = FIRST_S
            self._ended.wait(pause)
            pause = min(2 * pause, LONGEST_S)

    def _keep_telling(self) -> None:
        """Connect, and tell until the end; Away if the line breaks."""
        line = Line(self._broker, self._topic, self._is("gone"), self._woken)
        try:
            line.open()
            line.publish(self._is("here"))
            self._say_back()
            self._introduce(line)
            shown = None
            while not self._ended.is_set():
                self._woken.clear()
                line.check()
                heard = self._tell_entries(line)
                if (picture := self._picture) is not shown:
                    line.publish(Message(f"{self._topic}/picture", _drawn(picture), retain=True))
                    shown = picture
                self._woken.wait(None if heard else UNHEARD_S)
                self._ended.wait(CALM_S)
            line.publish(self._is("gone"))
        finally:
            line.close()

    def _introduce(self, line: Line) -> None:
        if not self._broker.home_assistant:
            return
        try:
            line.publish(Message(*home_assistant.found(self._topic, self._name), retain=True))
        except NotTaken as why:
            log.warning("mqtt: Home Assistant will not find this table, as the broker %s", why)

    def _is(self, what: str) -> Message:
        return Message(f"{self._topic}/here", what.encode(), retain=True)

    def _tell_entries(self, line: Line) -> bool:
        """Tell all that is not told yet, in order; False if nobody hears it."""
        while not self._ended.is_set() and (entries := self._journal.later(self._told, AT_ONCE)):
            for event in self._story.events(self._told, entries):
                if self._ended.is_set():
                    return True
                if not line.publish(Message(f"{self._topic}/events", encoded(event))):
                    return False
                self._told = event.entry
                self._journal.keep_along(TOLD, self._told)
        return True

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


class Story:
    """The journal's entries as events; keeps the match that it has come to, so that none is read twice."""

    def __init__(self, journal: Journal, table: str) -> None:
        self._journal, self._table = journal, table
        self._was: Match | None = None
        self._now: Match | None = None

    def events(self, previous: int, entries: list[Later]) -> Iterator[Event]:
        """The events of these entries, which follow the entry `previous`; each is made when asked for."""
        for at, entry, filed in entries:
            self._was = self._before(entry.seq, filed)
            self._now = self._was.after(entry)
            yield told(self._table, previous, at, entry, self._was, self._now)
            previous = entry.seq

    def _before(self, seq: int, filed: Filed) -> Match:
        """The match before this entry of it, with its people as they are called now."""
        was, now = self._was, self._now
        known = was if now is not None and now.seq == seq else now  # the last one may be told again
        if known is not None and known.seq < seq and (known.id, known.header) == (filed.id, filed.header):
            return known
        return Match.of(filed, self._journal.earlier(filed.id, seq))


def _first(journal: Journal) -> int:
    """The entry before the match on the table, or the last one there is."""
    filed = journal.current()
    return journal.seq() if filed is None else journal.entries(filed.id)[0].seq - 1


def _drawn(picture: Picture) -> bytes:
    return encoded(public.table(picture, Words.english()))
