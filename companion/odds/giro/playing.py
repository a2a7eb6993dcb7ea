"""Giro Galoppo ridden by people with styles: in each world every seat has one, and chooses its
cards by it.

The worth of a card to a taste is a sum of parts from lookup tables: one of the horse alone on the course, by
its space and hand, and one of each other horse, by the distance and by that one's hand. A test checks that it
agrees with `styles.tastes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.giro.rules import CARDS, Board, GiroGaloppo
from companion.odds.chance import Event, Stretch
from companion.odds.giro.card_features import TURN, CardFeatures
from companion.odds.giro.kernel import Cards, Giro, Players, Spaces, Worlds, choice_of
from companion.odds.giro.styles import FAMILY
from companion.odds.giro.tastes import TASTES

Worths = NDArray[np.float32]
"""By card, then by other dimensions: its worth to the taste; so much below 0 that it is never chosen
if the hand lacks it."""

Hands = NDArray[np.intp]
"""By row and world, a bit for each card that was used: 1 for the card 1, then 2, 4, 8, 16, 32."""

Tastes = NDArray[np.intp]
"""By world, and by row before it if there are several, the number of a taste."""

HANDS: Final = 1 << len(CARDS)
FAR: Final = len(CARDS) + 1  # spaces between two horses that cannot meet in this round
UNKNOWN: Final = 0  # no card: the one chosen for this round cannot be named
NEVER: Final = np.float32(-1e9)  # worth of a card that is not in the hand
LONE: Final = CardFeatures._fields.index("push")  # the features up to this one do not depend on others
APART: Final = 2 * FAR + 1  # from FAR behind to FAR ahead

_TASTES: Final = np.array(list(TASTES.values()))
_LEFT: Final = np.array([[not used >> card - 1 & 1 for used in range(HANDS)] for card in CARDS])
"""By card and the cards used, whether the card is in the hand."""
_CARDS: Final = np.array(CARDS)


def _weighed(weights: NDArray[np.float64], seen: Sequence[NDArray[Any]]) -> NDArray[np.float64]:
    """Return the features, a column of the weights each, weighted and summed by taste."""
    return np.tensordot(weights, np.stack(np.broadcast_arrays(*seen)), axes=1)


class Lone(NamedTuple):
    """The worth of each card to a horse alone, by card, then by taste, hand and space as one number; and, by
    card and space, whether it moves the horse, so that others matter.
    """

    worth: Worths
    moves: NDArray[np.float32]
    spaces: int


@lru_cache(maxsize=8)
def lone(board: Board, obstacles: tuple[int, ...]) -> Lone:
    """Return the values of a lone horse on this board with these loose obstacles, up to the
    finishing line.
    """
    finish = board.finish
    blocked = np.zeros(finish + len(CARDS) + 1, dtype=np.bool_)
    blocked[[*board.natural, *obstacles]] = True
    spaces = np.arange(finish + 1)
    target = np.minimum(spaces + _CARDS[:, None], finish + len(CARDS))
    stops = blocked[target]  # by card and space
    moved = np.where(stops, spaces, target)
    reach = _reach(moved, finish)
    gain = np.where(stops, 0, _CARDS[:, None])
    longest = np.where(_LEFT[:, :, None], gain[:, None], 0).max(axis=0)  # by hand and space
    rest = np.arange(HANDS) | (1 << _CARDS - 1)[:, None]  # by card and hand, the cards used after it
    brings = reach[rest[:, :, None], moved[:, None]] - spaces
    card, stop = _CARDS[:, None, None], stops[:, None]
    home = ~stop & (target > finish)[:, None]
    seen = (
        stop,
        card,
        gain[:, None],
        (card == longest) & ~stop,
        home,
        brings,
    )  # in the order of `CardFeatures`
    worth = _weighed(_TASTES[:, :LONE], seen)  # by taste, card, hand and space
    worth = np.where(_LEFT[:, :, None], worth, NEVER)
    by_card = np.moveaxis(worth, 1, 0).reshape(len(CARDS), -1)
    return Lone(np.ascontiguousarray(by_card, dtype=np.float32), (~stops).astype(np.float32), len(spaces))


def _reach(moved: NDArray[np.intp], finish: int) -> NDArray[np.float64]:
    """Return how far each hand moves a horse, by hand and space; hand 0 is empty. See
    `card_features.furthest`.
    """
    ends = np.arange(finish + len(CARDS) + 1, dtype=np.float64)
    over = ends > finish
    reach = np.empty((HANDS, len(ends)))
    for used in reversed(range(HANDS)):
        left = [card for card in CARDS if _LEFT[card - 1, used]]
        best = ends.copy()
        best[over] += TURN * len(left)
        if left:
            best[~over] = np.max([reach[used | 1 << card - 1, moved[card - 1]] for card in left], axis=0)
        reach[used] = best
    return reach


def _meeting() -> Worths:
    """Return the contribution of another horse to the worth of each card that moves.

    By card; taste, younger, apart, hand. `apart` is FAR and how far this horse is ahead of the other.
    """
    apart = np.arange(-FAR, FAR + 1)
    theirs = apart + _CARDS[:, None]  # by card and apart: the card with which the other lands there too
    may = (theirs >= 1) & (theirs <= len(CARDS))
    holds = may[..., None] & _LEFT[np.clip(theirs, 1, len(CARDS)) - 1]  # by card, apart and hand
    hand = np.maximum(_LEFT.sum(axis=0), 1)
    risk = []
    for younger in (False, True):
        later = (theirs > _CARDS[:, None]) | (younger & (theirs == _CARDS[:, None]))
        risk.append((holds & later[..., None]) / hand)
    danger = np.stack(risk, axis=1)  # by card, younger, apart and hand
    to_here = np.clip(apart, 1, len(CARDS))  # the card with which the other lands on this horse's space
    lands = ((apart >= 1) & (apart <= len(CARDS)))[:, None] & _LEFT[to_here - 1]  # by apart and hand
    first = np.stack(
        [apart <= _CARDS[:, None], apart < _CARDS[:, None]], axis=1
    )  # of equal cards the older's
    bumped = lands * first[..., None] / hand
    above = np.stack([_LEFT[card:].sum(axis=0) for card in CARDS]) / hand  # by card and hand
    push = ((theirs == 0)[..., None] * above[:, None])[:, None]
    worth = _weighed(_TASTES[:, LONE:], (push, danger, bumped))  # by taste, card, younger, apart and hand
    return np.ascontiguousarray(np.moveaxis(worth, 1, 0).reshape(len(CARDS), -1), dtype=np.float32)


_MEETING: Final = _meeting()
_OLDER, _YOUNGER = 0, APART * HANDS
_TASTE: Final = 2 * APART * HANDS


def worths(row: int, taste: Tastes, spaces: NDArray[np.uint16], used: Hands, alone: Lone) -> Worths:
    """Return the worth of each card to the horse in this row, by card and world; `taste` is by world.

    Rows are the oldest seat's first.
    """
    place = (taste * HANDS + used[row]) * alone.spaces + spaces[row]
    others = np.zeros((len(CARDS), spaces.shape[1]), dtype=np.float32)
    at = spaces[row].astype(np.int16)
    for other in range(len(spaces)):
        if other == row:
            continue
        apart = np.clip(at - spaces[other].astype(np.int16), -FAR, FAR) + np.int16(FAR)
        meeting = taste * _TASTE + (_YOUNGER if other > row else _OLDER) + used[other]
        meeting += apart.astype(np.intp) * HANDS
        others += _MEETING.take(meeting, axis=1)
    others *= alone.moves.take(spaces[row], axis=1)
    others += alone.worth.take(place, axis=1)
    return others


def chosen(worth: Worths, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw a card in each world with its probability there: exp(worth), divided by the sum over the hand.

    The random number is below 1 by more than the rounding error of a sum, so no card without weight is taken.
    """
    weights = np.exp(worth - worth.max(axis=0))
    sums = np.cumsum(weights, axis=0)
    mark = rng.random(worth.shape[1], dtype=np.float32) * sums[-1]
    return (sums[:-1] <= mark).sum(axis=0, dtype=np.uint8) + np.uint8(1)


