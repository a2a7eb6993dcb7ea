"""Galloping Pigs and Galloping Horse on a score sheet."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from tests.support.recount.places import shared_places

PIGS = ("red", "blue", "green", "yellow", "pink")
HORSES = ("red", "blue", "green", "yellow")
CARDS_EACH = 7
NOT_AFTER_THE_LINE = 4
"""So many spaces after the starting line no food is laid on."""


def landing(progress: int, others: Collection[int], spaces: int) -> int:
    """Return the progress an animal comes to: the next space in front that holds none of the others.

    >>> landing(-4, [0, -1, -2, -3], 22)
    1
    >>> landing(3, [-2, 5], 6)  # the loop is short: the one behind stands next in front
    6
    """
    held = {other % spaces for other in others}
    progress += 1
    while progress % spaces in held:
        progress += 1
    return progress


def free_for_food(spaces: int, animals: Collection[int], food: Collection[int]) -> list[int]:
    """Return the spaces on which a food card may be laid.

    >>> free_for_food(22, [0, -1, -2, -3, -4], [5, 17])
    [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
    """
    taken = {*food, *range(1, NOT_AFTER_THE_LINE + 1), *(progress % spaces for progress in animals)}
    return [space for space in range(spaces) if space not in taken]


class GallopingSheet:
    """A game of pigs or of horses; `step` is the decision it waits for, `seat` who owes it."""

    def __init__(self, header: Mapping[str, Any]) -> None:
        options = header.get("options", {})
        seats = len(header["seats"])
        self.pigs = header["game"] == "galloping-pigs"
        self.spaces: int = options.get("spaces", 22)
        self.rounds: int = options.get("rounds", 3 if self.pigs else 2)
        self.food_on_track: bool = options.get("food_on_track", False)
        self.last_card_decides: bool = self.pigs and options.get("last_card_decides", True)
        self.start: int = header.get("start", 0)
        self.round = 1
        self.step: str | None = "line-up"
        self.seat = self.start
        self.progress: dict[str, int | None] = dict.fromkeys(PIGS if self.pigs else HORSES)
        self.stock: int = options.get("food", 55 if self.pigs else 40)
        self.provisional = [0] * seats
        self.safe = [0] * seats
        self.track_food: list[int] = []
        self.laid = 0  # food cards laid on the track this round
        self.played = [0] * seats

    def take(self, line: Mapping[str, Any]) -> None:
        """Write down a decision and all that follows from it."""
        if line["do"] == "line-up":
            self.progress |= {animal: -behind for behind, animal in enumerate(line["order"])}
            self.step = "deal"
        elif line["do"] == "deal":
            # only cards played show a seat's hand, known or not
            self.laid = 0
            self._lay_or_play()
        elif line["do"] == "place-food":
            self.stock -= 1
            self.track_food.append(line["space"])
            self.laid += 1
            self._next_seat()
            self._lay_or_play()
        else:
            self._play(line["seat"], line["card"])

    def _next_seat(self) -> None:
        self.seat = (self.seat + 1) % len(self.safe)

    def _starting_seat(self) -> int:
        """Return the seat that starts this round: each round begins one seat further clockwise."""
        return (self.start + self.round - 1) % len(self.safe)

    def _lay_or_play(self) -> None:
        """Wait for food while a seat has laid none, the stock has some and a space is free; else for play."""
        animals = [progress for progress in self.progress.values() if progress is not None]
        if (
            self.food_on_track
            and self.laid < len(self.safe)
            and self.stock > 0
            and free_for_food(self.spaces, animals, self.track_food)
        ):
            self.step = "place-food"
        else:
            self.step = "play"
            self.seat = self._starting_seat()

    def _play(self, seat: int, animal: str) -> None:
        standing = {other: progress for other, progress in self.progress.items() if progress is not None}
        others = [progress for other, progress in standing.items() if other != animal]
        to = landing(standing[animal], others, self.spaces)
        self.progress[animal] = to
        self.played[seat] += 1
        leads = to > max(others)
        gained = 0
        if leads and self.stock > 0:
            self.stock -= 1
            gained += 1
        if to % self.spaces in self.track_food:
            self.track_food.remove(to % self.spaces)
            gained += 1
        if self.last_card_decides:
            self.provisional[seat] += gained
        else:
            self.safe[seat] += gained
        if self.played[seat] == CARDS_EACH:
            self._reward(seat, leads)
        self._next_seat()
        if min(self.played) == CARDS_EACH:
            self._end_of_round()

    def _reward(self, seat: int, leads: bool) -> None:
        """Reward a seat on its last card: provisional food, if there is any, becomes safe or goes back."""
        if leads:
            self.safe[seat] += self.provisional[seat]
        else:
            self.stock += self.provisional[seat]
        self.provisional[seat] = 0

    def _end_of_round(self) -> None:
        self.stock += len(self.track_food)
        self.track_food = []
        if self.round == self.rounds:
            self.step = None
            return
        self.round += 1
        self.seat = self._starting_seat()
        self.played = [0] * len(self.played)
        if self.pigs:
            self.progress = dict.fromkeys(self.progress)
            self.step = "line-up"
        else:
            self.step = "deal"  # horses stay where they are

    def due(self) -> tuple[str, list[int]] | None:
        """Return the decision that is waited for, and whose it is; a deal belongs to no seat."""
        if self.step is None:
            return None
        return self.step, [] if self.step == "deal" else [self.seat]

    def scores(self) -> list[int]:
        """Return the food that can never be taken away again, by seat."""
        return [*self.safe]

    def places(self) -> list[int | None]:
        """Return the places: most food is first, at any time of the game."""
        return shared_places(self.safe)

    def state(self) -> dict[str, Any]:
        """Return the public state in the record format."""
        return {
            "round": self.round,
            "to_play": self.seat if self.step == "play" else None,
            "progress": {**self.progress},
            "stock": self.stock,
            "provisional": [*self.provisional],
            "kept": [*self.safe],
            "track_food": sorted(self.track_food),
            "played": [*self.played],
        }
