"""From playouts to chances: a first answer soon, then better ones, each with its error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from typing import Any

import numpy as np

from companion.games.galloping.rules import Galloping, GallopingHorse
from companion.games.giro.rules import GiroGaloppo
from companion.games.greyhounds.rules import Greyhounds
from companion.games.race import Race
from companion.odds.chance import Chance, Event, as_people_play, doubted, stretched, victory
from companion.odds.kernel import PIECE, Kernel, Plain, Playouts
from companion.odds.styles import Belief, unknown

SURE = 2.1
"""Standard errors on either side of a 95 % interval: 1.96 if spread and shape were known, not estimated."""


def kernel_of(race: Race) -> Kernel[Any]:
    """Return the kernel that computes this game's chances in random play; any game has one."""
    make = next((make for game, make in _KERNELS.items() if isinstance(race, game)), Plain)
    if make not in _made:
        _made[make] = make()
    return _made[make]


def forget_kernels() -> None:
    """Free the kernels and their tables, up to 10 MB; each is made again on demand."""
    _made.clear()


def kernel_believing(race: Race, belief: Belief = ()) -> Kernel[Any]:
    """Return the kernel for this game and this belief about its seats; () if no seat has been
    seen to play.

    While obstacles are laid no seat has been seen to play yet, and tastes depend on obstacles that are not
    there yet. In Greyhounds an empty belief, as robots have, gets the kernel without styles, which is much
    the faster; and until the first race runs, unless a player is known from before, the population's way to
    bet is the better predictor.
    """
    if isinstance(race, GiroGaloppo) and race.due == "play":
        from companion.odds.giro.playing import Styled

        return Styled(belief or unknown(race))
    if isinstance(race, Greyhounds) and belief and (_runs(race) or belief != unknown(race)):
        from companion.odds.greyhounds.playing import Styled as StyledHounds

        return StyledHounds(belief)
    return kernel_of(race)


def _runs(race: Greyhounds) -> bool:
    """Return whether the first race runs, or has run."""
    return race.race > 1 or race.due == "play"


def answers(
    race: Race, seed: int = 0, kernel: Kernel[Any] | None = None, belief: Belief = ()
) -> Iterator[tuple[Chance, ...]]:
    """Yield the chances in this view repeatedly, better each time; the last are the best there are.

    `belief` is the belief learned about the seats by now. The same view, belief and seed give the same
    answers; a kernel that has to prepare something gives a quick one before them, the first time it is asked.
    A finished game has one answer without error.
    """
    if race.awaits() is None:
        yield tuple(Chance(Event("win", seat), p, 0.0, 0.0) for seat, p in enumerate(victory(race)))
        return
    kernel = kernel or kernel_believing(race, belief)
    if (quick := kernel.first(race, seed)) is not None:
        tally = Tally()
        tally.add(quick)
        yield played_by_people(tally.chances(), tally.spread(), kernel)
    exact = {event: Chance(event, p, 0.0, 0.0) for event, p in kernel.exact(race).items()}
    tally = Tally()
    for number in range(len(kernel.batches)):
        tally.add(kernel.batch(race, number, seed))
        chances = tuple(exact.get(chance.event, chance) for chance in tally.chances())
        yield played_by_people(chances, tally.spread(), kernel)
        if all(chance.sampled == 0 for chance in chances):
            return


def played_by_people(
    chances: Sequence[Chance], spread: Sequence[float], kernel: Kernel[Any]
) -> tuple[Chance, ...]:
    """Return these chances with the habits that the kernel knows of, and with the doubt about how these
    people play.
    """
    wider = stretched(chances, kernel.stretch)
    return tuple(_by_people(*of, kernel) for of in zip(wider, spread, strict=True))


def _by_people(chance: Chance, spread: float, kernel: Kernel[Any]) -> Chance:
    what = chance.event.what
    if what in kernel.habits:
        chance = as_people_play(chance, kernel.habits[what])
    of = what if chance.event.seat is not None else PIECE
    return doubted(chance, kernel.doubts.get(of, 0.0), spread)


def _pigs() -> Kernel[Any]:
    from companion.odds.galloping.kernel import Gallop

    return Gallop()


def _horse() -> Kernel[Any]:
    from companion.odds.galloping.kernel import HorseGallop

    return HorseGallop()


def _giro() -> Kernel[Any]:
    from companion.odds.giro.kernel import Giro

    return Giro()


def _hounds() -> Kernel[Any]:
    from companion.odds.greyhounds.kernel import USUAL, Hounds

    return Hounds(USUAL)


_KERNELS: dict[type[Race], Callable[[], Kernel[Any]]] = {
    GallopingHorse: _horse,
    Galloping: _pigs,
    GiroGaloppo: _giro,
    Greyhounds: _hounds,
}
"""Games that have a special kernel."""
_made: dict[Callable[[], Kernel[Any]], Kernel[Any]] = {}
"""The kernels that were made on demand, cached, since they have caches themselves."""


class Tally:
    """Sums of playouts, batch by batch."""

    def __init__(self) -> None:
        self._events: tuple[Event, ...] = ()
        self._count = 0
        self._sum = self._squares = np.zeros(0)
        self._spread = np.zeros(0)
        self._bias = 0.0

    def add(self, playouts: Playouts) -> None:
        """Add more playouts of the same events."""
        values = playouts.values.astype(np.float64, copy=False)
        if not self._count:
            self._events = playouts.events
            self._sum = self._squares = self._spread = np.zeros(len(playouts.events))
        assert playouts.events == self._events
        self._count += values.shape[1]
        self._sum = self._sum + values.sum(axis=1)
        self._squares = self._squares + (values * values).sum(axis=1)
        if playouts.spread is not None:
            self._spread = self._spread + playouts.spread * values.shape[1]
        self._bias = max(self._bias, playouts.bias)

    def chances(self) -> tuple[Chance, ...]:
        """Return means with the half width of their 95 % intervals, as far as the number of playouts
        determines it.

        It is never 0 here: an event that never or always happened in so many playouts may still turn out
        otherwise.
        """
        n = self._count
        means = self._sum / n
        spread = np.maximum(self._squares / n - means * means, 0.0)
        errors = (SURE * sqrt(max(float(v), _LEAST / n) / n + self._bias**2) for v in spread)
        return tuple(
            Chance(event, float(p), error, error)
            for event, p, error in zip(self._events, means, errors, strict=True)
        )

    def spread(self) -> list[float]:
        """Return, by event, the variance of its chance over all styles considered possible for
        the players.
        """
        found: list[float] = np.maximum(self._spread / self._count, 0.0).tolist()
        return found


_LEAST = (3 / SURE) ** 2
"""By the rule of three: an event in none of n playouts has with 95 % certainty a chance below 3/n."""
