"""The folders say what the program does: who may know whom, and how much one class may say."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from tests.support.source import parsed

ROOT = Path(__file__).parents[2]
MOST_METHODS = 30


def test_no_room_imports_from_one_above_it_and_nothing_in_a_circle() -> None:
    """The rooms and their order stand in pyproject.toml, what each may know in CONTRIBUTING.md.

    In a process of its own: it switches every log off that is there already.
    """
    linted = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command as lint; lint()",
            "--no-cache",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_every_room_stands_in_the_order() -> None:
    layers = (ROOT / "pyproject.toml").read_text("utf-8").partition("layers = [")[2].partition("]")[0]
    rooms = {path.stem for path in (ROOT / "companion").iterdir() if _is_room(path)}
    assert {room for room in rooms if f"companion.{room}" not in layers} == set()


def test_each_test_is_in_the_room_that_it_tests() -> None:
    """A folder of tests has the name of a room; a file beside the folders has that of a module of companion."""
    beside = {"bench", "browser", "hardware", "project", "system", "appliance", "support", "cases"}
    rooms = {path.stem for path in (ROOT / "companion").iterdir() if _is_room(path)}
    folders = {
        path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "__pycache__"
    }
    assert folders - beside - rooms == set()
    files = {path.stem.removeprefix("test_") for path in (ROOT / "tests").glob("test_*.py")}
    assert files - rooms == set()
    helpers = {path.name for path in (ROOT / "tests").glob("*.py")}
    assert {name for name in helpers if not name.startswith("test_")} == {"__init__.py", "conftest.py"}


def _is_room(path: Path) -> bool:
    package = path.is_dir() and (path / "__init__.py").exists() and not path.is_symlink()
    return package or (path.suffix == ".py" and path.name != "__init__.py")


def test_no_class_says_more_than_one_thing() -> None:
    """At most thirty methods, its own."""
    large = {}
    for path in (ROOT / "companion").rglob("*.py"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                methods = sum(isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) for part in node.body)
                if methods > MOST_METHODS:
                    large[node.name] = methods
    assert large == {}
