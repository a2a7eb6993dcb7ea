"""Reasons why a decision is against the rules of Greyhounds, in a player's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from companion.games.forms import Keyed
from companion.games.greyhounds.bets import sheet_refused
from companion.games.greyhounds.position import Position
from companion.games.greyhounds.run import DOGS
from companion.games.greyhounds.sets import (
    DUMMY_CARD,
    FIVE,
    MOST,
    SIX,
    Cards,
    cards_refused,
    deal_refused,
    five_left,
    five_refused,
    fives,
    six_refused,
)
from companion.games.terms import Decision, News


def refused(game: Position, decision: Decision) -> News | None:
    """Return why this decision is illegal now; None if it is legal."""
    do, seat, what = decision
    awaited = game.awaits()
    if awaited is None:
        return News("finished")
    if do == "deal":
        return _deal(game, what)
    if do != awaited.do and (do, awaited.do) != ("set-aside", "play"):
        return News("other-due", {"kind": awaited.do, "kind_tried": do})
    if do == "rank":
        return None if sorted(what) == sorted(DOGS) else News("rank-incomplete")
    if seat == len(game.seats) < len(DOGS):
        return News("dummy", {"piece": DOGS[seat], "card": DUMMY_CARD})
    if seat is None or not 0 <= seat < len(game.seats):
        return News("no-seat")
    if do == "set-aside":
        return set_aside(game, seat) or _not_in_set(game, seat, what)
    if seat not in awaited.seats:
        return _not_due(game, do, seat, awaited.seats[0])
    if do == "show":
        return show(game, seat, what)
    if do == "bet":
        return _of_seat(sheet_refused(what, DOGS, game.bet_step), seat)
    return _play(game, seat, what)


def _of_seat(reason: News | None, seat: int) -> News | None:
    return reason and News(reason.kind, {"seat": seat, **reason.values})


def _not_due(game: Position, do: str, seat: int, due: int) -> News:
    if do == "show":
        return News("has-shown", {"seat": seat})
    if do == "bet":
        return News("bookie-bets-not" if seat == game.bookie else "bet-already", {"seat": seat})
    if seat not in game.run.running():
        return News("runs-no-more", {"piece": DOGS[seat]})
    if game.choice[seat] is not None or game.table[seat] is not None:
        return News("played-already", {"seat": seat})
    return News("ahead-first", {"piece": DOGS[due], "piece_tried": DOGS[seat]})


def _deal(game: Position, deal: object) -> News | None:
    if not game.may_deal():
        return News("deal-too-late")
    if not isinstance(deal, Keyed) or deal.key != game.deal_key():
        return News(f"deal-{game.deal_key()}")
    hands = deal.value if deal.key == "sets" else tuple((last,) for last in deal.value)
    return deal_refused(hands, len(game.seats), game.sets_dealt())


# --- sets ----------------------------------------------------------------------------------------


def show(game: Position, seat: int, cards: Cards) -> News | None:
    """Return why this seat, which owes a set, may not show these cards."""
    if len(cards) != game.set_size():
        return News("show-count", {"count": game.set_size()})
    reason = some_of_a_set(game, seat, cards)
    last_known = game.set_size() == FIVE and game.sets_of(seat) is not None
    if reason is None and last_known and game.race == 1 and not five_left(game.free(seat).difference(cards)):
        return News("leaves-no-five", {"seat": seat, "most": MOST})
    return reason


def legal_fives(game: Position, seat: int) -> Iterator[Cards]:
    """Yield the sets that this seat may show, in a race of five cards."""
    return (five for five in fives(game.free(seat)) if show(game, seat, five) is None)


def some_of_a_set(game: Position, seat: int, cards: Cards) -> News | None:
    """Return why these cards, all or some, are no part of a set of this race."""
    sets = game.sets_of(seat)
    reason = cards_refused(cards, game.unshown(seat))
    if reason is None and game.set_size() == SIX:
        reason = six_refused(cards, sets)
    elif reason is None:
        earlier = tuple(card for one in game.shown[seat] for card in one)
        reason = five_refused(cards, earlier, sets[0] if sets else ())
    return _of_seat(reason, seat)


def begun_set(game: Position, seat: int, numbers: Sequence[int]) -> News | None:
    """Return why no set of this race begins with these cards."""
    cards = tuple(numbers)
    reason = some_of_a_set(game, seat, cards)
    if reason is not None or game.set_size() == SIX or len(cards) > FIVE:
        return reason
    rest = sorted(game.free(seat).difference(cards))
    if any(show(game, seat, cards + more) is None for more in combinations(rest, FIVE - len(cards))):
        return None
    return News("no-set-with", {"count": FIVE})


# --- cards ---------------------------------------------------------------------------------------


def _play(game: Position, seat: int, card: object) -> News | None:
    reason = _not_in_set(game, seat, card)
    if reason is None and card == game.aside[seat]:
        return News("is-set-aside", {"card": card})
    if reason is None and card in game.used(seat):
        return News("used", {"card": card, "count": FIVE})
    return reason


def _not_in_set(game: Position, seat: int, card: object) -> News | None:
    if card in game.set_of(seat):
        return None
    return News("not-in-set", {"seat": seat, "card": card})


def set_aside(game: Position, seat: int) -> News | None:
    """Return why this seat may set no card aside now, whichever it is."""
    if len(game.set_of(seat)) == FIVE:
        return News("none-aside", {"count": FIVE})
    if game.played[seat] or game.choice[seat] is not None:
        return News("aside-too-late", {"seat": seat})
    if game.aside[seat] is not None:
        return News("aside-already", {"seat": seat})
    return None