# --- in a race -----------------------------------------------------------------------------------


_TASTE_OF: Final = np.array([list(TASTES).index(style.taste) for style in FAMILY])
_NOISE: Final = np.array([style.noise for style in FAMILY], dtype=np.float32)
_RANDOM: Final = list(TASTES).index("random")


class People:
    """Each seat has a constant style in each world, drawn from the belief about it.

    The worlds of several `races` are side by side, so many of each, with a generator each for the styles; the
    obstacles are alike in all of them. Cards are drawn from the first generator.
    """

    def __init__(
        self,
        races: Sequence[GiroGaloppo],
        belief: Sequence[Sequence[float]],
        counts: Sequence[int],
        rngs: Sequence[np.random.Generator],
    ) -> None:
        one, self._rng = races[0], rngs[0]
        self._alone = lone(one.board, one.obstacles)
        self.styles = _by_view(
            np.stack([rng.choice(len(FAMILY), size=count, p=belief[seat]) for seat in one.age])
            for count, rng in zip(counts, rngs, strict=True)
        )
        self._taste, self._noise = _TASTE_OF[self.styles], _NOISE[self.styles]
        used = [[sum(1 << card - 1 for card in race.used[seat]) for seat in one.age] for race in races]
        self._used = _spread(used, counts)
        known = [[choice_of(race, seat) or UNKNOWN for seat in one.age] for race in races]
        self._known: Hands | None = _spread(known, counts)

    def cards(self, spaces: Spaces) -> Cards:
        """Return a card of each hand: noise takes any, taste draws by worth; one that was chosen by now is
        known.
        """
        noisy = self._rng.random(spaces.shape, dtype=np.float32) < self._noise
        taste = np.where(noisy, _RANDOM, self._taste)
        cards = np.empty(spaces.shape, dtype=np.uint8)
        for row in range(len(spaces)):
            known = None if self._known is None else self._known[row]
            if known is not None and (known != UNKNOWN).all():
                cards[row] = known
                continue
            worth = worths(row, taste[row], spaces, self._used, self._alone)
            cards[row] = chosen(worth, self._rng)
            if known is not None:
                np.copyto(cards[row], known, where=known != UNKNOWN, casting="unsafe")
        self._known = None
        self._used |= 1 << (cards - 1).astype(np.intp)
        self._used[self._used == HANDS - 1] = 0
        return cards

    def only(self, worlds: Worlds) -> None:
        """Continue in these worlds alone."""
        self._taste, self._noise = self._taste[:, worlds], self._noise[:, worlds]
        self._used = self._used[:, worlds]
        self._known = None if self._known is None else self._known[:, worlds]


