"""The client of the odds process: requests do not wait, and the newest request of a kind wins."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from companion.games.race import Race
from companion.games.terms import Decision
from companion.message import N_, Sentence
from companion.odds.styles import Belief
from companion.table.messages import Chosen, LuckIs, NoOdds, OddsAre, OddsWere

TRIES = 3  # a process that ends unexpectedly so often within SOON is not restarted
SOON = 60.0  # seconds


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
Answer = OddsAre | OddsWere | NoOdds | Chosen | LuckIs
_FIRST: Final = (Choice, Question, Game, Review)
"""The order of sending: a game waits for its players, nothing waits for a review."""


def missing() -> Sentence | None:
    """Return why there can be no odds on this machine; None if there can."""
    return None if find_spec("numpy") else Sentence(_NO_NUMPY)


class Oracle:
    """Sends requests to the odds process and passes its answers on, which are messages to the table.

    If the process ends unexpectedly it is restarted and gets the last requests again; if it ends again and
    again there are no odds, which is reported, and the game goes on.
    """

    def __init__(
        self, publish: Callable[[Answer], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._publish, self._clock = publish, clock
        self._pending: dict[type, Any] = {}  # by kind: a newer one replaces one that waits
        self._last_requests: dict[type, Any] = {}
        self._changed = threading.Condition()
        self._stopped = False
        self._process = self._started()
        self._threads = [
            threading.Thread(target=run, name=name, daemon=True)
            for run, name in ((self._send, "odds-questions"), (self._receive, "odds-answers"))
        ]
        for thread in self._threads:
            thread.start()

    def _started(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "companion.worker.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # so that Ctrl+C reaches the companion only
        )

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
            self._changed.notify()

    def stop(self) -> None:
        """Stop the process."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
            self._process.kill()
        for thread in self._threads:
            thread.join()
        _clean_up(self._process)

    def _send(self) -> None:
        while (question := self._next()) is not None:
            pipe = self._process.stdin
            assert pipe is not None
            with suppress(OSError, ValueError):  # it has ended: the receiving thread restarts it
                pickle.dump(question, pipe)
                pipe.flush()

    def _next(self) -> Request | None:
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or self._pending)
            if self._stopped:
                return None
            kind = next(kind for kind in _FIRST if kind in self._pending)
            question: Request = self._pending.pop(kind)
            self._last_requests[kind] = question
            return question

    def _receive(self) -> None:
        ended: list[float] = []
        while len(ended) < TRIES:
            self._receive_from(self._process)
            if not self._restarted():
                return
            ended = [*(ended_at for ended_at in ended if self._clock() - ended_at < SOON), self._clock()]
        self._publish(NoOdds(Sentence(_KEEPS_ENDING)))

    def _receive_from(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        while True:
            try:
                answer: Answer = pickle.load(process.stdout)
            except (EOFError, OSError, pickle.UnpicklingError):
                return
            self._publish(answer)

    def _restarted(self) -> bool:
        """Start a new process with the last requests of the one that ended; return False if the oracle is
        stopped.
        """
        with self._changed:
            if self._stopped:
                return False
            ended, self._process = self._process, self._started()
            self._pending = self._last_requests | self._pending
            self._changed.notify()
        _clean_up(ended)
        return True


def _clean_up(process: subprocess.Popen[bytes]) -> None:
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):  # a request that was not read
                pipe.close()


_NO_NUMPY = N_("no odds: NumPy is not installed; run make setup and start again")
_KEEPS_ENDING = N_("no odds: what works them out keeps ending; the console says why")
