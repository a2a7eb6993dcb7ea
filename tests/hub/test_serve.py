"""`companion hub` as a server: where it listens, how many connections it bears, and what a killed one leaves.

Only here: a hub that refuses IPv4, that silent connections stop, or whose workers outlive it and keep its port.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path

import pytest

from companion.http import sockets
from companion.http.connection_limits import BEARS, ConnectionGate
from companion.hub import database
from companion.hub.organiser import organiser_code
from companion.hub.serve import Config, Served
from tests.support.client import PATIENCE_S
from tests.support.hub.commands import answer, is_free, running_hub, runs, until, workers
from tests.support.ports import reserved_port

pytestmark = pytest.mark.long  # a process for each hub, with workers

SILENT = 1100


@pytest.mark.parametrize("count", ["1", "2"])
def test_it_listens_on_ipv4_and_ipv6_and_ends_with_status_0(tmp_path: Path, count: str) -> None:
    port = reserved_port()
    with running_hub(tmp_path, port, "--workers", count) as hub:
        for host in ("127.0.0.1", "::1"):
            found = answer(port, "/claim", host)
            assert found is not None
            assert found[0] == 200
        hub.send_signal(signal.SIGTERM)
        assert hub.wait(PATIENCE_S) == 0
    assert "Traceback" not in (tmp_path / "hub.log").read_text()


def test_it_listens_on_ipv4_where_there_is_no_ipv6(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    with sockets.listen(0) as listening:
        assert listening.family == socket.AF_INET
        socket.create_connection(("127.0.0.1", listening.getsockname()[1])).close()


@pytest.mark.parametrize("count", ["1", "2"])
def test_a_taken_port_is_said_before_any_address(tmp_path: Path, count: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [
                *(sys.executable, "-m", "companion", "hub", "--port", str(port), "--workers", count),
                *("--database", f"sqlite:///{tmp_path / 'hub.sqlite'}"),
            ],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        f"Error: port {port}: Address already in use; end what uses it, or choose another with --port\n"
    )


@pytest.fixture
def many_files() -> Iterator[None]:
    """Let this process have enough files for the silent connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < SILENT + 500:
        pytest.skip(f"this needs {SILENT + 500} open files: ulimit -Hn")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, SILENT + 500), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("count", ["1", "2"])
def test_silent_connections_do_not_stop_it(tmp_path: Path, many_files: None, count: str) -> None:
    """Each process may open 400 files, so that the connections are more than both workers can have."""
    port = reserved_port()
    with running_hub(tmp_path, port, "--workers", count, files=400), ExitStack() as open_:
        for _ in range(SILENT):
            open_.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_S))
        for _ in range(5):
            found = answer(port, "/claim")
            assert found is not None
            assert found[0] == 200
    assert "Too many open files" not in (tmp_path / "hub.log").read_text()


def test_one_address_has_a_limited_number_of_connections_unless_it_is_a_proxy(tmp_path: Path) -> None:
    config = Config(Served(f"sqlite:///{tmp_path / 'hub.sqlite'}", proxies=("192.0.2.7",)), 1)
    database.opened(f"sqlite:///{tmp_path / 'hub.sqlite'}").dispose()
    config.load()
    door: ConnectionGate = config.http_protocol_class.door  # type: ignore[attr-defined]
    for address, lets_in in (("192.0.2.7", 150), ("127.0.0.1", 150), ("192.0.2.8", BEARS.of_one_address)):
        assert [door.enter(address) for _ in range(150)].count(True) == lets_in, address
    config.app.close()  # type: ignore[union-attr]


def test_wrong_codes_are_counted_by_the_address_that_the_proxy_names(tmp_path: Path) -> None:
    port = reserved_port()
    with running_hub(tmp_path, port):
        engine = database.opened(f"sqlite:///{tmp_path / 'hub.sqlite'}")
        with engine.begin() as db:
            code = organiser_code(db)
        engine.dispose()

        def enter(code: str, address: str) -> int:
            line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
            headers = {"Origin": f"http://127.0.0.1:{port}", "X-Forwarded-For": address}
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            line.request("POST", "/organiser/enter", f"code={code}", headers)
            status = line.getresponse().status
            line.close()
            return status

        assert [enter("ABC", "198.51.100.1") for _ in range(11)] == [403] * 10 + [429]
        assert enter(code, "198.51.100.1") == 429
        assert enter(code, "198.51.100.2") == 303


def test_a_killed_hub_leaves_no_process_and_its_port_free(tmp_path: Path) -> None:
    """The judge of the second start replays records; it ends with the hub too."""
    port = reserved_port()
    with running_hub(
        tmp_path, port, "--workers", "2", "--mqtt", f"mqtt://127.0.0.1:{reserved_port()}"
    ) as hub:
        left = until(lambda: len(found := workers(hub.pid)) >= 3 and found, "no workers and judge")
        os.kill(hub.pid, signal.SIGKILL)
        hub.wait()
        until(lambda: not any(map(runs, left)), "processes outlive the hub", 10)
        assert is_free(port)
    with running_hub(tmp_path, port, "--workers", "2"):
        found = answer(port, "/claim")
        assert found is not None


def test_a_hub_that_is_killed_while_it_starts_leaves_no_process(tmp_path: Path) -> None:
    """A judge that asked only then who its parent is would wait for the end of another process."""
    home = tmp_path / "hub.sqlite"
    command = [sys.executable, "-m", "companion", "hub", "--database", f"sqlite:///{home}"]
    words = [
        "--port",
        str(reserved_port()),
        "--workers",
        "2",
        "--mqtt",
        f"mqtt://127.0.0.1:{reserved_port()}",
    ]
    with subprocess.Popen([*command, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as hub:
        left = until(lambda: len(found := workers(hub.pid)) >= 3 and found, "no workers and judge")
        hub.kill()
    try:
        until(lambda: not any(map(runs, left)), "processes outlive the hub", 20)
    finally:
        for pid in filter(runs, left):
            os.kill(pid, signal.SIGKILL)
