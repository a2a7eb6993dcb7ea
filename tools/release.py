"""`make release`: all that a machine without a network needs, in one file, with its sum next to it.

python tools/release.py [--machine aarch64] [--python 3.11 --python 3.13] [--to dist]

race-companion-VERSION.tar.gz has the checkout's tracked files unchanged, and `wheels/`: the dependencies of
the companion and of its build, in the versions of requirements.lock, for that processor and these Pythons.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import companion

ROOT: Final = Path(__file__).parents[1]
NAME: Final = f"race-companion-{companion.__version__}"
PYTHONS: Final = ("3.11", "3.13")  # of Debian 12 and 13, and so of Raspberry Pi OS
BUILD: Final = ("hatchling", "editables")  # with what pip makes an environment of a folder
READER: Final = "mfrc522==0.0.7"  # without what it demands: see pyproject.toml
GLIBC: Final = range(5, 37)  # Debian 12 has 2.36


def platforms(machine: str) -> list[str]:
    """Return the names by which wheels call the Linux of Debian 12 on this processor, old and new ones."""
    old = ["manylinux1", "manylinux2010"] if machine == "x86_64" else []
    return [*(f"{name}_{machine}" for name in (*old, "manylinux2014", *(f"manylinux_2_{n}" for n in GLIBC)))]


def fetch(wheels: Path, machine: str, python: str) -> None:
    """Download what one Python needs on that processor, locked, into `wheels`."""
    with tempfile.TemporaryDirectory() as home:
        build, pinned = Path(home, "build.in"), Path(home, "pinned.txt")
        build.write_text("".join(f"{name}\n" for name in BUILD))
        target = ("--python-version", python, "--python-platform", f"{machine}-manylinux_2_36")
        locked = ("--constraint", "requirements.lock", "--output-file", str(pinned))
        _run("uv", "pip", "compile", "--quiet", "--no-header", *target, *locked, "pyproject.toml", str(build))
        tags = [word for name in platforms(machine) for word in ("--platform", name)]
        there = ("--dest", str(wheels), "--only-binary", ":all:", "--python-version", python, *tags)
        _run("pip", "download", "--quiet", "--no-deps", *there, "--requirement", str(pinned))
        _run("pip", "download", "--quiet", "--no-deps", *there, READER)


def _run(program: str, *arguments: str) -> None:
    command = [sys.executable, "-m", program, *arguments]
    if subprocess.run(command, cwd=ROOT).returncode:
        raise SystemExit(f"{program} could not do its part: nothing was released")


def tracked() -> list[str]:
    """Return the checkout's tracked files; its link to the firmware stays a link."""
    listed = ["git", "ls-files", "-z", "--cached"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return sorted(name for name in names if name and (ROOT / name).exists())


def pack(wheels: Path, to: Path) -> Path:
    """Write the file, and FILE.sha256 next to it as `sha256sum --check` reads it; return its path."""
    to.mkdir(parents=True, exist_ok=True)
    made = to / f"{NAME}.tar.gz"
    with tarfile.open(made, "w:gz") as archive:
        for name in tracked():
            archive.add(ROOT / name, f"{NAME}/{name}", filter=_nobody)
        for wheel in sorted(wheels.glob("*.whl")):
            archive.add(wheel, f"{NAME}/wheels/{wheel.name}", filter=_nobody)
    summed = hashlib.sha256(made.read_bytes()).hexdigest()
    made.with_name(f"{made.name}.sha256").write_text(f"{summed}  {made.name}\n")
    return made


def _nobody(info: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return the entry without an owner, so that the user who unpacks it owns it."""
    info.uid = info.gid = 0
    info.uname = info.gname = "root"
    return info


def release(machine: str, pythons: Sequence[str], to: Path) -> Path:
    """Fetch and pack; return the file's path."""
    with tempfile.TemporaryDirectory() as wheels:
        for python in pythons:
            fetch(Path(wheels), machine, python)
        return pack(Path(wheels), to)


def main() -> None:
    """Make the release, and print its path."""
    asked = argparse.ArgumentParser(description="a release that needs no network")
    asked.add_argument("--machine", default="aarch64", choices=("aarch64", "x86_64"))
    asked.add_argument("--python", action="append", metavar="VERSION")
    asked.add_argument("--to", type=Path, default=ROOT / "dist")
    given = asked.parse_args()
    made = release(given.machine, given.python or PYTHONS, given.to)
    print(f"{made} ({made.stat().st_size / 1e6:.0f} MB), and its sum next to it")
    print(f"sign it before you publish it: python tools/sign_release.py sign {made} KEY")


if __name__ == "__main__":
    main()
