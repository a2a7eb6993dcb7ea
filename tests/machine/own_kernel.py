"""The kernel of `make check-machine`, and tests that run in a machine with it.

tools/kernel.sh builds it into build/kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.machine import machine
from tests.machine.machine import PROJECT, booted
from tests.support.client import PATIENCE_S

BUILT: Final = PROJECT / "build" / "kernel"
KERNEL: Final = BUILT / "linux"
INSIDE: Final = Path(__file__).with_name("inside")


def missing() -> str | None:
    """Return what is missing here to start a machine with it, in one line; None if nothing is."""
    if not KERNEL.exists():
        return "the kernel is not built: sh tools/kernel.sh"
    return machine.missing(str(KERNEL))


def words(tree: str = "pi") -> dict[str, str]:
    """Return the words for a machine with this kernel; `tree` is its device tree."""
    return {
        "mem": "384M",
        "dtb": str(BUILT / f"{tree}.dtb"),
        "dummy_hcd.num": "3",
        "MODULES": str(BUILT / "spi_chip.ko"),
        "PACKAGES": str(BUILT / "packages"),
    }


def run_inside(
    disk: Path, file: str, tree: str = "pi", plant: Mapping[str, str] | None = None, only: str = ""
) -> tuple[int, str]:
    """Run the tests of a file of inside/ in a new machine; return the exit status and what was printed.

    `tree` is the machine's device tree; `plant` a fault of the program there (machine.planted); `only` the name of one
    test.
    """
    test = f"{INSIDE / file}{'::' * bool(only)}{only}"
    pytest = "pytest -o addopts= -o python_files=inside_*.py --noconftest -p no:cacheprovider -v --color=no -rfE --tb=short"
    with booted(
        disk, f"{pytest} --rootdir={PROJECT} {test}", words(tree) | dict(plant or {}), str(KERNEL)
    ) as running:
        status = int(running.line("ENDED", patience_s=20 * PATIENCE_S))
        return status, "\n".join(running.said)
