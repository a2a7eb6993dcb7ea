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
from companion.odds.luck import weighed
from companion.odds.luck_words import told
from companion.odds.oracle import Answer, Asked, Choice, Game, Question
from companion.table import Chosen, LuckIs, OddsAre

PAUSE = 0.25  # seconds at least between two answers to one question: each is drawn on every screen


def main() -> None:
    """Answer until standard input ends."""
    os.nice(19)  # the table goes first
    desk = Desk(sys.stdin.buffer, sys.stdout.buffer)
    while (question := desk.next()) is not None:
        if isinstance(question, Game):
            look_back(question, desk)
        else:
            for chances in spaced(answers(question.race, question.match), desk.go_on):
                desk.answer(OddsAre(question.match, question.seq, chances))


def look_back(game: Game, desk: Desk) -> None:
    """Tell luck from choice, unless something newer is asked meanwhile."""
    for found in weighed(game.opening, game.decisions, game.match):
        if found.luck is not None:
            said = told(found.luck, game.opening)
            desk.answer(LuckIs(game.match, game.seq, said.title, said.seats, said.moments))
        elif not desk.go_on():
            return


class Desk:
    """Takes questions in and gives answers out. A choice is made at once: a game waits for its players."""

    def __init__(self, questions: BinaryIO, answers: BinaryIO) -> None:
        self._came: queue.SimpleQueue[Asked | None] = queue.SimpleQueue()
        self._answers = answers
        self._question: Question | None = None
        self._choice: Choice | None = None
        self._game: Game | None = None
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

    def next(self) -> Question | Game | None:
        """Wait for a question: the newest about odds, else about a whole game; None if no more will come."""
        while self._question is None and self._game is None:
            if not self._take_in():
                return None
            self.go_on()
        if self._question is not None:
            question, self._question = self._question, None
            return question
        game, self._game = self._game, None
        return game

    def go_on(self) -> bool:
        """Make the choices that came meanwhile; whether nobody has a newer question about odds."""
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
        elif isinstance(question, Game):
            self._game = question
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
