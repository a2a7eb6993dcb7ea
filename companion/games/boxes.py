"""The box of a game that a table has: its edition, which says what has a tag and what is printed."""

from __future__ import annotations

from typing import Any

from companion.errors import validation_error
from companion.games.editions import Edition
from companion.games.race import Race
from companion.message import N_


def boxes(game: type[Race]) -> tuple[Edition, ...]:
    """Return the editions of a game; of one that names none, its box as the rules have it."""
    return game.editions or (Edition("", game.title, "", "", game.seat_counts, game.numbers),)


def box_called(game: type[Race], name: str = "") -> Edition:
    """Return the edition of this name, or the first one for an empty name; InvalidInput if there is none.

    >>> from companion.games.galloping import GallopingPigs
    >>> box_called(GallopingPigs, "2009").numbers, box_called(GallopingPigs).numbers
    (8, 7)
    """
    found = {edition.name: edition for edition in boxes(game)}
    if name and name not in found:
        message = N_("{game} has no edition {text}: there are {known}")
        raise validation_error(message, game=game.name, text=repr(name), known=", ".join(found))
    return found[name] if name else boxes(game)[0]


def box_for(game: type[Race], seats: int) -> Edition:
    """Return the first edition for so many; the first of all if there is none."""
    fit = (edition for edition in boxes(game) if edition.seats[0] <= seats <= edition.seats[1])
    return next(fit, boxes(game)[0])


def usual_most(game: type[Race]) -> int:
    """Return the most people who can play with the usual options: with any box.

    >>> from companion.games.galloping import GallopingPigs
    >>> GallopingPigs.seat_counts[1], usual_most(GallopingPigs)
    (5, 4)
    """
    fewest, most = game.seat_counts
    return max(seats for seats in range(fewest, most + 1) if seats not in game.least)


def options_for(game: type[Race], seats: int) -> dict[str, Any]:
    """Return the options of the first edition for so many: none for a game with one box.

    >>> from companion.games.galloping import GallopingPigs
    >>> options_for(GallopingPigs, 4), options_for(GallopingPigs, 5)["cards_per_colour"]
    ({}, 8)
    """
    edition = box_for(game, seats)
    return {**edition.options, **edition.usual}


def most_cards(game: type[Race]) -> int:
    """Return how many cards of each colour the largest box has.

    >>> from companion.games.galloping import GallopingPigs
    >>> most_cards(GallopingPigs)
    8
    """
    return max(edition.numbers for edition in boxes(game))
