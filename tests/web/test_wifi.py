"""The Wi-Fi that guests are to be in: entered by the host, shown by the table, a secret to everybody else."""

from __future__ import annotations

import re

import pytest
import segno
from flask.testing import FlaskClient

from companion.store.journal import Journal
from companion.table.table import Table
from companion.web.seat.api import WIFI, Wifi
from tests.support.apps import create_app

HOME, SECRET = "Haus am See", "hop;over:it"
ORIGIN = {"Origin": "http://localhost"}


@pytest.fixture
def guest(journal: Journal) -> FlaskClient:
    """Return a client on the LAN; the table's own screen would be the table."""
    site = create_app(Table(journal).open()).test_client()
    site.environ_base["REMOTE_ADDR"] = "192.168.1.7"
    return site


@pytest.fixture
def host(guest: FlaskClient) -> FlaskClient:
    guest.post("/api/unlock", json={"pin": "2468", "role": "host"}, headers=ORIGIN)
    return guest


def entered(host: FlaskClient, name: str, password: str) -> int:
    return host.put("/api/wifi", json={"name": name, "password": password}, headers=ORIGIN).status_code


def dots(svg: str) -> str:
    """Return what a code is drawn with."""
    paths: list[str] = re.findall(r' d="([^"]*)"', svg)
    return paths[-1]


def test_a_phone_that_scans_it_is_in(host: FlaskClient) -> None:
    assert entered(host, HOME, SECRET) == 200
    assert host.get("/api/join").json["wifi"] == HOME  # type: ignore[index]
    expected = segno.make(r"WIFI:T:WPA;S:Haus am See;P:hop\;over\:it;;").svg_inline(scale=4, border=2)
    assert dots(host.get("/qr.svg?to=wifi").text) == dots(expected)


def test_nobody_else_sees_it(guest: FlaskClient, journal: Journal) -> None:
    journal.remember(WIFI, Wifi(HOME, SECRET))
    assert guest.get("/qr.svg?to=wifi").status_code == 403
    assert guest.put("/api/wifi", json={"name": "Mine"}, headers=ORIGIN).status_code == 403


def test_it_is_forgotten_by_an_empty_name(host: FlaskClient) -> None:
    entered(host, HOME, SECRET)
    assert entered(host, "", "") == 200
    assert host.get("/api/join").json["wifi"] is None  # type: ignore[index]
    assert host.get("/qr.svg?to=wifi").status_code == 404


@pytest.mark.parametrize(("name", "password"), [("ä" * 17, ""), (HOME, "short"), (HOME, "x" * 64)])
def test_what_no_wifi_has_is_refused(name: str, password: str, host: FlaskClient) -> None:
    assert entered(host, name, password) == 400
    assert host.get("/api/join").json["wifi"] is None  # type: ignore[index]
