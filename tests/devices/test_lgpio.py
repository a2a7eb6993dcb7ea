"""The library lgpio, which changes the working directory of the process that imports it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from companion.devices import lgpio_in_peace

ROOT = Path(__file__).parents[2]
LGPIO = """
import os
os.chdir(os.environ.get("LG_WD", "."))  # so does the real one, 0.2.2, in C
open(".lgd-nfy0", "x")
"""


def test_importing_it_leaves_the_working_directory(tmp_path: Path) -> None:
    """A relative --data still leads to the journal, and the library's pipe is not left there."""
    library, here = tmp_path / "library", tmp_path / "here"
    library.mkdir()
    here.mkdir()
    (library / "lgpio.py").write_text(LGPIO, "utf-8")
    (here / "data").touch()
    program = "import os; from companion.devices import lgpio_in_peace; lgpio_in_peace(); import lgpio; os.stat('data')"
    env = {**os.environ, "PYTHONPATH": f"{ROOT}:{library}"}
    env.pop("LG_WD", None)
    subprocess.run([sys.executable, "-c", program], cwd=here, env=env, check=True)
    assert [path.name for path in here.iterdir()] == ["data"]


def test_without_it_nothing_is_said(tmp_path: Path) -> None:
    """A machine without the library hears of it from the part that needs it."""
    before = os.getcwd()
    lgpio_in_peace()
    assert os.getcwd() == before
