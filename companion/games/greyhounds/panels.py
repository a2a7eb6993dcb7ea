"""The small tables next to the track in Greyhounds: odds, cards on the table, sets, settlement."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.greyhounds.bets import DOGS_OF, RACES
from companion.games.greyhounds.money import Paid, Result
from companion.games.greyhounds.news import Move
from companion.games.greyhounds.position import Position
from companion.games.greyhounds.run import DOGS
from companion.games.greyhounds.sets import DUMMY_CARD
from companion.games.panel import Cell, Panel
from companion.message import N_, Sentence


def panels(game: Position) -> Iterator[Panel]:
    """Yield the tables of this position, as far as its viewer may see; the most relevant one first."""
    if game.due in ("show", ""):
        yield from _settled(game)
    if game.due == "play":
        yield table(game)
    yield odds(game)
    if any(len(sets) == game.race for sets in game.shown):
        yield hands(game)
    if game.due in ("rank", "bet"):
        yield from _settled(game)


def _settled(game: Position) -> Iterator[Panel]:
    if game.results:
        yield settlement(game, game.results[-1])
        yield ledger(game, game.results[-1])


def odds(game: Position) -> Panel:
    """Return the odds chart by rank, with the dog of each rank; doubles as a triangle."""
    head = (
        None,
        Sentence(_WIN),
        Sentence(_PLACE),
        *(Sentence(_DOG_N, {"rank": other}) for other in (2, 3, 4)),
    )
    over = ((None, 3), (Sentence(_DOUBLE_WITH), 3))
    return Panel("odds", Sentence(_ODDS), [_odds_row(game, rank) for rank in range(1, 5)], head, over)


def charts(game: Position) -> Iterator[Panel]:
    """Yield the odds chart by rank; where the races differ, one for each."""
    races = range(1, RACES + 1) if len(set(game.odds)) > 1 else ()
    if not races:
        yield odds(game)
    for race in races:
        yield odds(game.replaced(race=race))._replace(title=Sentence(_RACE_N, {"race": race}))


def _odds_row(game: Position, rank: int) -> list[Cell]:
    dog = {"piece": DOGS[game.run.rank[rank - 1]]} if game.run.rank else {}
    named = Sentence(_DOG_IS if dog else _DOG_N, {"rank": rank, **dog})
    single = [game.pays.of(kind, [rank]) for kind, dogs in DOGS_OF.items() if dogs == 1]
    doubles = [game.pays.of("double", [rank, other]) if other > rank else None for other in (2, 3, 4)]
    return [named, *single, *doubles]


def table(game: Position) -> Panel:
    """Return the running dogs in order of play: card on the table, move of the turn before, progress."""
    before = {move.dog: move for move in game.moves}
    rows = [
        (_dog(dog), _on_table(game, dog), _move(before.get(dog)), game.run.progress[dog])
        for dog in game.run.in_order()
    ]
    return Panel(
        "table", Sentence(_CARDS), rows, (None, Sentence(_NOW), Sentence(_BEFORE), Sentence(_PROGRESS))
    )


def _on_table(game: Position, dog: int) -> Cell:
    if dog < len(game.seats) and game.choice[dog] is not None:
        return Sentence(_CHOSEN)
    return game.table[dog]


def _move(move: Move | None) -> Cell:
    if move is None or not move.steps:
        return move and Sentence(_STAYS, {"card": move.card})
    return Sentence(_ARITHMETIC, {"card": move.card, "less": move.less, "steps": move.steps})


def hands(game: Position) -> Panel:
    """Return the sets shown for this race; cards in brackets have not come back yet."""
    rows = [_hand(game, s) for s, sets in enumerate(game.shown) if len(sets) == game.race]
    if len(game.seats) < len(DOGS):
        dummy = [DUMMY_CARD] * game.set_size()
        rows.append([_dog(len(game.seats)), *dummy, sum(dummy)])
    return Panel("hands", Sentence(_SETS), rows, (None, *[None] * game.set_size(), Sentence(_SUM)))


def _hand(game: Position, seat: int) -> list[Cell]:
    cards = game.set_of(seat)
    used = game.used(seat)
    cells: list[Cell] = []
    for card in cards:
        if card == game.aside[seat]:
            cells.append(Sentence(_ASIDE, {"card": card}))
        else:
            cells.append(Sentence(_SPENT, {"card": card}) if card in used else card)
    return [_dog(seat), *cells, sum(cards)]


def settlement(game: Position, result: Result) -> Panel:
    """Return the settlement: bet by bet, then the income and payments of the bank or bookie, then each seat's
    prize and money.
    """
    rows = [_bet_row(paid) for paid in result.paid]
    stakes, back = sum(paid.bet.stake for paid in result.paid), sum(paid.back for paid in result.paid)
    house = Sentence(_BANK) if game.bookie is None else _player(game.bookie)
    prizes = sum(prize for prize in result.prizes if prize > 0)
    rows.append((house, Sentence(_ALL_BETS), stakes, back))
    rows.append((house, Sentence(_PRIZES_PAID), None, prizes))
    for seat, money in enumerate(result.money):
        if result.prizes[seat] > 0:
            rows.append((_player(seat), Sentence(_PRIZE), None, result.prizes[seat]))
        rows.append((_player(seat), Sentence(_BALANCE), None, _amount(money)))
    head = (None, None, Sentence(_STAKE), Sentence(_BACK))
    title = Sentence(_SETTLEMENT, {"race": game.results.index(result) + 1})
    return Panel("settlement", title, rows, head, grouped=True, outcome=True)


def ledger(game: Position, result: Result) -> Panel:
    """Return the result of the race for each seat: bets, prize money, and its money afterwards."""
    each = enumerate(zip(result.bets, result.prizes, result.money, strict=True))
    rows: list[tuple[Cell, ...]] = [
        (_player(seat), _signed(bets), _signed(prize), _amount(money)) for seat, (bets, prize, money) in each
    ]
    head = (None, Sentence(_BETS), Sentence(_PRIZE), Sentence(_BALANCE))
    title = Sentence(_LEDGER, {"race": game.results.index(result) + 1})
    return Panel("ledger", title, rows, head, outcome=True)


def _signed(dollars: int) -> str:
    """Return an amount with its sign, for a column of gains and losses."""
    return f"+{dollars}" if dollars > 0 else _amount(dollars)


def _bet_row(paid: Paid) -> tuple[Cell, ...]:
    kind, dogs, stake = paid.bet
    pieces = {f"piece{n}": dog for n, dog in enumerate(dogs, 1)}
    on = Sentence(_ON_ONE if len(dogs) == 1 else _ON_TWO, {"kind": kind, **pieces})
    return (_player(paid.seat), on, Sentence(_TIMES, {"stake": stake, "odds": paid.odds}), paid.back)


def _amount(dollars: int) -> str:
    """Return an amount for a column of amounts."""
    return f"−{-dollars}" if dollars < 0 else str(dollars)


def _player(seat: int) -> Sentence:
    return Sentence(_PLAYER, {"seat": seat})


def _dog(dog: int) -> Sentence:
    return Sentence(_PIECE, {"piece": DOGS[dog]})


_ODDS = N_("odds")
_RACE_N = N_("race {race}")
_WIN = N_("win")
_PLACE = N_("place")
_DOG_N = N_("Dog {rank}")
_DOG_IS = N_("Dog {rank} {piece}")
_DOUBLE_WITH = N_("double with")
_CARDS = N_("cards on the table")
_NOW = N_("now")
_BEFORE = N_("turn before")
_PROGRESS = N_("progress")
_CHOSEN = N_("chosen")
_STAYS = N_("{card} stays")
_ARITHMETIC = N_("{card} − {less} = {steps}")
_SETS = N_("sets of this race")
_SUM = N_("sum")
_ASIDE = N_("{card} aside")
_SPENT = N_("({card})")
_SETTLEMENT = N_("settlement of race {race}, in dollars")
_PLAYER = N_("{seat}")
_PIECE = N_("{piece}")
_ON_ONE = N_("{kind}: {piece1}")
_ON_TWO = N_("{kind}: {piece1} and {piece2}")
_LEDGER = N_("race {race}: won and lost, in dollars")
_BETS = N_("bets")
_STAKE = N_("stake")
_BACK = N_("back")
_TIMES = N_("{stake} × {odds}")
_PRIZE = N_("prize money")
_PRIZES_PAID = N_("prize money paid")
_BANK = N_("the bank")
_ALL_BETS = N_("all bets")
_BALANCE = N_("money now")
