"""Webhooks: all is sent near by only, in order until accepted, signed as a standard library verifies it."""

from __future__ import annotations

import json
import random
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook as StandardWebhook
from standardwebhooks import WebhookVerificationError

from companion.match.record import Header
from companion.publishing import webhook
from companion.publishing.webhook import NotDelivered, Webhook, headers, post
from companion.settings import HookSettings, Settings, read
from companion.store.journal import Journal
from companion.table.table import Table
from tests.publishing.test_events import events
from tests.publishing.test_mosquitto import play
from tests.support.client import PATIENCE_S
from tests.support.http import serving

PAGE = Path(__file__).parents[2] / "docs" / "webhooks.md"
SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"


class Listener:
    """An address that gets events, and its answers, one after the other; 204 at last."""

    def __init__(self, *answers: int) -> None:
        self.answers = list(answers)
        self.heard: list[tuple[str, dict[str, str], bytes]] = []
        self._changed = threading.Condition()
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(listener.note(self.path, dict(self.headers), body))
                self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._handler, self._port = Handler, 0
        self.open()
        self.url = f"http://127.0.0.1:{self._port}/race?of=window-2"

    def open(self) -> None:
        """Listen, on the same port as before."""
        self._running = ExitStack()
        server = self._running.enter_context(
            serving(ThreadingHTTPServer(("127.0.0.1", self._port), self._handler))
        )
        self._port = server.server_port

    def note(self, path: str, given: dict[str, str], body: bytes) -> int:
        with self._changed:
            self.heard.append((path, given, body))
            self._changed.notify_all()
            return self.answers.pop(0) if self.answers else 204

    def until(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.heard) >= count, PATIENCE_S), self.heard

    def close(self) -> None:
        self._running.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    listening = Listener()
    yield listening
    listening.close()


@contextmanager
def publishing(journal: Journal, settings: HookSettings) -> Iterator[Table]:
    """Yield a table that publishes, with its threads, as it is served."""
    table = Table(journal, dealer=random.Random(1)).open()
    hook = Webhook(settings, journal, "window-2")
    table.listeners.append(hook.update)
    hook.start()
    table.start()
    try:
        yield table
    finally:
        table.stop()
        hook.stop()


