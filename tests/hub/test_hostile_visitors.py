"""No request of a stranger changes anything of others, or stops them.

100,000 generated requests on each database in `make nightly`, a few of them in `make test`.

Only here: a request that no one has thought of, which fails in the database, or with which a visitor takes a
name, a code, a game or a league from another, or keeps them waiting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import strategies as st
from sqlalchemy import Engine, insert, select
from werkzeug.security import generate_password_hash

from companion.hub import codes, forgetting, leagues, organiser, people, schema
from companion.hub.intake import Intake
from companion.hub.site import create_hub
from companion.hub.site.guesses import Guesses, Limits
from companion.hub.validation import TableMessage
from tests.hub.test_forgetting import NOW
from tests.hub.test_hostile import everywhere, story  # noqa: F401 - fixtures
from tests.hub.test_hostile_property import LETTERS, TIMES
from tests.hub.test_site import DATA, PAGES, POSTS, UNKNOWN
from tests.support.hub.databases import emptied
from tests.support.hub.many import in_rounds, without_delay

AT_ONCE = 50  # requests of an example
STRANGERS = ("198.51.100.1", "198.51.100.2")  # addresses; more of them would be a flood (SECURITY.md)
NAMES = ("Ada", "Ben", " ada", "Addy", "Eva", "Eve", "· 1", "a former player (1)", "Ada (guest)", "window-2")
LARGE = "(70,000 letters)"  # written so in what a failed test prints
OF_NAMES = ("claims", "names", "people", "forgettings", "audit")  # tables in which strangers may add rows

WORDS = (
    st.sampled_from([*NAMES, "", "yes", "0", "1", "-1", str(2**31), str(10**30), "1e999", "x" * 300, LARGE])
    | st.text(LETTERS, max_size=12)
    | TIMES
)
FIELDS = (
    *("name", "code", "game", "guest", "sure", "id", "table", "names", "kind", "since", "until", "seats"),
    *("points", "after", "force", "files"),
)
ORIGINS = st.sampled_from(["http://localhost"] * 8 + ["http://evil.example", "null", "http://["])
HEADERS = {
    "Accept-Language": st.sampled_from(["fr", "de;q=9", "x" * 300, "*"]),
    "Cookie": st.sampled_from(["companion-hub=x", "companion-hub=e30.x.x", "a=" * 50]),
    "If-None-Match": st.sampled_from(["*", '"x"', "W/"]),
    "Range": st.sampled_from(["bytes=0-1", "bytes=-" + "9" * 40]),
    "X-Forwarded-For": st.sampled_from(["192.0.2.1", "x" * 200]),
    "Content-Type": st.sampled_from(["multipart/form-data; boundary=x", "application/json", "text/\x7f"]),
    "Last-Event-ID": st.sampled_from(["1:0,0", "-1", "9" * 400]),
}


class Asked(NamedTuple):
    """A request of a stranger."""

    address: str
    method: str
    path: str
    query: dict[str, str]
    form: dict[str, str]
    headers: dict[str, str]


def filled(path: str, value: str) -> str:
    """Return the path with one part replaced."""
    first, *rest = path.strip("/").split("/")
    return "/" + "/".join([first, *rest[:-1], quote(value)]) if rest else path


PATHS = st.sampled_from([*PAGES, *DATA, *UNKNOWN, *POSTS, "/tables/window-2", "/games/1", "/games/1/record"])
REQUESTS = st.builds(
    Asked,
    st.sampled_from(STRANGERS),
    st.sampled_from(["GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"]),
    PATHS | st.sampled_from(POSTS) | st.builds(filled, PATHS, WORDS.map(lambda one: one[:300])),
    st.dictionaries(
        st.sampled_from(["page", "name", "language", "x"]), WORDS.map(lambda one: one[:300]), max_size=2
    ),
    st.dictionaries(st.sampled_from(FIELDS), WORDS, max_size=6)
    | st.builds(dict, name=st.sampled_from(NAMES)),
    st.fixed_dictionaries({"Origin": ORIGINS}, optional=HEADERS),
)


class Club(NamedTuple):
    """A hub with a game, a league with a round, a claimed name, a claim that waits, and the right codes."""

    engine: Engine
    rows: dict[str, list[dict[str, Any]]]  # by table: all of it
    organiser: str
    ada: str


@pytest.fixture(scope="module")
def club(everywhere: Engine, story: list[TableMessage]) -> Iterator[Club]:  # noqa: F811
    """Return a hub with codes that are hashed quickly: thousands of good hashes would take an hour."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            codes, "generate_password_hash", lambda code: generate_password_hash(code, "pbkdf2:sha256:1")
        )
        emptied(everywhere)
        Intake(everywhere).take(story)
        with everywhere.begin() as db:
            ada = people.claim(db, "Ada", NOW)
            people.approve(db, people.waiting_claims(db)[0].id, NOW)
            forgetting.ask(db, people.person(db, "Ada", ada.code), NOW)
            people.claim(db, "Ben", NOW)
            cup = leagues.create(db, "Winter", "swiss", NOW)
            for name in ("Ada", "Ben"):
                leagues.join(db, cup, name)
            leagues.draw(db, cup, NOW)
            code = organiser.organiser_code(db)
        create_hub(everywhere)  # it makes the key of its cookies
        yield Club(everywhere, rows_of(everywhere), code, ada.code)


