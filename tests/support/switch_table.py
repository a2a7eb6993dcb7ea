"""A table with a track of switches and nothing else: real pieces, real referee and match, time moved by hand."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.devices.readings import PresenceSeen
from companion.games import find_by_name
from companion.games.race import Race, random_decision
from companion.games.terms import Decision
from companion.match.entries import Entry, Filed
from companion.match.match import Match
from companion.match.record import Header, decision_line
from companion.referee.evaluation import Evaluation
from companion.referee.sensors import Sensors
from companion.table.snapshot import Snapshot, compared
from hardware import magnets
from hardware.sizes import sizes
from tests.support.hands import Hands

NAMES = ("Ada", "Ben", "Cleo", "Dev", "Emma", "Fay", "Gus")
COLOURS = ("red", "blue", "green", "yellow", "pink")
OPTIONS: Mapping[str, dict[str, Any]] = {"galloping-pigs": {"rounds": 2}, "greyhounds": {"lap": 12}}
LAP = {"greyhounds": 12}


class SwitchTable:
    """Pieces stand where hands have put them; the switches report which spaces are taken."""

    def __init__(self, game: str, seed: int, sensors: int | None = None) -> None:
        self.game = find_by_name(game)
        self.rng = random.Random(f"{game} {seed}")
        self.sensors = sensors or LAP.get(game, 22)
        self.now = 100.0
        self.stands: dict[str, int] = {}  # piece: sensor
        self.off: dict[str, float] = {}  # piece: mm off the middle of its space
        self.aim = random.Random(f"aim {game} {seed}")
        self.unknown: set[int] = set()  # sensors that tell nothing
        self.state = Sensors()
        self.snapshot = Snapshot(0, False)
        self.match: Match | None = None
        self._number, self._seq = 0, 0
        self.show()
        self.begin()

    # --- the game --------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin a new match of a random number of seats."""
        low, high = self.game.seat_counts
        seats = NAMES[: self.rng.randint(low, high)]
        colours = tuple(self.rng.sample(COLOURS, len(seats))) if self.game.owned else ()
        options = dict(self.game.least.get(len(seats), {})) | OPTIONS.get(self.game.name, {})
        header = Header(self.game.name, seats, 0, options)
        self._number += 1
        self.match = Match.of(Filed(self._number, header, "people", colours, "running", ""), ())
        self.wait()

    @property
    def race(self) -> Race:
        assert self.match is not None
        return self.match.race

    def decide(self, decision: Decision | None = None) -> bool:
        """Make a decision by tap, at random if none is given; return False if the game is over."""
        decision = decision or random_decision(self.race, self.rng)
        if decision is None:
            return False
        self._enter(Entry("decide", decision_line(self.race, decision)))
        return True

    def undo(self) -> None:
        """Take back the last decision, if there is one."""
        assert self.match is not None
        if self.match.turns:
            self._enter(Entry("undo"))

    def trust(self, piece: str) -> None:
        """Trust that this piece stands right, as a person says."""
        seen = (self.snapshot.seen or {}).get(piece)
        self._enter(Entry("trust", {"piece": piece, "seen": seen}))

    def next(self) -> None:
        """Press the button: the messages shown were read."""
        self.state = self.state.after_dismissing(self.match, {}, ())
        self.look()

    def _enter(self, entry: Entry) -> None:
        assert self.match is not None
        self._seq += 1
        self.match = self.match.after(entry._replace(seq=self._seq))
        self.state = self.state.after_decision(self.match, {})
        self.look()

    def restart(self) -> None:
        """Cut the power and restore it: the match is known, and what the switches report now."""
        self.state = Sensors()
        self.show()
        self.wait()

    # --- hands -----------------------------------------------------------------------------------

    def lift(self, piece: str, wait: float = 1.0) -> None:
        """Take a piece off the track."""
        self.stands.pop(piece, None)
        self.show()
        self.wait(wait)

    def put(self, piece: str, sensor: int, wait: float = 1.0) -> None:
        """Set a piece down, also on a sensor that is occupied; it may slip to the edge of the dish."""
        self.stands[piece] = sensor
        self.off[piece] = min(Hands().offset.of(self.aim), sizes()["switch_near"] + sizes()["play"])
        self.show()
        self.wait(wait)

    def targets(self) -> dict[str, int | None]:
        """Return the sensor over which each piece should stand; None off the track, and for all others."""
        race, waiting = self.race, self.race.unsensed()
        targets: dict[str, int | None] = dict.fromkeys(race.field())
        for piece, place in race.layout().items():
            if place.space is not None and piece not in waiting:
                sensor = place.space - race.first_space
                targets[piece] = sensor if sensor < self.sensors else None
        return targets

    def wrong(self) -> list[str]:
        """Return the pieces that do not stand where they should."""
        return [piece for piece, target in self.targets().items() if self.stands.get(piece) != target]

    def tidy(self) -> None:
        """Put each piece where it should stand, in any order, also next to one that is still to leave."""
        wrong = self.wrong()
        self.rng.shuffle(wrong)
        for piece in wrong:
            if piece in self.stands:
                self.lift(piece)
            target = self.targets()[piece]
            if target is not None:
                self.put(piece, target)
        self.wait(2)

    # --- what is shown ---------------------------------------------------------------------------

    def show(self) -> None:
        """Report the state of the switches."""
        certain = magnets.verdict(magnets.chosen()).certain
        felt = {sensor for piece, sensor in self.stands.items() if self.off.get(piece, 0.0) <= certain}
        closed = {sensor: sensor in felt for sensor in range(self.sensors)}
        spaces = {sensor: None if sensor in self.unknown else there for sensor, there in closed.items()}
        self.state = self.state.after_track(PresenceSeen(spaces), self.now)
        self.look()

    def evaluation(self) -> Evaluation:
        """Return what the referee says now."""
        return Evaluation(self.state, self.match, {}, self.now)

    def look(self) -> None:
        """Evaluate the table, as it does after each message."""
        self.state = self.state.advanced(self.match, self.now)
        evaluation = self.evaluation()
        self.snapshot = compared(self.snapshot, evaluation)
        self.state = replace(self.state, ended_trust=evaluation.ended_trust)

    def wait(self, seconds: float = 1.0) -> None:
        """Time passes; the table wakes up when it wants to."""
        until = self.now + seconds
        while (deadline := self.evaluation().next_deadline) is not None and deadline <= until:
            self.now = deadline
            self.look()
        self.now = until
        self.look()

    @property
    def held(self) -> list[str]:
        """The pieces for whose sake the next card waits."""
        return [task.piece for task in self.snapshot.todo if task.held]

    @property
    def reports(self) -> list[str]:
        """Everything that is said."""
        tasks = [str(task.text) + "!" * task.held for task in self.snapshot.todo]
        return [*tasks, *(str(alert.text) for alert in self.snapshot.alerts)]
