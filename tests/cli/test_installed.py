"""The installed command: it has the files of the person who types it, and the data of the table's user.

A stand-in for `sudo` and `runuser` notes what it was asked for, and changes no user; tests/appliance has real ones.
"""

from __future__ import annotations

import getpass
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from companion import __version__
from companion.cli import health, installed, main
from companion.install import files, program
from companion.store.journal import Journal
from tests.support.client import companion

ROOT = Path(__file__).parents[2]
OTHER = "daemon"  # on every Debian
TAG = "04A1B2C3D4E5F6 galloping-pigs/card/red/3\n"
STAND_IN = f"""#!/bin/sh
echo "$*" >> "$ASKED"
shift 2
[ "$1" != -- ] || shift
for word do
    shift
    case $word in {files.INSTALLED}=*) word={files.INSTALLED}=$(id -un) ;; esac
    set -- "$@" "$word"
done
exec "$@"
"""
SYSTEMCTL = """#!/bin/sh
echo "systemctl $*" >> "$ASKED"
case $1 in
is-active) exec test -e "$ACTIVE" ;;
show) echo "{ path=/opt ; argv[]=/opt/python -m companion run --port $SERVED ; }" ;;
esac
"""
JOURNALCTL = '#!/bin/sh\necho "its last messages: $*"\n'


class Here(NamedTuple):
    """A machine with an installed command: a person's home, and a table with some data."""

    home: Path
    data: Path
    command: Path
    environment: dict[str, str]

    def run(self, *arguments: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.command, *arguments],
            cwd=self.home,
            env=self.environment,
            input=stdin,
            capture_output=True,
            text=True,
        )

    def does(self, *arguments: str | Path, stdin: str = "") -> str:
        done = self.run(*arguments, stdin=stdin)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def asked(self) -> list[str]:
        return (self.home.parent / "asked").read_text().splitlines()

    def hands_no_name_over(self) -> bool:
        """Return True if the table's user has got no path of the person's, which it could not open."""
        return not any(str(self.home) in line or "copy.sqlite " in line for line in self.asked())

    def is_running(self) -> None:
        (self.home.parent / "active").touch()


@pytest.fixture
def here(tmp_path_factory: pytest.TempPathFactory) -> Here:
    """Return such a machine."""
    place = tmp_path_factory.mktemp("machine")
    home, data, programs = place / "home", place / "data" / "race-companion", place / "programs"
    for directory in (home, data, programs):
        directory.mkdir(parents=True)
    journal = Journal(data / "journal.sqlite")
    journal.bind({"04A1B2C3D4E5F6": "galloping-pigs/card/red/3"})
    journal.close()
    for name, text in {
        "systemctl": SYSTEMCTL,
        "journalctl": JOURNALCTL,
        "sudo": STAND_IN,
        "runuser": STAND_IN,
    }.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    text = files.COMMAND.replace(f"{program.CURRENT}/bin/python", sys.executable)
    text = text.replace("XDG_DATA_HOME=/var/lib", f"XDG_DATA_HOME={place / 'data'}")
    text = re.sub(rf"(user=|{files.INSTALLED}=){program.NAME}", rf"\1{OTHER}", text)
    command = place / "companion"
    command.write_text(text)
    command.chmod(0o755)
    (place / "asked").touch()
    environment = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "ASKED": str(place / "asked"),
        "ACTIVE": str(place / "active"),
        "LANG": "C.UTF-8",
        "SERVED": "80",
        **{
            name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")
        },  # it is measured
    }
    return Here(home, data, command, environment)


def test_one_name_for_the_variable() -> None:
    assert installed.VARIABLE == files.INSTALLED
    assert installed.UNIT == files.UNIT


def test_a_backup_belongs_to_the_person(here: Here) -> None:
    """It is in their home, they alone may read it, and it is whole: restored, the tags are there."""
    said = here.does("backup", "copy.sqlite")
    assert said.startswith("everything is in copy.sqlite: 0 games")
    copy = here.home / "copy.sqlite"
    assert (copy.owner(), copy.stat().st_mode & 0o777) == (getpass.getuser(), 0o600)
    assert [path.name for path in here.home.iterdir()] == ["copy.sqlite"]
    assert not list(here.data.glob(".handed*"))
    assert here.hands_no_name_over()
    again = here.run("backup", "copy.sqlite")
    assert again.returncode == 1
    assert "copy.sqlite is there already: name another file" in again.stderr
    assert "it is put back" in here.does("restore", "copy.sqlite", "--yes")
    assert here.hands_no_name_over()
    assert "galloping-pigs/card/red/3" in here.does("tags", "list")


def test_backups_into_a_directory(here: Here) -> None:
    """Dated files of the person; only so many of them stay."""
    stick = here.home / "stick"
    stick.mkdir()
    (stick / "race-companion-20200101-000000.sqlite").touch()
    assert "taken away for it: race-companion-20200101-000000.sqlite" in here.does(
        "backup", "--into", "stick", "--keep", "1"
    )
    [copy] = stick.iterdir()
    assert copy.owner() == getpass.getuser()
    missing = here.run("backup", "--into", "nowhere")
    assert "there is no directory nowhere" in missing.stderr


