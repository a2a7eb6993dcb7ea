"""A first game explains each step once: what is to be explained now, from the match and what was explained.

What can be explained is said by the game (`Presenter.explains`, `duties`, `happenings`).
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.errors import InvalidInput
from companion.games.presenter import presented
from companion.games.race import Race
from companion.match.entries import Filed
from companion.match.match import Match
from companion.store.journal import Journal
from companion.store.keys import Key


class Explained(msgspec.Struct):
    """What is kept of a game: whether it is explained, and the keys of what was read."""

    on: bool
    seen: list[str]


class Tutorial:
    """Whether the game on the table is explained, and what of it was; kept for each game."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.on = False
        self._shown: str | None = None
        self._seen: frozenset[str] = frozenset()

    def put_on_table(self, match: Match | None) -> None:
        """Another match lies on the table; None: none does."""
        kept = self._journal.recall(_key(match.header.game)) if match else None
        self.on, self._seen = (kept.on, frozenset(kept.seen)) if kept else (False, frozenset())

    def offers(self, game: str) -> bool:
        """Whether a new game should be explained: as was said last, else if none of its kind was finished."""
        kept = self._journal.recall(_key(game))
        if kept is not None:
            return kept.on
        return not any(filed.header.game == game for filed in self._finished())

    def is_first(self) -> bool:
        """Whether no game of any kind was ever finished here: then a new one is asked for step by step."""
        return not self._finished()

    def _finished(self) -> list[Filed]:
        return [filed for filed in self._journal.matches() if filed.state in ("finished", "played")]

    def due(self, match: Match | None) -> str | None:
        """What to explain now: the decision that people owe, else what happened since their last one."""
        if match is None or not self.on:
            return None
        known = (key for key in _occasions(match) if key in presented(match.race).explains)
        return next((key for key in known if key not in self._seen), None)

    def show(self, match: Match | None) -> str | None:
        """What is due, which people are told from now on."""
        self._shown = self.due(match)
        return self._shown

    def turn(self, match: Match, on: bool) -> None:
        """Switch it on or off; whoever switches it on wants everything explained again."""
        if on != self.on:
            self._keep(match, on, frozenset() if on else self._seen)

    def read(self, match: Match, key: str) -> None:
        """An explanation was read; InvalidInput if the game has none of this name."""
        if key not in presented(match.race).explains:
            raise InvalidInput(f"this game explains no {key}")
        self._keep(match, self.on, self._seen | {key})

    def decided(self, by_people: bool, before: Match, after: Match) -> None:
        """Something was decided: if by people, what they were told is old now; and a game ends some day."""
        key = self._shown if by_people else None
        if key is not None and _done(key, before.race, after.race):
            self._keep(after, self.on, self._seen | {key})
        if after.finished:
            self.turn(after, False)

    def _keep(self, match: Match, on: bool, seen: frozenset[str]) -> None:
        self.on, self._seen = on, seen
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


def _done(key: str, before: Race, after: Race) -> bool:
    """Whether a decision between these positions has made an explanation old.

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
