"""Comments that are spoken aloud, each once, as they come."""

from __future__ import annotations

from typing import Protocol

from companion.commentary.commentator import Comment, comment
from companion.table.snapshot import Snapshot, win_chances
from companion.translate import Words


class Speaker(Protocol):
    """A device that speaks."""

    def say(self, text: str) -> None:
        """Speak the text; return at once."""


def comment_on(picture: Snapshot) -> Comment | None:
    """Return the comment on the last decision; none on the end of a game while pieces must be moved."""
    if picture.match is None or picture.ending:
        return None
    return comment(picture.match, win_chances(picture))


def in_words(new_comment: Comment, picture: Snapshot, words: Words) -> str:
    """Return the text of a comment, with a capital letter."""
    text = words.text(new_comment.sentence, picture.match.race if picture.match else None)
    return text[:1].upper() + text[1:]


class Commentary:
    """Speaks each new comment in one language; a listener of the table that runs in its thread."""

    def __init__(self, speaker: Speaker, words: Words, shown: Snapshot) -> None:
        self._speaker, self._words = speaker, words
        self._commented = _position_of(shown)

    def update(self, picture: Snapshot) -> None:
        """Speak the new comment of this snapshot, if any."""
        match, commented = picture.match, self._commented
        if match is None or commented is None or match.id != commented[0]:
            self._commented = _position_of(picture)
            return
        new_comment = comment_on(picture)
        if new_comment is not None and new_comment.seq > commented[1]:
            self._commented = match.id, new_comment.seq
            self._speaker.say(in_words(new_comment, picture, self._words))


def _position_of(picture: Snapshot) -> tuple[int, int] | None:
    """Return a match, and the entry up to which its comments are done."""
    return None if picture.match is None else (picture.match.id, picture.match.seq)
