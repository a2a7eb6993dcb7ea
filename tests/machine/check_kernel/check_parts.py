"""The parts of a table, each through the kernel's own driver of its bus: the tests of inside/, in a machine of their own.

make check-machine
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.machine.machine import disk
from tests.machine.own_kernel import INSIDE, missing, run_inside

TREES = {"inside_no_spi.py": "pi-without-spi"}
FILES = sorted(file.name for file in INSIDE.glob("inside_*.py"))


@pytest.fixture(autouse=True)
def kernel() -> None:
    if why := missing():
        pytest.exit(f"nothing was checked: {why}", returncode=1)


@pytest.mark.parametrize("file", FILES)
def test_inside(file: str, tmp_path: Path) -> None:
    """Each test of the file passes in the machine."""
    status, said = run_inside(disk(tmp_path / "data.ext4"), file, TREES.get(file, "pi"))
    print(said)
    assert status == 0, said
