"""Rules of thumb for Giro Galoppo."""

from __future__ import annotations

import random
from typing import Final

from companion.bots.ways import Ways, best
from companion.games.giro_galoppo import CARDS, GiroGaloppo, step
from companion.games.race import Decision

OVER: Final = 100.0  # any space past the line is better than all before it
PACE: Final = 0.5  # what a space gained now is worth, as the same card would bring it later
PUSHED: Final = 2.0  # spaces lost by a horse that is pushed back
AHEAD: Final = 0.5


class GiroWays(Ways[GiroGaloppo]):
    """Do not run into obstacles, waste the lowest card if one must go, do not stop where others land."""

    plays = GiroGaloppo

    def careful(self, view: GiroGaloppo, seat: int, rng: random.Random) -> Decision:
        """A card by rule of thumb; obstacles anywhere, as they stop everybody alike."""
        if view.due != "play":
            return view.at_random(seat, rng)
        return best(list(view.decisions(seat)), lambda decision: _worth(view, seat, decision.what), rng)

    def reopened(self, view: GiroGaloppo, seat: int) -> GiroGaloppo:
        """Nobody but this seat has chosen a card."""
        return view._with(choices=(None,) * len(view.seats))


def _worth(view: GiroGaloppo, seat: int, card: int) -> float:
    obstacles = {*view.board.natural, *view.obstacles}
    made = step(view.progress, seat, card, obstacles)
    if made.kind == "refused":
        return -card  # it is gone, and a low one was worth less
    assert made.space is not None
    worth = PACE * card - PUSHED * _landing(view, seat, made.space, card)
    if made.pushed is not None:
        worth += PUSHED * sum(later > card for later in hand(view, made.pushed)) / len(hand(view, made.pushed))
    if made.space > view.board.finish:
        return worth + OVER + card
    rest = [c for c in hand(view, seat) if c != card] or CARDS
    return worth - AHEAD * sum(made.space + c in obstacles for c in rest) 


def _landing(view: GiroGaloppo, seat: int, space: int, card: int) -> float:
    """How many others land on this space after this seat's move, if they play any card of their hands."""
    return sum(
        (space - at) in hand(view, other) and _later(view, seat, card, other, space - at)
        and 1 / len(hand(view, other)) or 0.0
        for other, at in enumerate(view.progress)
        if other != seat
    )


def _later(view: GiroGaloppo, seat: int, card: int, other: int, others: int) -> bool:
    """Whether the other seat's card moves after this seat's; equal ones come from the gate, by age."""
    return others > card or (others == card and view.age.index(other) > view.age.index(seat))


def hand(view: GiroGaloppo, seat: int) -> list[int]:
    """The cards that this seat has not used."""
    return [card for card in CARDS if card not in view.used[seat]]
