"""Plug-ins of the installed companion: a copy of the program with one more or one less, and switched to."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Final

from companion.install.files import UNIT
from companion.install.machine import InstallError, Machine
from companion.install.program import (
    CURRENT,
    HOME,
    NAME,
    PACKAGES,
    PYTHON,
    current,
    everything,
    files_in,
    is_plugin,
    lay,
    plugged,
    plugged_files,
    switch,
)
from companion.install.update import ON_DISK, is_working, starts

Say = Callable[[str], None]

_TOOLS: Final = ("pip", "setuptools", "wheel")


def add(machine: Machine, source: Path, say: Say) -> str:
    """Add the plug-in in a folder or a wheel; return the outcome. Raises InstallError."""
    before = _installed(machine)
    say(f"1/2 building {source.name}: up to a minute")
    with tempfile.TemporaryDirectory(prefix=f"{NAME}-plugin-", dir=ON_DISK) as home:
        packages = _built(machine, source, Path(home))
        new = [one for one in metadata.distributions(path=[str(packages)]) if one.name not in _TOOLS]
        names = sorted(one.name for one in new if is_plugin(one))
        if not names:
            raise InstallError(f"{source} is no plug-in: it declares nothing for the companion")
        files = {to: path for one in new for path, to in files_in(one)}
        name = lay(machine, plugged_files(machine) | files | everything())
    return _switched(machine, before, name, f"{', '.join(names)} is added", say)


def remove(machine: Machine, package: str, say: Say) -> str:
    """Remove a plug-in by the name of its package; return the outcome. Raises InstallError."""
    before = _installed(machine)
    there = [one.name for one in plugged(machine)]
    if package not in there:
        raise InstallError(f"there is no plug-in {package}; there are: {', '.join(there) or 'none'}")
    say(f"1/2 making a companion without {package}: up to a minute")
    name = lay(machine, plugged_files(machine, without=package) | everything())
    return _switched(machine, before, name, f"{package} is removed", say)


def _installed(machine: Machine) -> str:
    name = current(machine)
    if name is None:
        raise InstallError(f"no companion is installed in {HOME}: begin with `companion install`")
    return name


def _built(machine: Machine, source: Path, home: Path) -> Path:
    """Return a directory with the packages of a plug-in that the installed companion does not have."""
    machine.run(str(PYTHON), "-m", "venv", str(home / "env"))
    packages = home / "env" / PACKAGES
    (packages / "companion.pth").write_text(f"{machine.at(CURRENT) / PACKAGES}\n")  # pip finds it installed
    pip = (str(home / "env" / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check")
    machine.fetch(f"the plug-in in {source}", (*pip, str(source)))
    return packages


def _switched(machine: Machine, before: str, name: str, outcome: str, say: Say) -> str:
    say("2/2 starting the companion again: some seconds")
    switch(machine, name)
    machine.run("systemctl", "stop", UNIT)
    if not starts(machine):
        switch(machine, before)
        machine.holds("systemctl", "restart", UNIT)
        raise InstallError("the companion does not work with that; it runs again as it was before")
    if is_working(machine, name):
        return outcome
    return f"{outcome}, but a plug-in does not work: companion plugins says why"
