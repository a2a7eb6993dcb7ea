"""The consequences of a legal decision of Greyhounds: sets and bets come in, cards are turned
over, dogs run.

Hidden values count as little as they can: a hidden sheet wins nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeVar

from companion.games.forms import Keyed
from companion.games.greyhounds import money, news
from companion.games.greyhounds.bets import RACES, Sheet, staked
from companion.games.greyhounds.money import Result
from companion.games.greyhounds.news import Move
from companion.games.greyhounds.position import Position
from companion.games.greyhounds.run import DOGS, Run
from companion.games.greyhounds.sets import DUMMY_CARD, DUMMY_SET, FIVE, Cards, ranked
from companion.games.terms import News

P = TypeVar("P", bound=Position)
T = TypeVar("T")


def dealt(position: P, deal: Keyed) -> P:
    """Deal all sets of each seat, or with a bookie the last one of each."""
    if deal.key == "last":
        sets: tuple[tuple[Cards, ...], ...] = tuple((_sorted(cards),) for cards in deal.value)
        return position.replaced(dealt=sets, latest=(News("dealt-last"),))
    sets = tuple(tuple(map(_sorted, sets)) for sets in deal.value)
    return position.replaced(dealt=sets, latest=(News("dealt", {"count": RACES}),))


def shown(position: P, seat: int, cards: Cards) -> P:
    """Show a seat's set; the last one leads to the ranking."""
    held = position.dealt[seat]
    left = tuple(one for one in held if one != cards) if isinstance(held, tuple) else held
    text = ", ".join(map(str, cards))
    after = position.replaced(
        shown=_put(position.shown, seat, (*position.shown[seat], cards)),
        dealt=_put(position.dealt, seat, left),
        latest=(News("shown", {"seat": seat, "text": text, "total": sum(cards)}),),
    )
    if any(len(sets) < after.race for sets in after.shown):
        return after
    if after.bookie is not None:
        return after.replaced(due="rank")
    return in_rank(after, ranked(_sets_by_dog(after)), after.latest)


def _sets_by_dog(position: Position) -> list[Cards]:
    sets = [position.set_of(seat) for seat in range(len(position.seats))]
    return [*sets, *[DUMMY_SET] * (len(DOGS) - len(sets))]


def in_rank(position: P, rank: tuple[int, ...], latest: tuple[News, ...]) -> P:
    """Rank the dogs: bets are due."""
    one, two, three, four = names(rank)
    latest = (
        *latest,
        News("ranked", {"piece1": one, "piece2": two, "piece3": three, "piece4": four}),
    )
    return position.replaced(due="bet", run=position.run._replace(rank=rank), moves=(), latest=latest)


def with_bet(position: P, seat: int, sheet: Sheet) -> P:
    """Add a seat's sheet; with a bookie the seat pays at once. After the last sheet the dogs run."""
    after = position.replaced(
        bets=_put(position.bets, seat, sheet), latest=(News("has-bet", {"seat": seat}),)
    )
    if after.bookie is not None:
        total = staked(sheet)
        after = after.replaced(
            money=_added(_added(after.money, seat, -total), after.bookie, total),
            staked=_put(after.staked, seat, total),
            latest=(News("has-staked", {"seat": seat, "stake": total}),),
        )
    if any(after.bets[s] is None for s in after.bettors()):
        return after
    return after.replaced(due="play", latest=(*after.latest, News("bets-closed")))


def with_aside(position: P, seat: int, card: int) -> P:
    """Set a seat's card aside."""
    return position.replaced(aside=_put(position.aside, seat, card), latest=(News("aside", {"seat": seat}),))


def chosen(position: P, seat: int, card: int) -> P:
    """Add the card that a seat has chosen to play."""
    latest = (News("chosen", {"seat": seat}),)
    return turned_over(position.replaced(choice=_put(position.choice, seat, card), latest=latest))


