"""The program itself, where a service may run it: a copy of what runs now, with all it needs, and no network.

    /opt/race-companion/0.2.0-1a2b3c4d/  a virtual environment of its own, named by what is in it
    /opt/race-companion/current          which of them runs

Nothing is fetched: what was tried is what is installed, on a Pi without a network too.
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
from companion.install.machine import InstallError, Machine

NAME = "race-companion"
HOME = f"/opt/{NAME}"
CURRENT = f"{HOME}/current"
_MINOR = f"python{sys.version_info.major}.{sys.version_info.minor}"
PACKAGES = Path("lib") / _MINOR / "site-packages"
PYTHON = Path(sys.base_prefix) / "bin" / _MINOR  # of the system: an environment's may go
_NAMED = re.compile(r"^[A-Za-z0-9._-]+")


def needed(name: str = NAME) -> list[str]:
    """The distributions that one needs to run, itself first, as they are installed here.

    >>> names = needed()
    >>> names[0], "flask" in names, "pytest" in names
    ('race-companion', True, False)
    """
    found = {name: None}
    waiting = [name]
    while waiting:
        for wanted in metadata.requires(waiting.pop()) or ():
            other = _name(wanted)
            if other not in found and _here(wanted):
                found[other] = None
                waiting.append(other)
    return list(found)


def _name(requirement: str) -> str:
    named = _NAMED.match(requirement)
    return re.sub(r"[-_.]+", "-", named[0] if named else requirement).lower()


def _here(requirement: str) -> bool:
    """Whether what a requirement asks for is installed; an extra is not asked for."""
    if "extra ==" in requirement:
        return False
    try:
        metadata.distribution(_name(requirement))
    except metadata.PackageNotFoundError:
        return False
    return True


def files_of(name: str) -> Iterator[tuple[Path, Path]]:
    """Each file of a distribution and where it goes among the packages; scripts are not taken."""
    for file in metadata.files(name) or ():
        if ".." not in file.parts and file.suffix != ".pth" and not _is_editable(file.name):
            at = Path(str(file.locate()))
            if at.is_file() and "__pycache__" not in file.parts:
                yield at, Path(file)


def _is_editable(name: str) -> bool:
    return name == "direct_url.json" or name.startswith(("__editable__", "_race_companion"))


def own_files() -> Iterator[tuple[Path, Path]]:
    """The companion's own, whether it was installed or is a checkout; its firmware is a link there."""
    home = Path(companion.__path__[0])
    stack = [home]
    while stack:
        for at in sorted(stack.pop().iterdir()):
            if at.name == "__pycache__":
                continue
            if at.is_dir():
                stack.append(at)
            else:
                yield at, Path("companion") / at.relative_to(home)


def everything() -> dict[Path, Path]:
    """All that is copied: where it goes among the packages, and where it comes from."""
    found: dict[Path, Path] = {}
    for name in (*needed(), *(["mfrc522"] if _here("mfrc522") else [])):
        found |= {to: at for at, to in files_of(name)}
    return found | {to: at for at, to in own_files()}


def name_of(files: Mapping[Path, Path]) -> str:
    """What a copy of these files is called: by its version and by what is in them."""
    found = hashlib.sha256()
    for to, at in sorted(files.items()):
        if to.name == "RECORD":  # it has the sum of a script that begins with where it was made
            continue
        found.update(f"{to}\0{hashlib.sha256(at.read_bytes()).hexdigest()}\0".encode())
    return f"{companion.__version__}-{found.hexdigest()[:8]}"


def lay(machine: Machine) -> str:
    """Copy the program beside those that are there, unless it is; its name there. Raises InstallError."""
    files = everything()
    name = name_of(files)
    if not is_whole(machine, name, files):
        place = machine.at(f"{HOME}/{name}")
        new = place.with_name(f".{name}.new")
        try:
            for left in (place, new):
                if left.exists():
                    shutil.rmtree(left)
            _copy(new, files)
            new.rename(place)
        except OSError as error:
            shutil.rmtree(new, ignore_errors=True)
            raise InstallError(
                f"the companion cannot be copied to {HOME}: {error.strerror or error}"
            ) from None
    return name


def is_whole(machine: Machine, name: str, files: Mapping[Path, Path]) -> bool:
    """Whether a copy is there, byte for byte."""
    packages = machine.at(f"{HOME}/{name}") / PACKAGES
    there = {to: packages / to for to in files}
    return all(at.is_file() for at in there.values()) and name_of(there) == name


def current(machine: Machine) -> str | None:
    """The name of the one that runs; None if none is installed."""
    link = machine.at(CURRENT)
    return link.readlink().name if link.is_symlink() else None


class Program(NamedTuple):
    """The program of this version, installed and the one that runs."""

    @property
    def what(self) -> str:
        return f"copy the companion {companion.__version__} and all it needs to {HOME}"

    def done(self, machine: Machine) -> bool:
        files = everything()
        name = name_of(files)
        return current(machine) == name and is_whole(machine, name, files)

    def do(self, machine: Machine) -> None:
        switch(machine, lay(machine))

    def undo(self, machine: Machine) -> None:
        shutil.rmtree(machine.at(HOME), ignore_errors=True)


def switch(machine: Machine, to: str) -> None:
    """Let another of the installed ones be the one that runs, all at once; it and the one before are kept."""
    before = current(machine)
    link = machine.at(f"{CURRENT}.new")
    link.unlink(missing_ok=True)
    link.symlink_to(to)
    link.replace(machine.at(CURRENT))
    for other in machine.at(HOME).iterdir():
        if other.is_dir() and not other.is_symlink() and other.name not in (to, before):
            shutil.rmtree(other, ignore_errors=True)


def _copy(place: Path, files: Mapping[Path, Path]) -> None:
    """A virtual environment with everything in it, and the bindings for a Pi's pins where Debian has them."""
    import venv

    venv.EnvBuilder(symlinks=True).create(place)
    for name in ("python", "python3"):
        (place / "bin" / name).unlink(missing_ok=True)
    (place / "bin" / "python").symlink_to(PYTHON)
    for to, at in files.items():
        (place / PACKAGES / to).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(at, place / PACKAGES / to)
    link_bindings(place / PACKAGES)


if __name__ == "__main__":
    print(lay(Machine()))
