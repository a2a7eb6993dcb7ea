"""Change the program in one place at a time and see whether a test notices: `make mutants`."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

from mutmut.__main__ import create_mutants
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir

HOME = Path(__file__).parents[1]
MADE = HOME / "mutants"  # mutmut's own place: the changed program, the tests, what came out
LIST = HOME / "docs" / "mutants.md"
ROOMS = ("match", "store", "referee", "games")
EACH = 8  # of a module, unless all are asked for
WORKERS = 2
# what mypy finds because there are many copies of each function, or would be content with an annotation
NO_MISTAKES = {"has-type", "no-redef", "no-untyped-def", "unused-ignore", "var-annotated"}
LISTED = re.compile(r"- `(?P<place>[^`]+)`: `(?P<before>[^`]*)` → `(?P<after>[^`]*)`")


@dataclass(frozen=True)
class Mutant:
    """One change to one function: mutmut's name of it, its file, pytest's exit code (None: not tried)."""

    name: str
    path: Path
    code: int | None

    @property
    def status(self) -> str:
        """`survived`, `killed`, `timeout`, …; a function that no test calls has `no tests`."""
        status: str = status_by_exit_code[self.code]
        return status

    @property
    def survives(self) -> bool:
        """True if no test and no type failed."""
        return self.status in {"survived", "no tests"}

    @cached_property
    def line(self) -> str:
        """The mutant's line in the list: place, before and after; the same while its function is the same."""
        changed: dict[str, list[str]] = {"-": [], "+": []}
        for line in get_diff_for_mutant(self.name, path=self.path).splitlines()[3:]:
            if line[0] in changed:
                changed[line[0]].append(line[1:].strip())
        before, after = (" ".join(lines).replace("`", "'") for lines in changed.values())
        return f"- `{self.place}`: `{before}` → `{after}`"

    @property
    def place(self) -> str:
        """Module and function: `match.record.written`, `match.match.Match.late`."""
        module, _, mangled = self.name.partition("__mutmut_")[0].rpartition(".")
        function = mangled.removeprefix("x_").removeprefix("xǁ").replace("ǁ", ".")
        return f"{module.removeprefix('companion.')}.{function}"


def mutants(rooms: Iterable[str]) -> Iterator[Mutant]:
    """Yield all mutants that mutmut has made of these rooms."""
    for room in rooms:
        for meta in sorted((MADE / "companion" / room).rglob("*.meta")):
            path = meta.relative_to(MADE).with_suffix("")
            for name, code in json.loads(meta.read_text("utf-8"))["exit_code_by_key"].items():
                yield Mutant(name, path, code)


def chosen(all_of_them: Iterable[Mutant], each: int | None) -> list[Mutant]:
    """Return so many of each module, the same ones while their functions are the same; all
    without a number.
    """
    by_module: defaultdict[Path, list[Mutant]] = defaultdict(list)
    for mutant in all_of_them:
        by_module[mutant.path].append(mutant)
    if each is None:
        return [mutant for some in by_module.values() for mutant in some]
    return [m for some in by_module.values() for m in sorted(some, key=lot)[:each]]


def lot(mutant: Mutant) -> str:
    """Return its place in a draw that is the same everywhere."""
    return hashlib.sha256(mutant.line.encode()).hexdigest()


def refused_by_types(rooms: Iterable[str]) -> set[str]:
    """Return the names of the mutants that mypy, which `make test` runs too, rejects."""
    packages = [argument for room in rooms for argument in ("-p", f"companion.{room}")]
    command = [sys.executable, "-m", "mypy", "--output=json", "--cache-dir=../.mypy_cache/mutants", *packages]
    output = subprocess.run(command, cwd=MADE, capture_output=True, text=True, check=False).stdout
    wrong: defaultdict[str, set[str]] = defaultdict(set)
    functions = Functions()
    for error in map(json.loads, output.splitlines()):
        name = functions.at(Path(error["file"]), error["line"])
        if name is not None and error["severity"] == "error" and error["code"] not in NO_MISTAKES:
            wrong[name].add(error["message"])
    return {
        name
        for name, messages in wrong.items()
        if messages - wrong.get(f"{name.partition('__mutmut_')[0]}__mutmut_orig", set())
    }


