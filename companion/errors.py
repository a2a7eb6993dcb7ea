"""What can be refused, by name."""

from __future__ import annotations

from companion.message import Sentence


class Refused(Exception):
    """What was asked cannot be done now; `kind` for programs, the sentence for people."""

    def __init__(self, kind: str, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.kind, self.sentence = kind, sentence
