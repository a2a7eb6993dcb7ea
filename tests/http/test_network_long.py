"""The companion publishes the address that is valid now, while cables come, go and get other addresses.

Only here: an address that the pages still show after its cable was pulled or its lease was replaced.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

SPACE = f"companion-{os.getpid()}"
SOON_S = 60.0  # the companion asks every five seconds; a busy machine may take its time


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def inside(*words: str) -> None:
    ip("-n", SPACE, *words)


@pytest.fixture
def space() -> Iterator[None]:
    if shutil.which("ip") is None:
        pytest.skip("there is no `ip` here: apt-get install iproute2")
    made = subprocess.run(["ip", "netns", "add", SPACE], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"no network of its own can be made here: {made.stderr.strip()}")
    try:
        inside("link", "set", "lo", "up")
        yield
    finally:
        ip("netns", "del", SPACE)


def plug_in(cable: str, address: str) -> None:
    """Add a cable whose other end is plugged in too."""
    inside("link", "add", cable, "type", "veth", "peer", "name", f"far-{cable}")
    inside("link", "set", f"far-{cable}", "addrgenmode", "none", "up")
    inside("link", "set", cable, "up")
    inside("addr", "add", address, "dev", cable)


def test_the_address_follows_the_network(space: None, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "run", "--port", "8000", "--data", str(tmp_path)]
    running = subprocess.Popen(
        ["ip", "netns", "exec", SPACE, *command],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    assert running.stdout is not None
    try:
        greeting = ""
        while "Ctrl+C" not in greeting:
            line = running.stdout.readline()
            assert line, "it did not start"
            greeting += line
        assert "from other devices:  http://127.0.0.1:8000/" in greeting
        until("127.0.0.1")
        plug_in("eth0", "10.77.0.2/24")
        until("10.77.0.2")
        assert re.match(r"phones watch at: http://10\.77\.0\.2:8000/watch", running.stdout.readline())
        inside("addr", "del", "10.77.0.2/24", "dev", "eth0")  # another lease
        inside("addr", "add", "10.77.0.9/24", "dev", "eth0")
        until("10.77.0.9")
        plug_in("eth1", "10.78.0.2/24")
        inside("route", "add", "default", "via", "10.78.0.1")
        until("10.78.0.2")
        inside("link", "del", "eth1")
        until("10.77.0.9")
        inside("link", "set", "far-eth0", "down")  # the cable is pulled: its address stays, but leads nowhere
        until("127.0.0.1")
    finally:
        running.terminate()
        running.communicate()


def until(address: str) -> None:
    """Wait until the interface reports this address."""
    end = time.monotonic() + SOON_S
    while (said := asked()) != address:
        assert time.monotonic() < end, f"it says {said}, not {address}"
        time.sleep(0.3)  # there is nothing to wait for but the next answer


def asked() -> str:
    get = "import urllib.request as r; print(r.urlopen('http://127.0.0.1:8000/api/join').read().decode())"
    command = ["ip", "netns", "exec", SPACE, sys.executable, "-c", get]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.match(r"http://(.+):8000/seat\?code=", json.loads(answer.stdout)["url"])
    assert found, answer.stderr
    return found[1]
