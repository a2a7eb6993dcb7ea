"""Expected errors. Each carries a message for the person who can act on it; anything else is a bug.

May use sentences.

    CompanionError
    ├── InvalidInput             input that cannot be valid at any time (also a ValueError)
    │   ├── ValidationError      the same, with a sentence that can be translated
    │   │   └── games.judge.IllegalDecision
    │   ├── match.record.RecordError, settings.SettingsError, devices.track_state.WrongProtocol
    ├── ConflictError            a valid request that does not fit the present state
    │   ├── NotFoundError        what was asked for does not exist
    │   └── RateLimitedError     too many requests for now
    ├── http.roles.Forbidden     the caller's role does not allow it
    ├── store.file.JournalError (also an OSError), devices.flash.FlashError
    └── devices.gpio_library.WrongLibrary (also an ImportError)

The web answers any other exception with status 500 and a number that is in the log.
"""

from __future__ import annotations

from typing import Any

from companion.message import Sentence


class CompanionError(Exception):
    """Base class of expected errors; the text says what happened and what to do."""


class InvalidInput(CompanionError, ValueError):
    """Input that cannot be valid at any time; the text says what was expected."""


class ConflictError(CompanionError):
    """A request that does not fit the present state: `kind` for programs, `sentence` for people."""

    def __init__(self, kind: str, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.kind, self.sentence = kind, sentence


class NotFoundError(ConflictError):
    """What was asked for does not exist."""


class RateLimitedError(ConflictError):
    """Too many requests for now."""


class ValidationError(InvalidInput):
    """InvalidInput with a `sentence` that can be translated for the reader."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


def validation_error(text: str, /, **values: Any) -> ValidationError:
    """Return a ValidationError with this message and its values; the caller raises it."""
    return ValidationError(Sentence(text, values))
