"""`companion update`, decision by decision; tests/appliance updates a real service on a real systemd."""

from __future__ import annotations

import hashlib
import platform
import socket
import sqlite3
import sys
import tarfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion import NEW_AT_THE_TABLE
from companion.cli import install as command_module
from companion.cli import main
from companion.install import update as updating
from companion.install.machine import InstallError, Machine
from companion.install.program import CURRENT, HOME, current, switch
from companion.install.rollback import JOURNAL
from tests.support.http import serving

OLD, NEW = "0.1.0-aaaaaaaa", "0.2.0-bbbbbbbb"


class Noted(Machine):
    """A machine on which programs do nothing but are noted; `schema` is the journal's when its service started."""

    asked: list[str] = []
    makes: Callable[[str], None] = staticmethod(lambda line: None)

    def run(self, *command: str) -> str:
        line = " ".join(command)
        self.asked.append(line)
        type(self).makes(line)
        if line.endswith("companion.install.program"):
            return NEW
        return "pigs in boats\n" if "NEW_AT_THE_TABLE" in line else f"the output of {command[0]}"

    def fetch(self, what: str, *commands: Sequence[str]) -> None:
        for command in commands:
            self.run(*command)

    def holds(self, *command: str) -> bool:
        self.run(*command)
        return True


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Noted:
    """Return a machine with two versions side by side, of which the old one runs, and a journal."""
    made = Noted(tmp_path)
    Noted.asked = []
    monkeypatch.setattr(Noted, "makes", staticmethod(lambda line: None))
    for name in (OLD, NEW):
        made.at(f"{HOME}/{name}").mkdir(parents=True)
    switch(made, OLD)
    journal = made.at(JOURNAL)
    journal.parent.mkdir(parents=True)
    _shaped(journal, 1)
    made.at(updating.COPIES).mkdir()
    made.at(f"{updating.COPIES}/copy").touch()
    monkeypatch.setattr(updating, "_try_out", lambda *_: None)
    monkeypatch.setattr(updating, "_game", lambda: None)
    return made


def _shaped(journal: Path, schema: int) -> None:
    db = sqlite3.connect(journal)
    db.execute(f"PRAGMA user_version = {schema}")
    db.close()


def shown(machine: Noted) -> list[str]:
    """Return what the service and the journal had to bear, in order."""
    wanted = ("systemctl", "runuser -u race-companion -- /")
    return [" ".join(line.split()[:2]) if line.startswith("systemctl") else line.split(" companion ")[1].split()[0]
            for line in machine.asked if line.startswith(wanted)]  # fmt: skip


