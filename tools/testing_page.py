"""Write the durations of the tests into docs/testing.md.

`python tools/testing_page.py quick.json long.json`: each file is what a run wrote with `--durations-to`. The
tables between the marks `<!-- quick -->` or `<!-- long -->` and `<!-- end -->` are replaced.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "testing.md"
END: Final = "<!-- end -->\n"
SLOWEST: Final = 10


class Took(NamedTuple):
    """The cost of a test: seconds, and seconds of CPU time with the processes that it started."""

    seconds: float
    cpu: float


def room(node: str) -> str:
    """Return the folder of a test under tests/, or where else it is.

    >>> [room(node) for node in ("tests/odds/test_luck.py::test_it", "tests/test_a.py::a", "README.md::a")]
    ['odds', 'top level', 'doctests']
    """
    path = node.partition("::")[0].split("/")
    if path[0] != "tests":
        return "doctests"
    return path[1] if len(path) > 2 else "top level"


def tables(took: Mapping[str, Took]) -> str:
    """Return the tests of each room and the slowest ones, as Markdown."""
    tests, cpu, seconds = Counter(map(room, took)), Counter[str](), Counter[str]()
    for node, one in took.items():
        cpu[room(node)] += one.cpu  # type: ignore[assignment]
        seconds[room(node)] += one.seconds  # type: ignore[assignment]
    rooms = [
        f"| {name} | {tests[name]:,} | {seconds[name]:.0f} | {cpu[name]:.0f} |" for name in sorted(tests)
    ]
    total = f"| all | {sum(tests.values()):,} | {sum(seconds.values()):.0f} | {sum(cpu.values()):.0f} |"
    slowest = sorted(took.items(), key=lambda item: -item[1].cpu)[:SLOWEST]
    lines = [f"| `{node}` | {one.cpu:.1f} | {one.seconds:.1f} |" for node, one in slowest]
    return "\n".join(
        [
            "| room | tests | seconds | CPU seconds |",
            "|---|---:|---:|---:|",
            *rooms,
            total,
            "",
            "| the slowest | CPU seconds | seconds |",
            "|---|---:|---:|",
            *lines,
            "",
        ]
    )


def read(files: Iterable[Path]) -> dict[str, Took]:
    """Return what the runs measured."""
    return {node: Took(*one) for file in files for node, one in json.loads(file.read_text("utf-8")).items()}


def quick_tables() -> str:
    """Return the tables of the quick tests, as they are on the page."""
    return PAGE.read_text("utf-8").partition("<!-- quick -->\n")[2].partition(END)[0]


def main(arguments: Sequence[str]) -> None:
    """Replace the tables of the page."""
    page = PAGE.read_text("utf-8")
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    for file in map(Path, arguments):
        mark = f"<!-- {file.stem} -->\n"
        before, _, rest = page.partition(mark)
        after = rest.partition(END)[2]
        page = (
            f"{before}{mark}Measured by `make durations` on {machine}.\n\n{tables(read([file]))}{END}{after}"
        )
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
