"""Rules of thumb for Giro Galoppo."""

from __future__ import annotations

import random
from typing import Final

from companion.bots.heuristics import Heuristics, best
from companion.games.giro.rules import GiroGaloppo, step
from companion.games.terms import Decision
from companion.odds.giro.card_features import danger, furthest, hand_of, push

SAVED: Final = 0.2  # for each point of a card that is left: a high one wins the last turns
PUSHED: Final = 2.0  # spaces lost by a horse that is pushed back


class GiroHeuristics(Heuristics[GiroGaloppo]):
    """Do not run into obstacles, waste the lowest card if one must go, do not stop where others land."""

    plays = GiroGaloppo

    def careful(self, view: GiroGaloppo, seat: int, rng: random.Random) -> Decision:
        """Choose a card by rule of thumb; obstacles anywhere, as they stop everybody alike."""
        if view.due != "play":
            return view.at_random(seat, rng)
        return best(list(view.decisions(seat)), lambda decision: _worth(view, seat, decision.what), rng)

    def reopened(self, view: GiroGaloppo, seat: int) -> GiroGaloppo:
        """Return the view in which only this seat has chosen a card."""
        return view.replaced(choices=(None,) * len(view.seats))


def _worth(view: GiroGaloppo, seat: int, card: int) -> float:
    """Return the score of playing this card: spaces that the hand brings the horse from then on, alone.

    A high card, and the danger of being pushed there, cost points; pushing another horse brings some.
    """
    obstacles = frozenset((*view.board.natural, *view.obstacles))
    made = step(view.progress, seat, card, obstacles)
    rest = frozenset(hand_of(view, seat)) - {card}
    if made.kind == "refused" or made.space is None:
        return furthest(view.progress[seat], rest, obstacles, view.board.finish)
    worth = furthest(made.space, rest, obstacles, view.board.finish)
    worth -= SAVED * card + PUSHED * danger(view, seat, made.space, card)
    if made.pushed is not None:
        worth += PUSHED * push(view, seat, made.space, card)
    return worth
