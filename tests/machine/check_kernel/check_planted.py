"""Faults planted in the drivers, one at a time: the tests of inside/ find each of them.

make check-machine

A journal without fsync is the fifth; tests/machine/test_torn_sectors.py finds it.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.machine.machine import disk, planted
from tests.machine.own_kernel import missing, run_inside


class Fault(NamedTuple):
    """A fault: the driver, the lines, what is there in their place, and the test that finds it."""

    file: str
    old: str
    new: str
    inside: str
    test: str


RESET_LOW = "gpio.output(self.reset_pin, 0)\n            gpio.output(self.reset_pin, 1)"
RESET_HIGH = "gpio.output(self.reset_pin, 1)\n            gpio.output(self.reset_pin, 0)"
CONSTRUCTED = "super().__init__(bus, device, SPEED_HZ, BCM, reset)"
EDGE, OTHER_EDGE = "else now, not level)", "else now, bool(level))"
EXCLUSIVE = "fcntl.ioctl(number, termios.TIOCEXCL)"
FAULTS = {
    "reset line inverted": Fault(
        "companion/devices/pad.py", RESET_LOW, RESET_HIGH, "inside_pad.py", "test_several_cards"
    ),
    "chip select held": Fault(
        "companion/devices/pad.py", CONSTRUCTED, f"{CONSTRUCTED}; self.spi.cshigh = True", "inside_pad.py",
        "test_several_cards",
    ),
    "wrong edge": Fault(
        "companion/devices/panel.py", EDGE, OTHER_EDGE, "inside_panel.py", "test_a_press_counts_once[short]"
    ),
    "port opened without exclusive access": Fault(
        "companion/devices/exclusive.py", EXCLUSIVE, "termios.tcgetattr(number)", "inside_track.py",
        "test_a_program_that_probes_the_port",
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def kernel() -> None:
    if why := missing():
        pytest.exit(f"nothing was checked: {why}", returncode=1)


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name: str, tmp_path: Path) -> None:
    """The test fails in a machine whose driver has the fault."""
    fault = FAULTS[name]
    plant = planted(fault.file, fault.old, fault.new)
    status, said = run_inside(disk(tmp_path / "data.ext4"), fault.inside, plant=plant, only=fault.test)
    assert "NOT PLANTED" not in said
    assert status == 1, said
    assert fault.test in said.rpartition("short test summary info")[2], said
