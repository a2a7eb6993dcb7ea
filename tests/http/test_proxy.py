"""What a proxy says of a request counts if the settings name it; otherwise no client counts as at home."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from companion.http.proxy import Proxied
from companion.hub.site.app import FOLDERS
from companion.settings import Settings, SettingsError, read
from companion.store.journal import Journal
from companion.table.table import Table
from companion.web.serve import Site
from companion.web.stream import Hub
from tests.support.apps import create_app

HERE, NGINX, PHONE = "127.0.0.1", "192.168.1.2", "192.168.1.9"
ASKED = {"x-forwarded-host": "10.1.1.1", "x-forwarded-proto": "https", "x-forwarded-prefix": "/table"}


def asked(address: str, *proxies: str, path: str = "/", **headers: str) -> dict[str, Any]:
    """Return what the app behind the proxies is asked."""
    seen: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)

    said = {"host": "127.0.0.1:8000", **{name.replace("_", "-"): value for name, value in headers.items()}}
    scope = {
        "type": "http",
        "scheme": "http",
        "path": path,
        "root_path": "",
        "client": (address, 1234),
        "headers": [(name.encode(), value.encode()) for name, value in said.items()],
    }
    asyncio.run(Proxied(app, proxies)(scope, None, None))
    return seen[0]


@pytest.mark.parametrize(
    ("address", "proxies", "chain", "client"),
    [
        (HERE, [HERE], PHONE, PHONE),
        (f"::ffff:{HERE}", [HERE], PHONE, PHONE),
        (HERE, [HERE], f"6.6.6.6, {PHONE}", PHONE),  # what a guest has made up stands before
        (HERE, [HERE, NGINX], f"6.6.6.6, {PHONE}, {NGINX}", PHONE),
        (HERE, [HERE], f"{PHONE}, {NGINX}", NGINX),
        (NGINX, [HERE], PHONE, NGINX),
        (HERE, [], PHONE, HERE),
        ("::1", ["::1"], "2001:db8::1", "2001:db8::1"),
    ],
)
def test_who_asks(address: str, proxies: list[str], chain: str, client: str) -> None:
    assert asked(address, *proxies, x_forwarded_for=chain)["client"][0] == client


def test_what_was_asked_for_at_the_proxy() -> None:
    scope = asked(HERE, HERE, x_forwarded_for=PHONE, via="1.1 house", **ASKED)
    assert (scope["scheme"], scope["root_path"], scope["headers"]) == (
        "https",
        "/table",
        [(b"host", b"10.1.1.1")],
    )


@pytest.mark.parametrize("prefix", ["//evil.example", "/a b", '/"><script>', "table", "/../x?", "/"])
def test_a_prefix_that_is_no_path_is_none(prefix: str) -> None:
    assert asked(HERE, HERE, x_forwarded_for=PHONE, x_forwarded_prefix=prefix)["root_path"] == ""


@pytest.mark.parametrize("path", ["/watch", "/table/watch"])
def test_the_proxy_may_take_the_prefix_away_or_leave_it(path: str) -> None:
    assert asked(HERE, HERE, path=path, x_forwarded_for=PHONE, **ASKED)["path"] == "/watch"


def test_nothing_is_believed_of_anybody_else() -> None:
    scope = asked(NGINX, HERE, x_forwarded_for=PHONE, **ASKED)
    assert (scope["client"][0], scope["scheme"], scope["root_path"]) == (NGINX, "http", "")
    assert (b"host", b"127.0.0.1:8000") in scope["headers"]


# --- through the whole site ----------------------------------------------------------------------


def answer(
    journal: Journal, proxies: tuple[str, ...], headers: dict[str, str], path: str = "/"
) -> tuple[int, dict[str, str], str]:
    """Return what the site answers to this machine: status, headers, page."""
    table = Table(journal).open()
    site = Site(create_app(table, port=8000), Hub(table), proxies=proxies)
    got: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        got.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "http_version": "1.1",
        "scheme": "http",
        "path": path,
        "query_string": b"",
        "root_path": "",
        "client": (f"::ffff:{HERE}", 1234),
        "server": (HERE, 8000),
        "headers": [(b"host", b"127.0.0.1:8000"), *((n.encode(), v.encode()) for n, v in headers.items())],
    }
    asyncio.run(site(scope, receive, send))
    body = b"".join(message.get("body", b"") for message in got)
    return got[0]["status"], {n.decode(): v.decode() for n, v in got[0]["headers"]}, body.decode()


@pytest.mark.parametrize(
    ("proxies", "headers", "is_table"),
    [
        ((), {}, True),
        ((HERE,), {}, True),  # this machine's own screen, past the proxy
        ((), {"x-forwarded-for": PHONE}, False),
        ((), {"x-forwarded-for": HERE}, False),
        ((), {"forwarded": f"for={PHONE}"}, False),
        ((), {"via": "1.1 house"}, False),
        ((), {"x-real-ip": PHONE}, False),
        ((), {"x-forwarded-proto": "http"}, False),
        ((HERE,), {"x-forwarded-for": PHONE}, False),
        ((HERE,), {"x-forwarded-for": HERE}, True),  # this machine's own screen, by the proxy
        ((HERE,), {"x-forwarded-host": "10.1.1.1"}, False),  # a proxy that does not say for whom
    ],
)
def test_who_is_the_table_without_a_pin(
    journal: Journal, proxies: tuple[str, ...], headers: dict[str, str], is_table: bool
) -> None:
    """Only this machine itself is, and no client that it may have passed on."""
    assert (answer(journal, proxies, headers, "/api/join")[0] == 200) == is_table


def test_a_page_says_where_its_links_start(journal: Journal) -> None:
    forwarded = {"x-forwarded-for": PHONE, **ASKED}
    for proxies, start in (((HERE,), "/table/"), ((), "/")):
        status, _, page = answer(journal, proxies, forwarded, "/watch")
        assert (status, f'<base href="{start}">' in page) == (200, True)


def test_no_page_and_no_script_leaves_the_prefix() -> None:
    """Links, requests and pictures are relative to the page's base; only what Flask writes has the prefix in it."""
    absolute = re.compile(
        r"""(?:href|src|action)="/|["'`]/(?:api|static|events|qr|host|watch|seat)\b|url\("/"""
    )
    files = [
        path for folder in FOLDERS for path in folder.rglob("*") if path.suffix in (".html", ".js", ".css")
    ]
    assert len(files) > 80
    assert {path.name: found for path in files if (found := absolute.findall(path.read_text("utf-8")))} == {}