class Functions:
    """The copies of functions in a changed file, by line."""

    def __init__(self) -> None:
        self._spans: dict[Path, list[tuple[int, int, str]]] = {}

    def at(self, path: Path, line: int) -> str | None:
        """Return the name as mutmut has it; None between the copies."""
        spans = self._spans.setdefault(path, sorted(self._read(path)))
        at = bisect_right(spans, (line, sys.maxsize, "")) - 1
        if at < 0 or line > spans[at][1]:
            return None
        module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        return f"{module}.{spans[at][2]}"

    def _read(self, path: Path) -> Iterator[tuple[int, int, str]]:
        index = MADE / f"{path}.spans"
        if index.exists():
            for name, (start, end) in json.loads(index.read_text("utf-8"))["spans"].items():
                yield start, end, name


def listed() -> dict[str, str]:
    """Return the survivors that are explained: their line, and its heading."""
    heading, lines = "", {}
    for line in LIST.read_text("utf-8").splitlines() if LIST.exists() else ():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif LISTED.fullmatch(line):
            lines[line] = heading
    return lines


def is_listed(mutant: Mutant, explained: Mapping[str, str]) -> bool:
    """Return True if its line is listed, or a line for many places (`*`) and many lines (`…`) matches."""
    return mutant.line in explained or any(fnmatchcase(mutant.line, as_pattern(line)) for line in explained)


def as_pattern(line: str) -> str:
    """Return a pattern in which only `*` in the place and `…` in the text are wildcards."""
    place, _, text = line.partition(": ")
    return f"{place}: {text.replace('[', '[[]').replace('*', '[*]').replace('?', '[?]').replace('…', '*')}"


def make() -> None:
    """Let mutmut write the changed program; unchanged functions keep their results."""
    MADE.mkdir(exist_ok=True)
    set_mutant_under_test("mutant_generation")
    with redirect_stdout(sys.stderr):
        copy_src_dir()
        copy_also_copy_files()
        create_mutants(WORKERS)
    known = MADE / "mutmut-stats.json"  # which tests reach which function: mutmut checks new ones only
    newest = max(test.stat().st_mtime for test in (HOME / "tests").rglob("*.py"))
    if known.exists() and known.stat().st_mtime < newest:
        known.unlink()


def run(names: list[str]) -> None:
    """Let mutmut try these, each by the tests that reach its function, until one fails."""
    if names:
        mutmut = [sys.executable, "-m", "mutmut", "run", "--max-children", str(WORKERS), *names]
        same = os.environ | {"PYTHONHASHSEED": "0"}
        subprocess.run(mutmut, cwd=HOME, check=True, env=same, stdout=sys.stderr)


def survivors(rooms: Iterable[str], each: int | None) -> list[Mutant]:
    """Return those of the sample that nothing detects and no line explains; they are tried again."""
    explained, typed = listed(), refused_by_types(rooms)
    names = {mutant.name for mutant in chosen(mutants(rooms), each)}

    def unnoticed(mutant: Mutant) -> bool:
        return mutant.name in names - typed and mutant.survives and not is_listed(mutant, explained)

    def due(mutant: Mutant) -> bool:
        return mutant.name in names - typed and (mutant.code is None or unnoticed(mutant))

    run([mutant.name for mutant in mutants(rooms) if due(mutant)])
    # where other tests are asked now, mutmut has dropped the former results
    run([mutant.name for mutant in mutants(rooms) if due(mutant) and mutant.code is None])
    some = [mutant for mutant in mutants(rooms) if mutant.name in names]
    counts = Counter("refused by types" if mutant.name in typed else mutant.status for mutant in some)
    print(f"{len(some)} mutants of {', '.join(rooms)}:", *(f"{n} {what}" for what, n in counts.items()))
    return [mutant for mutant in some if unnoticed(mutant)]


def main() -> int:
    """Check these rooms, `--all` of their mutants or a sample; return 1 if one survives that is not
    explained.
    """
    os.chdir(HOME)
    make()
    rooms = [room for room in ROOMS if room in sys.argv[1:]] or list(ROOMS)
    alive = survivors(rooms, None if "--all" in sys.argv else EACH)
    if alive:
        print(*sorted({mutant.line for mutant in alive}), sep="\n")
        print(f"{len(alive)} survive: write tests that kill them, or say in {LIST.relative_to(HOME)} why not")
    return bool(alive)


if __name__ == "__main__":
    sys.exit(main())