def begin(table: Table) -> None:
    table.ask(lambda table: table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion"))


def test_every_event_is_sent_in_order_and_signed(journal: Journal, listener: Listener) -> None:
    """Each is as a broker gets it; the secret proves that it is from this table, and unchanged."""
    with publishing(journal, HookSettings(listener.url, secret=SECRET)) as table:
        begin(table)
        play(table, 8, random.Random(1))
        listener.until(journal.seq())
    assert [json.loads(body) for _, _, body in listener.heard] == events(journal)
    believing = StandardWebhook(SECRET)
    for path, given, body in listener.heard:
        assert path == "/race?of=window-2"
        assert given["Webhook-Id"] == f"window-2/{json.loads(body)['entry']}"
        lower = {name.lower(): value for name, value in given.items()}
        assert believing.verify(body, lower) == json.loads(body)
        with pytest.raises(WebhookVerificationError):
            believing.verify(body.replace(b"Ada", b"Eve"), lower)


@pytest.mark.parametrize("answer", [500, 404, 302])
def test_an_event_that_failed_is_sent_again(
    answer: int, journal: Journal, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The same, with the same id, and nothing before it; it is said once, and once more when it is over."""
    monkeypatch.setattr("companion.publishing.retry.FIRST_S", 0.01)
    listener = Listener(204, answer, answer)
    with publishing(journal, HookSettings(listener.url)) as table:
        begin(table)
        play(table, 3, random.Random(1))
        listener.until(journal.seq() + 2)
    listener.close()
    assert [json.loads(body)["entry"] for _, _, body in listener.heard] == [
        *(1, 2, 2, 2),
        *range(3, journal.seq() + 1),
    ]
    assert "Webhook-Signature" not in listener.heard[0][1]
    said = [record.getMessage() for record in caplog.records if record.name == webhook.__name__]
    assert [line.split(" ", 2)[2].split(";")[0] for line in said] == [f"answers {answer}", "answers again"]
    assert all("of=window-2" not in line for line in said)


def test_unsent_events_wait_in_the_journal(journal: Journal) -> None:
    """If none is accepted, the next companion sends it all, and the one after that only what is new."""
    listener = Listener()
    hook = HookSettings(listener.url)
    listener.close()
    with publishing(journal, hook) as table:
        begin(table)
        play(table, 3, random.Random(1))
    listener.open()
    with publishing(journal, hook):
        listener.until(journal.seq())
    with publishing(journal, hook) as table:
        table.ask(lambda table: table.end(table.snapshot.seq))
        listener.until(journal.seq())
    listener.close()
    assert [json.loads(body)["entry"] for _, _, body in listener.heard] == [*range(1, journal.seq() + 1)]


def test_only_what_was_asked_for(journal: Journal, listener: Listener) -> None:
    """A game that begins and one that ends; the rest is passed over."""
    with publishing(journal, HookSettings(listener.url, events=("new", "end"))) as table:
        for _ in range(2):
            begin(table)
            play(table, 3, random.Random(1))
            table.ask(lambda table: table.end(table.snapshot.seq))
        listener.until(4)
    assert [json.loads(body)["kind"] for _, _, body in listener.heard] == ["new", "end"] * 2


OWN = ["127.0.0.1", "127.1.2.3", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.20", "::1", "fd00::1", "::ffff:192.168.1.20"]  # fmt: skip
OUTSIDE = [
    "8.8.8.8",
    "172.32.0.1",
    "100.64.0.1",
    "2001:4860:4860::8888",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
]
NO_DEVICE = [
    *("0.0.0.0", "0.1.2.3", "169.254.169.254", "192.0.2.1", "198.18.0.1", "198.19.255.255", "203.0.113.5"),
    *("224.0.0.251", "239.1.2.3", "240.0.0.1", "255.255.255.255"),
    *(
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::fb",
        "2001:db8::1",
        "3fff::1",
        "100::1",
        "::127.0.0.1",
    ),
    *("::ffff:169.254.169.254", "::ffff:0.0.0.0", "::ffff:255.255.255.255", "64:ff9b::169.254.169.254"),
]


@pytest.mark.parametrize("address", [*OWN, *OUTSIDE, *NO_DEVICE])
def test_only_the_own_network_gets_events(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The address that was checked is the one that is connected to; `anywhere` allows any device, no more."""
    asked: list[Any] = []

    def connected(at: Any, *_: Any) -> Any:
        asked.append(at)
        raise OSError("tried")

    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: [(2, 1, 6, "", (address, 80))])
    monkeypatch.setattr("socket.create_connection", connected)
    said = (
        "tried" if address in OWN else "anywhere = true" if address in OUTSIDE else "no address of a device"
    )
    with pytest.raises(NotDelivered, match=said):
        post(HookSettings("http://bar.lan/"), "window-2/1", b"{}")
    assert asked == ([(address, 80)] if address in OWN else [])
    with pytest.raises(NotDelivered, match=said if address in NO_DEVICE else "tried"):
        post(HookSettings("http://bar.lan/", anywhere=True), "window-2/1", b"{}")


def test_each_address_of_a_name_must_be_in_the_own_network(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(2, 1, 6, "", (address, 80)) for address in ("192.168.1.20", "169.254.169.254")]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr("socket.create_connection", lambda *_: pytest.fail("connected"))
    with pytest.raises(NotDelivered, match=r"is 169\.254\.169\.254, which is no address of a device"):
        post(HookSettings("http://bar.lan/"), "window-2/1", b"{}")


def test_the_signature_is_that_of_the_standard() -> None:
    """The signature is the one that the standard's library makes."""
    found = headers(SECRET, "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk", 1649367553, b'{"email":"test@example.com"}')
    signed = StandardWebhook(SECRET).sign(
        "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk",
        datetime.fromtimestamp(1649367553, UTC),
        '{"email":"test@example.com"}',
    )
    assert found["Webhook-Signature"] == signed


def test_the_listener_of_the_page_believes_and_prints(journal: Journal) -> None:
    """It runs as it stands there, on a free port; it refuses a wrong secret."""
    [program] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port = asked.getsockname()[1]
    listening = subprocess.Popen(
        [sys.executable, "-c", program.replace('("", 1880)', f'("127.0.0.1", {port})')],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert listening.stdout is not None
    url = f"http://127.0.0.1:{port}/race"
    try:
        with publishing(journal, HookSettings(url, secret=SECRET)) as table:
            begin(table)
            play(table, 6, random.Random(1))
            last = [news["text"] for event in events(journal) for news in event["news"]][-1]
            while (line := listening.stdout.readline().rstrip("\n")) != last:
                assert line, "it has ended"
        with pytest.raises(NotDelivered, match="answers 403"):
            post(HookSettings(url, secret="sesame"), "window-2/1", b'{"news": []}')
    finally:
        listening.kill()
        listening.wait()
        listening.stdout.close()


def test_a_secret_of_the_page_is_one(listener: Listener, journal: Journal) -> None:
    """The secret that its command prints can be set, and is what the standard's library takes."""
    [command] = re.findall(r"```sh\n(.*?)\n```", PAGE.read_text("utf-8"))
    secret = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout.strip()
    assert read(f'[[hook]]\nurl = "{listener.url}"\nsecret = "{secret}"', Settings()).hook[0].secret == secret
    with publishing(journal, HookSettings(listener.url, secret=secret)) as table:
        begin(table)
        listener.until(1)
    _, given, body = listener.heard[0]
    assert StandardWebhook(secret).verify(body, {name.lower(): value for name, value in given.items()})
