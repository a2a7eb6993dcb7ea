"""From playouts to chances: a first answer soon, then better ones, each with its error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import sqrt
from typing import Any

import numpy as np

from companion.games.galloping.rules import Galloping
from companion.games.giro.rules import GiroGaloppo
from companion.games.greyhounds.rules import Greyhounds
from companion.games.race import Race
from companion.odds.chance import Chance, Event, as_people_play, victory
from companion.odds.kernel import Kernel, Plain, Playouts
from companion.odds.styles import Belief, unknown

SURE = 2.1
"""Standard errors on either side of a 95 % interval: 1.96 if spread and shape were known, not estimated."""


def kernel_of(race: Race) -> Kernel[Any]:
    """The kernel that works out this game's chances if nobody thinks; any game has one."""
    for game, make in _KERNELS.items():
        if isinstance(race, game):
            return make()
    return _plain()


def kernel_believing(race: Race, belief: Belief = ()) -> Kernel[Any]:
    """The kernel for this game where so much is believed of its seats; () if nobody has been seen to play.

    While obstacles are laid nobody is seen to play yet, and what tastes look at does not lie there yet.
    """
    if isinstance(race, GiroGaloppo) and race.due == "play":
        from companion.odds.giro.playing import Styled

        return Styled(belief or unknown(race))
    return kernel_of(race)


def answers(
    race: Race, seed: int = 0, kernel: Kernel[Any] | None = None, belief: Belief = ()
) -> Iterator[tuple[Chance, ...]]:
    """The chances in this view, again and again, better each time; the last are the best there are.

    `belief` is what was learned of the seats by now. The same view, belief and seed give the same answers; a
    kernel that has to make something ready gives a quick one before them, the first time it is asked. A
    finished game has one answer without error.
    """
    if race.awaits() is None:
        yield tuple(Chance(Event("win", seat), p, 0.0) for seat, p in enumerate(victory(race)))
        return
    kernel = kernel or kernel_believing(race, belief)
    if (quick := kernel.first(race, seed)) is not None:
        yield played_by_people(_chances_of(quick), kernel)
    exact = {event: Chance(event, p, 0.0) for event, p in kernel.exact(race).items()}
    tally = Tally()
    for number in range(len(kernel.batches)):
        tally.add(kernel.batch(race, number, seed))
        chances = tuple(exact.get(chance.event, chance) for chance in tally.chances())
        yield played_by_people(chances, kernel)
        if all(chance.error == 0 for chance in chances):
            return


def played_by_people(chances: Sequence[Chance], kernel: Kernel[Any]) -> tuple[Chance, ...]:
    """These chances with the habits that the kernel knows of."""
    habits = kernel.habits
    return tuple(as_people_play(c, habits[c.event.what]) if c.event.what in habits else c for c in chances)


@cache
def _gallop() -> Kernel[Any]:
    from companion.odds.galloping.kernel import Gallop

    return Gallop()


@cache
def _giro() -> Kernel[Any]:
    from companion.odds.giro.kernel import Giro

    return Giro()


@cache
def _hounds() -> Kernel[Any]:
    from companion.odds.greyhounds.kernel import USUAL, Hounds

    return Hounds(USUAL)


@cache
def _plain() -> Kernel[Any]:
    return Plain()


_KERNELS: dict[type[Race], Callable[[], Kernel[Any]]] = {
    Galloping: _gallop,
    GiroGaloppo: _giro,
    Greyhounds: _hounds,
}
"""Games that have a kernel of their own: made when it is wanted, and kept, as it may remember things."""


def _chances_of(playouts: Playouts) -> tuple[Chance, ...]:
    tally = Tally()
    tally.add(playouts)
    return tally.chances()


class Tally:
    """Playouts added up, batch by batch."""

    def __init__(self) -> None:
        self._events: tuple[Event, ...] = ()
        self._count = 0
        self._sum = self._squares = np.zeros(0)
        self._bias = 0.0

    def add(self, playouts: Playouts) -> None:
        """Some more of the same events."""
        values = playouts.values.astype(np.float64, copy=False)
        if not self._count:
            self._events = playouts.events
            self._sum = self._squares = np.zeros(len(playouts.events))
        assert playouts.events == self._events
        self._count += values.shape[1]
        self._sum = self._sum + values.sum(axis=1)
        self._squares = self._squares + (values * values).sum(axis=1)
        self._bias = max(self._bias, playouts.bias)

    def chances(self) -> tuple[Chance, ...]:
        """Means with the half width of their 95 % intervals.

        An error is never 0 here: what never happened in so many playouts, or always, may still be otherwise.
        """
        n = self._count
        means = self._sum / n
        spread = np.maximum(self._squares / n - means * means, 0.0)
        return tuple(
            Chance(event, float(p), SURE * sqrt(max(float(v), _LEAST / n) / n + self._bias**2))
            for event, p, v in zip(self._events, means, spread, strict=True)
        )


_LEAST = (3 / SURE) ** 2
"""By the rule of three: what happened in none of n playouts has with 95 % certainty a chance below 3/n."""
