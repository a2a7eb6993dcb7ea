"""What people chose once and are offered again: who plays, the last game, how much is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.store.journal import Journal
from companion.store.keys import Key

MOST_PEOPLE: Final = 40
PEOPLE: Final[Key[list[str]]] = Key("people", list[str], [])
LAST_GAME: Final[Key[dict[str, Any] | None]] = Key("last game", dict[str, Any], None)
USED_CARDS: Final = Key("used cards", bool, False)
LANDINGS: Final = Key("landings", bool, True)
CROWD: Final = Key("crowd", bool, True)


class Preferences:
    """Kept in the journal. Runs in the table's thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    @property
    def people(self) -> list[str]:
        """Names of those who have played, the latest first."""
        return self._journal.recall(PEOPLE)

    @property
    def last_game(self) -> dict[str, Any] | None:
        """What was asked for at the last new game; None before the first."""
        return self._journal.recall(LAST_GAME)

    def remember_game(self, asked: Mapping[str, Any]) -> None:
        """Keep what was asked for at the last new game, and the people's names, to offer them again."""
        self._journal.remember(PEOPLE, list(dict.fromkeys([*asked["seats"], *self.people]))[:MOST_PEOPLE])
        self._journal.remember(LAST_GAME, dict(asked))

    def rename(self, was: str, name: str) -> None:
        """Offer this name instead of that one for the next game."""
        if last := self.last_game:
            seats = [name if known == was else known for known in last["seats"]]
            self.remember_game({**last, "seats": seats})

    @property
    def used_cards(self) -> bool:
        """Whether used cards are shown where a game leaves that to memory."""
        return self._journal.recall(USED_CARDS)

    @used_cards.setter
    def used_cards(self, on: bool) -> None:
        self._journal.remember(USED_CARDS, on)

    @property
    def landings(self) -> bool:
        """Whether a seat's own cards say where each would land."""
        return self._journal.recall(LANDINGS)

    @landings.setter
    def landings(self, on: bool) -> None:
        self._journal.remember(LANDINGS, on)

    @property
    def crowd(self) -> bool:
        """Whether those who watch take part: favourites, cheers."""
        return self._journal.recall(CROWD)

    @crowd.setter
    def crowd(self, on: bool) -> None:
        self._journal.remember(CROWD, on)
