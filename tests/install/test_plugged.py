"""Plug-ins of the installed companion stay over updates; they are added and removed by command."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.install import plugged, program
from companion.install.machine import InstallError, Machine
from companion.install.program import CURRENT, PACKAGES, contents, lay, switch


class Noted(Machine):
    """A machine on which programs do nothing; pip installs what `brings` names."""

    brings: list[str] = []

    def run(self, *command: str) -> str:
        if "venv" in command:
            (Path(command[-1]) / PACKAGES).mkdir(parents=True)
        return ""

    def fetch(self, what: str, *commands: Sequence[str]) -> None:
        packages = Path(commands[-1][0]).parents[1] / PACKAGES
        for name in self.brings:
            installed(packages, name)

    def holds(self, *command: str) -> bool:
        return True


def installed(packages: Path, name: str, needs: str = "", group: str = "companion.games") -> None:
    """Write a package as pip leaves it."""
    info = packages / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    wanted = f"Requires-Dist: {needs}\n" if needs else ""
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{wanted}")
    (info / "entry_points.txt").write_text(f"[{group}]\nx = {name}:X\n")
    (packages / f"{name}.py").write_text("")
    files = (f"{name}.py", *(f"{info.name}/{file}" for file in ("METADATA", "entry_points.txt", "RECORD")))
    (info / "RECORD").write_text("".join(f"{file},,\n" for file in files))


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Noted:
    """Return a machine with a small companion and the plug-in frogs, which needs the package pond."""
    own = tmp_path / "companion.py"
    own.write_text("")
    monkeypatch.setattr(program, "everything", lambda: {Path("companion.py"): own})
    monkeypatch.setattr(plugged, "everything", lambda: {Path("companion.py"): own})
    monkeypatch.setattr(plugged, "starts", lambda machine: True)
    monkeypatch.setattr(plugged, "ON_DISK", str(tmp_path))
    made = Noted(tmp_path / "machine")
    monkeypatch.setattr(Noted, "brings", [])
    switch_to(made)
    packages = made.at(CURRENT) / PACKAGES
    installed(packages, "frogs", needs="pond>=1")
    installed(packages, "pond", group="console_scripts")
    installed(packages, "stray", group="console_scripts")
    return made


def switch_to(machine: Machine) -> None:
    machine.at(program.HOME).mkdir(parents=True, exist_ok=True)
    switch(machine, lay(machine))


def modules(machine: Machine) -> set[str]:
    return {path.stem for path in (machine.at(CURRENT) / PACKAGES).glob("*.py")}


def test_an_update_keeps_plugins(machine: Noted) -> None:
    """The next version has them and what they need, and nothing else of the former one."""
    switch_to(machine)
    assert modules(machine) == {"companion", "frogs", "pond"}
    before = contents(machine)
    switch_to(machine)
    assert contents(machine).keys() == before.keys(), "and so has the one after"


def test_a_plugin_is_added_and_removed(machine: Noted) -> None:
    """Each time a whole new copy is made and switched to; the others stay."""
    machine.brings[:] = ["toads"]
    said: list[str] = []
    assert plugged.add(machine, Path("toads"), said.append) == "toads is added"
    assert modules(machine) == {"companion", "frogs", "pond", "toads"}
    assert plugged.remove(machine, "frogs", said.append) == "frogs is removed"
    assert modules(machine) == {"companion", "toads"}
    assert [line[:3] for line in said] == ["1/2", "2/2"] * 2
    with pytest.raises(InstallError, match="there is no plug-in frogs; there are: toads"):
        plugged.remove(machine, "frogs", said.append)


def test_what_does_not_start_is_taken_back(machine: Noted, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.brings[:] = ["toads"]
    before = machine.at(CURRENT).readlink()
    monkeypatch.setattr(plugged, "starts", lambda machine: False)
    with pytest.raises(InstallError, match="it runs again as it was before"):
        plugged.add(machine, Path("toads"), print)
    assert machine.at(CURRENT).readlink() == before


def test_a_package_that_is_no_plugin_is_refused(machine: Noted) -> None:
    before = machine.at(CURRENT).readlink()
    with pytest.raises(InstallError, match="it declares nothing for the companion"):
        plugged.add(machine, Path("toads"), print)
    assert machine.at(CURRENT).readlink() == before
