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
    files, found = {_identity(path) for path in paths} - {None}, []
    for process in Path("/proc").glob("[0-9]*"):
        if int(process.name) == os.getpid():
            continue
        try:
            if any(_identity(link) in files for link in (process / "fd").iterdir()):
                name = (process / "comm").read_text("utf-8", "replace").strip()
                found.append(Program(name, int(process.name)))
        except OSError:  # another user's, or it has ended
            continue
    return sorted(found)


def _identity(path: Path | str) -> tuple[int, int] | None:
    """Return the device and inode of a file: a container may have another file of the same name."""
    try:
        found = os.stat(path)
    except OSError:  # there is no such file, or the process has closed it
        return None
    return found.st_dev, found.st_ino
