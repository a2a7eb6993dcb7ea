"""The games that were played to their end in this house, and who leads, over all of them and by game."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from companion import games
from companion.history.leaderboard import Row, Seated, ranked, seated_in
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
        self._known: dict[int, tuple[str, Sequence[Seated]]] = {}  # by number: the sum of its row, its seats
        self._boards: Sequence[Board] | None = None

    def boards(self) -> Sequence[Board]:
        """Return a board over all games if several were played, and one for each."""
        with self._lock:
            if self._read() or self._boards is None:
                self._boards = list(_boards([seats for _, seats in self._known.values()]))
            return self._boards

    def _read(self) -> bool:
        """Read what has changed; return True if something has."""
        numbers, changed = self._journal.played({number: row for number, (row, _) in self._known.items()})
        if not changed and len(numbers) == len(self._known):
            return False
        known = self._known | {filed.id: (row, tuple(seated_in(filed))) for row, filed in changed}
        self._known = {number: known[number] for number in numbers}
        return True


def _boards(played: Sequence[Sequence[Seated]]) -> list[Board]:
    by_game: dict[str, list[Sequence[Seated]]] = {name: [] for name in games.all_games()}
    played = [seats for seats in played if seats and seats[0].game in by_game]
    for seats in played:
        by_game[seats[0].game].append(seats)
    kinds = [name for name, of_it in by_game.items() if of_it]
    found = [_board(None, played)] if len(kinds) != 1 else []
    return found + [_board(name, by_game[name]) for name in kinds]


def _board(game: str | None, played: Sequence[Sequence[Seated]]) -> Board:
    return Board(game, len(played), ranked(chain.from_iterable(played)))
