"""The odds process: questions on standard input, answers on standard output, the newest question first."""

from __future__ import annotations

import os
import pickle
import queue
import random
import sys
import threading

from companion.odds.oracle import Question
from companion.odds.rollouts import chances


def main() -> None:
    """Answer until standard input ends. A question that comes meanwhile makes the present one stale."""
    os.nice(19)  # the table goes first
    questions: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(questions,), daemon=True).start()
    while (question := _newest(questions)) is not None:
        rng = random.Random(question.seq)
        answer = chances(question.race, rng, go_on=questions.empty)
        if answer is not None:
            pickle.dump((question.match, question.seq, answer), sys.stdout.buffer)
            sys.stdout.buffer.flush()


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
