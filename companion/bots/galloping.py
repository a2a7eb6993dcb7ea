"""Rules of thumb for Galloping Pigs and Galloping Horse."""

from __future__ import annotations

import random
from collections.abc import Sequence

from companion.bots.heuristics import Heuristics, best
from companion.games.galloping.rules import Galloping, step
from companion.games.terms import Decision


class RunningHeuristics(Heuristics[Galloping]):
    """Take food; save a card that leads for the last turn; do not build a bridge to the front for others."""

    plays = Galloping
    playouts = 2500

    def brings(self, race: Galloping, seat: int) -> float:
        """Return the food, safe or not."""
        return race.kept[seat] + race.provisional[seat]

    def careful(self, view: Galloping, seat: int, rng: random.Random) -> Decision:
        """Choose cards by rule of thumb; the line-up of the animals does not matter before the deal."""
        if view.due != "play":
            return view.at_random(seat, rng)
        return best(self.sensible(view, seat, rng), lambda decision: self._worth(view, decision), rng)

    def _worth(self, view: Galloping, decision: Decision) -> tuple[float, ...]:
        """Return the worth in order of weight: a saved card that could lead now, food, how few could lead
        next.
        """
        after = view.after(decision)
        leading, rest = _can_lead(after), after.hands[view.turn]
        saved = view.last_card_decides and bool(leading.intersection(rest))
        return saved, self.brings(after, view.turn), -len(leading)

    def sensible(self, view: Galloping, seat: int, rng: random.Random) -> list[Decision]:
        """Return all cards and spaces; one line-up: before the deal they are all worth the same."""
        return [view.at_random(seat, rng)] if view.due == "line-up" else list(view.decisions(seat))

    def considered(self, view: Galloping, seat: int, rng: random.Random) -> Sequence[Decision]:
        """Return the decisions of the base class, but the line-up needs no thought."""
        return (
            self.sensible(view, seat, rng) if view.due == "line-up" else super().considered(view, seat, rng)
        )


def _can_lead(race: Galloping) -> set[str]:
    """Return the animals that a card would bring to the front, including the one that leads."""
    progress = tuple(race.progress.values())
    return {animal for animal, at in race.progress.items() if step(progress, at, race.spaces)[1]}
