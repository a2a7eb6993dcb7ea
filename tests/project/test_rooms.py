"""The folders say what the program does: who may know whom, and how much one class may say."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.source import parsed
from tools import rooms_page

ROOT = Path(__file__).parents[2]
MOST_METHODS = 30


FIRMWARE_IMPORT = re.compile(r"^( *)(?:from (\w+) import|import (\w+)$)", re.MULTILINE)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the rooms, with the firmware as a package like the others.

    In the checkout it is a link, which import-linter does not follow, and its files import each other by
    the names that they have on the Pico.
    """
    home = tmp_path_factory.mktemp("rooms")
    shutil.copy(ROOT / "pyproject.toml", home)
    others = shutil.ignore_patterns("__pycache__", "locale", "*.html", "*.css", "*.js", "*.woff2", "*.ttf")
    shutil.copytree(ROOT / "companion", home / "companion", ignore=others)
    firmware = home / "companion" / "firmware"
    names = {path.stem for path in firmware.glob("*.py")}

    def in_the_package(found: re.Match[str]) -> str:
        indent, source, module = found.groups()
        if source in names:
            return f"{indent}from companion.firmware.{source} import"
        return f"{indent}from companion.firmware import {module}" if module in names else found[0]

    for path in firmware.glob("*.py"):
        path.write_text(FIRMWARE_IMPORT.sub(in_the_package, path.read_text("utf-8")), "utf-8")
    (firmware / "__init__.py").touch()
    return home


def lint(home: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of pyproject.toml there.

    It is a separate process: it switches every log off that is there already.
    """
    command = "from importlinter.cli import lint_imports_command as lint; lint()"
    path = {**os.environ, "PYTHONPATH": str(home)}
    return subprocess.run(
        [sys.executable, "-P", "-c", command, "--no-cache"],
        cwd=home,
        env=path,
        capture_output=True,
        text=True,
    )


def test_no_room_imports_from_one_above_it_and_nothing_in_a_circle(copy: Path) -> None:
    """The rooms and their order are in pyproject.toml; what each may know is in its docstring."""
    linted = lint(copy)
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_the_contract_sees_the_firmware(copy: Path) -> None:
    """A circle among its files is found, also one that is closed inside a function."""
    clock = copy / "companion" / "firmware" / "clock.py"
    before = clock.read_text("utf-8")
    clock.write_text(before + "\n\ndef wait():\n    from companion.firmware import board\n", "utf-8")
    try:
        linted = lint(copy)
    finally:
        clock.write_text(before, "utf-8")
    assert linted.returncode != 0
    assert "companion.firmware" in linted.stdout


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
    """That holds also for the rooms below: another program can draw a table's pages without a server."""
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
    """Yield the names of the modules that a file imports."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_contributing_has_every_room_as_its_docstring_says_it() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert text == rooms_page.page(text), "run make rooms"
    named = {room.name.rstrip("/").removesuffix(".py") for room in rooms_page.rooms()}
    assert named == {path.stem for path in (ROOT / "companion").iterdir() if _is_room(path)} | {"firmware"}


def test_a_room_that_imports_another_says_which_it_may_use() -> None:
    """A room of several files says it in any case."""
    for room in rooms_page.rooms():
        path = ROOT / "companion" / room.name
        files = path.rglob("*.py") if path.is_dir() else [path]
        imported = {name.split(".")[1] for file in files for name in _rooms_imported(file)} - {path.stem}
        assert room.uses != "no other room." or (not imported and path.is_file()), room.name


def _rooms_imported(path: Path) -> Iterator[str]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = [f"{module}.{name.name}" for name in node.names] if module == "companion" else [module]
            yield from (name for name in names if name.startswith("companion.") and "__" not in name)


MODULE = re.compile(r"(?<![\w*{/.<-])(?:[\w-]+/)*[\w-]+\.py\b")


def test_a_module_that_is_named_exists() -> None:
    """In a docstring or comment: in the same folder, in one above, in companion/, or the only one of this name."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"]
    asked = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True)
    files = [name for name in asked.stdout.split() if (ROOT / name).exists()]
    lost = []
    for file in files:
        if file.startswith(("companion/", "firmware/")):
            near = {str(folder / "x")[:-1] for folder in Path(file).parents} | {"companion/"}
            for name in MODULE.findall(_said(ROOT / file)):
                known = [one for one in files if one.endswith(f"/{name}")]
                if (
                    not near & {one.removesuffix(name) for one in [*known, name] if one in files}
                    and len(known) != 1
                ):
                    lost.append(f"{file}: {name}")
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    lost += [
        name for name in MODULE.findall(page) if not any(f"/{one}".endswith(f"/{name}") for one in files)
    ]
    assert lost == []


def _said(path: Path) -> str:
    """Return the docstrings and comments of a file."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs = [ast.get_docstring(node) or "" for node in ast.walk(parsed(path)) if isinstance(node, documented)]
    with tokenize.open(path) as file:
        tokens = tokenize.generate_tokens(file.readline)
        return "\n".join([*docs, *(token.string for token in tokens if token.type == tokenize.COMMENT)])


def test_each_test_is_in_the_room_that_it_tests() -> None:
    """A folder of tests has the name of a room, a test file outside them that of a module of companion."""
    others = {"bench", "browser", "hardware", "project", "system", "appliance", "support", "cases"}
    others |= {"engines", "machine"}  # whole browsers, a whole machine
    rooms = {path.stem for path in (ROOT / "companion").iterdir() if _is_room(path)}
    folders = {
        path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "__pycache__"
    }
    assert folders - others - rooms == set()
    files = {path.stem.removeprefix("test_") for path in (ROOT / "tests").glob("test_*.py")}
    assert files - rooms == set()
    helpers = {path.name for path in (ROOT / "tests").glob("*.py")}
    assert {name for name in helpers if not name.startswith("test_")} == {"__init__.py", "conftest.py"}


def _is_room(path: Path) -> bool:
    package = path.is_dir() and (path / "__init__.py").exists() and not path.is_symlink()
    return package or (path.suffix == ".py" and path.name != "__init__.py")


def test_no_class_says_more_than_one_thing() -> None:
    """No class has more than thirty methods, without inherited ones."""
    large = {}
    for path in (ROOT / "companion").rglob("*.py"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                methods = sum(isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) for part in node.body)
                if methods > MOST_METHODS:
                    large[node.name] = methods
    assert large == {}
