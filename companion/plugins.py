"""Finds, loads and isolates plug-ins: what other packages add through entry points in their pyproject.toml.

May use errors and sentences.

Each room checks its own group: games in games/, bots in bots/, readers in devices/, languages in
translate.py. A plug-in is code that runs as the companion, with all its rights. Nothing here protects from a
malicious one; a broken one is named, and the rest goes on.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar, get_args

from companion.errors import ValidationError, validation_error
from companion.message import N_, Sentence

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

T = TypeVar("T")

Group = Literal["companion.games", "companion.robots", "companion.readers", "companion.languages"]
GROUPS: Final[tuple[Group, ...]] = get_args(Group)
_OURS: Final = "companion."  # the prefix of all our groups' names
_LONGEST: Final = 200  # letters of an exception's message: a sentence, no page


@dataclass(frozen=True)
class Declared:
    """A declaration of a package, not yet loaded; `problem`: why it can never be loaded."""

    group: str
    name: str
    distribution: str
    version: str
    entry: EntryPoint | None = field(default=None, compare=False, repr=False)
    problem: Sentence | None = None


@dataclass(frozen=True)
class Plugin(Generic[T]):
    """A plug-in: its owner, and what it `brings` by name, or `why` it is broken and brings nothing."""

    group: str
    name: str
    distribution: str
    version: str
    brings: Mapping[str, T]
    why: Sentence | None = None


@cache
def declared() -> tuple[Declared, ...]:
    """Return all declarations of installed packages for the companion, by group, name and package.

    Looked up once: a package that is installed later counts at the next start.
    """
    declared: dict[str, tuple[Declared, ...]] = {}
    for distribution, text in _declaring():
        package = _name_of(distribution)
        if _plain(package) not in declared:  # the first one on the path is the one that Python imports
            declared[_plain(package)] = tuple(_entries(distribution, package, text))
    every = (one for ones in declared.values() for one in ones)
    return tuple(sorted(every, key=lambda one: (one.group, one.name, one.distribution)))


def names(group: Group) -> tuple[str, ...]:
    """Return the names of the plug-ins of a group, broken ones too, without loading any."""
    return tuple(one.name for one in declared() if one.group == group)


def loaded(
    group: Group, checked: Callable[[str, Any], Mapping[str, T]], taken: Collection[str]
) -> tuple[Plugin[T], ...]:
    """Return every plug-in of a group, each loaded within its own try, so that a broken one breaks nothing
    else.

    `checked` gets its name and the object of its entry point, and returns what it brings by name; a
    ValidationError says what it lacks. No plug-in may bring a name that is `taken` by the companion, or by a
    plug-in before it.
    """
    owners = dict.fromkeys(taken, "")
    plugins = []
    for one in declared():
        if one.group == group:
            plugin = _loaded(one, checked, owners)
            owners |= dict.fromkeys(plugin.brings, plugin.distribution)
            plugins.append(plugin)
    return tuple(plugins)


def strays() -> tuple[Plugin[Any], ...]:
    """Return the declarations for an unknown group: a typing error that would otherwise go unnoticed."""
    return tuple(_broken(one, _no_group(one)) for one in declared() if one.group not in GROUPS)


def brought(plugins: Collection[Plugin[T]]) -> dict[str, T]:
    """Return all that these plug-ins bring, by name."""
    return {name: value for plugin in plugins for name, value in plugin.brings.items()}


def wrong(problem: BaseException) -> Sentence:
    """Return why something of a plug-in does not work, from the exception it raised.

    >>> str(wrong(ModuleNotFoundError("No module named 'frogs'")))
    "it ends with ModuleNotFoundError: No module named 'frogs'"
    """
    if isinstance(problem, ValidationError):
        return problem.sentence
    said = " ".join(str(problem).split())[:_LONGEST]
    return Sentence(_RAISES, {"text": ": ".join(filter(None, (type(problem).__name__, said)))})


# --- how they are found and loaded ---------------------------------------------------------------


def _declaring() -> Iterator[tuple[Distribution, str]]:
    """Yield the packages that declare something for the companion, and their declarations as they are
    written.

    This does not use importlib's `entry_points`, in which one invalid declaration hides all the others.
    """
    from importlib.metadata import distributions  # slow, and most commands need no plug-in

    for distribution in distributions():
        try:
            text = distribution.read_text("entry_points.txt") or ""
        except (OSError, ValueError):  # it is unknown whether it was meant for us
            continue
        if f"[{_OURS}" in text and not _is_source(distribution):
            yield distribution, text


def _is_source(distribution: Distribution) -> bool:
    """Return True for the egg-info directory that setuptools leaves in a package's source.

    It stays after the package was renamed or uninstalled, and would be listed as broken. An installed package
    has its own directory, with the list of its files.
    """
    try:
        if distribution.read_text("RECORD") is not None or distribution.read_text("SOURCES.txt") is None:
            return False
        folder = Path(str(distribution.locate_file("")))
        return any((at / "pyproject.toml").is_file() for at in (folder, folder.parent))
    except (OSError, ValueError):
        return False


def _name_of(distribution: Distribution) -> str:
    """Return the package's name; "?" if it has none."""
    return str(_field(distribution, "Name"))


