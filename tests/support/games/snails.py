"""A tiny game of simultaneous secret choices, so that secrets shape everything from the start.

Every round each snail picks a leaf, 1 to 3, secretly. When the last pick is in they are shown: who picked
a number that no other snail picked moves so far. After three rounds the snail that is furthest wins.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from companion.games.forms import Form, Option, whole_number
from companion.games.presenter import OUT_OF_TURN, Presenter
from companion.games.race import Race, checked_options, checked_seats, out_of_turn
from companion.games.terms import HIDDEN, Awaited, Decision, News, Place, Sealed
from companion.message import N_, NN_

LEAVES = (1, 2, 3)


@dataclass(frozen=True)
class Snails(Race):
    """A position: who has picked what this round (None: not yet; HIDDEN: something)."""

    latest: tuple[News, ...] = field(hash=False)
    rounds: int
    round: int
    picks: tuple[int | str | None, ...]
    progress: tuple[int, ...]

    name = "snail-sprint"
    title = N_("Snail Sprint")
    animal = "snail"
    pieces = {"red": N_("the |red snail"), "blue": N_("the |blue snail"), "green": N_("the |green snail")}
    seat_counts = (2, 3)
    options = (Option("rounds", 3, N_("rounds"), N_("How many rounds are played."), 1, 20),)
    forms = {"pick": Form(True, "leaf", int)}
    private = frozenset({"pick"})

    @classmethod
    def new(cls, seats: Sequence[str], start: int = 0, **options: Any) -> Self:
        names = checked_seats(cls, seats)
        whole_number("start", start, 0, len(names) - 1)
        none = (None,) * len(names)
        return cls(
            names,
            start,
            (),
            **checked_options(cls, options),
            round=1,
            picks=none,
            progress=(0,) * len(names),
        )

    def awaits(self) -> Awaited | None:
        if self.round > self.rounds:
            return None
        return Awaited("pick", tuple(s for s, pick in enumerate(self.picks) if pick is None))

    def decisions(self, seat: int | None) -> Iterable[Decision]:
        due = self.awaits()
        if due is None or seat not in due.seats:
            return ()
        return [Decision("pick", seat, leaf) for leaf in LEAVES]

    def illegal_reason(self, decision: Decision) -> News | None:
        reason = out_of_turn(self, decision)
        if reason is None and decision.what not in (*LEAVES, HIDDEN):
            return News("no-leaf", {"text": str(decision.what)})
        return reason

    def after(self, decision: Decision) -> Self:
        assert decision.seat is not None
        picks = (*self.picks[: decision.seat], decision.what, *self.picks[decision.seat + 1 :])
        if None in picks:
            return self.replaced(picks=picks, latest=(News("picked", {"seat": decision.seat}),))
        news = [News("shown", {"seat": s, "leaf": pick}) for s, pick in enumerate(picks)]
        progress = list(self.progress)
        for seat, pick in enumerate(picks):
            if isinstance(pick, int) and picks.count(pick) == 1:
                progress[seat] += pick
                news.append(
                    News("moved", {"seat": seat, "piece": self._colour(seat), "space": progress[seat] % 22})
                )
        return self.replaced(
            round=self.round + 1, picks=(None,) * len(picks), progress=tuple(progress), latest=tuple(news)
        )

    def _colour(self, seat: int) -> str:
        return list(self.pieces)[seat]

    @property
    def news(self) -> Sequence[News]:
        return self.latest

    def scores(self) -> Sequence[int]:
        return self.progress

    def state(self) -> dict[str, Any]:
        return {"round": min(self.round, self.rounds), "progress": list(self.progress)}

    def layout(self) -> Mapping[str, Place]:
        return {self._colour(s): Place("track", p % 22) for s, p in enumerate(self.progress)}

    def seen_by(self, seat: int | None) -> Self:
        return self.replaced(
            picks=tuple(p if p is None or s == seat else HIDDEN for s, p in enumerate(self.picks))
        )

    def guessed(self, rng: random.Random) -> Self:
        return self.replaced(picks=tuple(rng.choice(LEAVES) if p == HIDDEN else p for p in self.picks))

    def sealed(self, decision: Decision) -> Sealed | None:
        return Sealed() if self.picks.count(None) > 1 else None

    def secrets_of(self, seat: int) -> Mapping[str, Any]:
        return {"choice": self.picks[seat]}


class SnailsPresenter(Presenter[Snails], of=Snails):
    """Its words."""

    words = {
        **OUT_OF_TURN,
        "pick": N_("a leaf"),
        "no-leaf": N_("a leaf is 1, 2 or 3, not {text}"),
        "picked": N_("{seat} has picked"),
        "shown": N_("{seat} picked {leaf}"),
        "moved": N_("{piece} to {space}"),
        "due-pick": NN_("{count} snail picks a leaf", "{count} snails pick a leaf"),
        "won": N_("{seat} wins with {score}"),
        "shared": N_("{names} share the victory with {score}"),
    }
