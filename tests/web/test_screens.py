"""A part of a page that cannot be drawn: the host reads which, and nothing else of the game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.diagnostics.screens import MOST, Browser, ScreenError, ScreenErrors
from companion.web.hardware.screens import OF_ONE
from tests.web.test_hardware import House

# as these devices send them
AGENTS = {
    "Mozilla/5.0 (iPhone; CPU iPhone OS 15_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/15.3 Mobile/15E148 Safari/604.1": ("phone", "Safari 15.3"),
    "Mozilla/5.0 (iPad; CPU OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/12.1.2 Mobile/15E148 Safari/604.1": ("tablet", "Safari 12.1"),
    "Mozilla/5.0 (Linux; Android 13; SM-T500) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 "
    "Safari/537.36": ("tablet", "Chrome 120"),
    "Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-S901B) AppleWebKit/537.36 (KHTML, like Gecko) "
    "SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36": ("phone", "Samsung Internet 23"),
    "Mozilla/5.0 (Linux; Android 9; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/108.4.6 "
    "like Chrome/108.0.5359.160 Safari/537.36": ("tablet", "Silk 108"),
    "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/87.0.4280.88 "
    "Safari/537.36 WebAppManager": ("television", "Chrome 87"),
    "Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) "
    "76.0.3809.146/6.0 TV Safari/537.36": ("television", ""),
    "Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0": ("computer", "Firefox 115"),
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "CriOS/119.0.6045.109 Mobile/15E148 Safari/604.1": ("phone", "Chrome 119"),
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 "
    "Safari/537.36 Edg/120.0.2210.91": ("computer", "Edge 120"),
    "": ("computer", ""),
}  # fmt: skip

IPHONE = next(iter(AGENTS))


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def report(client: FlaskClient, agent: str = IPHONE, address: str = "192.168.1.20", **body: Any) -> int:
    answer = client.post(
        "/api/trouble",
        json={"page": "tv", "part": "odds", "where": "common/odds.js:61"} | body,
        headers={"Origin": "http://localhost", "User-Agent": agent},
        environ_overrides={"REMOTE_ADDR": address},
    )
    return answer.status_code


@pytest.mark.parametrize("agent", AGENTS)
def test_a_browser_is_named_as_its_owner_would(agent: str) -> None:
    assert Browser.of(agent) == AGENTS[agent]


def test_the_host_reads_which_browser_cannot_show_what(house: House) -> None:
    """A guest without any role reports it; the host reads the device, the version and the part."""
    assert report(house.app.test_client()) == 200
    [finding] = [one for one in house.hardware["findings"] if one["part"] == "screen"]
    assert finding["what"] == "A phone's browser (Safari 15.3) cannot show the odds"
    assert finding["cause"].endswith("(/tv, common/odds.js:61)")
    assert "/plain" in finding["try"][0]


def test_the_same_trouble_is_one_finding(house: House) -> None:
    guest = house.app.test_client()
    for address in ("192.168.1.20", "192.168.1.21", "192.168.1.22"):
        report(guest, address=address)
    report(guest, part="course")
    said = [one["what"] for one in house.hardware["findings"] if one["part"] == "screen"]
    assert said == [
        "A phone's browser (Safari 15.3) cannot show the odds",
        "A phone's browser (Safari 15.3) cannot show the track",
    ]


@pytest.mark.parametrize(
    "body",
    [
        {"part": "secret"},
        {"page": "../host"},
        {"page": 7},
        {"where": "Ada holds red/3"},
        {"where": "https://other.example/x.js:1"},
        {"where": "x" * 10_000},
        {"error": "Unexpected token in hand"},
    ],
    ids=lambda body: json.dumps(body)[:40],
)
def test_a_report_holds_no_words_of_the_game(house: House, body: dict[str, Any]) -> None:
    """Only a part, a page and a script's line are taken: the text of an error may hold a hand."""
    assert report(house.app.test_client(), **body) == 400
    assert not [one for one in house.hardware["findings"] if one["part"] == "screen"]


def test_one_device_cannot_fill_the_host_s_page(house: House) -> None:
    """After so many it is refused; another device is still heard."""
    guest = house.app.test_client()
    answers = [report(guest, where=f"common/odds.js:{n}") for n in range(OF_ONE.burst + 3)]
    assert answers == [200] * OF_ONE.burst + [429] * 3
    assert report(guest, address="192.168.1.99") == 200


def test_only_the_latest_are_kept() -> None:
    errors = ScreenErrors()
    for n in range(MOST + 5):
        assert errors.add(ScreenError(Browser("phone", ""), "tv", "odds", f"x.js:{n}"))
    assert len(errors.findings()) == MOST
    assert not errors.add(ScreenError(Browser("phone", ""), "tv", "odds", f"x.js:{MOST + 4}"))
    assert errors.add(ScreenError(Browser("phone", ""), "tv", "odds", "x.js:0")), "forgotten by then"
