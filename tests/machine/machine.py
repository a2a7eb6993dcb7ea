"""A whole machine with a real Linux kernel: Debian's User-Mode Linux, a kernel that runs as a program.

It needs no hypervisor and no root disk: its root is this machine's, read-only, and its data are on an ext4 disk
in a file. Its console comes here line by line. What differs from a Pi: one processor, x86-64, no timing,
no driver of a Raspberry Pi (docs/machine.md).
"""

from __future__ import annotations

import os
import queue
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, Final

from tests.support.client import PATIENCE_S

PROJECT: Final = Path(__file__).parents[2]
KERNEL: Final = "linux.uml"
BOOT: Final = Path(__file__).with_name("boot.sh")
SHARED: Final = "/dev/shm"
"""A file system in memory that may hold programs: where the kernel keeps the machine's memory."""
_WORD: Final = "it-starts"


@cache
def missing(kernel: str = KERNEL) -> str | None:
    """Return what is missing here to start a machine with this kernel, in one line; None if nothing is."""
    if not shutil.which(kernel):
        return "Debian's kernel that runs as a program is not installed: apt install user-mode-linux"
    if not shutil.which("mke2fs"):
        return "mke2fs is not installed: apt install e2fsprogs"
    if os.geteuid() != 0:
        return "only root can mount the disk of the modelled machine"
    trial = _kernel({}, f"init={shutil.which('echo')}", "--", _WORD, kernel=kernel)
    try:
        said, _ = trial.communicate(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        os.killpg(trial.pid, signal.SIGKILL)
        said, _ = trial.communicate()
    return (
        None if _WORD in said else f"{kernel} does not start here (it needs ptrace): {said.strip()[-100:]!r}"
    )


def _kernel(words: Mapping[str, str], *more: str, kernel: str = KERNEL) -> subprocess.Popen[str]:
    """Start the kernel with these words on its command line; its console is the standard output."""
    command = [
        kernel, "rootfstype=hostfs", "rootflags=/", "ro", "quiet", "loglevel=4", "con=null", "con0=null,fd:1",
        "ssl=null", *(f"{name}={value}" for name, value in words.items()), *more,
    ]  # fmt: skip
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        env={"PATH": os.environ["PATH"], "TMPDIR": SHARED, "HOME": SHARED},
    )


def disk(path: Path, megabytes: int = 64) -> Path:
    """Make a file with an empty ext4 file system, and return it."""
    with path.open("wb") as file:
        file.truncate(megabytes << 20)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-F", str(path)], check=True)
    return path


def planted(file: str, old: str, new: str) -> dict[str, str]:
    """Return the word for a machine in which a file of the project has a fault: `new` in place of `old`."""
    text = (PROJECT / file).read_text("utf-8")
    assert old in text, f"{file} has no {old!r}: plant the fault elsewhere"
    copy = (
        PROJECT / "build" / "planted" / file.replace("/", "-")
    )  # the machine sees no temporary file of this one
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(text.replace(old, new), "utf-8")
    return {"PLANT": f"{copy},{file}"}


def module(name: str) -> Path:
    """Return a module of Debian's ready-made kernel."""
    return next(Path("/usr/lib/uml/modules").glob(f"*/kernel/**/{name}.ko"))


class Machine:
    """A machine that runs; its console is read line by line."""

    def __init__(self, process: subprocess.Popen[str], disk: Path) -> None:
        self._process, self._disk = process, disk
        self.said: list[str] = []
        """All lines of the console that were read so far."""
        self._lines: queue.Queue[str | None] = queue.Queue()
        assert process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(process.stdout,))
        self._reader.start()

    def _read(self, console: IO[str]) -> None:
        for line in console:
            self._lines.put(line.rstrip())
        self._lines.put(None)

    def line(self, begins: str, patience_s: float = 4 * PATIENCE_S) -> str:
        """Return the rest of the next line that begins so; AssertionError shows the console if none comes."""
        end = time.monotonic() + patience_s
        while (left := end - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                break
            if line is None:
                break
            self.said.append(line)
            if line.startswith(begins):
                return line.removeprefix(begins).strip()
        state = self._process.poll()
        raise AssertionError(f"no line begins with {begins} ({state}):\n" + "\n".join(self.said[-40:]))

    def cut(self) -> None:
        """Cut the power: the kernel and everything in it is gone at once; what it said is read to the end."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        for process in users(self._disk):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._process.wait()
        self._reader.join()
        with suppress(queue.Empty):
            while True:
                if (line := self._lines.get_nowait()) is not None:
                    self.said.append(line)

    def lines(self, begins: str) -> list[str]:
        """Return the rests of the whole lines that began so, of those that were read."""
        return [line.removeprefix(begins).strip() for line in self.said if line.startswith(begins)]


def users(disk: Path) -> Iterator[int]:
    """Yield the processes that have this file open."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if any(Path(one).resolve() == disk for one in (process / "fd").iterdir()):
                yield int(process.name)


def machine(disk: Path, run: str, memory: str = "256M") -> AbstractContextManager[Machine]:
    """Return a machine with this disk that runs a program of this folder, such as `player greyhounds`."""
    return booted(disk, f"tests.machine.{run}", {"mem": memory})


@contextmanager
def booted(disk: Path, run: str, words: Mapping[str, str], kernel: str = KERNEL) -> Iterator[Machine]:
    """Yield a machine with this disk that runs a module of Python, with more words on the kernel's command line."""
    said = {"ubd1": str(disk), "PROJECT": str(PROJECT), "RUN": run.replace(" ", ","), **words}
    process = _kernel(said, "init=/bin/sh", "--", str(BOOT), kernel=kernel)
    running = Machine(process, disk.resolve())
    try:
        yield running
    finally:
        running.cut()
        assert process.stdout is not None
        process.stdout.close()
