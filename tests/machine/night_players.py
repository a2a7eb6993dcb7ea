"""In a modelled machine: people who say what they are about to do, and what they are shown.

They say `ASKED`, `KEPT` with all decisions of the game, `TABLE` with seconds of table time, `JUDGED` when the screen shows
what pencil and paper give, `WRONG` if not, and `GAME` at the end of one.
"""

from __future__ import annotations

import random
from typing import Final

from companion import games
from companion.games.boxes import options_for
from companion.games.terms import Decision
from companion.match.match import Match
from companion.match.record import Header, decision_line, decision_of
from tests.machine.player import decisions, say
from tests.support.client import Client
from tests.support.together.evening import NAMES, SPACES, VARIANTS, differing
from tests.support.together.people import People, Position

GAMES: Final = ("galloping-pigs", "giro-galoppo", "galloping-horse", "greyhounds")


class Players(People):
    """People who say what they are about to do, and play a game on that was there before the power was cut."""

    def __init__(self, host: Client, header: Header, rng: random.Random, match: Match | None = None) -> None:
        self.match = match
        super().__init__(host, header, rng, SPACES)

    def _begin(self) -> int:
        if self.match is None:
            say("ASKED", {"do": "new game"})
            return super()._begin()
        position = self._opening()
        self.past.append(position)
        for line in decisions(self.match):
            position = self.after(position, decision_of(position.race, line), None)
            self.past.append(position)
        return self.match.id

    def _keep(self, position: Position) -> None:
        super()._keep(position)
        say("KEPT", list(position.lines))
        table = self.table
        if self.known.get(table["seq"]) is position:
            if wrong := differing(position, table):
                say("WRONG", wrong)
            else:
                say("JUDGED", table["seq"])

    def decide(self, decision: Decision) -> None:
        say("ASKED", decision_line(self.now.race, decision))
        super().decide(decision)

    def undo(self) -> None:
        say("ASKED", {"do": "undo"})
        super().undo()

    def redo(self) -> None:
        say("ASKED", {"do": "redo"})
        super().redo()

    def change(self) -> None:
        say("ASKED", {"do": "change"})
        super().change()


def header_of(rng: random.Random) -> Header:
    """Return a new game."""
    name = rng.choice(GAMES)
    game = games.find_by_name(name)
    low, high = game.seat_counts
    seats = NAMES[: rng.randint(low, high)]
    options = options_for(game, len(seats)) | rng.choice(VARIANTS[name])
    return Header(name, seats, rng.randrange(len(seats)), options)


def play(players: Players) -> None:
    """Play a game to its end."""
    before = players.table_s
    while players.deed():
        say("TABLE", players.table_s - before)
        before = players.table_s
    say("GAME", players.header.game)
