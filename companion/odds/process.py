"""The odds process: questions on standard input, answers on standard output, the newest question first."""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator

from companion.odds.chance import Chance
from companion.odds.estimate import answers
from companion.odds.oracle import Question

PAUSE = 0.25  # seconds at least between two answers to one question: each is drawn on every screen


def main() -> None:
    """Answer until standard input ends. A question that comes meanwhile makes the present one stale."""
    os.nice(19)  # the table goes first
    questions: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(questions,), daemon=True).start()
    while (question := _newest(questions)) is not None:
        for chances in spaced(answers(question.race, question.match), questions.empty):
            pickle.dump((question.match, question.seq, chances), sys.stdout.buffer)
            sys.stdout.buffer.flush()


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


def _newest(questions: queue.SimpleQueue[Question | None]) -> Question | None:
    question = questions.get()
    while question is not None and not questions.empty():
        question = questions.get()
    return question


def _read(questions: queue.SimpleQueue[Question | None]) -> None:
    while True:
        try:
            questions.put(pickle.load(sys.stdin.buffer))
        except EOFError:
            questions.put(None)
            return


if __name__ == "__main__":
    main()
