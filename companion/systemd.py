"""Notifies systemd that the companion is ready and alive: a service of Type=notify, see sd_notify(3)."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable

_READY, _ALIVE = "READY=1", "WATCHDOG=1"
TIMES = 4  # it is told so often within the time after which it would end us: one message may come late


def tell(state: str) -> None:
    """Tell systemd; nothing where it has not started us."""
    where = os.environ.get("NOTIFY_SOCKET")
    if where:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
            # a name that begins with @ is no file
            line.connect("\0" + where[1:] if where.startswith("@") else where)
            line.sendall(state.encode())


def ready() -> None:
    """Whoever comes is served."""
    tell(_READY)


def patience_s() -> float | None:
    """Seconds after which systemd ends us if we do not say that we live; None where it does not look.

    >>> os.environ.get("WATCHDOG_USEC"), patience_s()
    (None, None)
    """
    ours = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    said = os.environ.get("WATCHDOG_USEC", "")
    return int(said) / 1e6 if ours and said.isdecimal() and int(said) else None


class Watchdog:
    """Has a thread say again and again that it lives: `shown` has that thread do something."""

    def __init__(self, shown: Callable[[Callable[[], None]], None]) -> None:
        self._shown = shown
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin; nothing where systemd does not look."""
        patience = patience_s()
        if patience is not None:
            self._thread = threading.Thread(
                target=self._run, args=(patience / TIMES,), name="watchdog", daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """End."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self, every: float) -> None:
        while not self._over.is_set():
            self._shown(lambda: tell(_ALIVE))
            self._over.wait(every)
