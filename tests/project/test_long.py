"""Each long test says in its docstring which fault only it would find.

Long tests run in `make check-long` and at night, not in `make test`. A long test that finds nothing more than a quick
one only costs time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from pathlib import Path

import pytest

from tests.support.source import parsed

TESTS = Path(__file__).parents[1]
LONG = {"pytest.mark.long", "pytest.mark.nightly"}
SENTENCE = "Only here: "
EXEMPT = "tests/browser/test_pictures_*.py"


def mentions(node: ast.AST, names: Set[str]) -> bool:
    """Return True if one of these names is in an expression, outside its strings."""
    parts = (part for part in ast.walk(node) if isinstance(part, ast.Attribute | ast.Name))
    return any(ast.unparse(part) in names for part in parts)


def names_of_long(tree: ast.Module) -> set[str]:
    """Return the marks' names, and each name of the module whose value has it."""
    names = set(LONG)
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value and mentions(node.value, names):
            targets: list[ast.expr] = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {ast.unparse(target) for target in targets}
    return names


def unexplained(tree: ast.Module) -> Iterator[str]:
    """Yield "module", or each test and fixture, that is long and lacks the sentence in its docstring."""
    names = names_of_long(tree)
    if "pytestmark" in names:
        if SENTENCE not in (ast.get_docstring(tree) or ""):
            yield "module"
        return
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        is_long = any(mentions(decorator, names) for decorator in function.decorator_list)
        if is_long and SENTENCE not in (ast.get_docstring(function) or ""):
            yield function.name


def test_each_long_test_says_what_only_it_finds() -> None:
    """The sentence is in the module's docstring if all of the module is long, else in the function's."""
    missing = [
        f'{path.relative_to(TESTS.parent)}, {what}: end its docstring with "{SENTENCE}" and the fault '
        "that no quicker test would find"
        for path in sorted(TESTS.rglob("*.py"))
        if not path.match(EXEMPT) and any(mark in path.read_text("utf-8") for mark in LONG)
        for what in unexplained(parsed(path))
    ]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("pytestmark = [pytest.mark.browser, pytest.mark.long]", "module"),
        ("@pytest.mark.long\ndef test_it(): ...", "test_it"),
        ("slow = pytest.mark.long\n@slow\ndef test_it(): ...", "test_it"),
        ("@pytest.fixture(params=[pytest.param(1, marks=pytest.mark.long)])\ndef it(): ...", "it"),
        (
            "MORE: list = [pytest.param(1, marks=pytest.mark.long)]\n@each(MORE)\ndef test_it(): ...",
            "test_it",
        ),
    ],
)
def test_a_long_test_that_does_not_say_it_is_found(source: str, found: str) -> None:
    """The test above can fail, in each way of marking a test."""
    assert [*unexplained(ast.parse(source))] == [found]
