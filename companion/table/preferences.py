"""What people chose once and are offered again: who plays, the last game, how much is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.store.journal import Journal

MOST_PEOPLE: Final = 40


class Preferences:
    """Kept in the journal. Runs in the table's thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    @property
    def people(self) -> list[str]:
        """Names of those who have played, the latest first."""
        return list(self._journal.kept("people") or [])

    @property
    def last_game(self) -> dict[str, Any] | None:
        """What was asked for at the last new game; None before the first."""
        game: dict[str, Any] | None = self._journal.kept("last game")
        return game

    def remember_game(self, asked: Mapping[str, Any]) -> None:
        """Keep what was asked for at the last new game, and the people's names, to offer them again."""
        self._journal.keep("people", list(dict.fromkeys([*asked["seats"], *self.people]))[:MOST_PEOPLE])
        self._journal.keep("last game", dict(asked))

    def rename(self, was: str, name: str) -> None:
        """Offer this name instead of that one for the next game."""
        if last := self.last_game:
            seats = [name if known == was else known for known in last["seats"]]
            self.remember_game({**last, "seats": seats})

    @property
    def used_cards(self) -> bool:
        """Whether used cards are shown where a game leaves that to memory."""
        return bool(self._journal.kept("used cards"))

    @used_cards.setter
    def used_cards(self, on: bool) -> None:
        self._journal.keep("used cards", on)
