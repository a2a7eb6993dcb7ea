"""Running programs: which of them has a file or a port open."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple


class Program(NamedTuple):
    """A running program: its name, and the number of its process."""

    name: str
    pid: int

    def __str__(self) -> str:
        return f"{self.name}, {self.pid}"


def users(*paths: Path | str) -> list[Program]:
    """Return other programs that have one of these files open, as far as this user may see (proc(5))."""
    files, found = {os.path.realpath(path) for path in paths}, []
    for process in Path("/proc").glob("[0-9]*"):
        if int(process.name) == os.getpid():
            continue
        try:
            if any(os.readlink(link) in files for link in (process / "fd").iterdir()):
                name = (process / "comm").read_text("utf-8", "replace").strip()
                found.append(Program(name, int(process.name)))
        except OSError:  # another user's, or it has ended
            continue
    return sorted(found)
