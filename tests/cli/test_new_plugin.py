"""`companion plugins new`: each kind of plug-in works and passes its own tests before anyone has changed it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.cli.new_plugin import KINDS, Kind

ROOT = Path(__file__).parents[2]


def made(name: str, *more: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, ["plugins", "new", name, *more], input=stdin)


def ran(*arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run Python with another folder on its path."""
    folders = os.pathsep.join(map(str, filter(None, (path, ROOT))))
    env = os.environ | {"PYTHONPATH": folders, "LC_ALL": "C.UTF-8"}
    return subprocess.run([sys.executable, *arguments], env=env, capture_output=True, text=True)


def as_installed(folder: Path) -> Path:
    """Return its source folder, with the declarations that pip would write there."""
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    info = folder / "src" / f"{project['name'].replace('-', '_')}-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 0.1.0\n")
    (info / "RECORD").touch()
    lines = [
        line
        for group, entries in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {entry}" for name, entry in entries.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return folder / "src"


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_works_at_once(kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is listed as working under its name, and its tests pass; three steps say what comes next."""
    monkeypatch.chdir(tmp_path)
    name = {"language": "eo"}.get(kind, f"river-{kind}")
    done = made(name, "--kind", kind)
    assert done.exit_code == 0, done.output
    assert [line[:2] for line in done.output.splitlines()[1:]] == ["1.", "2.", "3."]
    source = as_installed(tmp_path / name)
    listed = ran("-m", "companion", "plugins", "--json", path=source)
    [plugin] = json.loads(listed.stdout)["plugins"]
    assert (plugin["name"], plugin["brings"], plugin["why"]) == (name, [name], None)
    tests = ran("-m", "unittest", "discover", str(tmp_path / name / "tests"), path=source)
    assert tests.returncode == 0, tests.stderr


def test_the_kind_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert made("first-robot", stdin="robot\n").exit_code == 0
    assert (tmp_path / "first-robot" / "src" / "first_robot" / "robot.py").is_file()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("River", "River is no name: small letters, digits and hyphens, such as river-run"),
        ("../x", "is no name"),
        ("json", "Python itself or another package has something called json"),
        ("class", "has something called class"),
    ],
)
def test_a_name_that_cannot_be(name: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = made(name, "--kind", "game")
    assert (done.exit_code, why in done.output) == (1, True), done.output
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "river-run").mkdir()
    assert "is there already" in made("river-run", "--kind", "game").output
    assert list((tmp_path / "river-run").iterdir()) == []


def test_what_setuptools_leaves_in_a_source_is_no_plugin(tmp_path: Path) -> None:
    """After a package is renamed or uninstalled, its old egg-info directory lists no ghosts."""
    (tmp_path / "pyproject.toml").touch()
    ghost = tmp_path / "src" / "companion_example.egg-info"
    ghost.mkdir(parents=True)
    (ghost / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: companion-example\nVersion: 0.1.0\n")
    (ghost / "SOURCES.txt").touch()
    (ghost / "entry_points.txt").write_text("[companion.games]\nbeaver-creek = gone:Gone\n")
    listed = ran("-m", "companion", "plugins", "--json", path=tmp_path / "src")
    assert json.loads(listed.stdout)["plugins"] == []


def test_only_an_installed_companion_gets_one_by_command(tmp_path: Path) -> None:
    """Elsewhere the message says what to type instead."""
    done = CliRunner().invoke(main, ["plugins", "add", str(tmp_path), "--yes"])
    assert (done.exit_code, "pip install" in done.output) == (1, True)
