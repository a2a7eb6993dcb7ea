"""The charts of printed games: what only their owner can look up, entered once and kept.

A chart is the options of a game that describe its print (`Race.chart`): a board, a lap, an odds chart. It can
be written to a TOML file and read from one. Until the owner enters it the rules' placeholder is used.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from decimal import Decimal
from typing import Any

import tomli_w

from companion import games
from companion.games.race import Race
from companion.sentence import N_, refuse


def placeholder(game: type[Race]) -> dict[str, Any]:
    """The chart that the rules use until the owner enters his own."""
    return {option.name: deepcopy(option.default) for option in game.options if option.name in game.chart}


def chart_of(game: type[Race], given: Mapping[str, Any]) -> dict[str, Any]:
    """A whole chart of this game, as given; ValueError says what is missing, or what the game refuses."""
    if not game.chart:
        raise refuse(
            N_("{game} has no chart: nothing is printed that the companion does not know"), game=game.name
        )
    for name in given:
        if name not in game.chart:
            known = ", ".join(game.chart)
            raise refuse(
                N_("the chart of {game} has {known}, not {text}"), game=game.name, known=known, text=name
            )
    for name in game.chart:
        if name not in given:
            raise refuse(N_("the chart of {game} needs {text}"), game=game.name, text=name)
    game.new([str(seat) for seat in range(game.seat_counts[1])], **given)
    return dict(given)


def to_toml(game: type[Race], chart: Mapping[str, Any]) -> str:
    """The chart as a TOML file that names its game.

    >>> from companion.games.greyhounds import Greyhounds
    >>> to_toml(Greyhounds, {"lap": 30}).splitlines()
    ['game = "greyhounds"', 'lap = 30']
    """
    return tomli_w.dumps({"game": game.name, **chart})


def from_toml(text: str) -> tuple[type[Race], dict[str, Any]]:
    """The game and the chart that a TOML file says; ValueError says what does not fit."""
    try:
        given = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise refuse(N_("this is no TOML file: {text}"), text=str(error)) from None
    name = given.pop("game", None)
    if not isinstance(name, str):
        raise refuse(N_('the file must name its game: begin it with a line such as game = "greyhounds"'))
    game = games.named(name)
    return game, chart_of(game, given)
