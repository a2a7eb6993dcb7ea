"""Two tables in one network that want the same name, each a machine with Avahi, on a cable between their kernels.

make check-machine
"""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from tests.appliance.debian import why_not
from tests.machine.appliance import Appliance, booted, installed
from tests.machine.own_kernel import missing


def plug(machine: Appliance, address: str) -> None:
    """Put a machine into the network, by hand."""
    machine.run(
        f"nmcli device set vec0 managed no; ip address add {address}/24 dev vec0 && ip link set vec0 up"
    )


def name(machine: Appliance) -> str:
    """Return the address by name that the pages show, once there is one."""
    said = machine.until(
        "curl -s http://localhost/api/join", lambda said: '"home":"http' in said.replace(" ", "")
    )
    return str(json.loads(said)["home"])


def test_two_machines_with_one_name(tmp_path: Path) -> None:
    """One is companion.local, the other companion-2.local; each name leads to its own machine, from the other one."""
    if why := missing() or why_not():
        pytest.exit(f"nothing was checked: {why}", returncode=1)
    base = installed()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with ours, theirs, booted(tmp_path / "one", base, wire=ours) as one, booted(tmp_path / "two", base, wire=theirs) as two:  # fmt: skip
        plug(one, "10.81.0.1")
        assert name(one) == "http://companion.local"
        plug(two, "10.81.0.2")
        two.until("ping -c 1 -W 1 10.81.0.1 >/dev/null 2>&1; curl -s -m 5 http://10.81.0.1/healthz", len)
        assert name(two) == "http://companion-2.local"
        for machine, other, address in (
            (one, "companion-2.local", "10.81.0.2"),
            (two, "companion.local", "10.81.0.1"),
        ):
            said = machine.run(f"avahi-resolve -4 -n {other}")
            assert said.split() == [other, address]
            assert "<html" in machine.run(
                f"curl -sf -m 20 --resolve {other}:80:{address} http://{other}/watch"
            )
