"""What real tables publish, without a broker: games played through a journal, as messages in their order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.games.race import random_decision
from companion.hub.validation import TableMessage
from companion.match.record import Header, decision_line
from companion.publishing.elsewhere import pages
from companion.publishing.events import happened
from companion.publishing.results import Results
from companion.publishing.sealed import table_key
from companion.publishing.signing import signed
from companion.publishing.story import BATCH, Story
from companion.reply import encoded
from companion.store.clock import Clock
from companion.store.journal import Journal
from companion.table.table import Table

PEOPLE: Final = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil", "Hana")


class Evening:
    """A table, called `name`, that plays what a test says; `messages` yields all its messages so far."""

    def __init__(self, directory: Path, name: str, seed: int, dated_by: Clock | None = None) -> None:
        self.name, self._rng = name, random.Random(seed)
        directory.mkdir(parents=True, exist_ok=True)
        self.journal = Journal(directory / "journal.sqlite", dated_by=dated_by)
        self.table = Table(self.journal, dealer=random.Random(seed)).open()
        self._results = Results(self.journal, name, directory)
        self._key = table_key(directory)

    def play(self, game: str, seats: tuple[str, ...]) -> None:
        """Play a whole game at random."""
        self.table.begin(Header(game, seats), "companion")
        self.go_on()

    def go_on(self) -> None:
        """Play the game on the table to its end."""
        while (race := self.table.ledger.running().race).awaits() is not None:
            decision = random_decision(race, self._rng)
            assert decision is not None
            self.table.play.decide(self.table.snapshot.seq, decision_line(race, decision))

    def undo(self) -> None:
        """Take back the last decision."""
        self.table.play.undo(self.table.snapshot.seq)

    def messages(self) -> Iterator[TableMessage]:
        """Yield all its messages, as its broker passes them on."""
        story, last = Story(self.journal, self.name), 0
        yield TableMessage(self.name, "here", b"here")
        yield self._signed("page", encoded(pages(self.table.snapshot)))
        while entries := self.journal.entries_after(last, BATCH):
            for event in story.events(last, entries):
                if happened(event) == "won" and (result := self._results.of(event.match, event.entry)):
                    yield TableMessage(self.name, "records", encoded(result))
                yield self._signed("events", encoded(event))
                last = event.entry

    def close(self) -> None:
        """End the evening."""
        self.journal.close()

    def _signed(self, kind: str, payload: bytes) -> TableMessage:
        (_, key), (_, signature) = signed(self._key, self.name, kind, payload)
        return TableMessage(self.name, kind, payload, key, signature)
