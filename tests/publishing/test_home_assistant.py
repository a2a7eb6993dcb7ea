"""What Home Assistant reads of a table through the templates that it gets: the table page as a device."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from jinja2.sandbox import ImmutableSandboxedEnvironment

from companion import games
from companion.games.race import random_decision
from companion.match.record import Header, decision_line
from companion.publishing.home_assistant import WON, discovery
from companion.reply import encoded
from companion.settings import MqttSettings
from companion.store.journal import Journal
from companion.table.table import Table
from companion.translate import Words
from companion.views.table import public
from tests.games.test_laws import header_of
from tests.publishing.test_events import GAMES, any_deed, events
from tests.publishing.test_mosquitto import drawn, publishing, warned
from tests.support.broker import Listener, running
from tests.support.client import PATIENCE_S

TOPIC = "companion/window-2"
CONFIG = "homeassistant/device/companion_window-2/config"
DEVICE = json.loads(discovery(TOPIC, "window-2")[1])
ENTITIES: dict[str, dict[str, Any]] = DEVICE["components"]


def read(key: str, payload: bytes, template: str = "value_template") -> str:
    """Return what Home Assistant makes of a message: Jinja's sandbox over its JSON."""
    text = ImmutableSandboxedEnvironment().from_string(ENTITIES[key][template])
    return text.render(value_json=json.loads(payload))


def shown(table: Table) -> bytes:
    """Return the picture of the table as it is published."""
    return encoded(public.table(table.snapshot, Words.english()))


def test_where_it_is_found() -> None:
    """It is at a separate topic, without the letters that Home Assistant does not take in one."""
    topic, _ = discovery("club.west/upstairs/window-2", "window-2")
    assert topic == "homeassistant/device/club_west_upstairs_window-2/config"


def test_every_entity_is_one_of_its_own() -> None:
    """Each with a name that no other has, reading nothing but this table's topics."""
    ids = [entity["unique_id"] for entity in ENTITIES.values()]
    assert len(set(ids)) == len(ids) == len({entity["name"] for entity in ENTITIES.values()})
    assert all(one.startswith("companion_window-2_") for one in ids)
    topics = {value for entity in ENTITIES.values() for key, value in entity.items() if key.endswith("topic")}
    assert topics | {DEVICE["state_topic"]} == {f"{TOPIC}/picture", f"{TOPIC}/events"}


def test_an_empty_table(journal: Journal) -> None:
    """It is no one's turn, no one leads, nothing is wrong."""
    picture = shown(Table(journal).open())
    read_of = {key: read(key, picture) for key in ENTITIES if key != "happened"}
    assert read_of == dict.fromkeys(("turn", "leader", "chance", "game"), "None") | {
        "problem": "OFF",
        **dict.fromkeys(("pad", "track", "panel"), "tap"),
    }
    assert json.loads(read("game", picture, "json_attributes_template")) == {}


@pytest.mark.parametrize("game", GAMES)
def test_it_says_what_the_table_page_says(game: str, journal: Journal) -> None:
    """After every entry of a game: whose turn it is, who leads, and what the parts are."""
    rng = random.Random(game)
    table = Table(journal, dealer=random.Random(1)).open()
    table.begin(header_of(games.find_by_name(game), rng), "companion")
    for _ in range(60):
        any_deed(table, rng)
        race = table.ledger.running().race
        picture, names = shown(table), race.seats
        due = race.awaits()
        assert read("turn", picture) == (
            ", ".join(names[seat] for seat in sorted(due.seats)) if due else "None"
        )
        first = [row.name for row in race.standings() if row.place == 1]
        assert read("leader", picture) == (", ".join(first) or "None")
        assert read("game", picture) == game
        assert json.loads(read("game", picture, "json_attributes_template"))["seats"] == list(names)


