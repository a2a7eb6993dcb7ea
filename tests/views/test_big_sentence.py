"""The large part of a sentence on the screen is read at a glance, from two metres."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from companion import games
from companion.games.presenter import presenter_of
from companion.referee import cards, comparison, evaluation, pad, switched, tagged
from companion.translate import Words
from companion.views.table import sentence

MOST = 12  # words, with a name or a piece as one
SMALL = ("hand-", "dealing", "ranked", "bank-pays", "bookie-pays")
"""Words of a game that are never in large letters: on paper, in small letters below, or in a table."""


def messages() -> Iterator[tuple[str, str]]:
    """Yield each message that may be the big sentence, after the place where it is written."""
    for game in games.all_games().values():
        for kind, text in presenter_of(game).words.items():
            if not kind.startswith(SMALL):
                yield f"{game.name}: {kind}", text if isinstance(text, str) else text[1]
    for module in (cards, comparison, evaluation, pad, switched, tagged, sentence):
        for name, text in vars(module).items():
            if name.startswith("_") and name.isupper() and isinstance(text, str):
                yield f"{module.__name__}: {name}", text


def large(text: str) -> str:
    """Return the part of a sentence that is in large letters wherever the rest does not fit."""
    return re.split(r"\s?[.:;?!…]+(?:\s|$)", text)[0]


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_no_sentence_has_more_than_twelve_words_in_its_large_part(language: str) -> None:
    said = Words.of(language)
    long = {where: part for where, text in messages() if len((part := large(said(text))).split()) > MOST}
    assert long == {}
