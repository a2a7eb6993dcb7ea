"""`companion https`: both addresses lead to one table, and a device keeps its role on both."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.http.https import AUTHORITY, FOLDER, port_of
from tests.support.client import PATIENCE_S, Companion, companion


def https(data: Path, *more: str) -> str:
    ran = CliRunner().invoke(main, ["https", *more, "--data", str(data)], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.output


def test_it_is_switched_on_and_off_and_says_what_to_do_next(tmp_path: Path) -> None:
    """The authority stays the same when it is switched on twice: devices trust it already."""
    assert "open /https on each device" in https(tmp_path)
    first = (tmp_path / FOLDER / AUTHORITY).read_bytes()
    assert "https is on already" in https(tmp_path, "on")
    assert (tmp_path / FOLDER / AUTHORITY).read_bytes() == first
    assert "take the certificate off the devices" in https(tmp_path, "off")
    assert list((tmp_path / FOLDER).iterdir()) == []


class Device:
    """A device with one cookie, which trusts the table's authority."""

    def __init__(self, running: Companion) -> None:
        self._port = running.client.port
        self._trust = ssl.create_default_context(cafile=str(running.data / FOLDER / AUTHORITY))
        self.cookie = ""

    def ask(self, scheme: str, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        port = port_of(self._port) if scheme == "https" else self._port
        wire = (
            http.client.HTTPSConnection("localhost", port, timeout=PATIENCE_S, context=self._trust)
            if scheme == "https"
            else http.client.HTTPConnection("localhost", port, timeout=PATIENCE_S)
        )
        headers = {"Cookie": self.cookie, "Origin": f"{scheme}://localhost:{port}"}
        content = None if body is None else json.dumps(body)
        wire.request(method, path, content, headers | {"Content-Type": "application/json"})
        answer = wire.getresponse()
        if cookie := answer.headers.get("Set-Cookie"):
            assert "Secure" not in cookie
            self.cookie = cookie.partition(";")[0]
        if path.startswith("/events"):
            found = answer.status, answer.read(200)
        else:
            found = answer.status, answer.read()
        wire.close()
        return found


@pytest.mark.long
def test_pages_stream_and_role_by_both_addresses(tmp_path: Path) -> None:
    """The PIN is given by https; the role holds by http too, and the stream runs by https.

    Only here: a cookie that one scheme cannot read, an Origin that is refused, or a stream that TLS holds back.
    """
    https(tmp_path)
    with companion(tmp_path) as running:
        device = Device(running)
        status, page = device.ask("https", "GET", "/watch")
        assert (status, b"Race companion" in page) == (200, True)
        assert device.ask("https", "POST", "/api/unlock", {"pin": "2468", "role": "host"})[0] == 200
        for scheme in ("http", "https"):
            assert device.ask(scheme, "GET", "/api/hardware")[0] == 200
        status, start = device.ask("https", "GET", "/events?as=page")
        assert (status, start[:6]) == (200, b"event:")
        with pytest.raises(ssl.SSLCertVerificationError):
            ssl.create_default_context().wrap_socket(
                socket.create_connection(("localhost", port_of(running.client.port))),
                server_hostname="localhost",
            )
        assert running.stop() == 0


@pytest.mark.long
def test_where_it_is_off_nothing_listens(tmp_path: Path) -> None:
    """Only here: a second port that is open although no one asked for it."""
    with companion(tmp_path) as running:
        wire = http.client.HTTPConnection("localhost", port_of(running.client.port), timeout=PATIENCE_S)
        with pytest.raises(OSError, match="refused"):
            wire.request("GET", "/")
