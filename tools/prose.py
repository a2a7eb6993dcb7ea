"""Check the prose of docstrings, comments of programs, scripts and styles, documents and commit subjects.

`make lint` runs it.

`python tools/prose.py` prints each fault as `file:line: what is wrong`; its exit status is 1 if there is one.
`python tools/prose.py --count` prints how often the forbidden words occur in docstrings, room by room.
CONTRIBUTING has the rules in words.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
COUNTED: Final = ("told", "whoever", "nobody", "somebody", "lies", "kept", "beside")
INSTEAD: Final = {
    "told": "published, notified, reported, or the thing itself",
    "whoever": "the caller, the viewer, a player",
    "whatever": "any, all, each",
    "nobody": "no one, no player, none",
    "somebody": "a player, a person, someone",
    "lies": "is",
    "kept": "stored, cached, saved",
    "beside": "next to, besides or with",
    "lest": "so that … not",
}
"""Words that made the texts hard to read, and what to write instead."""
QUESTIONS: Final = frozenset(("what", "whether", "how", "who", "which", "where", "when", "why", "whose"))
LONGEST_SENTENCE: Final = 45  # words
LONGEST_SUBJECT: Final = 72  # letters
SUBJECT: Final = re.compile(r"[a-z][\w./ -]*(, [a-z][\w./ -]*)*: \S")
SINCE: Final = "ba5da05"  # subjects of older commits stay as they are
RECORDED: Final = ("docs/check-install.md",)  # written by checks that take hours
VERBS: Final = frozenset(
    (ROOT / "tools" / "verbs.txt").read_text("utf-8").split()
)  # what docstrings of functions may begin with
WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_FORBIDDEN: Final = re.compile(rf"\b({'|'.join(INSTEAD)})\b", re.IGNORECASE)
_CODE: Final = re.compile(r"```.*?```|`[^`\n]*`|\*[^*\n]+\*|\]\([^)]*\)", re.DOTALL)
_TOKENS: Final = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"""
    r"""|(?<=[(,=:!&|?;])\s*/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/""",
    re.DOTALL,
)
"""Comments, strings and regular expressions of a script or a style."""
_TYPES: Final = re.compile(r"(@param|@typedef|@property) \{.*?\}+ [\w.]+|\{[^\n]*\}|`[^`\n]*`")
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Fault(NamedTuple):
    """Something to change, at a line of a file or, for commits, of the list of subjects."""

    where: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.where}:{self.line}: {self.what}"


class Docstring(NamedTuple):
    """A docstring: its line, the node that it documents, and its text."""

    line: int
    node: ast.Module | ast.ClassDef | Function
    text: str


def docstrings(source: str) -> Iterator[Docstring]:
    """Yield the docstrings of a module, of its classes and of its functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | Function):
            text = ast.get_docstring(node)
            if text:
                yield Docstring(node.body[0].lineno, node, text)


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield the comments of a module, each with its line."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def comments_of_script(source: str) -> Iterator[tuple[int, str]]:
    """Yield the comments of a script or a style, each with its line; types, names and code are left out.

    >>> list(comments_of_script('fetch("http://a"); // `b` asks\\n/* @param {C} d the rest */'))
    [(1, '//  asks'), (2, '/*  the rest */')]
    """
    for token in _TOKENS.finditer(source):
        if text := token["comment"]:
            yield source.count("\n", 0, token.start()) + 1, _TYPES.sub("", text)


def begins_with_verb(text: str) -> bool:
    """Return whether the first word is one of `VERBS`, as Python's style guide PEP 257 asks for.

    >>> [begins_with_verb(text) for text in ("Return the tags.", "The tags.", "What the tags are.")]
    [True, False, False]
    """
    first = WORD.search(text)
    return first is not None and first[0].lower() in VERBS


def faults_of_module(where: str, source: str) -> Iterator[Fault]:
    """Yield what is wrong with the docstrings and comments of a Python file."""
    for line, node, text in docstrings(source):
        yield from faults_of_text(where, line, text)
        if isinstance(node, Function) and _is_imperative(node) and not begins_with_verb(text):
            yield Fault(where, line, f"begin the docstring of {node.name} with a verb (tools/verbs.txt)")
    for line, text in comments(source):
        yield from _forbidden(where, line, text)
    for named in ast.walk(ast.parse(source)):
        if "told" in _named(named).lower().split("_"):
            yield Fault(where, getattr(named, "lineno", 1), "told names nothing: say what it is")


def faults_of_script(where: str, source: str) -> Iterator[Fault]:
    """Yield what is wrong with the comments and names of a script or a style."""
    for line, text in comments_of_script(source):
        yield from _forbidden(where, line, text)
    code = _TOKENS.sub(lambda token: "\n" * token[0].count("\n"), source)
    for name in re.finditer(r"(?<![.\w-])told\b(?!\s*:)", code):
        yield Fault(where, code.count("\n", 0, name.start()) + 1, "told names nothing: say what it is")


def faults_of_text(where: str, line: int, text: str) -> Iterator[Fault]:
    """Yield forbidden words and long sentences of a text that begins at `line`; code is skipped."""
    prose = _CODE.sub(lambda code: " X " + "\n" * code[0].count("\n"), text)
    yield from _forbidden(where, line, prose)
    for number, paragraph in _paragraphs(prose):
        for sentence in re.split(r"(?<=[.!?:;])\s", paragraph):
            if (many := len(sentence.split())) > LONGEST_SENTENCE:
                yield Fault(where, line + number, f"a sentence of {many} words: split it")


def faults_of_subject(commit: str, subject: str) -> Iterator[Fault]:
    """Yield what is wrong with the first line of a commit's message.

    >>> [str(fault) for fault in faults_of_subject("abc", "Odds are better now")]
    ['commit abc:1: write `area: what changed`']
    """
    if len(subject) > LONGEST_SUBJECT:
        yield Fault(f"commit {commit}", 1, f"{len(subject)} letters: at most {LONGEST_SUBJECT}")
    if not SUBJECT.match(subject):
        yield Fault(f"commit {commit}", 1, "write `area: what changed`")


def _is_imperative(node: Function) -> bool:
    """Return whether the docstring says what a call does: not for properties, tests and fixtures of data."""
    names = {getattr(one, "id", getattr(one, "attr", "")) for one in node.decorator_list}
    return not node.name.startswith("test_") and not names & {"property", "cached_property", "setter"}


def _named(node: ast.AST) -> str:
    """Return the name that a node gives to something, or ""."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return node.name
        case ast.Name(ctx=ast.Store()):
            return node.id
        case ast.Attribute(ctx=ast.Store()):
            return node.attr
        case ast.arg():
            return node.arg
        case _:
            return ""


