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
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar, get_args

from companion.errors import ValidationError, validation_error
from companion.message import N_, Sentence

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

T = TypeVar("T")

Group = Literal["companion.games", "companion.robots", "companion.readers", "companion.languages"]
GROUPS: Final[tuple[Group, ...]] = get_args(Group)
_OURS: Final = "companion."  # what the names of all our groups begin with
_LONGEST: Final = 200  # letters of what an exception says: a sentence, no page


@dataclass(frozen=True)
class Declared:
    """What a package says that it brings, not yet loaded; `problem`: why it can never be."""

    group: str
    name: str
    distribution: str
    version: str
    entry: EntryPoint | None = field(default=None, compare=False, repr=False)
    problem: Sentence | None = None


@dataclass(frozen=True)
class Plugin(Generic[T]):
    """A plug-in: whose it is, and what it `brings` by name, or `why` it is broken and brings nothing."""

    group: str
    name: str
    distribution: str
    version: str
    brings: Mapping[str, T]
    why: Sentence | None = None


@cache
def declared() -> tuple[Declared, ...]:
    """What all installed packages declare for the companion, by group, name and package.

    Looked up once: what is installed later counts at the next start.
    """
    found: dict[str, tuple[Declared, ...]] = {}
    for distribution, text in _telling():
        package = _called(distribution)
        if _plain(package) not in found:  # the first one on the path is the one that Python imports
            found[_plain(package)] = tuple(_entries(distribution, package, text))
    every = (one for ones in found.values() for one in ones)
    return tuple(sorted(every, key=lambda one: (one.group, one.name, one.distribution)))


def names(group: Group) -> tuple[str, ...]:
    """What the plug-ins of a group are called, broken ones too, without loading any."""
    return tuple(one.name for one in declared() if one.group == group)


def loaded(
    group: Group, checked: Callable[[str, Any], Mapping[str, T]], taken: Collection[str]
) -> tuple[Plugin[T], ...]:
    """Every plug-in of a group, each loaded within its own try, so that a broken one breaks nothing else.

    `checked` is given its name and what its entry point leads to, and gives what it brings by name; a
    ValidationError
    says what it lacks. Nobody may bring a name that is `taken` by the companion, or by a plug-in before it.
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
    """What was declared for a group that there is not: a slip of the pen that would never be seen."""
    return tuple(_broken(one, _no_group(one)) for one in declared() if one.group not in GROUPS)


def brought(plugins: Collection[Plugin[T]]) -> dict[str, T]:
    """All that these plug-ins bring, by name."""
    return {name: value for plugin in plugins for name, value in plugin.brings.items()}


def wrong(problem: BaseException) -> Sentence:
    """Why something of a plug-in does not work, from what it raised.

    >>> str(wrong(ModuleNotFoundError("No module named 'frogs'")))
    "it ends with ModuleNotFoundError: No module named 'frogs'"
    """
    if isinstance(problem, ValidationError):
        return problem.sentence
    said = " ".join(str(problem).split())[:_LONGEST]
    return Sentence(_RAISES, {"text": ": ".join(filter(None, (type(problem).__name__, said)))})


# --- how they are found and loaded ---------------------------------------------------------------


def _telling() -> Iterator[tuple[Distribution, str]]:
    """The packages that declare something for the companion, and all their declarations as they are written.

    Not by importlib's `entry_points`, to which one package that declares nonsense hides all the others.
    """
    from importlib.metadata import distributions  # dear, and most commands need no plug-in

    for distribution in distributions():
        try:
            text = distribution.read_text("entry_points.txt") or ""
        except (OSError, ValueError):  # nobody can tell whether it was meant for us
            continue
        if f"[{_OURS}" in text:
            yield distribution, text


def _called(distribution: Distribution) -> str:
    """The package's name; where it does not tell one, "?"."""
    return str(_told(distribution, "Name"))


def _told(distribution: Distribution, key: str) -> str:
    try:
        return str(distribution.metadata[key] or "?")
    except Exception:  # without metadata, as one that was taken away by halves
        return "?"


def _plain(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def _entries(distribution: Distribution, package: str, text: str) -> Iterator[Declared]:
    version = _told(distribution, "Version")
    try:
        entries = [entry for entry in distribution.entry_points if entry.group.startswith(_OURS)]
    except Exception:  # one line of it is none
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
        with redirect_stdout(sys.stderr):  # what programs read, such as --json, stays ours alone
            brings = dict(checked(one.name, one.entry.load()))
            for name in brings:
                if name in owners:
                    raise _taken(name, owners[name])
    except KeyboardInterrupt:  # somebody at the terminal, who wants to end it all
        raise
    except BaseException as problem:  # whatever it does, SystemExit too: it breaks itself alone
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
