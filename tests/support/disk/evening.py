"""All four games on a separate disk: `python -m tests.support.disk.evening DIRECTORY SEED DECISIONS`.

Cards are laid on the modelled pad, pieces moved on the modelled track, and decisions tapped, by hands that also undo
and change their mind. After each thing a line is written to the file `confirmed`: the number of the last entry
that the table shows.
"""

from __future__ import annotations

import os
import random
import sqlite3
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.errors import CompanionError
from companion.games.race import random_decision
from companion.games.terms import Decision
from companion.match.record import Header, decision_line
from tests.support.evening import Evening

GAMES = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")


class Hands:
    """People at a table, who see what is confirmed."""

    def __init__(self, directory: Path, rng: random.Random, confirmations: int) -> None:
        self.directory, self.rng, self.confirmations = directory, rng, confirmations

    def evening(self, game: str, decisions: int) -> None:
        """Play a game for so many decisions, then end it, set it aside or leave it running."""
        self.at = Evening(self.directory, game=game, seats=(), spaces=22)
        table = self.at.table
        if table.match is None:  # else one from before the power failed
            self.do(lambda: table.begin(Header(game, ("Ada", "Ben", "Cleo"))))
        for _ in range(decisions):
            self.do(self.act)
        self.do(lambda: self.rng.choice((table.end, table.set_aside))(table.snapshot.seq))
        self.at.journal.close()

    def do(self, deed: Callable[[], object]) -> None:
        """Do something, and say what is confirmed then; it may be refused, and the disk may not take it."""
        with suppress(CompanionError, sqlite3.Error):
            deed()
        with suppress(sqlite3.Error):
            self.tell()
        if self.rng.random() < 0.7:  # as a running companion does, in a thread of its own
            with suppress(sqlite3.Error):
                self.at.journal.checkpoint()

    def act(self) -> None:
        """Do one thing that a person at the table may do."""
        table = self.at.table
        due = random_decision(table.ledger.running().race, self.rng)
        chance = self.rng.random()
        if chance < 0.08:
            table.play.undo(table.snapshot.seq)
        elif chance < 0.12:
            table.play.redo(table.snapshot.seq)
        elif chance < 0.16:
            table.rename_seat(0, self.rng.choice(("Ada", "Adele", "Zoë")))
        elif due is None:
            table.end(table.snapshot.seq)
        elif chance < 0.6 and (card := self.card(due)) is not None:
            self.lay(card)
        else:
            table.play.decide(table.snapshot.seq, decision_line(table.ledger.running().race, due))

    def card(self, due: Decision) -> str | None:
        """Return a tagged card that makes this decision; None if it takes none or several."""
        race = self.at.race
        if due.do != "play" or due.seat is None:
            return None
        if due.what in race.pieces:
            return f"{due.what} {self.rng.randint(1, 3)}"
        return f"{race.field()[due.seat]} {due.what}" if race.owned else None

    def lay(self, card: str) -> None:
        """Move what is to be moved, then lay a card on the pad, and lift it."""
        for task in self.at.table.snapshot.todo:
            if task.to.zone == "track" and task.to.space is not None:
                self.at.put(task.piece, task.to.space)
        self.at.lay(card)
        self.at.lift()

    def tell(self) -> None:
        """Say what is confirmed: what the table shows."""
        os.write(self.confirmations, f"{self.at.table.snapshot.seq}\n".encode())


def main(directory: Path, seed: int, decisions: int) -> None:
    """Play all games, one after the other."""
    confirmations = os.open(directory / "confirmed", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    hands = Hands(directory, random.Random(seed), confirmations)
    for game in GAMES:
        with suppress(CompanionError, sqlite3.Error):  # a journal that cannot be opened says so
            hands.evening(game, decisions)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
