"""Giro Galoppo on a score sheet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

FINISH = 28
NATURAL = (7, 15, 20)
"""The placeholder board, as far as counting needs it: where sand is matters to legality alone."""

LOOSE = 5
HAND = 6
GATE = 0


def moved(at: Sequence[int], seat: int, card: int, obstacles: Collection[int]) -> list[int]:
    """Return the positions by seat after one horse's move.

    >>> moved([3, 5, 4], 0, 2, obstacles={2})  # onto horse 1, which goes back to the space just left
    [5, 3, 4]
    >>> moved([0, 2, 1], 0, 2, obstacles={})  # no space behind is free: into the gate
    [2, 0, 1]
    >>> moved([3, 5], 0, 4, obstacles={7})
    [3, 5]
    """
    after = [*at]
    target = at[seat] + card
    if target in obstacles:
        return after
    after[seat] = target
    if target in at:
        behind = (space for space in range(target - 1, GATE, -1) if space not in {*obstacles, *after})
        after[at.index(target)] = next(behind, GATE)
    return after


def furthest_behind(seats: Collection[int], at: Sequence[int], age: Sequence[int]) -> int:
    """Return which of these seats' horses is furthest behind; of several in the gate the oldest seat's.

    >>> furthest_behind([0, 1, 2], [4, 0, 0], age=[2, 0, 1])
    2
    """
    return min(seats, key=lambda seat: (at[seat], age.index(seat)))


def after_round(
    at: Sequence[int],
    cards: Mapping[int, int],
    obstacles: Collection[int],
    age: Sequence[int],
    rearmost_only: bool,
) -> list[int]:
    """Return the positions by seat when all cards have been turned over: lowest first, equals from the rear.

    >>> after_round([0, 0, 0], {0: 2, 1: 2, 2: 1}, obstacles={4}, age=[1, 0, 2], rearmost_only=False)
    [2, 0, 1]
    >>> after_round([0, 0, 0], {0: 2, 1: 2, 2: 1}, obstacles={4}, age=[1, 0, 2], rearmost_only=True)
    [0, 2, 1]
    """
    after = [*at]
    for value in sorted(set(cards.values())):
        equals = [seat for seat in cards if cards[seat] == value]
        while equals:
            seat = furthest_behind(equals, after, age)
            after = moved(after, seat, value, obstacles)
            equals = [] if rearmost_only else [other for other in equals if other != seat]
    return after


class GiroSheet:
    """A game of Giro Galoppo; `cards` are those that lie face down, by seat."""

    def __init__(self, header: Mapping[str, Any]) -> None:
        options = header.get("options", {})
        board = options.get("board", {"finish": FINISH, "natural": NATURAL})
        seats = len(header["seats"])
        self.finish: int = board["finish"]
        self.natural = [*board["natural"]]
        self.rearmost_only: bool = options.get("rearmost_only", False)
        self.age = [*options.get("age", range(seats))]
        self.round = 1
        self.progress = [GATE] * seats
        self.obstacles: list[int] = []
        self.cards: dict[int, int] = {}
        self.hand_used: list[list[int]] = [[] for _ in range(seats)]
        self.finished = False

    def take(self, line: Mapping[str, Any]) -> None:
        """Write down a decision; the round moves with its last card."""
        if line["do"] == "place-obstacle":
            self.obstacles.append(line["space"])
            return
        self.cards[line["seat"]] = line["card"]
        if len(self.cards) == len(self.progress):
            self._move()

    def _move(self) -> None:
        obstacles = {*self.natural, *self.obstacles}
        self.progress = after_round(self.progress, self.cards, obstacles, self.age, self.rearmost_only)
        for seat, card in self.cards.items():
            self.hand_used[seat].append(card)
        if len(self.hand_used[0]) == HAND:
            self.hand_used = [[] for _ in self.hand_used]
        self.cards = {}
        self.finished = max(self.progress) > self.finish
        if not self.finished:
            self.round += 1

    def due(self) -> tuple[str, list[int]] | None:
        """Return the decision due, and of whom: obstacles from the youngest seat on, then cards."""
        if self.finished:
            return None
        seats = range(len(self.progress))
        if len(self.obstacles) < LOOSE:
            return "place-obstacle", [(self.age[-1] + len(self.obstacles)) % len(seats)]
        return "play", [seat for seat in seats if seat not in self.cards]

    def scores(self) -> list[int]:
        """Return how far each seat's horse has come."""
        return [*self.progress]

    def places(self) -> list[int | None]:
        """Return the places: none before the end or before the line; no two horses past it share a space."""
        return [
            1 + sum(other > progress for other in self.progress)
            if self.finished and progress > self.finish
            else None
            for progress in self.progress
        ]

    def state(self) -> dict[str, Any]:
        """Return the public state in the record format, without cards that are face down."""
        return {
            "round": self.round,
            "progress": [*self.progress],
            "obstacles": sorted(self.obstacles),
            "hand_used": [sorted(cards) for cards in self.hand_used],
        }
