"""`companion install` on a disk of its own with systemd, on the kernel of make check-machine.

make check-machine

Its power is cut by killing the kernel; hung, killed and out of memory are the kernel's own; the watchdog is softdog, which
starts the machine anew as a Pi's does. Only here: what ext4 has of a version that was installed a second before.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import partial
from operator import ne
from pathlib import Path

import pytest

from tests.appliance.check_install import PID, TABLE, UNIT, update
from tests.appliance.debian import SOURCE, why_not
from tests.machine.appliance import WATCHDOG, Appliance, booted, debian, installed
from tests.machine.own_kernel import missing

HEALTH = "curl -s http://localhost/healthz"
CURL = "curl -sf -b /root/jar -c /root/jar -H 'Origin: http://localhost' -H 'Content-Type: application/json'"
NEW = "8.0.0"
BAD = "8.2.0"  # it hangs on port 80
COMMIT_S = 7
PYTHON = f"{SOURCE}/.venv/bin/python"
COPY = (
    "from companion.install.machine import Machine; from companion.install import program;"
    " program.switch(Machine(), program.lay(Machine())); print(program.current(Machine()))"
)
CHECK = (
    "from companion.install.machine import Machine; from companion.install import program;"
    " name = program.current(Machine()); print(name, program.is_complete(Machine(), name, program.everything()))"
)


@pytest.fixture(scope="module")
def base() -> Path:
    """Return a disk on which the companion is installed and a game has begun."""
    if why := missing() or why_not():
        pytest.exit(f"nothing was checked: {why}", returncode=1)
    return installed()


@pytest.fixture
def machine(base: Path, tmp_path: Path) -> Iterator[Appliance]:
    """Yield a machine on which it is installed, and serves."""
    with booted(tmp_path / "disk", base) as one:
        serves(one)
        yield one


def serves(machine: Appliance) -> int:
    """Wait until the table is shown; return the number of the journal's last entry."""
    return int(json.loads(machine.until(TABLE, lambda said: said.startswith("{")))["seq"])


def version(machine: Appliance) -> str:
    """Return the version that serves and is well."""
    said = machine.until(HEALTH, lambda said: said.startswith("{") and json.loads(said)["ok"])
    return str(json.loads(said)["version"])


def play(machine: Appliance) -> int:
    """Start a game as host; return the number of the journal's last entry."""
    machine.run(f"""{CURL} -d '{{"pin":"2468","role":"host"}}' http://localhost/api/unlock""")
    match = json.dumps({"game": "galloping-pigs", "seats": ["Ada", "Ben"], "options": {"rounds": 1}})
    return int(json.loads(machine.run(f"{CURL} -d '{match}' http://localhost/api/matches"))["seq"])


def comes_back(machine: Appliance, before: str, last: int) -> None:
    """Wait for another process of the service, which has the game as it was confirmed."""
    machine.until(PID, lambda said: said.strip() not in ("", "0", before.strip()))
    assert serves(machine) == last


def test_killed_hung_and_out_of_memory(machine: Appliance) -> None:
    """After each it is back by itself, with the game as it was confirmed."""
    last = play(machine)
    for trouble in (
        f"systemctl kill -s KILL --kill-whom=main {UNIT}",
        f"systemctl kill -s STOP --kill-whom=main {UNIT}",
        f"systemctl set-property --runtime {UNIT} MemoryHigh=infinity MemoryMax=16M",
    ):
        pid, began = machine.run(PID), time.monotonic()
        machine.run(trouble)
        machine.until(PID, partial(ne, pid))
        machine.run(f"systemctl set-property --runtime {UNIT} MemoryMax=400M")
        comes_back(machine, pid, last)
        print(f"{trouble.split()[1:4]}: back after {time.monotonic() - began:.0f} s")
    said = machine.run(f"journalctl -u {UNIT} --no-pager").lower()
    assert "watchdog" in said
    assert "oom" in said


def test_the_first_process_is_dead(base: Path, tmp_path: Path) -> None:
    """With systemd's hardware watchdog on, a machine whose PID 1 is dead is reset, and has the game."""
    disk = tmp_path / "disk"
    with booted(disk, base) as machine:
        serves(machine)
        machine.run(WATCHDOG)
        machine.until("journalctl -b --no-pager", lambda said: "hardware watchdog" in said)
        last, began = play(machine), time.monotonic()
        machine.start("kill -SEGV 1")
        machine.prints("softdog: Initiating system reboot")
        print(f"reset after {time.monotonic() - began:.0f} s")
    with booted(disk, base) as machine:  # User-Mode Linux crashes at times when an interrupt restarts it
        assert serves(machine) == last


def test_the_power_is_cut_after_a_version_is_copied(tmp_path: Path) -> None:
    """As soon as the link leads to a version, its files and their content are on the disk."""
    disk, base = tmp_path / "disk", debian()
    with booted(disk, base) as one:
        name = one.run(f"cd / && {PYTHON} -c '{COPY}'").strip()
        time.sleep(
            COMMIT_S
        )  # ext4 has the new names on the disk by then, and content only after half a minute
    with booted(disk, base) as one:
        assert one.run(f"cd / && {PYTHON} -c '{CHECK}'").split() == [name, "True"]


STEPS = {
    NEW: (("1/3", 5.0), ("2/3", 3.0), ("3/3", 0.0), ("3/3", 2.0), ("end", 0.0)),
    BAD: (("2/3", 3.0), ("3/3", 20.0), ("end", 0.0)),
}
"""When the power is cut: so many seconds after the update has said this, or as soon as it has ended."""


@pytest.mark.parametrize("to", STEPS)
def test_the_power_is_cut_during_an_update(base: Path, tmp_path: Path, to: str) -> None:
    """After a cut at any step one of the two versions serves, with the game; the next update does as ever."""
    disk = tmp_path / "disk"
    with booted(disk, base) as one:
        before, last = version(one), play(one)
    for step, seconds in STEPS[to]:
        with booted(disk, base) as one:
            serves(one)
            updating = one.start(f"{update(to)} --force")
            said = updating.end() if step == "end" else updating.line(step)
            time.sleep(seconds)
        with booted(disk, base) as one:
            found = version(one)
            print(f"cut {seconds} s after {said.splitlines()[-1]!r}: {found} serves")
            assert serves(one) == last
            assert found in ((before, to) if to == NEW and step in ("3/3", "end") else (before,))
    assert found == (to if to == NEW else before)
    assert ("runs now" in said or "runs already" in said) if to == NEW else "runs again" in said
