"""Giro Galoppo's chances: rounds ridden in many worlds at once, and an exact ending near the line.

A world is a column: the spaces of its horses, a row per seat, the oldest first, because equals leave the gate
in that order. One function, `ride`, moves the horses of a round in all worlds; the playouts and the exact
ending both use it, and a test checks that it agrees with the referee.

A race ends with probability 1, so there is no limit of rounds. Let the first horse be on M when everybody has
six cards again, and let k be the lowest card that takes it to a space without an obstacle: there is one, for
at most five natural obstacles are in a row and loose ones touch none. If k < 6, it gets there where it plays
k and the others play 6. If k = 6, M + 1 … M + 5 are obstacles; it plays 6 and the others 1, but the horse
right behind it 5, and so do all in the gate if M is 0 or 1: then no horse comes to M before it leaves. So
with each new hand there is a chance of 1 in 6⁵ at least that the first place moves on; it never moves back,
and the spaces to the line are finite. Over 1000 spaces full of rows of five it takes thousands of rounds,
over the usual course a dozen or two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from math import prod
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.games.giro.rules import CARDS, IN_LAST_STRETCH, OBSTACLES, Board, GiroGaloppo
from companion.odds.chance import Event
from companion.odds.doubt import spread
from companion.odds.kernel import Kernel, Playouts

Spaces = NDArray[np.uint16]  # of the horses, 0 in the gate: a row a horse, the oldest seat's first, by world
Cards = NDArray[np.uint8]  # by row and world, likewise
Worlds = NDArray[np.intp]  # numbers of columns
Flags = NDArray[np.bool_]

WORLDS: Final = 10_000  # ridden together; more are no quicker
SITES: Final = 1 << 21  # worlds times spaces looked at together while obstacles are laid: some megabytes


class Giro(Kernel[GiroGaloppo]):
    """The winner, and the horses past the line at the end: every seat plays a card drawn uniformly from its
    hand.
    """

    habits = MappingProxyType({"placed": 0.17})  # people do not run into obstacles that they see
    doubts = MappingProxyType({"win": 1.1, "placed": 1.1})
    budget = 300_000
    """How many moves of horses an exact answer may take: about 50 ms here."""
    near = 36
    """Exact answers are tried up to this many spaces before the line, divided by the number of seats: from
    further away they hardly ever keep within the budget."""

    def playouts(self, race: GiroGaloppo, count: int, rng: np.random.Generator) -> Playouts:
        """Return the winner and the horses past the line of each race, ridden to its end.

        Obstacles to come are laid anew in each race, every one uniformly among the spaces where it may be.
        """
        values = np.empty((2 * len(race.seats), count), dtype=np.float32)
        size = min(WORLDS, max(1, SITES // (race.board.finish + 2)) if to_lay(race) else WORLDS)
        tables = []
        for begin in range(0, count, size):
            part = values[:, begin : begin + size]
            course = _course(race, part.shape[1], rng)
            tables.append(self._players(race, part.shape[1], rng))
            part[:] = results(race, ridden_out(opening(race, part.shape[1]), course, tables[-1], race))
        styles = np.concatenate([players.styles for players in tables], axis=1)
        return Playouts(events(race), values, spread=spread(values, styles) if len(styles) else None)

    def together(
        self, races: Sequence[GiroGaloppo], counts: Sequence[int], rngs: Sequence[np.random.Generator]
    ) -> list[Playouts]:
        """Ride all races in the same rounds: some hundred worlds cost hardly less than some thousand."""
        total = sum(counts)
        many = total > WORLDS or total * (races[0].board.finish + 2) > SITES
        if many or not self._ride_together(races):
            return super().together(races, counts, rngs)
        course = side_by_side([_course(*each) for each in zip(races, counts, rngs, strict=True)])
        players = self._all_players(races, counts, rngs)
        ends = ridden_out(openings(races, counts), course, players, races[0])
        parts = np.split(ends, np.cumsum(counts)[:-1], axis=1)
        return [
            Playouts(events(race), results(race, part).astype(np.float32))
            for race, part in zip(races, parts, strict=True)
        ]

    def _players(self, race: GiroGaloppo, count: int, rng: np.random.Generator) -> Players:
        return AtRandom(race, count, rng)

    def _ride_together(self, races: Sequence[GiroGaloppo]) -> bool:
        """Return whether `_all_players` supports these races: here while obstacles are laid, when all hands
        are alike.
        """
        return all(to_lay(race) for race in races)

    def _all_players(
        self, races: Sequence[GiroGaloppo], counts: Sequence[int], rngs: Sequence[np.random.Generator]
    ) -> Players:
        """Return the players of several views in one batch."""
        return AtRandom(races[0], sum(counts), rngs[0])

    def exact(self, race: GiroGaloppo) -> Mapping[Event, float]:
        """Return the exact chances, if everything that can still happen is computable within the budget."""
        ends = None if to_lay(race) or self._far(race) else _endings(race, self.budget)
        if ends is None:
            return {}
        chances = results(race, ends.spaces) @ ends.weight
        return dict(zip(events(race), chances.tolist(), strict=True))

    def _far(self, race: GiroGaloppo) -> bool:
        return (race.board.finish + 1 - max(race.progress)) * len(race.seats) > self.near


def events(race: GiroGaloppo) -> tuple[Event, ...]:
    """Return the events of a view's chances."""
    return tuple(Event(what, seat) for what in ("win", "placed") for seat in range(len(race.seats)))