def test_the_leaders_chance() -> None:
    """In whole per cent, of two who lead the better one's, none without odds."""
    standings = [{"seat": seat, "name": str(seat), "score": 3, "place": 1} for seat in (2, 0)]
    chances = [{"what": "win", "seat": seat, "p": p} for seat, p in enumerate((0.284, 0.5, 0.216))]
    chances.append({"what": "keep", "seat": 0, "p": 0.9})
    picture = {"standings": standings, "odds": {"chances": chances}}
    assert read("chance", encoded(picture)) == "28"
    assert read("chance", encoded(picture | {"odds": None})) == "None"
    assert read("chance", encoded(picture | {"standings": []})) == "None"


def test_what_is_wrong() -> None:
    """A problem is on while there is an alert, with its text."""
    picture = {"alerts": [{"kind": "lost", "part": "track", "text": "the track is unplugged"}]}
    assert read("problem", encoded(picture)) == "ON"
    attributes = json.loads(read("problem", encoded(picture), "json_attributes_template"))
    assert attributes == {"alerts": ["the track is unplugged"]}


@pytest.mark.parametrize("game", GAMES)
def test_what_happened_is_an_event(game: str, journal: Journal) -> None:
    """Each is of a declared kind; won is what ends the game, and what is put back after it was taken back."""
    rng = random.Random(game)
    table = Table(journal, dealer=random.Random(1)).open()
    table.begin(header_of(games.find_by_name(game), rng), "companion")
    while (decision := random_decision(table.ledger.running().race, rng)) is not None:
        table.play.decide(table.snapshot.seq, decision_line(table.ledger.running().race, decision))
    table.play.undo(table.snapshot.seq)
    table.play.redo(table.snapshot.seq)
    happened = [json.loads(read("happened", encoded(event))) for event in events(journal)]
    kinds = [one["event_type"] for one in happened]
    assert [n for n, kind in enumerate(kinds) if kind == WON] == [len(kinds) - 3, len(kinds) - 1]
    assert (kinds[0], {*kinds[1:-3]}, kinds[-2]) == ("new", {"decide"}, "undo")
    assert set(kinds) < set(ENTITIES["happened"]["event_types"])
    race = table.ledger.running().race
    assert happened[-1]["leaders"] == [row.name for row in race.standings() if row.place == 1]


@pytest.mark.long
@pytest.mark.parametrize("is_set", [False, True])
def test_it_is_found_at_the_broker(is_set: bool, tmp_path: Path, journal: Journal) -> None:
    """The discovery message is retained at the broker, but only if the settings ask for it.

    Only here: a discovery message that a real broker does not retain.
    """
    with running(tmp_path) as broker:
        settings = MqttSettings("127.0.0.1", broker.port, table="window-2", home_assistant=is_set)
        early = Listener(broker.port)
        with publishing(journal, settings):
            early.until(lambda: drawn(early, "page") == 0, "its pages, which come last")
        late = Listener(broker.port)
        late.until(lambda: len(late.retained) == 3 + is_set, "what is kept")
        assert early.last.get(CONFIG) == (discovery(TOPIC, "window-2")[1] if is_set else None)
        assert (CONFIG in late.retained) == is_set
        early.close()
        late.close()


@pytest.mark.long
def test_a_broker_that_forbids_it_gets_the_rest(tmp_path: Path, journal: Journal) -> None:
    """Under rules that allow only the table's own topics, the log says so and the game is published.

    Only here: a discovery message that a real broker refuses and that stops the events of the game.
    """
    rules = tmp_path / "rules"
    rules.write_text("topic readwrite companion/#\n")
    with running(tmp_path, f"allow_anonymous true\nacl_file {rules}\n") as broker:
        settings = MqttSettings("127.0.0.1", broker.port, table="window-2", home_assistant=True)
        listener = Listener(broker.port)
        with (
            warned("Home Assistant will not find this table") as said,
            publishing(journal, settings) as table,
        ):
            table.ask(lambda table: table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion"))
            listener.heard(journal.seq())
            assert said.wait(PATIENCE_S)
        listener.close()
