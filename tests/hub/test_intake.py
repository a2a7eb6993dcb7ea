"""What tables tell is in the hub's database once, whole, and only if it holds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import Engine, select, text
from sqlalchemy.exc import OperationalError

from companion.hub import database, schema
from companion.hub import intake as intake_module
from companion.hub.intake import Intake
from companion.hub.validation import TableMessage
from companion.publishing.sealed import Sealed
from tests.support.hub.stories import Evening

GAMES = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path / "table", "window-2", 1)
    yield made
    made.close()


def everything(engine: Engine) -> dict[str, list[tuple[Any, ...]]]:
    """Return all that the database holds but when it was heard."""
    with engine.connect() as db:
        return {
            table.name: [
                tuple(row)
                for row in db.execute(
                    select(*(one for one in table.c if one.name not in ("heard", "began"))).order_by(
                        *table.primary_key
                    )
                )
            ]
            for table in schema.metadata.sorted_tables
            if table is not schema.key_values
        }


def counted(engine: Engine) -> list[tuple[str, str, int, int | None]]:
    """Return what counts: by game its seats, with scores and places."""
    g, r = schema.games.c, schema.results.c
    with engine.connect() as db:
        rows = db.execute(
            select(g.game, r.name, r.score, r.place)
            .join_from(schema.games, schema.results)
            .where(g.counts)
            .order_by(g.match, r.seat)
        )
        return [tuple(row) for row in rows]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_there_with_its_result(engine: Engine, evening: Evening, game: str) -> None:
    evening.play(game, ("Ada", "Ben", "Cleo"))
    Intake(engine).take(evening.told())
    race = evening.table.ledger.running().race
    by_seat = sorted(race.standings(), key=lambda standing: standing.seat)
    assert counted(engine) == [(game, one.name, one.score, one.place) for one in by_seat]
    stored = everything(engine)
    assert len(stored["events"]) == evening.journal.seq()
    assert stored["refused"] == []


def test_what_comes_twice_and_in_any_pieces_is_there_once(
    tmp_path: Path, engine: Engine, evening: Evening
) -> None:
    """Pieces of all sizes, each passed on again as a broker does; new hubs between."""
    evening.play("galloping-pigs", ("Ada", "Ben"))
    evening.undo()
    evening.go_on()
    evening.play("galloping-horse", ("Ada", "Cleo"))
    told = list(evening.told())
    Intake(engine).take(told)
    at_once = everything(engine)
    rng = random.Random(3)
    other = database.opened(f"sqlite:///{tmp_path / 'other.sqlite'}")
    at = 0
    while at < len(told):
        until = at + rng.randrange(1, 30)
        Intake(other).take(told[max(0, at - rng.randrange(30)) : until])
        at = until
    assert everything(other) == at_once
    other.dispose()


def test_an_end_that_is_taken_back_does_not_count_until_there_is_another(
    engine: Engine, evening: Evening
) -> None:
    evening.play("galloping-pigs", ("Ada", "Ben"))
    intake = Intake(engine)
    first = list(evening.told())
    intake.take(first)
    assert len(counted(engine)) == 2
    evening.undo()
    intake.take(evening.told())
    assert counted(engine) == []
    record = next(one for one in first if one.what == "records")
    intake.take([record])  # its luck became known too late
    assert counted(engine) == []
    evening.go_on()
    intake.take(evening.told())
    assert len(counted(engine)) == 2


def test_a_record_that_was_changed_is_refused_with_its_line(engine: Engine, evening: Evening) -> None:
    evening.play("galloping-pigs", ("Ada", "Ben"))
    told = next(one for one in evening.told() if one.what == "records")
    given = msgspec.json.decode(told.payload, type=Sealed)
    forged = replace(given, lines=[given.lines[0].replace("Ben", "Bob"), *given.lines[1:]])
    Intake(engine).take([told._replace(payload=msgspec.json.encode(forged))])
    assert counted(engine) == []
    ((_, table, _, reason, *_),) = everything(engine)["refused"]
    assert (table, reason) == ("window-2", "1: this line is not the one that the table signed")


def test_a_record_of_another_key_waits_until_it_is_accepted(
    tmp_path: Path, engine: Engine, evening: Evening
) -> None:
    """It may be a new machine under an old name, or another one that claims to be that table."""
    evening.play("galloping-pigs", ("Ada", "Ben"))
    intake = Intake(engine)
    intake.take(evening.told())
    other = Evening(tmp_path / "new machine", "window-2", 2)
    for _ in range(2):
        other.play("galloping-horse", ("Ada", "Ben"))
    intake.take(one for one in other.told() if one.what == "records")
    assert {game for game, *_ in counted(engine)} == {"galloping-pigs"}
    assert "companion hub accept window-2" in everything(engine)["refused"][0][3]
    assert intake.accept("window-2") == 2
    games = sorted(game for game, *_ in counted(engine))
    assert games == ["galloping-horse"] * 4 + ["galloping-pigs"] * 2, "its numbers begin anew"
    intake.take(other.told())
    assert sorted(game for game, *_ in counted(engine)) == games
    assert everything(engine)["refused"] == []
    other.close()


def test_a_key_that_another_process_has_believed_meanwhile_counts(
    tmp_path: Path, engine: Engine, evening: Evening
) -> None:
    """The site takes in the first record of a table that the listener has met already."""
    evening.play("galloping-pigs", ("Ada", "Ben"))
    listener = Intake(engine)
    listener.take([TableMessage("window-2", "here", b"here")])
    Intake(engine).take(one for one in evening.told() if one.what == "records")
    other = Evening(tmp_path / "new machine", "window-2", 2)
    other.play("galloping-horse", ("Ada", "Ben"))
    listener.take(one for one in other.told() if one.what == "records")
    other.close()
    assert {game for game, *_ in counted(engine)} == {"galloping-pigs"}
    assert "companion hub accept window-2" in everything(engine)["refused"][0][3]


@pytest.mark.parametrize(
    "told",
    [
        TableMessage("window-2", what, payload)
        for what in ("page", "events", "records")
        for payload in (b"", b"{}", b"[]", b"\xff", b'{"entry": "1"}', b"null", b"1" * 5000)
    ],
    ids=lambda told: f"{told.what} {told.payload[:20]!r}",
)
def test_what_cannot_be_read_stops_nothing(engine: Engine, evening: Evening, told: TableMessage) -> None:
    evening.play("galloping-pigs", ("Ada", "Ben"))
    Intake(engine).take([told, *evening.told(), told])
    assert len(counted(engine)) == 2


def test_what_is_missing_before_an_event_is_counted(engine: Engine, evening: Evening) -> None:
    evening.play("galloping-pigs", ("Ada", "Ben"))
    told = [one for one in evening.told() if one.what == "events"]
    Intake(engine).take([*told[:5], *told[7:]])
    with engine.connect() as db:
        assert db.execute(select(schema.tables.c.gaps)).scalar() == 1


def test_a_batch_is_taken_in_whole_or_not_at_all(
    engine: Engine, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database fails behind any one of its statements: the same batch again brings everything."""
    evening.play("galloping-pigs", ("Ada", "Ben"))
    told = list(evening.told())
    intake, each = Intake(engine), intake_module._each
    statements: list[Any] = []

    def counted(*given: Any) -> None:
        each(*given)
        statements.append(given)
        if len(statements) == broken:
            raise OSError("the disk is full")

    monkeypatch.setattr(intake_module, "_each", counted)
    for broken in range(1, 100):  # noqa: B007 - `counted` looks at it
        statements.clear()
        try:
            intake.take(told)
            break
        except OSError:
            assert everything(engine)["events"] == []
    assert broken > 6
    assert len(everything(engine)["events"]) == evening.journal.seq()


