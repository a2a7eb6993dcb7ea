"""The styles in which people may play Greyhounds, and the evidence of their cards and their sheets.

A style has a taste, and noise: the probability of filling in any sheet, or taking any card, instead. The
choice of sets to show is no part of it: it was weak evidence and moved no chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import exp
from typing import Final, NamedTuple

from companion.games.greyhounds.bets import Sheet
from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.run import DOGS, STRIKE, steps
from companion.games.greyhounds.sets import DUMMY_CARD, DUMMY_SET, SIX, ranked
from companion.odds.belief import Company, Evidence, Manners, nothing_seen, with_decision
from companion.odds.greyhounds import wagers

SPENT: Final = 0.3
"""Spaces that a card is worth later, for each of its points, to a careful player."""

SHARP: Final = 3.0
"""How much more often care takes a card that gains a space more: exp of it. It thinks of few tables only."""


class Style(NamedTuple):
    """A way to play: its taste; and the probabilities of a random sheet and of a random card instead."""

    taste: str
    noise: float
    slips: float


TASTES: Final = ("random", "greedy", "careful", "thinker", "mild")

FAMILY: Final = (
    Style("random", 1.0, 1.0),
    Style("greedy", 0.6, 0.6),
    Style("greedy", 0.05, 0.05),
    Style("careful", 0.6, 0.6),
    Style("careful", 0.05, 0.1),
    Style("thinker", 0.05, 0.3),
    Style("mild", 0.05, 0.3),
)
"""The styles that the odds consider possible. With noise a single slip never excludes a style."""

COMPANIES: Final = (
    Company(0.3, (0.7, 0.1, 0.0, 0.1, 0.0, 0.05, 0.05)),
    Company(0.5, (0.2, 0.15, 0.2, 0.15, 0.2, 0.05, 0.05)),
    Company(0.2, (0.04, 0.04, 0.04, 0.04, 0.04, 0.6, 0.2)),
)
"""Those who just play, a bit of everybody, and those who think."""


# --- cards ---------------------------------------------------------------------------------------


def depends(race: int, running: int, ties: str) -> bool:
    """Return whether the card that gains most depends on the others: otherwise it is always the highest."""
    return running - 1 > race or ties == STRIKE


def worths(race: int, ties: str, cards: Sequence[int], others: Sequence[Sequence[int]]) -> list[float]:
    """Return the mean lead over the others that each card brings a dog, over the cards they may play, less
    its later worth; in spaces.
    """
    tables = [*product(*others)]
    return [_gain(race, ties, card, tables) - SPENT * card for card in cards]


def _gain(race: int, ties: str, card: int, tables: Sequence[tuple[int, ...]]) -> float:
    moves = [steps(race, (card, *table), ties) for table in tables]
    return sum(own - sum(theirs) / len(theirs) for own, *theirs in moves) / len(tables)


@lru_cache(4096)
def tastes(
    race: int,
    ties: str,
    cards: tuple[int, ...],
    remaining: tuple[int, ...],
    others: tuple[tuple[int, ...], ...],
) -> tuple[tuple[float, ...], ...]:
    """Return, by taste, how often each of these cards is chosen; `remaining` are left if the lowest
    was set aside.
    """
    highest = tuple(float(card == max(cards)) for card in cards)
    careful = bold = highest
    if depends(race, len(others) + 1, ties):
        worth = worths(race, ties, remaining, others)
        part = {card: exp(SHARP * (w - max(worth))) for card, w in zip(remaining, worth, strict=True)}
        careful = tuple(part.get(card, 0.0) / sum(part.values()) for card in cards)
        bold = tuple(float(card in remaining) / len(remaining) for card in cards)
    any_card = (1 / len(cards),) * len(cards)
    return any_card, highest, careful, bold, bold


def card_likelihoods(view: Greyhounds, seat: int, card: int) -> tuple[float, ...]:
    """Return the probability of this card in each style, from the public view before it was turned over."""
    cards = tuple(view.playable(seat))
    lowest = min(view.set_of(seat))
    hidden = len(view.set_of(seat)) == SIX and not isinstance(view.aside[seat], int) and len(cards) > 1
    remaining = tuple(c for c in cards if c != lowest) if hidden else cards
    others = tuple(_may_show(view, dog) for dog in view.run.running() if dog != seat)
    liked = dict(zip(TASTES, tastes(view.race, view.ties, cards, remaining, others), strict=True))
    at = cards.index(card)
    return tuple(s.slips / len(cards) + (1 - s.slips) * liked[s.taste][at] for s in FAMILY)


def _may_show(view: Greyhounds, dog: int) -> tuple[int, ...]:
    """Return the card of this dog that is on the table in this turn, or the possible ones."""
    lies = view.table[dog]
    if lies is not None:
        return (lies,)
    return (DUMMY_CARD,) if dog >= len(view.seats) else tuple(view.playable(dog))


# --- sheets and rankings -------------------------------------------------------------------------


def strongest(view: Greyhounds, race: int) -> tuple[int, ...]:
    """Return the dogs by the cards that were shown for this race, the best first."""
    sets = [shown[race - 1] for shown in view.shown]
    return ranked([*sets, *[DUMMY_SET[: len(sets[0])]] * (len(DOGS) - len(sets))])


def sheet_likelihoods(view: Greyhounds, seat: int, sheet: Sheet) -> tuple[float, ...]:
    """Return the likelihood of this sheet in each style relative to random play, in the race of this view."""
    single = wagers.single_of(sheet, view.bet_step)
    liked = dict.fromkeys(TASTES, 0.0)
    if single is not None:
        worth = wagers.worths(view.race, view.pays, view.run.rank, strongest(view, view.race), seat)
        liked["greedy"] = float(single == wagers.OWN[seat])
        liked["careful"] = float(single == worth.index(max(worth)))
        liked["thinker"] = wagers.as_things_stand(worth, seat, view.money)[single]
        liked["mild"] = wagers.boldly(worth)[single]
    liked["random"] = at_random = wagers.at_random(sheet, view.bet_step)
    return tuple(s.noise + (1 - s.noise) * liked[s.taste] / at_random for s in FAMILY)


def ranking_likelihoods(view: Greyhounds) -> tuple[float, ...]:
    """Return the likelihood of this view's ranking of the dogs in each style relative to random play."""
    liked = dict.fromkeys(TASTES, 1.0)
    liked["careful"] = 24.0 * (view.run.rank == strongest(view, view.race))
    return tuple(s.noise + (1 - s.noise) * liked[s.taste] for s in FAMILY)


