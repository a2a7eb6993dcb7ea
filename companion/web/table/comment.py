"""What is said aloud of the last decision."""

from __future__ import annotations

from companion.commentary.commentator import comment
from companion.reply import Reply
from companion.table.picture import Picture, hopes
from companion.translate import Words


class CommentView(Reply):
    """One sentence on the race; `key`, the number of the entry, rises: each is said once."""

    key: str
    text: str


def comment_of(picture: Picture, words: Words) -> CommentView | None:
    """What is said of the last decision; none of the winner while pieces are to be moved."""
    match = picture.match
    if match is None or picture.ending or (made := comment(match, hopes(picture))) is None:
        return None
    text = words.text(made.sentence, match.race)
    return CommentView(key=str(made.seq), text=text[:1].upper() + text[1:])
