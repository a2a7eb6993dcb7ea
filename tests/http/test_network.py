"""The address that phones get is one at which they reach this machine, and the newest."""

from __future__ import annotations

import json
import socket
import threading

import pytest

from companion.http.network import Address, Kind, Reach, addresses, best, own_address, url
from companion.http.sockets import listen
from companion.store.journal import Journal
from companion.table.table import Table
from companion.web import create_app, stream
from companion.web.serve import Server, Site
from companion.web.stream import Hub
from tests.support.client import Client, Stream

SEEN = {
    "cable": Address("eth0", "192.168.1.5", "cable", True),
    "second cable": Address("eth1", "192.168.2.5", "cable"),
    "wifi": Address("wlan0", "192.168.1.6", "wifi"),
    "routed wifi": Address("wlan0", "192.168.1.6", "wifi", True),
    "hotspot": Address("wlan1", "10.42.0.1", "hotspot"),
    "ipv6": Address("eth0", "2001:db8::5", "cable"),
    "ipv6 of the house": Address("eth0", "fd00::5", "cable"),
    "own ipv6": Address("eth0", "fe80::5", "cable"),
    "own": Address("eth0", "169.254.7.7", "cable"),
    "docker": Address("docker0", "172.17.0.1", "other", True),
    "tunnel": Address("tun0", "10.8.0.2", "other", True),
    "loop": Address("lo", "127.0.0.1", "other"),
}


@pytest.mark.parametrize(
    ("there", "chosen"),
    [
        ("cable, wifi", "192.168.1.5"),
        ("second cable, routed wifi", "192.168.1.6"),  # a cable to a camera leads nowhere
        ("second cable, wifi", "192.168.2.5"),
        ("cable, second cable", "192.168.1.5"),
        ("cable, hotspot", "10.42.0.1"),
        ("own, wifi", "192.168.1.6"),
        ("own, ipv6", "2001:db8::5"),
        ("own, own ipv6", "169.254.7.7"),
        ("ipv6, own ipv6", "2001:db8::5"),
        ("ipv6 of the house", "fd00::5"),
        ("ipv6, wifi", "192.168.1.6"),
        ("own ipv6", "127.0.0.1"),
        ("docker, tunnel, loop", "127.0.0.1"),
        ("docker, tunnel, wifi", "192.168.1.6"),
        ("loop", "127.0.0.1"),
    ],
)
def test_which_address_is_shown(there: str, chosen: str) -> None:
    found = [SEEN[name] for name in there.split(", ")]
    assert best(found) == best(found[::-1]) == chosen


def test_nothing_there_is_this_machine_itself() -> None:
    assert best([]) == "127.0.0.1"


@pytest.mark.parametrize(
    ("address", "port", "written"),
    [
        ("192.168.1.5", 8000, "http://192.168.1.5:8000"),
        ("192.168.1.5", 80, "http://192.168.1.5"),
        ("fd00::5", 8000, "http://[fd00::5]:8000"),
        ("fd00::5", 80, "http://[fd00::5]"),
    ],
)
def test_what_is_typed(address: str, port: int, written: str) -> None:
    assert url(address, port) == written


def test_the_kernel_is_asked() -> None:
    """One can listen at every address that it names, and it names this machine itself."""
    found = addresses()
    kinds: set[Kind] = {one.kind for one in found if one.address == "127.0.0.1"}
    assert kinds == {"other"}
    for address in {one.address for one in found if not one.address.startswith("fe80:")} | {own_address()}:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family) as there:
            there.bind((address, 0))


def test_a_kernel_that_does_not_answer_changes_nothing() -> None:
    answers: list[str | None] = ["10.0.0.1", None, "10.0.0.2"]

    def ask() -> str:
        if (answer := answers.pop(0)) is None:
            raise OSError(12, "no memory")
        return answer

    reach, notified = Reach(80, ask), list[str]()
    assert reach.url == "http://10.0.0.1"
    reach.listeners.append(notified.append)
    assert [reach.refresh(), reach.url, reach.refresh(), notified] == [
        False,
        "http://10.0.0.1",
        True,
        ["http://10.0.0.2"],
    ]


def test_open_pages_get_another_address(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stream, the page, the code to join with: each has the new one, and its picture another name."""
    monkeypatch.setattr(stream, "BEAT_S", 0.05)
    at = ["127.0.0.1"]
    table = Table(journal).open()
    table.start()
    listening = listen(0)
    port = listening.getsockname()[1]
    reach = Reach(port, lambda: at[0])
    server = Server(Site(create_app(table, address=reach, port=port), Hub(table, reach)), [listening])
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        open_page = Stream(port, "?as=page")
        before = open_page.view()["join"]
        at[0] = "192.168.1.7"
        after = open_page.view()["join"]
        assert (before["url"], after["url"]) == (
            f"http://127.0.0.1:{port}/watch",
            f"http://192.168.1.7:{port}/watch",
        )
        assert before["qr"] != after["qr"]
        client = Client(port)
        assert client.get("/api/join")["url"].startswith(f"http://192.168.1.7:{port}/seat")
        assert json.dumps(after["qr"])[1:-1] in client.get("/").replace("\\u0026", "&")
        open_page.close()
    finally:
        server.stop()
        thread.join()
        table.stop()
