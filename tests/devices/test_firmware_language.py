"""The firmware stays within the Python that MicroPython and CPython share."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from companion import firmware
from tests.support.source import parsed

FILES = sorted(Path(firmware.__path__[0]).glob("*.py"))
SHARED = {"binascii", "gc", "json", "machine", "os", "select", "sys", "time"}
MACHINE_CODE = {"micropython"}  # what fast.py alone may use: only an RP2040 imports it
LEAVES = {"link", "rc522", "pins"}  # what the host imports too


def names(tree: ast.AST) -> set[str]:
    """Return the modules that a file imports."""
    plain = {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    return plain | {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_only_what_a_pico_has(path: Path) -> None:
    """Imports are MicroPython's or the firmware's own; no match, no star in a tuple."""
    tree = parsed(path)
    more = MACHINE_CODE if path.stem == "fast" else set()
    assert names(tree) <= SHARED | more | {file.stem for file in FILES}
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Match), f"line {node.lineno}: MicroPython has no match"
        if isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load):
            assert not any(isinstance(e, ast.Starred) for e in node.elts), f"line {node.lineno}: no (a, *b)"


@pytest.mark.parametrize("leaf", sorted(LEAVES))
def test_leaves_stand_alone(leaf: str) -> None:
    """Firmware files that the host uses import nothing of the firmware: on the host it has another name."""
    (path,) = (file for file in FILES if file.stem == leaf)
    assert not names(parsed(path)) & {file.stem for file in FILES}


def test_one_clock() -> None:
    """Only clock.py looks at the time, so that a model of the Pico can keep another."""
    users = {path.stem for path in FILES if "time" in names(parsed(path))}
    assert users == {"clock"}
