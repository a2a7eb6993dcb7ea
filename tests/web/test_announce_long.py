"""A table's name leads to its address, also where two machines want the same name.

Two real Avahis run in two network namespaces that a cable joins.

Only here: a name that real Avahi gives to two machines, or still answers to after its companion was killed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.http.announce import PROGRAM

pytestmark = pytest.mark.long

HERE, THERE = (f"companion-{os.getpid()}-{side}" for side in "ab")
SOON_S = 60.0
NEEDED = ("ip", "unshare", "dbus-daemon", "avahi-daemon", PROGRAM)
# each machine has a D-Bus of its own and an Avahi, of which what it runs is a child
MACHINE = (
    "mount -t tmpfs none /run && mkdir /run/dbus && dbus-daemon --system --fork --nopidfile"
    " && printf '[server]\\nhost-name={name}\\n' > /run/avahi.conf"
    " && avahi-daemon --daemonize --file=/run/avahi.conf --no-drop-root --no-chroot --no-rlimits && exec sh"
)


class Machine:
    """A machine in its own network namespace. It runs shell commands."""

    def __init__(self, space: str, cable: str, address: str, name: str) -> None:
        self.address = address
        subprocess.run(["ip", "-n", space, "addr", "add", f"{address}/24", "dev", cable], check=True)
        for link in ("lo", cable):
            subprocess.run(["ip", "-n", space, "link", "set", link, "up"], check=True)
        command = [
            "ip",
            "netns",
            "exec",
            space,
            "unshare",
            "-m",
            "-p",
            "-f",
            "--kill-child",
            "sh",
            "-c",
            MACHINE.format(name=name),
        ]
        self.shell = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say("echo ready")
        assert self.heard() == "ready"

    def say(self, command: str) -> None:
        assert self.shell.stdin is not None
        self.shell.stdin.write(f"{command}\n")
        self.shell.stdin.flush()

    def heard(self) -> str:
        assert self.shell.stdout is not None
        return self.shell.stdout.readline().strip()

    def finds(self, name: str) -> str:
        """Return the address that a name resolves to on this machine, or "" for none."""
        self.say(f'echo "$(avahi-resolve -4 -n {name} 2>/dev/null)"')
        return self.heard().partition("\t")[2]

    def until(self, name: str, address: str) -> None:
        end = time.monotonic() + SOON_S
        while (found := self.finds(name)) != address:
            assert time.monotonic() < end, f"{name} leads to {found or 'no address'}, not to {address}"

    def end(self) -> None:
        self.shell.kill()
        self.shell.communicate()


@pytest.fixture
def machines(request: pytest.FixtureRequest) -> Iterator[tuple[Machine, Machine]]:
    """Yield two machines on one cable, with these host names."""
    names = getattr(request, "param", ("garden", "kitchen"))
    missing = [program for program in NEEDED if shutil.which(program) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} missing: apt-get install avahi-daemon avahi-utils iproute2 dbus")
    made = subprocess.run(["ip", "netns", "add", HERE], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"no network of its own can be made here: {made.stderr.strip()}")
    both = []
    try:
        subprocess.run(["ip", "netns", "add", THERE], check=True)
        pair = ["link", "add", "eth0", "netns", HERE, "type", "veth", "peer", "name", "eth1", "netns", THERE]
        subprocess.run(["ip", *pair], check=True)
        both.append(Machine(HERE, "eth0", "10.79.0.1", names[0]))
        both.append(Machine(THERE, "eth1", "10.79.0.2", names[1]))
        yield both[0], both[1]
    finally:
        for machine in both:
            machine.end()
        for space in (HERE, THERE):
            with suppress(subprocess.CalledProcessError):
                subprocess.run(["ip", "netns", "del", space], check=True, capture_output=True)


@pytest.mark.parametrize("machines", [("companion", "companion")], indirect=True)
def test_two_machines_that_are_called_so(machines: tuple[Machine, Machine], tmp_path: Path) -> None:
    """Of two Pis that are both named `companion`, each finds the other's table by name."""
    here, there = machines
    end = time.monotonic() + SOON_S
    while not (here.finds("companion.local") and there.finds("companion-2.local")):
        assert time.monotonic() < end, "they do not agree"
    found = {}
    for machine, other in ((here, there), (there, here)):
        data = tmp_path / machine.address
        run = f"{sys.executable} -u -m companion run --port 8000 --data {data}"
        machine.say(f"{run} 2>/dev/null | grep --line-buffered -m1 'also by name' &")
        name = machine.heard().split("//")[1].partition(":")[0]
        found[name] = other.finds(name)
        assert found[name] == machine.address
    assert set(found) == {"companion.local", "companion-2.local"}


def test_two_tables_in_one_network(machines: tuple[Machine, Machine], tmp_path: Path) -> None:
    """Each table is found by its name; the name follows a new address and ends with the process."""
    here, there = machines
    run = f"{sys.executable} -m companion run --port 8000 --data"
    for data in ("a", "b"):
        (tmp_path / data).mkdir()
        (tmp_path / data / "companion.toml").write_text('log = "info"\n')
    here.say(f"{run} {tmp_path}/a >{tmp_path}/a/log 2>&1 & first=$!")
    there.until("companion.local", "10.79.0.1")
    there.say(f"{run} {tmp_path}/b >{tmp_path}/b/log 2>&1 & second=$!")
    here.until("companion-2.local", "10.79.0.2")
    for command in ("del 10.79.0.1/24", "add 10.79.0.9/24"):
        subprocess.run(["ip", "-n", HERE, "addr", *command.split(), "dev", "eth0"], check=True)
    there.until("companion.local", "10.79.0.9")
    here.say("kill -9 $first; wait $first; echo gone")  # its child goes with it, or the name would stay taken
    assert here.heard() == "gone"
    there.until("companion.local", "")
