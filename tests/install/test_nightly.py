"""The copy of every night: on a second medium where there is one, and what is reported of it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from companion.install.machine import InstallError, Machine
from companion.install.nightly import MEDIA, bring, carry
from companion.store.backup import BackupError
from companion.store.journal import Journal
from companion.store.nightly import FOLDER, last_night, note
from companion.table.table import Table
from companion.web import create_app

FIRST, SECOND = "race-companion-20261124-043000.sqlite", "race-companion-20261125-043000.sqlite"


class WithStick(Machine):
    """A machine into which a stick may be plugged: what it mounts is the directory `stick` in its root."""

    def run(self, *command: str) -> str:
        place = Path(command[-1])
        if command[0] == "mount":
            place.rmdir()
            place.symlink_to(self.root / "stick")
        else:
            place.unlink()
            place.mkdir()
        return ""


@pytest.fixture
def machine(tmp_path: Path) -> WithStick:
    """Return a machine with a stick in it, that made a copy last night and the night before."""
    one = WithStick(tmp_path)
    one.at(MEDIA[0]).parent.mkdir(parents=True)
    one.at(MEDIA[0]).touch()
    (tmp_path / "stick").mkdir()
    copies = tmp_path / FOLDER
    copies.mkdir()
    for name in (FIRST, SECOND):
        (copies / name).write_text(name)
    return one


def brought(machine: Machine) -> str:
    return bring(machine, machine.root / FOLDER)


def test_the_newest_copy_is_brought(machine: WithStick) -> None:
    """It is there, byte for byte and no other; a second time nothing is written."""
    assert brought(machine) == f"{SECOND} is on COMPANION"
    (there,) = (machine.root / "stick").iterdir()
    assert (there.name, there.read_text()) == (SECOND, SECOND)
    written = there.stat().st_mtime_ns
    brought(machine)
    assert there.stat().st_mtime_ns == written
    night = last_night(machine.root)
    assert night is not None
    assert (night.safe, night.why) == (True, None)


def test_without_a_stick_it_says_what_to_plug_in(machine: WithStick) -> None:
    machine.at(MEDIA[0]).unlink()
    assert "called COMPANION is plugged in" in brought(machine)
    night = last_night(machine.root)
    assert night is not None
    assert (night.safe, night.why) == (False, None)


def test_a_stick_that_takes_nothing_is_reported(machine: WithStick) -> None:
    """The night fails, says why, and so does the host's page."""
    (machine.root / "stick").rmdir()
    with pytest.raises(InstallError, match="on this machine only"):
        brought(machine)
    night = last_night(machine.root)
    assert night is not None
    assert not night.safe
    assert night.why


def test_the_oldest_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many stay there; other files are not touched."""
    monkeypatch.setattr("companion.install.nightly.COPIES_ON_MEDIUM", 2)
    copies, stick = tmp_path / "copies", tmp_path / "stick"
    for folder, names in ((copies, [SECOND]), (stick, [FIRST, FIRST.replace("1124", "1123"), "photo.jpg"])):
        folder.mkdir()
        for name in names:
            (folder / name).touch()
    carry(copies, stick)
    assert {at.name for at in stick.iterdir()} == {FIRST, SECOND, "photo.jpg"}


def test_a_link_is_not_followed(machine: WithStick) -> None:
    """The owner of the copies cannot have root read another file for them."""
    newest = machine.root / FOLDER / SECOND
    newest.unlink()
    newest.symlink_to("/etc/shadow")
    with pytest.raises(InstallError):
        brought(machine)
    assert list((machine.root / "stick").iterdir()) == []


def test_nothing_is_shown_without_such_a_copy(tmp_path: Path) -> None:
    assert last_night(tmp_path) is None
    (tmp_path / FOLDER).mkdir()
    assert last_night(tmp_path) is None


def test_the_host_sees_it(journal: Journal, machine: WithStick) -> None:
    """The host sees when the last copy was made, and what to do for it to be on a second medium."""
    site = create_app(Table(journal).open(), settings=machine.root / "companion.toml").test_client()
    site.post("/api/unlock", json={"pin": "2468", "role": "host"}, headers={"Origin": "http://localhost"})
    os.utime(machine.root / FOLDER / SECOND, (1764045000, 1764045000))
    assert "plug in a stick that is called COMPANION" in site.get("/host").text
    brought(machine)
    assert "on this machine and on the second medium" in site.get("/host").text
    assert 'datetime="2025-11-25T04:30:00+00:00"' in site.get("/host").text


def test_carry_says_what_is_wrong(tmp_path: Path) -> None:
    """No copy, nothing to carry; nowhere to carry it, a reason."""
    assert carry(tmp_path, tmp_path) is None
    (tmp_path / FIRST).touch()
    with pytest.raises(BackupError, match="cannot be written"):
        carry(tmp_path, tmp_path / "gone")


def test_the_note_is_written_next_to_the_copies(machine: WithStick, monkeypatch: pytest.MonkeyPatch) -> None:
    """A note from another file system could not be put in its place, and there may be no room elsewhere."""
    monkeypatch.setattr(tempfile, "tempdir", str(machine.root / "not there"))
    note(machine.root / FOLDER, SECOND, None)
    night = last_night(machine.root)
    assert night is not None
    assert night.safe
