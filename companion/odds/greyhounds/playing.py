"""Greyhounds played by people with styles: in each world every seat has one style all evening."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.games.greyhounds.bets import MOST
from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.run import DOGS, STRIKE
from companion.games.greyhounds.sets import FIVE, SIX
from companion.odds.chance import Event, Stretch
from companion.odds.doubt import spread
from companion.odds.greyhounds.cards import BITS, Hands, HeldSets, ranks
from companion.odds.greyhounds.evening import Evening, PlayingStyle, any_ranking
from companion.odds.greyhounds.exact import settled
from companion.odds.greyhounds.kernel import played
from companion.odds.greyhounds.sheets import KnownSheet, Sheets
from companion.odds.greyhounds.staking import BETS, Shown, stake_on
from companion.odds.greyhounds.styles import FAMILY, SPENT, TASTES
from companion.odds.greyhounds.turn import RUNNING, Flags, Ints, Runs, falling, steps
from companion.odds.kernel import PIECE, Kernel, Playouts

Parts = NDArray[np.float32]

_CARD: Final = (1 << BITS) - 1
_TASTE: Final = np.array([TASTES.index(style.taste) for style in FAMILY], np.int8)
_NOISE: Final = np.array([style.noise for style in FAMILY], np.float32)
_SLIPS: Final = np.array([style.slips for style in FAMILY], np.float32)
_RANDOM, _GREEDY, _CAREFUL, _THINKER, _ = range(len(TASTES))

_FEW: Final = 1 / 100
"""When so few of the races still run, their players no longer consider the others: these last races take as
many turns as all the earlier ones, and change the result very little."""

_SLOTS: Final = np.arange(SIX, dtype=np.int32)[:, None, None]
_TENTHS: Final = round(10 * SPENT)


class People(Hands):
    """Hands that are played by tastes, by dog and world; `slips` is how often any card is taken instead.

    The remaining cards are in random order, so that the next of them is any card; a card chosen by taste is
    swapped with it.
    """

    def __init__(
        self, held: HeldSets, runs: Runs, taste: Ints, slips: Parts, rng: np.random.Generator
    ) -> None:
        super().__init__(held, rng)
        self._runs, self._taste, self._slips = runs, taste, slips
        self._aside_known = np.array([first > held.used for first in held.first])[:, None]
        self._end = np.repeat(np.array(held.end, np.int8)[:, None], taste.shape[1], axis=1)
        self._last = max(held.end)  # slots of cards that may come, as far as the others know
        self._few = taste.shape[1] * _FEW
        self._set_aside(held.first)

    def next(self) -> Ints:
        """Return the cards of a turn: (dogs, worlds); for dogs that run no more it is any card."""
        if self._slot == FIVE:
            self._shuffle()
            self._end, self._last = np.full_like(self._end, FIVE), FIVE
        left = self._from(self._slot, self._last)
        playable = left * (_SLOTS[self._slot : self._last] < self._end)
        thinks = (self._taste != _RANDOM) & ~self._slipped() & ~self._aside_known
        depends = self._depends()
        highest = thinks & ~(depends & (self._taste >= _THINKER))
        cards = np.where(highest, playable.max(axis=0), left[0])
        careful = thinks & depends & (self._taste == _CAREFUL)
        if careful.shape[1] > self._few and careful.any():
            self._take_care(cards, left, playable, careful)
        self._move(cards, self._slot, left, self._slot)
        self._slot += 1
        self._aside_known = np.zeros_like(self._aside_known)
        return cards

    def restrict_to(self, worlds: Ints) -> None:
        """Continue with these worlds only."""
        super().restrict_to(worlds)
        self._taste, self._slips = self._taste.take(worlds, axis=1), self._slips.take(worlds, axis=1)
        self._end = self._end.take(worlds, axis=1)

    def _from(self, first: int, end: int) -> Ints:
        """Return the cards in these slots: (slots, dogs, worlds)."""
        return (self._cards >> BITS * _SLOTS[first:end] & _CARD).astype(np.int8)

    def _slipped(self) -> Flags:
        return self._rng.random(self._slips.shape, dtype=np.float32) < self._slips

    def _set_aside(self, first: Sequence[int]) -> None:
        """Set the lowest possible card aside for careful players, unless the card set aside is known."""
        sets_aside = (self._taste >= _CAREFUL) & (self._end == SIX) & ~self._slipped()
        cards = self._from(0, SIX)
        free = np.arange(SIX)[:, None] >= np.array(first)
        lowest = np.where(free[..., None], cards, np.int8(_CARD)).min(axis=0)
        self._move(np.where(sets_aside, lowest, cards[FIVE]), FIVE, cards, 0)
        self._end -= sets_aside

    def _move(self, cards: Ints, to: int, held: Ints, first: int) -> None:
        """Swap this card of each set with that in slot `to`; `held` begins with slot `first`."""
        shifts = BITS * _SLOTS[first : first + len(held)].astype(np.int8)
        shift = ((held == cards) * shifts).max(axis=0).astype(np.int32)
        both = (self._cards >> shift ^ self._cards >> BITS * to) & _CARD
        self._cards ^= (both << shift | both << BITS * to) * (shift != BITS * to)

    def _depends(self) -> Flags:
        """Return where the most profitable card depends on the others, as in `styles.depends`."""
        running = self._runs.place == RUNNING
        if self._runs.ties == STRIKE:
            return running
        return running & (running.sum(axis=0, dtype=np.int8) - 1 > self._runs.laps)

    def _take_care(self, cards: Ints, left: Ints, playable: Ints, careful: Flags) -> None:
        """Choose the cards of these dogs by their gain, in place; the dogs ahead play theirs first.

        The cards the others may play are those they have left, each once. They begin anywhere in their order:
        the next cards of two dogs must not be likelier in the calculation than any other cards.
        """
        runs, (dogs, worlds) = self._runs, cards.shape
        running = runs.place == RUNNING
        progress = np.where(running, runs.progress, np.int16(-1))
        numbers = np.arange(dogs, dtype=np.int16)[:, None]
        order = np.stack(falling((progress << 2) + numbers)) & 3
        flat = order.astype(np.intp) * worlds + np.arange(worlds)
        due = careful.ravel().take(flat)
        may_lie, tables = (left * running).ravel(), np.arange(len(left))[:, None, None]
        further = np.arange(1, dogs)[:, None] * worlds
        own_cards = playable.reshape(-1, dogs * worlds)
        lie, at = (cards * running).ravel(), progress.ravel()
        for step in range(dogs):
            world = np.flatnonzero(due[step])
            if not world.size:
                continue
            own = flat[step, world]
            other = (own + further) % (dogs * worlds)
            slots = (tables + self._rng.integers(len(left), size=other.shape)) % len(left)
            hidden = may_lie.take(slots * (dogs * worlds) + other)
            theirs = np.where(at.take(other) > at.take(own), lie.take(other), hidden)
            lie[own] = best(runs, own_cards.take(own, axis=1), theirs)
        cards[careful] = lie.reshape(cards.shape)[careful]


def best(runs: Runs, mine: Ints, theirs: Ints) -> Ints:
    """Return the card with the highest mean gain on the others, less its later worth: by world.

    `mine` has the cards to choose from, (cards, worlds), `theirs` those that the others may play, (tables,
    dogs, worlds); 0 is no card, or no dog.
    """
    tables, dogs, worlds = theirs.shape
    laid = np.empty((1 + dogs, len(mine), tables, worlds), np.int8)
    laid[0] = mine[:, None]
    laid[1:] = theirs.swapaxes(0, 1)[:, None]
    moved = steps(runs.laps, laid, runs.ties)
    own = moved[0].sum(axis=1, dtype=np.int16)
    every = moved.sum(axis=(0, 2), dtype=np.int16)
    others = (theirs[0] > 0).sum(axis=0, dtype=np.int16)
    gain = 10 * ((others + 1) * own - every) - _TENTHS * tables * others * mine
    key = (gain.astype(np.int32) << BITS) + mine
    key[mine == 0] = np.iinfo(np.int32).min
    return (key.max(axis=0) & _CARD).astype(np.int8)


class Party(Evening):
    """An evening of people with this belief about each, by seat."""

    def __init__(
        self, view: Greyhounds, worlds: int, rng: np.random.Generator, belief: Sequence[Sequence[float]]
    ) -> None:
        styles = np.stack([rng.choice(len(FAMILY), size=worlds, p=seat) for seat in belief])
        self.styles = styles
        self._taste, self._noise, self._slips = _TASTE[styles], _NOISE[styles], _SLIPS[styles]
        super().__init__(view, worlds, rng, PlayingStyle())

    def _hands(self, runs: Runs, start: HeldSets) -> Hands:
        taste = _by_dog(self._taste[:, self._going])
        slips = _by_dog(self._slips[:, self._going])
        return People(start, runs, taste, slips, self._rng)

    def _ranked(self, strengths: Ints) -> Ints:
        """Rank the dogs by their cards, if the bookie plays with care."""
        bookie = self._view.bookie
        assert bookie is not None
        by_cards = self._thinks(bookie) & (self._taste[bookie, self._going] == _CAREFUL)
        return np.where(by_cards, ranks(strengths), any_ranking(strengths, self._rng))

    def _stake(
        self, drawn: Sheets, known_sheets: list[KnownSheet], number: int, rank: Ints, strengths: Ints
    ) -> None:
        """Put all on a win of the own dog, on the most valuable bet, or on a bet that seems good, in the
        present standing or in itself.
        """
        view, strong = self._view, ranks(strengths)
        for seat, sheet in enumerate(known_sheets):
            if isinstance(sheet, tuple):
                continue
            thinks, taste = self._thinks(seat), self._taste[seat, self._going]
            for liked, bets in enumerate(BETS, _GREEDY):
                on = np.flatnonzero(thinks & (taste == liked))
                money = self.money[:, self._going[on]]
                seen = Shown(view.odds[number - 1], number, seat, strong[:, on], rank[:, on], money)
                stake_on(drawn, seat, on, bets(seen, self._rng), sheet or MOST, view.bet_step)

    def _thinks(self, seat: int) -> Flags:
        """Return where the seat decides by its taste, of the worlds that go on."""
        noise = self._noise[seat, self._going]
        return (self._taste[seat, self._going] != _RANDOM) & (
            self._rng.random(len(noise), np.float32) >= noise
        )


def _by_dog(by_seat: NDArray[Any]) -> NDArray[Any]:
    """Return an array by seat as one by dog; 0 for a dummy, which has no taste."""
    return np.pad(by_seat, ((0, len(DOGS) - len(by_seat)), (0, 0)))


class Styled(Kernel[Greyhounds]):
    """Greyhounds if every seat plays in its believed styles."""

    batches = (200, 1600, 3000, 3000, 3000)  # none takes longer than a tenth of a second or so

    doubts = MappingProxyType({"win": 0.85, PIECE: 0.35})  # beyond the differences of styles
    stretch = Stretch(1.13, 1.07)

    def __init__(self, belief: Sequence[Sequence[float]]) -> None:
        self._belief = belief

    def playouts(self, race: Greyhounds, count: int, rng: np.random.Generator) -> Playouts:
        """Return each seat's part of the victory and, once the bets are closed, the results of this race's
        dogs.
        """
        party = Party(race, count, rng, self._belief)
        playouts = played(party, race)
        return playouts._replace(spread=spread(playouts.values, party.styles))

    def exact(self, race: Greyhounds) -> Mapping[Event, float]:
        """Return settled events only: more would be exact for one style of each seat, not for all."""
        return settled(race.run) if race.due == "play" else {}
