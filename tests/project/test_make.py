"""The Makefile describes its targets, and those in the documentation exist."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def test_make_help_tells_every_target_in_one_line() -> None:
    """It lists the targets that are no files, as they are declared; `make` alone sets up."""
    [declared] = re.findall(r"^\.PHONY: (.*)", MAKEFILE, re.MULTILINE)
    said = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    targets = [re.fullmatch(r"make ([a-z-]+) +\w.*", line) for line in said.splitlines()]
    assert sorted(line[1] for line in targets if line) == sorted(declared.split())
    assert said.startswith("make setup ")


def test_every_documented_target_can_be_made() -> None:
    [declared] = re.findall(r"^\.PHONY: (.*)", MAKEFILE, re.MULTILINE)
    for paper in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "companion/locale/README.md"):
        asked = re.findall(r"`make ([a-z-]+)", paper.read_text("utf-8"))
        assert set(asked) <= set(declared.split()), paper.name


def test_the_lower_bounds_are_tried_by_tests_that_exist() -> None:
    """A file that moved would else be found out a week later."""
    [named] = re.findall(r"^LOWEST_TESTS := (.*)", MAKEFILE, re.MULTILINE)
    assert [name for name in named.split() if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize(
    ("command", "status", "printed", "hint"),
    [
        ("true", 0, "  done in ", ""),
        ("echo raw text; exit 3", 3, "", "Failed: Wheels. Is there a network? ("),
        (
            "echo 'raw text: Temporary failure in name resolution'; exit 1",
            1,
            "",
            "Failed: Wheels. There is no way into the internet: connect this machine and try again",
        ),
        (
            "echo 'raw text: [Errno 28] No space left on device'; exit 1",
            1,
            "",
            "Failed: Wheels. The disk is full: make room and try again. (",
        ),
    ],
)
def test_a_step_of_setting_up_prints_what_it_does_and_what_to_do(
    tmp_path: Path, command: str, status: int, printed: str, hint: str
) -> None:
    """A line before it starts, one when it is done; a failure's own output is in the log, not on the screen."""
    step = ["sh", str(ROOT / "tools" / "step"), "Wheels", "Is there a network?", "sh", "-c", command]
    done = subprocess.run(step, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == status
    assert done.stdout.startswith("Wheels ...\n" + printed)
    assert done.stderr.startswith(hint)
    assert "raw text" not in done.stdout + done.stderr
    assert f"== Wheels\n$ sh -c {command}\n" in (tmp_path / "build" / "setup.log").read_text()


def test_the_makefile_says_what_setting_up_costs() -> None:
    """Time, network and disk, before anything is fetched."""
    for said in re.findall(r'@echo "Setting up .*"', MAKEFILE):
        assert re.search(r"minutes?", said)
        assert re.search(r"\d+ MB from PyPI", said)
        assert "on the disk" in said
    assert MAKEFILE.count('@echo "Setting up ') == 2


def test_tests_see_the_environment_of_a_stranger() -> None:
    """Variables of Python that a development machine sets reach no command of the Makefile."""
    asked = ["make", "--no-print-directory", "--eval", "shown: ; @env", "shown"]
    said = subprocess.run(
        asked,
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"},
    ).stdout
    found = [line for line in said.splitlines() if line.startswith("PYTHON")]
    assert [
        line for line in found if not line.startswith("PYTHON=")
    ] == []  # which Python make was asked to use