def test_a_database_that_is_none_is_named_and_its_password_is_not() -> None:
    with pytest.raises(Exception, match="write postgresql://user@host/name or sqlite:///file"):
        database.opened("nonsense")
    with pytest.raises(Exception, match="cannot be opened") as told:
        database.opened("postgresql://ada:secret@127.0.0.1:1/club")
    assert "secret" not in str(told.value)


def test_the_migrations_make_what_the_schema_says(engine: Engine) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    with engine.connect() as db:
        assert compare_metadata(MigrationContext.configure(db), schema.metadata) == []


def test_records_that_are_replayed_later_bring_the_same(
    tmp_path: Path, engine: Engine, evening: Evening
) -> None:
    """That holds for a game that meanwhile ended, went on after an undo and ended anew."""
    evening.play("galloping-pigs", ("Ada", "Ben"))
    evening.undo()
    ended_once = list(evening.told())
    evening.go_on()
    evening.play("galloping-horse", ("Ada", "Cleo"))
    told = list(evening.told())
    other = database.opened(f"sqlite:///{tmp_path / 'other.sqlite'}")
    Intake(other).take(told)
    at_once = everything(other)
    other.dispose()
    listener, judge = Intake(engine, later=True), Intake(engine)
    listener.take(ended_once)
    assert judge.settle()
    assert counted(engine) == [], "its end was taken back"
    listener.take(told)
    while judge.settle():
        pass
    assert everything(engine) == at_once


def test_a_record_that_cannot_be_kept_now_still_waits(engine: Engine, evening: Evening) -> None:
    evening.play("galloping-pigs", ("Ada", "Ben"))
    Intake(engine, later=True).take(evening.told())
    judge = Intake(engine)
    with engine.begin() as db:
        db.execute(text("alter table results rename to away"))
    with pytest.raises(OperationalError):
        judge.settle()
    with engine.begin() as db:
        db.execute(text("alter table away rename to results"))
    assert counted(engine) == []
    assert judge.settle()
    assert len(counted(engine)) == 2
    assert not judge.settle()


def test_since_when_a_table_is_gone_stays_when_the_broker_says_so_again(engine: Engine) -> None:
    """A hub that reconnects hears what the broker retains, once more."""
    eight, nine, ten = (datetime(2026, 11, 28, hour, tzinfo=UTC) for hour in (20, 21, 22))
    intake = Intake(engine)
    intake.take([TableMessage("window-2", "here", b"here")], eight)
    intake.take([TableMessage("window-2", "here", b"gone")], nine)
    Intake(engine).take([TableMessage("window-2", "here", b"gone")], ten)
    t = schema.tables.c
    with engine.connect() as db:
        here, heard = db.execute(select(t.here, t.heard)).one()
    assert (here, database.utc(heard)) == (False, nine)
    intake.take([TableMessage("window-2", "here", b"here")], ten)
    with engine.connect() as db:
        assert database.utc(db.execute(select(t.heard)).scalar_one()) == ten
