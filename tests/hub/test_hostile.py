"""No message of a table stops the hub or changes anything of another table, with any content."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Engine, select

from companion.hub import schema
from companion.hub.intake import MOST_QUARANTINED, Intake
from companion.hub.listener import MOST, Received, _Session
from companion.hub.results import played
from companion.hub.site import create_hub
from companion.hub.validation import LARGEST, TableMessage
from companion.publishing.sealed import Luck, Sealed, sealed
from companion.publishing.signing import signed
from companion.settings import MqttSettings
from tests.support.hub.databases import emptied, postgresql, sqlite
from tests.support.hub.stories import Evening

EVENT: dict[str, Any] = {
    "table": "attic",
    "match": 1,
    "entry": 1,
    "previous": 0,
    "at": "2026-11-28T19:00:00+00:00",
    "state": "running",
    "seats": ["Eva"],
}
VIEW: dict[str, Any] = {"match": None, "standings": [], "unit": None, "odds": None}


@pytest.fixture(
    scope="module",
    params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)],
)
def everywhere(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Yield a database of each kind.

    Only here: a message that PostgreSQL takes otherwise than SQLite does.
    """
    made = {"sqlite": sqlite, "postgresql": postgresql}[request.param]
    with made(tmp_path_factory.mktemp("hub")) as engine:
        yield engine


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> list[TableMessage]:
    """Return a game of Ada and Ben at window-2, as its table publishes it."""
    evening = Evening(tmp_path_factory.mktemp("table"), "window-2", 1)
    evening.play("galloping-pigs", ("Ada", "Ben"))
    published = list(evening.messages())
    evening.close()
    return published


@pytest.fixture(scope="module")
def record(story: list[TableMessage]) -> Sealed:
    """Return the sealed record of that game."""
    (found,) = (msgspec.json.decode(one.payload, type=Sealed) for one in story if one.what == "records")
    return found


def signed_by_the_attic(record: Sealed, lines: list[str] | None = None, **claimed: Any) -> TableMessage:
    """Return the same record as another table signs it with its key, with other claims."""
    key = Ed25519PrivateKey.from_private_bytes(b"\1" * 32)
    claim: dict[str, Any] = {
        "match": 1,
        "entry": 9,
        "at": "2026-11-28T19:00:00+00:00",
        "luck": None,
    } | claimed
    text = "\n".join(lines or record.lines) + "\n"
    return TableMessage("attic", "records", msgspec.json.encode(sealed(text, key, table="attic", **claim)))


def with_seats(record: Sealed, *seats: str) -> list[str]:
    """Return the lines of a record with these people at the table."""
    header = json.loads(record.lines[0]) | {"seats": list(seats)}
    return [json.dumps(header), *record.lines[1:]]


def everything_of(engine: Engine, table: str) -> list[Any]:
    """Return all rows of a table, without the time at which it was heard."""
    t = schema.tables.c
    with engine.connect() as db:
        number = db.execute(select(t.id).where(t.name == table)).scalar()
        row = select(t.told, t.gaps, t.here, t.key).where(t.name == table)
        found: list[Any] = [tuple(one) for one in db.execute(row)]
        for one in (schema.pages, schema.events, schema.games):
            columns = [column for column in one.c if column.name not in ("heard", "id", "table_id")]
            rows = db.execute(select(*columns).where(one.c.table_id == number).order_by(*columns[:2]))
            found += [tuple(row) for row in rows]
        names = select(schema.results).join_from(schema.results, schema.games)
        found += [
            tuple(row)[1:]
            for row in db.execute(
                names.where(schema.games.c.table_id == number).order_by(schema.results.c.seat)
            )
        ]
        return found


def reasons(engine: Engine, table: str = "attic") -> list[str]:
    """Return why messages of this table are in quarantine."""
    q = schema.refused.c
    with engine.connect() as db:
        return list(db.execute(select(q.reason).where(q.table == table).order_by(q.id)).scalars())


BAD_EVENTS = {
    "NUL in a text": {"state": "run\0"},
    "NUL in a name": {"seats": ["E\0va"]},
    "a number beyond its column": {"entry": 2**31},
    "a number beyond 64 bits": {"match": 10**30},
    "before it began": {"previous": 7},
    "another table's": {"table": "window-2", "entry": 2**31 - 1},
    "the first second of the calendar": {"at": "0001-01-01T00:00:00+14:00"},
    "no zone": {"at": "2026-11-28T19:00:00"},
    "300 letters": {"seats": ["E" * 300]},
}


