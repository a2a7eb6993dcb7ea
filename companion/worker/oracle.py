"""What takes thought, in a process of its own: asked without waiting, the newest question of a kind wins."""

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

TRIES = 3  # a process that ends by itself so often within SOON is not started again
SOON = 60.0  # seconds


class Question(NamedTuple):
    """The public view whose chances are wanted, and what is believed of the seats by now."""

    match: int
    seq: int
    race: Race
    belief: Belief = ()


class Choice(NamedTuple):
    """The view of a seat for which a bot of this kind is to decide, the seed of its thoughts, and what the
    public believes of the seats by now."""

    match: int
    seq: int
    race: Race
    seat: int
    bot: str
    seed: int
    belief: Belief = ()


class Game(NamedTuple):
    """A finished game, to be looked back on."""

    match: int
    seq: int
    opening: Race
    decisions: tuple[Decision, ...]


class Review(NamedTuple):
    """The public views of a match that is over, each with its entry and what was believed of the seats then,
    whose odds its history wants."""

    match: int
    seq: int
    views: tuple[tuple[int, Race, Belief], ...]


Asked = Choice | Question | Game | Review
Answer = OddsAre | OddsWere | NoOdds | Chosen | LuckIs
_FIRST: Final = (Choice, Question, Game, Review)
"""What is sent first: a game waits for its players, nothing waits for looking back."""


def missing() -> Sentence | None:
    """Why there can be no odds on this machine; None if there can."""
    return None if find_spec("numpy") else Sentence(_NO_NUMPY)


class Oracle:
    """Asks the odds process and tells its answers, which are messages to the table.

    If the process ends by itself it is started again and asked once more; if it keeps ending there are no
    odds, which is said, and the game goes on.
    """

    def __init__(self, tell: Callable[[Answer], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._tell, self._clock = tell, clock
        self._newest: dict[type, Any] = {}  # by kind: one that waits is forgotten for a newer one
        self._asked: dict[type, Any] = {}
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
            start_new_session=True,  # Ctrl+C is the companion's business
        )

    def ask(self, match: int, seq: int, race: Race, belief: Belief = ()) -> None:
        """Want the chances at this public position, if so much is believed of the seats."""
        self._want(Question(match, seq, race, belief))

    def choose(
        self, match: int, seq: int, race: Race, seat: int, bot: str, seed: int, belief: Belief = ()
    ) -> None:
        """Want a bot's decision for this seat, from this view of its own and what is believed of all."""
        self._want(Choice(match, seq, race, seat, bot, seed, belief))

    def explain(self, match: int, seq: int, opening: Race, decisions: Sequence[Decision]) -> None:
        """Want luck told from choice in this finished game."""
        self._want(Game(match, seq, opening, tuple(decisions)))

    def review(self, match: int, seq: int, views: Sequence[tuple[int, Race, Belief]]) -> None:
        """Want the chances at all these public positions of a match that is over at entry `seq`."""
        self._want(Review(match, seq, tuple(views)))

    def _want(self, question: Asked) -> None:
        with self._changed:
            self._newest[type(question)] = question
            self._changed.notify()

    def stop(self) -> None:
        """End the process."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
            self._process.kill()
        for thread in self._threads:
            thread.join()
        _put_away(self._process)

    def _send(self) -> None:
        while (question := self._next()) is not None:
            pipe = self._process.stdin
            assert pipe is not None
            with suppress(OSError, ValueError):  # it has ended: whoever receives sees to that
                pickle.dump(question, pipe)
                pipe.flush()

    def _next(self) -> Asked | None:
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or self._newest)
            if self._stopped:
                return None
            kind = next(kind for kind in _FIRST if kind in self._newest)
            question: Asked = self._newest.pop(kind)
            self._asked[kind] = question
            return question

    def _receive(self) -> None:
        ended: list[float] = []
        while len(ended) < TRIES:
            self._receive_from(self._process)
            if not self._started_again():
                return
            ended = [*(at for at in ended if self._clock() - at < SOON), self._clock()]
        self._tell(NoOdds(Sentence(_KEEPS_ENDING)))

    def _receive_from(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        while True:
            try:
                answer: Answer = pickle.load(process.stdout)
            except (EOFError, OSError, pickle.UnpicklingError):
                return
            self._tell(answer)

    def _started_again(self) -> bool:
        """A new process, asked what the one that ended was asked last; False if the oracle is stopped."""
        with self._changed:
            if self._stopped:
                return False
            ended, self._process = self._process, self._started()
            self._newest = self._asked | self._newest
            self._changed.notify()
        _put_away(ended)
        return True


def _put_away(process: subprocess.Popen[bytes]) -> None:
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):  # a question that nobody took
                pipe.close()


_NO_NUMPY = N_("no odds: NumPy is not installed; run make setup and start again")
_KEEPS_ENDING = N_("no odds: what works them out keeps ending; the console says why")