def _by_view(parts: Iterable[Worlds]) -> Worlds:
    return np.concatenate(list(parts), axis=1)


def _spread(by_view: Sequence[Sequence[int]], counts: Sequence[int]) -> Hands:
    """Return a figure of each view and row, by row and world."""
    return np.repeat(np.array(by_view, dtype=np.intp).T, counts, axis=1)


UNLIKE: Final = 2.0
"""How far bots move the log odds beyond what their styles say, at two seats twice as far as at four: a bot
that always takes its best card is surer to win or lose than the odds can know."""


class Styled(Giro):
    """The winner if every seat plays in its believed styles, once the obstacles are laid."""

    batches = (400, 1600, 8000, 10_000, 10_000)  # none takes longer than a tenth of a second or so
    habits = MappingProxyType({})  # people's aims are in their styles
    stretch = Stretch(1.35, 1.12)  # the styles considered possible are wider than the real ones

    def __init__(self, belief: Sequence[Sequence[float]]) -> None:
        self._belief = belief
        unlike = UNLIKE / len(belief)
        self.doubts = MappingProxyType({"win": unlike, "placed": unlike})

    def _players(self, race: GiroGaloppo, count: int, rng: np.random.Generator) -> Players:
        return People([race], self._belief, [count], [rng])

    def _ride_together(self, races: Sequence[GiroGaloppo]) -> bool:
        """Return True once obstacles are laid, for any hands."""
        return all(race.obstacles == races[0].obstacles for race in races)

    def _all_players(
        self, races: Sequence[GiroGaloppo], counts: Sequence[int], rngs: Sequence[np.random.Generator]
    ) -> Players:
        return People(races, self._belief, counts, rngs)

    def exact(self, race: GiroGaloppo) -> Mapping[Event, float]:
        """Return no exact chances: they exist for one style of each seat, not for all possible ones."""
        return {}
