"""Explanations of each step of a first game: the one to show now, from the match and those already read.

The game defines its explanations (`Presenter.explains`, `duties`, `happenings`).
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.errors import InvalidInput
from companion.games.presenter import presented
from companion.games.race import Race
from companion.match.match import Match
from companion.store.journal import Journal
from companion.store.keys import Key


class Explained(msgspec.Struct):
    """The stored state of a game: `on` if it is explained, and the keys that were read."""

    on: bool
    seen: list[str]


class Tutorial:
    """The explanations of the game on the table; stored for each game."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.on = False
        self._shown: str | None = None
        self._read_keys: frozenset[str] = frozenset()

    def put_on_table(self, match: Match | None) -> None:
        """Load the state for another match; None: no match is on the table."""
        stored = self._journal.recall(_key(match.header.game)) if match else None
        self.on, self._read_keys = (stored.on, frozenset(stored.seen)) if stored else (False, frozenset())

    def offers(self, game: str) -> bool:
        """Return True if a new game should be explained: the last choice, else if none of its kind was
        finished.
        """
        stored = self._journal.recall(_key(game))
        if stored is not None:
            return stored.on
        return not self._journal.matches(("finished", "played"), [game], most=1)

    def show(self, match: Match | None) -> str | None:
        """Return the key to explain now, and remember that it is shown: of the decision that people owe, else
        of an event since their last one.
        """
        self._shown = None
        if match is not None and self.on:
            new = presented(match.race).explains.keys() - self._read_keys
            self._shown = next((key for key in _occasions(match) if key in new), None)
        return self._shown

    def turn(self, match: Match, on: bool) -> None:
        """Switch the explanations on or off; switching them on starts all of them again."""
        if on != self.on:
            self._store(match, on, frozenset() if on else self._read_keys)

    def read(self, match: Match, key: str) -> None:
        """Mark an explanation as read; InvalidInput if the game has none of this name."""
        if key not in presented(match.race).explains:
            raise InvalidInput(f"this game explains no {key}")
        self._store(match, self.on, self._read_keys | {key})

    def decided(self, by_people: bool, before: Match, after: Match) -> None:
        """Update after a decision: people's makes the shown explanation old; the end of the game switches
        off.
        """
        key = self._shown if by_people else None
        if key is not None and _is_outdated(key, before.race, after.race):
            self._store(after, self.on, self._read_keys | {key})
        if after.finished:
            self.turn(after, False)

    def _store(self, match: Match, on: bool, seen: frozenset[str]) -> None:
        self.on, self._read_keys = on, seen
        self._journal.remember(_key(match.header.game), Explained(on, sorted(seen)))


def _key(game: str) -> Key[Explained | None]:
    return Key(f"explain {game}", Explained, None)


def _occasions(match: Match) -> Iterator[str]:
    race = match.race.seen_by(None)
    awaited = race.awaits()
    if awaited and (not awaited.seats or not all(match.bots[seat] for seat in awaited.seats)):
        yield from presented(race).duties()
    for turn in match.last_group():
        yield from presented(turn.race.seen_by(None)).happenings()


def _is_outdated(key: str, before: Race, after: Race) -> bool:
    """Return True if a decision between these positions has made an explanation old.

    It has not while others still owe what was explained, as when everybody bets.
    """
    was, now = before.awaits(), after.awaits()
    if (
        was is None
        or now is None
        or key not in presented(before).duties()
        or key not in presented(after).duties()
    ):
        return True
    return not (was.do == now.do and set(now.seats) < set(was.seats))
