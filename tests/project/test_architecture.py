"""The architecture page and the decision records agree with the repository."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.source import parsed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
DECISIONS = ROOT / "docs" / "decisions"
ROW = re.compile(r"^\|[^|]*\| `([^`]+)` \|(?: `([^`]+)`)? *\|$", re.MULTILINE)
"""A step: its file, and the function or class if it is Python."""


def steps() -> list[tuple[str, str]]:
    """Return file and name of each step on the page; a script has no name."""
    return ROW.findall(PAGE.read_text("utf-8"))


def names(path: Path) -> Iterator[str]:
    """Yield the functions and classes of a module, and `Class.method` for each method."""
    for node in parsed(path).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield f"{node.name}.{part.name}"


def test_the_four_ways_have_their_steps() -> None:
    text, _, _ = PAGE.read_text("utf-8").partition("## How much takes part")
    assert len(re.findall(r"^## The way of ", text, re.MULTILINE)) == 4
    rows = [line for line in text.splitlines() if line.startswith("| ") and "| file |" not in line]
    assert len(steps()) == len(rows) > 40


@pytest.mark.parametrize(("file", "name"), steps())
def test_the_file_of_a_step_has_its_function(file: str, name: str) -> None:
    path = ROOT / file
    assert path.is_file(), f"docs/architecture.md names {file}: has it moved?"
    if name:
        assert name in names(path), f"docs/architecture.md names {name} in {file}: was it renamed?"


@pytest.mark.parametrize("page", [PAGE, *sorted(DECISIONS.glob("*.md"))], ids=lambda page: page.name)
def test_every_file_in_the_text_is_there(page: Path) -> None:
    named = re.findall(
        r"`((?:companion|firmware|hardware|tests|tools|docs)/[^`*]+)`", page.read_text("utf-8")
    )
    assert [file for file in named if not (ROOT / file).exists()] == []


def test_every_decision_is_listed() -> None:
    """A record has its number in its name and its title, and the list has it."""
    listed = re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", (DECISIONS / "README.md").read_text("utf-8"))
    records = sorted(DECISIONS.glob("[0-9]*.md"))
    assert sorted(listed) == [record.name for record in records]
    for record in records:
        assert record.read_text("utf-8").startswith(f"# {record.name[:4]} ")
