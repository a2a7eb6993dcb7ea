"""The sheet to go on by hand: what it says, and what it must not."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from companion import games
from companion.games.presenter import presented
from companion.games.race import Race, random_decision
from companion.translate import Words
from companion.web.paper.api import sheet
from tests.support.apps import create_app
from tests.support.evening import Evening

GAMES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "pigs": ("galloping-pigs", 4, {"food_on_track": True}),
    "horse": ("galloping-horse", 4, {}),
    "giro": ("giro-galoppo", 5, {}),
    "hounds": ("greyhounds", 4, {}),
    "bookie": ("greyhounds", 4, {"bookie": 0}),
}
NAMES = ("Ada", "Ben", "Cleo", "Dev", "Eve")


def played(evening: Evening, rng: random.Random, decisions: int) -> Race:
    """Make so many decisions at random, straight in the table's match; return the whole position."""
    for _ in range(decisions):
        assert evening.table.match is not None
        decision = random_decision(evening.table.match.race, rng)
        if decision is None:
            break
        evening.table.ledger.decide(decision, "person")
    evening.table.evaluate()
    assert evening.table.match is not None
    return evening.table.match.race


def asked(evening: Evening) -> str:
    """Return the page as an unknown device gets it."""
    client = create_app(evening.table).test_client()
    return client.get("/paper/table", environ_base={"REMOTE_ADDR": "192.168.1.77"}).get_data(as_text=True)


def holds(page: str) -> dict[str, Any]:
    """Return what the page's script draws from."""
    found = re.search(r'<script type="application/json" id="sheet-data">(.*?)</script>', page, re.S)
    assert found
    view: dict[str, Any] = json.loads(found[1])["view"]
    return view


@pytest.mark.parametrize(
    "kind", [pytest.param(k, marks=() if k == "giro" else pytest.mark.long) for k in GAMES]
)
def test_the_sheet_does_not_depend_on_secrets(tmp_path: Path, kind: str) -> None:
    """Other secrets, dealt and chosen again, change no byte of the sheet.

    Only here: a hand, a bet or a card set aside of a game other than Giro Galoppo that the sheet gives away.
    """
    game, seats, options = GAMES[kind]
    evening, rng = Evening(tmp_path, game, NAMES[:seats], None, options, deal="companion"), random.Random(5)
    secrets = 0
    for more in (2, 4, 7, 7, 7, 8, 9):
        race = played(evening, rng, more)
        other = race.seen_by(None).guessed(random.Random(more))
        pages = [showing(evening, race), showing(evening, other), showing(evening, race)]
        same = [re.sub(r'"when": "[^"]*"', "", page) for page in pages]
        assert same[0] == same[1] == same[2]
        secrets += other != race
    assert secrets >= 3


def showing(evening: Evening, race: Race) -> str:
    """Return the page if this were the position now."""
    match = evening.table.match
    assert match is not None
    turns = (*match.turns[:-1], replace(match.turns[-1], race=race))
    evening.table.snapshot = replace(evening.table.snapshot, match=replace(match, turns=turns))
    return asked(evening)


def test_where_every_piece_stands_front_first(tmp_path: Path) -> None:
    """Pigs by how far they have run, also behind the line; the food, the scores, whose turn it is."""
    evening = Evening(tmp_path, seats=("Ada", "Ben", "Cleo"))
    evening.tap({"do": "line-up", "seat": 0, "order": ["red", "blue", "green", "yellow", "pink"]})
    evening.tap({"do": "play", "seat": 0, "card": "pink"})
    shown = to_builtins(sheet(evening.table.snapshot, Words.english()))
    assert [(p["label"], p["where"], p["far"]) for p in shown["field"]] == [
        *(("pink pig", "1", 1), ("red pig", "start", 0), ("blue pig", "21", -1)),
        *(("green pig", "20", -2), ("yellow pig", "19", -3)),
    ]
    assert (
        "".join(p if isinstance(p, str) else p["text"] for p in shown["say"]["parts"]) == "Ben, play a card"
    )
    assert [(r["name"], r["provisional"], r["score"]) for r in shown["standings"]] == [
        *(("Ada", 1, 0), ("Ben", 0, 0), ("Cleo", 0, 0)),
    ]
    assert shown["stockText"] == "54 acorns left"
    assert shown["moves"] == [], "a pig that was not moved yet stands where it belongs"
    assert shown["byHand"][-1] == "Most acorns after round 3 wins."


@pytest.mark.parametrize("kind", GAMES)
def test_every_game_says_how_to_go_on(kind: str) -> None:
    """There are at least four sentences, each with its values."""
    game, seats, options = GAMES[kind]
    race = games.find_by_name(game).new(NAMES[:seats], **options)
    texts = [Words.english().text(sentence, race) for sentence in presented(race).by_hand()]
    assert len(texts) >= 4
    assert not [said for said in texts if "{" in said]


def test_without_a_match_the_sheet_says_so(tmp_path: Path) -> None:
    page = asked(Evening(tmp_path, seats=()))
    assert "no game yet" in page
    assert 'id="sheet"' not in page
