"""What is foreseen, by name: everything here is told to whoever can act on it, and nothing else is an answer.

    CompanionError
    ├── InvalidInput        what came in cannot be meant (also a ValueError)
    │   ├── Refusal         the same, as a sentence for people
    │   │   └── games.judge.IllegalDecision
    │   ├── match.record.RecordError, settings.SettingsError, devices.picture.WrongProtocol
    ├── Refused             what was asked cannot be done now
    │   ├── Missing         there is no such thing
    │   └── TooOften        it was asked too often: in a while it is done
    ├── web.roles.Forbidden whoever asked may not do it
    ├── store.file.JournalError (also an OSError), devices.flash.FlashError
    └── devices.gpio_library.WrongLibrary (also an ImportError)

Any other exception is a mistake of ours: the web answers it with a number that stands in the log.
"""

from __future__ import annotations

from typing import Any

from companion.message import Sentence


class CompanionError(Exception):
    """Something foreseen; its text says what happened and what to do."""


class InvalidInput(CompanionError, ValueError):
    """What came in cannot be meant, whenever it comes; the text says what was expected."""


class Refused(CompanionError):
    """What was asked cannot be done now; `kind` for programs, the sentence for people."""

    def __init__(self, kind: str, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.kind, self.sentence = kind, sentence


class Missing(Refused):
    """There is no such thing as was asked for."""


class TooOften(Refused):
    """It was asked too often for now."""


class Refusal(InvalidInput):
    """InvalidInput that is told to people: `sentence` can be said in their language."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


def refuse(text: str, /, **values: Any) -> Refusal:
    """The Refusal with this message and its values, to be raised."""
    return Refusal(Sentence(text, values))
