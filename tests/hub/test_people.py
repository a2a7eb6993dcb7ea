"""Who is who across tables, and being forgotten."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from companion.errors import InvalidInput
from companion.hub import codes, people, schema
from companion.hub.intake import Intake
from companion.hub.organiser import is_organiser, organiser_code, organiser_mark
from companion.hub.results import played
from companion.hub.validation import TableMessage
from tests.hub.test_intake import everything
from tests.support.hub.stories import Evening

NOW = datetime(2026, 11, 27, 20, tzinfo=UTC)


def who_sat(engine: Engine) -> list[list[str]]:
    with engine.connect() as db:
        return [[seat.who for seat in game.seats] for game in played(db)]


def claimed(engine: Engine, name: str) -> people.Person:
    """Return a person whose claim the organiser has approved where that is needed."""
    with engine.begin() as db:
        made = people.claim(db, name, NOW)
        for claim in people.waiting_claims(db):
            people.approve(db, claim.id, NOW)
        return people.person(db, name, made.code)


def approve_all(engine: Engine) -> None:
    with engine.begin() as db:
        for claim in people.waiting_claims(db):
            people.approve(db, claim.id, NOW)


def test_a_name_is_claimed_once_and_its_code_is_kept_nowhere(engine: Engine) -> None:
    with engine.begin() as db:
        code = people.claim(db, "  Ada   Lovelace ", NOW).code
        with pytest.raises(InvalidInput, match="Ada Lovelace is claimed already"):
            people.claim(db, "Ada Lovelace", NOW)
    assert re.fullmatch(f"[{codes.LETTERS}]{{8}}", code)
    assert code not in str(everything(engine))
    with engine.connect() as db:
        for typed in (code, code.lower(), f" {code[:4]}-{code[4:]} "):
            assert people.person(db, "Ada Lovelace", typed).name == "Ada Lovelace"


def test_another_code_is_as_wrong_as_another_name(engine: Engine) -> None:
    """A guesser does not learn which names are claimed."""
    with engine.begin() as db:
        code = people.claim(db, "Ada", NOW).code
        for name, guess in (("Ada", "ABCD2345"), ("Ada", ""), ("Ben", code), ("Ada", code + "A")):
            with pytest.raises(InvalidInput, match="no such name with that code: look at both again"):
                people.person(db, name, guess)


@pytest.mark.parametrize("name", ["", "  ", "A" * 61, "A\x07", "· 1", "Ada (guest)"])
def test_what_is_no_name_cannot_be_claimed(engine: Engine, name: str) -> None:
    with engine.begin() as db, pytest.raises(InvalidInput, match="choose another"):
        people.claim(db, name, NOW)


def test_another_spelling_is_the_same_person(engine: Engine, evening: Evening) -> None:
    ada = claimed(engine, "Ada")
    with engine.begin() as db:
        assert people.also_known_as(db, ada, "Addy", NOW)
        assert people.also_known_as(db, ada, "Addy", NOW)
        assert people.waiting_spellings(db, ada) == ["Addy"]
        assert people.spellings(db, ada) == []
    assert who_sat(engine)[1] == ["Addy", "Ben", "Cleo"]
    approve_all(engine)
    assert who_sat(engine) == [["Ada", "Ben"], ["Ada", "Ben", "Cleo"], ["Cleo", "Ben"]]
    with engine.begin() as db:
        people.not_known_as(db, ada, "Addy", NOW)
        with pytest.raises(InvalidInput, match="own name"):
            people.not_known_as(db, ada, "Ada", NOW)
    assert who_sat(engine)[1] == ["Addy", "Ben", "Cleo"]


def test_somebody_elses_name_is_no_spelling(engine: Engine, evening: Evening) -> None:
    """Neither one that is claimed nor one that sat at the same table."""
    ada = claimed(engine, "Ada")
    claimed(engine, "Cleo")
    with engine.begin() as db:
        with pytest.raises(InvalidInput, match="Cleo is claimed by somebody else"):
            people.also_known_as(db, ada, "Cleo", NOW)
        with pytest.raises(InvalidInput, match="Ben has played in a game with you"):
            people.also_known_as(db, ada, "Ben", NOW)


def test_a_guest_of_the_same_name_counts_apart_until_it_was_them_after_all(
    engine: Engine, evening: Evening
) -> None:
    ada = claimed(engine, "Ada")
    with engine.begin() as db:
        first = played(db)[0].id
        people.not_me(db, ada, first)
    assert who_sat(engine)[0] == ["Ada (guest)", "Ben"]
    Intake(engine).take(one for one in evening.told() if one.what == "records")
    assert who_sat(engine)[0] == ["Ada (guest)", "Ben"], "a record that comes again changes nothing"
    with engine.begin() as db:
        people.not_me(db, ada, first, guest=False)
        with pytest.raises(InvalidInput, match="you are not in this game"):
            people.not_me(db, ada, played(db)[2].id)
    assert who_sat(engine)[0] == ["Ada", "Ben"]


def test_the_organisers_code_is_one(engine: Engine) -> None:
    with engine.begin() as db:
        assert not is_organiser(db, "")
        assert organiser_mark(db) is None
        first = organiser_code(db)
        assert is_organiser(db, first.lower())
        mark, second = organiser_mark(db), organiser_code(db)
        assert not is_organiser(db, first)
        assert is_organiser(db, second)
        assert organiser_mark(db) != mark
    assert second not in str(everything(engine))


def test_a_listener_knows_a_table_anew_once_another_process_has_accepted_it(
    tmp_path: Path, engine: Engine, evening: Evening
) -> None:
    """The site or a command accepts a machine while the listener runs."""
    listener = Intake(engine)
    listener.take([TableMessage("window-2", "here", b"here")])
    new = Evening(tmp_path / "new machine", "window-2", 2)
    new.play("galloping-horse", ("Dan", "Eva"))
    told = list(new.told())
    new.close()
    listener.take(one for one in told if one.what == "records")
    assert Intake(engine).accept("window-2") == 1
    listener.take(told)
    assert [seats for seats in who_sat(engine) if "Dan" in seats] == [["Dan", "Eva"]]
    assert everything(engine)["refused"] == []
    with engine.connect() as db:
        t = schema.tables.c
        entries = db.execute(select(t.told).where(t.name == "window-2")).scalar()
    assert entries == sum(one.what == "events" for one in told)
