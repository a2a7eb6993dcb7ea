"""Several tables on one machine: a supervisor of their companions, each with its directory and its port.

Each is a process, as it would be on its own Pi: one that ends is restarted and goes on with its game, and the
others are not affected.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import click

from companion.cli.common import say
from companion.message import N_

MOST: Final = 99
FIRST_S: Final = 1.0  # until the first restart
LONGEST_S: Final = 60.0
STEADY_S: Final = 60.0  # after so long a run the pauses start again with the first
STOP_S: Final = 20.0  # seconds for a companion to end


class Place(NamedTuple):
    """One of the tables: its name, and its command."""

    name: str
    command: Sequence[str]


def places(count: int, data: Path, port: int, options: Sequence[str]) -> list[Place]:
    """Return `count` tables: directories `table-1` and so on in `data`, ports from `port` on, 0 for any."""
    return [
        Place(
            f"table-{number}",
            [
                *(sys.executable, "-m", "companion", "run", "--table", str(number)),
                *("--data", str(data / f"table-{number}"), "--port", str(port and port + number - 1)),
                *options,
            ],
        )
        for number in range(1, count + 1)
    ]


class Tables:
    """Runs a companion at each place until `stop`.

    `on_line` gets each line that one prints, after the name of its place; `on_restart` is called when it has
    ended with a status and is restarted. Both are called from a thread of each place.
    """

    def __init__(
        self,
        places: Sequence[Place],
        on_line: Callable[[str, str], None],
        on_restart: Callable[[str, int], None],
    ) -> None:
        self._on_line, self._on_restart = on_line, on_restart
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._running: dict[str, subprocess.Popen[str]] = {}
        self._threads = [
            threading.Thread(target=self._supervise, args=(place,), name=place.name) for place in places
        ]

    def start(self) -> None:
        """Start all of them, at once."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Terminate all of them, and wait until they have ended."""
        with self._lock:
            self._ended.set()
            for running in self._running.values():
                running.terminate()
        until = time.monotonic() + STOP_S
        for thread in self._threads:
            thread.join(max(until - time.monotonic(), 0))
        with self._lock:
            for running in self._running.values():
                running.kill()
        for thread in self._threads:
            thread.join()

    def _supervise(self, place: Place) -> None:
        pause = FIRST_S
        while True:
            began = time.monotonic()
            with self._lock:
                if self._ended.is_set():
                    return
                running = self._running[place.name] = _started(place)
            status = self._listen(place, running)
            with self._lock:
                del self._running[place.name]
            pause = FIRST_S if time.monotonic() - began > STEADY_S else min(2 * pause, LONGEST_S)
            if self._ended.wait(pause):  # Ctrl+C ends all of them at once
                return
            self._on_restart(place.name, status)

    def _listen(self, place: Place, running: subprocess.Popen[str]) -> int:
        assert running.stdout is not None
        with running.stdout:
            for line in running.stdout:
                self._on_line(place.name, line.rstrip("\n"))
        return running.wait()


def _started(place: Place) -> subprocess.Popen[str]:
    return subprocess.Popen(
        place.command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )


def keep_running(places: Sequence[Place]) -> None:
    """Run a companion at each place until Ctrl+C, and print what each prints."""
    from companion.web.serve import outlives_the_terminal

    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    tables = Tables(
        places,
        lambda name, line: click.echo(f"{name}: {line}"),
        lambda name, status: say(
            N_("{table}: ended with status {status}; it is started again"), table=name, status=status
        ),
    )
    with outlives_the_terminal():
        say(N_("Ctrl+C ends all tables; what was confirmed is kept."))
        tables.start()
        ended.wait()
        tables.stop()
