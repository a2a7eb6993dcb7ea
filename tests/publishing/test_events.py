"""What others get of an entry: as far as everybody may know it, in order, enough to count and to follow."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.errors import ConflictError, InvalidInput
from companion.games.race import random_decision
from companion.match.entries import Entry, Filed
from companion.match.match import Match
from companion.match.record import Header, decision_line
from companion.publishing.events import Event
from companion.publishing.publisher import LAST_PUBLISHED, Publisher
from companion.publishing.story import Progress, Story
from companion.reply import encoded
from companion.settings import MqttSettings, Settings, read
from companion.store.journal import Journal
from companion.table.table import Table
from tests.games.test_laws import header_of

GAMES = sorted(games.all_games())
PAGE = Path(__file__).parents[2] / "docs" / "mqtt.md"
BROKER = MqttSettings("127.0.0.1", table="window-2")


def events(journal: Journal, since: int = 0) -> list[Any]:
    """Return the events as a broker gets them."""
    published = Story(journal, "window-2").events(since, journal.entries_after(since, 10_000))
    return [msgspec.json.decode(encoded(event)) for event in published]


def any_deed(table: Table, rng: random.Random) -> None:
    """Do something that people do in a game: mostly they decide."""
    match, seq = table.ledger.running(), table.snapshot.seq
    deed = rng.random()
    with suppress(ConflictError, InvalidInput):
        if deed < 0.2:
            table.play.undo(seq)
            if rng.random() < 0.5:
                table.play.redo(table.snapshot.seq)
        elif deed < 0.4 and match.turns:
            at = rng.randrange(len(match.turns))
            other = random_decision(match.position(at), rng)
            line = decision_line(match.race, other) if other and rng.random() < 0.8 else None
            table.play.change(seq, match.turns[at].seq, line)
        elif deed < 0.45:
            table.set_aside(seq)
            table.resume(match.id)
        elif (decision := random_decision(match.race, rng)) is not None:
            table.play.decide(seq, decision_line(match.race, decision))


def followed(published: Iterable[Any]) -> dict[int, Any]:
    """Return the decisions in force as a listener works them out from events alone."""
    known: dict[int, Any] = {}
    force: set[int] = set()
    for event in published:
        if event["decision"] is not None:
            known[event["entry"]] = event["decision"]
            force.add(event["entry"])
        for changed in event["changed"]:
            known[changed["entry"]] = changed["decision"]
        force = force - set(event["gone"]) | set(event["back"])
    return {entry: known[entry] for entry in sorted(force)}


@pytest.mark.parametrize("deal", ["people", "companion"])
@pytest.mark.parametrize("game", GAMES)
def test_who_listens_knows_which_decisions_are_in_force(game: str, deal: str, journal: Journal) -> None:
    """After changes, undos and redos too, each is as the record has it, a secret one without its content."""
    rng = random.Random(f"{game} {deal}")
    table = Table(journal, dealer=random.Random(1)).open()
    table.begin(header_of(games.find_by_name(game), rng), deal)
    table.set_aside(table.snapshot.seq)
    table.resume(1)
    published, sealed = list[Any](), set[int]()  # sealed when it was made; a change may lay it open
    for _ in range(80):
        any_deed(table, rng)
        match = table.ledger.running()
        published += events(journal, published[-1]["entry"] if published else 0)
        assert [turn.seq for turn in match.turns] == list(followed(published))
        sealed |= {turn.seq for turn in match.turns if turn.secret}
        for turn, line in zip(match.turns, followed(published).values(), strict=True):
            whole = decision_line(match.race, turn.decision)
            if line != whole:
                assert line == {key: whole[key] for key in ("do", "seat") if key in whole}
                assert turn.seq in sealed or line["do"] == "deal"
    assert {event["kind"] for event in published} >= {
        "new",
        "decide",
        "undo",
        "redo",
        "change",
        "aside",
        "resume",
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_entry_is_published_once_in_order_from_any_start(game: str, journal: Journal) -> None:
    """Each names the one published before it; publishing from any entry gives the same from there on."""
    rng = random.Random(game)
    table = Table(journal, dealer=random.Random(1)).open()
    for _ in range(2):
        table.begin(header_of(games.find_by_name(game), rng), "companion")
        for _ in range(30):
            any_deed(table, rng)
        table.end(table.snapshot.seq)
    published = events(journal)
    numbers = [event["entry"] for event in published]
    assert numbers == [*range(1, journal.seq() + 1)]
    assert [event["previous"] for event in published] == [0, *numbers[:-1]]
    for since in rng.sample(numbers, 8):
        assert events(journal, since) == published[since:]
    story, entries = Story(journal, "window-2"), journal.entries_after(0, 10_000)
    for since in range(len(entries)):  # each is published twice, as when it was not received
        once, again = (next(iter(story.events(since, entries[since:]))) for _ in range(2))
        assert once == again
        assert msgspec.json.decode(encoded(once)) == published[since]


def test_a_forgotten_match_leaves_no_gap_that_looks_like_a_loss(journal: Journal) -> None:
    """Its entries are published no more, and the next one names the one published before it."""
    table = Table(journal).open()
    for _ in range(3):
        table.begin(Header("galloping-pigs", ("Ada", "Ben")))
        table.end(table.snapshot.seq)
    table.forget(2)
    assert [(event["entry"], event["previous"]) for event in events(journal)] == [
        (1, 0),
        (2, 1),
        (5, 2),
        (6, 5),
    ]


def test_the_end_of_a_game_is_published(journal: Journal) -> None:
    """Played to its end with places and nothing due, given up without places."""
    table, rng = Table(journal, dealer=random.Random(1)).open(), random.Random(1)
    table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion")
    while (decision := random_decision(table.ledger.running().race, rng)) is not None:
        table.play.decide(table.snapshot.seq, decision_line(table.ledger.running().race, decision))
    *_, event = events(journal)
    assert (event["state"], event["next"], event["news"][-1]["kind"]) == ("finished", None, "game-over")
    assert event["standings"][0]["place"] == 1
    table.begin(Header("galloping-pigs", ("Ada", "Ben")))
    table.end(table.snapshot.seq)
    *_, event = events(journal)
    assert (event["state"], event["next"], event["match"]) == ("ended", None, 2)
    assert [row["place"] for row in event["standings"]] == [None, None]


def test_people_are_called_as_they_are_called_now(journal: Journal) -> None:
    """Renaming a seat is no entry: later events have the new name."""
    table = Table(journal).open()
    table.begin(Header("galloping-pigs", ("Ada", "Ben")))
    story = Story(journal, "window-2")
    [*_] = story.events(0, journal.entries_after(0, 10))
    table.rename_seat(0, "Zoe")
    table.play.decide(1, {"do": "line-up", "seat": 0, "order": ["red", "blue", "green", "yellow", "pink"]})
    first, *_ = story.events(1, journal.entries_after(1, 10))
    assert first.seats == ["Zoe", "Ben"]
    assert first.news[0].text.startswith("Zoe lines up")


def test_it_begins_with_the_game_on_the_table(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was played before there was a broker is not published; nothing of the present game is left out."""
    monkeypatch.setattr(Publisher, "_publish_until_stopped", lambda teller: None)
    table = Table(journal).open()
    assert begun(journal) == 0
    table.begin(Header("galloping-pigs", ("Ada", "Ben")))
    assert begun(journal) == 0, "it goes on where it was"
    journal.wipe(["told"])
    assert begun(journal) == 0
    table.end(table.snapshot.seq)
    journal.wipe(["told"])
    assert begun(journal) == journal.seq()
    table.begin(Header("galloping-pigs", ("Ada", "Ben")))
    last = journal.seq()
    table.play.decide(last, {"do": "line-up", "seat": 0, "order": ["red", "blue", "green", "yellow", "pink"]})
    journal.wipe(["told"])
    assert begun(journal) == last - 1