def results(race: GiroGaloppo, spaces: Spaces) -> Flags:
    """Return, by event and world, whether it happened, from the spaces of the horses at the end."""
    by_seat = spaces[np.argsort(race.age)]
    return np.concatenate((by_seat == by_seat.max(axis=0), by_seat > race.board.finish))


# --- obstacles -----------------------------------------------------------------------------------


class Course(NamedTuple):
    """The obstacles in each world: `blocked[begin + space]`, for spaces up to six behind the line.

    Worlds with the same obstacles may `begin` at the same place. The gate, 0, is not a target and blocked.
    """

    blocked: Flags
    begin: Worlds

    def of(self, worlds: Worlds | Flags) -> Course:
        """Return the course of these worlds alone."""
        return Course(self.blocked, self.begin[worlds])


def side_by_side(courses: Sequence[Course]) -> Course:
    """Return the worlds of several courses of one board, one after the other."""
    begins = np.cumsum([0, *(len(course.blocked) for course in courses[:-1])])
    return Course(
        np.concatenate([course.blocked for course in courses]),
        np.concatenate([course.begin + begin for course, begin in zip(courses, begins, strict=True)]),
    )


def course_of(race: GiroGaloppo, count: int) -> Course:
    """Return the course with the present obstacles, the same in so many worlds."""
    return Course(_blocked(race, 1).reshape(-1), np.zeros(count, dtype=np.intp))


def _course(race: GiroGaloppo, count: int, rng: np.random.Generator) -> Course:
    return random_course(race, count, rng) if to_lay(race) else course_of(race, count)


def random_course(race: GiroGaloppo, count: int, rng: np.random.Generator) -> Course:
    """Return the course in so many worlds, the obstacles still to come laid at random in each of them."""
    blocked = _blocked(race, count)
    for spaces in _laid(race, count, rng):
        blocked[np.arange(count), spaces] = True
    return Course(blocked.reshape(-1), np.arange(count, dtype=np.intp) * blocked.shape[1])


def _blocked(race: GiroGaloppo, layouts: int) -> Flags:
    """Return, by layout and space, whether the present obstacles block the space for all horses."""
    blocked = np.zeros((layouts, race.board.finish + len(CARDS) + 1), dtype=np.bool_)
    blocked[:, [0, *race.board.natural, *race.obstacles]] = True
    return blocked


def to_lay(race: GiroGaloppo) -> int:
    """Return how many obstacles are still to be laid."""
    return OBSTACLES - len(race.obstacles)


def _laid(race: GiroGaloppo, count: int, rng: np.random.Generator) -> Iterator[Worlds]:
    """Yield the space of each obstacle to come, one obstacle after the other, by world."""
    free = np.repeat(free_sand(race)[:, None], count, axis=1)
    last = _last_natural(race.board)
    in_stretch = np.full(count, sum(space > last for space in race.obstacles), dtype=np.int16)
    worlds = np.arange(count)
    for to_come in reversed(range(to_lay(race))):
        space = _drawn(may_lie(free, last, in_stretch, to_come), rng)
        for away in (-1, 0, 1):
            free[space + away, worlds] = False
        in_stretch += space > last
        yield space


def _last_natural(board: Board) -> int:
    return board.natural[-1] if board.natural else 0


