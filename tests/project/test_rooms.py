"""The folders say what the program does: who may know whom, and how much one class may say."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
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


NOT_IN_VIEWS = {"asyncio", "flask", "itsdangerous", "socket", "threading", "time", "uvicorn", "werkzeug"}


def test_views_need_no_server() -> None:
    """A view is made of values: no module of views imports a server, a thread, a clock or a page."""
    found = {
        f"{path.name}: {name}"
        for path in (ROOT / "companion" / "views").rglob("*.py")
        for name in _imported(path)
        if name.split(".")[0] in NOT_IN_VIEWS or name.startswith(("companion.http", "companion.web"))
    }
    assert found == set()


def test_importing_the_views_loads_no_flask() -> None:
    """Also through the rooms below: another program can draw a table's pages without a server."""
    views = sorted(
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in (ROOT / "companion" / "views").rglob("*.py")
    )
    loads = f"import sys, {', '.join(views)}; print(*sorted({{'flask', 'werkzeug', 'uvicorn'}} & set(sys.modules)))"
    asked = subprocess.run(
        [sys.executable, "-c", loads], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert asked.stdout.strip() == ""


def _imported(path: Path) -> Iterator[str]:
    """Names of the modules that a file imports."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


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
