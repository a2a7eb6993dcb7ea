"""The companion works behind a real nginx that is set up with the lines of docs/proxy.md.

Only here: a line of docs/proxy.md that nginx rejects, a stream that it holds back, or a link that leaves the
prefix.
"""

from __future__ import annotations

import http.client
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.client import PATIENCE_S, Client, companion
from tests.support.ports import reserved_port

pytestmark = pytest.mark.long

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin")
DOC = (Path(__file__).parents[2] / "docs" / "proxy.md").read_text("utf-8")
HOST = "games.example"
PHONE = {"Host": HOST, "X-Forwarded-For": "192.168.1.9"}
PREFIX = "/table"
CONFIG = """
pid {directory}/pid;
error_log {directory}/error.log;
daemon off;
events {{}}
http {{
    access_log off;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    server {{
        listen 127.0.0.1:{port};
        {location}
    }}
}}
"""


def block(kind: str) -> str:
    found = re.search(rf"```{kind}\n(.*?)```", DOC, re.DOTALL)
    assert found
    return found[1]


class Guest(Client):
    """A phone.

    nginx adds the address that it sees. That is this machine's address, so nginx counts as a second proxy.
    """

    def request(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        said = {**PHONE, **(headers or {})}
        if method != "GET":
            said = {"Origin": f"http://{HOST}", **said}
        return super().request(method, PREFIX + path, body, said)


def behind(directory: Path, settings: str, location: str) -> Iterator[Guest]:
    if NGINX is None:
        pytest.skip("nginx is not installed: apt-get install nginx-light")
    data = directory / "data"
    data.mkdir(parents=True)
    (data / "companion.toml").write_text(settings)
    with companion(data) as running:
        port = reserved_port()
        location = location.replace(":8000", f":{running.client.port}")
        (directory / "nginx.conf").write_text(
            CONFIG.format(directory=directory, port=port, location=location)
        )
        nginx = subprocess.Popen([NGINX, "-p", str(directory), "-c", str(directory / "nginx.conf")])
        try:
            guest, end = Guest(port), time.monotonic() + PATIENCE_S
            while True:
                try:
                    guest.get("/healthz")
                    break
                except OSError:
                    assert nginx.poll() is None, (directory / "error.log").read_text()
                    assert time.monotonic() < end, "nginx does not answer"
                    time.sleep(0.05)  # nginx says nothing when it is ready
            yield guest
        finally:
            nginx.terminate()
            nginx.wait()


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    yield from behind(tmp_path, block("toml"), block("nginx"))


def ask(port: int, path: str, cookie: str = "", **headers: str) -> tuple[int, Any, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    connection.request("GET", path, headers={**PHONE, "Cookie": cookie, **headers})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.headers, body


def test_an_evening_through_nginx(guest: Guest) -> None:
    """A page, the PIN, a game and a decision pass through nginx; the stream has the decision at once."""
    status, _, page = ask(guest.port, "/table/")
    assert (status, b'<base href="/table/">' in page, b'data-roles=""' in page) == (200, True, True)
    guest.host()
    guest.begin()
    connection = http.client.HTTPConnection("127.0.0.1", guest.port, timeout=PATIENCE_S)
    connection.request("GET", "/table/events", headers=PHONE)
    stream = connection.getresponse()
    before = json.loads(event(stream))["seq"]
    guest.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow", "pink"])
    while json.loads(event(stream))["seq"] <= before:
        pass
    connection.close()


def event(stream: http.client.HTTPResponse) -> bytes:
    data = b""
    while line := stream.readline().rstrip(b"\n"):
        data = line.partition(b"data: ")[2] or data
    return data


def test_all_that_pages_load_is_under_the_prefix(guest: Guest) -> None:
    """Each page's scripts, styles, fonts and links are under the prefix."""
    seen: set[str] = set()
    guest.host()
    for path in ("", "watch", "seat", "host", "tags", "hardware", "history", "rules", "mock", "paper/table"):
        _, _, page = ask(guest.port, f"/table/{path}", guest._cookie)
        seen |= set(re.findall(r'<(?:script|link|img|a)\b[^>]*?(?:src|href)="([^"#]+)"', page.decode()))
        styles = [link for link in seen if link.endswith(".css")]
    for link in styles:
        _, _, style = ask(guest.port, link)
        found = re.findall(r'url\("([^"]+\.woff2)"\)', style.decode())
        assert found
        seen |= {str(Path(link).parent / font) for font in found}
    for link in sorted(seen):
        url = link if link.startswith("/") else f"/table/{link}"
        assert url.startswith("/table/"), link
        assert ask(guest.port, _resolved(url), guest._cookie)[0] == 200, link


def _resolved(url: str) -> str:
    parts: list[str] = []
    for part in url.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def test_the_code_and_the_cookie_are_of_the_address_that_was_asked(guest: Guest) -> None:
    guest.host()
    assert guest.get("/api/join")["url"].startswith(f"http://{HOST}/table/seat?code=")
    _, headers, _ = ask(guest.port, "/table/host", guest._cookie)
    assert "Path=/table/" in headers["Set-Cookie"]
    assert "Secure" not in headers["Set-Cookie"]


def test_under_https_the_cookie_is_secure(tmp_path: Path) -> None:
    location = block("nginx").replace("$scheme", "https")
    for guest in behind(tmp_path, block("toml"), location):
        guest.request("POST", "/api/unlock", {"pin": "2468", "role": "host"}, {"Origin": f"https://{HOST}"})
        _, headers, _ = ask(guest.port, "/table/host", guest._cookie)
        assert "Secure" in headers["Set-Cookie"]
        assert guest.get("/api/join")["url"].startswith(f"https://{HOST}/table/seat")


def test_a_proxy_that_is_not_named_makes_no_client_the_table(tmp_path: Path) -> None:
    for guest in behind(tmp_path, f'hosts = ["{HOST}"]', block("nginx")):
        assert ask(guest.port, "/table/api/join")[0] in (400, 403)
        assert b'data-roles=""' in ask(guest.port, "/table/watch", Host="127.0.0.1")[2]
