"""The pages of the table for remote viewers: the public view, in every language.

Left out are things that only make sense at the table: photos, how to join, buttons.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.reply import Reply
from companion.table.snapshot import Snapshot
from companion.translate import Words, languages
from companion.views.table.actions import Actions
from companion.views.table.page import View, page


class Pages(Reply):
    """The contents of a table's pages after the entry `seq`, by language."""

    seq: int
    pages: dict[str, View]


def pages(picture: Snapshot) -> Pages:
    """Return the pages of this snapshot."""
    drawn = {language: _elsewhere(page(picture, Words.of(language))) for language in languages()}
    return Pages(seq=picture.seq, pages=drawn)


def _elsewhere(view: View) -> View:
    match = view.match and replace(view.match, faces=[None] * len(view.match.seats))
    return replace(view, match=match, alerts=[], seen=None, actions=Actions())
