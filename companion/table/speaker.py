"""Comments that are spoken aloud, each once, as they come."""

from __future__ import annotations

from typing import Protocol

from companion.commentary.commentator import Comment, comment
from companion.table.picture import Picture, hopes
from companion.translate import Words


class Speaker(Protocol):
    """A device that speaks."""

    def say(self, text: str) -> None:
        """Speak the text; return at once."""


def comment_on(picture: Picture) -> Comment | None:
    """Return the comment on the last decision; none on the end of a game while pieces must be moved."""
    if picture.match is None or picture.ending:
        return None
    return comment(picture.match, hopes(picture))


def in_words(made: Comment, picture: Picture, words: Words) -> str:
    """Return the text of a comment, with a capital letter."""
    text = words.text(made.sentence, picture.match.race if picture.match else None)
    return text[:1].upper() + text[1:]


class Commentary:
    """Speaks each new comment in one language; a listener of the table that runs in its thread."""

    def __init__(self, speaker: Speaker, words: Words, shown: Picture) -> None:
        self._speaker, self._words = speaker, words
        self._said = _at(shown)

    def shown(self, picture: Picture) -> None:
        """Speak the new comment of this snapshot, if any."""
        match, said = picture.match, self._said
        if match is None or said is None or match.id != said[0]:
            self._said = _at(picture)
            return
        made = comment_on(picture)
        if made is not None and made.seq > said[1]:
            self._said = match.id, made.seq
            self._speaker.say(in_words(made, picture, self._words))


def _at(picture: Picture) -> tuple[int, int] | None:
    """Return a match, and the entry up to which its comments are done."""
    return None if picture.match is None else (picture.match.id, picture.match.seq)