@pytest.mark.parametrize(
    ("healthy", "migrates", "runs", "did"),
    [
        ([True], False, NEW, ["systemctl stop", "backup", "systemctl start"]),
        ([True], True, NEW, ["systemctl stop", "backup", "systemctl start"]),
        ([False, True], False, OLD, ["systemctl stop", "backup", "systemctl start", "systemctl stop", "systemctl start"]),
        (
            [False, True],
            True,
            OLD,
            ["systemctl stop", "backup", "systemctl start", "systemctl stop", "restore", "systemctl start"],
        ),
        ([False, False], False, OLD, ["systemctl stop", "backup", "systemctl start", "systemctl stop", "systemctl start"]),
    ],
    ids=["well", "well, with a new journal", "ill", "ill, with a new journal", "both ill"],
)  # fmt: skip
def test_over_and_back(
    healthy: list[bool],
    migrates: bool,
    runs: str,
    did: list[str],
    machine: Noted,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A version that does not become healthy is rolled back, with the former journal where it was changed."""
    answers = iter(healthy)
    monkeypatch.setattr(updating, "_sick", lambda port: None if next(answers) else "it hangs")

    def makes(line: str) -> None:
        if migrates and line.startswith("systemctl start") and current(machine) == NEW:
            _shaped(machine.at(JOURNAL), 2)

    monkeypatch.setattr(Noted, "makes", staticmethod(makes))
    said: list[str] = []
    if healthy[0]:
        result = updating.update(machine, machine.root, None, False, said.append)
        assert result.startswith(f"{NEW} runs now; the journal from before is in ")
    else:
        with pytest.raises(InstallError, match="runs again" if healthy[1] else "does not start either"):
            updating.update(machine, machine.root, None, False, said.append)
    renewed = [line for line in machine.asked if line.endswith("-m companion.install.command")]
    assert len(renewed) == healthy[0], "the command is renewed with the version that runs, and only then"
    if healthy[0]:
        assert said.pop() == "new at the table: pigs in boats"
    assert current(machine) == runs
    assert shown(machine) == did
    assert said[-1].startswith(f"3/3 changing to {NEW}" if healthy[0] else f"{NEW} does not work here")


def test_no_copy_no_update(machine: Noted, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the journal cannot be copied, the version before runs again at once."""

    def makes(line: str) -> None:
        if " backup " in line:
            raise InstallError("no room")

    monkeypatch.setattr(Noted, "makes", staticmethod(makes))
    with pytest.raises(InstallError, match=f"no room\nso nothing was changed, and {OLD} runs again"):
        updating.update(machine, machine.root, None, False, print)
    assert current(machine) == OLD
    assert shown(machine) == ["systemctl stop", "backup", "systemctl start"]


def test_what_stops_it_before_anything_is_stopped(machine: Noted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing installed, a game that goes on, the same version: the service is not touched."""
    monkeypatch.setattr(updating, "_game", lambda: "galloping-pigs")
    with pytest.raises(InstallError, match="a game \\(galloping-pigs\\) goes on: finish it, or say --force"):
        updating.update(machine, machine.root, None, False, print)
    switch(machine, NEW)
    assert updating.update(machine, machine.root, Path("/wheels"), True, print) == f"{NEW} runs already"
    pip = next(line for line in machine.asked if " install " in line)
    assert "--no-index --find-links /wheels" in pip
    machine.at(CURRENT).unlink()
    with pytest.raises(InstallError, match="begin with `companion install`"):
        updating.update(machine, machine.root, None, False, print)
    assert shown(machine) == []


def released(home: Path, *names: str) -> Path:
    """Return a release with these files in its folder."""
    folder = home / "race-companion-9"
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    made = home / f"{folder.name}.tar.gz"
    with tarfile.open(made, "w:gz") as archive:
        archive.add(folder, folder.name)
    made.with_name(f"{made.name}.sha256").write_text(hashlib.sha256(made.read_bytes()).hexdigest())
    return made


HERE = f"cp{sys.version_info.major}{sys.version_info.minor}"
FITTING = f"numpy-9-{HERE}-{HERE}-manylinux_2_28_{platform.machine()}.whl"


@pytest.mark.parametrize(
    ("wheel", "is_used"),
    [
        (FITTING, True),
        (FITTING.replace(HERE, "cp38"), False),
        (FITTING.replace(platform.machine(), "mips"), False),
        ("flask-9-py3-none-any.whl", False),
    ],
)
@pytest.mark.parametrize("kind", ["a release", "a folder"])
def test_a_release_brings_what_it_needs(
    kind: str, wheel: str, is_used: bool, machine: Noted, tmp_path: Path
) -> None:
    """Its own wheels are used by themselves where they are for this processor and Python; else the network is."""
    release = released(tmp_path, "pyproject.toml", "requirements.lock", f"wheels/{wheel}")
    there = tmp_path / "there"
    there.mkdir()
    folder = release.with_name("race-companion-9")
    if kind == "a release":
        folder = updating.unpacked(Machine(), release, there)
    assert folder.name == "race-companion-9"
    assert updating.wheels_in(folder) == (folder / "wheels" if is_used else None)
    switch(machine, NEW)
    updating.update(machine, folder, None, True, print)
    pip = next(line for line in machine.asked if " install " in line)
    assert (f"--no-index --find-links {folder}/wheels" in pip) == is_used
    assert pip.endswith(f"--constraint {folder}/requirements.lock {folder}")


@pytest.mark.parametrize(
    ("files", "sum_file", "reason"),
    [
        (
            ["pyproject.toml"],
            f"{'0' * 64}  race-companion-9.tar.gz",
            "is not as it was sent: copy or fetch it again",
        ),
        (["pyproject.toml"], "", "is not as it was sent"),
        (["pyproject.toml"], "gone", "sha256 is missing, by which race-companion-9.tar.gz is checked"),
        (["holiday.png"], None, "is no release of the companion"),
    ],
)
def test_a_file_that_is_no_whole_release(
    files: list[str],
    sum_file: str | None,
    reason: str,
    machine: Noted,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is reported before anything is done; the service is not touched."""
    release = released(tmp_path, *files)
    if sum_file == "gone":
        release.with_name(f"{release.name}.sha256").unlink()
    elif sum_file is not None:
        release.with_name(f"{release.name}.sha256").write_text(sum_file)
    monkeypatch.setattr(
        Noted,
        "makes",
        staticmethod(lambda line: Machine().run(*line.split()) if line.startswith("tar ") else None),
    )
    with pytest.raises(InstallError, match=reason):
        updating.update(machine, release, None, True, print)
    assert shown(machine) == []


@contextmanager
def answering(answers: dict[str, str]) -> Iterator[int]:
    """Yield the port of a program that answers these paths so."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = answers[self.path].encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with serving(HTTPServer(("127.0.0.1", 0), Answers)) as server:
        yield server.server_port


@pytest.mark.parametrize(
    ("answer", "sick"),
    [
        ('{"ok": true}', None),
        ('{"ok": false, "why": "the disk is full"}', "the disk is full"),
        ("[]", "None"),
        ("<html>", "nobody answers"),
    ],
)
def test_who_is_healthy(answer: str, sick: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a version that says so is healthy; the answer of another one is quoted."""
    monkeypatch.setattr(updating, "HEALTHY_S", 0.1)
    with answering({"/healthz": answer}) as port:
        assert updating._sick(port) == sick


@pytest.mark.parametrize(
    ("table", "game"),
    [
        ('{"match": null}', None),
        ('{"match": {"game": "giro-galoppo"}, "next": {"kind": "play"}}', "giro-galoppo"),
        ('{"match": {"game": "giro-galoppo"}, "next": null}', None),  # it is over, and still on the table
    ],
)
def test_which_game_goes_on(table: str, game: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    with answering({"/api/table": table}) as port:
        monkeypatch.setattr(updating, "PORT", port)
        assert updating._game() == game
    with socket.create_server(("127.0.0.1", 0)) as unused:
        monkeypatch.setattr(updating, "PORT", unused.getsockname()[1])
        unused.close()
        assert updating._game() is None


def test_the_command(machine: Noted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only root may; what happens is said line by line, and what goes wrong in one sentence."""
    monkeypatch.setattr(command_module, "here", lambda: machine)
    monkeypatch.setattr(command_module, "is_root", lambda: False)
    assert "begin the command with sudo" in CliRunner().invoke(main, ["update", str(machine.root)]).output
    monkeypatch.setattr(command_module, "is_root", lambda: True)
    monkeypatch.setattr(updating, "_sick", lambda port: None)
    done = CliRunner().invoke(main, ["update", str(machine.root)])
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.output.splitlines()] == ["1/3", "2/3", "3/3", "new", NEW]
    machine.at(CURRENT).unlink()
    failed = CliRunner().invoke(main, ["update", str(machine.root)])
    assert failed.exit_code == 1
    assert failed.output.startswith("Error: no companion is installed in /opt/race-companion")


def test_what_is_new_is_in_the_changelog() -> None:
    """The line for the host is the first of this version, or of the next one."""
    changelog = (Path(__file__).parents[2] / "CHANGELOG.md").read_text("utf-8")
    newest = changelog.split("\n## ")[1]
    assert f"New at the table: {NEW_AT_THE_TABLE}." in newest
    assert "\n" not in NEW_AT_THE_TABLE
