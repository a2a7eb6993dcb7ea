"""`companion hub` as a process, for tests of its ports, its workers and its end."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.support.client import PATIENCE_S


def until(true: Callable[[], Any], what: str, patience: float = PATIENCE_S) -> Any:
    """Poll `true` until it returns something true, which is returned; fail after `patience` seconds."""
    end = time.monotonic() + patience
    while not (found := true()):
        assert time.monotonic() < end, what
        time.sleep(0.05)  # other processes notify only their log
    return found


def answer(port: int, path: str = "/", host: str = "127.0.0.1") -> tuple[int, str] | None:
    """Return the status and body of an answer; None while the port is closed."""
    line = HTTPConnection(host, port, timeout=PATIENCE_S)
    try:
        line.request("GET", path, headers={"Host": "localhost"})
        got = line.getresponse()
        return got.status, got.read().decode()
    except OSError:
        return None
    finally:
        line.close()


def workers(pid: int) -> list[int]:
    """Return the processes that the process `pid` started and that run, also its children's."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError, IndexError):
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            if int(parent) == pid and state != "Z":
                found += [int(entry.name), *workers(int(entry.name))]
    return found


def runs(pid: int) -> bool:
    """Return True if this process exists and has not ended."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def is_free(port: int) -> bool:
    """Return True if a server can listen on this port at once, as a hub would."""
    with socket.socket(socket.AF_INET6) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        trial.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        try:
            trial.bind(("::", port))
            trial.listen()
        except OSError:
            return False
    return True


@contextmanager
def running_hub(
    home: Path, port: int, *words: str, files: int | None = None, database: str | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a hub that answers; its output goes to hub.log in `home`. `files`: how many it may open."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    limit = (
        None
        if files is None
        else lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, min(files, hard)))
    )
    address = database or f"sqlite:///{home / 'hub.sqlite'}"
    command = [sys.executable, "-m", "companion", "hub", "--database", address, "--port", str(port), *words]
    with (home / "hub.log").open("ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, preexec_fn=limit)
    try:
        until(
            lambda: process.poll() is not None or answer(port, "/claim"),
            "the hub does not answer",
        )
        assert process.poll() is None, (home / "hub.log").read_text()
        yield process
    finally:
        left = workers(process.pid)
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE_S)
        for pid in left:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
