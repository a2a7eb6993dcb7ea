"""The game in CONTRIBUTING.md, pasted into a checkout, satisfies the lint of this project as it is written there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tools import prose

ROOT = Path(__file__).parents[2]
[GAME] = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.DOTALL)
FILE = "companion/games/pond_hop.py"


def ruff(*arguments: str) -> str:
    """Return what ruff says to the game, as if it were in its file; empty if it has nothing to say."""
    command = [sys.executable, "-m", "ruff", *arguments, "--quiet", "--stdin-filename", FILE, "-"]
    done = subprocess.run(command, cwd=ROOT, input=GAME, capture_output=True, text=True)
    said: str = done.stdout
    return said


def test_ruff_has_nothing_to_say() -> None:
    assert ruff("check") == ""
    assert ruff("format") == GAME


def test_its_prose_is_ours() -> None:
    assert list(prose.faults_of_module(FILE, GAME)) == []