def _field(distribution: Distribution, key: str) -> str:
    try:
        return str(distribution.metadata[key] or "?")
    except Exception:  # without metadata, such as one that was half uninstalled
        return "?"


def _plain(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def _entries(distribution: Distribution, package: str, text: str) -> Iterator[Declared]:
    version = _field(distribution, "Version")
    try:
        entries = [entry for entry in distribution.entry_points if entry.group.startswith(_OURS)]
    except Exception:  # one line of it is invalid
        groups = sorted(set(re.findall(rf"^\[({re.escape(_OURS)}[^]]*)\]", text, re.MULTILINE)))
        for group in groups:
            yield Declared(group, "?", package, version, problem=Sentence(_UNREADABLE))
        return
    for entry in entries:
        yield Declared(entry.group, entry.name, package, version, entry)


def _loaded(
    one: Declared, checked: Callable[[str, Any], Mapping[str, T]], owners: Mapping[str, str]
) -> Plugin[T]:
    if one.problem is not None or one.entry is None:
        return _broken(one, one.problem or Sentence(_UNREADABLE))
    try:
        with redirect_stdout(sys.stderr):  # output for programs, such as --json, stays ours alone
            brings = dict(checked(one.name, one.entry.load()))
            for name in brings:
                if name in owners:
                    raise _taken(name, owners[name])
    except KeyboardInterrupt:  # Ctrl+C at the terminal ends everything
        raise
    except BaseException as problem:  # any exception, SystemExit too: it breaks itself alone
        return _broken(one, wrong(problem))
    return Plugin(one.group, one.name, one.distribution, one.version, brings)


def _broken(one: Declared, why: Sentence) -> Plugin[Any]:
    return Plugin(one.group, one.name, one.distribution, one.version, {}, why)


def _taken(name: str, owner: str) -> ValidationError:
    return (
        validation_error(_TAKEN_BY, text=name, package=owner)
        if owner
        else validation_error(_TAKEN, text=name)
    )


def _no_group(one: Declared) -> Sentence:
    return Sentence(_NO_GROUP, {"text": one.group, "known": ", ".join(GROUPS)})


_RAISES: Final = N_("it ends with {text}")
_UNREADABLE: Final = N_("its entry points cannot be read: each is a line NAME = MODULE:OBJECT")
_TAKEN: Final = N_("the companion itself has something called {text}: choose another name")
_TAKEN_BY: Final = N_("the package {package} has something called {text} already: choose another name")
_NO_GROUP: Final = N_("there is no group {text}: there are {known}")
