"""Updates: another version next to the running one is tried on a copy of the journal, then switched to.

At each moment a complete version is there, and the journal is complete. A version that does not work is
detected before the other is stopped; or else the old one is started again, with the journal as it was then;
after a power cut, too (rollback.py).
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from companion.install import rollback, signature
from companion.install.files import DATA, UNIT
from companion.install.machine import InstallError, Machine
from companion.install.program import HOME, NAME, PYTHON, current, plugged, switch
from companion.install.rollback import JOURNAL

COPIES = f"{DATA}/before-update"
MOST_COPIES = 3  # copies of the journal, one from before each update
HEALTHY_S = 60.0  # seconds in which a working one answers, on the slowest Pi
PORT = 80
ON_DISK = "/var/tmp"  # /tmp may be memory, of which a Pi 3 has less than an update takes

Say = Callable[[str], None]


def update(
    machine: Machine, source: Path, wheels: Path | None, force: bool, say: Say, unsigned: bool = False
) -> str:
    """Switch to the version in `source`; return the outcome. Raises InstallError.

    `source` is a release, a folder or checkout, or a wheel; `wheels` a directory with all that it needs,
    where there is no network: by default a release's own. With `unsigned` a file without a signature will do.
    """
    before = current(machine)
    if before is None:
        raise InstallError(f"no companion is installed in {HOME}: begin with `companion install`")
    if not force and (game := _game()) is not None:
        raise InstallError(f"a game ({game}) goes on: finish it, or say --force (what was confirmed is kept)")
    verify(source, unsigned, say, signature.keys(signature.KEYS.read_text("utf-8")))
    say(f"1/3 setting up the version in {source.name}: one to five minutes")
    with tempfile.TemporaryDirectory(prefix=f"{NAME}-", dir=ON_DISK) as home:
        folder = unpacked(machine, source, Path(home)) if source.name.endswith(".tar.gz") else source
        python = _prepared(machine, Path(home), folder, wheels or wheels_in(folder))
        name = machine.run(python, "-m", "companion.install.program").strip()
    if name == before:
        return f"{name} runs already"
    say(f"2/3 trying {name} on a copy of the games: up to a minute")
    _try_out(machine, name)
    say(f"3/3 changing to {name}: the table pauses for some seconds")
    machine.run("systemctl", "stop", UNIT)
    try:
        copy = _copied(machine, before)
        trial = rollback.begin(machine, before, copy)
    except InstallError as error:
        machine.holds("systemctl", "start", UNIT)
        raise InstallError(f"{error}\nso nothing was changed, and {before} runs again") from None
    switch(machine, name)
    if starts(machine):
        rollback.end(machine)
        if not machine.holds(f"{HOME}/{name}/bin/python", "-P", "-m", "companion.install.command"):
            say("the command `companion` is still the one before: sudo companion install renews it")
        if plugged(machine) and not is_working(machine, name):
            say("a plug-in does not work with this version: companion plugins says why")
        if news := _news(machine, name):
            say(f"new at the table: {news}")
        return f"{name} runs now; the journal from before is in {copy}"
    say(f"{name} does not work here: back to {before}")
    output = _last_log_lines(machine)
    machine.run("systemctl", "stop", UNIT)
    rollback.go_back(machine, trial)
    rollback.end(machine)
    state = "runs again" if starts(machine) else "does not start either: `companion logs` shows why"
    raise InstallError(f"{name} did not become healthy within {HEALTHY_S:.0f} s; {before} {state}\n{output}")


def verify(source: Path, unsigned: bool, say: Say, trusted: Sequence[Ed25519PublicKey]) -> None:
    """Check that a release or a wheel is from the project's owner. Raises InstallError.

    A folder is the person's own. Without an owner's key yet, or with `unsigned`, a release is compared with
    its sum, which only shows that it is complete.
    """
    if source.is_dir():
        return
    if trusted and not unsigned:
        signature.check(source, trusted)
        say(f"{source.name} is signed by the owner of this project")
        return
    if source.name.endswith(".tar.gz"):
        signature.check_sum(source)
    why = "as you said" if trusted else "this version knows no owner's key yet"
    say(f"{source.name} is not checked for who made it ({why}): trust the person who gave it to you")


def unpacked(machine: Machine, release: Path, home: Path) -> Path:
    """Return the folder of a release, unpacked in `home`. Raises InstallError if it is none."""
    there = home / "release"
    there.mkdir()
    machine.run("tar", "-xzf", str(release), "--no-same-owner", "-C", str(there))
    found = [path for path in there.iterdir() if (path / "pyproject.toml").is_file()]
    if len(found) != 1:
        raise InstallError(f"{release} is no release of the companion: one is race-companion-VERSION.tar.gz")
    return found[0]


def wheels_in(folder: Path) -> Path | None:
    """Return the wheels that a release brings, if they are for this processor and this Python."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    fitting = folder.glob(f"wheels/numpy-*-{python}-*_{platform.machine()}.whl")
    return folder / "wheels" if any(fitting) else None


