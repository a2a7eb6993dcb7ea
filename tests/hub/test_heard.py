"""When the hub heard of a game: what decides its round and its day if a table's clock is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from msgspec import json
from sqlalchemy import Connection, Engine, insert, inspect, select, text, update

from companion.hub import database, leagues, schema
from companion.hub.intake import Intake
from companion.hub.results import Played, played
from companion.hub.validation import TableMessage
from tests.support.hub.stories import Evening

NOW = datetime(2026, 11, 1, 20, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
SEATS = ("Ada", "Ben", "Cleo")


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """Yield a table with a wrong clock for this hub: it has today's time, not that of NOW."""
    made = Evening(tmp_path / "table", "window-2", 1)
    made.play("galloping-pigs", SEATS)
    yield made
    made.close()


def take_live(engine: Engine, told: Sequence[TableMessage], began: datetime, ended: datetime) -> None:
    """Take in the first event and the others at these times."""
    first = next(number for number, one in enumerate(told) if one.what == "events") + 1
    Intake(engine).take(told[:first], began)
    Intake(engine).take(told[first:], ended)


def games(engine: Engine) -> list[Played]:
    with engine.connect() as db:
        return played(db)


def took_an_hour(told: Sequence[TableMessage]) -> list[TableMessage]:
    """Return the same events, the first with a time an hour earlier."""
    events = [number for number, one in enumerate(told) if one.what == "events"]
    first = json.decode(told[events[0]].payload)
    first["at"] = (datetime.fromisoformat(first["at"]) - 60 * MINUTE).isoformat()
    changed = list(told)
    changed[events[0]] = told[events[0]]._replace(payload=json.encode(first))
    return changed


def test_a_game_that_is_heard_while_it_is_played_has_the_hubs_times(engine: Engine, evening: Evening) -> None:
    take_live(engine, list(evening.told()), NOW, NOW + 20 * MINUTE)
    (game,) = games(engine)
    assert (game.began, game.heard) == (NOW, NOW + 20 * MINUTE)
    assert game.when == game.heard, "its table's clock is fast"
    assert game.at > game.heard


def test_events_that_come_together_do_not_say_when_a_game_was_played(
    engine: Engine, evening: Evening
) -> None:
    take_live(engine, took_an_hour(list(evening.told())), NOW, NOW + 20 * MINUTE)
    (game,) = games(engine)
    assert (game.began, game.heard) == (None, NOW + 20 * MINUTE)


def test_events_in_one_batch_do_not_say_when_a_short_game_was_played(
    engine: Engine, evening: Evening
) -> None:
    Intake(engine).take(evening.told(), NOW)
    (game,) = games(engine)
    assert (game.began, game.heard) == (None, NOW)


def test_a_record_out_of_a_file_says_only_when_it_was_taken_in(engine: Engine, evening: Evening) -> None:
    record = next(one for one in evening.told() if one.what == "records")
    Intake(engine).bring(record.payload, NOW)
    (game,) = games(engine)
    assert (game.began, game.heard) == (None, NOW)


def test_a_record_that_comes_after_its_events_ended_when_they_did(engine: Engine, evening: Evening) -> None:
    told = list(evening.told())
    take_live(engine, [one for one in told if one.what != "records"], NOW, NOW + 20 * MINUTE)
    Intake(engine).take([one for one in told if one.what == "records"], NOW + 90 * MINUTE)
    (game,) = games(engine)
    assert (game.began, game.heard) == (NOW, NOW + 20 * MINUTE)


def test_a_game_that_ends_anew_was_heard_when_it_ended_first(engine: Engine, evening: Evening) -> None:
    take_live(engine, list(evening.told()), NOW, NOW + 20 * MINUTE)
    evening.undo()
    evening.go_on()
    Intake(engine).take(evening.told(), NOW + 90 * MINUTE)
    (game,) = games(engine)
    assert (game.began, game.heard) == (NOW, NOW + 20 * MINUTE)


def test_a_record_that_waited_for_its_machine_to_be_accepted_was_heard_when_it_came(
    tmp_path: Path, engine: Engine, evening: Evening
) -> None:
    Intake(engine).take(evening.told(), NOW)
    new = Evening(tmp_path / "new", "window-2", 9)
    new.play("galloping-pigs", ("Dan", "Eva"))
    record = next(one for one in new.told() if one.what == "records")
    new.close()
    Intake(engine).take([record], NOW + MINUTE)
    assert Intake(engine).accept("window-2", NOW + 90 * MINUTE) == 1
    assert [game.heard for game in games(engine)] == [NOW, NOW + MINUTE]


def test_a_result_stays_with_its_round_from_the_table_to_the_league(engine: Engine, evening: Evening) -> None:
    """The clock of the table is weeks fast: the next round is drawn long before the time of its game."""
    with engine.begin() as db:
        league = leagues.create(db, "Cup", "swiss", NOW, game="galloping-pigs")
        for name in SEATS:
            leagues.join(db, league, name)
        leagues.draw(db, league, NOW)
    take_live(engine, list(evening.told()), NOW + MINUTE, NOW + 20 * MINUTE)
    with engine.begin() as db:
        leagues.draw(db, league, NOW + 30 * MINUTE)
        first, second = leagues.rounds(db, league)
    assert first.missing == []
    assert [table.game for table in second.tables] == [None]


def test_a_database_from_before_keeps_its_games_and_their_rounds(tmp_path: Path, engine: Engine) -> None:
    def migrate(db: Connection, to: str) -> None:
        how = command.downgrade if to == "0002" else command.upgrade
        how(database.migrations(db), to)

    with engine.begin() as db:
        db.execute(insert(schema.tables).values(id=1, name="window-2", heard=NOW))
        mine: dict[str, Any] = {"table_id": 1, "entry": 1, "game": "greyhounds", "counts": True, "sealed": ""}
        db.execute(insert(schema.games).values(id=1, match=1, at=NOW + MINUTE, **mine))
        for seat, name in enumerate(SEATS):
            values = {"score": 1, "place": 1, "victory": 0.5}
            db.execute(insert(schema.results).values(game_id=1, seat=seat, name=name, **values))
        league = leagues.create(db, "Cup", "swiss", NOW)
        for name in SEATS:
            leagues.join(db, league, name)
        leagues.draw(db, league, NOW)
        db.execute(update(schema.games).values(heard=NOW + 90 * MINUTE))
        migrate(db, "0002")
        columns = {one["name"] for table in ("games", "rounds") for one in inspect(db).get_columns(table)}
        assert not columns & {"heard", "began", "games"}
        assert db.execute(text("SELECT count(*) FROM results")).scalar() == len(SEATS)
        migrate(db, "0003")
    with engine.connect() as db:
        (game,) = played(db)
        assert (game.began, game.heard, len(game.seats)) == (NOW + MINUTE, NOW + MINUTE, 3)
        assert [table.game for table in leagues.rounds(db, league)[0].tables] == [game]
        assert db.execute(select(schema.rounds.c.games)).scalar() == "[]"
