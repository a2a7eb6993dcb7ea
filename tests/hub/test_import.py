"""The organiser takes in many records at once, also through the club's web server; others send no large body.

Only here: an import that the server in front of Flask refuses, or a stranger whose large body the hub reads.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest
from sqlalchemy import Engine

from companion.hub import database, organiser
from companion.hub.results import played
from companion.hub.site.organiser import MOST_TAKEN
from companion.publishing.results import Results
from companion.reply import encoded
from tests.support.client import PATIENCE_S
from tests.support.hub.commands import running_hub
from tests.support.hub.stories import Evening
from tests.support.ports import reserved_port
from tools.club.configuration import Ports
from tools.club.services import MissingProgram, Proxy

pytestmark = pytest.mark.long  # a process, and games that are replayed

FILES = 20
EDGE = b"----edge"


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Return the records that a table signed of an evening of many games."""
    home = tmp_path_factory.mktemp("garden")
    evening = Evening(home, "garden", 3)
    for _ in range(FILES):
        evening.play("galloping-pigs", ("Ada", "Ben", "Cleo"))
    made = [encoded(result) for result in Results(evening.journal, "garden", home).every()]
    evening.close()
    return made


class Site:
    """A hub that serves, and its database."""

    def __init__(self, port: int, engine: Engine) -> None:
        self.port, self.engine = port, engine

    def post(
        self, path: str, body: bytes, kind: str, cookie: str = "", port: int = 0
    ) -> tuple[int, str, str]:
        """Return status, body and cookie of the answer."""
        line = HTTPConnection("127.0.0.1", port or self.port, timeout=PATIENCE_S)
        origin = f"http://127.0.0.1:{port or self.port}"
        headers = {"Origin": origin, "Content-Type": kind, "Cookie": cookie}
        try:
            line.request("POST", path, body, headers)
            answer = line.getresponse()
            return answer.status, answer.read().decode(), (answer.getheader("Set-Cookie") or "").split(";")[0]
        finally:
            line.close()

    def cookie(self) -> str:
        with self.engine.begin() as db:
            code = organiser.organiser_code(db)
        form = f"code={code}".encode()
        status, _, cookie = self.post("/organiser/enter", form, "application/x-www-form-urlencoded")
        assert status == 303
        return cookie

    def games(self) -> int:
        with self.engine.connect() as db:
            return len(played(db))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    port = reserved_port()
    engine = database.opened(f"sqlite:///{tmp_path / 'hub.sqlite'}")
    with running_hub(tmp_path, port):
        yield Site(port, engine)
    engine.dispose()


def form_of(files: list[bytes]) -> bytes:
    parts = [
        b'--%s\r\nContent-Disposition: form-data; name="files"; filename="%d.json"\r\n'
        b"Content-Type: application/json\r\n\r\n%s\r\n" % (EDGE, number, body)
        for number, body in enumerate(files)
    ]
    return b"".join(parts) + b"--%s--\r\n" % EDGE


KIND = f"multipart/form-data; boundary={EDGE.decode()}"


def filled(body: bytes) -> bytes:
    """Return a form of exactly as many bytes as may be taken: the rest is an empty file's name."""
    more = b'--%s\r\nContent-Disposition: form-data; name="files"; filename="x.txt"\r\n\r\n' % EDGE
    return more + b"x" * (MOST_TAKEN - len(more) - len(body) - 2) + b"\r\n" + body


def test_many_records_are_taken_in_at_once(site: Site, sealed: list[bytes]) -> None:
    body = form_of(sealed)
    assert len(body) > 64 * 1024, "more than anybody else may send"
    status, page, _ = site.post("/organiser/import", body, KIND, site.cookie())
    assert status == 200
    assert f"Records taken in: {FILES}" in page
    assert site.games() == FILES


def test_exactly_as_much_as_is_said_is_taken_in_and_not_more(site: Site, sealed: list[bytes]) -> None:
    cookie, body = site.cookie(), filled(form_of(sealed[:1]))
    assert len(body) == MOST_TAKEN
    status, page, _ = site.post("/organiser/import", body, KIND, cookie)
    assert status == 200
    assert "Records taken in: 1" in page
    with socket.create_connection(("127.0.0.1", site.port), PATIENCE_S) as line:
        line.sendall(head(site.port, MOST_TAKEN + 1, cookie))
        assert line.recv(100).startswith(b"HTTP/1.1 413 ")


def head(port: int, length: int, cookie: str) -> bytes:
    return (
        f"POST /organiser/import HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n"
        f"Content-Type: {KIND}\r\nContent-Length: {length}\r\nCookie: {cookie}\r\n\r\n"
    ).encode()


@pytest.mark.parametrize("cookie", ["", "companion-hub=forged"])
def test_others_are_answered_before_they_send_it(site: Site, cookie: str) -> None:
    """It is refused by its head: nothing of the body was sent."""
    with socket.create_connection(("127.0.0.1", site.port), PATIENCE_S) as line:
        line.sendall(head(site.port, MOST_TAKEN, cookie))
        assert line.recv(100).startswith(b"HTTP/1.1 403 ")


def test_an_organiser_of_before_has_the_limit_of_others(site: Site) -> None:
    cookie = site.cookie()
    site.cookie()
    with socket.create_connection(("127.0.0.1", site.port), PATIENCE_S) as line:
        line.sendall(head(site.port, MOST_TAKEN, cookie))
        assert line.recv(100).startswith(b"HTTP/1.1 403 ")


def test_the_web_server_of_a_club_passes_it_on(tmp_path: Path, site: Site, sealed: list[bytes]) -> None:
    ports = Ports(0, reserved_port(), site.port)
    (tmp_path / "proxy").mkdir()
    try:
        proxy = Proxy(tmp_path / "proxy", ports)
    except MissingProgram as missing:
        pytest.skip(str(missing))
    body, cookie = filled(form_of(sealed)), site.cookie()
    try:
        proxy.start()
        status, page, _ = site.post("/organiser/import", body, KIND, cookie, ports.site)
        assert status == 200
        assert f"Records taken in: {FILES}" in page
    finally:
        proxy.stop()
