"""A new plug-in: a package of one kind with tests that pass, from the templates next to this file."""

from __future__ import annotations

import importlib.util
import keyword
import re
from pathlib import Path
from typing import Final, Literal, NamedTuple, get_args

from companion.errors import InvalidInput

Kind = Literal["game", "robot", "reader", "language"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
_TEMPLATES: Final = Path(__file__).with_name("plugin_templates")
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class _Of(NamedTuple):
    """What a kind of plug-in declares."""

    group: str
    what: str
    objects: str  # what its module has for the companion and for its tests; the first is its entry point


_OF: Final[dict[Kind, _Of]] = {
    "game": _Of("games", "A game", "@CLASS@"),
    "robot": _Of("robots", "A robot", "ROBOT"),
    "reader": _Of("readers", "A reader", "reader, @CLASS@, seen"),
    "language": _Of("languages", "A language", "LANGUAGE"),
}


def files_of(name: str, kind: Kind) -> dict[str, str]:
    """Return the files of a new plug-in by their paths in its folder. InvalidInput for no usable name.

    >>> list(files_of("river-run", "robot"))[0]
    'pyproject.toml'
    """
    if not _NAME.fullmatch(name):
        raise InvalidInput(f"{name} is no name: small letters, digits and hyphens, such as river-run")
    package, of = name.replace("-", "_"), _OF[kind]
    if keyword.iskeyword(package) or importlib.util.find_spec(package) is not None:
        raise InvalidInput(f"Python itself or another package has something called {package}: choose another")
    words = {
        "NAME": name,
        "PACKAGE": package,
        "DISTRIBUTION": f"companion-{name}",
        "TITLE": name.replace("-", " ").title(),
        "CLASS": name.replace("-", " ").title().replace(" ", ""),
        "GROUP": of.group,
        "WHAT": of.what,
        "OBJECT": of.objects.partition(",")[0],
    }

    def filled(text: str) -> str:
        return re.sub(r"@([A-Z]+)@", lambda found: words[found[1]], text)

    def template(file: str) -> str:
        return filled((_TEMPLATES / f"{file}.txt").read_text("utf-8"))

    names = filled(of.objects)
    listed = ", ".join(f'"{one}"' for one in sorted(names.split(", ")))
    init = f"from {package}.{kind} import {names}\n\n__all__ = [{listed}]\n"
    catalogue = {f"src/{package}/{name}.po": template("language-po")} if kind == "language" else {}
    title = f'"""{words["TITLE"]}: {of.what.lower()} for the companion."""'
    return {
        "pyproject.toml": filled(template("pyproject")),
        f"src/{package}/__init__.py": f"{title}\n\n{init}",
        f"src/{package}/{kind}.py": template(kind),
        f"tests/test_{package}.py": template(f"{kind}-test"),
        **catalogue,
    }


def write(name: str, kind: Kind, into: Path) -> Path:
    """Write a new plug-in into a new folder of its name; return it. InvalidInput if it is there already."""
    files = files_of(name, kind)
    folder = into / name
    if folder.exists():
        raise InvalidInput(f"{folder} is there already: choose another name, or delete it")
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return folder
