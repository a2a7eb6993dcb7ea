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
from typing import BinaryIO

from companion.bots import decide
from companion.odds.chance import Chance
from companion.odds.estimate import answers
from companion.odds.oracle import Answer, Choice, Question
from companion.table import Chosen, OddsAre

PAUSE = 0.25  # seconds at least between two answers to one question: each is drawn on every screen


def main() -> None:
    """Answer until standard input ends."""
    os.nice(19)  # the table goes first
    desk = Desk(sys.stdin.buffer, sys.stdout.buffer)
    while (question := desk.next()) is not None:
        for chances in spaced(answers(question.race, question.match), desk.go_on):
            desk.answer(OddsAre(question.match, question.seq, chances))


class Desk:
    """Takes questions in and gives answers out. A choice is made at once: a game waits for its players."""

    def __init__(self, questions: BinaryIO, answers: BinaryIO) -> None:
        self._came: queue.SimpleQueue[Question | Choice | None] = queue.SimpleQueue()
        self._answers = answers
        self._question: Question | None = None
        self._choice: Choice | None = None
        threading.Thread(target=self._read, args=(questions,), daemon=True).start()

    def _read(self, questions: BinaryIO) -> None:
        while True:
            try:
                self._came.put(pickle.load(questions))
            except EOFError:
                self._came.put(None)
                return

    def answer(self, answer: Answer) -> None:
        """Give an answer out."""
        pickle.dump(answer, self._answers)
        self._answers.flush()

    def next(self) -> Question | None:
        """Wait for a question about odds, the newest there is; None if no more will come."""
        while self._question is None:
            if not self._take_in():
                return None
            self.go_on()
        question, self._question = self._question, None
        return question

    def go_on(self) -> bool:
        """Make the choices that came meanwhile; whether there is no newer question about odds."""
        while not self._came.empty():
            if not self._take_in():
                self._came.put(None)
                return False
        if self._choice is not None:
            choice, self._choice = self._choice, None
            decision = decide(choice.bot, choice.race, choice.seat, random.Random(choice.seed))
            self.answer(Chosen(choice.match, choice.seq, choice.seat, decision))
        return self._question is None

    def _take_in(self) -> bool:
        question = self._came.get()
        if isinstance(question, Choice):
            self._choice = question
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