def begun(journal: Journal) -> int:
    """Return the entry after which it begins to publish."""
    progress = Progress(journal, "window-2", "mqtt", LAST_PUBLISHED)
    progress.begin()
    return progress.last_published


def test_a_table_without_a_name_has_that_of_its_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made safe: no level of a topic more, and nothing that means something there."""
    assert BROKER.name == "window-2"
    for host, name in (("pi", "pi"), ("Adas Pi/#+", "Adas-Pi---"), ("", "table")):
        monkeypatch.setattr("socket.gethostname", lambda host=host: host)
        assert MqttSettings("b").name == name


def test_paho_is_loaded_only_to_publish_to_a_broker() -> None:
    """One file of a table imports it, and only the publisher and tests import that file."""
    root = Path(__file__).parents[2] / "companion"
    having = {
        (word, str(path.relative_to(root)))
        for path in root.rglob("*.py")
        for word in ("import paho", "from paho", "publishing.broker", "publishing.publisher")
        if word in path.read_text("utf-8")
    }
    hubs = {found for found in having if found[1].startswith("hub/")}  # a hub listens to nothing else
    assert having - hubs == {
        ("from paho", "publishing/broker.py"),
        ("publishing.broker", "publishing/publisher.py"),
        ("publishing.publisher", "serving.py"),
    }


def test_the_page_says_what_is_published() -> None:
    """Its settings are read, and its event has the fields of one, in their order."""
    page = PAGE.read_text("utf-8")
    [settings] = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert read(settings, Settings()).mqtt.table == "window-2"
    [example] = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    assert (*json.loads(example), "clock") == Event.__struct_fields__
    assert "`clock`" in page
    assert msgspec.json.decode(example, type=Event).kind == "decide"


def test_a_match_is_folded_once(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not folded anew for each entry: that would take a Pi's time from the game."""
    table, rng = Table(journal, dealer=random.Random(1)).open(), random.Random(1)
    table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion")
    for _ in range(20):
        any_deed(table, rng)
    story, folded, of = Story(journal, "window-2"), list[int](), Match.of

    def counted(filed: Filed, entries: Iterable[Entry]) -> Match:
        folded.append(filed.id)
        return of(filed, entries)

    monkeypatch.setattr(Match, "of", counted)
    for since in range(journal.seq()):
        [*_] = story.events(since, journal.entries_after(since, 1))
    assert folded == [1]
