"""Programs under measurement: started as separate processes, asked over HTTP, measured through /proc."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PIN = "2468"


class Running:
    """A server in its own process, on a port of this machine that it has printed."""

    def __init__(self, *command: str, wrapper: Sequence[str] = ()) -> None:
        """Start Python with this command; `wrapper` is a program that executes the words that follow it."""
        self.spawned = time.perf_counter()
        self.process = subprocess.Popen(
            [*wrapper, sys.executable, *command],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            env=_environment(),
        )
        assert self.process.stdout is not None
        found = re.search(r"http://localhost:(\d+)/", self.process.stdout.readline())
        if found is None:
            raise RuntimeError(f"{' '.join(command)} has not said where it serves")
        self.port = int(found[1])
        self.url = f"http://localhost:{self.port}"
        self.cookie = ""

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Return the JSON answer to a request; RuntimeError if it is rejected."""
        connection = HTTPConnection("localhost", self.port, timeout=10)
        headers = {"Origin": self.url, "Content-Type": "application/json", "Cookie": self.cookie}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
        self.cookie = (answer.getheader("Set-Cookie") or self.cookie).partition(";")[0]
        connection.close()
        if answer.status != 200:
            raise RuntimeError(f"{method} {path}: {answer.status} {text!r}")
        return json.loads(text)

    def children(self) -> dict[str, int]:
        """Return the processes that this one has started: module name to process id."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return {_module(int(pid)): int(pid) for pid in listed}

    def stop(self) -> None:
        """Stop it, and wait until it has ended."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


def _environment() -> dict[str, str]:
    """Return the environment of a program: its bytecode may be written, as at an installation."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {
        "PYTHONPATH": str(ROOT)
    }


def _module(pid: int) -> str:
    arguments = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    return arguments[arguments.index("-m") + 1] if "-m" in arguments else arguments[0]


@contextmanager
def running(*command: str, wrapper: Sequence[str] = ()) -> Iterator[Running]:
    """Run a server as long as the block lasts."""
    server = Running(*command, wrapper=wrapper)
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def companion(*options: str, program: str = "companion", wrapper: Sequence[str] = ()) -> Iterator[Running]:
    """Run `companion run` with a new journal; `program` is a module that replaces the companion."""
    command = ("-m", program, "run", "--port", "0")
    with (
        tempfile.TemporaryDirectory(prefix="companion-bench-") as data,
        running(*command, "--data", data, *options, wrapper=wrapper) as server,
    ):
        yield server


def begin(server: Running, rounds: int = 3) -> int:
    """Become host and start Galloping Pigs for four; return the journal's entry number."""
    server.ask("POST", "/api/unlock", {"pin": PIN, "role": "host"})
    if (table := server.ask("GET", "/api/table"))["match"] is not None:
        server.ask("POST", "/api/end", {"seq": table["seq"]})
    match = {"game": "galloping-pigs", "seats": ["Ada", "Ben", "Cleo", "Dev"], "options": {"rounds": rounds}}
    seq: int = server.ask("POST", "/api/matches", match)["seq"]
    return seq


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process has used, all its threads."""
    used = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")


def run_seconds(pid: int) -> float:
    """Return the CPU time of the live threads of a process, to the nanosecond."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def resident_mb(pid: int) -> float:
    """Return the memory of a process that is in RAM, in MB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024
