"""Alternatives to a decision, and the view by which a choice is judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce, singledispatch
from typing import Final, NamedTuple

from companion.games.galloping.rules import Galloping
from companion.games.greyhounds.rules import Greyhounds
from companion.games.race import Race
from companion.games.terms import Decision

LISTED: Final = 8  # options of a decision that are looked at one by one; more are taken together
TIMES: Final = 3  # comparisons with all of those together


class Options(NamedTuple):
    """The seat that decides and its alternatives, each with its share of random play.

    None for `others`: too many to examine one by one.
    """

    maker: int
    others: Sequence[tuple[Decision, float]] | None

    def number(self) -> int:
        """Return how many comparisons determine the worth of the decision."""
        return TIMES if self.others is None else len(self.others)


def options(race: Race, decision: Decision) -> Options | None:
    """Return the alternatives to a decision; None where they make no difference, and for a draw.

    >>> from companion.games.galloping import GallopingPigs
    >>> race = GallopingPigs.new(["Ada", "Ben"]).after(Decision("line-up", 0, GallopingPigs.animals))
    >>> race = race.after(Decision("deal", None, (("red", "blue", "blue", *["pink"] * 4), ("green",) * 7)))
    >>> [(other.what, round(share, 3)) for other, share in options(race, Decision("play", 0, "blue")).others]
    [('red', 0.143), ('pink', 0.571)]
    """
    maker = maker_of(race, decision)
    if maker is None or _idle(race, decision):
        return None
    alternatives = race.decisions(maker)
    few = (
        isinstance(alternatives, Sequence) and len(alternatives) <= 2 * LISTED
    )  # other kinds of decisions among them
    listed = [d for d in alternatives if d.do == decision.do] if few else []
    if not 0 < len(listed) <= LISTED:
        return Options(maker, None)
    hand = list(race.secrets_of(maker).get("hand", ()))
    copies = [max(1, hand.count(d.what)) for d in listed]
    others = [(d, n / sum(copies)) for d, n in zip(listed, copies, strict=True) if d != decision]
    return Options(maker, others) if others else None


def maker_of(race: Race, decision: Decision) -> int | None:
    """Return the seat that decides; None: chance. A line without a seat may be owed by one, such as the
    bookie's ranking.
    """
    due = race.awaits()
    if decision.seat is None and due is not None and due.do == decision.do and len(due.seats) == 1:
        return due.seats[0]
    return decision.seat


def _idle(race: Race, decision: Decision) -> bool:
    """Return True before any card is dealt: all line-ups are equally good then."""
    return isinstance(race, Galloping) and decision.do == "line-up"


def known_to(positions: Sequence[Race], decisions: Sequence[Decision], at: int, maker: int) -> Race:
    """Return the view of the maker of decision `at`: of the choices still secret then only his
    own are made.

    `positions[n]` is the one before decision `n`. The last to choose could not know the others' cards either.
    """
    begin, due = at, positions[at].awaits()
    while begin and due and _secret(positions[begin - 1], decisions[begin - 1], due.do):
        begin -= 1
    return reduce(_after, (d for d in decisions[begin:at] if d.seat == maker), positions[begin])


@singledispatch
def judged(race: Race, maker: int) -> Race:
    """Return the view by which a choice of this seat is judged: its own."""
    return race.seen_by(maker)


@judged.register
def _with_sheets(race: Greyhounds, maker: int) -> Race:
    """Return the position with bets and cards set aside known, but not the others' sets that are not yet
    shown.

    A bet has effect until the race is over. Effects of others on it could not be counted in views that lack
    it.
    """
    return race.replaced(dealt=race.seen_by(maker).dealt)


def _secret(race: Race, decision: Decision, due: str) -> bool:
    awaited = race.awaits()
    return awaited is not None and awaited.do == due and race.sealed(decision) is not None


def _after(race: Race, decision: Decision) -> Race:
    return race.after(decision)


class Pair(NamedTuple):
    """A choice and another option, with that one's share of random play."""

    maker: int
    chosen: Race
    other: Race
    share: float


def pairs(
    before: Race, decision: Decision, alternatives: Options, view: Callable[[Race, int], Race]
) -> list[Pair]:
    """Return a decision with each of its other options, each seen through `view`, from where it is judged.

    Where they are many, it is compared with the position before it: there random play goes through all of
    them.
    """
    maker = alternatives.maker
    chosen = view(before.after(decision), maker)
    if alternatives.others is None:
        return [Pair(maker, chosen, view(before, maker), 1 / TIMES)] * TIMES
    return [Pair(maker, chosen, view(before.after(o), maker), share) for o, share in alternatives.others]


def everything_known(race: Race, maker: int) -> Race:
    """Return a position with everything known that the companion knows: the position itself."""
    return race
