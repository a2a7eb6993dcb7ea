"""How greyhounds are ranked, how far they run in a turn, who is home and who is lapped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

DOGS = ("red", "blue", "brown", "green")
DUMMY_CARD = 10


def ranked(cards: Mapping[str, Sequence[int]]) -> list[str]:
    """Return the dogs by the cards they show, Dog 1 first; the dummy shows six tens.

    >>> ranked({"red": [1, 2, 3, 17, 18, 19], "blue": [1, 2, 3, 16, 18, 20], "green": [10] * 6})
    ['blue', 'red', 'green']
    """

    def strength(dog: str) -> tuple[int, list[int]]:
        return sum(cards[dog]), sorted(cards[dog], reverse=True)

    seat_order = [dog for dog in DOGS if dog in cards]
    # sorting turned round leaves equals in their order, so wholly equal sets stay by seat
    return sorted(seat_order, key=strength, reverse=True)


def strides(race: int, cards: Mapping[str, int], ties: str = "move") -> dict[str, int]:
    """Return how far each dog moves, from the cards on the table; with "strike" equal cards are struck out.

    >>> strides(1, {"red": 18, "blue": 14, "brown": 14, "green": 4})
    {'red': 4, 'blue': 0, 'brown': 0, 'green': 0}
    >>> strides(2, {"red": 18, "blue": 14, "brown": 14, "green": 4})
    {'red': 14, 'blue': 10, 'brown': 10, 'green': 0}
    >>> strides(2, {"red": 18, "blue": 14, "brown": 9, "green": 4})
    {'red': 9, 'blue': 5, 'brown': 0, 'green': 0}
    >>> strides(1, {"red": 18, "blue": 18, "brown": 9, "green": 4}, "strike")
    {'red': 0, 'blue': 0, 'brown': 5, 'green': 0}
    """
    v = sorted(cards.values(), reverse=True)
    if ties == "strike":
        left = [card for card in v if v.count(card) == 1 and card != v[-1]][:race]
        return {dog: card - v[-1] if card in left else 0 for dog, card in cards.items()}
    if race == 3 or len(cards) == 2:
        return {dog: card - v[-1] for dog, card in cards.items()}
    if race == 1:
        below = max((card for card in v if card < v[0]), default=v[0])
        return {dog: card - below if card == v[0] else 0 for dog, card in cards.items()}
    if v[0] > v[1] > v[2]:
        return {dog: card - v[2] if card >= v[1] else 0 for dog, card in cards.items()}
    return {dog: card - v[-1] if card >= v[1] else 0 for dog, card in cards.items()}


def came_home(
    running: Iterable[str],
    before: Mapping[str, int],
    after: Mapping[str, int],
    line: int,
    rank: Sequence[str],
) -> list[str]:
    """Return who of those running crossed the line in this turn, in order of finish.

    Further past the line first, then who was ahead before the turn, then the better rank.

    >>> came_home(["red", "blue"], {"red": 5, "blue": 8}, {"red": 11, "blue": 11}, 10, ["red", "blue"])
    ['blue', 'red']
    """
    home = [dog for dog in running if after[dog] > line]
    return sorted(home, key=lambda dog: (-after[dog], -before[dog], rank.index(dog)))


def lapped(
    running: Iterable[str], after: Mapping[str, int], lap: int, laps: int, rank: Sequence[str]
) -> list[str]:
    """Return who of those running at the start of the turn is more than a lap behind the first of them, by
    rank.

    The first is looked at up to one space behind the line, no further: `laps` × `lap` + 1.
    """
    if laps == 1:
        return []
    front = min(max(after[dog] for dog in running), laps * lap + 1)
    return [dog for dog in rank if dog in running and after[dog] <= laps * lap and after[dog] < front - lap]
