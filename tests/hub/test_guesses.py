"""Codes are not guessed, and guesses lock no one else out."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine

from companion.errors import RateLimitedError
from companion.hub import organiser
from companion.hub.site import create_hub
from companion.hub.site.guesses import REMEMBERED, WINDOW_S, Guesses, Limits

WRONG = "ABC"  # is refused for its length: nothing is hashed, the tests are quick
FAR = "203.0.113."


@pytest.fixture
def app(engine: Engine) -> Flask:
    return create_hub(engine)


@pytest.fixture
def code(engine: Engine) -> str:
    with engine.begin() as db:
        return organiser.organiser_code(db)


def enter(client: FlaskClient, code: str, address: str, path: str = "/organiser/enter", **form: str) -> Any:
    return client.post(
        path,
        data={"code": code, **form},
        headers={"Origin": "http://localhost"},
        environ_base={"REMOTE_ADDR": address},
    )


def test_an_address_has_ten_wrong_codes_and_others_go_on(app: Flask, code: str) -> None:
    client = app.test_client()
    said = [enter(client, WRONG, "192.0.2.1").status_code for _ in range(11)]
    assert said == [403] * 10 + [429]
    refused = enter(client, code, "192.0.2.1")
    assert refused.status_code == 429, "the right code too: else guesses would have no limit"
    assert "wait ten minutes" in refused.text
    assert enter(app.test_client(), code, "192.0.2.2").status_code == 303


def test_guesses_from_any_number_of_addresses_do_not_lock_the_organiser_out(app: Flask, code: str) -> None:
    client = app.test_client()
    said = [enter(client, WRONG, f"{FAR}{n}").status_code for n in range(250)]
    assert set(said) == {403}
    assert [enter(client, WRONG, f"{FAR}7").status_code for _ in range(3)] == [403, 403, 429], (
        "three each now"
    )
    for _ in range(2):
        assert enter(client, WRONG, "192.0.2.2").status_code == 403, "who mistypes twice"
    assert enter(app.test_client(), code, "192.0.2.2").status_code == 303, "is let in with the right one"


def test_a_device_that_had_the_code_is_not_locked_out_by_its_own_address(app: Flask, code: str) -> None:
    """The organiser and someone who guesses are in one house, behind one address."""
    here, other = app.test_client(), app.test_client()
    assert enter(here, code, "192.0.2.1").status_code == 303
    assert enter(here, code, "192.0.2.1", "/organiser/leave").status_code == 303
    while enter(other, WRONG, "192.0.2.1").status_code == 403:
        pass
    assert enter(other, code, "192.0.2.1").status_code == 429
    assert enter(here, code, "192.0.2.1").status_code == 303
    assert [enter(here, WRONG, "192.0.2.1").status_code for _ in range(11)] == [403] * 10 + [429]


def test_right_codes_are_not_counted(app: Flask, code: str) -> None:
    for _ in range(12):
        assert enter(app.test_client(), code, "192.0.2.1").status_code == 303


def test_a_device_with_many_ipv6_addresses_is_one(app: Flask) -> None:
    client = app.test_client()
    said = [enter(client, WRONG, f"2001:db8:1:2::{n:x}").status_code for n in range(11)]
    assert said == [403] * 10 + [429]


def test_codes_of_people_are_counted_by_name_and_address(app: Flask) -> None:
    client = app.test_client()
    claimed = enter(app.test_client(), "", "192.0.2.9", "/claim", name="Ada")
    code = "".join(re.findall(r"<span>(\w{4})</span>", claimed.text))
    for n in range(10):
        name = ("Ada", "ada ", " ADA")[n % 3]
        assert enter(client, WRONG, "192.0.2.1", "/me", name=name).status_code == 400
    assert enter(app.test_client(), code, "192.0.2.1", "/me", name="Ada").status_code == 429
    assert enter(client, WRONG, "192.0.2.1", "/me", name="Ben").status_code == 400, "others may still try"
    assert enter(app.test_client(), code, "192.0.2.2", "/me", name="Ada").status_code == 303
    said = {enter(client, WRONG, "192.0.2.1", "/me", name=f"x{n}").status_code for n in range(30)}
    assert said == {400, 429}, "but not every name in turn"
    assert enter(client, "", "192.0.2.1", "/claim", name="Ben").status_code == 200, "a claim is no guess"


def test_wrong_codes_count_for_ten_minutes() -> None:
    time = 0.0
    guesses = Guesses(Limits(pair=2), clock=lambda: time)
    for _ in range(2):
        guesses.attempt("Ada", "here")
    with pytest.raises(RateLimitedError):
        guesses.attempt("ada", "here")
    time = WINDOW_S
    guesses.attempt("Ada", "here")


def test_it_remembers_a_limited_number() -> None:
    guesses = Guesses(Limits(device=10**9))
    for n in range(REMEMBERED + 10):
        guesses.attempt(str(n), "here")
    assert len(guesses._made) == REMEMBERED
    assert guesses._devices == {"here": REMEMBERED}
