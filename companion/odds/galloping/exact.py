"""The last cards of a round of Pigs or Horse, computed exactly.

All orders in which the unseen cards may come are followed at once, card by card; positions that are alike
from then on are merged, with their chances added up. Everything is in columns, one per position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.games.galloping.rules import Galloping
from companion.games.terms import HIDDEN
from companion.odds.chance import Event
from companion.odds.galloping.cards import Ply, plies
from companion.odds.galloping.round import shares
from companion.odds.galloping.track import Ints, Spaces

MOST_CARDS: Final = 8  # with more to come there are too many positions
MOST_POSITIONS: Final = 12_000
_MIX: Final = np.random.default_rng(22).integers(0, 1 << 63, 64, dtype=np.uint64) * 2 + 1  # odd numbers


@dataclass
class Positions:
    """Positions by column, with the probability `chance` of each."""

    progress: Ints  # by animal
    unseen: Ints  # cards not seen yet, by animal
    earned: Ints  # by seat: provisional food, or food made safe by the last card; in Horse, all since now
    stock: Ints
    food: Ints  # spaces with food, a row each, see Spaces
    chance: NDArray[np.float64]

    def merged(self) -> Positions:
        """Return the same chances with equal positions merged."""
        rows = [*self.progress, *self.unseen, *self.earned, self.stock, *self.food]
        key = np.zeros(len(self.chance), np.uint64)
        for row, mix in zip(rows, _MIX, strict=False):
            key += row.astype(np.int64).view(np.uint64) * mix
        _, first, same = np.unique(key, return_index=True, return_inverse=True)
        rows_of = (facts[:, first] for facts in (self.progress, self.unseen, self.earned))
        progress, unseen, earned = rows_of
        chance = np.bincount(same, self.chance).astype(np.float64, copy=False)
        return Positions(progress, unseen, earned, self.stock[first], self.food[:, first], chance)


def exact(race: Galloping) -> Mapping[Event, float]:
    """Return the chances in this view, if few enough cards are to come and no hand is shown; otherwise {}.

    The chances to get food to safety are known even if rounds are to come; those to win only in the last one.
    """
    left = [len(hand) for hand in race.hands]
    shown = any(card != HIDDEN for hand in race.hands for card in hand)
    if race.due != "play" or sum(left) > MOST_CARDS or shown:
        return {}
    positions, keeps = _start(race), {}
    for ply in plies(left, race.turn):
        positions, leading = _after_card(race, positions, ply)
        if len(positions.chance) > MOST_POSITIONS:
            return {}
        if ply.last:
            keeps[Event("keep", ply.seat)] = leading
    chances = dict(sorted(keeps.items())) if race.last_card_decides else {}
    if race.round == race.rounds:
        scores = positions.earned + np.array(race.kept)[:, None]
        wins = shares(scores, np.float64) @ positions.chance
        chances |= {Event("win", seat): float(p) for seat, p in enumerate(wins)}
    return chances


def _start(race: Galloping) -> Positions:
    unseen = [race.cards_per_colour - race.played.count(animal) for animal in race.animals]
    return Positions(
        progress=_column(list(race.progress.values())),
        unseen=_column(unseen),
        earned=_column(race.provisional),
        stock=np.array([race.stock], np.int32),
        food=_column(sorted(race.track_food)),
        chance=np.ones(1),
    )


def _column(facts: Sequence[int]) -> Ints:
    return np.array(facts, np.int32).reshape(len(facts), 1)


def _after_card(race: Galloping, before: Positions, ply: Ply) -> tuple[Positions, float]:
    """Return the positions after any card, and the probability that the animal moved then leads."""
    parts, leading = [], 0.0
    total = before.unseen.sum(axis=0)
    for animal in range(len(race.animals)):
        some = before.unseen[animal] > 0
        if not some.any():
            continue
        chance = before.chance[some] * before.unseen[animal, some] / total[some]
        track = Spaces(before.progress[:, some].copy(), race.spaces, before.food[:, some])
        leads = track.move(np.full(len(chance), animal))
        leading += float(chance[leads].sum())
        unseen = before.unseen[:, some].copy()
        unseen[animal] -= 1
        earned, stock = _earned(race, before.earned[:, some].copy(), before.stock[some], leads, track, ply)
        food = track.food if track.food is not None else before.food[:, some]
        parts.append(Positions(track.progress(), unseen, earned, stock, food, chance))
    joined: list[NDArray[Any]] = [
        np.concatenate([getattr(part, name) for part in parts], axis=-1)
        for name in ("progress", "unseen", "earned", "stock", "food", "chance")
    ]
    return Positions(*joined).merged(), leading


def _earned(
    race: Galloping, earned: Ints, stock: Ints, leads: NDArray[np.bool_], track: Spaces, ply: Ply
) -> tuple[Ints, Ints]:
    gain = leads & (stock > 0)
    earned[ply.seat] += gain
    stock = stock - gain
    if track.found is not None:
        earned[ply.seat] += track.found
    if race.last_card_decides and ply.last:
        stock = stock + np.where(leads, 0, earned[ply.seat])
        earned[ply.seat] *= leads
    return earned, stock
