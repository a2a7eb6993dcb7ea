"""Facts about the beginning of a finished game: the cards that people dealt without entering them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch

from companion.games.forms import Keyed
from companion.games.galloping.decks import HAND
from companion.games.galloping.rules import Galloping
from companion.games.greyhounds.bets import RACES
from companion.games.greyhounds.rules import Greyhounds
from companion.games.race import Race
from companion.games.terms import Decision


@singledispatch
def in_hindsight(opening: Race, decisions: Sequence[Decision]) -> list[Decision]:
    """Return the decisions of a game with its deals as they must have been, where later decisions reveal
    them.

    A deal of unknown cards gets them, or is added where there was none; everything else is unchanged.
    """
    return list(decisions)


@in_hindsight.register
def _hands(opening: Galloping, decisions: Sequence[Decision]) -> list[Decision]:
    """Return deals of Pigs and Horse, where every card of a hand is played before the next deal.

    >>> from companion.games.galloping import GallopingPigs
    >>> cards = [Decision("play", seat, "red" if seat else "blue") for _ in range(7) for seat in (0, 1)]
    >>> in_hindsight(GallopingPigs.new(["Ada", "Ben"]), [Decision("deal"), *cards])[0].what[1][:2]
    ('red', 'red')
    """
    return [
        Decision("deal", None, _played_after(decisions[at + 1 :], len(opening.seats)))
        if decision.do == "deal" and decision.what is None
        else decision
        for at, decision in enumerate(decisions)
    ]


def _played_after(decisions: Sequence[Decision], seats: int) -> tuple[tuple[str, ...], ...] | None:
    """Return, by seat, the cards played before the next deal; None if these are not whole hands."""
    hands = tuple(
        tuple(d.what for d in _until_the_next_deal(decisions) if d.do == "play" and d.seat == seat)
        for seat in range(seats)
    )
    return hands if all(len(hand) == HAND for hand in hands) else None


def _until_the_next_deal(decisions: Sequence[Decision]) -> Iterator[Decision]:
    for decision in decisions:
        if decision.do == "deal":
            return
        yield decision


@in_hindsight.register
def _sets(opening: Greyhounds, decisions: Sequence[Decision]) -> list[Decision]:
    """Return deals of Greyhounds, where all sets have been shown after three races; with a bookie only the
    last were dealt.
    """
    shown = [
        tuple(tuple(sorted(d.what)) for d in decisions if d.do == "show" and d.seat == seat)
        for seat in range(len(opening.seats))
    ]
    if any(d.do == "deal" for d in decisions) or any(len(sets) < RACES for sets in shown):
        return list(decisions)
    if opening.bookie is None:
        return [Decision("deal", None, Keyed("sets", tuple(shown))), *decisions]
    return [Decision("deal", None, Keyed("last", tuple(sets[-1] for sets in shown))), *decisions]
