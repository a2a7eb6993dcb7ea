"""Validation of games from plug-ins: everything that lists games can show it, before it is played."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any, Final

from companion.errors import validation_error
from companion.games.forms import Form, Option
from companion.games.race import Race
from companion.message import N_

_NAME: Final = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"  # it stands in addresses, in tags and in records


def games_of(name: str, loaded: Any) -> dict[str, type[Race]]:
    """Return the games of an entry point by name: one, or those of a module; ValidationError says what is
    missing.

    Games that a module only imports are not counted.

    >>> from companion.games import galloping
    >>> sorted(games_of("galloping", galloping.rules))
    ['galloping-horse', 'galloping-pigs']
    """
    games = list(_in_module(loaded)) if isinstance(loaded, ModuleType) else [loaded]
    if not games:
        raise validation_error(_NONE_IN_MODULE, text=loaded.__name__)
    for game in games:
        _check(game)
    return {game.name: game for game in games}


def _in_module(module: ModuleType) -> Iterator[type[Race]]:
    own = f"{module.__name__}."
    for value in vars(module).values():
        is_game = isinstance(value, type) and issubclass(value, Race) and "name" in vars(value)
        if is_game and f"{value.__module__}.".startswith(own):
            yield value


def _check(game: Any) -> None:
    if not isinstance(game, type) or not issubclass(game, Race):
        raise validation_error(_NO_RACE, text=_shown(game))
    owed = sorted(game.__abstractmethods__)
    if owed:
        raise validation_error(_OWES, text=game.__name__, known=", ".join(owed))
    for what, fits, wanted in _WANTED:
        value = inspect.getattr_static(game, what, None)
        if not fits(value):
            raise validation_error(_WRONG, text=f"{game.__name__}.{what}", wanted=wanted, found=_shown(value))


def _shown(value: Any) -> str:
    return repr(value)[:60]


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(_NAME, value) is not None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _are_pieces(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(value) and all(map(_is_text, (*value, *value.values())))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _are_counts(value: Any) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and all(map(_is_whole, value))
        and 0 < value[0] <= value[1]
    )


def _are_forms(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(form, Form) for form in value.values())


def _are_options(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(option, Option) for option in value)


_WANTED: Final[tuple[tuple[str, Callable[[Any], bool], str], ...]] = (
    ("name", _is_name, '"pond-hop"'),
    ("title", _is_text, '"Pond Hop"'),
    ("animal", _is_name, '"frog"'),
    ("pieces", _are_pieces, '{"red": "the |red frog"}'),
    ("numbers", _is_whole, "3"),
    ("seat_counts", _are_counts, "(2, 4)"),
    ("forms", _are_forms, '{"hop": Form(True, "far", int)}'),
    ("options", _are_options, '(Option("pads", 12, "lily pads", "How wide the pond is.", 4, 60),)'),
)
"""The attributes of a game shown before it is played: name, validation, and an example."""

_NO_RACE: Final = N_(
    "{text} is no game: a subclass of companion.games.race.Race is wanted, or a module of such"
)
_NONE_IN_MODULE: Final = N_("the module {text} holds no game: a subclass of Race with a name of its own")
_OWES: Final = N_("{text} lacks what every game has: {known}")
_WRONG: Final = N_("{text} must be something like {wanted}, not {found}")
