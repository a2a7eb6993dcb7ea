"""A mistake of ours is reported as one: with a number, which stands in the log next to its traceback."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.errors import CompanionError
from companion.store.file import SLOW_COMMIT
from companion.store.journal import Journal
from companion.table.table import Table
from companion.web import create_app
from tests.support.client import Client, companion

ORIGIN = {"Origin": "http://localhost"}


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path / "journal.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def table(journal: Journal) -> Table:
    return Table(journal, mock=True).open()


@pytest.fixture
def host(table: Table) -> FlaskClient:
    asker = create_app(table).test_client()
    assert asker.post("/api/unlock", json={"pin": "2468", "role": "host"}, headers=ORIGIN).status_code == 200
    return asker


@pytest.mark.parametrize(
    "name", ["a..b", ".a", "..", "a" * 64, "b" * 64 + ".local", "é.b", "[::1", "a b", "a/b", ""]
)
@pytest.mark.parametrize("path", ["/", "/nowhere", "/api/table"])
def test_a_host_that_is_no_name_at_all_is_refused_with_the_reason(
    host: FlaskClient, path: str, name: str
) -> None:
    """The page that says so can be rendered although no address can be made from such a name."""
    answer = host.get(path, headers={"Host": name, "Accept": "text/html"})
    assert answer.status_code == 400
    assert "does not answer to this name" in answer.text


def broken(*_: Any) -> Any:
    raise ValueError("an unexpected mistake")


def test_a_mistake_of_ours_is_a_500_whose_number_stands_in_the_log(
    host: FlaskClient, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A ValueError that no view raised on purpose is not the client's bad request."""
    monkeypatch.setattr(table.play, "undo", broken)
    answer = host.post("/api/undo", json={"seq": 0}, headers=ORIGIN)
    assert (answer.status_code, answer.json and answer.json["kind"]) == (500, "unforeseen")
    [number] = re.findall("[0-9a-f]{8}", answer.text)
    assert "an unexpected mistake" not in answer.text
    [record] = [record for record in caplog.records if number in record.getMessage()]
    assert record.levelno == logging.ERROR
    assert record.exc_info is not None
    assert "an unexpected mistake" in str(record.exc_info[1])


