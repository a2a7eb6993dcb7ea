"""Roles and seats outlive any clock, and end with the PIN that gave them."""

from __future__ import annotations

import json
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.http.roles import PinLock, device_of_cookie, is_host_cookie
from companion.store.journal import Journal
from companion.table.table import Table
from tests.support.apps import create_app
from tests.support.client import Companion

ORIGIN = {"Origin": "http://localhost"}
GUEST = {"REMOTE_ADDR": "192.168.1.9"}
DAY = 86_400.0


@pytest.fixture
def app(journal: Journal) -> FlaskClient:
    return create_app(Table(journal).open()).test_client()


def unlock(client: FlaskClient, pin: str = "2468") -> str:
    """Return the cookie of a device of the house that has given the PIN."""
    answer = client.post(
        "/api/unlock", json={"pin": pin, "role": "host"}, headers=ORIGIN, environ_overrides=GUEST
    )
    assert answer.status_code == 200
    return answer.headers["Set-Cookie"]


def is_host(client: FlaskClient) -> bool:
    return client.get("/api/join", environ_overrides=GUEST).status_code == 200


@pytest.mark.parametrize("days", [-20_000.0, -400.0, -1.0, 400.0])
def test_a_clock_that_is_set_takes_no_role_and_no_seat(
    app: FlaskClient, monkeypatch: pytest.MonkeyPatch, days: float
) -> None:
    now = 20_416 * DAY
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: now)
    cookie = unlock(app)
    app.get("/seat", environ_overrides=GUEST)
    seat = app.get_cookie("companion")
    assert seat is not None
    before = device_of_cookie(app.application, f"companion={seat.value}")
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: now + days * DAY)
    assert is_host(app)
    assert is_host_cookie(app.application, cookie.partition(";")[0])
    app.get("/seat", environ_overrides=GUEST)
    again = app.get_cookie("companion")
    assert again is not None
    assert before == device_of_cookie(app.application, f"companion={again.value}") is not None


def test_how_long_a_cookie_is_good_for_is_counted_by_the_browser(app: FlaskClient) -> None:
    """Of the two limits that are sent Max-Age counts (RFC 6265, 5.3)."""
    assert "Max-Age=31536000" in (cookie := unlock(app))
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_a_late_answer_brings_no_earlier_cookie_back(app: FlaskClient) -> None:
    """An answer that did not change the cookie does not send it; a page does, so that its year restarts."""
    unlock(app)
    for path in ("/api/table", "/api/join", "/api/matches", "/qr.svg?to=seat"):
        assert "Set-Cookie" not in app.get(path, environ_overrides=GUEST).headers
    refused = app.post("/api/decide", json={}, headers=ORIGIN, environ_overrides=GUEST)
    assert (refused.status_code, "Set-Cookie" in refused.headers) == (400, False)
    for path in ("/", "/seat", "/host"):
        assert "Max-Age=31536000" in app.get(path, environ_overrides=GUEST).headers["Set-Cookie"]


def test_a_cookie_that_was_not_signed_here_holds_nothing(app: FlaskClient) -> None:
    body, _, signature = unlock(app).partition(";")[0].partition("=")[2].rpartition(".")
    app.set_cookie("companion", f"{body}.{signature[::-1]}")
    assert not is_host(app)


def test_a_new_pin_ends_the_roles_that_the_old_one_gave(app: FlaskClient) -> None:
    old = unlock(app).partition(";")[0]
    lock: PinLock = app.application.extensions["companion.pin"]
    assert is_host(app)
    lock.choose("13579")
    assert not is_host(app)
    assert not is_host_cookie(app.application, old)
    unlock(app, "13579")
    assert is_host(app)


def test_no_other_user_of_the_machine_reads_the_journal(tmp_path: Path) -> None:
    """Hands and bets are in it; one of an earlier version is closed too."""
    file = tmp_path / "journal.sqlite"
    file.touch(0o644)
    file.chmod(0o644)
    journal = Journal(file)
    assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("journal.sqlite*")} == {
        "journal.sqlite": 0o600,
        "journal.sqlite-wal": 0o600,
        "journal.sqlite-shm": 0o600,
    }
    journal.close()


def test_two_tables_on_one_machine_do_not_log_each_other_out(tmp_path: Path) -> None:
    """A browser has one jar for all ports of a machine; each table finds its own cookie in it."""
    jar = CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    tables = []
    for name in ("attic", "cellar"):
        (tmp_path / name).mkdir()
        tables.append(Companion(tmp_path / name))
    try:
        for served, pin in zip(tables, ("2468", "1357"), strict=True):
            url = f"http://127.0.0.1:{served.client.port}"
            headers = {"Origin": url, "Content-Type": "application/json"}
            body = json.dumps({"pin": pin, "role": "host"}).encode()
            browser.open(urllib.request.Request(f"{url}/api/unlock", body, headers)).close()
        for served in tables * 2:
            with browser.open(f"http://127.0.0.1:{served.client.port}/host") as page:
                assert b'data-roles="host table"' in page.read()
        assert sorted(cookie.name for cookie in jar) == sorted(f"companion-{t.client.port}" for t in tables)
    finally:
        for served in tables:
            served.stop()


def test_a_cookie_from_before_its_name_had_the_port_is_taken_once(journal: Journal) -> None:
    """An update keeps every seat: the first page gives the device the same cookie by its new name."""
    table = Table(journal).open()
    unlock(before := create_app(table).test_client())
    held = before.get_cookie("companion")
    assert held is not None
    after = create_app(table, port=8000).test_client()
    after.set_cookie("companion", held.value)
    assert is_host(after)
    assert after.get("/host", environ_overrides=GUEST).status_code == 200
    assert after.get_cookie("companion") is None
    assert after.get_cookie("companion-8000") is not None
    assert is_host(after)


def test_another_tables_cookie_from_before_is_left_to_it(journal: Journal) -> None:
    app = create_app(Table(journal).open(), port=8001).test_client()
    app.set_cookie("companion", "signed.by.another")
    unlock(app)
    assert app.get("/host", environ_overrides=GUEST).status_code == 200
    assert app.get_cookie("companion") is not None
    assert is_host(app)