# --- evidence ------------------------------------------------------------------------------------


CHANGES: Final = 0.01
"""The probability that a person plays in another style from one decision to the next."""


def seen(views: Iterable[Greyhounds], prior: Evidence = ()) -> Iterator[Evidence]:
    """Yield the evidence of public decisions about the seats at each of these views, from the opening on.

    `prior` is the evidence from before.
    """
    evidence: Evidence | None = None
    before: Greyhounds | None = None
    for view in views:
        evidence = evidence or prior or nothing_seen(len(view.seats), len(FAMILY))
        if before is not None:
            for seat, likely in _decided(before, view):
                evidence = with_decision(evidence, seat, likely, CHANGES)
        yield evidence
        before = view


def _decided(before: Greyhounds, view: Greyhounds) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Yield the seats whose decisions became public between two views, with their probability in
    each style.
    """
    if before.due == "play":
        for news in view.latest:
            if news.kind == "turned" and news.values["seat"] is not None:
                yield news.values["seat"], card_likelihoods(before, news.values["seat"], news.values["card"])
    if len(view.results) > len(before.results):
        for seat in range(len(view.seats)):
            sheet = tuple(paid.bet for paid in view.results[-1].paid if paid.seat == seat)
            if sheet:
                yield seat, sheet_likelihoods(before, seat, sheet)
    if before.due == "rank" and view.bookie is not None and view.due == "bet":
        yield view.bookie, ranking_likelihoods(view)


ROBOTS: Final = {
    "easy": FAMILY.index(Style("careful", 0.6, 0.6)),
    "medium": FAMILY.index(Style("careful", 0.05, 0.1)),
    "strong": FAMILY.index(Style("thinker", 0.05, 0.3)),
}
MANNERS: Final = Manners(COMPANIES, seen, ROBOTS)
