"""What is said aloud of the table: each comment once, as it comes."""

from __future__ import annotations

from typing import Protocol

from companion.commentary.commentator import Comment, comment
from companion.table.picture import Picture, hopes
from companion.translate import Words


class Speaker(Protocol):
    """Whatever says a sentence aloud."""

    def say(self, text: str) -> None:
        """Say it; return at once."""


def comment_on(picture: Picture) -> Comment | None:
    """The comment on the last decision; none on the end of a game while pieces are to be moved."""
    if picture.match is None or picture.ending:
        return None
    return comment(picture.match, hopes(picture))


def in_words(made: Comment, picture: Picture, words: Words) -> str:
    """A comment as it is said, with a capital letter."""
    text = words.text(made.sentence, picture.match.race if picture.match else None)
    return text[:1].upper() + text[1:]


class Commentary:
    """Has each new comment said in one language; a listener of the table, runs in its thread."""

    def __init__(self, speaker: Speaker, words: Words, shown: Picture) -> None:
        self._speaker, self._words = speaker, words
        self._said = _at(shown)

    def shown(self, picture: Picture) -> None:
        """Say what is new in this picture."""
        match, said = picture.match, self._said
        if match is None or said is None or match.id != said[0]:
            self._said = _at(picture)
            return
        made = comment_on(picture)
        if made is not None and made.seq > said[1]:
            self._said = match.id, made.seq
            self._speaker.say(in_words(made, picture, self._words))


def _at(picture: Picture) -> tuple[int, int] | None:
    """A match, and the entry up to which nothing of it is to be said any more."""
    return None if picture.match is None else (picture.match.id, picture.match.seq)
