"""The hub's pages: every route, in every language, empty and after an evening, and the rights of each role.

Only here: a page of the hub that fails in one language or on an empty database, a post from another site that
changes something, or a person who is still named after they were forgotten.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from sqlalchemy import Engine, select

from companion.hub import database, forgetting, leagues, organiser, people, schema
from companion.hub.forgetting import DELAY
from companion.hub.intake import Intake
from companion.hub.results import played
from companion.hub.retention import forget_due
from companion.hub.site import create_hub
from companion.hub.tables import LISTED
from companion.hub.validation import TableMessage
from companion.publishing.sealed import Sealed
from tests.support.hub.hub_site import after_an_evening
from tests.support.hub.stories import PEOPLE, Evening

pytestmark = pytest.mark.long  # a hub with an evening for each route: minutes

LANGUAGES = ("en", "fr", "de")
NOW = datetime(2020, 1, 1, tzinfo=UTC)
PAGES = ("/", "/leagues", "/people", "/games", "/claim", "/me", "/organiser", "/organiser/names")
OF_THE_EVENING = (
    *("/tables/table-0", "/leagues/winter", "/leagues/swiss-cup", "/people/Ada", "/games/1", "/games?page=2"),
)
DATA = ("/tables.json", "/people.json", "/games.json", "/games.csv", "/healthz")
DATA_OF_THE_EVENING = (
    *("/tables/table-0.json", "/tables/table-0/page.json?language=de", "/leagues/winter.csv"),
    *("/leagues/winter.json", "/leagues/swiss-cup.json", "/people/Ada.json"),
    *("/games/1/record", "/games/1/sealed.json"),
)
UNKNOWN = (
    *("/nothing", "/tables/attic", "/tables/attic.json", "/tables/attic/page.json", "/leagues/attic"),
    *("/leagues/attic.csv", "/leagues/attic.json", "/people/Zoe", "/people/Zoe.json", "/people/%C2%B7%201"),
    *("/games/99", "/games/99/record", "/games/99/sealed.json", "/games/one", f"/games/{10**30}"),
)
POSTS = (
    *("/claim", "/me", "/me/leave", "/me/names", "/me/names/away", "/me/games", "/me/forget"),
    *("/organiser/enter", "/organiser/leave", "/organiser/leagues", "/organiser/leagues/winter/members"),
    *("/organiser/leagues/winter/members/away", "/organiser/leagues/winter/draw", "/organiser/import"),
    *("/organiser/leagues/winter/remove", "/organiser/accept", "/me/forget/cancel"),
    *(f"/organiser/names/{what}" for what in ("approve", "decline", "release", "stop", "restore")),
)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[FlaskClient]:
    engine = database.opened(f"sqlite:///{tmp_path / 'empty.sqlite'}")
    yield create_hub(engine).test_client()
    engine.dispose()


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """Yield a database after an evening, with two leagues."""
    made = after_an_evening(tmp_path)
    with made.begin() as db:
        leagues.create(db, "Winter", "open", NOW)
        cup = leagues.create(db, "Swiss cup", "swiss", NOW)
        for name in PEOPLE:
            leagues.join(db, cup, name)
        leagues.draw(db, cup, NOW)
    yield made
    made.dispose()


@pytest.fixture
def hub(engine: Engine) -> FlaskClient:
    return create_hub(engine).test_client()


def post(client: FlaskClient, path: str, **form: Any) -> Any:
    return client.post(path, data=form, headers={"Origin": "http://localhost"})


def code_in(page: str) -> str:
    return "".join(re.findall(r"<span>(\w{4})</span>", page))


def enter(hub: FlaskClient, engine: Engine) -> None:
    with engine.begin() as db:
        code = organiser.organiser_code(db)
    assert post(hub, "/organiser/enter", code=code).status_code == 303


# --- what everybody sees -------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_there_in_every_language(hub: FlaskClient, empty: FlaskClient, language: str) -> None:
    asked = {"Accept-Language": language}
    pages = [(empty, path) for path in PAGES] + [(hub, path) for path in (*PAGES, *OF_THE_EVENING)]
    for client, path in pages:
        answer = client.get(path, headers=asked)
        assert answer.status_code == 200, path
        assert f'<html lang="{language}"' in answer.text
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    first = hub.get("/leagues/winter", headers=asked).text
    assert {"en": "Without luck", "fr": "Sans hasard", "de": "Ohne Glück"}[language] in first


def test_json_may_be_cached_for_a_second_and_is_not_sent_twice(hub: FlaskClient, empty: FlaskClient) -> None:
    asked = [(empty, path) for path in DATA] + [(hub, path) for path in (*DATA, *DATA_OF_THE_EVENING)]
    for client, path in asked:
        answer = client.get(path)
        assert answer.status_code == 200, path
        if path == "/healthz":
            assert answer.headers["Cache-Control"] == "no-store"
            continue
        assert answer.headers["Cache-Control"] == "public, max-age=0, s-maxage=1", path
        for encoding in ("identity", "gzip"):
            once = client.get(path, headers={"Accept-Encoding": encoding})
            headers = {"Accept-Encoding": encoding, "If-None-Match": once.headers["ETag"]}
            assert client.get(path, headers=headers).status_code == 304, path


@pytest.mark.parametrize("path", UNKNOWN)
def test_what_is_not_there_says_so(hub: FlaskClient, path: str) -> None:
    answer = hub.get(path)
    assert answer.status_code == 404
    if path.endswith((".json", ".csv", "/record")):
        assert answer.json is not None
        said = answer.json["reason"]
    else:
        said = re.findall(r'<h1 class="why">(.*?)</h1>', answer.text)[0]
    assert len(said) > 10
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_list_and_a_page_are_what_the_table_published(hub: FlaskClient, engine: Engine) -> None:
    answer = hub.get("/tables.json").json
    assert answer is not None
    assert [table["name"] for table in answer["tables"]] == ["table-0", "table-1"]
    assert hub.get("/tables/table-0.json").json == answer["tables"][0]
    with engine.connect() as db:
        body = db.execute(select(schema.pages.c.body).where(schema.pages.c.table_id == 1)).scalar_one()
    for language in LANGUAGES:
        view = hub.get(f"/tables/table-0/page.json?language={language}")
        assert view.text in body
    other = hub.get("/tables/table-0/page.json?language=xx", headers={"Accept-Language": "de"})
    assert other.text == hub.get("/tables/table-0/page.json?language=de").text


def test_numbers_of_a_page_are_those_of_the_files(hub: FlaskClient, engine: Engine) -> None:
    with engine.connect() as db:
        table = leagues.table(db, leagues.find(db, "winter"))
    read = list(csv.DictReader(io.StringIO(hub.get("/leagues/winter.csv").text)))
    assert [(row["who"], float(row["points"])) for row in read] == [(row.who, row.points) for row in table]
    page = hub.get("/leagues/winter").text
    assert re.findall(r'<th scope="row"><a href="people/(\w+)"', page) == [row.who for row in table]
    person = hub.get(f"/people/{table[0].who}.json").json
    assert person is not None
    assert person["all"]["games"] == table[0].games == sum(one["games"] for one in person["games"])
    for one in person["against"]:
        assert one["games"] == one["before"] + one["behind"] + one["beside"]


def test_a_name_that_is_a_formula_or_markup_is_neither(tmp_path: Path, engine: Engine) -> None:
    evening = Evening(tmp_path / "evil", "=evil", 5)
    evening.play("galloping-pigs", ("=1+1", "<b>x</b>/y"))
    Intake(engine).take(evening.messages())
    evening.close()
    hub = create_hub(engine).test_client()
    assert "'=1+1" in hub.get("/games.csv").text
    assert "'=evil" in hub.get("/games.csv").text
    assert "'=1+1" in hub.get("/leagues/winter.csv").text
    for path in ("/people", "/games", "/leagues/winter", "/", "/tables/%3Devil"):
        assert "<b>x</b>" not in hub.get(path).text, path
    assert hub.get("/people/%3Cb%3Ex%3C%2Fb%3E%2Fy").status_code == 200
    assert hub.get("/people/%3Cb%3Ex%3C%2Fb%3E%2Fy.json").json is not None


def test_games_are_paged_the_newest_first(hub: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.hub.site.games.A_PAGE", 3)
    seen = [re.findall(r'href="games/(\d+)"', hub.get(f"/games?page={page}").text) for page in (1, 2)]
    assert [len(page) for page in seen] == [3, 1]
    assert 'href="games?page=2"' in hub.get("/games").text
    assert 'href="games?page=3"' not in hub.get("/games?page=2").text
    for strange in ("0", "-1", "x", "1e9"):
        assert hub.get(f"/games?page={strange}").status_code == 200


def test_a_table_that_is_gone_and_one_without_a_page_have_theirs(engine: Engine) -> None:
    Intake(engine).take([TableMessage("new", "here", b"here"), TableMessage("table-0", "here", b"gone")])
    hub = create_hub(engine).test_client()
    assert hub.get("/tables/new").status_code == 200
    assert hub.get("/tables/new/page.json").status_code == 404
    gone = hub.get("/tables/table-0.json").json
    assert gone is not None
    assert gone["here"] is False


def test_a_table_that_was_not_here_for_a_month_leaves_the_list_and_keeps_its_page(engine: Engine) -> None:
    now = datetime.now(UTC)
    Intake(engine).take([TableMessage("table-0", "here", b"gone")], now - LISTED - timedelta(hours=1))
    Intake(engine).take([TableMessage("lately", "here", b"gone")], now - LISTED + timedelta(hours=1))
    hub = create_hub(engine).test_client()
    listed = hub.get("/tables.json").json
    assert listed is not None
    names = [table["name"] for table in listed["tables"]]
    assert "lately" in names
    assert "table-0" not in names
    assert hub.get("/tables/table-0").status_code == 200


def test_a_database_that_is_away_is_said(tmp_path: Path, hub: FlaskClient, engine: Engine) -> None:
    engine.dispose()
    for file in tmp_path.glob("hub.sqlite*"):
        file.unlink()
    (tmp_path / "hub.sqlite").mkdir()
    assert hub.get("/healthz").status_code == 503
    answer = hub.get("/games")
    assert answer.status_code == 503
    assert "database does not answer: try again in a moment" in answer.text
    (tmp_path / "hub.sqlite").rmdir()


def test_only_its_own_names_are_answered(engine: Engine) -> None:
    hub = create_hub(engine, hosts=("club.example",)).test_client()
    assert hub.get("/", headers={"Host": "club.example"}).status_code == 200
    for name in ("evil.example", "a..b", ".a", "a" * 64):
        refused = hub.get("/", headers={"Host": name})
        assert refused.status_code == 400
        assert "does not answer to this name" in refused.text


# --- who changes something -----------------------------------------------------------------------


@pytest.mark.parametrize("path", POSTS)
def test_nothing_is_changed_from_another_site(hub: FlaskClient, path: str) -> None:
    for headers in ({}, {"Origin": "https://evil.example"}, {"Origin": "null"}):
        assert hub.post(path, data={"name": "Ada"}, headers=headers).status_code == 403
    assert hub.get(path).status_code in (200, 405)


def approve_all(engine: Engine) -> None:
    with engine.begin() as db:
        for claim in people.waiting_claims(db):
            people.approve(db, claim.id, NOW)


def test_a_person_claims_a_name_and_says_what_is_theirs(hub: FlaskClient, engine: Engine) -> None:
    page = post(hub, "/claim", name="Ada")
    assert page.headers["Cache-Control"] == "no-store"
    assert "Ask the organiser to approve Ada" in page.text
    code = code_in(page.text)
    assert post(hub, "/me", name="Ada", code=code).status_code == 400, "it waits for the organiser"
    approve_all(engine)
    assert post(hub, "/claim", name="Ada").status_code == 400
    post(hub, "/me/leave")
    assert 'action="me"' in hub.get("/me").text
    assert post(hub, "/me", name="Ada", code="ABCD2345").status_code == 400
    assert post(hub, "/me", name="Ada", code=code.lower()).status_code == 303
    me = hub.get("/me")
    assert me.headers["Cache-Control"] == "no-store"
    assert post(hub, "/me/names", name="Addy").status_code == 303
    assert "Addy" in hub.get("/me").text
    assert post(hub, "/me/names", name="").status_code == 400
    post(hub, "/me/names/away", name="Addy")
    assert "Addy" not in hub.get("/me").text
    with engine.connect() as db:
        mine = next(game.id for game in played(db) if any(seat.who == "Ada" for seat in game.seats))
    post(hub, "/me/games", game=mine, guest="yes")
    assert "Ada (guest)" in hub.get(f"/games/{mine}").text
    post(hub, "/me/games", game=mine, guest="no")
    assert "Ada (guest)" not in hub.get(f"/games/{mine}").text


def test_who_is_forgotten_is_on_no_page(hub: FlaskClient, engine: Engine) -> None:
    with engine.connect() as db:
        mine = [game.id for game in played(db) if any(seat.who == "Ada" for seat in game.seats)]
    assert mine
    code = code_in(post(hub, "/claim", name="Ada").text)
    approve_all(engine)
    post(hub, "/me", name="Ada", code=code)
    assert post(hub, "/me/forget").status_code == 400, "it must be meant"
    assert post(hub, "/me/forget", sure="yes").status_code == 303
    assert "You will be forgotten" in hub.get("/me").text
    assert post(hub, "/me/forget/cancel").status_code == 303
    assert "You will be forgotten" not in hub.get("/me").text
    post(hub, "/me/forget", sure="yes")
    assert forget_due(engine, datetime.now(UTC) + DELAY) == 1
    assert 'action="me"' in hub.get("/me").text, "the cookie opens nothing any more"
    for path in (
        "/",
        "/people",
        "/games",
        "/games.csv",
        "/games.json",
        "/leagues/winter",
        "/leagues/swiss-cup",
        f"/games/{mine[0]}/record",
        f"/games/{mine[0]}/sealed.json",
    ):
        answer = hub.get(path)
        assert answer.status_code == 200, path
        assert "Ada" not in answer.text, path
    assert "a former player" in hub.get(f"/games/{mine[0]}").text
    assert hub.get("/people/Ada").status_code == 404


def test_the_organiser_decides_about_names(hub: FlaskClient, engine: Engine) -> None:
    """Approve, stop, restore and release, by the forms of the page."""
    code = code_in(post(hub, "/claim", name="Ada").text)
    post(hub, "/claim", name="Ben")
    with engine.begin() as db:
        organisers = organiser.organiser_code(db)
    post(hub, "/organiser/enter", code=organisers)
    page = hub.get("/organiser/names").text
    assert page.count('action="organiser/names/approve"') == 2
    numbers = re.findall(r'names/approve"><input type="hidden" name="id" value="(\d+)"', page)
    assert post(hub, "/organiser/names/approve", id=numbers[0]).status_code == 303
    assert post(hub, "/organiser/names/decline", id=numbers[1]).status_code == 303
    assert post(hub, "/organiser/names/decline", id=numbers[1]).status_code == 400, "it no longer waits"
    assert post(hub, "/me", name="Ada", code=code).status_code == 303
    with engine.begin() as db:
        forgetting.forget(db, "Ada", NOW)
    page = hub.get("/organiser/names").text
    (number,) = re.findall(r'names/restore"><input type="hidden" name="id" value="(\d+)"', page)
    assert hub.get("/people/Ada").status_code == 404
    assert post(hub, "/organiser/names/restore", id=number).status_code == 303
    assert hub.get("/people/Ada").status_code == 200
    assert post(hub, "/organiser/names/release", name="Ada").status_code == 303
    assert post(hub, "/me", name="Ada", code=code).status_code == 400


@pytest.mark.parametrize(
    "path", [path for path in POSTS if path.startswith("/organiser/") and "enter" not in path]
)
def test_only_the_organiser_organises(hub: FlaskClient, engine: Engine, path: str) -> None:
    if path == "/organiser/leave":
        return
    assert post(hub, path, name="x", sure="yes", table="table-0").status_code == 403
    assert hub.get("/organiser/leagues/winter").status_code == 200  # the question for the code
    assert "members" not in hub.get("/organiser/leagues/winter").text
    assert post(hub, "/organiser/enter", code="ABCD2345").status_code == 403
    enter(hub, engine)
    with engine.begin() as db:
        organiser.organiser_code(db)
    assert post(hub, path).status_code == 403, "another code, and no device is in any more"


def test_the_organiser_makes_a_league_and_draws_its_rounds(hub: FlaskClient, engine: Engine) -> None:
    enter(hub, engine)
    wrong = post(hub, "/organiser/leagues", name="Cup", kind="swiss", since="soon")
    assert wrong.status_code == 400
    assert "Soon is no day" in wrong.text
    assert 'value="Cup"' in wrong.text, "what was typed is still there"
    form = {"name": "Hill", "kind": "hill", "since": "2026-11-27", "until": "2026-12-01", "points": "3 2 1"}
    made = post(hub, "/organiser/leagues", **form)
    assert made.headers["Location"].endswith("/organiser/leagues/hill")
    with engine.connect() as db:
        league = leagues.find(db, "hill")
    assert league.points == (3, 2, 1)
    assert league.until == datetime(2026, 12, 2, tzinfo=UTC), "the last day counts whole"
    post(hub, "/organiser/leagues/hill/members", names="\n".join((*PEOPLE, "", "Ada")))
    post(hub, "/organiser/leagues/hill/members/away", name="Hana")
    assert "Who takes part: 7" in hub.get("/organiser/leagues/hill").text
    assert post(hub, "/organiser/leagues/hill/draw", after=0).status_code == 303
    assert post(hub, "/organiser/leagues/hill/draw", after=0).status_code == 400, (
        "drawn by two fingers at once"
    )
    missing = post(hub, "/organiser/leagues/hill/draw", after=1)
    assert missing.status_code == 400
    assert "Of round 1 these have not played yet" in missing.text
    assert post(hub, "/organiser/leagues/hill/draw", after=1, force="yes").status_code == 303
    assert "Round 2" in hub.get("/leagues/hill").text
    assert post(hub, "/organiser/leagues/hill/remove").status_code == 400
    post(hub, "/organiser/leagues/hill/remove", sure="yes")
    assert hub.get("/leagues/hill").status_code == 404


def test_files_of_another_hub_are_taken_in_and_what_does_not_hold_is_named(
    tmp_path: Path, hub: FlaskClient, engine: Engine
) -> None:
    sealed = [hub.get(f"/games/{number}/sealed.json").data for number in (1, 2)]
    second = msgspec.json.decode(sealed[1], type=Sealed)
    other = database.opened(f"sqlite:///{tmp_path / 'other.sqlite'}")
    there = create_hub(other).test_client()
    enter(there, other)
    files = [
        sealed[0],
        msgspec.json.encode(replace(second, lines=[second.lines[0] + " ", *second.lines[1:]])),
        b"no record",
        b"x" * 100_000,
    ]
    page = there.post(
        "/organiser/import",
        data={"files": [(io.BytesIO(body), f"{n}.json") for n, body in enumerate(files)]},
        headers={"Origin": "http://localhost"},
    )
    assert page.status_code == 200
    assert "Records taken in: 1" in page.text
    assert "table-0: 1: this line is not the one that the table signed" in page.text
    assert "no sealed records: 2.json, 3.json" in page.text
    with other.connect() as db:
        assert len(played(db)) == 1
    other.dispose()


def test_the_organiser_accepts_a_new_machine(tmp_path: Path, hub: FlaskClient, engine: Engine) -> None:
    new = Evening(tmp_path / "new machine", "table-0", 9)
    new.play("galloping-pigs", ("Ida", "Jo"))
    Intake(engine).take(one for one in new.messages() if one.what == "records")
    new.close()
    enter(hub, engine)
    assert "table-0 has another key than before" in hub.get("/organiser").text
    assert post(hub, "/organiser/accept", table="table-0").status_code == 303
    assert "has another key" not in hub.get("/organiser").text
    assert hub.get("/people/Ida").status_code == 200


def test_every_process_of_a_hub_knows_the_same_cookies(engine: Engine) -> None:
    keys = {create_hub(engine).config["SECRET_KEY"] for _ in range(3)}
    assert len(keys) == 1
