"""The check of docstrings, comments, documents and commit subjects finds what it is for."""

from __future__ import annotations

import pytest

from tools import prose


def found(source: str) -> list[str]:
    return [fault.what.partition(":")[0] for fault in prose.faults_of_module("a.py", source)]


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ('def f():\n    """Return the tags on the pad."""', []),
        ('def f():\n    """The tags on the pad."""', ["begin the docstring of f with a verb (tools/verbs.txt)"]),
        ('def f():\n    """Whether a tag is there."""', ["begin the docstring of f with a verb (tools/verbs.txt)"]),
        ('@property\ndef f(self):\n    """The tags on the pad."""', []),
        ('def test_f():\n    """A card is played once."""', []),
        ('"""Cards that nobody has seen."""', ["nobody"]),
        ('class A:\n    """Food that is `kept` safe."""', []),
        ("a = 1  # what it was told\n", ["told"]),
        ("told = 1\n", ["told names nothing"]),
        ("def told(): ...\n", ["told names nothing"]),
        ('"""' + "word " * 46 + '."""', ["a sentence of 47 words"]),
    ],
)  # fmt: skip
def test_what_is_hard_to_read_is_found(source: str, faults: list[str]) -> None:
    assert found(source) == faults


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ("// cards that nobody has seen\n", ["a.js:1: nobody"]),
        ("/**\n * Cards.\n * Food is kept.\n */\nconst a = 1;", ["a.js:3: kept"]),
        (".a { /* lies on the pad */ }", ["a.js:1: lies"]),
        ("const told = 1;", ["a.js:1: told names nothing"]),
        ("/** @param {Lies} lies `kept` */\nconst a = lies => lies.told;", []),
        ('say("http://kept", /"kept/, `// nobody`);', []),
        ('const a = b / c; // "nobody" divides', ["a.js:1: nobody"]),
    ],
)
def test_comments_of_scripts_and_styles_are_read_and_their_strings_are_not(
    source: str, faults: list[str]
) -> None:
    found = [str(fault) for fault in prose.faults_of_script("a.js", source)]
    assert [fault.rpartition(": ")[0] for fault in found] == faults


def test_code_and_quotes_in_a_document_are_not_prose() -> None:
    text = "Run `whatever`.\n\n```sh\nwhatever\n```\n\nThe page says *nobody has won*. See [it](whatever.md)."
    assert list(prose.faults_of_text("a.md", 1, text)) == []


def test_a_fault_has_its_line() -> None:
    [fault] = prose.faults_of_text("a.md", 1, "One.\n\nTwo that\nnobody reads.")
    assert str(fault).startswith("a.md:4: nobody")


@pytest.mark.parametrize(
    ("subject", "faults"),
    [
        ("odds: use the population prior before race 1", 0),
        ("odds, bots: share the table of styles", 0),
        ("Odds are better now", 1),
        ("odds: " + "x" * 70, 1),
    ],
)
def test_a_subject_names_its_area_and_is_short(subject: str, faults: int) -> None:
    assert len(list(prose.faults_of_subject("abc", subject))) == faults
