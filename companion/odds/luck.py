"""Luck against choice: what moved each seat's chance in a game that is over, from its start to its end.

A choice is judged by the cards that its maker held: by the chances in the view of its seat right after it,
before choices that others make in secret at the same time come to light. It is measured against the mean of
all that the same hand allowed, a card held twice counting twice; so who plays blindly gains nothing by choice
on average. What a choice brought its own seat is that seat's *own* part; what it brought the other seats is
theirs by the *others'* choices. All the rest is *luck*: hands dealt, cards that nobody could know, how
choices met. So, for every seat, exactly

    luck + own + others = victory - chance at the start

The public chances would not do in place of the maker's: they do not see that a good card was kept for last,
and so take it for luck when it comes.

Chances come from the game's kernel. What was chosen is compared with each other option in worlds of their
own, the same for both; so errors are independent and their squares add up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce, singledispatch
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.galloping.rules import Galloping
from companion.games.greyhounds.rules import Greyhounds
from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Decision
from companion.message import Sentence
from companion.odds.chance import Event, victory
from companion.odds.estimate import SURE, kernel_of
from companion.odds.greyhounds.abreast import HoundsAbreast
from companion.odds.hindsight import in_hindsight
from companion.odds.kernel import Kernel

LISTED: Final = 8  # options of a decision that are looked at one by one; more are taken together
EFFORT: Final = 30  # playouts of a game in all, in best answers to one position
LEAST: Final = 200  # playouts of an option, at least and at most
MOST: Final = 20_000
FINE: Final = 10  # what people are told as a percentage is worked out from so many times more
MOMENTS: Final = 3
MOVED: Final = 0.03  # less decides nothing

Numbers = NDArray[np.float64]


class Share(NamedTuple):
    """By how much something moved a chance, -1 to 1, and the half width of its 95 % interval."""

    value: float
    error: float

    def tells(self) -> bool:
        """Whether this is more than its error, and at least half a point in a hundred."""
        return abs(self.value) > max(self.error, 0.005)


class Account(NamedTuple):
    """A seat's chance at the `start` and its share of the victory at the `end`, and what lies between."""

    start: float
    end: float
    luck: Share
    own: Share
    others: Share


class TurningPoint(NamedTuple):
    """A decision, or several turned over together, that moved the chances: by seat, `before` and `after`.

    `at` decisions are made then, `stage` when it was, `news` what it brought.
    """

    at: int
    decisions: tuple[Decision, ...]
    stage: Sentence | None
    news: Sentence | None
    before: tuple[float, ...]
    after: tuple[float, ...]


class Luck(NamedTuple):
    """What there is to tell about a finished game: by seat, and the moments that decided it, in order.

    `playouts` is how many each option was worth.
    """

    seats: tuple[Account, ...]
    moments: tuple[TurningPoint, ...]
    playouts: int


class Progress(NamedTuple):
    """How many decisions have been looked at, of how many; with the last one what was found."""

    done: int
    total: int
    luck: Luck | None = None


def luck_of(
    opening: Race, decisions: Sequence[Decision], seed: int = 0, kernel: Kernel[Any] | None = None
) -> Luck:
    """Luck against choice in a finished game; the same for the same game and seed."""
    *_, last = weighed(opening, decisions, seed, kernel)
    assert last.luck is not None
    return last.luck


def weighed(
    opening: Race,
    decisions: Sequence[Decision],
    seed: int = 0,
    kernel: Kernel[Any] | None = None,
    effort: float = EFFORT,
) -> Iterator[Progress]:
    """Luck against choice, decision by decision, so that the caller may stop in between.

    `decisions` are those in force, from the first one; `seed` is not negative. ValueError if they do not end
    the game.
    """
    told = in_hindsight(opening, decisions)
    added = len(told) - len(decisions)
    positions = [opening]
    for decision in told:
        positions.append(positions[-1].after(decision))
    if positions[-1].awaits() is not None:
        raise ValueError("the game is not finished: luck and choice are told when it is")
    game = _Game(positions, told, seed, kernel or _kernel_for(opening), effort)
    for at in range(len(told)):
        game.weigh(at)
        yield Progress(at + 1, len(told) + 1)
    luck = game.luck()
    moments = (moment._replace(at=moment.at - added) for moment in luck.moments)
    yield Progress(len(told) + 1, len(told) + 1, luck._replace(moments=tuple(moments)))


# --- what might have been decided ----------------------------------------------------------------


class Options(NamedTuple):
    """Who decides, and what else could have been decided, each with its share of what blind play does.

    None for `others`: too many to be looked at one by one.
    """

    maker: int
    others: Sequence[tuple[Decision, float]] | None

    def number(self) -> int:
        """How many comparisons tell what the decision was worth."""
        return LISTED if self.others is None else len(self.others)