def free_sand(race: GiroGaloppo) -> Flags:
    """Return, by space from 0 to one behind the line, whether it is sand with no obstacle on it or next to
    it.
    """
    free = np.zeros(race.board.finish + 2, dtype=np.bool_)
    free[list(race.board.sand)] = True
    for space in (*race.board.natural, *race.obstacles):
        free[space - 1 : space + 2] = False
    return free


def may_lie(free: Flags, last: int, in_stretch: NDArray[np.int16], to_come: int) -> Flags:
    """Return where the next obstacle may be, by space and world, if so many are `to_come` after it.

    `free` is sand away from obstacles, by space and world, `last` the last natural obstacle, `in_stretch` the
    number of loose ones after it. In a run of free spaces there is room on the first, the third and so on. An
    obstacle takes the room of one, but of two where an odd number of free spaces is on either side of it.
    """
    before, behind = _odd_run(free), _odd_run(free[::-1])[::-1]
    room = free & ~before
    taken = (before & behind).astype(np.int16) + 1
    stretch = room[last + 1 :].sum(axis=0, dtype=np.int16)
    enough = taken <= stretch + room[: last + 1].sum(axis=0, dtype=np.int16) - to_come
    allowed: Flags = free & enough
    needed = IN_LAST_STRETCH - in_stretch
    allowed[: last + 1] &= needed <= np.minimum(stretch, to_come)
    allowed[last + 1 :] &= needed - 1 <= np.minimum(stretch - taken[last + 1 :], to_come)
    return allowed


def _odd_run(free: Flags) -> Flags:
    """Return, by space and world, whether the run of free spaces that ends right before it is of
    odd length.
    """
    odd = np.zeros_like(free)
    for space in range(1, len(free)):
        np.greater(free[space - 1], odd[space - 1], out=odd[space])
    return odd


def _drawn(allowed: Flags, rng: np.random.Generator) -> Worlds:
    """Return one of the allowed spaces, by world, each with the same chance."""
    nth = rng.integers(allowed.sum(axis=0, dtype=np.int16), dtype=np.int16)
    space = np.zeros(len(nth), dtype=np.int16)
    for here in allowed:  # quicker than a cumulative sum down the columns
        nth -= here
        space += nth >= 0
    return space.astype(np.intp)


# --- a round -------------------------------------------------------------------------------------

# A horse's turn as 16 bits: card, space, row. The least of those that wait is the next one's.
_SPACE: Final = np.uint16(3)  # bits below it
_CARD: Final = np.uint16(13)
_ANY_ROW: Final = np.uint16((1 << 3) - 1)
_ANY_SPACE: Final = np.uint16((1 << 10) - 1)
_DONE: Final = np.uint16((1 << 16) - 1)  # above every turn: no card is a 7


def ride(spaces: Spaces, cards: Cards, course: Course, rearmost_only: bool = False) -> None:
    """Move the horses of a round, in place, in every world.

    >>> spaces = np.array([[2], [5], [4]], dtype=np.uint16)
    >>> open_course = Course(np.zeros(40, dtype=np.bool_), np.zeros(1, dtype=np.intp))
    >>> ride(spaces, np.array([[3], [6], [6]], dtype=np.uint8), open_course)
    >>> spaces.T.tolist()  # 2 to 5, which sends 5 back to 3; this one to 9; 4 to 10
    [[5, 9, 10]]
    """
    rows = np.arange(len(spaces), dtype=np.uint16)[:, None]
    waiting = (cards.astype(np.uint16) << _CARD) | (spaces << _SPACE) | rows
    for _ in range(len(spaces)):
        least = waiting.min(axis=0)
        turn = waiting == least
        card = least >> _CARD
        target = ((least >> _SPACE) & _ANY_SPACE) + card
        if rearmost_only:
            target[least == _DONE] = 0  # where all have moved or missed the turn, no horse moves
            np.copyto(waiting, _DONE, where=waiting >> _CARD == card)
        else:
            np.copyto(waiting, _DONE, where=turn)
        open_to = ~course.blocked.take(course.begin + target)
        pushed = (spaces == target) & open_to
        np.copyto(spaces, target, where=turn & open_to)
        if pushed.any():
            _push_back(spaces, waiting, pushed, course)


