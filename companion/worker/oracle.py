"""The client of the odds process: requests do not wait, and the newest request of a kind wins."""

from __future__ import annotations

import logging
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from companion.games.race import Race
from companion.games.terms import Decision
from companion.message import N_, Sentence
from companion.odds.styles import Belief
from companion.table.messages import Chosen, LuckIs, NoOdds, OddsAgain, OddsAre, OddsWere

if TYPE_CHECKING:
    import subprocess

TRIES = 3  # a process that ends so often, each time within SOON, is restarted only after a pause
MEMORY: Final = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": str(256 * 1024)}
"""Settings of glibc, mallopt(3): large arrays go back to the system when they are freed. They save 12 MB."""
SOON = 60.0  # seconds
PAUSE = 1.0  # seconds before the next try, twice as long after each
MOST_PAUSE = 30.0  # seconds
BEAT = 1.0  # seconds between two heartbeats of the process
SILENT = 10.0  # seconds without a heartbeat after which it is ended
STEADY = 3  # heartbeats after which it works again
STARTING = 60.0  # seconds that it may take to its first one: a slow card, a busy machine

log = logging.getLogger(__name__)


class Question(NamedTuple):
    """A request for the chances at a public view, with the present belief about the seats."""

    match: int
    seq: int
    race: Race
    belief: Belief = ()


class Choice(NamedTuple):
    """A request for a bot's decision: the view of its seat, the seed of its thoughts, and the public belief
    about the seats.
    """

    match: int
    seq: int
    race: Race
    seat: int
    bot: str
    seed: int
    belief: Belief = ()


class Game(NamedTuple):
    """A finished game to analyse."""

    match: int
    seq: int
    opening: Race
    decisions: tuple[Decision, ...]


class Review(NamedTuple):
    """A request for the odds of a match that is over: its public views, each with its entry and the belief
    about the seats at that time.
    """

    match: int
    seq: int
    views: tuple[tuple[int, Race, Belief], ...]


Request = Choice | Question | Game | Review
Answer = OddsAre | OddsWere | NoOdds | OddsAgain | Chosen | LuckIs
_FIRST: Final = (Choice, Question, Game, Review)
"""The order of sending: a game waits for its players, nothing waits for a review."""


def missing() -> Sentence | None:
    """Return why there can be no odds on this machine; None if there can."""
    return None if find_spec("numpy") else Sentence(_NO_NUMPY)