def _forbidden(where: str, line: int, text: str) -> Iterator[Fault]:
    for found in _FORBIDDEN.finditer(text):
        word = found[0].lower()
        at = line + text.count("\n", 0, found.start())
        yield Fault(where, at, f"{word}: write {INSTEAD[word]}")


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs, list items and table cells of a text, each with the number of its line."""
    number, block = 0, list[str]()
    for at, line in enumerate([*text.split("\n"), ""]):
        if line.startswith("    ") and not block:
            continue  # a drawing or an example
        new = not line.strip() or re.match(r"\s*([-*|#>=+]|\d+\.|\w+ =)", line)
        if new and block:
            yield number, " ".join(block)
            block = []
        if line.lstrip().startswith("|"):
            yield from ((at, cell) for cell in line.split("|"))
        elif line.strip():
            number = at if not block else number
            block.append(line.strip())


def listed(pattern: str) -> list[str]:
    """Return the names of the files under version control that match a pattern of Git's."""
    found = subprocess.run(["git", "ls-files", pattern], cwd=ROOT, capture_output=True, text=True, check=True)
    return found.stdout.split()


def subjects() -> list[tuple[str, str]]:
    """Return hash and subject of each commit since `SINCE`; none where the history is not there."""
    log = ["git", "log", "--no-merges", "--format=%h %s", f"{SINCE}..HEAD"]
    found = subprocess.run(log, cwd=ROOT, capture_output=True, text=True)
    rows = [line.partition(" ") for line in found.stdout.splitlines()] if found.returncode == 0 else []
    return [(commit, subject) for commit, _, subject in rows]


def room(name: str) -> str:
    """Return the room of a file: `companion/odds`, `tests/web`, `tools`, …"""
    parts = name.split("/")
    return "/".join(parts[:2]) if parts[0] in ("companion", "tests") and len(parts) > 2 else parts[0]


def table(names: Iterable[str]) -> str:
    """Return the counts of forbidden words and of questions, room by room, as lines of text."""
    words, counted, functions, questions = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for name in names:
        for _, node, text in docstrings((ROOT / name).read_text("utf-8")):
            said = [word.lower() for word in WORD.findall(text)]
            words[room(name)] += len(said)
            counted[room(name)] += sum(word in COUNTED for word in said)
            if isinstance(node, Function):
                functions[room(name)] += 1
                questions[room(name)] += said[:1] != [] and said[0] in QUESTIONS
    lines = [f"{'room':24}{'words':>8}{'forbidden':>11}{'functions':>11}{'questions':>11}"]
    for one in sorted(words):
        lines.append(f"{one:24}{words[one]:8}{counted[one]:11}{functions[one]:11}{questions[one]:11}")
    total, asked = sum(words.values()), sum(functions.values())
    per, share = sum(counted.values()) / total * 10_000, sum(questions.values()) / asked
    lines.append(
        f"{per:.1f} forbidden words in 10,000; {share:.1%} of {asked:,} functions begin with a question"
    )
    return "\n".join(lines)


def faults() -> Iterator[Fault]:
    """Yield every fault of the checkout."""
    for name in listed("*.py"):
        if (ROOT / name).is_file():
            yield from faults_of_module(name, (ROOT / name).read_text("utf-8"))
    for name in (*listed("*.js"), *listed("*.mjs"), *listed("*.css")):
        yield from faults_of_script(name, (ROOT / name).read_text("utf-8"))
    for name in listed("*.md"):
        if name in RECORDED:
            continue
        yield from faults_of_text(name, 1, (ROOT / name).read_text("utf-8"))
    for commit, subject in subjects():
        yield from faults_of_subject(commit, subject)


def main() -> int:
    """Print the faults or, with `--count`, the counts; return the exit status."""
    if "--count" in sys.argv[1:]:
        print(table(listed("*.py")))
        return 0
    found = list(faults())
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