def test_a_page_that_fails_says_the_number_too(host: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.host.pages.charts", broken)
    answer = host.get("/host")
    assert answer.status_code == 500
    assert re.search("the log says more under [0-9a-f]{8}", answer.text)


@pytest.mark.parametrize(
    ("path", "body", "status", "kind"),
    [
        ("/api/undo", {"seq": "no"}, 400, "malformed"),
        ("/api/undo", {"seq": 0}, 409, "no-match"),
        ("/api/matches", {"game": "ludo", "seats": ["Ada", "Ben"]}, 400, "malformed"),
    ],
)
def test_what_is_foreseen_is_answered_by_its_kind_and_logged_without_what_was_sent(
    host: FlaskClient, caplog: pytest.LogCaptureFixture, path: str, body: Any, status: int, kind: str
) -> None:
    caplog.set_level(logging.INFO, "companion")
    answer = host.post(path, json=body, headers=ORIGIN)
    assert (answer.status_code, answer.json and answer.json["kind"]) == (status, kind)
    assert f"POST {path}: {status} {kind}" in caplog.messages


BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "fr"}


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/nowhere", 404, "Il n’y a rien à cette adresse"),
        ("/mock", 404, "Il n’y a rien à cette adresse"),
        ("/rules/pigz", 404, "Il n’y a rien à cette adresse"),
        ("/paper/matches/99.pdf", 404, "Cette partie n’existe pas"),
        ("/paper/labels/galloping-pigs.pdf?size=a3", 400, "Le papier est a4 ou letter"),
    ],
)
def test_a_browser_gets_a_page_with_a_way_back_in_its_language(
    host: FlaskClient, path: str, status: int, said: str
) -> None:
    answer = host.get(path, headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    assert said in answer.text
    assert 'lang="fr"' in answer.text
    assert all(f'href="{way}"' in answer.text for way in ("./", "watch"))


def test_a_program_gets_json_with_any_accept_header(host: FlaskClient) -> None:
    for headers in (BROWSER, {"Accept-Language": "fr"}):
        answer = host.get("/api/nowhere", headers=headers)
        assert (answer.status_code, answer.json) == (
            404,
            {"kind": "not-found", "reason": "il n’y a rien à cette adresse"},
        )
    answer = host.get("/paper/matches/99.pdf", headers={"Accept": "*/*"})
    assert (answer.status_code, answer.json and answer.json["kind"]) == (404, "unknown")


def test_an_error_for_another_method_lists_the_allowed_ones(host: FlaskClient) -> None:
    """That holds for a request from another site too: no one may, so it is not his Origin that is wrong."""
    for path, method, allowed in (
        ("/api/undo", "PUT", "GET, HEAD, OPTIONS, POST"),
        ("/watch", "POST", "GET, HEAD, OPTIONS"),
    ):
        answer = host.open(path, method=method)
        assert (answer.status_code, answer.headers["Allow"]) == (405, allowed)


def test_what_needs_mock_hardware_is_not_there_without(host: FlaskClient) -> None:
    """It is absent and not forbidden: no one may."""
    for method, path in (("GET", "/api/mock"), ("PUT", "/api/mock/pad"), ("POST", "/mock")):
        assert host.open(path, method=method).status_code == 404


def test_every_named_error_is_in_the_tree() -> None:
    """Each is reported by its name by the code that just failed."""
    from companion.devices import flash, gpio_library, track_state
    from companion.games import judge
    from companion.http import roles
    from companion.match import record
    from companion.settings import SettingsError
    from companion.store import file

    assert all(
        issubclass(kind, CompanionError)
        for kind in (
            flash.FlashError, gpio_library.WrongLibrary, track_state.WrongProtocol, judge.IllegalDecision,
            record.RecordError, SettingsError, file.JournalError, roles.Forbidden,
        )
    )  # fmt: skip


def test_a_slow_commit_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    ticks = iter([0.0, SLOW_COMMIT / 2, 1.0, 1.0 + 2 * SLOW_COMMIT])
    journal = Journal(tmp_path / "journal.sqlite", clock=lambda: next(ticks))
    journal.bind({"04A1B2C3D4E5F6": "galloping-pigs/card/red/3"})
    assert caplog.messages == []
    journal.bind({"04A1B2C3D4E5F6": None})
    assert caplog.messages == ["a commit took 0.50 s: the card or disk may be worn or busy"]
    journal.close()


def test_a_journal_that_cannot_be_written_is_logged_with_its_reason(
    host: FlaskClient, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: Any) -> Any:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(table.play, "undo", full)
    answer = host.post("/api/undo", json={"seq": 0}, headers=ORIGIN)
    assert (answer.status_code, answer.json and answer.json["kind"]) == (500, "journal")
    assert any(record.exc_info for record in caplog.records)


def test_no_secret_is_ever_logged(tmp_path: Path) -> None:
    """An evening with sealed bets and chosen cards, refusals among them, on the most talkative level.

    Not in the log: the PIN, the join code, cookies, any decision of a seat, nor a tag that is held to the pad.
    """
    (tmp_path / "companion.toml").write_text('log = "debug"\n', encoding="utf-8")
    with companion(tmp_path) as running:
        host, guest = running.client.host("97531"), Client(running.client.port)
        code = host.get("/api/join")["code"]
        host.begin("greyhounds", ("Ada", "Ben", "Cleo"), deal="companion", options={"bet_step": 13})
        guest.post("/api/join", code=code, seat=0)
        sets = guest.get("/api/seat?seat=0")["own"]["sets"]
        guest.now("/api/decide", decision={"do": "show", "seat": 0, "cards": sets[0]})
        refused = running.client.request
        for body in (
            {"seq": host.table["seq"], "decision": {"do": "show", "seat": 0, "cards": sets[1]}},
            {"seq": 0, "decision": {"do": "show", "seat": 1, "cards": [1, 2, 3, 14, 15, 16]}},
            {"seq": "no"},
        ):
            with pytest.raises(Exception, match="4"):
                refused("POST", "/api/decide", body)
        uid = host.blank()
        host.pad(uid)
        host.pad()
        log = (tmp_path / "console.txt").read_text(encoding="utf-8")
        cookies = [host._cookie, guest._cookie]
    assert "409" in log
    assert "companion 0" in log
    assert "pad: ok" in log
    for secret in ("97531", code, *(cookie.partition("=")[2] for cookie in cookies), uid):
        assert secret
        assert secret not in log
    for cards in sets:
        assert json.dumps(cards) not in log
        assert ", ".join(map(str, cards)) not in log
