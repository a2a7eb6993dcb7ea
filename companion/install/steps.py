"""The changes to a machine, step by step: each knows whether it is done, and how to undo it."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple, Protocol

from companion.install.machine import DoneWithout, InstallError, Machine


class Step(Protocol):
    """One change; `what` describes it to the user, after "will", and `undone` its removal."""

    @property
    def what(self) -> str:
        """A description such as "write /etc/udev/rules.d/60-…: the Pico is for its group"."""

    @property
    def undone(self) -> str:
        """A description of its removal, such as "delete /etc/udev/rules.d/60-…"."""

    def done(self, machine: Machine) -> bool:
        """Return True if the machine is in this state already."""

    def do(self, machine: Machine) -> None:
        """Make the change. Raises InstallError."""

    def undo(self, machine: Machine) -> None:
        """Undo the change; do nothing if it was never made. Raises InstallError."""


class File(NamedTuple):
    """A file with exactly this text; `tell` is the command that makes its reader reload it, also when it is
    gone.

    `alone`: its directory is there for files like it, and is deleted when it is empty.
    """

    path: str
    text: str
    why: str
    mode: int = 0o644
    tell: tuple[str, ...] = ()
    alone: bool = False

    @property
    def what(self) -> str:
        return f"write {self.path}: {self.why}"

    @property
    def undone(self) -> str:
        return f"delete {self.path}"

    def done(self, machine: Machine) -> bool:
        path = machine.at(self.path)
        return machine.text(self.path) == self.text and path.stat().st_mode & 0o777 == self.mode

    def do(self, machine: Machine) -> None:
        machine.write(self.path, self.text, self.mode)
        self._reload(machine)

    def undo(self, machine: Machine) -> None:
        path = machine.at(self.path)
        if path.exists():
            path.unlink()
            self._reload(machine)
        if self.alone:
            with suppress(OSError):  # others have files there, or it never existed
                path.parent.rmdir()

    def _reload(self, machine: Machine) -> None:
        if self.tell:
            machine.run(*self.tell)


class Line(NamedTuple):
    """A line in the Pi's config.txt, for all models, below a comment that names its owner."""

    path: str
    line: str
    why: str

    @property
    def what(self) -> str:
        return f"add `{self.line}` to {self.path}: {self.why}"

    @property
    def undone(self) -> str:
        return f"take `{self.line}` out of {self.path}"

    @property
    def _ours(self) -> str:
        # lines under [pi4] are for a Pi 4 only
        return f"[all]\n# race-companion: {self.why}\n{self.line}\n"

    def done(self, machine: Machine) -> bool:
        lines = (machine.text(self.path) or "").splitlines()
        return self.line in (line.strip() for line in lines)

    def do(self, machine: Machine) -> None:
        before = machine.text(self.path) or ""
        gap = "" if not before or before.endswith("\n") else "\n"
        machine.write(self.path, f"{before}{gap}{self._ours}", self._mode(machine))

    def undo(self, machine: Machine) -> None:
        before = machine.text(self.path)
        if before is not None and self._ours in before:
            machine.write(self.path, before.replace(self._ours, ""), self._mode(machine))

    def _mode(self, machine: Machine) -> int:
        path = machine.at(self.path)
        return path.stat().st_mode & 0o777 if path.exists() else 0o644


class Packages(NamedTuple):
    """Debian packages; those that we installed are written down, and removed again.

    `without`: the message where they are unavailable now, if they are optional.
    """

    names: tuple[str, ...]
    why: str
    noted: str
    without: str = ""

    @property
    def what(self) -> str:
        return f"install Debian's {', '.join(self.names)}: {self.why}"

    @property
    def undone(self) -> str:
        return f"remove Debian's {', '.join(self.names)}, where they came with the companion"

    def _missing(self, machine: Machine) -> list[str]:
        query = ("dpkg-query", "-W", "-f", "${db:Status-Status}")
        return [
            name for name in self.names if not (machine.holds(*query, name) and _is(machine, query, name))
        ]

    def done(self, machine: Machine) -> bool:
        return not self._missing(machine)

    def do(self, machine: Machine) -> None:
        missing = self._missing(machine)
        before = self._ours(machine)
        what = f"{', '.join(missing)} ({self.why})"
        self._note(machine, [*before, *missing])  # first: after a power cut they are known to be ours
        try:
            install = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing)
            machine.fetch(what, ("apt-get", "update", "-qq"), install)
        except InstallError as error:
            still = self._missing(machine)
            self._note(machine, [*before, *(name for name in missing if name not in still)])
            if not self.without:
                raise
            raise DoneWithout(f"{self.without}: {error}") from None

    def undo(self, machine: Machine) -> None:
        ours = self._ours(machine)
        if ours:
            machine.run("apt-get", "purge", "-y", "-qq", "--auto-remove", *ours)
            self._note(machine, [])

    def _ours(self, machine: Machine) -> list[str]:
        return (machine.text(self.noted) or "").split()

    def _note(self, machine: Machine, names: list[str]) -> None:
        if names:
            machine.write(self.noted, "".join(f"{name}\n" for name in names))
            return
        machine.at(self.noted).unlink(missing_ok=True)
        with suppress(OSError):
            machine.at(self.noted).parent.rmdir()


