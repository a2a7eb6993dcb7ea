"""News of Greyhounds: the dogs have run, a race is settled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.games.greyhounds.money import Paid, Result
from companion.games.greyhounds.run import DOGS, IDLE_TURNS, Run
from companion.games.terms import News


class Move(NamedTuple):
    """The effect of a dog's card in a turn: the card and the spaces moved."""

    dog: int
    card: int
    steps: int

    @property
    def less(self) -> int:
        """The card that was subtracted, if the dog moved."""
        return self.card - self.steps


def of_the_run(before: Run, run: Run, moves: Sequence[Move], seats: int) -> Iterator[News]:
    """Yield how each dog moved in the turn between these two, and which dogs it brought home, lapped or
    placed.
    """
    for move in moves:
        if move.steps and not run.crossed(move.dog):
            yield News("moved", _values(run, move, seats))
    if not any(move.steps for move in moves):
        yield News("nobody-moves")
    came_home = [dog for dog in run.home if dog not in before.home]
    by_dog = {move.dog: move for move in moves}
    for dog in came_home:
        place = run.home.index(dog) + 1
        if run.crossed(dog):
            yield News("home", {**_values(run, by_dog[dog], seats), "place": place})
    for move in moves:
        if run.crossed(move.dog) and move.dog not in run.home:
            yield News("too-late", _values(run, move, seats))
    for dog in run.out[len(before.out) :]:
        yield News("lapped", {"piece": DOGS[dog]})
    if run.idle == IDLE_TURNS:
        yield News("idle", {"turns": IDLE_TURNS})
    for dog in came_home:
        if not run.crossed(dog):
            yield News("placed", {"piece": DOGS[dog], "place": run.home.index(dog) + 1})


def _values(run: Run, move: Move, seats: int) -> dict[str, object]:
    """Return the arithmetic of a move and its result; a dummy's move belongs to no seat."""
    at = run.progress[move.dog]
    return {
        "seat": move.dog if move.dog < seats else None,
        "piece": DOGS[move.dog],
        "stop": at,
        "space": at % run.lap,
        "card": move.card,
        "less": move.less,
        "steps": move.steps,
    }


def of_the_result(race: int, result: Result, bookie: int | None) -> Iterator[News]:
    """Yield the end of a race and its result: places, prizes, bet by bet, and the money afterwards."""
    yield News("round-over", {"round": race})
    for n, dog in enumerate(result.places, 1):
        yield News(f"place-{n}", {"piece": DOGS[dog]})
    for seat, prize in enumerate(result.prizes):
        if prize > 0:
            yield News("prize", {"seat": seat, "prize": prize})
    for paid in result.paid:
        yield _of_the_bet(paid)
    values = {
        "stakes": sum(paid.bet.stake for paid in result.paid),
        "back": sum(paid.back for paid in result.paid),
        "prizes": sum(prize for prize in result.prizes if prize > 0),
    }
    if bookie is None:
        yield News("bank-pays", values)
    else:
        yield News("bookie-pays", {"seat": bookie, **values})
    for seat, money in enumerate(result.money):
        yield News("balance", {"seat": seat, "money": money})


def _of_the_bet(paid: Paid) -> News:
    """Return the news of one settled bet: `piece1`, and `piece2` of a double."""
    pieces = {f"piece{n}": dog for n, dog in enumerate(paid.bet.dogs, 1)}
    values = {"seat": paid.seat, "kind": paid.bet.kind, **pieces, "stake": paid.bet.stake}
    two = "-two" if len(pieces) == 2 else ""
    if not paid.back:
        return News(f"bet-lost{two}", values)
    amounts = {"odds": str(paid.odds), "back": paid.back, "net": paid.back - paid.bet.stake}
    return News(f"bet-won{two}", values | amounts)
