"""The rules of each game, a package or a file for each mechanism, as immutable values.

May use only `plugins.py`, `errors.py` and `message.py`: no I/O, no clock, no randomness of its own.

A module here that has a subclass of Race with a `name` is a game; there is no list to edit. Other packages
add theirs by the entry point `companion.games`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from companion import plugins
from companion.errors import InvalidInput
from companion.games.plugged import games_of
from companion.games.race import Race


@cache
def all_games() -> Mapping[str, type[Race]]:
    """Return every game by name: in the order of the files, then those of plug-ins.

    >>> list(all_games())[:2]
    ['galloping-pigs', 'galloping-horse']
    """
    return {**_own_games(), **plugins.brought(plugged())}


@cache
def plugged() -> tuple[plugins.Plugin[type[Race]], ...]:
    """Return the plug-ins that bring games, also those that failed to load."""
    return plugins.loaded("companion.games", games_of, _own_games())


@cache
def _own_games() -> Mapping[str, type[Race]]:
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    here = [kind for kind in _made_from(Race) if kind.__module__.startswith(f"{__name__}.")]
    games = [kind for kind in sorted(here, key=lambda kind: kind.__module__) if "name" in vars(kind)]
    return {game.name: game for game in games}


def _made_from(kind: Any) -> Iterator[type[Race]]:
    for made in kind.__subclasses__():
        yield made
        yield from _made_from(made)


def find_by_name(name: str) -> type[Race]:
    """Return the game called `name`; InvalidInput lists the names of all games."""
    games = all_games()
    if name not in games:
        import difflib  # only here: the odds process needs it never

        near = difflib.get_close_matches(name, games, 1)
        hint = f", do you mean {near[0]}?" if near else ""
        raise InvalidInput(f"no game called {name!r}: there are {', '.join(sorted(games))}{hint}")
    return games[name]
