"""Sealed records of the games that ended at this table, from its journal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from companion.match.match import Match
from companion.match.record import CLOCK_NOT_SET, written
from companion.odds.luck_summary import Parts
from companion.publishing.sealed import Luck, Sealed, sealed, table_key
from companion.store.journal import Journal

ENDING: Final = ("decide", "redo", "change")  # kinds of entries that may end a game


class Results:
    """Sealed records of the table called `table`; its key is in `data`."""

    def __init__(self, journal: Journal, table: str, data: Path) -> None:
        self._journal, self._table, self._data = journal, table, data

    @cached_property
    def _key(self) -> Ed25519PrivateKey:
        return table_key(self._data)

    def of(self, match: int, entry: int, luck: Sequence[Parts] = ()) -> Sealed | None:
        """Return the game as this entry ended it, from any thread; None if it did not, or was forgotten
        since.

        The record has its `luck` by seat if that is known, from the argument or the journal.
        """
        entries = self._journal.entries_after(entry - 1, 1)
        if not entries or entries[0].entry.seq != entry or entries[0].filed.id != match:
            return None
        at, last, filed, undated = entries[0]
        game = Match.of(filed, self._journal.entries_before(match, entry)).after(last)
        if not game.finished:
            return None
        stored = self._journal.findings(match, "luck", entry).get(0, {})
        parts = [Luck(*parts[: len(Luck.__struct_fields__)]) for parts in luck or stored.get("parts", ())]
        record = written(filed.header, game.decisions(), CLOCK_NOT_SET if undated else None)
        return sealed(
            record,
            self._key,
            table=self._table,
            match=match,
            entry=entry,
            at=at,
            luck=parts or None,
            undated=undated,
        )

    def every(self) -> Iterator[Sealed]:
        """Yield all games that ended at this table, the first first."""
        for filed in reversed(self._journal.matches()):
            ends = [entry.seq for entry in self._journal.entries(filed.id) if entry.kind in ENDING]
            if ends and (result := self.of(filed.id, ends[-1])) is not None:
                yield result
