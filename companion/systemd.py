"""Notifies systemd that the companion is ready and alive: a service of Type=notify, see sd_notify(3)."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable

_READY, _ALIVE = "READY=1", "WATCHDOG=1"
TIMES = 4  # notifications within systemd's timeout: one message may come late


def notify(state: str) -> None:
    """Notify systemd; do nothing where it has not started us."""
    where = os.environ.get("NOTIFY_SOCKET")
    if where:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
            # a name that begins with @ is an abstract socket
            line.connect("\0" + where[1:] if where.startswith("@") else where)
            line.sendall(state.encode())


def ready() -> None:
    """Notify systemd that clients are served."""
    notify(_READY)


def patience_s() -> float | None:
    """Return the seconds after which systemd kills us without a sign of life; None where it does
    not watch.

    >>> os.environ.get("WATCHDOG_USEC"), patience_s()
    (None, None)
    """
    ours = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1e6 if ours and microseconds.isdecimal() and int(microseconds) else None


class Watchdog:
    """Notifies systemd repeatedly that a thread is alive: `run_in_thread` runs a call in that thread."""

    def __init__(self, run_in_thread: Callable[[Callable[[], None]], None]) -> None:
        self._run_in_thread = run_in_thread
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start; do nothing where systemd does not watch."""
        patience = patience_s()
        if patience is not None:
            self._thread = threading.Thread(
                target=self._run, args=(patience / TIMES,), name="watchdog", daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """Stop."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self, every: float) -> None:
        while not self._over.is_set():
            self._run_in_thread(lambda: notify(_ALIVE))
            self._over.wait(every)
