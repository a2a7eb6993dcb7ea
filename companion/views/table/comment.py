"""The spoken comment on the last decision."""

from __future__ import annotations

from companion.reply import Reply
from companion.table.snapshot import Snapshot
from companion.table.speaker import comment_on, in_words
from companion.translate import Words


class CommentView(Reply):
    """One sentence on the race; `key`, the number of the entry, rises: each is spoken once."""

    key: str
    text: str


def comment_of(picture: Snapshot, words: Words) -> CommentView | None:
    """Return the comment on the last decision; None if there is nothing to say."""
    made = comment_on(picture)
    return None if made is None else CommentView(key=str(made.seq), text=in_words(made, picture, words))
