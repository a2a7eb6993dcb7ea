"""Choices that are stored and offered again: people, the last game, boxes of games, the host's switches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from companion.store.journal import Journal
from companion.store.keys import Key

MOST_PEOPLE: Final = 40
PEOPLE: Final[Key[list[str]]] = Key("people", list[str], [])
BOXES: Final[Key[dict[str, str]]] = Key("boxes", dict[str, str], {})
LAST_GAME: Final[Key[dict[str, Any] | None]] = Key("last game", dict[str, Any], None)


class Switches(NamedTuple):
    """The host's switches for the screens.

    `used_cards`: show the used cards, where a game leaves them to memory; `landings`: show where a seat's own
    cards would land; `crowd`: show what the spectators do; `remember_play`: remember how each person played,
    from game to game, for the odds of the next.
    """

    used_cards: bool = False
    landings: bool = True
    crowd: bool = True
    remember_play: bool = False


SWITCHES: Final[Mapping[str, Key[bool]]] = {
    name: Key(name.replace("_", " "), bool, on) for name, on in Switches()._asdict().items()
}


class Preferences:
    """The preferences, stored in the journal. Runs in the table's thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.boxes = journal.recall(BOXES)
        """The edition that is in the house, by game, where a person has said which."""

    @property
    def people(self) -> list[str]:
        """Names of those who have played, the latest first."""
        return self._journal.recall(PEOPLE)

    @property
    def last_game(self) -> dict[str, Any] | None:
        """The parameters of the last new game; None before the first."""
        return self._journal.recall(LAST_GAME)

    def remember_game(self, game: Mapping[str, Any]) -> None:
        """Store the parameters of the last new game, and the people's names, to offer them again."""
        people = list(dict.fromkeys([*game["seats"], *self.people]))[:MOST_PEOPLE]
        self._journal.remember(PEOPLE, people, (LAST_GAME, dict(game)))

    def remember_box(self, game: str, edition: str) -> None:
        """Store which edition of a game is in the house."""
        self.boxes = {**self.boxes, game: edition}
        self._journal.remember(BOXES, self.boxes)

    def rename(self, was: str, name: str) -> None:
        """Offer this name instead of that one for the next game."""
        if last := self.last_game:
            seats = [name if known == was else known for known in last["seats"]]
            self.remember_game({**last, "seats": seats})

    @property
    def switches(self) -> Switches:
        """The state of all switches."""
        return Switches(**{name: self._journal.recall(key) for name, key in SWITCHES.items()})

    def switch(self, **on: bool) -> Switches:
        """Turn these switches on or off, and store that."""
        for name, value in on.items():
            self._journal.remember(SWITCHES[name], value)
        return self.switches
