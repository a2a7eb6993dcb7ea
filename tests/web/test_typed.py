"""A reader at the tablet, over HTTP: what it types, what is said of it, and what a repeated card does.

Only here: a card that a running companion lays again because its reader repeats it, or a text that the hardware
page shows during a game.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.client import Client, HttpError, Stream, companion

pytestmark = pytest.mark.long
SEATS = ("Ada", "Ben", "Cleo", "Dev")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Client]:
    settings = 'pad = "usb"\npanel = false\nusb_repeat = 3\n[track]\nkind = "none"\n'
    (tmp_path / "companion.toml").write_text(settings, encoding="utf-8")
    with companion(tmp_path) as running:
        yield running.client.host()


def shown(host: Client) -> list[int]:
    """Return how many cards are being shown in each set, as the table page has it."""
    stream = Stream(host.port, "?as=page")
    try:
        return [len(gathered["numbers"]) for gathered in stream.view().get("gathered", [])]
    finally:
        stream.close()


def lay(host: Client, uid: str) -> None:
    """Type a card, and wait until it no longer counts as present."""
    typed = host.get("/api/hardware")["pad"]["polls"]
    host.post("/api/pad/typed", text=uid)
    host.until(lambda table: host.get("/api/hardware")["pad"]["polls"] > typed)
    host.until(lambda table: host.get("/api/hardware")["pad"]["lies"] == [])


def test_a_third_card_that_is_repeated_stays_in_its_set(host: Client) -> None:
    """Three are left, not two; the screen takes one back, and then it can be laid again at once."""
    host.begin("greyhounds", SEATS)
    uids = host.uids("greyhounds")
    for number in (1, 2, 3):
        lay(host, f";{uids[f'card/red/{number}']}?")
    host.until(lambda table: shown(host) == [3])
    for _ in range(3):
        lay(host, uids["card/red/3"])
    assert shown(host) == [3]
    host.post("/api/undo", seq=host.table["seq"])
    assert shown(host) == [2]
    host.post("/api/pad/typed", text=uids["card/red/3"])
    host.until(lambda table: shown(host) == [3])
    time.sleep(3.2)  # a clear pause
    host.post("/api/pad/typed", text=uids["card/red/3"])
    host.until(lambda table: shown(host) == [2])


def test_the_hardware_page_shows_what_was_typed(host: Client) -> None:
    """Before a game as it is, with a fault if it is no card; during a game without its digits."""
    text = "%118,45763?"
    with pytest.raises(HttpError) as refused:
        host.post("/api/pad/typed", text=text)
    assert (refused.value.status, refused.value.kind) == (409, "no-tag")
    assert f"The reader typed '{text}'. The companion understands" in str(refused.value)
    seen = host.get("/api/hardware")
    assert seen["pad"]["typed"] == text
    [fault] = [found["what"] for found in seen["findings"] if "typed" in found["what"]]
    assert fault == "The USB reader typed something that is no tag's number"
    host.begin("greyhounds", SEATS)
    uid = host.uids("greyhounds")["card/red/3"]
    lay(host, f";{uid}?")
    seen = host.get("/api/hardware")
    assert seen["pad"]["typed"] == f";{'•' * len(uid)}?"
    assert uid not in json.dumps(seen)
