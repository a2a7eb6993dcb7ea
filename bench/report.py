"""A bench's result: a table with its ratios, and the machine it was measured on; printed and stored in
results/.

`python -m bench.NAME --short` does the same on less, in seconds, and only prints it: to see that it runs.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import quantiles

RESULTS = Path(__file__).parent / "results"


def is_short(about: str | None) -> bool:
    """Parse the arguments of a bench with the docstring `about`; return True for its short form."""
    first, _, _ = (about or "").partition("\n")
    parser = argparse.ArgumentParser(description=first)
    parser.add_argument("--short", action="store_true", help="the same on less, in seconds: not kept")
    return bool(parser.parse_args().short)


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the value below which `percent` of the values are.

    >>> percentile([1, 2, 3, 4, 5], 50)
    3.0
    """
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; the first column is text, the others are figures.

    >>> print(table(["server", "ms"], [["ours", 1.25]]))
    | server | ms |
    |---|---:|
    | ours | 1.25 |
    """
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join(
        ("|" + "|".join(map(str, line)) + "|") if n == 1 else "| " + " | ".join(map(str, line)) + " |"
        for n, line in enumerate(lines)
    )


def machine(packages: Iterable[str]) -> str:
    """Describe this machine: processor, cores and their load, Python, and the packages that matter."""
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    busy = os.getloadavg()[0]
    return (
        f"{_processor()}, {os.cpu_count()} cores (load {busy:.1f} at the end), "
        f"Python {platform.python_version()}; {versions}."
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]} ({platform.machine()})" if names else platform.machine()


def publish(name: str, *paragraphs: str, short: bool = False) -> None:
    """Print the paragraphs and store them as results/NAME.md, unless the measurement was short."""
    text = "\n\n".join(paragraphs) + "\n"
    print(text)
    if short:
        return
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(text, encoding="utf-8")
