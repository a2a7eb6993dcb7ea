"""The plain page: the whole race in HTML, for browsers without scripts, and forms that play at the table."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.support.apps import create_app
from tests.support.evening import Evening

HOME: dict[str, Any] = {"base_url": "http://localhost", "headers": {"Origin": "http://localhost"}}
FAR: dict[str, Any] = {"environ_base": {"REMOTE_ADDR": "192.0.2.7"}}
ORDER = ["red", "blue", "green", "yellow", "pink"]


@pytest.fixture
def device(tmp_path: Path) -> FlaskClient:
    """Make a browser on the companion's own machine, which is the table; a game waits for its line-up."""
    return create_app(Evening(tmp_path, seats=("Ada", "Ben"), spaces=None).table).test_client()


def text(client: FlaskClient) -> str:
    answer = client.get("/plain", base_url="http://localhost")
    assert answer.status_code == 200
    return html.unescape(answer.get_data(as_text=True))


def fields(page: str, label: str) -> dict[str, str]:
    """Return the fields of the form whose button has this label."""
    (form,) = (one for one in re.findall(r"<form.*?</form>", page, re.S) if f'value="{label}">' in one)
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="(.*?)">', form))


def press(client: FlaskClient, form: dict[str, Any]) -> Any:
    return client.post("/plain/act", data=form, **HOME)


def test_a_game_is_lined_up_played_and_taken_back_without_scripts(device: FlaskClient) -> None:
    page = text(device)
    assert "<script" not in page
    assert "http-equiv" not in page  # a reload would take away what is being put in order
    line_up = fields(page, "OK") | {"part": ORDER}
    assert press(device, line_up).status_code == 303

    page = text(device)
    assert '<meta http-equiv="refresh" content="5' in page
    assert "<h1>Put the red pig on start</h1>" in page
    assert "<li>red pig: move to start</li>" in page
    assert press(device, fields(page, "red")).status_code == 303
    page = text(device)
    assert "red pig" in page[page.index("So far") :]
    (undo,) = re.findall(r'value="(undo: [^"]*)"', page)
    assert press(device, fields(page, undo)).status_code == 303
    assert "<h1>Move the red pig to start</h1>" in text(device)


def test_sets_of_cards_are_ticked_and_the_page_stands_while_bets_are_due(tmp_path: Path) -> None:
    """Every number of the game has a box; bets have no form here, and the page says what is due."""
    evening = Evening(tmp_path, "greyhounds", ("Ada", "Ben", "Cleo"), spaces=None)
    device = create_app(evening.table).test_client()
    for seat in range(3):
        page = text(device)
        assert page.count('type="checkbox"') == 20 * (3 - seat)
        line = json.dumps({"do": "show", "seat": seat})
        form = {"action": "decide", "seq": evening.table.snapshot.seq, "line": line, "key": "cards"}
        assert press(device, form | {"part": ["2", "4", "6", "13", "15", "17"]}).status_code == 303
    page = text(device)
    assert "bet" in page[: page.index("</h1>")]
    assert 'type="checkbox"' not in page


def test_an_old_page_is_refused_with_the_reason(device: FlaskClient) -> None:
    form = fields(text(device), "OK") | {"part": ORDER}
    assert press(device, form).status_code == 303
    again = press(device, form)
    assert again.status_code == 409
    assert 'role="alert"' in again.get_data(as_text=True)
    assert press(device, {"action": "decide", "seq": "x"}).status_code == 400
    assert press(device, {"action": "dance", "seq": "1"}).status_code == 400


def test_a_watcher_sees_no_button_and_may_press_none(device: FlaskClient) -> None:
    page = html.unescape(device.get("/plain", base_url="http://localhost", **FAR).get_data(as_text=True))
    assert "Ada" in page
    assert 'type="submit"' not in page
    assert '<meta http-equiv="refresh"' in page or "Reload this page" in page
    assert device.post("/plain/act", data={"action": "undo", "seq": "1"}, **HOME, **FAR).status_code == 403


def test_another_site_can_send_no_form(device: FlaskClient) -> None:
    form = fields(text(device), "OK") | {"part": ORDER}
    for origin in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
        refused = device.post("/plain/act", data=form, base_url="http://localhost", headers=origin)
        assert refused.status_code == 403
    assert "line-up" in text(device)


def test_forms_are_answered_on_the_plain_pages_only(device: FlaskClient) -> None:
    assert device.post("/api/next", data={"a": "b"}, **HOME).status_code == 400


@pytest.mark.parametrize("path", ["/", "/watch", "/tv", "/overlay", "/host", "/mock", "/seat", "/history"])
def test_every_page_leads_to_it_without_scripts(path: str, tmp_path: Path) -> None:
    page = create_app(Evening(tmp_path, seats=()).table, mock=None).test_client().get(path)
    if page.status_code == 200:
        content = page.get_data(as_text=True)
        assert '<noscript><p class="too-old"><a href="plain">' in content
        assert "common/old.js" in content


def test_a_browser_that_keeps_no_cookies_is_refused_with_the_reason(tmp_path: Path) -> None:
    """The right PIN is refused with the reason: a role that is forgotten at once would show the form again."""
    app = create_app(Evening(tmp_path, seats=("Ada", "Ben")).table)
    assert (
        app.test_client().post("/api/unlock", json={"pin": "2468", "role": "host"}, **HOME).status_code == 200
    )
    forgetful = app.test_client(use_cookies=False)
    answer = forgetful.post("/plain/unlock", data={"pin": "2468"}, **HOME | FAR)
    assert answer.status_code == 409
    assert "This browser keeps no cookies" in html.unescape(answer.get_data(as_text=True))
    assert "companion" not in answer.headers.get("Set-Cookie", "")
    usual = app.test_client()
    usual.get("/plain", base_url="http://localhost", **FAR)
    assert usual.post("/plain/unlock", data={"pin": "2468"}, **HOME | FAR).status_code == 303
