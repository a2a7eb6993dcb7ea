"""The table's name in its network: which one it gets, what it leads to, and that it goes with the companion."""

from __future__ import annotations

import os
import queue
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.http import announce
from companion.http.announce import NameAnnouncer, names
from companion.http.network import LOOPBACK, Reach
from companion.store.journal import Journal
from companion.table.table import Table
from companion.web import create_app

PORT = 8123
NAMES = names("companion")

# It says what avahi-publish 0.8 says and waits as it does; `taken` has the names that other machines have.
STAND_IN = f"""\
#!{sys.executable}
import os, signal, sys, time
here = os.path.dirname(__file__)
name, address = sys.argv[-2:]
with open(here + "/asked", "a") as asked:
    asked.write(f"{{name}} {{address}}\\n")
if name in open(here + "/taken").read().split():
    print("Host name conflict", file=sys.stderr, flush=True)
    raise SystemExit(1)
print(f"Established under name '{{name}}'", flush=True)
signal.pause()
"""


class Network(NamedTuple):
    """A network that says which names are taken and what was asked of it."""

    folder: Path

    @property
    def asked(self) -> list[str]:
        return (self.folder / "asked").read_text().splitlines()

    def call(self, own: str) -> None:
        (self.folder / "own").write_text(own)

    def take(self, *taken: str) -> None:
        (self.folder / "taken").write_text(" ".join(taken))


@pytest.fixture
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Network:
    """Return a network whose program that would ask Avahi is a stand-in."""
    program = tmp_path / announce.PROGRAM
    program.write_text(STAND_IN)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    avahi = tmp_path / announce.OWN_NAME[0]
    avahi.write_text(f'#!/bin/sh\necho "s \\"$(cat {tmp_path}/own)\\""\n')
    avahi.chmod(0o755)
    found = Network(tmp_path)
    found.take()
    found.call("raspberrypi.local")
    return found


class Machine:
    """A machine whose address the test says; `urls` are those that it was called by."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.reach = Reach(PORT, lambda: self.address)
        self.announced = NameAnnouncer(NAMES, self.reach, PORT)
        self.urls: queue.Queue[str] = queue.Queue()
        self.announced.listen(self.urls.put)

    def move(self, address: str) -> None:
        self.address = address
        self.reach.refresh()


@pytest.fixture
def machine() -> Iterator[Machine]:
    one = Machine("192.168.1.5")
    yield one
    one.announced.stop()


def test_it_is_called_so(network: Network, machine: Machine) -> None:
    """The name leads to the address that is shown, and its url has the port in it."""
    machine.announced.start()
    assert machine.urls.get(timeout=60) == f"http://companion.local:{PORT}"
    assert network.asked == ["companion.local 192.168.1.5"]


@pytest.mark.parametrize("own", ["companion.local", "companion-2.local"])
def test_a_machine_that_is_called_so_itself(network: Network, machine: Machine, own: str) -> None:
    """Avahi answers for its own name anyway: that name is shown as Avahi has it, and none is requested."""
    network.call(own)
    machine.announced.start()
    assert machine.urls.get(timeout=60) == f"http://{own}:{PORT}"
    assert not (network.folder / "asked").exists()


def test_a_late_listener_is_notified_too(network: Network, machine: Machine) -> None:
    machine.announced.start()
    machine.urls.get(timeout=60)
    late: list[str] = []
    machine.announced.listen(late.append)
    assert late == [f"http://companion.local:{PORT}"]


def test_another_name_where_it_is_taken(network: Network, machine: Machine) -> None:
    network.take("companion.local", "companion-2.local")
    machine.announced.start()
    assert machine.urls.get(timeout=60) == f"http://companion-3.local:{PORT}"


def test_the_name_follows_the_address(network: Network, machine: Machine) -> None:
    """Another lease, or a hotspot that has no rival: it begins anew with the name that it wants most."""
    network.take("companion.local")
    machine.announced.start()
    machine.urls.get(timeout=60)
    network.take()
    machine.move("10.42.0.1")
    assert machine.urls.get(timeout=60) == f"http://companion.local:{PORT}"
    assert network.asked[-1] == "companion.local 10.42.0.1"


def test_no_name_without_a_network(network: Network) -> None:
    """A Pi that starts before its Wi-Fi is called so as soon as that is there."""
    machine = Machine(LOOPBACK)
    machine.announced.start()
    try:
        assert not (network.folder / "asked").exists()
        machine.move("192.168.1.9")
        assert machine.urls.get(timeout=60)
        assert network.asked == ["companion.local 192.168.1.9"]
    finally:
        machine.announced.stop()


def test_it_goes_with_the_companion(network: Network, machine: Machine) -> None:
    """Once the companion has stopped, the name is not answered any more, and nothing shows it."""
    machine.announced.start()
    machine.urls.get(timeout=60)
    machine.announced.stop()
    assert machine.announced() is None


def test_without_avahi_or_a_name_nothing_is_started(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    machine.announced.start()
    NameAnnouncer((), machine.reach, PORT).start()
    assert machine.announced() is None


def test_pages_answer_to_the_name(journal: Journal) -> None:
    """They answer to companion.local and to what it may be called instead, to no other name of that kind."""
    site = create_app(Table(journal).open(), hosts=NAMES).test_client()
    for host, status in (("companion.local", 200), ("companion-9.local", 200), ("companion-10.local", 400)):
        assert site.get("/watch", headers={"Host": host}).status_code == status, host


def test_the_table_shows_the_name(journal: Journal) -> None:
    """The name can be typed instead of scanning the code, as soon as there is one."""
    url: list[str | None] = [None]
    site = create_app(Table(journal).open(), name=lambda: url[0]).test_client()  # from here: the table itself
    assert site.get("/api/join").json["home"] is None  # type: ignore[index]
    url[0] = "http://companion.local"
    assert site.get("/api/join").json["home"] == "http://companion.local"  # type: ignore[index]
