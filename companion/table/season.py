"""The games that were played to their end in this house, and who leads, over all of them and by game."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

from companion import games
from companion.history.leaderboard import Row, leaderboard
from companion.match.entries import Filed
from companion.store.journal import Journal


class Board(NamedTuple):
    """The leaderboard of a game, None over all games, and how many games it counts."""

    game: str | None
    games: int
    rows: Sequence[Row]


class Season:
    """The leaderboards, from any thread: the table does not wait.

    A game is read once, and again when its row has changed. Boards are computed again when a game has.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal, self._lock = journal, threading.Lock()
        self._known: dict[int, tuple[str, Filed]] = {}  # by number: the sum of its row, and the game
        self._boards: Sequence[Board] | None = None

    def boards(self) -> Sequence[Board]:
        """Return a board over all games if several were played, and one for each."""
        with self._lock:
            if self._read() or self._boards is None:
                self._boards = list(_boards([filed for _, filed in self._known.values()]))
            return self._boards

    def _read(self) -> bool:
        """Read what has changed; return True if something has."""
        numbers, changed = self._journal.played({number: row for number, (row, _) in self._known.items()})
        if not changed and len(numbers) == len(self._known):
            return False
        known = self._known | {filed.id: (row, filed) for row, filed in changed}
        self._known = {number: known[number] for number in numbers}
        return True


def _boards(played: Sequence[Filed]) -> list[Board]:
    installed = games.all_games()
    played = [filed for filed in played if filed.header.game in installed]
    kinds = [name for name in installed if any(filed.header.game == name for filed in played)]
    found = [Board(None, len(played), leaderboard(played))] if len(kinds) != 1 else []
    for name in kinds:
        of_it = [filed for filed in played if filed.header.game == name]
        found.append(Board(name, len(of_it), leaderboard(of_it)))
    return found
