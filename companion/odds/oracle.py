"""The odds in a process of their own: asked without waiting, the newest position wins."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from companion.games.race import Race
from companion.table import Chance, OddsAre


class Question(NamedTuple):
    """The public view whose chances are wanted."""

    match: int
    seq: int
    race: Race


class Oracle:
    """Asks the odds process and tells its answers; if it ends, there are no odds and the game goes on."""

    def __init__(self, tell: Callable[[OddsAre], None]) -> None:
        self._tell = tell
        self._process = subprocess.Popen(
            [sys.executable, "-m", "companion.odds.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl+C is the companion's business
        )
        self._newest: Question | None = None
        self._changed = threading.Condition()
        self._stopped = False
        self._threads = [
            threading.Thread(target=run, name=name, daemon=True)
            for run, name in ((self._send, "odds-questions"), (self._receive, "odds-answers"))
        ]
        for thread in self._threads:
            thread.start()

    def ask(self, match: int, seq: int, race: Race) -> None:
        """Want the chances at this public position; one that waits is forgotten."""
        with self._changed:
            self._newest = Question(match, seq, race)
            self._changed.notify()

    def stop(self) -> None:
        """End the process."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):  # a question that nobody took
                    pipe.close()

    def _send(self) -> None:
        assert self._process.stdin is not None
        while (question := self._next()) is not None:
            try:
                pickle.dump(question, self._process.stdin)
                self._process.stdin.flush()
            except OSError:
                return

    def _next(self) -> Question | None:
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or self._newest is not None)
            question, self._newest = self._newest, None
            return None if self._stopped else question

    def _receive(self) -> None:
        assert self._process.stdout is not None
        while True:
            try:
                match, seq, chances = pickle.load(self._process.stdout)
            except (EOFError, OSError, pickle.UnpicklingError):
                return
            self._tell(OddsAre(match, seq, tuple(Chance(*chance) for chance in chances)))
