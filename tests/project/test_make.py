"""The Makefile tells what it does, and what the papers say of it is there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def test_make_help_tells_every_target_in_one_line() -> None:
    """Those that are no files, as they are declared; `make` alone sets up."""
    [declared] = re.findall(r"^\.PHONY: (.*)", MAKEFILE, re.MULTILINE)
    said = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    told = [re.fullmatch(r"make ([a-z-]+) +\w.*", line) for line in said.splitlines()]
    assert sorted(line[1] for line in told if line) == sorted(declared.split())
    assert said.startswith("make setup ")


def test_whatever_people_are_told_to_make_can_be_made() -> None:
    [declared] = re.findall(r"^\.PHONY: (.*)", MAKEFILE, re.MULTILINE)
    for paper in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "companion/locale/README.md"):
        asked = re.findall(r"`make ([a-z-]+)", paper.read_text("utf-8"))
        assert set(asked) <= set(declared.split()), paper.name


def test_the_lower_bounds_are_tried_by_tests_that_exist() -> None:
    """A file that moved would else be found out a week later."""
    [named] = re.findall(r"^LOWEST_TESTS := (.*)", MAKEFILE, re.MULTILINE)
    assert [name for name in named.split() if not (ROOT / name).is_file()] == []