def _push_back(spaces: Spaces, waiting: Spaces, pushed: Flags, course: Course) -> None:
    """Move the horses that were pushed to the nearest space behind with neither horse nor obstacle.

    The horse that pushes is on its new space already: the old one is free.
    """
    row, world = pushed.nonzero()
    stand, begin = spaces[:, world], course.begin[world]
    back = spaces[row, world] - np.uint16(1)
    while True:
        full = (course.blocked.take(begin + back) | (stand == back).any(axis=0)) & (back > 0)
        if not full.any():
            break
        back -= full
    spaces[row, world] = back
    turn = waiting[row, world]
    moved = (turn & ~(_ANY_SPACE << _SPACE)) | (back << _SPACE)
    waiting[row, world] = np.where(turn == _DONE, _DONE, moved)


# --- playouts ------------------------------------------------------------------------------------


class Players(Protocol):
    """The choice of cards in some worlds; the numbers of their styles, by row and by world at first."""

    styles: Worlds

    def cards(self, spaces: Spaces) -> Cards:
        """Return the cards of a round, by row and world, for horses on these spaces."""

    def only(self, worlds: Worlds) -> None:
        """Continue in these worlds alone."""


class AtRandom:
    """Every hand is played in a random order, all orders equally likely, except for choices that the view can
    name.
    """

    def __init__(self, race: GiroGaloppo, count: int, rng: np.random.Generator) -> None:
        self.styles: Worlds = np.empty((0, count), dtype=np.intp)  # without styles
        self._rng, self._worlds, self._turn = rng, count, 0
        self._orders = [_orders(race.secrets_of(seat)["hand"], choice_of(race, seat)) for seat in race.age]
        self._picks = self._picked()

    def _picked(self) -> Spaces:
        return np.stack(
            [self._rng.integers(len(order[0]), size=self._worlds, dtype=np.uint16) for order in self._orders]
        )

    def cards(self, spaces: Spaces) -> Cards:
        """Return the next cards of these orders."""
        if self._turn == len(self._orders[0]):
            self._turn, self._orders = 0, [_all_orders(CARDS)] * len(self._orders)
            self._picks = self._picked()
        turn, self._turn = self._turn, self._turn + 1
        return np.stack(
            [order[turn].take(pick) for order, pick in zip(self._orders, self._picks, strict=True)]
        )

    def only(self, worlds: Worlds) -> None:
        """Continue in these worlds alone."""
        self._picks, self._worlds = self._picks[:, worlds], len(worlds)


def ridden_out(spaces: Spaces, course: Course, players: Players, race: GiroGaloppo) -> Spaces:
    """Return the spaces of the horses at the end, by row and world: from these `spaces`, by the rules of this
    race.
    """
    ended, world = np.empty_like(spaces), np.arange(spaces.shape[1])
    while True:
        over = spaces.max(axis=0) > race.board.finish
        if over.any():
            ended[:, world[over]] = spaces[:, over]
            on = (~over).nonzero()[0]
            spaces, world, course = spaces[:, on], world[on], course.of(on)
            players.only(on)
        if not len(world):
            return ended
        ride(spaces, players.cards(spaces), course, race.rearmost_only)


def opening(race: GiroGaloppo, count: int) -> Spaces:
    """Return the present spaces of the horses, by row, in so many worlds."""
    by_row = np.array([race.progress[seat] for seat in race.age], dtype=np.uint16)
    return np.repeat(by_row[:, None], count, axis=1)


def openings(races: Sequence[GiroGaloppo], counts: Sequence[int]) -> Spaces:
    """Return the same of several views, so many worlds of each, one after the other."""
    return np.concatenate([opening(race, n) for race, n in zip(races, counts, strict=True)], axis=1)


def choice_of(race: GiroGaloppo, seat: int) -> int | None:
    """Return the card that the seat has chosen for this round, if this view can name it."""
    choice: int | None = race.secrets_of(seat).get("choice")
    return choice


def _orders(hand: Sequence[int], first: int | None) -> Cards:
    """Return every order in which these cards may be played, by turn and order, `first` first if
    it is known.
    """
    orders = _all_orders(tuple(hand))
    return orders if first is None else orders[:, orders[0] == first]


@lru_cache(maxsize=64)
def _all_orders(hand: tuple[int, ...]) -> Cards:
    return np.ascontiguousarray(np.array(list(permutations(hand)), dtype=np.uint8).T)


