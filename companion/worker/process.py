"""The odds process: requests on standard input, answers on standard output, the newest of each kind."""

from __future__ import annotations

import os
import pickle
import queue
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from companion.bots.players import decide
from companion.memory import give_back
from companion.odds.chance import Chance
from companion.odds.estimate import answers, forget_kernels
from companion.odds.luck import weighed
from companion.odds.luck_words import luck_summary
from companion.table.messages import Chosen, LuckIs, OddsAre, OddsWere
from companion.worker.oracle import BEAT, Answer, Choice, Game, Question, Request, Review

PAUSE = 0.25  # seconds at least between two answers to one question: each is drawn on every screen
NICE = 19  # among the companion's own processes: the lowest priority
NICE_SESSION = 5  # among all: a third of a share; a robot's card must come on a busy machine too
GATHERED = 1.0  # seconds for which the odds of past moments are collected and then stored together

Steps = Iterator[Answer | None]
"""Long work, in steps between which other work can be done; some steps return an answer."""


class Back(NamedTuple):
    """The match to analyse, at which entry; for its odds, or else, and first, for luck."""

    odds: bool
    match: int
    seq: int


def main() -> None:
    """Answer until standard input ends, or the reader of the answers is gone."""
    lower_priority()
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # output of a plug-in is no answer
    with suppress(BrokenPipeError):  # the companion was killed
        work(Desk(sys.stdin.buffer, answers))
    # all answers are sent; Python would wait for requests, write to a closed pipe, and abort while the thread
    # of the beats writes
    os._exit(0)


def work(desk: Desk) -> None:
    """Handle the requests of this desk until there will be no more."""
    game = ""
    while (question := desk.next()) is not None:
        if isinstance(question, Question):
            if question.race.name != game:
                forget_kernels()  # of the game before: a small machine has no memory for the tables of all
                game = question.race.name
            for chances in spaced(answers(question.race, question.match, belief=question.belief), desk.go_on):
                desk.answer(OddsAre(question.match, question.seq, chances))
        else:
            desk.step(question)


def lower_priority(session: Path = Path("/proc/self/autogroup")) -> None:
    """Lower the priority: the table goes first, and so does a browser on the same machine.

    Where Linux shares its processors out by session (sched_autogroup, sched(7)), `nice` counts only within
    one, and this process is in its own session: the session's priority is lowered too.
    """
    os.nice(NICE)
    with suppress(OSError):  # not supported, or not permitted: the odds come all the same
        session.write_text(str(NICE_SESSION))


def look_back(game: Game) -> Steps:
    """Yield the analysis of luck and choice, in steps."""
    for found in weighed(game.opening, game.decisions, game.match):
        if found.luck is None:
            yield None
        else:
            yield LuckIs(game.match, game.seq, *luck_summary(found.luck, game.opening))


def reviewed(review: Review, clock: Callable[[], float] = time.monotonic) -> Steps:
    """Yield the best odds of each moment; the same that the table had then, as the match is the
    seed again.
    """
    done: dict[int, tuple[Chance, ...]] = {}
    began = clock()
    for seq, view, belief in review.views:
        for chances in answers(view, review.match, belief=belief):
            done[seq] = chances
            yield None
        if clock() - began >= GATHERED:
            yield OddsWere(review.match, review.seq, done)
            done, began = {}, clock()
    yield OddsWere(review.match, review.seq, done)


class Desk:
    """Receives requests and sends answers.

    A choice is made at once: a game waits for its players. Odds of the table come next. Analyses of matches
    that are over continue when there is nothing else to do.
    """

    def __init__(self, questions: BinaryIO, answers: BinaryIO) -> None:
        self._requests: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._answers, self._writing = answers, threading.Lock()
        self._question: Question | None = None
        self._choice: Choice | None = None
        self._back: dict[Back, Steps] = {}
        threading.Thread(target=self._read, args=(questions,), daemon=True).start()
        threading.Thread(target=self._beat, daemon=True).start()

    def _read(self, questions: BinaryIO) -> None:
        while True:
            try:
                self._requests.put(pickle.load(questions))
            except (EOFError, pickle.UnpicklingError):  # between two questions, or within one
                self._requests.put(None)
                return

    def _beat(self) -> None:
        """Report that this process runs, however long the present work takes."""
        try:
            while True:
                self._write(None)
                time.sleep(BEAT)
        except OSError:
            os._exit(0)  # the companion was killed

    def answer(self, answer: Answer) -> None:
        """Send an answer."""
        self._write(answer)

    def _write(self, message: Answer | None) -> None:
        with self._writing:
            pickle.dump(message, self._answers)
            self._answers.flush()

    def next(self) -> Question | Back | None:
        """Wait for the next work: odds, luck, then odds of past moments; None if there will be no more."""
        while self._question is None:
            give_back()  # arrays of the last work: up to 5 MB
            if self._back and self._requests.empty():
                return min(self._back)
            if not self._receive():
                return None
            self.go_on()
        question, self._question = self._question, None
        return question

    def step(self, back: Back) -> None:
        """Do one step of this analysis."""
        try:
            answer = next(self._back[back])
        except StopIteration:
            del self._back[back]
            return
        if answer is not None:
            self.answer(answer)

    def go_on(self) -> bool:
        """Make the choices that were requested meanwhile; return True if there is no newer
        request for odds.
        """
        while not self._requests.empty():
            if not self._receive():
                self._requests.put(None)
                return False
        if self._choice is not None:
            choice, self._choice = self._choice, None
            rng = random.Random(choice.seed)
            decision = decide(choice.bot, choice.race, choice.seat, rng, belief=choice.belief)
            self.answer(Chosen(choice.match, choice.seq, choice.seat, decision))
        return self._question is None

    def _receive(self) -> bool:
        question = self._requests.get()
        if isinstance(question, Choice):
            self._choice = question
        elif isinstance(question, Game):
            self._back.setdefault(Back(False, question.match, question.seq), look_back(question))
        elif isinstance(question, Review):
            self._back.setdefault(Back(True, question.match, question.seq), reviewed(question))
        elif question is not None:
            self._question = question
        return question is not None


def spaced(
    found: Iterator[tuple[Chance, ...]],
    go_on: Callable[[], bool],
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[tuple[Chance, ...]]:
    """Yield of these answers the first, the last, and those between that come `PAUSE` after the
    one before.

    Stop early, without the last one, as soon as `go_on` returns False.
    """
    waiting, answered_at = None, None
    for chances in found:
        if answered_at is None or clock() - answered_at >= PAUSE:
            yield chances
            waiting, answered_at = None, clock()
        else:
            waiting = chances
        if not go_on():
            return
    if waiting is not None:
        yield waiting


if __name__ == "__main__":
    main()
