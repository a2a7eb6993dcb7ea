"""The charts of printed games: data that only the owner can look up, entered once and stored.

A chart is the options of a game that describe its print (`Race.chart`): a board, a lap, an odds chart. It can
be written to a TOML file and read from one. Until the owner enters it a new game begins with the companion's
own, which a game may have by the number of seats; a record that names no chart means the rules' placeholder.
An odds chart can be worked out instead (companion.odds.greyhounds.chart); its file then says so:
computed = 0.85 names the part of the stakes that it pays back.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from decimal import Decimal
from typing import Any, NamedTuple

import tomli_w

from companion import games
from companion.errors import InvalidInput, validation_error
from companion.games.forms import shown
from companion.games.race import Race
from companion.message import N_


def placeholder(game: type[Race]) -> dict[str, Any]:
    """Return the chart that the rules mean where a record names none."""
    return {option.name: deepcopy(option.default) for option in game.options if option.name in game.chart}


def suggested(game: type[Race], seats: int) -> dict[str, Any]:
    """Return the chart for a new game with `seats` players whose owner has entered none: the companion's own,
    if the game has one for this number of seats, otherwise the placeholder.
    """
    return placeholder(game) | deepcopy(dict(game.suggested.get(seats, {})))


def chart_of(game: type[Race], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return `data` as a complete chart of this game; InvalidInput says what is missing or not allowed."""
    if not game.chart:
        raise validation_error(
            N_("{game} has no chart: nothing is printed that the companion does not know"), game=game.name
        )
    for name in data:
        if name not in game.chart:
            known = ", ".join(game.chart)
            raise validation_error(
                N_("the chart of {game} has {known}, not {text}"), game=game.name, known=known, text=name
            )
    for name in game.chart:
        if name not in data:
            raise validation_error(N_("the chart of {game} needs {text}"), game=game.name, text=name)
    game.new([str(seat) for seat in range(game.seat_counts[1])], **data)
    return dict(data)


def checked_return(returned: object) -> float:
    """Return the part of the stakes that a chart pays back, more than 0 and at most 1; otherwise raise
    InvalidInput.

    >>> checked_return(Decimal("0.85"))
    0.85
    """
    number = isinstance(returned, int | float | Decimal) and not isinstance(returned, bool)
    if not (number and 0 < float(str(returned)) <= 1):
        raise validation_error(
            N_("the return must be more than 0 and at most 1, not {text}"), text=shown(returned)
        )
    return float(str(returned))


def to_toml(game: type[Race], chart: Mapping[str, Any], computed: float | None = None) -> str:
    """Return the chart as a TOML file that names its game and, if it was computed, the return it was computed
    for.

    >>> from companion.games.greyhounds import Greyhounds
    >>> to_toml(Greyhounds, {"lap": 30}, 0.85).splitlines()
    ['game = "greyhounds"', 'computed = 0.85', 'lap = 30']
    """
    mark = {} if computed is None else {"computed": computed}
    return tomli_w.dumps({"game": game.name, **mark, **chart})


class Entered(NamedTuple):
    """A game's chart read from a file, and the return for which it was computed; None: it was not
    computed.
    """

    game: type[Race]
    chart: dict[str, Any]
    computed: float | None = None


def from_toml(text: str) -> Entered:
    """Parse the game and its chart from a TOML file; InvalidInput says what does not fit.

    A byte-order mark, as Notepad writes it, is ignored.
    """
    try:
        data = tomllib.loads(text.removeprefix("\ufeff"), parse_float=Decimal)
    except RecursionError:
        raise InvalidInput("the file is nested too deeply") from None
    except ArithmeticError:
        raise InvalidInput("the file has a number that is out of all bounds") from None
    except ValueError as error:  # TOMLDecodeError is one; so is Python's error for an endless number
        raise validation_error(N_("this is no TOML file: {text}"), text=str(error)) from None
    name = data.pop("game", None)
    if not isinstance(name, str):
        raise validation_error(
            N_('the file must name its game: begin it with a line such as game = "greyhounds"')
        )
    game = games.find_by_name(name)
    computed = checked_return(data.pop("computed")) if "odds" in game.chart and "computed" in data else None
    return Entered(game, chart_of(game, data), computed)
