"""The program itself, where a service may run it: a copy of the running one, with all it needs, offline.

    /opt/race-companion/0.2.0-1a2b3c4d/  a virtual environment, named by its contents
    /opt/race-companion/current          a link to the one that runs

Nothing is downloaded: the tested program is the installed one, on a Pi without a network too.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import companion
from companion.install.bindings import link_bindings
from companion.install.machine import InstallError, Machine, sync, sync_directory

NAME = "race-companion"
HOME = f"/opt/{NAME}"
CURRENT = f"{HOME}/current"
_MINOR = f"python{sys.version_info.major}.{sys.version_info.minor}"
PACKAGES = Path("lib") / _MINOR / "site-packages"
PYTHON = Path(sys.base_prefix) / "bin" / _MINOR  # of the system: an environment's may be deleted
_NAMED = re.compile(r"^[A-Za-z0-9._-]+")


def needed(name: str = NAME) -> list[str]:
    """Return the distributions that this one needs to run, itself first, as they are installed here.

    >>> names = needed()
    >>> names[0], "flask" in names, "pytest" in names
    ('race-companion', True, False)
    """
    names = {name: None}
    waiting = [name]
    while waiting:
        for wanted in metadata.requires(waiting.pop()) or ():
            other = _name(wanted)
            if other not in names and _here(wanted):
                names[other] = None
                waiting.append(other)
    return list(names)


def _name(requirement: str) -> str:
    named = _NAMED.match(requirement)
    return re.sub(r"[-_.]+", "-", named[0] if named else requirement).lower()


def _here(requirement: str) -> bool:
    """Return True if the distribution of a requirement is installed; False for extras."""
    if "extra ==" in requirement:
        return False
    try:
        metadata.distribution(_name(requirement))
    except metadata.PackageNotFoundError:
        return False
    return True


def files_of(name: str) -> Iterator[tuple[Path, Path]]:
    """Yield each file of a distribution and its path among the packages, without scripts."""
    yield from files_in(metadata.distribution(name))


def files_in(distribution: metadata.Distribution) -> Iterator[tuple[Path, Path]]:
    """Yield each file of a distribution, wherever it is, and its path among the packages."""
    for file in distribution.files or ():
        if ".." not in file.parts and file.suffix != ".pth" and not _is_editable(file.name):
            path = Path(str(file.locate()))
            if path.is_file() and "__pycache__" not in file.parts:
                yield path, Path(file)


def _is_editable(name: str) -> bool:
    return name == "direct_url.json" or name.startswith(("__editable__", "_race_companion"))


def own_files() -> Iterator[tuple[Path, Path]]:
    """Yield the companion's own files, whether it was installed or is a checkout; its firmware is a link
    there.
    """
    home = Path(companion.__path__[0])
    stack = [home]
    while stack:
        for path in sorted(stack.pop().iterdir()):
            if path.name == "__pycache__":
                continue
            if path.is_dir():
                stack.append(path)
            else:
                yield path, Path("companion") / path.relative_to(home)


def everything() -> dict[Path, Path]:
    """Return all files to copy: the path among the packages, and the source."""
    files: dict[Path, Path] = {}
    for name in (*needed(), *(["mfrc522"] if _here("mfrc522") else [])):
        files |= {to: path for path, to in files_of(name)}
    return files | {to: path for path, to in own_files()}


def name_of(files: Mapping[Path, Path]) -> str:
    """Return the name of a copy of these files: its version and a digest of its contents."""
    digest = hashlib.sha256()
    for to, path in sorted(files.items()):
        if to.name == "RECORD":  # it has the sum of a script that contains its build path
            continue
        digest.update(f"{to}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\0".encode())
    return f"{companion.__version__}-{digest.hexdigest()[:8]}"


def contents(machine: Machine) -> dict[Path, Path]:
    """Return all files to copy, and those of the plug-ins of the version that is installed now."""
    return plugged_files(machine) | everything()


def plugged(machine: Machine) -> list[metadata.Distribution]:
    """Return the plug-ins of the installed version: distributions that declare something for a companion."""
    there = metadata.distributions(path=[str(machine.at(CURRENT) / PACKAGES)])
    return [one for one in there if one.name != NAME and is_plugin(one)]


def is_plugin(distribution: metadata.Distribution) -> bool:
    """Return True if a distribution declares something for a companion."""
    return "[companion." in (distribution.read_text("entry_points.txt") or "")


def plugged_files(machine: Machine, without: str = "") -> dict[Path, Path]:
    """Return the files of the installed plug-ins, and of what only they need, by their path."""
    home = machine.at(CURRENT) / PACKAGES
    there = {_name(one.name): one for one in metadata.distributions(path=[str(home)])}
    waiting = [_name(one.name) for one in plugged(machine) if _name(one.name) != _name(without)]
    ours, names = set(needed()), set[str]()
    while waiting:
        name = waiting.pop()
        if name in there and name not in names | ours:
            names.add(name)
            waiting += [_name(wanted) for wanted in there[name].requires or () if "extra ==" not in wanted]
    return {to: path for name in names for path, to in files_in(there[name])}


def lay(machine: Machine, files: Mapping[Path, Path] | None = None) -> str:
    """Copy the program next to the installed ones, unless it is there; return its name. Raises
    InstallError.

    By default with the plug-ins that are installed now.
    """
    files = contents(machine) if files is None else files
    name = name_of(files)
    if not is_complete(machine, name, files):
        place = machine.at(f"{HOME}/{name}")
        new = place.with_name(f".{name}.new")
        try:
            for left in (place, new):
                if left.exists():
                    shutil.rmtree(left)
            _copy(new, files)
            sync(new)  # or after a power cut there would be its names, and no content
            new.rename(place)
            sync_directory(place.parent)
        except OSError as error:
            shutil.rmtree(new, ignore_errors=True)
            raise InstallError(
                f"the companion cannot be copied to {HOME}: {error.strerror or error}"
            ) from None
    return name


def is_complete(machine: Machine, name: str, files: Mapping[Path, Path]) -> bool:
    """Return True if a copy is there, byte for byte."""
    packages = machine.at(f"{HOME}/{name}") / PACKAGES
    there = {to: packages / to for to in files}
    return all(path.is_file() for path in there.values()) and name_of(there) == name


def current(machine: Machine) -> str | None:
    """Return the name of the running version; None if none is installed."""
    link = machine.at(CURRENT)
    return link.readlink().name if link.is_symlink() else None


class Program(NamedTuple):
    """The program of this version, installed and running."""

    @property
    def what(self) -> str:
        return f"copy the companion {companion.__version__} and all it needs to {HOME}"

    @property
    def undone(self) -> str:
        return f"delete the program in {HOME}"

    def done(self, machine: Machine) -> bool:
        files = contents(machine)
        name = name_of(files)
        return current(machine) == name and is_complete(machine, name, files)

    def do(self, machine: Machine) -> None:
        switch(machine, lay(machine))

    def undo(self, machine: Machine) -> None:
        shutil.rmtree(machine.at(HOME), ignore_errors=True)


def switch(machine: Machine, to: str) -> None:
    """Switch to another installed version atomically; delete all but it and the one before."""
    before = current(machine)
    link = machine.at(f"{CURRENT}.new")
    link.unlink(missing_ok=True)
    link.symlink_to(to)
    link.replace(machine.at(CURRENT))
    sync_directory(link.parent)
    for other in machine.at(HOME).iterdir():
        if other.is_dir() and not other.is_symlink() and other.name not in (to, before):
            shutil.rmtree(other, ignore_errors=True)


def _copy(place: Path, files: Mapping[Path, Path]) -> None:
    """Create a virtual environment with all files, and the bindings for a Pi's pins where Debian has them."""
    import venv

    venv.EnvBuilder(symlinks=True).create(place)
    for name in ("python", "python3"):
        (place / "bin" / name).unlink(missing_ok=True)
    (place / "bin" / "python").symlink_to(PYTHON)
    for to, path in files.items():
        (place / PACKAGES / to).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place / PACKAGES / to)
    link_bindings(place / PACKAGES)


if __name__ == "__main__":
    print(lay(Machine()))
