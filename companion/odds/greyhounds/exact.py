"""The end of a race of Greyhounds, exactly: all cards that may come, equal races merged.

In random play the cards played before matter only through the cards that are left, so that many orders lead
to the same race; each race is stored once, with its chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.run import DOGS, Run
from companion.games.greyhounds.sets import FIVE, SIX
from companion.odds.chance import Event
from companion.odds.greyhounds.cards import held
from companion.odds.greyhounds.sheets import dog_at
from companion.odds.greyhounds.turn import RUNNING, Ints, Runs, places_of

MOST: Final = 250_000
"""So many turns are worked out at most: about a tenth of a second here."""

Weights = NDArray[np.float64]


class Left(NamedTuple):
    """The possible holdings of an owner, by number: how many cards may come next, their slots, and the
    holding afterwards.
    """

    cards: Ints
    slot: Ints
    after: Ints


def worked_out(view: Greyhounds, most: int = MOST) -> dict[Event, float] | None:
    """Return the dogs' chances in the present race; None if there is more than `most` to compute."""
    chances = _first_two(view, most)
    if chances is None:
        return None
    first, second = chances.sum(axis=1), chances.sum(axis=0)
    numbers = range(len(DOGS))
    win = {Event("win", pieces=(DOGS[a],)): first[a] for a in numbers}
    place = {Event("place", pieces=(DOGS[a],)): first[a] + second[a] for a in numbers}
    double = {
        Event("double", pieces=(DOGS[a], DOGS[b])): chances[a, b] + chances[b, a]
        for a, b in combinations(numbers, 2)
    }
    return {event: min(float(p), 1.0) for event, p in (win | place | double).items()}


def settled(run: Run) -> dict[Event, float]:
    """Return the events about the first two places that are certain already, such as that of a
    dog at home.

    >>> [str(event) for event in settled(Run(1, 28, (0, 1, 2, 3), (29, 0, 0, 0), home=(0,)))][:2]
    ['win/red', 'win/blue']
    """
    place = places_of(run)
    taken = sum(0 < p <= 2 for p in place)
    return dict(_certain(place, taken))


def _certain(place: Sequence[int], taken: int) -> Iterator[tuple[Event, float]]:
    """Yield each event that is decided by these places, as 0 or 1."""
    in_two = [_yes_or_no(0 < p <= 2, p != RUNNING or taken == 2) for p in place]
    wins = [_yes_or_no(p == 1, p != RUNNING or taken > 0) for p in place]
    for event, chances in (("win", wins), ("place", in_two)):
        for dog, chance in zip(DOGS, chances, strict=True):
            if chance is not None:
                yield Event(event, pieces=(dog,)), chance
    for a, b in combinations(range(len(DOGS)), 2):
        pair = (in_two[a], in_two[b])
        lost = 0.0 in pair or taken > pair.count(1.0)  # another dog has taken one of the two places
        if lost or pair == (1.0, 1.0):
            yield Event("double", pieces=(DOGS[a], DOGS[b])), float(not lost)


def _yes_or_no(happened: bool, known: bool) -> float | None:
    return float(happened) if known else None


def _first_two(view: Greyhounds, most: int) -> NDArray[np.float64] | None:
    """Return the chance of each first and second dog (5, 5), 4 where no dog takes the place."""
    sets, used, first, end = held(view)
    cards = np.array([(*own, *(0,) * (SIX - len(own))) for own in sets], np.int8)
    left = [_left(used, *span) if span[1] else _NOTHING for span in zip(first, end, strict=True)]
    rank = np.array([[view.run.rank.index(dog)] for dog in range(len(DOGS))], np.int8)
    runs, holds, weight = Runs.of(view.run, rank), np.zeros((len(DOGS), 1), np.int16), np.ones(1)
    total = np.zeros((len(DOGS) + 1, len(DOGS) + 1))
    while weight.size:
        most -= _to_come(runs, holds, left)
        if most < 0:
            return None
        weight, holds, played = _dealt_out(runs, holds, weight, left, cards)
        runs.turn(played)
        _count_ended(runs, weight, total)
        remaining = np.flatnonzero(_undecided(runs))
        runs.restrict_to(remaining)
        merged = _merged(runs, holds[:, remaining], weight[remaining])
        if merged is None:
            return None
        holds, weight = merged
    return total


def _undecided(runs: Runs) -> NDArray[np.bool_]:
    """Return where one of the first two places is still open."""
    second_open = ~(runs.place == 2).any(axis=0)
    return second_open & (runs.place == RUNNING).any(axis=0)


