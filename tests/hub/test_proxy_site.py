"""The site that a real club gives its nginx: it answers watchers without asking the hub."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.support.http import serving
from tests.support.ports import reserved_port
from tools.club import configuration
from tools.club.configuration import Ports
from tools.club.services import MissingProgram, Proxy


class Asked(BaseHTTPRequestHandler):
    """A hub that notes what it was asked."""

    paths: list[str] = []

    def do_GET(self) -> None:
        self.paths.append(self.path)
        body = b'{"tables": []}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing at the terminal."""


@pytest.fixture
def ports(tmp_path: Path) -> Iterator[Ports]:
    """Yield the ports of an nginx that runs, before a hub that notes what it was asked."""
    Asked.paths.clear()
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Asked)) as hub:
        ports = Ports(0, reserved_port(), hub.server_port)
        try:
            proxy = Proxy(tmp_path, ports)
        except MissingProgram as missing:
            pytest.skip(str(missing))
        try:
            proxy.start()
            yield ports
        finally:
            proxy.stop()


def ask(port: int, method: str, path: str, body: bytes | None = None, cookie: str = "") -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body, {"Cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    said = answer.read()
    connection.close()
    return answer.status, said


def test_only_places_differ_from_the_file_that_a_real_club_has() -> None:
    real = (configuration.HERE / "site.conf").read_text("utf-8")
    ours = configuration.site(Ports(1, 2, 3), Path("/cache"))
    differ = [
        line[2:].strip() for line in difflib.ndiff(real.splitlines(), ours.splitlines()) if line[0] == "+"
    ]
    assert differ == [
        "proxy_cache_path /cache levels=1:2 keys_zone=club:10m max_size=200m inactive=1m use_temp_path=off;",
        "server 127.0.0.1:3;",
        "listen 127.0.0.1:2;",
    ]


def test_what_a_club_needs_of_its_broker_is_in_its_file() -> None:
    told = configuration.mosquitto(1884, Path("/kept"))
    for line in (
        "listener 1884 127.0.0.1",
        "persistence true",
        "persistence_location /kept/",
        "max_queued_messages 0",
    ):
        assert f"{line}\n" in told


def test_a_place_that_the_file_no_longer_has_is_an_error() -> None:
    with pytest.raises(ValueError, match="'listen 81;' is there 0 times"):
        configuration._with("listen 80;", {"listen 81;": ""})


def test_the_hub_is_asked_once_a_second_however_many_watch(ports: Ports) -> None:
    with ThreadPoolExecutor(20) as crowd:
        answers = list(crowd.map(lambda _: ask(ports.site, "GET", "/tables.json"), range(200)))
    assert {status for status, _ in answers} == {200}
    assert (
        1 <= Asked.paths.count("/tables.json") < 20
    )  # 200 would be everybody's own; a slow machine takes seconds


def test_who_came_in_by_a_code_is_answered_by_the_hub(ports: Ports) -> None:
    """A page for a client with a cookie is given to no other client."""
    for _ in range(3):
        assert ask(ports.site, "GET", "/league.json", cookie="session=1")[0] == 200
    assert Asked.paths == ["/league.json"] * 3