@pytest.mark.parametrize("change", BAD_EVENTS.values(), ids=BAD_EVENTS)
def test_a_bad_event_is_quarantined_and_the_others_are_stored(
    everywhere: Engine, story: list[TableMessage], change: dict[str, Any]
) -> None:
    bad = TableMessage("attic", "events", json.dumps(EVENT | change).encode())
    others_are_unchanged(everywhere, story, bad)


BAD_PAGES = {
    "no views": {"seq": 1},
    "no English": {"seq": 1, "pages": {"de": VIEW}},
    "a score beyond 64 bits": {
        "seq": 1,
        "pages": {
            "en": VIEW
            | {"standings": [{"seat": 0, "name": "Eva", "kept": 10**30, "place": None, "now": False}]}
        },
    },
    "a chance of 2": {
        "seq": 1,
        "pages": {"en": VIEW | {"odds": {"rows": [{"seat": 0, "name": "E", "p": 2}]}}},
    },
    "a number beyond its column": {"seq": 2**31, "pages": {"en": VIEW}},
}


@pytest.mark.parametrize("page", BAD_PAGES.values(), ids=BAD_PAGES)
def test_a_bad_page_is_quarantined_and_the_front_page_stays(
    everywhere: Engine, story: list[TableMessage], page: dict[str, Any]
) -> None:
    bad = TableMessage("attic", "page", json.dumps(page).encode())
    others_are_unchanged(everywhere, story, bad)
    site = create_hub(everywhere).test_client()
    assert [site.get(path).status_code for path in ("/", "/tables.json", "/games", "/people")] == [200] * 4


BAD_CLAIMS: dict[str, dict[str, Any]] = {
    "no time": {"at": "garbage"},
    "the first second of the calendar": {"at": "0001-01-01T00:00:00+14:00"},
    "a match of 10**12": {"match": 10**12},
    "an entry of 2**31": {"entry": 2**31},
    "a luck of 2**40": {"luck": [Luck(50, 50, 2**40, 0, 0)]},
}


@pytest.mark.parametrize("later", [False, True], ids=["at once", "by the judge"])
@pytest.mark.parametrize("claimed", BAD_CLAIMS.values(), ids=BAD_CLAIMS)
def test_a_bad_record_is_quarantined_and_the_others_are_stored(
    everywhere: Engine, story: list[TableMessage], record: Sealed, claimed: dict[str, Any], later: bool
) -> None:
    others_are_unchanged(everywhere, story, signed_by_the_attic(record, **claimed), later)


@pytest.mark.parametrize("name", ["A\0da", "A" * 300, "Ada\u202e"], ids=["NUL", "300 letters", "unseen"])
@pytest.mark.parametrize("later", [False, True], ids=["at once", "by the judge"])
def test_a_record_with_a_bad_name_is_quarantined(
    everywhere: Engine, story: list[TableMessage], record: Sealed, name: str, later: bool
) -> None:
    """Names pass the same check as at a table."""
    bad = signed_by_the_attic(record, with_seats(record, name, "Ben"))
    others_are_unchanged(everywhere, story, bad, later)


def others_are_unchanged(
    engine: Engine, story: list[TableMessage], bad: TableMessage, later: bool = False
) -> None:
    """Assert that the bad message, before and amid window-2's story, changes nothing stored of it."""
    emptied(engine)
    Intake(engine).take(story)
    expected = everything_of(engine, "window-2")
    emptied(engine)
    half = len(story) // 2
    intake = Intake(engine, later)
    intake.take([bad])
    intake.take([*story[:half], bad, *story[half:]])
    while intake.settle():
        pass
    assert everything_of(engine, "window-2") == expected
    assert len(reasons(engine)) == 2
    assert everything_of(engine, "attic") in ([], [(0, 0, False, None)])