def test_lists_of_tags(here: Here) -> None:
    """They are read and written as the person; a mistake is named with the file's own name."""
    (here.home / "tags.txt").write_text(TAG.replace("red/3", "red/4"))
    assert here.does("tags", "import", "tags.txt") == "1 tag learnt\n"
    here.does("tags", "export", "tags.csv")
    table = here.home / "tags.csv"
    assert "galloping-pigs/card/red/4" in table.read_text()
    assert table.owner() == getpass.getuser()
    (here.home / "wrong.txt").write_text("04A1\n")
    wrong = here.run("tags", "import", "wrong.txt")
    assert wrong.returncode == 1
    assert "wrong.txt:1" in wrong.stderr


@pytest.mark.parametrize(
    "arguments",
    [("replay", "game.jsonl"), ("odds", "game.jsonl"), ("simulate", "giro-galoppo", "--games", "1", "--records", "r")],
    ids=lambda arguments: arguments[0],
)  # fmt: skip
def test_commands_without_data_run_as_the_person(arguments: tuple[str, ...], here: Here) -> None:
    """They ask for no other user, and read and write the person's files."""
    record = ROOT / "tests" / "cases" / "galloping-pigs" / "game-1.jsonl"
    (here.home / "game.jsonl").write_text(record.read_text())
    here.does(*arguments)
    assert here.asked() == []


def test_a_running_companion_is_stopped_and_started(here: Here) -> None:
    """After a question, for a change; a list of tags needs no stop."""
    here.is_running()
    here.does("backup", "copy.sqlite")
    here.does("tags", "list")
    assert not [line for line in here.asked() if " stop " in line]
    refused = here.run("restore", "copy.sqlite", stdin="y\nn\n")
    assert refused.returncode == 1
    assert not [line for line in here.asked() if " stop " in line]
    said = here.does("pin", "--yes", stdin="2468\n2468\n")
    assert "the new PIN is kept" in said
    assert said.endswith("the companion runs again\n")
    own = [line for line in here.asked() if line.startswith("systemctl") and "is-active" not in line]
    assert own == [f"systemctl stop {files.UNIT}", f"systemctl start {files.UNIT}"]


def test_it_is_started_again_after_a_failure(here: Here) -> None:
    here.is_running()
    (here.home / "wrong.txt").write_text("04A1\n")
    assert here.run("tags", "import", "wrong.txt", "--yes").returncode == 1
    assert here.asked()[-1] == f"systemctl start {files.UNIT}"


def test_what_is_in_the_folder_is_not_run(here: Here) -> None:
    """A folder `companion` where the command is typed, as in a checkout, is not taken for the program."""
    (here.home / "companion").mkdir()
    (here.home / "companion" / "__init__.py").write_text("raise SystemExit('taken')")
    assert "race-companion" in here.does("--version") or "companion, version" in here.does("--version")


def test_help_has_its_name(here: Here) -> None:
    """As a person types it, not as Python runs it; Tab completes it too."""
    assert here.does("replay", "--help").startswith("Usage: companion replay")
    complete = here._replace(environment=here.environment | {"_COMPANION_COMPLETE": "bash_source"})
    assert "_companion_completion" in complete.does()


def test_other_data_are_the_persons(here: Here, tmp_path: Path) -> None:
    """With `--data` nothing is handed over."""
    here.does("tags", "list", "--data", here.home / "mine")
    assert (here.home / "mine" / "journal.sqlite").owner() == getpass.getuser()
    assert here.asked() == []


def test_settings(here: Here) -> None:
    """The table's are checked as its user; a file that is named, as the person."""
    (here.home / "companion.toml").write_text('pad = "sp"\n')
    (here.data / "companion.toml").write_text("")
    assert f"{here.data}/companion.toml can be used" in here.does("settings")
    named = here.run("settings", "--settings", "companion.toml")
    assert named.returncode == 1
    assert "sp" in named.stderr


def test_it_is_stopped_and_started_without_systemctl(here: Here) -> None:
    """Each command is one of systemd's, as root; the answer says where the pages are."""
    said = [here.does(what) for what in ("stop", "start", "restart")]
    asked = [line for line in here.asked() if line.startswith("systemctl") and " show " not in line]
    assert asked == [f"systemctl {what} {files.UNIT}" for what in ("stop", "start", "restart")]
    assert "companion start" in said[0]
    assert all("/host for the host" in text for text in said[1:])
    if os.geteuid() != 0:
        assert any(line.startswith("-u root") for line in here.asked())


def test_its_log(here: Here) -> None:
    assert here.does("logs", "--lines", "7") == (
        f"its last messages: --no-pager --unit {files.UNIT} --lines 7\n"
    )


def test_its_health_is_asked_at_its_port(here: Here) -> None:
    """`companion health` and `companion status` ask the port that the service has."""
    here.is_running()
    with companion(here.data.parent / "served") as running:
        there = here._replace(environment=here.environment | {"SERVED": str(running.client.port)})
        assert "works; it has served for" in there.does("health")
        assert there.does("status").splitlines()[0] == f"companion {__version__} runs and works"
    gone = there.run("status")
    assert (gone.returncode, "companion restart may help" in gone.stderr) == (1, True)
    (here.home.parent / "active").unlink()
    assert "companion start starts it" in there.run("status").stderr


def test_without_an_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands say so, and what to do instead; health asks the usual port."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for what in ("start", "stop", "restart", "logs", "status"):
        done = CliRunner().invoke(main, [what])
        assert (done.exit_code, "no companion is installed" in done.output) == (1, True)
    monkeypatch.setattr(health, "USUAL_PORT", 1)
    assert "no companion answers at port 1" in CliRunner().invoke(main, ["health"]).output
