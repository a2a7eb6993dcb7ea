"""Hostile connections: in spite of them, devices at the table get an answer."""

from __future__ import annotations

import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from companion.http.connection_limits import BEARS, ConnectionGate, Limits, guests, possible
from companion.logs import Seldom
from companion.store.journal import Journal
from tests.support.client import PATIENCE_S, Client, companion
from tests.web.test_web import Served

MANY = 200


def wire(site: Served, said: bytes) -> socket.socket:
    """Return a connection over which this was sent, and nothing more."""
    opened = socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE_S)
    opened.sendall(said)
    return opened


def answered(opened: socket.socket) -> bytes:
    """Return all that comes until the other end closes; b"" too where it does so rudely."""
    said = b""
    try:
        while more := opened.recv(65536):
            said += more
    except ConnectionResetError:
        pass
    return said


# with an Origin: who has none is refused before anybody waits for the body
POST = b"POST /api/decide HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\n"
HOSTILE = {
    "silent": b"",
    "half a head": b"GET /api/table HTTP/1.1\r\nHost: local",
    "half a body": POST + b"Content-Length: 50\r\n\r\n{",
    "half a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
    "never reads": b"GET /static/host/host.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40,
}


@pytest.fixture
def site(journal: Journal) -> Iterator[Served]:
    served = Served(journal)
    yield served
    served.close()


@pytest.mark.parametrize("said", HOSTILE.values(), ids=HOSTILE)
def test_hostile_connections_keep_nobody_from_the_table(site: Served, said: bytes) -> None:
    site.host().begin()
    with ExitStack() as open_wires:
        for _ in range(MANY):
            open_wires.enter_context(wire(site, said))
        site.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow", "pink"])
        assert site.table["next"] == {"do": "play", "seats": [0]}


@pytest.fixture
def strict(journal: Journal) -> Iterator[Callable[..., Served]]:
    """Yield a function that serves with lower limits, so that no test has to wait."""
    with ExitStack() as served:

        def serve(**limits: Any) -> Served:
            made = Served(journal, limits=BEARS._replace(**limits))
            served.callback(made.close)
            return made

        yield serve


@pytest.mark.parametrize("said", [HOSTILE["silent"], HOSTILE["half a head"]])
def test_who_never_says_what_it_wants_is_sent_away(strict: Callable[..., Served], said: bytes) -> None:
    with wire(strict(head_time=0.05), said) as opened:
        assert answered(opened) == b""


def test_a_second_request_has_its_time_too(strict: Callable[..., Served]) -> None:
    whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with wire(strict(head_time=0.3), whole + whole + b"GET /") as opened:
        assert answered(opened).count(b"200 OK") == 2


@pytest.mark.parametrize("said", [HOSTILE["half a body"], HOSTILE["half a chunk"]])
def test_a_body_that_does_not_come_in_time_is_408(strict: Callable[..., Served], said: bytes) -> None:
    with wire(strict(body_time=0.05), said) as opened:
        answer = answered(opened)
    assert answer.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert b'{"kind":"request-timeout","reason":' in answer


def test_a_body_in_chunks_is_read(site: Served) -> None:
    said = b'{"pin": "2468", "role": "host"}'
    head = b"POST /api/unlock HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    head += b"Content-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    with wire(site, head + b"".join(b"1\r\n%c\r\n" % letter for letter in said) + b"0\r\n\r\n") as opened:
        assert answered(opened).startswith(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.parametrize("length", [b"Content-Length: 100000", b"Content-Length: 9" + b"0" * 15])
def test_a_body_that_is_too_long_is_not_waited_for(site: Served, length: bytes) -> None:
    with wire(site, POST + length + b"\r\n\r\n{") as opened:
        assert opened.recv(65536).startswith(b"HTTP/1.1 413 ")


def test_the_rest_of_a_body_that_is_too_long_is_not_waited_for_either(strict: Callable[..., Served]) -> None:
    with wire(strict(body_time=0.05), POST + b"Content-Length: 100000\r\n\r\n{") as opened:
        assert answered(opened).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    "head",
    [
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + b"Cookie: " + b"a" * 20_000 + b"\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + b"Cookie: " + b"a" * 20_000,
        b"GET /healthz HTTP/1.1\r\n" + b"A: b\r\n" * 5_000,
        b"GET /" + b"a" * 20_000,
    ],
    ids=["whole", "no end of one", "no end of many", "no end of the address"],
)
def test_a_head_that_is_too_long_is_refused(site: Served, head: bytes) -> None:
    with wire(site, head) as opened:
        assert answered(opened).startswith(b"HTTP/1.1 431 ")
    assert site.get("/healthz")["ok"] is True