def test_what_the_database_itself_rejects_is_quarantined(
    everywhere: Engine, story: list[TableMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message that passes the schema and fails in the database, which no one has thought of."""
    from companion.hub import validation

    monkeypatch.setattr(validation, "_check_time", lambda at, is_set=True: at)
    monkeypatch.setattr(validation, "Number", int)
    emptied(everywhere)
    Intake(everywhere).take(story)
    expected = everything_of(everywhere, "window-2")
    emptied(everywhere)
    bad = TableMessage("attic", "events", json.dumps(EVENT | {"at": "0001-01-01T00:00:00+14:00"}).encode())
    Intake(everywhere).take([*story[:5], bad, *story[5:]])
    assert everything_of(everywhere, "window-2") == expected


def test_the_records_of_one_table_do_not_delay_those_of_another(
    everywhere: Engine, story: list[TableMessage], record: Sealed
) -> None:
    """A hundred records of one table wait; the first of another is replayed second at the latest."""
    emptied(everywhere)
    intake = Intake(everywhere, later=True)
    intake.take([signed_by_the_attic(record, match=match) for match in range(1, 101)])
    intake.take(story)
    intake.settle()
    intake.settle()
    with everywhere.connect() as db:
        assert "window-2" in {game.table for game in played(db)}


def test_one_table_fills_its_own_quarantine_alone(everywhere: Engine, record: Sealed) -> None:
    emptied(everywhere)
    intake = Intake(everywhere)
    intake.take([TableMessage("window-2", "records", b"{}")])
    intake.take([TableMessage("attic", "events", b"{}")] * (MOST_QUARANTINED + 50))
    assert len(reasons(everywhere, "attic")) == MOST_QUARANTINED
    assert len(reasons(everywhere, "window-2")) == 1


def test_the_largest_messages_of_one_table_delay_no_one(
    everywhere: Engine, record: Sealed, story: list[TableMessage]
) -> None:
    """500 records of 1 MB come at once: each transaction takes at most a second of the processor's time."""
    emptied(everywhere)
    text = [record.lines[0], *[record.lines[1]] * 5_000]
    large = signed_by_the_attic(record, text)
    no_json = TableMessage("attic", "records", b"x" * LARGEST["records"])
    session = _Session(MqttSettings("localhost"), "hub", lambda message: None)
    intake, waits = Intake(everywhere, later=True), 0
    for number, message in enumerate([large, no_json] * 50):
        session._queue.put(Received(message, number, 1))
    for message in story:
        session._queue.put(Received(message, 1000, 1))
    while batch := session.next_batch(MOST, 0):
        waits += 1
        start = time.process_time()
        intake.take([one.message for one in batch])
        assert time.process_time() - start < 1, [len(one.message.payload) for one in batch]
    assert waits > 2
    assert everything_of(everywhere, "window-2")


# --- whose message it is -------------------------------------------------------------------------


def test_who_knows_the_password_cannot_speak_for_another_table(
    everywhere: Engine, story: list[TableMessage]
) -> None:
    """Once a table has signed a message, events and pages without its signature are quarantined.

    So an event with the highest number of all no longer mutes the table for good.
    """
    emptied(everywhere)
    Intake(everywhere).take(story)
    expected = everything_of(everywhere, "window-2")
    muting = EVENT | {"table": "window-2", "entry": 2**31 - 1}
    forged = json.dumps(muting).encode()
    other = Ed25519PrivateKey.from_private_bytes(b"\2" * 32)
    (_, key), (_, signature) = signed(other, "window-2", "events", forged)
    genuine = next(one for one in story if one.what == "events")
    page = next(one for one in story if one.what == "page")
    Intake(everywhere).take(
        [
            TableMessage("window-2", "events", forged),
            TableMessage("window-2", "events", forged, key, signature),
            TableMessage("window-2", "events", forged, genuine.key, genuine.signature),
            TableMessage("window-2", "page", page.payload.replace(b"Ada", b"Eva")),
            page._replace(table="attic"),  # a page of one table as another's
        ]
    )
    assert everything_of(everywhere, "window-2") == expected
    assert [reason.partition(":")[0] for reason in reasons(everywhere, "window-2")] == [
        "it is not signed, and the messages before it were",
        "another key has signed this than this table's messages before",
        "its signature is wrong",
        "it is not signed, and the messages before it were",
    ]
    assert reasons(everywhere, "attic") == ["its signature is wrong"]
