"""Features of each card in a hand of Giro Galoppo that a player sees, as numbers: the input of styles."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from companion.games.giro.rules import CARDS, GiroGaloppo

TURN: Final = 8.0  # spaces that a turn is worth, once the line can be crossed with the cards in hand


class CardFeatures(NamedTuple):
    """A card as its owner sees it before any horse has moved; flags are 0 or 1."""

    blocked: float  # it runs into an obstacle
    card: float
    gain: float  # spaces that it moves the horse
    longest: float  # no other card of the hand moves it further
    home: float  # it takes the horse past the line
    reach: float  # spaces that this card and then the rest of the hand bring, alone on the course
    push: float  # a horse stands where it goes that moves later, if it may play any card of its hand
    danger: float  # horses that land there after it, likewise
    bumped: float  # horses that land on its space before it moves, likewise


def card_features(view: GiroGaloppo, seat: int) -> dict[int, CardFeatures]:
    """Return the features of each card in the seat's hand, in a position before a round; all of them are
    public.
    """
    obstacles = frozenset((*view.board.natural, *view.obstacles))
    at, hand = view.progress[seat], hand_of(view, seat)
    longest = max((card for card in hand if at + card not in obstacles), default=0)
    seen = {}
    for card in hand:
        blocked = at + card in obstacles
        gain = 0 if blocked else card
        rest = frozenset(hand) - {card}
        seen[card] = CardFeatures(
            blocked,
            card,
            gain,
            card == longest,
            not blocked and at + card > view.board.finish,
            furthest(at + gain, rest, obstacles, view.board.finish) - at,
            0 if blocked else push(view, seat, at + card, card),
            0 if blocked else danger(view, seat, at + card, card),
            0 if blocked else bumped(view, seat, card),
        )
    return seen


def hand_of(view: GiroGaloppo, seat: int) -> list[int]:
    """Return the cards that this seat has not used."""
    return [card for card in CARDS if card not in view.used[seat]]


def push(view: GiroGaloppo, seat: int, space: int, card: int) -> float:
    """Return the probability that a horse on this space moves after this seat's, if it plays any card; 0 if
    there is none.
    """
    if space not in view.progress:
        return 0.0
    hand = hand_of(view, view.progress.index(space))
    return sum(later > card for later in hand) / len(hand)


def danger(view: GiroGaloppo, seat: int, space: int, card: int) -> float:
    """Return the expected number of others that land on this space after this seat's move, if they play any
    card of their hands.
    """
    return sum(
        1 / len(hand_of(view, other))
        for other, at in enumerate(view.progress)
        if other != seat
        if space - at in hand_of(view, other) and _later(view, seat, card, other, space - at)
    )


def bumped(view: GiroGaloppo, seat: int, card: int) -> float:
    """Return the expected number of others that land on this seat's space before it leaves it, if they play
    any card of their hands.
    """
    at = view.progress[seat]
    return sum(
        1 / len(hand_of(view, other))
        for other, theirs in enumerate(view.progress)
        if other != seat
        if at - theirs in hand_of(view, other) and not _later(view, seat, card, other, at - theirs)
    )


def _later(view: GiroGaloppo, seat: int, card: int, other: int, others: int) -> bool:
    """Return whether the other seat's card moves after this seat's; equal ones come from the gate, by age."""
    return others > card or (others == card and view.age.index(other) > view.age.index(seat))


@lru_cache(maxsize=4096)
def furthest(at: int, cards: frozenset[int], obstacles: frozenset[int], finish: int) -> float:
    """Return how far these cards bring a horse in the best order without other horses; each turn saved
    counts.

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
