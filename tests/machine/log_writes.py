"""The log of dm-log-writes, and disks as a power cut may leave them (linux: Documentation/.../log-writes.rst).

The kernel logs a write when a flush has brought it out of the disk's cache, so what is between two flushes was in
the cache together: a cut may have written any part of it, in any order, and of a write only some sectors.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

MAGIC: Final = 0x6A736677736872
_SUPER: Final = struct.Struct("<QQQI")  # magic, version, entries, bytes of a sector
_ENTRY: Final = struct.Struct("<QQQQ")  # sector, sectors, flags, bytes of a mark
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
SECTOR: Final = 512


class Write(NamedTuple):
    """An entry of the log: where and what was written, or the text of a mark."""

    at: int
    data: bytes
    flags: int
    mark: str = ""

    @property
    def is_barrier(self) -> bool:
        """True if all entries before it are on the disk."""
        return bool(self.flags & FLUSH)


def read_log(path: Path) -> Iterator[Write]:
    """Yield the entries of a log."""
    with path.open("rb") as file:
        magic, _, entries, size = _SUPER.unpack(file.read(_SUPER.size))
        assert magic == MAGIC, "this is no log of dm-log-writes"
        file.seek(size)
        for _ in range(entries):
            head = file.read(size)
            sector, sectors, flags, length = _ENTRY.unpack_from(head)
            mark = head[_ENTRY.size :][:length].rstrip(b"\0").decode() if flags & MARK else ""
            has_data = sectors and not flags & (DISCARD | MARK)
            yield Write(sector * size, file.read(sectors * size) if has_data else b"", flags, mark)


def last_barrier(log: Sequence[Write], cut: int) -> int:
    """Return how many of the first `cut` entries were certainly on the disk: those up to the last flush."""
    return next((n for n in range(cut, 0, -1) if log[n - 1].is_barrier), 0)


def cut_disk(path: Path, log: Sequence[Write], cut: int, rng: random.Random) -> None:
    """Bring a disk to a state in which a cut after `cut` entries may leave it: some writes missing, some torn.

    What was written with FUA is there in any case.
    """
    certain = last_barrier(log, cut)
    rest = [one for one in log[certain:cut] if not one.flags & FUA]
    rng.shuffle(rest)
    some = rest[: rng.randint(0, len(rest))]
    with path.open("r+b") as file:
        for one in (*log[:certain], *(one for one in log[certain:cut] if one.flags & FUA)):
            file.seek(one.at)
            file.write(one.data)
        for one in some:
            sectors = [n for n in range(0, len(one.data), SECTOR) if rng.random() < 0.7 or len(some) % 2]
            for n in sectors:
                file.seek(one.at + n)
                file.write(one.data[n : n + SECTOR])