def test_settings_name_proxies_by_their_addresses() -> None:
    assert read('proxy = "127.0.0.1"', Settings()).proxies == (HERE,)
    assert read('proxy = ["127.0.0.1", "::1"]', Settings()).proxies == (HERE, "::1")
    assert Settings().proxies == ()
    for wrong in ('"nginx"', "true", '["127.0.0.1", 3]', '"10.0.0.0/8"'):
        with pytest.raises(SettingsError, match="proxy must be an address"):
            read(f"proxy = {wrong}", Settings())


def test_a_proxy_that_changes_the_name_is_said_with_the_line_to_add(journal: Journal) -> None:
    """A person who entered a PIN cannot send another header, but can add a line to the settings."""
    site = create_app(Table(journal).open()).test_client()
    headers = {"Host": "127.0.0.1:8000", "Origin": "https://games.example", "X-Forwarded-For": PHONE}
    answer = site.post(
        "/api/unlock", json={"pin": "2468"}, headers=headers, environ_overrides={"REMOTE_ADDR": NGINX}
    )
    assert (answer.status_code, answer.json and answer.json["kind"]) == (403, "origin")
    assert answer.json
    assert "open as games.example, but what it sends arrives for 127.0.0.1:8000" in answer.json["reason"]
    assert f'add the line proxy = "{NGINX}" to companion.toml' in answer.json["reason"]
    program = site.post("/api/unlock", json={"pin": "2468"})
    assert program.json
    assert "send a matching Origin header" in program.json["reason"]