# --- all that can happen -------------------------------------------------------------------------


class Positions(NamedTuple):
    """Different positions before a round, a column each, and the probability of each of them.

    `used` has a bit for each card of the present hand that was turned over.
    """

    spaces: Spaces
    used: Cards
    weight: NDArray[np.float64]

    def of(self, worlds: Flags | Worlds) -> Positions:
        """Return these positions alone."""
        return Positions(self.spaces[:, worlds], self.used[:, worlds], self.weight[worlds])


_ALL_USED: Final = sum(1 << card for card in CARDS)


def _hands_left() -> Cards:
    """Return, by number and `used`, the cards that are left, ascending; 0 where there are no more."""
    hands = np.zeros((len(CARDS), 1 + _ALL_USED), dtype=np.uint8)
    for used in range(0, _ALL_USED, 2):
        left = [card for card in CARDS if not used >> card & 1]
        hands[: len(left), used] = left
    return hands


_HANDS: Final = _hands_left()


def _endings(race: GiroGaloppo, budget: int) -> Positions | None:
    """Return every end that the race may have; None if computing them takes more moves than the budget."""
    now, ended = Positions(opening(race, 1), _used(race), np.ones(1)), []
    choices = [choice_of(race, seat) for seat in race.age]
    while True:
        over = now.spaces.max(axis=0) > race.board.finish
        ended.append(now.of(over))
        now = now.of(~over)
        if not len(now.weight):
            return _joined(ended)
        cards = _joint(now, choices, budget // len(choices))
        if cards is None:
            return None
        budget -= cards.size
        now = _merged(_after(race, now, cards))
        choices = [None] * len(choices)


def _used(race: GiroGaloppo) -> Cards:
    hands = [race.secrets_of(seat)["hand"] for seat in race.age]
    return np.array(
        [[sum(1 << card for card in CARDS if card not in hand)] for hand in hands], dtype=np.uint8
    )


def _joined(parts: Sequence[Positions]) -> Positions:
    spaces, used, weight = zip(*parts, strict=True)
    return Positions(*(np.concatenate(field, axis=-1) for field in (spaces, used, weight)))


def _joint(now: Positions, choices: Sequence[int | None], most: int) -> Cards | None:
    """Return the cards of all seats in each way to choose them in each position, by row; None if these are
    too many.

    Way by way: all positions with the first, all with the second, and so on.
    """
    left = len(CARDS) - int(now.used[0, 0]).bit_count()
    ways = [left if choice is None else 1 for choice in choices]
    if prod(ways) * len(now.weight) > most:
        return None
    hands = _HANDS[:left, now.used]
    picks = np.indices(ways).reshape(len(ways), -1)
    return np.stack(
        [
            (hands[pick, row] if choice is None else np.full_like(hands[pick, row], choice)).reshape(-1)
            for row, (pick, choice) in enumerate(zip(picks, choices, strict=True))
        ]
    )


def _after(race: GiroGaloppo, now: Positions, cards: Cards) -> Positions:
    """Return the positions after a round in which these cards were chosen, way by way, all ways alike."""
    ways = cards.shape[1] // len(now.weight)
    spaces = np.tile(now.spaces, ways)
    ride(spaces, cards, course_of(race, cards.shape[1]), race.rearmost_only)
    used = np.tile(now.used, ways) | (np.uint8(1) << cards)
    used[used == _ALL_USED] = 0
    return Positions(spaces, used, np.tile(now.weight / ways, ways))


def _merged(now: Positions) -> Positions:
    """Return the same positions with equal ones merged."""
    codes = [_coded(row) for row in (*now.spaces, *now.used)]
    if prod(many for _, many in codes) > np.iinfo(np.int64).max:
        return now  # no key of 64 bits tells them apart
    key = np.zeros(len(now.weight), dtype=np.int64)
    for code, many in codes:
        key = key * many + code
    _, first, same = np.unique(key, return_index=True, return_inverse=True)
    weight = np.bincount(same, now.weight).astype(np.float64, copy=False)
    return Positions(now.spaces[:, first], now.used[:, first], weight)


def _coded(row: NDArray[np.unsignedinteger[Any]]) -> tuple[Worlds, int]:
    """Return each value's place among the different ones, and the number of different values."""
    seen = np.bincount(row) > 0
    return (np.cumsum(seen) - 1)[row], int(np.count_nonzero(seen))