def rows_of(engine: Engine) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of the database by table."""
    with engine.connect() as db:
        return {
            table.name: [dict(row._mapping) for row in db.execute(select(table))]
            for table in schema.metadata.sorted_tables
        }


def restored(club: Club) -> Flask:
    """Restore the hub as it was before any request, with all guesses forgotten."""
    emptied(club.engine)
    with club.engine.begin() as db:
        for table in schema.metadata.sorted_tables:
            if rows := club.rows[table.name]:
                db.execute(insert(table), rows)
    return create_hub(club.engine)


def ask(client: FlaskClient, asked: Asked) -> int:
    """Return the status of the answer."""
    form = {key: "A" * 70_000 if value == LARGE else value for key, value in asked.form.items()}
    is_json = asked.headers.get("Content-Type") == "application/json"
    answer = client.open(
        asked.path,
        method=asked.method,
        query_string=asked.query or None,
        data="{" if is_json else form,
        headers=asked.headers,
        environ_base={"REMOTE_ADDR": asked.address},
    )
    return answer.status_code


def post(client: FlaskClient, path: str, address: str, **form: str) -> Any:
    """Send a request of a well-meaning visitor."""
    headers = {"Origin": "http://localhost"}
    return client.post(path, data=form, headers=headers, environ_base={"REMOTE_ADDR": address})


def check_strangers_changed_nothing(club: Club) -> None:
    """Fail unless every former row is there, and only names have new ones."""
    now = rows_of(club.engine)
    for name, before in club.rows.items():
        found = now[name]
        if name in OF_NAMES:
            assert [row for row in before if row not in found] == [], name
        else:
            assert found == before, name


def check_others_go_on(club: Club, app: Flask) -> None:
    """Fail unless the organiser and Ada come in by their codes, Ben asks for his name, and Gil takes his."""
    assert post(app.test_client(), "/organiser/enter", "192.0.2.1", code=club.organiser).status_code == 303
    assert post(app.test_client(), "/me", "192.0.2.2", name="Ada", code=club.ada).status_code == 303
    for name in ("Ben", "Gil Gant"):
        claimed = post(app.test_client(), "/claim", "192.0.2.3", name=name)
        assert claimed.status_code == 200, name
        assert re.findall(r"<span>(\w{4})</span>", claimed.text), name


def test_no_device_keeps_others_from_claiming_their_names(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger asks for every name, often and for days: in the end all claims that may wait were theirs."""
    app = restored(club)
    stranger, other = app.test_client(), app.test_client()
    monkeypatch.setattr(people, "_games", lambda db, name: 1)  # every name waits for the organiser
    app.extensions["companion.claims"] = Guesses(Limits(*[10**9] * 4))  # the days go by

    def asks(name: str) -> int:
        return int(post(stranger, "/claim", STRANGERS[0], name=name).status_code)

    assert [asks("Ben") for _ in range(people.MOST_OF_A_NAME)].count(200) == people.OF_A_DEVICE
    assert [asks(f"X{n}") for n in range(people.MOST_WAITING)].count(200) == (
        people.MOST_OF_A_DEVICE - people.OF_A_DEVICE
    )
    for name in ("Ben", "Cleo"):
        assert post(other, "/claim", "192.0.2.3", name=name).status_code == 200, name
    with club.engine.connect() as db:
        assert STRANGERS[0] not in str(db.execute(select(schema.claims)).all()), "no address is stored"


@pytest.mark.parametrize(
    "examples", [6, pytest.param(2000, marks=pytest.mark.nightly)], ids=["300 requests", "100,000 requests"]
)
@pytest.mark.filterwarnings("ignore:Generating overly large repr")  # of what fails
def test_no_request_of_a_stranger_fails_or_changes_anything_of_others(club: Club, examples: int) -> None:
    """Every answer is below 500, every row of others stays, and the owners of codes still get in.

    Only here: a strange path, header or form, in some order with others, that fails or locks people out.
    """

    def holds(hostile: list[Asked]) -> None:
        app = restored(club)
        strangers = {address: app.test_client() for address in STRANGERS}
        for asked in hostile:
            with without_delay(asked):
                status = ask(strangers[asked.address], asked)
            assert status < 500, asked
        check_strangers_changed_nothing(club)
        check_others_go_on(club, app)

    in_rounds(examples, st.lists(REQUESTS, min_size=AT_ONCE, max_size=AT_ONCE), holds)
