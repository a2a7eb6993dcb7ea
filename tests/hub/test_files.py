"""Files of a hub: its database is for its user alone, and an export stays in its directory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.hub import database
from companion.hub.intake import Intake
from companion.publishing.sealed import file_name
from tests.support.client import PATIENCE_S
from tests.support.hub.stories import Evening

NAMES = (
    "../../x",
    "/etc/x",
    "a/b",
    "a\0b",
    "Garden",
    "garden",
    "GARDEN",
    "..",
    "",
    "x" * 200,
    "ü" * 200,
    "a~b",
)


COMMANDS = ("", "import {file}", "export {out}", "forget Ada --yes", "code", "accept window-2")


def modes(directory: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in directory.glob("hub.sqlite*")}


def test_no_other_user_reads_the_database(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        engine = database.opened(f"sqlite:///{tmp_path / 'hub.sqlite'}")
        with engine.begin() as db:
            db.exec_driver_sql("insert into kept values ('a', 'b')")
            assert modes(tmp_path) == {"hub.sqlite": 0o600, "hub.sqlite-wal": 0o600, "hub.sqlite-shm": 0o600}
        engine.dispose()
    finally:
        os.umask(before)


def test_a_database_that_others_could_read_becomes_private(tmp_path: Path) -> None:
    (tmp_path / "hub.sqlite").touch(0o644)
    database.opened(f"sqlite:///{tmp_path / 'hub.sqlite'}").dispose()
    assert modes(tmp_path) == {"hub.sqlite": 0o600}


def test_names_of_tables_become_names_of_files_in_a_directory() -> None:
    files = [file_name(name, 12) for name in NAMES]
    assert len({file.casefold() for file in files}) == len(NAMES)
    for file in files:
        assert not set(file) & set("/\\\0:\n")
        assert not file.startswith(".")
        assert len(file.encode()) < 255
        assert file.endswith("-12.json")


def test_an_export_stays_in_its_directory(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'hub.sqlite'}"
    engine = database.opened(address)
    names = ("../../x", "/etc/x", "a/b", "Garden", "garden", "x" * 200)
    for number, name in enumerate(names):
        evening = Evening(tmp_path / str(number), name, number)
        evening.play("galloping-pigs", ("Ada", "Ben"))
        Intake(engine).take(evening.messages())
        evening.close()
    engine.dispose()
    before = set(tmp_path.rglob("*")) | set(tmp_path.parent.glob("*"))
    out = tmp_path / "deep" / "out"
    done = CliRunner().invoke(main, ["hub", "--database", address, "export", str(out)])
    assert (done.exit_code, done.output) == (0, f"{len(names)} games are in {out}\n")
    new = (set(tmp_path.rglob("*")) | set(tmp_path.parent.glob("*"))) - before - {out, out.parent}
    assert {file.parent for file in new if not file.name.startswith("hub.sqlite-")} == {out}
    tables = [json.loads(file.read_bytes())["claim"]["table"] for file in out.glob("*-1.json")]
    assert sorted(tables) == sorted(names)


@pytest.mark.parametrize("name", ["../../x", "a/b", "/x"])
def test_a_table_of_any_name_writes_its_games_into_the_directory(tmp_path: Path, name: str) -> None:
    evening = Evening(tmp_path / "data", "garden", 3)
    evening.play("galloping-pigs", ("Ada", "Ben"))
    evening.close()
    out = tmp_path / "deep" / "out"
    words = ["sealed", str(out), "--table", name, "--data", str(tmp_path / "data")]
    done = CliRunner().invoke(main, words)
    assert (done.exit_code, done.output) == (0, f"1 games of {name} are in {out}\n")
    assert [file.name for file in out.iterdir()] == [file_name(name, 1)]


@pytest.mark.parametrize(
    ("words", "package"),
    [
        *((words, "sqlalchemy") for words in COMMANDS),
        *(("code", package) for package in ("alembic", "openskill")),
    ],
)
def test_without_the_extra_every_command_says_what_to_install(
    tmp_path: Path, words: str, package: str
) -> None:
    said = words.format(file=__file__, out=tmp_path / "out").split()
    start = f"import sys; sys.modules[{package!r}] = None; from companion.cli import main; main()"
    command = [
        sys.executable,
        "-c",
        start,
        "hub",
        "--database",
        f"sqlite:///{tmp_path / 'hub.sqlite'}",
        *said,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 1
    assert done.stderr == (
        f"Error: a hub needs {package}, which a table does not: pip install 'race-companion[hub]'\n"
    )
    assert not any(tmp_path.iterdir())


def test_the_help_of_a_command_needs_no_extra() -> None:
    start = "import sys; sys.modules['sqlalchemy'] = None; from companion.cli import main; main()"
    command = [sys.executable, "-c", start, "hub", "export", "--help"]
    assert subprocess.run(command, capture_output=True, timeout=PATIENCE_S, check=False).returncode == 0
