"""Roles and seats outlive any clock, and end with the PIN that gave them."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.store.journal import Journal
from companion.table.table import Table
from companion.web import create_app
from companion.web.roles import PinLock, device_in, host_in

ORIGIN = {"Origin": "http://localhost"}
GUEST = {"REMOTE_ADDR": "192.168.1.9"}
DAY = 86_400.0


@pytest.fixture
def app(journal: Journal) -> FlaskClient:
    return create_app(Table(journal).open()).test_client()


def unlock(client: FlaskClient, pin: str = "2468") -> str:
    """The cookie of a device of the house that has given the PIN."""
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
    before = device_in(app.application, f"companion={seat.value}")
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: now + days * DAY)
    assert is_host(app)
    assert host_in(app.application, cookie.partition(";")[0])
    app.get("/seat", environ_overrides=GUEST)
    again = app.get_cookie("companion")
    assert again is not None
    assert before == device_in(app.application, f"companion={again.value}") is not None


def test_how_long_a_cookie_is_good_for_is_counted_by_the_browser(app: FlaskClient) -> None:
    """Of both that are sent Max-Age counts (RFC 6265, 5.3)."""
    assert "Max-Age=31536000" in (cookie := unlock(app))
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_a_late_answer_brings_no_earlier_cookie_back(app: FlaskClient) -> None:
    """What did not change the cookie does not send it; a page does, so that its year begins anew."""
    unlock(app)
    for path in ("/api/table", "/api/join", "/api/matches", "/qr.svg?to=seat"):
        assert "Set-Cookie" not in app.get(path, environ_overrides=GUEST).headers
    refused = app.post("/api/decide", json={}, headers=ORIGIN, environ_overrides=GUEST)
    assert (refused.status_code, "Set-Cookie" in refused.headers) == (400, False)
    for path in ("/", "/seat", "/host"):
        assert "Max-Age=31536000" in app.get(path, environ_overrides=GUEST).headers["Set-Cookie"]


def test_a_cookie_that_was_not_signed_here_holds_nothing(app: FlaskClient) -> None:
    body = unlock(app).partition(";")[0]
    app.set_cookie("companion", body.partition("=")[2][:-2] + "xx")
    assert not is_host(app)


def test_a_new_pin_ends_the_roles_that_the_old_one_gave(app: FlaskClient) -> None:
    old = unlock(app).partition(";")[0]
    lock: PinLock = app.application.extensions["companion.pin"]
    assert is_host(app)
    lock.choose("13579")
    assert not is_host(app)
    assert not host_in(app.application, old)
    unlock(app, "13579")
    assert is_host(app)


def test_nobody_else_on_the_machine_reads_the_journal(tmp_path: Path) -> None:
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
