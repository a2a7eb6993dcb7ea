"""Who is forgotten is nowhere, the others keep what they won and can prove it, and the organiser can undo it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Engine, select

from companion.errors import InvalidInput, RateLimitedError
from companion.hub import audit, forgetting, leagues, people, schema
from companion.hub.forgetting import DELAY, UNDO
from companion.hub.intake import Intake
from companion.hub.results import played
from companion.hub.retention import forget_due
from companion.match.record import replayed
from companion.publishing.sealed import Sealed, digest, text
from tests.hub.test_intake import everything
from tests.hub.test_people import approve_all, claimed, who_sat
from tests.support.hub.stories import Evening

NOW = datetime(2026, 11, 27, 20, tzinfo=UTC)


def shown(engine: Engine) -> str:
    """Return all that the hub shows or gives out: everything but what undoes a forgetting, and what waits."""
    hidden = {"forgettings", "audit", "events", "refused", "waiting"}
    return str({name: rows for name, rows in everything(engine).items() if name not in hidden})


def results(engine: Engine) -> list[Any]:
    """Return scores, places and victories, without names."""
    with engine.connect() as db:
        return [(game.scores, [seat[1:] for seat in game.seats]) for game in played(db)]


def records(engine: Engine) -> list[Sealed]:
    with engine.connect() as db:
        bodies = db.execute(select(schema.games.c.sealed).order_by(schema.games.c.id)).scalars()
        return [msgspec.json.decode(body, type=Sealed) for body in bodies]


def test_a_visitor_cannot_erase_a_player(engine: Engine, evening: Evening) -> None:
    """The attack: claim a name that has games, then ask to be forgotten."""
    before = everything(engine)
    with engine.begin() as db:
        made = people.claim(db, "Ada", NOW)
        assert made.waits
        with pytest.raises(InvalidInput, match="no such name with that code"):
            people.person(db, "Ada", made.code)
    after = everything(engine)
    assert {name for name in after if after[name] != before[name]} == {"claims", "audit"}


def test_a_rival_cannot_add_the_name_of_another_as_a_spelling(engine: Engine, evening: Evening) -> None:
    """Eva never played with Cleo and asks for her games."""
    eva = claimed(engine, "Eva")
    with engine.begin() as db:
        assert people.also_known_as(db, eva, "Cleo", NOW)
        assert people.spellings(db, eva) == []
        claim = people.waiting_claims(db)[0]
        assert (claim.name, claim.whose, claim.games) == ("Cleo", "Eva", 2)
        people.decline(db, claim.id, NOW)
        assert people.waiting_claims(db) == []
        with pytest.raises(InvalidInput, match="no longer waits"):
            people.approve(db, claim.id, NOW)


def test_the_organiser_approves_one_claim_of_a_name_and_can_undo_it(engine: Engine, evening: Evening) -> None:
    with engine.begin() as db:
        codes = [people.claim(db, "Ada", NOW).code for _ in range(people.MOST_OF_A_NAME)]
        with pytest.raises(RateLimitedError, match="ask the organiser"):
            people.claim(db, "Ada", NOW)
        second = people.waiting_claims(db)[1]
        people.approve(db, second.id, NOW)
        assert people.waiting_claims(db) == []
        assert people.person(db, "Ada", codes[1]).name == "Ada"
        with pytest.raises(InvalidInput, match="no such name"):
            people.person(db, "Ada", codes[0])
        people.release(db, "Ada", NOW)
        with pytest.raises(InvalidInput, match="no such name"):
            people.person(db, "Ada", codes[1])
        assert [line.action for line in audit.latest(db)][:2] == ["released", "approved"]


def test_forgetting_takes_effect_after_its_delay_unless_it_is_cancelled(
    engine: Engine, evening: Evening
) -> None:
    ada = claimed(engine, "Ada")
    with engine.begin() as db:
        asked = forgetting.ask(db, ada, NOW)
        assert forgetting.ask(db, ada, NOW + DELAY / 2) == asked, "asking again changes nothing"
    assert forget_due(engine, NOW + DELAY - timedelta(seconds=1)) == 0
    with engine.begin() as db:
        forgetting.cancel(db, ada, NOW)
    assert forget_due(engine, NOW + 2 * DELAY) == 0
    assert "Ada" in shown(engine)
    with engine.begin() as db:
        forgetting.ask(db, ada, NOW)
    assert forget_due(engine, NOW + DELAY) == 1
    assert "Ada" not in shown(engine)


def test_the_organiser_stops_it_for_a_name_in_a_running_league_alone(
    engine: Engine, evening: Evening
) -> None:
    ada, cleo = claimed(engine, "Ada"), claimed(engine, "Cleo")
    with engine.begin() as db:
        league = leagues.create(db, "Cup", "swiss", NOW - timedelta(days=9), until=NOW + timedelta(days=9))
        leagues.join(db, league, "Ada")
        one, other = forgetting.ask(db, ada, NOW), forgetting.ask(db, cleo, NOW)
        assert (one.in_league, other.in_league) == (True, False)
        forgetting.stop(db, one.id, NOW)
        with pytest.raises(InvalidInput, match="Cleo has no games in a running league"):
            forgetting.stop(db, other.id, NOW)
    assert forget_due(engine, NOW + DELAY) == 1
    assert "Ada" in shown(engine)
    assert "Cleo" not in shown(engine)


def test_who_is_forgotten_is_nowhere_and_the_others_keep_what_they_won(
    tmp_path: Path, engine: Engine, evening: Evening
) -> None:
    ada = claimed(engine, "Ada")
    with engine.begin() as db:
        people.also_known_as(db, ada, "Addy", NOW)
    approve_all(engine)
    with engine.begin() as db:
        cup = leagues.create(db, "Cup", "swiss", NOW)
        for name in ("Addy", "Ben", "Cleo"):
            leagues.join(db, cup, name)
        leagues.draw(db, cup, NOW)
    unfinished = Evening(tmp_path / "other", "window-3", 2)
    unfinished.play("galloping-pigs", ("Ada", "Ben"))
    unfinished.undo()
    Intake(engine).take(one for one in unfinished.told() if one.what in ("events", "page"))
    before, proof = results(engine), records(engine)
    with engine.begin() as db:
        assert forgetting.forget(db, "Addy", NOW) == 2
    assert "Ada" not in shown(engine)
    assert "Addy" not in shown(engine)
    assert who_sat(engine) == [["· 1", "Ben"], ["· 1", "Ben", "Cleo"], ["Cleo", "Ben"]]
    assert results(engine) == before
    for was, now in zip(proof, records(engine), strict=True):
        assert now.claim == was.claim, "what the table signed"
        assert (now.key, now.signature) == (was.key, was.signature)
        kept = [number for number, line in enumerate(now.lines) if digest(line) == now.claim.digests[number]]
        assert kept == list(range(len(now.redacted), len(now.lines))), (
            "every line but the redacted one is as signed"
        )
        race = replayed(text(now.lines)).race
        assert race is not None
        assert race.awaits() is None
        assert "Ada" not in str(race.seats)
    with engine.begin() as db:
        assert forgetting.clear(db, NOW + UNDO) == 0
        assert forgetting.clear(db, NOW + UNDO + timedelta(seconds=1)) == 1
    assert "Ada" not in str(everything(engine))
    assert "Addy" not in str(everything(engine))
    unfinished.close()


def test_the_organiser_restores_all_of_it(engine: Engine, evening: Evening) -> None:
    ada = claimed(engine, "Ada")
    with engine.begin() as db:
        cup = leagues.create(db, "Cup", "swiss", NOW)
        for name in ("Ada", "Ben", "Cleo"):
            leagues.join(db, cup, name)
        leagues.draw(db, cup, NOW)
    before = everything(engine)
    with engine.begin() as db:
        forgetting.forget(db, ada.name, NOW)
        forgetting.undo(db, forgetting.undoable(db)[0].id, NOW)
    after = everything(engine)
    for name in ("results", "games", "members", "rounds", "events", "withheld", "forgettings"):
        assert after[name] == before[name], name
    with engine.begin() as db:
        assert people.own_names(db) == {"Ada": "Ada"}
        with pytest.raises(InvalidInput, match="cannot be undone any more"):
            forgetting.undo(db, 99, NOW)


def test_two_who_are_forgotten_do_not_come_back_with_one_of_them(engine: Engine, evening: Evening) -> None:
    """Cleo and Ben sat together; both are forgotten, and only Ben is restored."""
    with engine.begin() as db:
        forgetting.forget(db, "Cleo", NOW)
        forgetting.forget(db, "Ben", NOW)
        ben = next(one for one in forgetting.undoable(db) if one.name == "Ben")
        forgetting.undo(db, ben.id, NOW)
    assert "Cleo" not in shown(engine)
    assert who_sat(engine) == [["Ada", "Ben"], ["Addy", "Ben", "· 3"], ["· 1", "Ben"]]


def test_what_tables_publish_again_brings_no_one_back(engine: Engine, evening: Evening) -> None:
    """Page, events and records of her games come again, as after a restart of the broker or the table."""
    with engine.begin() as db:
        assert forgetting.forget(db, "Ada", NOW) == 1
    Intake(engine).take(evening.told())
    assert "Ada" not in shown(engine)
    with engine.begin() as db:
        forgetting.clear(db, NOW + UNDO * 2)
    Intake(engine).take(evening.told())
    assert "Ada" not in str(everything(engine))
    with engine.begin() as db:
        assert forgetting.forget(db, "Ada", NOW) == 0


def test_a_page_that_names_a_former_player_is_not_stored_again(engine: Engine, tmp_path: Path) -> None:
    """The game is still on its table, whose page comes again with every entry."""
    table = Evening(tmp_path / "table", "window-2", 1)
    table.play("galloping-pigs", ("Ada", "Ben"))
    intake = Intake(engine)
    intake.take(table.told())
    with engine.begin() as db:
        forgetting.forget(db, "Ada", NOW)
    intake.take(table.told())
    assert everything(engine)["pages"] == []
    table.play("galloping-pigs", ("Cleo", "Ben"))
    intake.take(table.told())
    assert "Cleo" in str(everything(engine)["pages"])
    table.close()


def test_a_record_that_comes_after_the_forgetting_is_redacted(engine: Engine, tmp_path: Path) -> None:
    """Its events were heard, and it waited for the judge, or for its table's new key to be accepted."""
    table = Evening(tmp_path / "table", "window-2", 1)
    table.play("galloping-pigs", ("Ada", "Ben"))
    Intake(engine, later=True).take(table.told())
    table.close()
    with engine.begin() as db:
        assert forgetting.forget(db, "Ada", NOW) == 0
    assert Intake(engine).settle()
    assert who_sat(engine) == [["· 1", "Ben"]]
    assert json.loads(records(engine)[0].lines[0])["seats"] == ["a former player (1)", "Ben"]


def test_the_listener_is_told_whose_retained_messages_to_delete(engine: Engine, evening: Evening) -> None:
    intake = Intake(engine)
    assert intake.to_clear() == []
    with engine.begin() as db:
        forgetting.forget(db, "Ada", NOW)
    assert intake.to_clear() == ["window-2"]
    assert intake.to_clear() == []
