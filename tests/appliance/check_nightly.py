"""The copy of every night on real sticks: file systems of their own, mounted by the kernel of this machine.

make check-install
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.install.machine import InstallError, Machine
from companion.install.nightly import MEDIA, bring
from companion.store.nightly import FOLDER, last_night

COPY = "race-companion-20261125-043000.sqlite"
FORMATS = {"vfat": "mkfs.vfat -n COMPANION", "ext4": "mkfs.ext4 -q -L COMPANION"}


@pytest.fixture(params=FORMATS)
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    """Return a machine with a stick of four megabytes in it and a copy of one."""
    if os.geteuid() != 0:
        pytest.fail("a stick is mounted by root only: sudo make check-install")
    command = FORMATS[request.param].split()
    if shutil.which(command[0]) is None:
        pytest.fail(f"{command[0]} missing: apt-get install dosfstools e2fsprogs")
    if request.param not in Path("/proc/filesystems").read_text().split():
        pytest.skip(f"this machine's kernel mounts no {request.param}")
    one, stick = Machine(tmp_path), tmp_path / "stick"
    stick.touch()
    os.truncate(stick, 4 << 20)
    subprocess.run([*command, stick], check=True, capture_output=True)
    at = one.at(MEDIA[0])
    at.parent.mkdir(parents=True)
    at.symlink_to(stick)
    (tmp_path / FOLDER).mkdir()
    copy(one, COPY, 1)
    return one


def copy(machine: Machine, name: str, megabytes: int) -> bytes:
    content = os.urandom(megabytes << 20)
    (machine.root / FOLDER / name).write_bytes(content)
    return content


def on_stick(machine: Machine) -> dict[str, bytes]:
    """Return the copies that are on it, seen by mounting it anew."""
    place = machine.root / "seen"
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", "ro", machine.root / "stick", place], check=True)
    try:
        return {at.name: at.read_bytes() for at in place.glob("race-companion-*")}
    finally:
        subprocess.run(["umount", place], check=True)


def test_it_is_on_the_stick(machine: Machine) -> None:
    """Byte for byte, and nothing stays mounted."""
    bring(machine, machine.root / FOLDER)
    assert on_stick(machine) == {COPY: (machine.root / FOLDER / COPY).read_bytes()}
    assert "race-companion-medium" not in Path("/proc/mounts").read_text()
    night = last_night(machine.root)
    assert night is not None
    assert night.safe


def test_a_stick_that_is_full(machine: Machine) -> None:
    """The files there stay, the reason is reported, and nothing stays mounted."""
    bring(machine, machine.root / FOLDER)
    copy(machine, COPY.replace("1125", "1126"), 5)
    with pytest.raises(InstallError, match="no room"):
        bring(machine, machine.root / FOLDER)
    assert set(on_stick(machine)) == {COPY}
    assert "race-companion-medium" not in Path("/proc/mounts").read_text()
    night = last_night(machine.root)
    assert night is not None
    assert "no room" in str(night.why)
