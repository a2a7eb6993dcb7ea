"""A phone in the Pi's Wi-Fi that looks for the internet finds the table's page; others see no change."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import segno
from flask.testing import FlaskClient
from segno.helpers import make_wifi_data

from companion.hotspot import ADDRESS, Hotspot
from companion.http.portal import PROBES, Guests
from companion.store.journal import Journal
from companion.table.table import Table
from companion.web.seat.api import WIFI, Wifi
from tests.support.apps import create_app
from tests.web.test_wifi import ORIGIN, dots

WATCH = f"http://{ADDRESS}/watch?sheet"
# what the phones and laptops of the day ask, and what says to them that there is an internet
ASKED = {
    "Apple": ("captive.apple.com", "/hotspot-detect.html", 200, b"<TITLE>Success</TITLE>"),
    "Apple, the older way": ("www.apple.com", "/library/test/success.html", 200, b"<BODY>Success</BODY>"),
    "Android": ("connectivitycheck.gstatic.com", "/generate_204", 204, b""),
    "Android, the older way": ("clients3.google.com", "/gen_204", 204, b""),
    "Windows": ("www.msftconnecttest.com", "/connecttest.txt", 200, b"Microsoft Connect Test"),
    "Windows, the older way": ("www.msftncsi.com", "/ncsi.txt", 200, b"Microsoft NCSI"),
    "Firefox": ("detectportal.firefox.com", "/success.txt", 200, b"success\n"),
    "Firefox, the page": (
        "detectportal.firefox.com",
        "/canonical.html",
        200,
        b"support.mozilla.org/kb/captive-portal",
    ),
}


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hotspot_file(tmp_path: Path) -> Path:
    """Return the hotspot's file, as `companion install` writes it."""
    path = tmp_path / "hotspot.json"
    path.write_bytes(msgspec.json.encode(Hotspot("Race companion", "bamusotirolapeda")))
    return path


@pytest.fixture
def site(journal: Journal, clock: Clock, hotspot_file: Path) -> FlaskClient:
    """Return the pages, asked at the Wi-Fi's own address by a phone in it."""
    app = create_app(Table(journal).open(), address=lambda: f"http://{ADDRESS}", hotspot=hotspot_file)
    app.extensions["companion.guests"] = Guests(clock)
    return app.test_client()


def get(
    site: FlaskClient, host: str, path: str, guest: str = "10.42.0.57", at: str = ADDRESS, **more: Any
) -> Any:
    """Return what a phone gets that asks the machine at this address for a path of that host."""
    environ = {"REMOTE_ADDR": guest, "asgi.scope": {"server": (f"::ffff:{at}", 80)}}
    return site.open(
        path, method=more.get("method", "GET"), headers={"Host": host}, environ_overrides=environ
    )


@pytest.mark.parametrize(("host", "path", "status", "text"), ASKED.values(), ids=ASKED)
def test_a_phone_finds_the_page_and_stays(
    host: str, path: str, status: int, text: bytes, site: FlaskClient, clock: Clock
) -> None:
    """It is led to the page first, then gets the answer that it wants; another phone is still led there."""
    first = get(site, host, path)
    assert (first.status_code, first.location, first.headers["Cache-Control"]) == (302, WATCH, "no-store")
    assert get(site, ADDRESS, "/watch").status_code == 200
    clock.now = 60.0
    then = get(site, host, path)
    assert (then.status_code, then.headers["Cache-Control"]) == (status, "no-store")
    assert text in then.data
    assert get(site, host, path, "10.42.0.58").location == WATCH


def test_android_keeps_its_page_for_some_seconds(site: FlaskClient, clock: Clock) -> None:
    """It closes the page as soon as it hears 204, so it does not hear it at once."""
    get(site, ADDRESS, "/watch")
    clock.now = 9.9
    assert get(site, *ASKED["Android"][:2]).location == WATCH
    clock.now = 10.0
    assert get(site, *ASKED["Android"][:2]).status_code == 204


def test_windows_opens_the_page(site: FlaskClient) -> None:
    """The address that Windows opens by itself leads to the page, each time."""
    for _ in range(2):
        assert get(site, "www.msftconnecttest.com", "/redirect").location == WATCH
        get(site, ADDRESS, "/watch")


ELSEWHERE: dict[str, Callable[[FlaskClient], Any]] = {
    "another path": lambda site: get(site, "captive.apple.com", "/watch"),
    "the first page": lambda site: get(site, "captive.apple.com", "/"),
    "the API": lambda site: get(site, "captive.apple.com", "/api/table"),
    "somebody in the house": lambda site: get(
        site, "captive.apple.com", "/generate_204", guest="192.168.1.7"
    ),
    "at the house's address": lambda site: get(site, "captive.apple.com", "/generate_204", at="192.168.1.5"),
    "an order": lambda site: get(site, "captive.apple.com", "/generate_204", method="POST"),
}


@pytest.mark.parametrize("ask", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_name_that_is_not_ours_gets_nothing_else(
    ask: Callable[[FlaskClient], Any], site: FlaskClient
) -> None:
    """No page and no answer of the API by a name that anybody could point here."""
    get(site, ADDRESS, "/watch")
    assert ask(site).status_code == 400


@pytest.mark.parametrize("path", PROBES)
def test_by_its_own_name_there_is_nothing(path: str, site: FlaskClient) -> None:
    """These paths are no pages of ours."""
    assert get(site, ADDRESS, path).status_code == 404


def test_the_code_of_the_wifi_is_its_own(site: FlaskClient, journal: Journal, hotspot_file: Path) -> None:
    """While phones find the table in the Pi's own Wi-Fi, that is the one to scan; else what the host entered."""
    site.post("/api/unlock", json={"pin": "2468", "role": "host"}, headers=ORIGIN)
    journal.remember(WIFI, Wifi("Haus am See", "hop;over:it"))
    own = segno.make(make_wifi_data("Race companion", "bamusotirolapeda", "WPA")).svg_inline(
        scale=4, border=2
    )
    assert site.get("/api/join").json["wifi"] == "Race companion"  # type: ignore[index]
    assert dots(site.get("/qr.svg?to=wifi").text) == dots(own)
    assert "bamusotirolapeda" in site.get("/host").text
    hotspot_file.unlink()
    assert site.get("/api/join").json["wifi"] == "Haus am See"  # type: ignore[index]


def test_its_password_is_for_the_host(site: FlaskClient, journal: Journal, hotspot_file: Path) -> None:
    """No other device reads it on a page; in the house's network it is not shown at all."""
    site.environ_base["REMOTE_ADDR"] = "192.168.1.7"
    assert "bamusotirolapeda" not in site.get("/host").text
    assert site.get("/qr.svg?to=wifi").status_code == 403
    home = create_app(
        Table(journal).open(), address=lambda: "http://192.168.1.5", hotspot=hotspot_file
    ).test_client()
    home.post("/api/unlock", json={"pin": "2468", "role": "host"}, headers=ORIGIN)
    assert "bamusotirolapeda" not in home.get("/host").text
    assert home.get("/api/join").json["wifi"] is None  # type: ignore[index]


def test_the_window_that_joins_the_wifi_offers_no_seat(site: FlaskClient) -> None:
    """It forgets its cookies when it closes, and the seat with them: it says what to type into the browser."""
    window = get(site, ADDRESS, "/watch?sheet").get_data(as_text=True)
    assert f"open your browser and type: <b>{ADDRESS}/seat</b>" in " ".join(
        re.sub("</p>", "", window).split()
    )
    assert 'src="qr.svg"' in window
    assert "open your browser" not in get(site, ADDRESS, "/watch").get_data(as_text=True)
