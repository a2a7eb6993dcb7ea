"""Chance in Greyhounds: deals, guesses of hidden values, and random decisions."""

from __future__ import annotations

import random
from typing import Any

from companion.games.forms import Keyed
from companion.games.greyhounds.bets import random_sheet
from companion.games.greyhounds.position import Position
from companion.games.greyhounds.refusals import legal_fives, set_aside, show
from companion.games.greyhounds.run import DOGS
from companion.games.greyhounds.sets import CARDS, FIVE, SIX, Cards, Dealt, drawn_sets, five_left
from companion.games.race import picked
from companion.games.terms import HIDDEN, Decision

_TRIES = 50  # fives drawn before all legal ones are looked for


def deal(game: Position, rng: random.Random) -> Keyed:
    """Draw three sets for each seat; with a bookie only those for race 3."""
    hands = tuple(drawn_sets(CARDS, game.sets_dealt(), rng) for _ in game.seats)
    return Keyed(game.deal_key(), hands if game.bookie is None else tuple(last for (last,) in hands))


def filled(game: Position, rng: random.Random) -> dict[str, Any]:
    """Return possible values in place of the hidden ones: sets, sheets, cards set aside and chosen."""
    dealt, bets, aside, choice = map(list, (game.dealt, game.bets, game.aside, game.choice))
    for seat in range(len(game.seats)):
        if dealt[seat] == HIDDEN:
            dealt[seat] = _sets(game, seat, rng)
        if bets[seat] == HIDDEN:
            bets[seat] = random_sheet(DOGS, game.bet_step, rng, game.staked[seat] or None)
        if HIDDEN in (aside[seat], choice[seat]):
            cards = game.playable(seat)
            rng.shuffle(cards)
            choice[seat] = cards.pop() if choice[seat] == HIDDEN else choice[seat]
            aside[seat] = cards.pop() if aside[seat] == HIDDEN else aside[seat]
    return {"dealt": tuple(dealt), "bets": tuple(bets), "aside": tuple(aside), "choice": tuple(choice)}


def _sets(game: Position, seat: int, rng: random.Random) -> Dealt:
    """Draw sets that may be those not yet shown; the one for race 3 leaves the set shown in race 1 legal."""
    unshown, shown = game.unshown(seat), len(game.shown[seat])
    if game.bookie is None:
        return drawn_sets(unshown, game.sets_dealt() - shown, rng)
    while True:
        [last] = drawn_sets(unshown, 1, rng)
        if shown != 1 or five_left(unshown.difference(last)):
            return (last,)


def decision(game: Position, seat: int, rng: random.Random) -> Decision:
    """Return a random set, ranking, sheet or card; now and then a card is set aside first."""
    if game.due == "show":
        return Decision("show", seat, _set(game, seat, rng))
    if game.due == "rank":
        return Decision("rank", None, tuple(rng.sample(DOGS, len(DOGS))))
    if game.due == "bet":
        return Decision("bet", seat, random_sheet(DOGS, game.bet_step, rng))
    if not game.played[seat] and rng.random() < 0.3 and set_aside(game, seat) is None:
        return Decision("set-aside", seat, picked(game.set_of(seat), rng))
    return Decision("play", seat, picked(game.playable(seat), rng))


def _set(game: Position, seat: int, rng: random.Random) -> Cards:
    if game.set_size() == SIX:
        return picked(game.sets_of(seat) or drawn_sets(game.unshown(seat), 1, rng), rng)
    free = sorted(game.free(seat))
    for _ in range(_TRIES):
        five = tuple(rng.sample(free, FIVE))
        if show(game, seat, five) is None:
            return five
    return picked(tuple(legal_fives(game, seat)), rng)
