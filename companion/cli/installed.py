"""The installed table, as its command reaches it: files belong to the person who types, the data to its user.

`companion` on an installed machine starts as the person who typed it, and has their files. What needs the
table's data runs as the table's user, who may read no file of theirs: content goes over pipes between both.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

import click

from companion.cli.common import data_directory, failure, say, words
from companion.message import N_

if TYPE_CHECKING:
    import tarfile

VARIABLE: Final = "COMPANION_INSTALLED"
"""Set by the installed command (companion/install/files.py) to the name of the table's user."""
UNIT: Final = "race-companion.service"
USUAL_PORT: Final = 8000

yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


class Installed(NamedTuple):
    """The table that is installed here, seen by someone else than its user."""

    user: str
    data: Path

    def command(self, *arguments: str | Path) -> list[str]:
        """Return the command line that runs a companion's command as the table's user."""
        return self._as(self.user, sys.executable, "-P", "-m", "companion", *map(str, arguments))

    def _as(self, user: str, *command: str) -> list[str]:
        its = [f"{VARIABLE}={self.user}", f"XDG_DATA_HOME={self.data.parent}", "PYTHONDONTWRITEBYTECODE=1"]
        if os.geteuid() == 0:
            return list(command) if user == "root" else ["runuser", "-u", user, "--", "env", *its, *command]
        return ["sudo", "-u", user, "env", *its, *command]

    def hand_over(self, *arguments: str | Path) -> NoReturn:
        """Let a command run as the table's user at this terminal, and end this one with its status."""
        raise SystemExit(subprocess.run(self.command(*arguments), cwd="/").returncode)

    def run(self, *arguments: str | Path, content: bytes | None = None) -> None:
        """Run a command as the table's user, with this on its standard input if given; end if it fails."""
        done = subprocess.run(self.command(*arguments), cwd="/", input=content)
        if done.returncode:
            raise SystemExit(done.returncode)  # it said why

    def said_by(self, *arguments: str | Path) -> str:
        """Return the output of a command that runs as the table's user; end if it fails."""
        return _output(self.command(*arguments))

    def output(self, *command: str | Path) -> str:
        """Return the output of any program as the table's user; end if it fails."""
        return _output(self._as(self.user, *map(str, command)))

    @contextmanager
    def gathered(self, into: Path) -> Iterator[Path]:
        """Yield a directory in which the table's user may write; afterwards its files are in `into`.

        They belong to the person who typed the command, and only they may read them.
        """
        import tarfile  # only here: every command loads this module

        there = Path(self.output("mktemp", "-d", self.data / ".handed-over-XXXXXX").strip())
        try:
            yield there
            sent = subprocess.Popen(
                self._as(self.user, "tar", "-C", str(there), "-cf", "-", "."), stdout=subprocess.PIPE, cwd="/"
            )
            assert sent.stdout is not None
            with sent, tarfile.open(fileobj=sent.stdout, mode="r|") as archive:
                for member in archive:
                    if member.isreg() and "/" not in (name := member.name.removeprefix("./")):
                        _write(archive, member, into / name)
        finally:
            self.output("rm", "-rf", there)

    @contextmanager
    def stopped(self, yes: bool) -> Iterator[None]:
        """Stop the table if it runs, after asking, and start it again afterwards."""
        if not is_active():
            yield
            return
        if not yes:
            click.confirm(words()(_STOP), abort=True)
        self.systemctl("stop")
        try:
            yield
        finally:
            self.systemctl("start")
            say(N_("the companion runs again"))

    def systemctl(self, what: str) -> None:
        """Start or stop the table's service; end if that fails."""
        done = subprocess.run([*self._as("root"), "systemctl", what, UNIT])
        if done.returncode:
            raise failure(N_("the companion could not be stopped or started: companion logs says more"))


_STOP: Final = N_("The companion runs. Stop it for a moment, then start it again? A game goes on from there.")


def installed(data: Path | None = None) -> Installed | None:
    """Return the table that is installed here; None for its own user, for other data, and elsewhere."""
    user = os.environ.get(VARIABLE, "")
    its = data_directory()
    if not user or (data is not None and data.absolute() != its):
        return None
    try:
        is_its_user = os.geteuid() == pwd.getpwnam(user).pw_uid
    except KeyError:
        return None
    return None if is_its_user else Installed(user, its)


def is_active() -> bool:
    """Return True if the table's service runs."""
    try:
        return subprocess.run(["systemctl", "is-active", "--quiet", UNIT]).returncode == 0
    except OSError:
        return False


def installed_port() -> int | None:
    """Return the port of the installed companion, as its service names it; None if none is installed."""
    started = _systemctl("show", "-P", "ExecStart", UNIT)
    if "companion" not in started:
        return None
    found = re.findall(r"--port[ =](\d+)", started)
    return int(found[-1]) if found else USUAL_PORT


def _systemctl(*arguments: str) -> str:
    """Return the output of systemctl; empty where there is none."""
    try:
        return subprocess.run(["systemctl", *arguments], capture_output=True, text=True).stdout
    except OSError:
        return ""


def _output(command: list[str]) -> str:
    done = subprocess.run(command, cwd="/", stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(done.returncode)  # it said why
    return done.stdout


def _write(archive: tarfile.TarFile, member: tarfile.TarInfo, file: Path) -> None:
    """Write a file of the archive, whole or not at all; end the command if it cannot be written."""
    content = archive.extractfile(member)
    assert content is not None
    beginning = file.with_name(f".{file.name}.part")
    try:
        with open(beginning, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as opened:
            shutil.copyfileobj(content, opened)
            opened.flush()
            os.fsync(opened.fileno())
        beginning.replace(file)
    except OSError as error:
        beginning.unlink(missing_ok=True)
        raise failure(
            N_("{path} cannot be written: {text}"), path=file, text=error.strerror or error
        ) from None
