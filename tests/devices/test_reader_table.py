"""A part of a game with each card pad on USB: from the tag to the decision, and each of its faults on the way.

A real companion on modelled hardware: only the keyboard, or the service for PC/SC, is a model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.devices.mock import faults
from tests.support.client import Client, companion

KINDS = ("usb", "pcsc")
TOML = 'pad = "{kind}"\npanel = false\n[track]\nkind = "none"\n'
ALL_WELL = {"pad": "ok", "track": "tap", "panel": "tap"}
FAULTS = [
    # kind of pad, fault, what the screen says of it
    ("usb", "pulled-cable", "no USB reader is found: plug it in here or at the tablet"),
    ("usb", "taken", "another program has the USB reader IC Reader (ffff:0035): end it"),
    ("pcsc", "pulled-cable", "no PC/SC reader is found: plug it in"),
    ("pcsc", "no-service", "the service pcscd does not answer: run sudo apt install pcscd"),
]

CARDS = {"torn-tag"}  # faults of a card, not of a reader


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
def client(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    data = tmp_path_factory.mktemp(kind)
    (data / "companion.toml").write_text(TOML.format(kind=kind), encoding="utf-8")
    with companion(data) as started:
        client = started.client.host()
        client.begin()
        client.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow", "pink"])
        yield client


def lay(client: Client, *names: str) -> None:
    uids = client.uids()
    client.pad(*(uids[f"card/{name}"] for name in names))


def pad_polls(client: Client) -> int:
    """Return how often the reader has asked a card for its UID."""
    polls: int = client.get("/api/hardware")["pad"]["polls"]
    return polls


def played(client: Client) -> int:
    found: int = sum(client.table["state"]["played"])
    return found


def said(table: dict[str, Any]) -> list[str]:
    return [alert["text"] for alert in table["alerts"]]


def test_a_card_is_a_decision(client: Client) -> None:
    """A card held to the reader is played; held again once it was played, it is refused with the reason."""
    before = played(client)
    lay(client, "red/1")
    client.until(lambda table: sum(table["state"]["played"]) == before + 1)
    assert client.table["layout"]["red"] != client.table["layout"]["pink"]
    lay(client)
    lay(client, "pink/5")  # of 4 bytes, after one of 7
    client.until(lambda table: sum(table["state"]["played"]) == before + 2)
    lay(client)


def test_two_at_once_are_refused(client: Client) -> None:
    before = played(client)
    lay(client, "blue/1", "blue/2")
    client.until(lambda table: "one card at a time, please: lift them and lay one" in said(table))
    assert played(client) == before
    lay(client)
    client.until(lambda table: said(table) == [])
    lay(client, "blue/1")
    client.until(lambda table: sum(table["state"]["played"]) == before + 1)
    lay(client)


def test_no_fault_is_left_out() -> None:
    for kind in KINDS:
        covered = {fault for of, fault, _ in FAULTS if of == kind} | CARDS
        alone = {"taken", "mute-radio"} if kind == "pcsc" else set()  # tests/devices/test_pcsc_pad.py
        assert covered | alone == set(faults.PADS[kind])


def fails(client: Client, fault: str, text: str, card: str) -> None:
    """Assert that with this fault a tap plays on, and that after mending the next card is read."""
    before = played(client)
    client.until(lambda table: table["parts"]["pad"] == "ok")
    client.fault(fault, "pad")
    client.until(lambda table: any(text in one for one in said(table)))
    assert client.table["parts"]["pad"] == "lost"
    [found] = [one for one in client.get("/api/hardware")["findings"] if one["part"] == "pad"]
    assert found["grave"] == "dead"
    client.decide(do="play", seat=client.table["next"]["seats"][0], card="green")
    assert played(client) == before + 1
    client.fault(fault, "pad", on=False)
    client.until(lambda table: table["parts"]["pad"] == "ok" and said(table) == [])
    lay(client, card)
    client.until(lambda table: sum(table["state"]["played"]) == before + 2)
    lay(client)


def test_each_fault_is_said_and_the_game_goes_on(kind: str, client: Client) -> None:
    """It is in `parts`, on the screen and on the hardware page with what to do; it heals itself."""
    for number, (fault, text) in enumerate([(fault, text) for of, fault, text in FAULTS if of == kind], 1):
        fails(client, fault, text, f"yellow/{number}")


def test_torn_off(kind: str, client: Client) -> None:
    """A card that goes too soon is not played, and no other is played in its place."""
    before, polls = played(client), pad_polls(client)
    client.fault("torn-tag", "pad")
    lay(client, "green/3")
    if kind == "usb":
        client.until(lambda table: said(table) != [])
    else:  # nothing is said, for it is gone by then; a card that is lifted unread would not be torn off
        client.until(lambda _: pad_polls(client) > polls)
    assert played(client) == before
    lay(client)
    client.until(lambda table: said(table) == [])
    lay(client, "green/3")
    client.until(lambda table: sum(table["state"]["played"]) == before + 1)
    lay(client)


def test_the_doctor_is_content(kind: str, tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text(TOML.format(kind=kind), encoding="utf-8")
    command = ["doctor", "--mock", "--data", str(tmp_path), "--seconds", "1", "--json"]
    ran = CliRunner().invoke(main, command, catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    looked = json.loads(ran.stdout)
    assert (looked["pad"]["kind"], looked["pad"]["state"], looked["findings"]) == (kind, "ok", [])
