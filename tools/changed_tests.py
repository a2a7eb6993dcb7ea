"""Print the test files that a change touches, for `make test-changed`.

`python tools/changed_tests.py [SINCE]`: the change is what git sees in the working tree, or since a commit.

A test file is chosen if it changed itself, if it is in the room of a changed module (`tests/odds` for
`companion/odds/luck.py`), or if it imports a changed module, directly or through tests/support.
Rooms above the changed one are left to `make test`: nearly everything imports the rules in the end.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
OTHERS = {
    "firmware": ("tests/devices",),
    "hardware": ("tests/hardware", "tests/diagnostics"),
    "bench": ("tests/bench",),
    "docs": ("tests/project",),
    "companion/locale": ("tests/test_translate.py",),
    "companion/hub/site/pages": ("tests/hub", "tests/http", "tests/web", "tests/browser"),
    "companion/views": ("tests/views", "tests/web", "tests/publishing", "tests/browser"),
    "companion/web": ("tests/web", "tests/browser"),
}
"""What tests files that are no modules, and folders that no test imports."""


def changed(since: str = "HEAD") -> list[str]:
    """Return the files that differ from a commit, untracked ones included."""
    tracked = _git("diff", "--name-only", since)
    return sorted({*tracked, *_git("ls-files", "--others", "--exclude-standard")})


def tests_of(files: Iterable[str], graph: grimp.ImportGraph) -> set[str]:
    """Return the test files and folders to run for these changed files."""
    return {path for file in files for path in _of(file, graph) if (ROOT / path).exists()}


def _of(file: str, graph: grimp.ImportGraph) -> Iterator[str]:
    path = Path(file)
    if path.suffix == ".md" or len(path.parts) == 1:
        yield "tests/project"
    for folder, tests in OTHERS.items():
        if file.startswith(f"{folder}/"):
            yield from tests
    if path.suffix != ".py":
        return
    module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    if path.parts[0] == "tests" and path.name.startswith("test_"):
        yield file
        return
    if path.parts[0] == "companion" and len(path.parts) > 1:
        room = path.parts[1].removesuffix(".py")
        yield f"tests/{room}"
        yield f"tests/test_{room}.py"
    if module.startswith("tests."):
        yield from _users(module, graph)
    elif module in graph.modules:
        yield from _importers(module, graph)


def _importers(module: str, graph: grimp.ImportGraph) -> Iterator[str]:
    """Yield test files that import a module, or a helper that does."""
    for importer in graph.find_modules_that_directly_import(module):
        if importer.startswith("tests."):
            yield from _users(importer, graph)


def _users(module: str, graph: grimp.ImportGraph) -> Iterator[str]:
    """Yield a test file itself, or the test files that use a helper."""
    found = {module, *(graph.find_downstream_modules(module) if module in graph.modules else ())}
    yield from (
        name.replace(".", "/") + ".py" for name in found if name.rpartition(".")[2].startswith("test_")
    )


def _git(*words: str) -> list[str]:
    said = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return said.splitlines()


def main(arguments: list[str]) -> None:
    """Print the paths, one a line; what was found and why it is empty to the error output."""
    files = changed(*arguments[:1])
    found = tests_of(files, grimp.build_graph("companion", "tests", "bench", "tools", cache_dir=None))
    whole = {path for path in found if (ROOT / path).is_dir()}
    shown = sorted(path for path in found if path in whole or str(Path(path).parent) not in whole)
    print(f"{len(files)} files changed: {' '.join(shown) or 'no test is theirs'}", file=sys.stderr)
    print(*shown, sep="\n", end="\n" if shown else "")


if __name__ == "__main__":
    main(sys.argv[1:])