class Oracle:
    """Sends requests to the odds process and passes its answers on, which are messages to the table.

    If the process ends unexpectedly, or is silent for too long, it is restarted and gets the last requests
    again. If that happens again and again it is reported that there are no odds for now; the game goes on,
    and the process is started after longer and longer pauses.
    """

    def __init__(
        self, publish: Callable[[Answer], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._publish, self._clock = publish, clock
        self._pending: dict[type, Any] = {}  # by kind: a newer one replaces one that waits
        self._last_requests: dict[type, Any] = {}
        self._changed = threading.Condition()
        self._stopped = False
        self._process: subprocess.Popen[bytes] | None = None
        self._heard = 0  # messages of this process, its heartbeats too
        self._is_reported = False  # that there are no odds for now
        self._start()  # here, so that it starts while the companion does
        self._threads = [
            threading.Thread(target=run, name=name, daemon=True)
            for run, name in (
                (self._send, "odds-questions"),
                (self._receive, "odds-answers"),
                (self._watch, "odds-watch"),
            )
        ]
        for thread in self._threads:
            thread.start()

    def _start(self) -> subprocess.Popen[bytes] | None:
        """Start a process with the last requests of the one before; None if that fails or is not wanted."""
        import subprocess  # only here: the process itself loads this module for the kinds of request

        with self._changed:
            if self._stopped:
                return None
            self._heard = 0
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "companion.worker.process"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    start_new_session=True,  # so that Ctrl+C reaches the companion only
                    env=MEMORY | os.environ,
                )
            except OSError as error:  # such as no memory
                log.warning("the odds process cannot be started: %s", error)
                return None
            self._pending = self._last_requests | self._pending
            self._changed.notify_all()
            return self._process

    def ask(self, match: int, seq: int, race: Race, belief: Belief = ()) -> None:
        """Request the chances at this public position, with this belief about the seats."""
        self._request(Question(match, seq, race, belief))

    def choose(
        self, match: int, seq: int, race: Race, seat: int, bot: str, seed: int, belief: Belief = ()
    ) -> None:
        """Request a bot's decision for this seat, from its own view and the belief about all seats."""
        self._request(Choice(match, seq, race, seat, bot, seed, belief))

    def explain(self, match: int, seq: int, opening: Race, decisions: Sequence[Decision]) -> None:
        """Request the analysis of luck and choice in this finished game."""
        self._request(Game(match, seq, opening, tuple(decisions)))

    def review(self, match: int, seq: int, views: Sequence[tuple[int, Race, Belief]]) -> None:
        """Request the chances at all these public positions of a match that is over at entry `seq`."""
        self._request(Review(match, seq, tuple(views)))

    def _request(self, question: Request) -> None:
        with self._changed:
            self._pending[type(question)] = question
            self._changed.notify_all()

    def stop(self) -> None:
        """Stop the process."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
            process = self._process
            if process is not None:
                process.kill()
        for thread in self._threads:
            thread.join()
        if process is not None:
            _clean_up(process)

    # --- requests --------------------------------------------------------------------------------

    def _send(self) -> None:
        while (found := self._next()) is not None:
            question, pipe = found
            assert pipe is not None
            with suppress(OSError, ValueError):  # it has ended: the receiving thread restarts it
                pickle.dump(question, pipe)
                pipe.flush()

    def _next(self) -> tuple[Request, IO[bytes] | None] | None:
        """Wait for a request and a process; return the request and the pipe to it, None once stopped."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or (self._pending and self._process is not None))
            if self._stopped or self._process is None:
                return None
            kind = next(kind for kind in _FIRST if kind in self._pending)
            question: Request = self._pending.pop(kind)
            self._last_requests[kind] = question
            return question, self._process.stdin

    # --- answers ---------------------------------------------------------------------------------

    def _receive(self) -> None:
        """Pass the answers on, and start a new process whenever one has ended, until the oracle stops."""
        process, began, quick = self._process, self._clock(), 0
        while True:
            if process is not None:
                self._receive_from(process)
            if not self._ended(process):
                return
            quick = quick + 1 if self._clock() - began < SOON else 1
            pause = 0.0
            if quick >= TRIES:
                self._report(Sentence(_KEEPS_ENDING))
                pause = min(PAUSE * 2.0 ** (quick - TRIES), MOST_PAUSE)
            with self._changed:
                self._changed.wait_for(lambda: self._stopped, pause)
            process, began = self._start(), self._clock()

    def _receive_from(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        while True:
            try:
                answer: Answer | None = pickle.load(process.stdout)
            except (EOFError, OSError, pickle.UnpicklingError):
                return
            self._heard += 1
            if answer is not None or self._heard >= STEADY:
                self._report_again()
            if answer is not None:
                self._publish(answer)

    def _ended(self, process: subprocess.Popen[bytes] | None) -> bool:
        """Return False if the oracle is stopped; else clean up, for a new process."""
        with self._changed:
            if self._stopped:
                return False
            self._process = None
        if process is not None:
            process.kill()  # it may have closed its output only
            _clean_up(process)
            log.warning("the odds process has ended with status %s, and is started again", process.returncode)
        return True

    def _report(self, why: Sentence) -> None:
        """Report once that there are no odds for now."""
        with self._changed:
            was, self._is_reported = self._is_reported, True
        if not was:
            self._publish(NoOdds(why, for_now=True))

    def _report_again(self) -> None:
        """Report that there are odds again, if it was reported that there are none."""
        with self._changed:
            was, self._is_reported = self._is_reported, False
        if was:
            self._publish(OddsAgain())

    # --- silence ---------------------------------------------------------------------------------

    def _watch(self) -> None:
        """End a process that is silent for too long: one that was stopped by a signal, or hangs.

        Seconds are counted one by one: if this machine sleeps meanwhile, that is no silence.
        """
        last, silent = (self._process, 0), 0
        while True:
            with self._changed:
                if self._changed.wait_for(lambda: self._stopped, BEAT):
                    return
                process, heard = self._process, self._heard
            silent = silent + 1 if (process, heard) == last else 0
            last = (process, heard)
            if process is not None and silent >= (SILENT if heard else STARTING) / BEAT:
                log.warning("the odds process has not answered for %.0f s: it is ended", silent * BEAT)
                self._report(Sentence(_DOES_NOT_ANSWER))
                process.kill()
                silent = 0


def _clean_up(process: subprocess.Popen[bytes]) -> None:
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):  # a request that was not read
                pipe.close()


_NO_NUMPY = N_("no odds: NumPy is not installed; run make setup and start again")
_KEEPS_ENDING = N_(
    "no odds for now: what works them out keeps ending; it is tried again, and the console says why"
)
_DOES_NOT_ANSWER = N_("no odds for now: what works them out does not answer; it is being started again")