def _count_ended(runs: Runs, weight: Weights, total: NDArray[np.float64]) -> None:
    """Add the races of which the first two places are settled."""
    ended = np.flatnonzero(~_undecided(runs))
    place = runs.place[:, ended]
    np.add.at(total, (dog_at(place, 1), dog_at(place, 2)), weight[ended])


def _to_come(runs: Runs, holds: Ints, left: Sequence[Left]) -> int:
    """Return how many turns may come next, all races together."""
    counts = [_counts(runs, holds, left, dog).astype(np.float64) for dog in range(len(DOGS))]
    return int(np.prod(counts, axis=0).sum())


def _counts(runs: Runs, holds: Ints, left: Sequence[Left], dog: int) -> Ints:
    return np.where(runs.place[dog] == RUNNING, left[dog].cards[holds[dog]], 1)


def _dealt_out(
    runs: Runs, holds: Ints, weight: Weights, left: Sequence[Left], cards: Ints
) -> tuple[Weights, Ints, Ints]:
    """Return every race once for each card of each running dog: its chance, the holdings afterwards, the
    cards.
    """
    played = np.zeros(holds.shape, np.int8)
    for dog in range(len(DOGS)):
        counts = _counts(runs, holds, left, dog)
        races = np.repeat(np.arange(len(counts)), counts)
        nth = np.arange(len(races)) - np.repeat(counts.cumsum() - counts, counts)
        runs.restrict_to(races)
        weight, holds, played = weight[races] / counts[races], holds[:, races], played[:, races]
        own, running = holds[dog], runs.place[dog] == RUNNING
        played[dog] = np.where(running, cards[dog][left[dog].slot[own, nth]], 0)
        holds[dog] = np.where(running, left[dog].after[own, nth], 0)
    return weight, holds, played


def _merged(runs: Runs, holds: Ints, weight: Weights) -> tuple[Ints, Weights] | None:
    """Merge races that are alike, `runs` too; None if they are too unlike to be numbered."""
    if not weight.size:
        return holds, weight
    running = runs.place == RUNNING
    runs.progress = np.where(running, runs.progress, 0)
    holds = np.where(running, holds, 0)
    rows = np.concatenate([runs.progress, holds, runs.place, runs.idle[None]]).astype(np.int64)
    rows -= rows.min(axis=1, keepdims=True)
    spans = [int(row.max()) + 1 for row in rows]
    if prod(spans) >= 1 << 62:
        return None
    key = np.zeros(rows.shape[1], np.int64)
    for row, span in zip(rows, spans, strict=True):
        key = key * span + row
    _, one, group = np.unique(key, return_index=True, return_inverse=True)
    runs.restrict_to(one)
    return holds[:, one], np.bincount(group, weight).astype(np.float64, copy=False)


# --- possible holdings ---------------------------------------------------------------------------


class _Hold(NamedTuple):
    """Slots of a set: to come before the cards come back, played at all, known to be next."""

    to_come: frozenset[int]
    playing: frozenset[int]
    given: frozenset[int]

    def after(self, slot: int) -> _Hold:
        """Return the holding after this slot was played: of six the last of all is the one set aside."""
        to_come, playing = self.to_come - {slot}, self.playing
        if len(playing) - len(to_come) == FIVE:
            playing -= to_come
            to_come = playing
        return _Hold(to_come, playing, frozenset())


@lru_cache(64)
def _left(used: int, first: int, end: int) -> Left:
    """Return all possible holdings of a set in the order of playing: `used`, `first` and `end` as in
    HeldSets.
    """
    start = _Hold(frozenset(range(used, end)), frozenset(range(end)), frozenset(range(used, first)))
    found, holds, rows = {start: 0}, [start], list[list[tuple[int, int]]]()
    for hold in holds:  # the list grows meanwhile
        row = []
        for slot in sorted(hold.given or hold.to_come):
            after = hold.after(slot)
            if after not in found:
                found[after] = len(holds)
                holds.append(after)
            row.append((slot, found[after]))
        rows.append(row)
    padded = np.array([row + [(0, 0)] * (SIX - len(row)) for row in rows], np.int16)
    return Left(np.array([len(row) for row in rows]), padded[..., 0], padded[..., 1])


_NOTHING: Final = Left(np.ones(1, np.intp), np.zeros((1, 1), np.int16), np.zeros((1, 1), np.int16))
"""The dummy's, and that of a dog that runs no more."""
