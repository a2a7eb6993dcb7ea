"""The settings on the host's page: what is written into companion.toml, and what stays as it was."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.settings import Settings, load
from companion.store.journal import Journal
from companion.table.table import Table
from tests.support.apps import create_app

WANTED: dict[str, Any] = {
    "pad": "usb", "panel": True, "track": "tag", "spaces": 9, "voice": True, "language": "fr",
}  # fmt: skip
MINE = """# my table
pad = "spi"  # above the box
name = "cabin"

[track]
# from the shop
kind = "tag"
power = 20

[mqtt]
host = "broker.lan"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "companion.toml"


@pytest.fixture
def host(journal: Journal, file: Path) -> FlaskClient:
    """Return the host's phone, at a table with this file."""
    asker = create_app(Table(journal), settings=file).test_client()
    asker.post("/api/unlock", json={"pin": "2468", "role": "host"}, headers={"Origin": "http://localhost"})
    return asker


def put(host: FlaskClient, **wanted: Any) -> tuple[int, Any]:
    answer = host.put("/api/machine", json=WANTED | wanted, headers={"Origin": "http://localhost"})
    return answer.status_code, answer.get_json()


@pytest.mark.parametrize("text", [None, "", MINE], ids=["no file", "an empty file", "the owner's file"])
def test_what_is_wanted_is_in_the_file(text: str | None, host: FlaskClient, file: Path) -> None:
    """The next start has it; every other line stays, comments too, and the file as it was is next to it."""
    if text is not None:
        file.write_text(text)
    assert put(host)[0] == 200
    machine = load(file, Settings())
    assert (machine.pad, machine.panel, machine.track.kind, machine.track.spaces) == ("usb", True, "tag", 9)
    assert (machine.sound.voice, machine.sound.language) == ("auto", "fr")
    if text is not None:
        assert file.with_name("companion.toml.old").read_text() == text
    if text == MINE:
        written = file.read_text()
        for line in ("# my table", '"usb"  # above the box', "# from the shop", "power = 20"):
            assert line in written
        assert tomllib.loads(written)["mqtt"] == {"host": "broker.lan"}


def test_what_does_not_change_is_not_written(host: FlaskClient, file: Path) -> None:
    """A voice that the owner chose by name stays, and so does a file in which nothing changes."""
    file.write_text('[sound]\nvoice = "piper"\nmodel = "/srv/voice.onnx"\n')
    put(host, pad="none", panel=False, track="none", spaces=22, language="en")
    assert tomllib.loads(file.read_text()) == {"sound": {"voice": "piper", "model": "/srv/voice.onnx"}}


def test_a_reader_that_there_is_not_is_refused(host: FlaskClient, file: Path) -> None:
    assert put(host, pad="nonesuch") == (409, {"kind": "settings", "reason": "there is no reader nonesuch"})
    assert not file.exists()


def test_a_file_with_a_mistake_stays(host: FlaskClient, file: Path) -> None:
    """The page says where to look; nothing is written over what the owner has typed."""
    file.write_text("pad = yes\n")
    status, answer = put(host)
    assert (status, answer["kind"]) == (409, "settings")
    assert "companion settings" in answer["reason"]
    assert file.read_text() == "pad = yes\n"
    assert b"companion.toml has a mistake" in host.get("/host").data


def test_the_page_shows_what_is_set(host: FlaskClient, file: Path) -> None:
    file.write_text('pad = "pcsc"\npanel = true\n[track]\nspaces = 30\n')
    page = host.get("/host").get_data(as_text=True)
    assert '<option value="pcsc" selected>' in page
    assert 'value="30"' in page
    assert 'name="panel" checked' in page


def test_only_the_host_may(journal: Journal, file: Path) -> None:
    guest = create_app(Table(journal), settings=file).test_client()
    assert put(guest)[0] == 403
    assert not file.exists()
