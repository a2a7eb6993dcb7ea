"""Links Debian's bindings for GPIO, SPI and USB readers into an environment, and nothing else of Debian's
Python.

python -m companion.install.bindings

links them into the environment that runs it. With all of the system's packages it would see an old click too.
"""

from __future__ import annotations

import sysconfig
from pathlib import Path

SYSTEM_PACKAGES = Path("/usr/lib/python3/dist-packages")
BINDINGS = (
    *("spidev*", "lgpio.py", "_lgpio*", "RPi", "RPi.GPIO-*", "rpi_lgpio-*", "RPi_*"),
    *("evdev", "evdev-*", "smartcard", "pyscard-*"),
)
"""The contents of Debian's python3-spidev, python3-lgpio, python3-rpi-lgpio and python3-rpi.gpio, and of
python3-evdev and python3-pyscard for readers on USB."""


def link_bindings(packages: Path, system: Path = SYSTEM_PACKAGES) -> list[str]:
    """Link these bindings of the system into an environment, and nothing else of it; return their names."""
    linked = []
    for pattern in BINDINGS:
        for path in sorted(system.glob(pattern)):
            link = packages / path.name
            if not link.exists():
                link.unlink(missing_ok=True)
                link.symlink_to(path)
            linked.append(path.name)
    return linked


if __name__ == "__main__":
    link_bindings(Path(sysconfig.get_path("purelib")))