def options(race: Race, decision: Decision) -> Options | None:
    """What could have been decided instead; None where nothing is to be gained or lost, and for a draw.

    >>> from companion.games.galloping import GallopingPigs
    >>> race = GallopingPigs.new(["Ada", "Ben"]).after(Decision("line-up", 0, GallopingPigs.animals))
    >>> race = race.after(Decision("deal", None, (("red", "blue", "blue", *["pink"] * 4), ("green",) * 7)))
    >>> [(other.what, round(share, 3)) for other, share in options(race, Decision("play", 0, "blue")).others]
    [('red', 0.143), ('pink', 0.571)]
    """
    maker = maker_of(race, decision)
    if maker is None or _idle(race, decision):
        return None
    given = race.decisions(maker)
    few = isinstance(given, Sequence) and len(given) <= 2 * LISTED  # other kinds of decisions among them
    listed = [d for d in given if d.do == decision.do] if few else []
    if not 0 < len(listed) <= LISTED:
        return Options(maker, None)
    hand = list(race.secrets_of(maker).get("hand", ()))
    copies = [max(1, hand.count(d.what)) for d in listed]
    others = [(d, n / sum(copies)) for d, n in zip(listed, copies, strict=True) if d != decision]
    return Options(maker, others) if others else None


def maker_of(race: Race, decision: Decision) -> int | None:
    """Who decides; None: chance. A line without a seat may be owed by one, such as the bookie's ranking."""
    due = race.awaits()
    if decision.seat is None and due is not None and due.do == decision.do and len(due.seats) == 1:
        return due.seats[0]
    return decision.seat


def _idle(race: Race, decision: Decision) -> bool:
    """Before any card is dealt one line-up is as good as another."""
    return isinstance(race, Galloping) and decision.do == "line-up"


def known_to(positions: Sequence[Race], decisions: Sequence[Decision], at: int, maker: int) -> Race:
    """What the maker of decision `at` had before him: of the choices still secret then only his own are made.

    `positions[n]` is the one before decision `n`. Who chose last could not know the others' cards either.
    """
    begin, due = at, positions[at].awaits()
    while begin and due and _secret(positions[begin - 1], decisions[begin - 1], due.do):
        begin -= 1
    return reduce(_after, (d for d in decisions[begin:at] if d.seat == maker), positions[begin])


@singledispatch
def judged(race: Race, maker: int) -> Race:
    """What a choice of this seat is judged by: its own view."""
    return race.seen_by(maker)


@judged.register
def _with_sheets(race: Greyhounds, maker: int) -> Race:
    """Bets and cards set aside are known, the others' sets not yet shown are not.

    A bet works until the race is over. What others do to it could not be counted in views that lack it.
    """
    return race.replaced(dealt=race.seen_by(maker).dealt)


def _secret(race: Race, decision: Decision, due: str) -> bool:
    awaited = race.awaits()
    return awaited is not None and awaited.do == due and race.sealed(decision) is not None


def _after(race: Race, decision: Decision) -> Race:
    return race.after(decision)


# --- a game, decision by decision ----------------------------------------------------------------


class Asked(NamedTuple):
    """A view to be played out from this stream of chance."""

    view: Race
    stream: tuple[int, ...]


class Pair(NamedTuple):
    """What was chosen beside another option, with its share of blind play; both from one stream of chance."""

    maker: int
    chosen: Race
    other: Race
    share: float
    stream: int


