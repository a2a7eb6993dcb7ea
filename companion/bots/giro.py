"""Rules of thumb for Giro Galoppo."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Final

from companion.bots.heuristics import Heuristics, best
from companion.games.giro.rules import CARDS, GiroGaloppo, step
from companion.games.terms import Decision

TURN: Final = 8.0  # spaces that a turn is worth, once the line can be crossed with the cards in hand
SAVED: Final = 0.2  # for each point of a card that is left: a high one wins the last turns
PUSHED: Final = 2.0  # spaces lost by a horse that is pushed back


class GiroHeuristics(Heuristics[GiroGaloppo]):
    """Do not run into obstacles, waste the lowest card if one must go, do not stop where others land."""

    plays = GiroGaloppo

    def careful(self, view: GiroGaloppo, seat: int, rng: random.Random) -> Decision:
        """A card by rule of thumb; obstacles anywhere, as they stop everybody alike."""
        if view.due != "play":
            return view.at_random(seat, rng)
        return best(list(view.decisions(seat)), lambda decision: _worth(view, seat, decision.what), rng)

    def reopened(self, view: GiroGaloppo, seat: int) -> GiroGaloppo:
        """Nobody but this seat has chosen a card."""
        return view.replaced(choices=(None,) * len(view.seats))


def _worth(view: GiroGaloppo, seat: int, card: int) -> float:
    """How far the hand will bring the horse, alone on the course, and what others do to it and it to them."""
    obstacles = frozenset((*view.board.natural, *view.obstacles))
    made = step(view.progress, seat, card, obstacles)
    rest = frozenset(hand(view, seat)) - {card}
    if made.kind == "refused" or made.space is None:
        return furthest(view.progress[seat], rest, obstacles, view.board.finish)
    worth = furthest(made.space, rest, obstacles, view.board.finish)
    worth -= SAVED * card + PUSHED * _landing(view, seat, made.space, card)
    if made.pushed is not None:
        theirs = hand(view, made.pushed)
        worth += PUSHED * sum(later > card for later in theirs) / len(theirs)
    return worth


@lru_cache(maxsize=4096)
def furthest(at: int, cards: frozenset[int], obstacles: frozenset[int], finish: int) -> float:
    """How far these cards bring a horse in the best order if nobody is in its way; each turn saved counts.

    >>> furthest(0, frozenset({1, 2}), frozenset({1}), 28)  # the 2 first, then the 1
    3.0
    """
    if at > finish:
        return at + TURN * len(cards)
    return max(
        (
            furthest(at if at + card in obstacles else at + card, cards - {card}, obstacles, finish)
            for card in cards
        ),
        default=float(at),
    )


def _landing(view: GiroGaloppo, seat: int, space: int, card: int) -> float:
    """How many others land on this space after this seat's move, if they play any card of their hands."""
    return sum(
        1 / len(hand(view, other))
        for other, at in enumerate(view.progress)
        if other != seat
        if space - at in hand(view, other) and _later(view, seat, card, other, space - at)
    )


def _later(view: GiroGaloppo, seat: int, card: int, other: int, others: int) -> bool:
    """Whether the other seat's card moves after this seat's; equal ones come from the gate, by age."""
    return others > card or (others == card and view.age.index(other) > view.age.index(seat))


def hand(view: GiroGaloppo, seat: int) -> list[int]:
    """The cards that this seat has not used."""
    return [card for card in CARDS if card not in view.used[seat]]
