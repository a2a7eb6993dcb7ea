"""get-companion.sh refuses with what to do, and changes nothing then; tests/install/test_release.py lets it go on."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from companion.install.signature import signature

ROOT = Path(__file__).parents[2]
SCRIPT = "get-companion.sh"


def without_key(script: Path, folder: Path) -> Path:
    """Copy the script without the owner's key: then a release needs its sum only."""
    copied = folder / script.name
    copied.write_text(re.sub(r'^KEY=".*?"', 'KEY=""', script.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    return copied


class Machine:
    """A home with the companion's folder in it; its programs are stand-ins where a test says so."""

    def __init__(self, home: Path) -> None:
        self.home, self.folder, self.programs = home / "home", home / "home" / "folder", home / "programs"
        (self.folder / "companion" / "firmware").mkdir(parents=True)
        (self.folder / "Makefile").touch()
        without_key(ROOT / SCRIPT, self.folder)
        self.programs.mkdir()
        self.log = home / "asked"
        self.log.touch()
        self.is_so("make", f'echo "make $*" >> {self.log}; mkdir -p .venv/bin; cp {home}/companion .venv/bin')
        (home / "companion").write_text(f'#!/bin/sh\necho "companion $*" >> {self.log}\n')
        (home / "companion").chmod(0o755)
        self.is_so("sudo", 'exec "$@"')

    def is_so(self, program: str, does: str) -> None:
        """Make one of its programs do this."""
        (self.programs / program).write_text(f"#!/bin/sh\n{does}\n")
        (self.programs / program).chmod(0o755)

    def lacks(self, *programs: str) -> None:
        """Remove these programs; leave only the others that are needed."""
        for name in (
            "sh",
            "uname",
            "getconf",
            "df",
            "awk",
            "id",
            "grep",
            "dirname",
            "cut",
            "sha256sum",
            "sed",
        ):
            if name not in programs and (there := shutil.which(name)) is not None:
                self.is_so(name, f'exec {there} "$@"')
        for name in programs:
            (self.programs / name).unlink(missing_ok=True)
        self.path = str(self.programs)

    path = ""

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        clean = {"PATH": self.path or f"{self.programs}:{os.environ['PATH']}", "HOME": str(self.home)}
        command = ["/bin/sh", SCRIPT, *arguments]
        return subprocess.run(
            command,
            cwd=self.folder,
            env=clean | environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )

    def asked(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_it_sets_up_and_installs(machine: Machine) -> None:
    """It does what the README says, in that order; on a PC it says that this is no Pi."""
    done = machine.run()
    assert (done.returncode, done.stderr) == (0, "")
    assert "this is no Raspberry Pi" in done.stdout
    assert machine.asked() == ["make setup", "companion install"]


@pytest.mark.parametrize(
    ("program", "does", "reason"),
    [
        ("uname", "echo Darwin", "this needs Linux: on a Raspberry Pi, Raspberry Pi OS (64-bit)"),
        ("getconf", "echo 32", "this system has 32 bits: write Raspberry Pi OS (64-bit) onto the card"),
        ("python3", '[ "$1" = -c ] && exit 1; echo Python 3.9.2', "this is Python 3.9.2, and 3.11 is needed: write"),
        ("df", "echo head; echo /dev/root 1 1 716799 1% /", "less than 700 MB are free: make room, or use a larger card"),
        ("make", "exit 2", "that did not work; the line that begins with Failed says what to do"),
        ("ln", "exit 1", "this folder may not be on a stick: copy it into your home folder first"),
    ],
)  # fmt: skip
def test_a_machine_that_will_not_do(program: str, does: str, reason: str, machine: Machine) -> None:
    """It says what to change, and has set nothing up."""
    machine.is_so(program, does)
    done = machine.run()
    assert done.returncode == 1
    assert reason in done.stderr
    assert machine.asked() == []


@pytest.mark.parametrize(
    ("program", "reason"),
    [("python3", "run  sudo apt install python3 python3-venv"), ("make", "run  sudo apt install make")],
)
def test_a_program_that_is_missing(program: str, reason: str, machine: Machine) -> None:
    """The message has the very command that brings it."""
    machine.lacks(program)
    if program != "python3":
        machine.is_so("python3", "exit 0")
    done = machine.run()
    assert (done.returncode, reason in done.stderr) == (1, True), done.stderr
    assert machine.asked() == []


def test_links_that_a_stick_has_lost_are_mended(machine: Machine) -> None:
    """It works where the link to the firmware was copied as a file, or not at all."""
    link = machine.folder / "companion" / "firmware"
    link.rmdir()
    link.write_text("../firmware")
    (machine.folder / "firmware").mkdir()
    assert machine.run().returncode == 0
    assert link.resolve() == machine.folder / "firmware"


# --- a release -----------------------------------------------------------------------------------


@pytest.fixture
def release(machine: Machine, tmp_path: Path) -> Path:
    """Return a release that has the same folder in it, with its sum."""
    made = tmp_path / "given" / "race-companion-9.tar.gz"
    made.parent.mkdir()
    with tarfile.open(made, "w:gz") as archive:
        archive.add(machine.folder, "race-companion-9")
    made.with_name(f"{made.name}.sha256").write_text(
        f"{hashlib.sha256(made.read_bytes()).hexdigest()}  {made.name}\n"
    )
    return made


ADDRESS = "https://release.example/files"


@pytest.fixture
def address(release: Path, machine: Machine) -> str:
    """Return the address at which it can be fetched; the programs that fetch are stand-ins: it is no real one."""
    there = f'{release.parent}/$(basename "$last")'
    for program, option in (("curl", "--output"), ("wget", "--output-document")):
        machine.is_so(
            program,
            f'while [ $# -gt 1 ]; do [ "$1" = {option} ] && to=$2; shift; done\nlast=$1\n'
            f'case "$last" in {ADDRESS}/*) {shutil.which("cp")} "{there}" "$to";; *) exit 1;; esac',
        )
    return f"{ADDRESS}/{release.name}"


def sum_of(release: Path) -> str:
    return hashlib.sha256(release.read_bytes()).hexdigest()


def test_a_file_is_checked_and_unpacked(machine: Machine, release: Path) -> None:
    """Into the home folder, where the script in it goes on."""
    done = machine.run(str(release))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"unpacked into {machine.home}/race-companion-9" in done.stdout
    assert machine.asked() == ["make setup", "companion install"]
    assert (machine.home / "race-companion-9" / ".venv").is_dir()


@pytest.mark.parametrize("program", ["curl", "wget"])
def test_an_address_is_fetched_first(program: str, machine: Machine, release: Path, address: str) -> None:
    """Either of the two programs fetches it; its sum comes from a person."""
    for name in ("tar", "gzip", "ln", "rm", "mkdir", "cp", "basename"):
        machine.is_so(name, f'exec {shutil.which(name)} "$@"')
    machine.lacks("curl" if program == "wget" else "wget")
    machine.is_so("python3", f'exec {sys.executable} "$@"')
    done = machine.run(RELEASE=address, SUM=sum_of(release))
    assert (done.returncode, done.stderr) == (0, "")
    assert machine.asked() == ["make setup", "companion install"]


def test_what_is_no_whole_release_is_not_unpacked(machine: Machine, release: Path, address: str) -> None:
    """Each time with what to do."""
    sum_file = release.with_name(f"{release.name}.sha256")
    home, sum_before = set(machine.home.iterdir()), sum_of(release)
    errors = [
        (machine.run("nowhere.tar.gz"), "there is no file nowhere.tar.gz"),
        (machine.run(RELEASE="ftp://example.org/x"), "an address begins with https://"),
        (
            machine.run(RELEASE=address.replace("https", "http")),
            "an address begins with https://, not http://",
        ),
        (machine.run(RELEASE=address), "SUM is missing: ask the person who gave you the address"),
        (machine.run(RELEASE=address.replace("-9", "-8"), SUM="0" * 64), "cannot be fetched"),
    ]
    release.write_bytes(release.read_bytes()[:-1])
    errors += [
        (machine.run(str(release)), f"{release} is not as it was sent: copy or fetch it again"),
        (machine.run(RELEASE=address, SUM=sum_before), "is not as it was sent"),
    ]
    sum_file.unlink()
    errors.append((machine.run(str(release)), f"{sum_file} is missing, by which the file is checked"))
    for done, reason in errors:
        assert (done.returncode, reason in done.stderr) == (1, True), (reason, done.stderr)
    assert machine.asked() == []
    assert set(machine.home.iterdir()) == home


KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture
def owned(machine: Machine, release: Path) -> Path:
    """Return a signed release, for a script that has the owner's key."""
    script = machine.folder / SCRIPT
    public = base64.b64encode(KEY.public_key().public_bytes_raw()).decode()
    script.write_text(script.read_text().replace('KEY=""', f'KEY="{public}"'))
    release.with_name(f"{release.name}.sig").write_text(signature(release, KEY))
    return release


def test_a_signed_release_is_unpacked_and_no_other(machine: Machine, owned: Path, address: str) -> None:
    """Neither a file nor a place that has both the release and its sum can stand in for the owner."""
    for done in (machine.run(str(owned)), machine.run(RELEASE=address)):
        assert (done.returncode, done.stderr) == (0, "")
        assert "is signed by the owner of the project" in done.stdout
    owned.write_bytes(owned.read_bytes() + b"more")
    owned.with_name(f"{owned.name}.sha256").write_text(sum_of(owned))
    for done in (machine.run(str(owned)), machine.run(RELEASE=address, SUM=sum_of(owned))):
        assert done.returncode == 1
        assert "is not signed by the owner of the project, or not as it was sent" in done.stderr
    owned.with_name(f"{owned.name}.sig").unlink()
    assert ".sig is missing, the signature by which the file is checked" in machine.run(str(owned)).stderr
    assert "cannot be fetched" in machine.run(RELEASE=f"{address.removesuffix('.gz')}.gz").stderr


def test_a_script_alone_says_what_it_lacks(tmp_path: Path) -> None:
    shutil.copy(ROOT / SCRIPT, tmp_path)
    done = subprocess.run(
        ["sh", SCRIPT], cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert (done.returncode, "this is not the companion's folder: name a release" in done.stderr) == (1, True)


def test_what_it_needs_is_what_the_program_needs() -> None:
    """The Python that it asks for is pyproject.toml's."""
    asked = 'requires-python = ">=3.11"'
    assert asked in (ROOT / "pyproject.toml").read_text("utf-8")
    assert "sys.version_info < (3, 11)" in (ROOT / SCRIPT).read_text("utf-8")