class _Game:
    """Adds up what each decision of a game moved. `positions[n]` is the one before decision `n`."""

    def __init__(
        self,
        positions: Sequence[Race],
        decisions: Sequence[Decision],
        seed: int,
        kernel: Kernel[Any],
        effort: float,
    ) -> None:
        self._positions, self._decisions, self._seed, self._kernel = positions, decisions, seed, kernel
        self._options = [options(*made) for made in zip(positions, decisions, strict=False)]
        comparisons = sum(given.number() for given in self._options if given is not None)
        playouts = effort * sum(kernel.batches) / (2 * comparisons or 1)
        self._count = int(min(MOST, max(LEAST, playouts)))
        seats = len(positions[0].seats)
        self._own, self._others = np.zeros((2, seats)), np.zeros((2, seats))  # sums and their variances
        self._points = [0]  # numbers of the positions where nothing that is just decided is secret
        self._chances = [self._chances_at(0, self._count).mean(axis=1)]

    def weigh(self, at: int) -> None:
        """What the decision with this number brought, and the public chances after it."""
        given = self._options[at]
        pairs = [] if given is None else list(self._pairs(at, given))
        asked = [Asked(view, (at, pair.stream)) for pair in pairs for view in (pair.chosen, pair.other)]
        shown = self._positions[at].sealed(self._decisions[at]) is None
        if shown:
            asked.append(self._public(at + 1))
        values = self._values(asked, self._count)
        if shown:
            self._points.append(at + 1)
            self._chances.append(values.pop().mean(axis=1))
        for pair, chosen, other in zip(pairs, values[::2], values[1::2], strict=True):
            self._compare(pair, chosen - other)

    def _pairs(self, at: int, given: Options) -> Iterator[Pair]:
        """This decision beside each of its options that comes to something else."""
        before = known_to(self._positions, self._decisions, at, given.maker)
        chosen = judged(before.after(self._decisions[at]), given.maker)
        for stream, (view, share) in enumerate(_views(before, given)):
            if view != chosen:
                yield Pair(given.maker, chosen, view, share, stream)

    def _compare(self, pair: Pair, gain: Numbers) -> None:
        """Add what the chosen one brought more in each world, and the variance of its mean."""
        brought = np.stack([pair.share * gain.mean(axis=1), pair.share**2 * gain.var(axis=1) / gain.shape[1]])
        own = np.arange(len(gain)) == pair.maker
        self._own += brought * own
        self._others += brought * ~own

    def _public(self, position: int) -> Asked:
        return Asked(self._positions[position].seen_by(None), ())

    def _chances_at(self, position: int, count: int) -> Numbers:
        [values] = self._values([self._public(position)], count)
        return values

    def _values(self, asked: Sequence[Asked], count: int) -> list[Numbers]:
        """Shares of the victory (seats, worlds) in each view; one world where the chances are exact."""
        found = [self._certain(view) for view, _ in asked]
        unsure = [n for n, values in enumerate(found) if values is None]
        rngs = [np.random.default_rng([self._seed, *asked[n].stream]) for n in unsure]
        played = self._kernel.abreast([asked[n].view for n in unsure], count, rngs)
        for n, of in zip(unsure, played, strict=True):
            found[n] = of.values[[of.events.index(win) for win in _wins(asked[n].view)]].astype(np.float64)
        return [values for values in found if values is not None]

    def _certain(self, view: Race) -> Numbers | None:
        """The chances of a view as one world, if they are known exactly."""
        if view.awaits() is None:
            return np.array(victory(view))[:, None]
        exact = self._kernel.exact(view)
        wins = _wins(view)
        return np.array([[exact[win]] for win in wins]) if all(win in exact for win in wins) else None

    def luck(self) -> Luck:
        """What all of it comes to."""
        opening = self._chances_at(0, self._fine())
        start, variance = opening.mean(axis=1), opening.var(axis=1) / opening.shape[1]
        end = np.array(victory(self._positions[-1]))
        (own, own_variance), (others, others_variance) = self._own, self._others
        rows = zip(
            start.tolist(),
            end.tolist(),
            _parts(end - start - own - others, variance + own_variance + others_variance),
            _parts(own, own_variance),
            _parts(others, others_variance),
            strict=True,
        )
        return Luck(tuple(Account(*row) for row in rows), tuple(self._moments()), self._count)

    def _fine(self) -> int:
        return min(MOST, FINE * self._count)

    def _moments(self) -> Iterator[TurningPoint]:
        """The greatest movements that somebody's decision brought, in order.

        Those that seem the greatest are looked at more closely: among hundreds some only seem so.
        """
        moved = {
            (before, after): _moved(now, then)
            for (before, now), (after, then) in pairwise(zip(self._points, self._chances, strict=True))
            if maker_of(self._positions[after - 1], self._decisions[after - 1]) is not None
        }
        seem = sorted(moved, key=lambda points: -moved[points])[: 2 * MOMENTS]
        moments = [self._moment(*points) for points in seem]
        size = {moment.at: _moved(moment.before, moment.after) for moment in moments}
        greatest = sorted(moments, key=lambda moment: -size[moment.at])[:MOMENTS]
        return (
            moment for moment in sorted(greatest, key=lambda moment: moment.at) if size[moment.at] >= MOVED
        )

    def _moment(self, before: int, after: int) -> TurningPoint:
        *earlier, last = self._decisions[before:after]
        news = self._positions[after].seen_by(None).news
        before_and_after = (self._chances_at(at, self._fine()).mean(axis=1) for at in (before, after))
        return TurningPoint(
            after,
            (*(d for d in earlier if d.do == last.do), last),
            presented(self._positions[after - 1]).stage(),
            presented(self._positions[after]).said(news[0]) if news else None,
            *(tuple(chances.tolist()) for chances in before_and_after),
        )


def _views(before: Race, given: Options) -> Iterator[tuple[Race, float]]:
    """What its maker would see after each of the other options, and its share.

    Where they are many, what he saw before he decided: there blind play goes through all of them.
    """
    if given.others is None:
        yield from [(judged(before, given.maker), 1 / LISTED)] * LISTED
        return
    for other, share in given.others:
        yield judged(before.after(other), given.maker), share


def _wins(view: Race) -> list[Event]:
    return [Event("win", seat) for seat in range(len(view.seats))]


def _moved(before: Sequence[float] | Numbers, after: Sequence[float] | Numbers) -> float:
    """How much of the victory has changed hands."""
    return float(np.abs(np.subtract(after, before)).sum()) / 2


def _parts(values: Numbers, variances: Numbers) -> list[Share]:
    errors = SURE * np.sqrt(variances)
    return [Share(*pair) for pair in zip(values.tolist(), errors.tolist(), strict=True)]


def _kernel_for(race: Race) -> Kernel[Any]:
    return HoundsAbreast() if isinstance(race, Greyhounds) else kernel_of(race)
