"""People who play any game through the mock API: they keep their own record, and hold their own cards."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from companion.games.judge import checked
from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Decision
from companion.match.record import decision_line
from tests.support.client import PATIENCE_S, Client, HttpError

LAID_S = (2, 5, 10, 20, 40, PATIENCE_S)
"""Seconds for which cards are on the pad, at each attempt: a slow machine gets more time."""


@dataclass
class People:
    """Everybody at one table. `race` is the game as they know it together: cards in hand, bets on paper."""

    client: Client
    race: Race
    rng: random.Random
    pads: bool = True  # cards are laid on the pad
    sensed: bool = False  # the track senses pieces: they are put where they should be
    secret: bool = False  # the companion dealt: everything secret is decided on the screen held open

    def __post_init__(self) -> None:
        self.uids = self.client.uids(self.race.name)
        if not self.secret and (deal := self.race.drawn(self.rng)) is not None:
            self.race = checked(self.race, deal)  # among themselves

    def play_to_the_end(self) -> None:
        """Play until the companion waits for no decision any more."""
        while (due := self.client.table["next"]) is not None:
            ours = self.race.awaits()
            assert ours is not None
            if not self.secret:
                assert (due["do"], due["seats"]) == (ours.do, sorted(ours.seats))
            self.decide(self.rng.choice(due["seats"]))

    def decide(self, seat: int) -> None:
        """Make one decision of this seat, as people make it: with cards, by tap, or opened on the screen."""
        if self.secret:
            self.held_open(seat)
            return
        decision = self.race.at_random(seat, self.rng)
        before: int = self.client.table["seq"]
        if self.pads and decision.do in ("play", "show"):
            self.lay(decision)
        else:
            self.client.decide(**decision_line(self.race, decision))
            self.client.until(lambda table: table["seq"] > before)
        self.race = checked(self.race, decision)
        self.put_pieces()

    def held_open(self, seat: int) -> None:
        """Choose among what the screen held open shows to this seat."""
        view = self.client.get(f"/api/seat?seat={seat}")
        lines = view["own"]["decisions"]
        if lines:
            self.client.decide(**self.rng.choice(lines))
        else:
            self.try_some(seat, view)
        self.put_pieces()

    def try_some(self, seat: int, view: dict[str, Any]) -> None:
        """Put together decisions until the rules allow one: there are too many to list."""
        for _ in range(500):
            with suppress(HttpError):
                self.client.decide(**self.put_together(seat, view))
                return
        raise AssertionError(f"nothing that was tried is allowed: {view}")

    def put_together(self, seat: int, view: dict[str, Any]) -> dict[str, Any]:
        do = view["next"]["do"]
        if do == "show":
            needed = presented(self.race).needed(do, seat)
            return {"do": do, "seat": seat, "cards": self.rng.sample(view["own"]["hand"], needed)}
        if do == "rank":
            return {"do": do, "order": self.rng.sample(list(self.race.pieces), 4)}
        dogs = self.rng.sample(list(self.race.pieces), 2)
        kind = self.rng.choice(["win", "place", "double"])
        bet = {"kind": kind, "dogs": dogs if kind == "double" else dogs[:1], "stake": 500}
        return {"do": do, "seat": seat, "bets": [bet]}

    def lay(self, decision: Decision) -> None:
        """Lay a decision's cards side by side; again if they were lifted too quickly to be seen off."""
        assert decision.seat is not None
        colour, before = self.race.field()[decision.seat], self.client.table["seq"]
        numbers = decision.what if decision.do == "show" else (decision.what,)
        for patience_s in LAID_S:
            self.client.pad(*(self.uids[f"card/{colour}/{number}"] for number in numbers))
            with suppress(AssertionError):
                self.client.until(lambda table: table["seq"] > before, patience_s)
            self.client.pad()
            if self.client.table["seq"] > before:
                return
        raise AssertionError(f"{decision} was laid in vain: {self.client.table}")

    def put_pieces(self) -> None:
        """Put every piece where the companion wants it, also where nothing is sensed."""
        if not self.sensed:
            return
        for task in self.client.table["todo"]:
            uid, space = self.uids[f"piece/{task['piece']}"], task["to"]["space"]
            lie = {tag: at["at"] for tag, at in self.client.get("/api/mock")["tags"].items()}
            if space is not None:
                there = [tag for tag, at in lie.items() if at == f"track/{space}" and tag != uid]
                self.client.space(space, *there, uid)
            elif lie[uid] != "off":
                left = [tag for tag, at in lie.items() if at == lie[uid] and tag != uid]
                self.client.space(int(lie[uid].removeprefix("track/")), *left)
        self.client.until(lambda table: not any(task["held"] for task in table["todo"]))
