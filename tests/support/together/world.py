"""The machine under a companion: its clock on the wall, and how long its disk takes (world.c)."""

from __future__ import annotations

import mmap
import os
import struct
import subprocess
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
NS: Final = 1_000_000_000


class World:
    """What a companion that is started with `env` takes for the time of day, and for its disk."""

    def __init__(self, directory: Path) -> None:
        built = directory / "world.so"
        flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
        subprocess.run(["cc", *flags, "-o", built, HERE / "world.c", "-ldl"], check=True)
        shared = directory / "world"
        shared.write_bytes(bytes(16))
        with shared.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), 16)
        self.env = os.environ | {"LD_PRELOAD": str(built), "WORLD": str(shared)}
        self._wrong_s, self._sync_s = 0.0, 0.0

    def jump(self, wrong_s: float) -> None:
        """Set the clock on the wall wrong by so many seconds from now on."""
        self._wrong_s = wrong_s
        self._tell()

    def slow(self, sync_s: float) -> None:
        """Make each sync take so many seconds longer from now on."""
        self._sync_s = sync_s
        self._tell()

    def _tell(self) -> None:
        self._shared[:] = struct.pack("qq", int(self._wrong_s * NS), int(self._sync_s * 1e6))
