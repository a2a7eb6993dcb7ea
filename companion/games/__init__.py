"""The rules of each game, a file a mechanism: pure values, no I/O, no clock, no randomness.

A file here that holds a subclass of Race with a `name` is a game; there is no list to edit.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil

from companion.games.race import Race


def found() -> dict[str, type[Race]]:
    """Every game by name, found in the files of this package.

    >>> sorted(found())[:2]
    ['galloping-horse', 'galloping-pigs']
    """
    games: dict[str, type[Race]] = {}
    for module in pkgutil.iter_modules(__path__):
        for thing in vars(importlib.import_module(f"{__name__}.{module.name}")).values():
            if inspect.isclass(thing) and issubclass(thing, Race) and "name" in vars(thing):
                games[thing.name] = thing
    return games


def named(name: str) -> type[Race]:
    """The game called `name`; ValueError names those that there are."""
    games = found()
    if name not in games:
        near = difflib.get_close_matches(name, games, 1)
        hint = f", do you mean {near[0]}?" if near else ""
        raise ValueError(f"no game called {name!r}: there are {', '.join(sorted(games))}{hint}")
    return games[name]