def _prepared(machine: Machine, home: Path, source: Path, wheels: Path | None) -> str:
    """Return the Python of an environment with that version in it."""
    machine.run(str(PYTHON), "-m", "venv", str(home / "env"))
    pip = (str(home / "env" / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check")
    where = ("--no-index", "--find-links", str(wheels)) if wheels is not None else ()
    locked = source / "requirements.lock"
    constraint = ("--constraint", str(locked)) if locked.is_file() else ()
    machine.fetch("the new version", (*pip, *where, *constraint, str(source)))
    # without it there is no pad, which the companion reports
    machine.holds(*pip, *where, "--no-deps", "mfrc522==0.0.7")
    return str(home / "env" / "bin" / "python")


def _try_out(machine: Machine, name: str) -> None:
    """Check that it reads a copy of the journal and becomes healthy, without the hardware, which
    is in use.
    """
    with tempfile.TemporaryDirectory(prefix=f"{NAME}-trial-") as home:
        machine.run("chown", f"{NAME}:", home)
        copy, data = f"{home}/copy.sqlite", f"{home}/data"
        if machine.at(JOURNAL).exists():
            _as_user(machine, current(machine) or name, "backup", copy, "--data", DATA)
            _as_user(machine, name, "restore", copy, "--yes", "--data", data)
            Path(data, "companion.toml").unlink(missing_ok=True)
        with _running(name, data) as port:
            _until_healthy(name, port)


def _command(name: str, *arguments: str) -> list[str]:
    return ["runuser", "-u", NAME, "--", f"{HOME}/{name}/bin/python", "-m", "companion", *arguments]


def _as_user(machine: Machine, name: str, *arguments: str) -> str:
    """Run a command of one of the versions as the service's user, and return its output."""
    return machine.run(*_command(name, *arguments))


@contextmanager
def _running(name: str, data: str) -> Iterator[int]:
    """Run that version on a free port; its output is in the error if it ends."""
    command = _command(name, "run", "--port", "0", "--data", data)
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/")
        try:
            yield _port(process, log, name)
        finally:
            process.terminate()
            process.wait()


def _port(process: subprocess.Popen[bytes], log: Any, name: str) -> int:
    end = time.monotonic() + HEALTHY_S
    while time.monotonic() < end:
        log.seek(0)
        output = log.read()
        if found := re.search(r"http://localhost:(\d+)/", output):
            return int(found[1])
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise InstallError(f"{name} does not start, so nothing was changed:\n{output.strip()[-2000:]}")


def _until_healthy(name: str, port: int) -> None:
    if (why := _sick(port)) is not None:
        raise InstallError(f"{name} does not work with this journal, so nothing was changed: {why}")


def _sick(port: int) -> str | None:
    """Return why no healthy companion answers at a port, after some time; None if one does."""
    end, why = time.monotonic() + HEALTHY_S, "nobody answers"
    while time.monotonic() < end:
        try:
            output = _get_json(port, "/healthz")
        except (OSError, HTTPException, ValueError):
            why = "nobody answers"
        else:
            if output.get("ok"):
                return None
            why = str(output.get("why"))
        time.sleep(0.2)
    return why


def _get_json(port: int, path: str) -> dict[str, Any]:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        output = json.loads(connection.getresponse().read())
    finally:
        connection.close()
    return output if isinstance(output, dict) else {}


def _game() -> str | None:
    """Return the game that goes on at the table; None if none does, or there is no answer."""
    try:
        table = _get_json(PORT, "/api/table")
    except (OSError, HTTPException, ValueError):
        return None
    match = table.get("match")
    return match["game"] if match and table.get("next") else None


def _news(machine: Machine, name: str) -> str:
    """Return what a version says is new at the table; empty if it says nothing."""
    code = "import companion; print(getattr(companion, 'NEW_AT_THE_TABLE', ''))"
    try:
        return machine.run(f"{HOME}/{name}/bin/python", "-P", "-c", code).strip()
    except InstallError:
        return ""


def is_working(machine: Machine, name: str) -> bool:
    """Return True if every plug-in of a version works."""
    return machine.holds(*_command(name, "plugins", "--json"))


def starts(machine: Machine) -> bool:
    """Return True if the service starts and becomes healthy."""
    return machine.holds("systemctl", "start", UNIT) and _sick(PORT) is None


def _copied(machine: Machine, name: str) -> str:
    """Return the place of a copy of all data, made while nothing changes it."""
    if not machine.at(JOURNAL).exists():
        return "nowhere: there was none"
    machine.run("runuser", "-u", NAME, "--", "mkdir", "-p", "-m", "700", COPIES)
    _as_user(machine, name, "backup", "--into", COPIES, "--keep", str(MOST_COPIES), "--data", DATA)
    return str(max(machine.at(COPIES).iterdir(), key=lambda path: path.stat().st_mtime))


def _last_log_lines(machine: Machine) -> str:
    return machine.run("journalctl", "--no-pager", "--lines", "15", "--unit", UNIT).strip()