def turned_over(position: P) -> P:
    """Turn cards over while all seats that are level have chosen; then the next ones, then the dogs run."""
    while position.due == "play" and all(position.choice[d] is not None for d in position.level()):
        level = position.next_dogs()
        position = _on_the_table(position, level) if level else _after_turn(position)
    return position


def _on_the_table(position: P, level: Collection[int]) -> P:
    table, played, aside, latest = list(position.table), list(position.played), list(position.aside), []
    seats = len(position.seats)
    for dog in level:
        card = DUMMY_CARD
        if dog < seats:
            card = _card_of(position, dog)
            played[dog] = (*played[dog], card)
            if len(played[dog]) == FIVE < len(position.set_of(dog)):
                [aside[dog]] = set(position.set_of(dog)).difference(played[dog])
        table[dog] = card
        owner = dog if dog < seats else None
        latest.append(News("turned", {"seat": owner, "piece": DOGS[dog], "card": card}))
    return position.replaced(
        table=tuple(table),
        played=tuple(played),
        aside=tuple(aside),
        choice=tuple(None if s in level else c for s, c in enumerate(position.choice)),
        latest=(*(news for news in position.latest if news.kind != "chosen"), *latest),
    )


def _card_of(position: Position, seat: int) -> int:
    """Return the card chosen; in a view where it is hidden, the lowest that it may be."""
    card = position.choice[seat]
    return card if isinstance(card, int) else min(position.playable(seat))


def _after_turn(position: P) -> P:
    """Move the dogs after every running dog has played; the race may be over."""
    cards = {dog: card for dog, card in enumerate(position.table) if card is not None}
    run = position.run.after(cards)
    moves = tuple(
        Move(dog, cards[dog], run.progress[dog] - position.run.progress[dog])
        for dog in sorted(cards, key=lambda d: -cards[d])
    )
    after = position.replaced(
        run=run,
        moves=moves,
        table=(None,) * len(DOGS),
        latest=(*position.latest, *news.of_the_run(position.run, run, moves, len(position.seats))),
    )
    return _settled(after) if run.over() else after


def _settled(position: P) -> P:
    """Pay prizes and bets of the race that is over and begin the next race, or end the game."""
    result = result_of(position)
    nobody = (None,) * len(position.seats)
    settled = position.replaced(
        money=result.money,
        results=(*position.results, result),
        bets=nobody,
        staked=(0,) * len(position.seats),
        aside=nobody,
        latest=(*position.latest, *news.of_the_result(position.race, result, position.bookie)),
    )
    broke = position.bookie is not None and result.money[position.bookie] < 0
    if broke or position.race == RACES:
        bankrupt = (News("bankrupt", {"seat": position.bookie}),) if broke else ()
        return settled.replaced(due="", latest=(*settled.latest, *bankrupt, News("game-over")))
    following = position.race + 1
    run, played = Run(following, position.lap, ties=position.ties), ((),) * len(position.seats)
    return settled.replaced(race=following, due="show", run=run, played=played)


def result_of(position: Position) -> Result:
    """Return the result of the race that is over; a sheet that this view hides wins nothing."""
    sheets = [sheet if isinstance(sheet, tuple) else () for sheet in position.bets]
    places = position.run.home
    paid = tuple(money.paid(sheets, position.pays, position.run.rank, places))
    if position.bookie is None:
        return money.with_bank(position.money, sheets, places, paid)
    return money.with_bookie(position.money, position.staked, places, paid, position.bookie)


def names(dogs: Iterable[int]) -> list[str]:
    """Return the colours of these dogs."""
    return [DOGS[dog] for dog in dogs]


def _put(facts: tuple[T, ...], seat: int, fact: T) -> tuple[T, ...]:
    return (*facts[:seat], fact, *facts[seat + 1 :])


def _added(amounts: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return _put(amounts, seat, amounts[seat] + more)


def _sorted(cards: Cards) -> Cards:
    return tuple(sorted(cards))
