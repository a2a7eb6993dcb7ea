"""Luck against choice: the effects on each seat's chance in a game that is over, from its start
to its end.

A choice is judged by the cards that its maker held: by the chances in the view of its seat right after it,
before choices that others make in secret at the same time become public. It is compared with the mean of all
options of the same hand, a card held twice counting twice; so a random player gains nothing by choice on
average. The effect of a choice on its own seat is that seat's *own* part; its effect on the other seats is
their part by the *others'* choices.

The public chances would not do in place of the maker's: they do not show that a good card was saved for last,
and so take it for luck when it comes.

Luck is computed separately. Let W be the chances with everything known, all hands and all secret choices, if
everybody plays at random from here on: then a deal and a choice do not change W on average. So

    victory - W at the start = sum over deals of (W after - W before)
                             + sum over choices of (W after the one made - mean of W after each option)

The effect of deals is the first part of luck. Of the second sum a choice's maker could see some, which its
own and the others' parts count. The rest, *unseen*, is luck too: choices that met cards and choices that no
seat could know of. Each term comes from separate playouts; the sum checks kernels, options and shares, and
its error is reported (`Account.gap`, `Luck.check`). So, within that,

luck + own + others = victory - chance at the start

Where a card was never named, W is over its possible values. Chances come from the game's kernel. A choice is
compared with each other option in separate worlds, the same for both; so errors are independent and their
squares add up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from companion.games.giro.rules import GiroGaloppo
from companion.games.greyhounds.rules import Greyhounds
from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Decision
from companion.message import Sentence
from companion.odds.chance import Event, victory
from companion.odds.estimate import kernel_of
from companion.odds.giro.batch import GiroBatch
from companion.odds.greyhounds.kernel import HoundsBatch
from companion.odds.hindsight import in_hindsight
from companion.odds.kernel import Kernel
from companion.odds.luck_ledger import Account, Check, Ledger, Numbers, Worlds
from companion.odds.luck_options import (
    Options,
    Pair,
    everything_known,
    judged,
    known_to,
    maker_of,
    options,
    pairs,
)

EFFORT: Final = 30  # playouts of a game in all, in best answers to one position
LEAST: Final = 200  # playouts of an option, at least and at most
MOST: Final = 20_000
TOGETHER: Final = 20_000  # worlds played out together: more take too long for a waiting caller
KNOWN: Final = 4  # with everything known an option is played out so many times less: that is for the sum
FINE: Final = 10  # percentages shown to people are computed from so many times more
MOMENTS: Final = 3
MOVED: Final = 0.03  # less decides nothing


class TurningPoint(NamedTuple):
    """A decision, or several turned over together, that moved the chances: by seat, `before` and `after`.

    `at` decisions were made then, `stage` is the time in the game, `news` the result.

    `at` decisions are made then, `stage` when it was, `news` what it brought.
    """

    at: int
    decisions: tuple[Decision, ...]
    stage: Sentence | None
    news: Sentence | None
    before: tuple[float, ...]
    after: tuple[float, ...]


class Luck(NamedTuple):
    """The luck in a finished game: by seat, and the moments that decided it, in order.

    `playouts` is the number per option; `check` says whether all computed terms add up.

    `playouts` is how many each option was worth; `check` says whether all that was worked out adds up.
    """

    seats: tuple[Account, ...]
    moments: tuple[TurningPoint, ...]
    playouts: int
    check: Check


class Progress(NamedTuple):
    """The number of decisions examined, and of all; with the last one the result."""

    done: int
    total: int
    luck: Luck | None = None


def luck_of(
    opening: Race, decisions: Sequence[Decision], seed: int = 0, kernel: Kernel[Any] | None = None
) -> Luck:
    """Return luck against choice in a finished game; the same for the same game and seed."""
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
    """Compute luck against choice, decision by decision, so that the caller may stop in between.

    `decisions` are those in force, from the first one; `seed` is not negative. ValueError if they do not end
    the game.
    """
    complete = in_hindsight(opening, decisions)
    added = len(complete) - len(decisions)
    positions = [opening]
    for decision in complete:
        positions.append(positions[-1].after(decision))
    if positions[-1].awaits() is not None:
        raise ValueError("the game is not finished: luck and choice are told when it is")
    game = _Game(positions, complete, seed, kernel or _kernel_for(opening), effort)
    for at in range(len(complete)):
        game.weigh(at)
        yield Progress(at + 1, len(complete) + 1)
    luck = game.luck()
    moments = (moment._replace(at=moment.at - added) for moment in luck.moments)
    yield Progress(len(complete) + 1, len(complete) + 1, luck._replace(moments=tuple(moments)))


# --- a game, decision by decision ----------------------------------------------------------------


class PlayoutRequest(NamedTuple):
    """A view to play out in so many worlds from this stream of chance."""

    view: Race
    stream: tuple[int, ...]


class Term(NamedTuple):
    """A choice and an option compared with it, both from one stream of chance; and the account for the
    difference.
    """

    pair: Pair
    stream: tuple[int, ...]
    enter: Callable[[Worlds], None]


# streams: of choices in their makers' views, of choices with everything known, of deals
_JUDGED, _KNOWN, _DEALT = 1, 2, 3


class _Game:
    """Adds up the effects of the decisions of a game. `positions[n]` is the one before decision `n`."""

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
        comparisons = sum(alternatives.number() for alternatives in self._options if alternatives is not None)
        playouts = effort * sum(kernel.batches) / (2 * (1 + 1 / KNOWN) * comparisons or 1)
        self._count = int(min(MOST, max(LEAST, playouts)))
        self._few = max(LEAST, self._count // KNOWN)
        self._ledger, self._bias, self._deals = Ledger(len(positions[0].seats)), 0.0, 0
        self._points = [0]  # numbers of the positions where nothing that is just decided is secret
        self._chances = [self._chances_at(0, self._count).mean(axis=1)]
        self._shown = list[PlayoutRequest]()  # to be played out, and so are the others
        self._in_view, self._as_is = list[Term](), list[Term]()
        if (seen := positions[0].seen_by(None)) != positions[0]:  # it begins with cards that were dealt
            self._deal(0, positions[0], seen)

    def weigh(self, at: int) -> None:
        """Compute the effect of the decision with this number, and the public chances after it."""
        alternatives, before, after = self._options[at], self._positions[at], self._positions[at + 1]
        if alternatives is not None:
            self._choice(at, alternatives)
        elif maker_of(before, self._decisions[at]) is None:
            self._deal(at + 1, after, before)
        if before.sealed(self._decisions[at]) is None:
            self._points.append(at + 1)
            self._shown.append(self._public(at + 1))
        if (len(self._shown) + 2 * len(self._in_view)) * self._count > TOGETHER:
            self._play_out()

    def _deal(self, at: int, after: Race, before: Race) -> None:
        """Compare a deal or draw, both sides from one stream."""
        requests = [PlayoutRequest(view, (_DEALT, at)) for view in (after, before)]
        dealt, open_ = self._values(requests, self._fine())
        self._ledger.deal(Worlds.of(dealt - open_))
        self._deals += 1

    def _choice(self, at: int, alternatives: Options) -> None:
        """Compare a choice with its options: in its maker's view, and with everything known where that
        differs.
        """
        decision, maker = self._decisions[at], alternatives.maker
        begun = known_to(self._positions, self._decisions, at, maker)
        in_view = pairs(begun, decision, alternatives, judged)
        as_is = pairs(self._positions[at], decision, alternatives, everything_known)
        for n, (seen, known) in enumerate(zip(in_view, as_is, strict=True)):
            enter = self._ledger.seen_through if seen == known else self._ledger.judged
            if seen.chosen != seen.other:
                self._in_view.append(Term(seen, (_JUDGED, at, n), partial(enter, maker)))
            if seen != known:
                self._as_is.append(Term(known, (_KNOWN, at, n), self._ledger.known))

    def _play_out(self) -> None:
        """Play out everything that has been gathered."""
        shown, in_view, as_is = self._shown, self._in_view, self._as_is
        self._shown, self._in_view, self._as_is = [], [], []
        values = self._values([*shown, *_both(in_view)], self._count)
        self._chances += [chances.mean(axis=1) for chances in values[: len(shown)]]
        _entered(in_view, values[len(shown) :])
        _entered(as_is, self._values(_both(as_is), self._few))

    def _public(self, position: int) -> PlayoutRequest:
        return PlayoutRequest(self._positions[position].seen_by(None), ())

    def _chances_at(self, position: int, count: int) -> Numbers:
        [values] = self._values([self._public(position)], count)
        return values

    def _values(self, requests: Sequence[PlayoutRequest], count: int) -> list[Numbers]:
        """Return shares of the victory (seats, worlds) in each view; one world where the chances
        are exact.
        """
        found = [self._certain(view) for view, _ in requests]
        unsure = [n for n, values in enumerate(found) if values is None]
        rngs = [np.random.default_rng([self._seed, *requests[n].stream]) for n in unsure]
        played = self._kernel.play_batch([requests[n].view for n in unsure], count, rngs)
        for n, of in zip(unsure, played, strict=True):
            found[n] = of.values[[of.events.index(win) for win in _wins(requests[n].view)]].astype(np.float64)
            self._bias = max(self._bias, of.bias)
        return [values for values in found if values is not None]

    def _certain(self, view: Race) -> Numbers | None:
        """Return the chances of a view as one world, if they are known exactly."""
        if view.awaits() is None:
            return np.array(victory(view))[:, None]
        exact = self._kernel.exact(view)
        wins = _wins(view)
        return np.array([[exact[win]] for win in wins]) if all(win in exact for win in wins) else None

    def luck(self) -> Luck:
        """Return the totals."""
        self._play_out()
        start, end = Worlds.of(self._chances_at(0, self._fine())), np.array(victory(self._positions[-1]))
        self._ledger.start(start)
        self._ledger.common(self._bias, max(0, self._deals - 1))  # from round to round
        accounts = self._ledger.accounts(start.mean, end)
        return Luck(accounts, tuple(self._moments()), self._count, self._ledger.check(end))

    def _fine(self) -> int:
        return min(MOST, FINE * self._count)

    def _moments(self) -> Iterator[TurningPoint]:
        """Yield the greatest movements by decisions of players, in order.

        Those that seem the greatest are measured more closely: among hundreds some only seem so.
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
            presented(self._positions[after]).sentence(news[0]) if news else None,
            *(tuple(chances.tolist()) for chances in before_and_after),
        )


def _both(terms: Iterable[Term]) -> list[PlayoutRequest]:
    """Return both sides of each."""
    return [
        PlayoutRequest(view, term.stream) for term in terms for view in (term.pair.chosen, term.pair.other)
    ]


def _entered(terms: Sequence[Term], values: Sequence[Numbers]) -> None:
    """Enter the difference between the chosen side of each and the other."""
    for term, chosen, other in zip(terms, values[::2], values[1::2], strict=True):
        term.enter(Worlds.of(chosen - other).times(term.pair.share))


def _wins(view: Race) -> list[Event]:
    return [Event("win", seat) for seat in range(len(view.seats))]


def _moved(before: Sequence[float] | Numbers, after: Sequence[float] | Numbers) -> float:
    """Return how much of the victory has changed hands."""
    return float(np.abs(np.subtract(after, before)).sum()) / 2


def _kernel_for(race: Race) -> Kernel[Any]:
    if isinstance(race, Greyhounds):
        return HoundsBatch()
    return GiroBatch() if isinstance(race, GiroGaloppo) else kernel_of(race)
