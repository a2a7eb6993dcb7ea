"""What a table's pages draw elsewhere: what they draw here, but nothing that makes sense at the table alone."""

from __future__ import annotations

import random

import pytest

from companion.games.race import random_decision
from companion.match.record import Header, decision_line
from companion.publishing.elsewhere import pages
from companion.store.journal import Journal
from companion.table.table import Table
from companion.translate import Words, languages
from companion.views.table.actions import Actions
from companion.views.table.page import page
from tests.publishing.test_events import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_it_is_the_tables_page_in_every_language(game: str, journal: Journal) -> None:
    table, rng = Table(journal, dealer=random.Random(1)).open(), random.Random(1)
    table.begin(Header(game, ("Ada", "Ben", "Cleo")), "companion")
    race = table.ledger.running().race
    while table.snapshot.seq < 12 and (decision := random_decision(race, rng)) is not None:
        table.play.decide(table.snapshot.seq, decision_line(race, decision))
        race = table.ledger.running().race
    published = pages(table.snapshot)
    assert (published.seq, [*published.pages]) == (table.snapshot.seq, [*languages()])
    for language, view in published.pages.items():
        here = page(table.snapshot, Words.of(language))
        assert (view.say, view.course, view.pieces) == (here.say, here.course, here.pieces)
        assert (view.standings, view.story, view.odds) == (here.standings, here.story, here.odds)
        assert (view.alerts, view.seen, view.join, view.actions) == ([], None, None, Actions())


def test_no_photo_leaves_the_table(journal: Journal) -> None:
    table = Table(journal, dealer=random.Random(1)).open()
    table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion")
    for view in pages(table.snapshot).pages.values():
        assert view.match is not None
        assert view.match.faces == [None, None]


def test_an_empty_table(journal: Journal) -> None:
    assert [view.match for view in pages(Table(journal).open().snapshot).pages.values()] == [None] * 3
