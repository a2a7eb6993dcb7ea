"""Start companions by forking a process that has imported them: half of a start is importing.

From the command line's `main` on, everything is the real companion in a separate process, which can be sent
signals and killed. What a fresh interpreter adds is left to the tests of the command line, which start one.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from subprocess import TimeoutExpired

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["companion.cli", "companion.serving", "companion.web.serve", __name__])


def _for_python() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith("PYTHON")}


_BEFORE = _for_python()


def can_fork() -> bool:
    """Return whether a fork is as good as a fresh interpreter.

    It is not where a test has set `PYTHONPATH` or the like, or where coverage is measured, which follows only
    processes that start an interpreter.
    """
    return "coverage" not in sys.modules and _for_python() == _BEFORE


class Forked:
    """A command of a companion in a separate process, with what `subprocess.Popen` has of it."""

    def __init__(self, module: str, arguments: Sequence[str], log: Path) -> None:
        reading, writing = _CONTEXT.Pipe(duplex=False)
        self._process = _CONTEXT.Process(
            target=_run, args=(module, list(arguments), writing, str(log), dict(os.environ), os.getcwd())
        )
        self._process.start()
        writing.close()
        self.stdout = os.fdopen(os.dup(reading.fileno()), encoding="utf-8")
        reading.close()

    @property
    def pid(self) -> int:
        """Its process number."""
        pid = self._process.pid
        assert pid is not None
        return pid

    def poll(self) -> int | None:
        """Return its exit status; None while it runs."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float) -> int:
        """Return its exit status. Raises subprocess.TimeoutExpired."""
        self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise TimeoutExpired("companion", timeout)
        return status


def _run(
    module: str, arguments: list[str], out: Connection, log: str, environ: Mapping[str, str], directory: str
) -> None:
    """Run `python -m module arguments` in the forked process."""
    os.dup2(out.fileno(), 1)
    out.close()
    written = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.dup2(written, 2)
    os.close(written)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environ)
    time.tzset()
    sys.argv = [module, *arguments]
    if module == "companion":
        from companion.cli import main

        main()
    else:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
