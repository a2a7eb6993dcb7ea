"""The odds process: questions on standard input, answers on standard output, the newest of each kind."""

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
from companion.odds.chance import Chance
from companion.odds.estimate import answers
from companion.odds.luck import weighed
from companion.odds.luck_words import luck_summary
from companion.table.messages import Chosen, LuckIs, OddsAre, OddsWere
from companion.worker.oracle import Answer, Asked, Choice, Game, Question, Review

PAUSE = 0.25  # seconds at least between two answers to one question: each is drawn on every screen
NICE = 19  # among the companion's own processes: as nice as can be
NICE_SESSION = 5  # among all: a third of a share; a robot's card must come on a busy machine too
GATHERED = 1.0  # seconds for which the odds of past moments are gathered: they are written down together

Steps = Iterator[Answer | None]
"""Work that takes long, in steps between which something else can be done; some bring an answer."""


class Back(NamedTuple):
    """Which match is looked back on, at which entry; for its odds, or else, and first, for luck."""

    odds: bool
    match: int
    seq: int


def main() -> None:
    """Answer until standard input ends, or nobody takes an answer any more."""
    step_back()
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # what a plug-in prints is no answer
    try:
        work(Desk(sys.stdin.buffer, answers))
    except BrokenPipeError:
        os._exit(0)  # the companion was killed; Python would wait for questions and write to nobody


def work(desk: Desk) -> None:
    """Do what comes to this desk, until no more will come."""
    while (question := desk.next()) is not None:
        if isinstance(question, Question):
            for chances in spaced(answers(question.race, question.match, belief=question.belief), desk.go_on):
                desk.answer(OddsAre(question.match, question.seq, chances))
        else:
            desk.step(question)


def step_back(session: Path = Path("/proc/self/autogroup")) -> None:
    """The table goes first, and so does a browser on the same machine.

    Where Linux shares its processors out by session (sched_autogroup, sched(7)), `nice` counts only within
    one, and this process is in a session of its own: the session is made to step back too.
    """
    os.nice(NICE)
    with suppress(OSError):  # not shared so, or not ours to say: the odds come all the same
        session.write_text(str(NICE_SESSION))


def look_back(game: Game) -> Steps:
    """Tell luck from choice."""
    for found in weighed(game.opening, game.decisions, game.match):
        if found.luck is None:
            yield None
        else:
            yield LuckIs(game.match, game.seq, *luck_summary(found.luck, game.opening))


def reviewed(review: Review, clock: Callable[[], float] = time.monotonic) -> Steps:
    """The best odds of each moment; the same that the table had then, as the match is the seed again."""
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
    """Takes questions in and gives answers out.

    A choice is made at once: a game waits for its players. Odds of the table come next. Looking back goes on
    where it was left whenever there is nothing else to do.
    """

    def __init__(self, questions: BinaryIO, answers: BinaryIO) -> None:
        self._came: queue.SimpleQueue[Asked | None] = queue.SimpleQueue()
        self._answers = answers
        self._question: Question | None = None
        self._choice: Choice | None = None
        self._back: dict[Back, Steps] = {}
        threading.Thread(target=self._read, args=(questions,), daemon=True).start()

    def _read(self, questions: BinaryIO) -> None:
        while True:
            try:
                self._came.put(pickle.load(questions))
            except (EOFError, pickle.UnpicklingError):  # between two questions, or within one
                self._came.put(None)
                return

    def answer(self, answer: Answer) -> None:
        """Give an answer out."""
        pickle.dump(answer, self._answers)
        self._answers.flush()

    def next(self) -> Question | Back | None:
        """Wait for something to do: odds, luck, then odds of long ago; None if no more will come."""
        while self._question is None:
            if self._back and self._came.empty():
                return min(self._back)
            if not self._take_in():
                return None
            self.go_on()
        question, self._question = self._question, None
        return question

    def step(self, back: Back) -> None:
        """Do a little of this."""
        try:
            answer = next(self._back[back])
        except StopIteration:
            del self._back[back]
            return
        if answer is not None:
            self.answer(answer)

    def go_on(self) -> bool:
        """Make the choices that came meanwhile; whether nobody has a newer question about odds."""
        while not self._came.empty():
            if not self._take_in():
                self._came.put(None)
                return False
        if self._choice is not None:
            choice, self._choice = self._choice, None
            rng = random.Random(choice.seed)
            decision = decide(choice.bot, choice.race, choice.seat, rng, belief=choice.belief)
            self.answer(Chosen(choice.match, choice.seq, choice.seat, decision))
        return self._question is None

    def _take_in(self) -> bool:
        question = self._came.get()
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
    """Of these answers the first, the last, and those between that come a while after the one before.

    Ends early, without the last one, as soon as `go_on` says no.
    """
    waiting, told = None, None
    for chances in found:
        if told is None or clock() - told >= PAUSE:
            yield chances
            waiting, told = None, clock()
        else:
            waiting = chances
        if not go_on():
            return
    if waiting is not None:
        yield waiting


if __name__ == "__main__":
    main()
