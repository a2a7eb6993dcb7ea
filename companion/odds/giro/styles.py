"""The styles in which people may play Giro Galoppo, and the evidence of a card that was turned over.

A style has a taste, which weighs the features of each card, and noise, the probability of taking any card
instead. The more a card weighs, the more often it is chosen: exp(weight), divided by the sum over the hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import exp
from typing import Final, NamedTuple

from companion.games.giro.rules import GiroGaloppo
from companion.odds.belief import Company, Evidence, Manners, nothing_seen, with_decision
from companion.odds.giro.card_features import CardFeatures, card_features
from companion.odds.giro.tastes import TASTES


class Style(NamedTuple):
    """A way to choose cards: its taste, and the probability that any card is taken instead."""

    taste: str
    noise: float


FAMILY: Final = (
    Style("random", 1.0),
    Style("greedy", 0.5),
    Style("greedy", 0.05),
    Style("careful", 0.5),
    Style("careful", 0.02),
    Style("thinker", 0.05),
    Style("mild", 0.05),
)
"""The styles that the odds consider possible. With noise a single slip never excludes a style. Players by a
rule of thumb slip least: where all play so, one slip changes the race."""

COMPANIES: Final = (
    Company(0.25, (0.7, 0.15, 0.0, 0.15, 0.0, 0.0, 0.0)),
    Company(0.45, (0.15, 0.15, 0.15, 0.0, 0.15, 0.05, 0.35)),
    Company(0.1, (0.05, 0.05, 0.1, 0.0, 0.1, 0.1, 0.6)),
    Company(0.1, (0.02, 0.02, 0.02, 0.1, 0.8, 0.02, 0.02)),
    Company(0.1, (0.02, 0.1, 0.8, 0.02, 0.02, 0.02, 0.02)),
)
"""Random players, a mixture, thinkers, and companies with one way to play: by a rule of thumb, or
by greed. Without the first, tables without thinkers would get worse predictions than if nothing were
learned: four guesses at four seats err together. Thinkers are mostly assumed mild: that is as near to
thinkers of other kinds as to those to which a taste was fitted."""


def turned_over(before: GiroGaloppo, after: GiroGaloppo) -> dict[int, int]:
    """Return the card of each seat that was turned over between a position before a round and a later one."""
    if after.round == before.round and after.due:
        return {}
    return {made.seat: made.card for made in after.steps}


def tastes(view: GiroGaloppo, seat: int, weights: CardFeatures) -> dict[int, float]:
    """Return the probability that a player with this taste chooses each card of the seat's hand."""
    worth = {
        card: sum(w * x for w, x in zip(weights, seen, strict=True))
        for card, seen in card_features(view, seat).items()
    }
    most = max(worth.values())
    part = {card: exp(value - most) for card, value in worth.items()}
    return {card: p / sum(part.values()) for card, p in part.items()}


@lru_cache(maxsize=1024)
def likelihoods(view: GiroGaloppo, seat: int, card: int) -> tuple[float, ...]:
    """Return the probability of this card in each style, from the public position before the round."""
    liked = {taste: tastes(view, seat, weights) for taste, weights in TASTES.items()}
    hand = len(liked["random"])
    return tuple(s.noise / hand + (1 - s.noise) * liked[s.taste][card] for s in FAMILY)


CHANGES: Final = 0.03
"""The probability that a person plays in another style from one decision to the next."""


def seen(views: Iterable[GiroGaloppo], prior: Evidence = ()) -> Iterator[Evidence]:
    """Yield the evidence of the cards turned over about the seats at each of these views, from the opening
    on; `prior` is the evidence from before.
    """
    evidence: Evidence | None = None
    before: GiroGaloppo | None = None  # the position in which the cards of this round are chosen
    for view in views:
        evidence = evidence or prior or nothing_seen(len(view.seats), len(FAMILY))
        if not any(view.choices):
            if before is not None:
                for seat, card in turned_over(before, view).items():
                    evidence = with_decision(evidence, seat, likelihoods(before, seat, card), CHANGES)
            before = view if view.due == "play" else None
        yield evidence


CARE: Final = FAMILY.index(Style("careful", 0.02))
ROBOTS: Final = {
    "easy": FAMILY.index(Style("careful", 0.5)),
    "medium": CARE,
    "strong": FAMILY.index(Style("thinker", 0.05)),
}
MANNERS: Final = Manners(COMPANIES, seen, ROBOTS, own=CARE)
