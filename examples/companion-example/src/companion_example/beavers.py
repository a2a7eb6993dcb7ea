"""Beaver Creek: beavers swim up a creek, 1, 2 or 3 spaces; one that lands on another pushes it
back by one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from companion.games.forms import Form, Option, whole_number
from companion.games.presenter import OUT_OF_TURN, Presenter
from companion.games.race import Race, checked_options, checked_seats, out_of_turn
from companion.games.terms import Awaited, Decision, News, Place
from companion.message import N_

STROKES = (1, 2, 3)


@dataclass(frozen=True)
class BeaverCreek(Race):
    """A position: the seat to move, the progress of each beaver, and the last decision."""

    length: int
    turn: int
    progress: tuple[int, ...]
    last: Decision | None

    name = "beaver-creek"
    title = N_("Beaver Creek")
    animal = "beaver"
    pieces = {"brown": N_("the |brown beaver"), "blue": N_("the |blue beaver"), "red": N_("the |red beaver")}
    numbers = 3  # tagged cards 1 to 3 of each colour
    seat_counts = (2, 3)
    options = (Option("length", 12, N_("length"), N_("How far it is to the lodge."), 4, 60),)
    forms = {"swim": Form(True, "far", int)}

    @classmethod
    def new(cls, seats: Sequence[str], start: int = 0, **options: Any) -> Self:
        """Return the opening: every beaver at the mouth of the creek."""
        names = checked_seats(cls, seats)
        whole_number("start", start, 0, len(names) - 1)
        given = checked_options(cls, options)
        return cls(names, start, **given, turn=start, progress=(0,) * len(names), last=None)

    def awaits(self) -> Awaited | None:
        """Return the seat that owes a stroke, until one is at the lodge."""
        return None if max(self.progress) > self.length else Awaited("swim", (self.turn,))

    def decisions(self, seat: int | None) -> Iterable[Decision]:
        """Return all strokes of this seat."""
        due = self.awaits()
        return [Decision("swim", seat, far) for far in STROKES] if due and seat in due.seats else ()

    def illegal_reason(self, decision: Decision) -> News | None:
        """Return why a decision is illegal: out of turn, or no stroke."""
        reason = out_of_turn(self, decision)
        if reason is None and decision.what not in STROKES:
            return News("no-stroke", {"text": str(decision.what)})
        return reason

    def after(self, decision: Decision) -> Self:
        """Return the position after a stroke; a beaver on the target space floats back one."""
        to = self.progress[self.turn] + decision.what
        floats = (space - (space == to) for space in self.progress)
        progress = tuple(to if seat == self.turn else space for seat, space in enumerate(floats))
        return self.replaced(progress=progress, turn=(self.turn + 1) % len(progress), last=decision)

    @property
    def news(self) -> Sequence[News]:
        """The last stroke."""
        if self.last is None or self.last.seat is None:
            return []
        seat = self.last.seat
        at = {"stop": self.progress[seat], "space": self.progress[seat]}
        return [News("moved", {"seat": seat, "piece": self.field()[seat], **at})]

    def scores(self) -> Sequence[int]:
        """Return the progress of each seat."""
        return self.progress

    def state(self) -> dict[str, Any]:
        """Return the position for the record."""
        return {"progress": list(self.progress)}

    def field(self) -> Sequence[str]:
        """Return a beaver for each seat."""
        return tuple(self.pieces)[: len(self.seats)]

    def layout(self) -> Mapping[str, Place]:
        """Return the place of each beaver on the creek."""
        return {colour: Place("track", at) for colour, at in zip(self.field(), self.progress, strict=True)}

    def track(self) -> Mapping[str, Any]:
        """Return a loop, with room behind the lodge for the longest stroke."""
        return {"kind": "loop", "spaces": self.length + 4}

    def laid(self, colour: str, number: int) -> Decision | None:
        """Return the stroke of a card: it moves the seat of its colour."""
        return Decision("swim", self.field().index(colour), number) if colour in self.field() else None

    def seen_by(self, seat: int | None) -> Self:
        """Return the position: nothing is secret."""
        return self

    def guessed(self, rng: random.Random) -> Self:
        """Return the position: nothing has to be guessed."""
        return self


class BeaverCreekPresenter(Presenter[BeaverCreek], of=BeaverCreek):
    """The sentences of the game."""

    words = {
        **OUT_OF_TURN,
        "swim": N_("a stroke"),
        "no-stroke": N_("a beaver swims 1, 2 or 3 spaces, not {text}"),
        "moved": N_("{piece} to {space}"),
        "due-swim": N_("{seat}, swim"),
        "won": N_("{seat} is at the lodge"),
        "shared": N_("{names} are at the lodge"),
    }
