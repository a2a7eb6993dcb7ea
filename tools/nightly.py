"""Run everything that takes long, the most informative first: `make nightly`.

Each step writes its output to build/nightly/STEP.log and its result to build/nightly/results.json. An
interrupted run goes on where it was: a step that passed on this commit is not run again. `--again` runs all
of them. The last lines are one summary; the exit status is 1 if a step failed.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
BUILD: Final = ROOT / "build" / "nightly"
# a test takes minutes here: the stacks of one that stands still are printed after an hour
PYTEST: Final = f"{sys.executable} -m pytest -rsP -m nightly -o faulthandler_timeout=3600"
TOGETHER, HANDS = "tests/system/test_together.py", "tests/system/test_hands_long.py"
ENGINES: Final = "tests/engines"
PICO: Final = "tests/devices/test_emulated_*.py tests/devices/test_flash_emulated.py"


class Step(NamedTuple):
    """A command, and the errors that only it finds."""

    name: str
    command: str
    finds: str


STEPS: Final = (
    Step("together", f"{PYTEST} -n 0 {TOGETHER}", "wrong scores and stuck games when faults come together"),
    Step(
        "hands",
        f"{PYTEST} -n 2 {HANDS}",
        "games that stand still because of how people handle cards and pieces",
    ),
    Step("evenings", f"{PYTEST} -n 2 tests/system/test_evenings_*.py", "misread moves, in 500 evenings"),
    Step("engines", f"{PYTEST} -n 0 {ENGINES}", "a page that WebKit, Firefox or an old Chromium cannot show"),
    Step("pico", f"{PYTEST} -n 2 {PICO}", "firmware that only MicroPython on an RP2040 gets wrong"),
    Step(
        "rest",
        f"{PYTEST} -n 4 --dist worksteal --ignore={TOGETHER} --ignore={HANDS} --ignore={ENGINES} "
        "--ignore-glob=*/test_evenings_*.py --ignore-glob=*emulated*.py",
        "what each test says under `Only here`",
    ),
    Step("machine", "make check-machine", "what a driver gets wrong with the kernel under it (root)"),
    Step("coverage", "make coverage", "code that no quick test runs"),
    Step("lowest", "make lowest", "a version in pyproject.toml that is too old"),
    Step("newest", "make newest", "what a newer Python refuses; Debian 13 has 3.13"),
    Step("benchmarks", "make bench-short", "benchmarks that no longer run"),
    Step("audit", "make audit", "packages with known vulnerabilities"),
    Step("mutants", "make mutants", "changes in the program that no test notices"),
    Step("fuzz", "make fuzz", "input that ends in an exception"),
)


class Result(NamedTuple):
    """The result of a step: its exit status, its seconds, the last line that it printed."""

    status: int
    seconds: float
    line: str


def run(step: Step) -> Result:
    """Run a step; its output goes to its log."""
    log = BUILD / f"{step.name}.log"
    began = time.monotonic()
    with log.open("w", encoding="utf-8") as file:
        done = subprocess.run(["sh", "-c", step.command], cwd=ROOT, stdout=file, stderr=subprocess.STDOUT)
    lines = log.read_text("utf-8", "replace").split("\n")
    line = next((line for line in reversed(lines) if line.strip()), "")
    return Result(done.returncode, round(time.monotonic() - began), line)


def load(commit: str) -> dict[str, Result]:
    """Return the results of this commit so far."""
    try:
        found = json.loads((BUILD / "results.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return (
        {name: Result(*result) for name, result in found["results"].items()}
        if found["commit"] == commit
        else {}
    )


def store(commit: str, results: Mapping[str, Result]) -> None:
    """Store the results, so that an interrupted run goes on."""
    (BUILD / "results.json").write_text(json.dumps({"commit": commit, "results": results}, indent=1), "utf-8")


def summary(steps: Sequence[Step], results: Mapping[str, Result]) -> list[str]:
    """Return a line for each step: how it ended, how long it took, and what a failure means."""
    lines = []
    for step in steps:
        result = results[step.name]
        how = "passed" if result.status == 0 else f"FAILED ({result.status})"
        lines.append(f"{step.name:<11} {how:<11} {result.seconds:>6.0f} s  {result.line[:100]}")
        if result.status:
            lines.append(f"{'':<11} it finds {step.finds}; see build/nightly/{step.name}.log")
    return lines


def main(arguments: Sequence[str]) -> int:
    """Run what has not passed yet; arguments name steps, or `--again`."""
    names = [name for name in arguments if not name.startswith("-")]
    if unknown := set(names) - {step.name for step in STEPS}:
        print(f"no such step: {', '.join(unknown)}; there are {', '.join(step.name for step in STEPS)}")
        return 2
    steps = [step for step in STEPS if not names or step.name in names]
    BUILD.mkdir(parents=True, exist_ok=True)
    commit = state_of_the_tree()
    results = {} if "--again" in arguments else load(commit)
    for n, step in enumerate(steps, 1):
        if step.name in results and results[step.name].status == 0:
            print(f"[{n}/{len(steps)}] {step.name}: passed before on this commit")
            continue
        print(f"[{n}/{len(steps)}] {step.name}: {step.finds} ...", flush=True)
        results[step.name] = run(step)
        store(commit, results)
    print(*summary(steps, results), sep="\n")
    return int(any(results[step.name].status for step in steps))


def state_of_the_tree() -> str:
    """Return the commit, with a hash of what differs from it in the working tree."""
    git = ("git", "-C", str(ROOT))
    head = subprocess.run(
        [*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    diff = subprocess.run([*git, "diff", "HEAD"], capture_output=True, check=True).stdout
    return f"{head}+{hashlib.sha256(diff).hexdigest()[:8]}" if diff else head


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
