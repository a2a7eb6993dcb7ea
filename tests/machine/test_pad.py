"""The card pad through the kernel: mfrc522 and the extension `spidev` as on a Pi, on /dev/spidev0.0 by CUSE.

Only here: what the drivers ask of spidev goes through a kernel, not to a stand-in for the module. `make check-machine` has
the pins too.
"""

from __future__ import annotations

import json
import sysconfig
from contextlib import suppress
from pathlib import Path

import pytest

from tests.machine.machine import PROJECT, booted, disk, missing, module

pytestmark = pytest.mark.long
SPIDEV = Path("/usr/lib/python3/dist-packages") / f"spidev{sysconfig.get_config_var('EXT_SUFFIX')}"


@pytest.fixture(autouse=True)
def kernel() -> None:
    if why := missing():
        pytest.skip(why)
    if not SPIDEV.exists():
        pytest.skip("the extension spidev for this Python is not installed: apt install python3-spidev")


def test_cards_through_the_kernels_spidev(tmp_path: Path) -> None:
    """Cards are read and played; a chip that falls silent is reported, and one that is stuck is reset."""
    packages = PROJECT / "build" / "spidev"  # the machine sees no temporary file of this one
    packages.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        (packages / SPIDEV.name).symlink_to(SPIDEV)
    words = {
        "mem": "256M",
        "MODULES": ",".join(str(module(name)) for name in ("fuse", "cuse")),
        "PACKAGES": f"{packages}:{PROJECT / 'tests/machine/reset_pin'}",
    }
    with booted(disk(tmp_path / "data.ext4"), "tests.machine.pad", words) as running:
        assert running.line("ENDED") == "0", "\n".join(running.said)
    said = [json.loads(tags) for tags in running.lines("READ")]
    both, small = ["04A1B2C3D4E5F6", "11223344"], ["11223344"]
    assert said == [both[:1], both, [], small, small]
    assert "check its seven wires" in running.lines("SILENT")[0]
    assert int(running.lines("RESTARTS")[0]) >= 1
    assert int(running.lines("PLAYED")[0]) >= 1
