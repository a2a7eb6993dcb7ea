"""Lines about work that takes a while: what is done now, and on a terminal how long it has taken."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Final, Self

import click

FIRST_S: Final = 3.0  # seconds before the first "… 3 s": most steps are over by then


class Waiting:
    """Prints a line for each step; while one takes long, a terminal shows its seconds below."""

    def __init__(self, first_s: float = FIRST_S) -> None:
        self._first_s = first_s
        self._is_over = threading.Event()
        self._thread: threading.Thread | None = None

    def __call__(self, text: str) -> None:
        """Print the next step."""
        self._end_step()
        click.echo(text)
        if sys.stdout.isatty():
            self._is_over = threading.Event()
            self._thread = threading.Thread(target=self._tick, args=(self._is_over,), daemon=True)
            self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._end_step()

    def _end_step(self) -> None:
        self._is_over.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _tick(self, is_over: threading.Event) -> None:
        began, wait, shown = time.monotonic(), self._first_s, False
        while not is_over.wait(wait):
            shown, wait = True, 1.0
            sys.stdout.write(f"\r  … {time.monotonic() - began:.0f} s ")
            sys.stdout.flush()
        if shown:
            sys.stdout.write("\r\033[K")
            sys.stdout.flush()