def _is(machine: Machine, query: tuple[str, ...], name: str) -> bool:
    return machine.run(*query, name) == "installed"


class User(NamedTuple):
    """A system user for the service alone, without login; in those of the groups that the machine has."""

    name: str
    home: str
    groups: tuple[str, ...]

    @property
    def what(self) -> str:
        return f"add the user {self.name}, for this alone, in the groups {', '.join(self.groups)}"

    @property
    def undone(self) -> str:
        return f"delete the user {self.name}"

    def _wanted(self, machine: Machine) -> set[str]:
        return set(self.groups) & machine.groups()

    def done(self, machine: Machine) -> bool:
        now = machine.groups_of(self.name)
        return now is not None and self._wanted(machine) <= now

    def do(self, machine: Machine) -> None:
        groups = ",".join(sorted(self._wanted(machine)))
        if machine.groups_of(self.name) is None:
            shell = ("--no-create-home", "--home-dir", self.home, "--shell", "/usr/sbin/nologin")
            machine.run("useradd", "--system", "--user-group", *shell, self.name)
        machine.run("usermod", "--groups", groups, self.name)

    def undo(self, machine: Machine) -> None:
        if machine.groups_of(self.name) is not None:
            machine.run("userdel", self.name)


class Directory(NamedTuple):
    """A directory that belongs to the user."""

    path: str
    user: str

    @property
    def what(self) -> str:
        return f"make {self.path}, which only {self.user} may read: journal and settings"

    @property
    def undone(self) -> str:
        return f"delete {self.path}: all games, boards, tags and settings"

    def done(self, machine: Machine) -> bool:
        path = machine.at(self.path)
        with suppress(KeyError):  # it has no owner
            return path.is_dir() and path.stat().st_mode & 0o777 == 0o700 and path.owner() == self.user
        return False

    def do(self, machine: Machine) -> None:
        machine.run(
            "install", "-d", "-m", "700", "-o", self.user, "-g", self.user, str(machine.at(self.path))
        )

    def undo(self, machine: Machine) -> None:
        machine.run("rm", "-rf", str(machine.at(self.path)))


class Service(NamedTuple):
    """A unit of systemd that starts with the machine and runs now, restarted where one of `of` is new."""

    unit: str
    why: str
    of: tuple[Step, ...]

    @property
    def what(self) -> str:
        return f"start {self.unit}, now and whenever the machine starts: {self.why}"

    @property
    def undone(self) -> str:
        return f"stop {self.unit}"

    def done(self, machine: Machine) -> bool:
        here = all(
            machine.holds("systemctl", asked, "--quiet", self.unit) for asked in ("is-enabled", "is-active")
        )
        return here and all(step.done(machine) for step in self.of)

    def do(self, machine: Machine) -> None:
        machine.run("systemctl", "enable", "--quiet", self.unit)
        try:
            machine.run("systemctl", "restart", self.unit)
        except InstallError as error:
            last = machine.run("journalctl", "--no-pager", "--lines", "20", "--unit", self.unit)
            raise InstallError(f"{error}\n{last}") from None

    def undo(self, machine: Machine) -> None:
        if machine.holds("systemctl", "cat", self.unit):
            machine.run("systemctl", "disable", "--quiet", "--now", self.unit)
            machine.holds("systemctl", "reset-failed", self.unit)


class Traces(NamedTuple):
    """Files that appear while the companion is installed: nothing to do, and to delete with it."""

    paths: tuple[str, ...]
    why: str

    @property
    def what(self) -> str:
        return f"write {', '.join(self.paths)}: {self.why}"

    @property
    def undone(self) -> str:
        return f"delete {', '.join(self.paths)}: {self.why}"

    def done(self, machine: Machine) -> bool:
        return True

    def do(self, machine: Machine) -> None:
        pass

    def undo(self, machine: Machine) -> None:
        for path in self.paths:
            machine.at(path).unlink(missing_ok=True)
