"""The machine that a companion is installed on: its files, its users, and the programs that change both."""

from __future__ import annotations

import ctypes
import grp
import os
import pwd
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from companion.errors import CompanionError
from companion.install import package_errors


class InstallError(CompanionError):
    """The machine rejected a change; the text names the change and quotes the error."""


class DoneWithout(InstallError):
    """The machine rejected an optional change; the text says what is missing, and why."""


def sync(directory: Path) -> None:
    """Return when all that was written to the file system of a directory is on its disk. Raises OSError."""
    number = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if ctypes.CDLL(None, use_errno=True).syncfs(number):  # one wait, where fsync would wait for each file
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    finally:
        os.close(number)


def sync_directory(directory: Path) -> None:
    """Return when the names in a directory are on the disk. Raises OSError."""
    number = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


class Machine(NamedTuple):
    """The machine whose files are under `root`."""

    root: Path = Path("/")

    def at(self, path: str) -> Path:
        """Return the real path of a path of the machine."""
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str | None:
        """Return the content of a file; None if there is none."""
        try:
            return self.at(path).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise InstallError(f"{path} cannot be read: {error}") from None

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        """Write a file atomically: at a power cut the old or the new one is there."""
        real_path = self.at(path)
        try:
            real_path.parent.mkdir(parents=True, exist_ok=True)
            number, new = tempfile.mkstemp(dir=real_path.parent, prefix=f".{real_path.name}.")
            with open(number, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(number)
                if real_path.exists():
                    owner = real_path.stat()
                    os.fchown(number, owner.st_uid, owner.st_gid)
                os.fchmod(number, mode)
            os.replace(new, real_path)
            sync_directory(real_path.parent)
        except OSError as error:
            raise InstallError(f"{path} cannot be written: {error.strerror or error}") from None

    def run(self, *command: str) -> str:
        """Run a program and return its output; InstallError if it fails."""
        done = self._done(command)
        if done.returncode:
            output = (done.stderr or done.stdout).strip()
            raise InstallError(
                f"`{' '.join(command)}` ended with {done.returncode}: {output or 'it said nothing'}"
            )
        return done.stdout

    def fetch(self, what: str, *commands: Sequence[str]) -> None:
        """Run apt or pip; InstallError says in one sentence what is missing, and where their own text is.

        `what` is for the sentence, such as "the packages for the pins". The last command decides; what the
        ones before it say may be the reason why it fails.
        """
        said = ""
        for command in commands:
            done = self._done(command)
            said += f"$ {' '.join(command)}\n{done.stdout}{done.stderr}ended with {done.returncode}\n"
        if done.returncode:
            why = package_errors.reason(said) or f"{Path(commands[-1][0]).name} failed"
            raise InstallError(f"{what} could not be installed: {why}. {self._append_to_log(said)}")

    def _append_to_log(self, text: str) -> str:
        """Write a program's text to the log of installations; return a sentence that says where it is."""
        try:
            with self.at(package_errors.LOG).open("a", encoding="utf-8") as file:
                file.write(text)
        except OSError:
            return f"All that was said: {text}"
        return f"Details are at the end of {package_errors.LOG}."

    def holds(self, *command: str) -> bool:
        """Return True if a program succeeds."""
        return self._done(command).returncode == 0

    def _done(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        english = os.environ | {"LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
        try:
            return subprocess.run(command, env=english, capture_output=True, text=True)
        except OSError as error:
            raise InstallError(f"`{command[0]}` cannot be started: {error.strerror or error}") from None

    def groups(self) -> set[str]:
        """Return the names of all groups."""
        return {group.gr_name for group in grp.getgrall()}

    def groups_of(self, user: str) -> set[str] | None:
        """Return the groups of a user other than its own; None if there is no such user."""
        try:
            pwd.getpwnam(user)
        except KeyError:
            return None
        return {group.gr_name for group in grp.getgrall() if user in group.gr_mem}