def test_who_does_not_read_is_sent_away(strict: Callable[..., Served]) -> None:
    gone = pytest.raises((ConnectionResetError, BrokenPipeError))
    with wire(strict(send_time=0.05), b"") as opened, gone:
        opened.sendall(HOSTILE["never reads"] * 10_000)


def test_where_all_places_are_taken_the_longest_silent_one_goes(
    strict: Callable[..., Served], caplog: pytest.LogCaptureFixture
) -> None:
    site = strict(connections=20)
    with ExitStack() as open_wires, caplog.at_level(logging.WARNING):
        silent = [open_wires.enter_context(wire(site, b"")) for _ in range(60)]
        assert site.get("/healthz")["ok"] is True
        assert answered(silent[0]) == b""
        silent[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert answered(silent[-1]).startswith(b"HTTP/1.1 200 OK")
    assert len(caplog.records) == 1


# --- the door by itself --------------------------------------------------------------------------


def test_one_device_has_a_hundred_places_and_the_machine_itself_all_there_are() -> None:
    door = ConnectionGate(Limits(connections=150, of_one_address=100))
    assert [door.enter("192.168.1.9") for _ in range(101)] == [True] * 100 + [False]
    assert [door.enter("::1") for _ in range(51)] == [True] * 50 + [False]
    door.leave(guest(door), "192.168.1.9")
    assert door.enter("192.168.1.8")


def guest(door: ConnectionGate) -> Any:
    """Return a connection that stands at this gate, over no network."""
    return object.__new__(guests(door))


def test_of_all_that_are_turned_away_one_line_a_minute_tells(caplog: pytest.LogCaptureFixture) -> None:
    moment = [100.0]
    door = ConnectionGate(Limits(connections=0), lambda: moment[0])
    with caplog.at_level(logging.WARNING):
        for _ in range(100):
            door.enter("192.168.1.9")
        moment[0] += 61
        door.enter("192.168.1.9")
    assert [record.args for record in caplog.records] == [(1, "192.168.1.9"), (100, "192.168.1.9")]


def test_the_log_says_the_same_thing_once_a_minute() -> None:
    moment = [0.0]
    seldom = Seldom(lambda: moment[0])
    said = logging.LogRecord("uvicorn.error", logging.WARNING, "", 0, "Invalid HTTP request", (), None)
    other = logging.LogRecord("uvicorn.error", logging.WARNING, "", 0, "another thing", (), None)
    assert [seldom.filter(record) for record in (said, said, other)] == [True, False, True]
    moment[0] = 60.0
    assert seldom.filter(said)


def test_what_anybody_can_make_the_server_say_is_on_the_console_once(tmp_path: Path) -> None:
    """Of a hundred lines that are no HTTP each is answered, and one is logged."""
    with companion(tmp_path) as running:
        for _ in range(100):
            with socket.create_connection(("127.0.0.1", running.client.port), timeout=PATIENCE_S) as opened:
                opened.sendall(b"nonsense\r\n\r\n")
                assert answered(opened).startswith(b"HTTP/1.1 400 ")
    assert (tmp_path / "console.txt").read_text().count("Invalid HTTP request") == 1


def test_more_connections_at_once_than_the_process_may_have_files(tmp_path: Path) -> None:
    """All stand at the door when it opens, as after a moment in which the machine was busy."""
    with companion(tmp_path, under=("prlimit", "--nofile=256:256")) as running, ExitStack() as open_wires:
        running.process.send_signal(signal.SIGSTOP)
        for _ in range(400):
            open_wires.enter_context(
                socket.create_connection(("127.0.0.1", running.client.port), timeout=PATIENCE_S)
            )
        running.process.send_signal(signal.SIGCONT)
        assert Client(running.client.port).get("/healthz")["ok"] is True
    console = (tmp_path / "console.txt").read_text()
    assert console.count("too many connections") == 1
    assert "Traceback" not in console


def test_a_door_never_has_more_places_than_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (256, 256))
    monkeypatch.setattr("resource.setrlimit", lambda *_: None)
    assert possible(BEARS).connections == 132


def test_a_door_that_is_closed_lets_nobody_in() -> None:
    """The server would wait three seconds for a client that came after it had ended all others."""
    door = ConnectionGate(BEARS)
    assert door.enter("::1")
    door.close()
    assert not door.enter("::1")
