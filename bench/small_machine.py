"""A model of a small machine: Linux control groups limit CPU and memory, and each fsync waits.

Each process of the companion gets a core of its own, as on a Pi with four; a core is a share of one here.
The shares are a model: about what published single-core scores of these boards, set against those of rented
server cores, give. None was measured by us. Slow memory, small caches and heat are left out, and of a memory
card all but its fsync.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.running import Running, companion

CGROUPS = Path("/sys/fs/cgroup")
PERIOD_US = 10_000  # short, so that a stop is short too: Linux stops a group that has used up its share
SOURCE = Path(__file__).with_name("slow_disk.c")


class Model(NamedTuple):
    """A board: the share of a core here that one of its cores is, MB for the companion, ms for an fsync."""

    name: str
    share: float
    memory_mb: int
    fsync_ms: float


ZERO2 = Model("Pi Zero 2 W", 0.12, 380, 12.0)
PI3 = Model("Pi 3B+", 0.20, 850, 12.0)
PI4 = Model("Pi 4", 0.45, 1800, 8.0)
PI5 = Model("Pi 5", 0.80, 3600, 5.0)


class CannotLimit(Exception):
    """Control groups cannot be written here."""


class Group:
    """A control group; both versions of Linux's interface are supported.

    A group inside of another one is limited by both. Raises CannotLimit where none can be made.
    """

    def __init__(self, name: str, around: Group | None = None) -> None:
        self.is_unified = (CGROUPS / "cgroup.controllers").exists()
        roots = [CGROUPS] if self.is_unified else [CGROUPS / "cpu", CGROUPS / "memory"]
        self.folders: list[Path] = [root / name for root in (around.folders if around else roots)]
        try:
            for folder in self.folders:
                if self.is_unified:
                    (folder.parent / "cgroup.subtree_control").write_text("+cpu +memory")
                folder.mkdir()
        except OSError as error:
            raise CannotLimit(f"no control group can be made: {error}; run it on Linux, as root") from None

    def limit_cpu(self, share: float) -> None:
        """Limit its processes together to this share of a core."""
        quota = int(PERIOD_US * share)
        if self.is_unified:
            self._write("cpu.max", f"{quota} {PERIOD_US}")
        else:
            self._write("cpu.cfs_period_us", str(PERIOD_US))
            self._write("cpu.cfs_quota_us", str(quota))

    def go_first(self) -> None:
        """Give its processes what their shares allow before all other work on this machine."""
        self._write(*(("cpu.weight", "10000") if self.is_unified else ("cpu.shares", "262144")))

    def limit_memory(self, megabytes: int) -> None:
        """Limit the memory of its processes together; where it is not enough, the kernel ends one of them."""
        self._write("memory.max" if self.is_unified else "memory.limit_in_bytes", str(megabytes << 20))

    def _write(self, file: str, value: str) -> None:
        for folder in self.folders:
            if (folder / file).exists():
                (folder / file).write_text(value)

    def members(self) -> list[Path]:
        """Return the files that take the numbers of processes."""
        return [folder / "cgroup.procs" for folder in self.folders]

    def add(self, pid: int) -> None:
        """Move a process and its threads into it; one that has ended is left out."""
        for file in self.members():
            with contextlib.suppress(ProcessLookupError):
                file.write_text(str(pid))

    def remove(self) -> None:
        """Remove it as soon as its processes have ended."""
        for file in self.members():
            for _ in range(500):
                if not file.read_text().strip():
                    break
                time.sleep(0.02)
            file.parent.rmdir()


class Bed:
    """Starts companions that run on a model of a board, until `close`."""

    def __init__(self, model: Model | None) -> None:
        self._model = model
        self._stack = contextlib.ExitStack()
        self._made = 0
        self._library: str | None = None
        if model is not None:
            self._whole = Group(f"companion-bench-{os.getpid()}")
            self._stack.callback(self._whole.remove)
            self._whole.limit_memory(model.memory_mb)
            self._whole.go_first()  # other work is no part of the model
            folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-bench-")))
            self._library = _slow_disk(folder)

    @property
    def disk(self) -> str:
        """Describe the modelled disk."""
        if self._model is None or self._library is None:
            return "this machine's disk"
        return f"each fsync takes {self._model.fsync_ms:.0f} ms more"

    def close(self) -> None:
        """Remove what it has made."""
        self._stack.close()

    @contextlib.contextmanager
    def companion(self, *options: str) -> Iterator[Running]:
        """Run a companion on the model; each of its processes has a core of its own."""
        if self._model is None:
            with companion(*options) as server:
                yield server
            return
        ended, cores = threading.Event(), [self._core()]
        mover = threading.Thread(target=self._spread, args=(cores, ended))
        mover.start()  # before the server: its start is measured too
        try:
            with companion(*options, wrapper=self._wrapper(cores[0])) as server:
                yield server
        finally:
            ended.set()
            mover.join()
            for core in cores:
                core.remove()

    def _core(self) -> Group:
        assert self._model is not None
        self._made += 1
        core = Group(f"core-{self._made}", self._whole)
        core.limit_cpu(self._model.share)
        return core

    def _spread(self, cores: list[Group], ended: threading.Event) -> None:
        """Move each process that the server starts to another core: the server is the first on the first."""
        server = ""
        while not ended.wait(0.02):
            for pid in cores[0].members()[0].read_text().split():
                server = server or pid
                if pid != server:
                    cores.append(self._core())
                    cores[-1].add(int(pid))

    def _wrapper(self, group: Group) -> list[str]:
        """Return a command that enters the group and executes the words that follow."""
        enter = "; ".join(f"echo $$ > {file}" for file in group.members())
        slow = ["env"]
        if self._model is not None and self._library is not None:
            slow += [f"LD_PRELOAD={self._library}", f"BENCH_FSYNC_US={int(1000 * self._model.fsync_ms)}"]
        return ["sh", "-c", f'{enter}; exec "$@"', "sh", *slow]


def pids_below(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    found: list[int] = []
    with contextlib.suppress(OSError):  # it has ended
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += [int(child) for child in (task / "children").read_text().split()]
    return found


def _slow_disk(folder: Path) -> str | None:
    """Return the library that makes fsync slow, compiled; None where there is no compiler."""
    if shutil.which("cc") is None:
        return None
    library = folder / "slow_disk.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"], check=True)
    return str(library)
