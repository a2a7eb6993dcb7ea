"""The floor of `make coverage` may only rise."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

HOME = Path(__file__).parents[2]
FLOOR = r"^\+fail_under = ([\d.]+)"


def test_the_floor_has_never_been_lowered() -> None:
    """That holds for all versions of pyproject.toml that git knows here, and for the one in the checkout."""
    log = ["git", "log", "--reverse", "--format=", "--patch", "-G^fail_under", "--", "pyproject.toml"]
    said = subprocess.run(log, cwd=HOME, capture_output=True, text=True, check=False).stdout
    now = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["tool"]["coverage"]["report"][
        "fail_under"
    ]
    floors = [*map(float, re.findall(FLOOR, said, re.MULTILINE)), float(now)]
    assert floors == sorted(floors)
