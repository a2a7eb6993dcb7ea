"""Moments of an evening, the same every time: games played through the table up to where something can be seen.

A game is played once, in memory, with a dealer and players that follow a seed. A moment is its journal up to
some decision; a companion that is started on it finds the game as it was left.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from companion.devices.mock.tags import DEMO_SET
from companion.games.race import Race
from companion.match.entries import Entry, MatchState
from companion.match.match import Match
from companion.match.record import Header, decision_line, standings
from companion.match.turn import Turn
from companion.odds.estimate import answers
from companion.odds.styles import learned
from companion.store.checksums import know_checksums, seal
from companion.store.journal import Journal
from companion.table.table import Table

UID = {means: uid for uid, means in DEMO_SET.items()}


@dataclass(frozen=True)
class Story:
    """A game that always goes the same way: who plays it, how, and the seed of all chance."""

    game: str
    seats: tuple[str, ...]
    seed: int
    options: Mapping[str, Any] = field(default_factory=dict)
    deal: str = "people"
    colours: tuple[str, ...] = ()
    nicknames: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def entries(self) -> list[Entry]:
        """The whole game as the journal has it."""
        rng, journal = random.Random(self.seed), Journal(":memory:")
        table = Table(journal, dealer=random.Random(self.seed)).open()
        number = table.begin(
            Header(self.game, self.seats, 0, dict(self.options)), self.deal, self.colours, self.nicknames
        )
        while table.match is not None and (due := table.match.race.awaits()) is not None:
            race = table.match.race
            decision = race.at_random(rng.choice(due.seats), rng)
            table.play.decide(journal.seq(), decision_line(race, decision))
        entries = journal.entries(number)
        journal.close()
        return entries

    @cached_property
    def match(self) -> Match:
        """The finished match."""
        journal = Journal(":memory:")
        filed, _ = self._begun(journal)
        journal.close()
        return Match.of(filed, self.entries)

    def _begun(self, journal: Journal) -> Any:
        header = Header(self.game, self.seats, 0, dict(self.options))
        race = header.opening().known_as(self.colours, self.nicknames)
        return journal.begin(header, self.deal, race.field() if race.owned else (), race.nicknames)

    def where(self, seen: Callable[[Race, Turn], bool], after: int = 0) -> int:
        """Return how many decisions there are before the first one, from `after` on, that matches.

        `seen` gets the position before a decision and the decision with the position after it.
        """
        turns = self.match.turns
        before = [self.match.opening, *(turn.race for turn in turns)]
        for n in range(after, len(turns)):
            if turns[n].by != "companion" and seen(before[n], turns[n]):
                return n
        raise LookupError(f"{self.game} with seed {self.seed} never gets there")

    def write(self, directory: Path, decisions: int) -> None:
        """Put the game with its first `decisions` into a new journal there, and every piece where it belongs."""
        journal = Journal(directory / "journal.sqlite")
        filed, _ = self._begun(journal)
        match = Match.of(filed, self.entries[: decisions + 1])
        state: MatchState = "finished" if match.finished else "running"
        journal.append(filed.id, self.entries[1 : decisions + 1], state, standings(match.race))
        journal.close()
        _date(directory, filed.id)
        self.put_pieces(directory, match.race)

    def line(self, turn: Turn) -> dict[str, Any]:
        """Return a decision of this game as a record line."""
        return decision_line(self.match.opening, turn.decision)

    def put_pieces(self, directory: Path, race: Race, spaces: int = 22) -> None:
        """Write where the virtual table finds every piece that stands on a sensed space."""
        first = 0 if race.track()["kind"] == "loop" else 1  # readers are counted from 0
        lie = {
            UID[f"{self.game}/piece/{piece}"]: f"track/{place.space - first}"
            for piece, place in race.layout().items()
            if place.zone == "track" and place.space is not None and place.space - first < spaces
        }
        (directory / "mock-table.json").write_text(json.dumps({"tags": lie}), encoding="utf-8")


def _date(directory: Path, match: int) -> None:
    """Let a match have begun one evening, an hour after the one before it."""
    with closing(sqlite3.connect(directory / "journal.sqlite")) as db, db:
        know_checksums(db)
        began = f"2026-05-01T{17 + match}:30:00+00:00"
        db.execute("update matches set began = ? where id = ?", (began, match))
        seal(db, "matches", "id = ?", match)


def last_chances(positions: Sequence[Race], match: int) -> tuple[Any, ...]:
    """Return the last odds that a companion gives for the last of these positions of its match `match`."""
    *_, last = answers(positions[-1].seen_by(None), match, belief=learned(positions))
    return last


def happens(*kinds: str) -> Callable[[Race, Turn], bool]:
    """Return a function that is true for a decision that brings such news to everybody."""
    return lambda race, turn: any(news.kind in kinds for news in turn.race.seen_by(None).news)
