"""The table as its pages draw it, for pages elsewhere: what everybody may see, in every language.

Not what only makes sense at the table: photos, how to join, what can be pressed.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.reply import Reply
from companion.table.picture import Picture
from companion.translate import Words, languages
from companion.views.table.actions import Actions
from companion.views.table.page import View, page


class Pages(Reply):
    """What the pages of a table draw after the entry `seq`, by language."""

    seq: int
    pages: dict[str, View]


def pages(picture: Picture) -> Pages:
    """The pages of this picture."""
    drawn = {language: _elsewhere(page(picture, Words.of(language))) for language in languages()}
    return Pages(seq=picture.seq, pages=drawn)


def _elsewhere(view: View) -> View:
    match = view.match and replace(view.match, faces=[None] * len(view.match.seats))
    return replace(view, match=match, alerts=[], seen=None, actions=Actions())
