"""The journal's entries as events, and the progress of a subscriber through them.

Unpublished entries wait in the journal, nowhere else. The number of the last published entry is stored with
the journal's next commit: after a power cut some are published again, with their numbers, by which a
subscriber can drop duplicates.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from typing import Final

from companion.match.entries import Filed
from companion.match.match import Match
from companion.publishing.events import Event, event_of
from companion.store.journal import DatedEntry, Journal
from companion.store.keys import Key

BATCH: Final = 50  # entries read at once

log = logging.getLogger(__name__)


class Progress:
    """The progress of one subscriber, called `who` in the log, through the events of the table called
    `table`.

    The journal stores it under `key`.
    """

    def __init__(self, journal: Journal, table: str, who: str, key: Key[int | None]) -> None:
        self._journal, self._who, self._key = journal, who, key
        self._story = Story(journal, table)
        self.last_published = 0

    def begin(self) -> None:
        """Load the progress before the table's thread starts; by default begin with the game on the table."""
        last = self._journal.recall(self._key)
        if last is None:
            last = _first(self._journal)
            self._journal.remember(self._key, last)
        self.last_published = last

    def publish_pending(self, publish: Callable[[Event], bool], ended: threading.Event) -> bool:
        """Publish all pending events, in order, until `ended`; return False as soon as one had no
        subscriber.
        """
        while not ended.is_set() and (entries := self._journal.entries_after(self.last_published, BATCH)):
            for event in self._story.events(self.last_published, entries):
                if ended.is_set():
                    return True
                if not publish(event):
                    return False
                self.last_published = event.entry
                self._journal.remember_with_next_commit(self._key, self.last_published)
        return True

    def end(self) -> None:
        """Store the progress, once the table's thread has ended."""
        try:
            self._journal.remember(self._key, self.last_published)
        except sqlite3.Error as error:
            log.warning(
                "%s: the progress cannot be stored, so some events are published again: %s", self._who, error
            )


class Story:
    """The journal's entries as events; caches the latest match, so that no entry is read twice."""

    def __init__(self, journal: Journal, table: str) -> None:
        self._journal, self._table = journal, table
        self._previous: Match | None = None
        self._current: Match | None = None

    def events(self, previous: int, entries: list[DatedEntry]) -> Iterator[Event]:
        """Yield the events of these entries, which follow the entry `previous`."""
        for at, entry, filed, undated in entries:
            self._previous = self._before(entry.seq, filed)
            self._current = self._previous.after(entry)
            yield event_of(self._table, previous, at, entry, self._previous, self._current, undated)
            previous = entry.seq

    def _before(self, seq: int, filed: Filed) -> Match:
        """Return the match before this entry of it, with the present names of its people."""
        was, now = self._previous, self._current
        known = was if now is not None and now.seq == seq else now  # the last one may be published again
        if known is not None and known.seq < seq and (known.id, known.header) == (filed.id, filed.header):
            return known
        return Match.of(filed, self._journal.entries_before(filed.id, seq))


def _first(journal: Journal) -> int:
    """Return the entry before the match on the table, or the last one there is."""
    filed = journal.current()
    return journal.seq() if filed is None else journal.entries(filed.id)[0].seq - 1
