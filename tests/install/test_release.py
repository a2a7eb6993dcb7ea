"""A release installs and plays without a network, on this processor and this Python.

Only here: a wheel that is missing from the release, so that an installation or an update needs the network.
"""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from companion.install import update as updating
from companion.install.machine import Machine
from tests.install.test_get_companion import without_key
from tools.release import NAME, PYTHONS, ROOT, fetch, platforms, tracked

pytestmark = pytest.mark.nightly

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
OFFLINE = ("unshare", "--net") if os.geteuid() == 0 else ("unshare", "--map-root-user", "--net")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release as `make release` makes it, but for the machine that runs the test."""
    to = tmp_path_factory.mktemp("dist")
    for_here = ("--machine", platform.machine(), "--python", PYTHON, "--to", str(to))
    done = subprocess.run(
        [sys.executable, "-m", "tools.release", *for_here], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return to / f"{NAME}.tar.gz"


@pytest.fixture(scope="module")
def home(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home without a network, in which get-companion.sh has set up the release."""
    home = tmp_path_factory.mktemp("home of somebody")
    alone = subprocess.run([*OFFLINE, "true"], capture_output=True, text=True)
    assert alone.returncode == 0, f"no network namespace can be made here: {alone.stderr}"
    clean = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("PIP_", "PYTHON", "MAKE", "MFLAGS"))
    }
    done = subprocess.run(
        [*OFFLINE, "sh", str(without_key(ROOT / "get-companion.sh", home)), str(release)],
        env=clean | {"HOME": str(home), "PATH": f"{Path(sys.base_prefix) / 'bin'}:{clean['PATH']}"},
        input="n\n",
        capture_output=True,
        text=True,
        cwd=home,
    )
    print(done.stdout, done.stderr)
    assert "go on? [y/N]" in done.stdout, done.stderr
    assert done.returncode == 1  # it asked, and was not allowed to install
    return home / NAME


def offline(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*OFFLINE, ".venv/bin/companion", *arguments]
    return subprocess.run(command, cwd=home, capture_output=True, text=True)


def test_set_up_without_a_network_it_plays(home: Path) -> None:
    """Robots play a whole game with nothing but the packages in wheels/."""
    played = offline(home, "simulate", "galloping-pigs", "--games", "1", "--records", "here")
    assert (played.returncode, played.stderr) == (0, "")
    [record] = (home / "here").iterdir()
    assert offline(home, "replay", str(record)).returncode == 0


def test_the_reader_s_package_is_there_too(home: Path) -> None:
    done = subprocess.run(
        [".venv/bin/python", "-m", "pip", "show", "mfrc522"], cwd=home, capture_output=True, text=True
    )
    assert "Version: 0.0.7" in done.stdout


def test_what_is_in_it(release: Path) -> None:
    """It has the tracked files unchanged, the firmware as a link, and wheels, but no build output."""
    with tarfile.open(release) as archive:
        members = {member.name.removeprefix(f"{NAME}/"): member for member in archive}
    wheels = {name for name in members if name.startswith("wheels/")}
    assert set(members) - wheels == set(tracked())
    assert members["companion/firmware"].issym()
    assert all(name.endswith(".whl") for name in wheels)
    sum_text = release.with_name(f"{release.name}.sha256").read_text()
    assert sum_text == f"{hashlib.sha256(release.read_bytes()).hexdigest()}  {release.name}\n"
    print(f"{release.stat().st_size / 1e6:.0f} MB, {len(wheels)} wheels")


def test_an_update_takes_it_without_a_network(release: Path, tmp_path: Path) -> None:
    """The environment that `companion update` makes of it has this version. Nothing is installed here."""
    script = (
        "import sys; from pathlib import Path; from companion.install.machine import Machine; "
        "from companion.install.update import _prepared, unpacked, wheels_in; "
        "home = Path(sys.argv[2]); folder = unpacked(Machine(), Path(sys.argv[1]), home); "
        "print(_prepared(Machine(), home, folder, wheels_in(folder)))"
    )
    command = [*OFFLINE, sys.executable, "-c", script, str(release), str(tmp_path)]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    python = made.stdout.split()[-1]
    asked = [
        python,
        "-c",
        "import companion, importlib.util; print(companion.__file__, importlib.util.find_spec('mfrc522'))",
    ]
    there = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True)
    assert there.stdout.startswith(str(tmp_path)), there.stderr
    assert f"{tmp_path}/env" in there.stdout.partition(" ")[2]


def test_it_can_be_unpacked_by_hand(release: Path, tmp_path: Path) -> None:
    """It unpacks with the shell's wildcards, as the page for the Pi says."""
    for name in (release.name, f"{release.name}.sha256"):
        (tmp_path / name).symlink_to(release.parent / name)
    subprocess.run(["tar", "-xzf", release.name], cwd=tmp_path, check=True)
    line = "cd race-companion-*/ && ls get-companion.sh wheels"
    assert subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, check=True).stdout
    folder = tmp_path / NAME
    assert updating.wheels_in(folder) == folder / "wheels"
    assert updating.unpacked(Machine(), tmp_path / release.name, tmp_path).name == NAME


def test_for_a_pi_nothing_is_missing(tmp_path: Path) -> None:
    """The wheels for the Pi's processor have all that both Pythons of Raspberry Pi OS need."""
    (tmp_path / "needed").write_text("hatchling\neditables\nmfrc522==0.0.7\n")
    overridden = tmp_path / "overridden"  # what mfrc522 demands comes from Debian
    overridden.write_text("RPi.GPIO; python_version < '3'\nspidev; python_version < '3'\n")
    for python in PYTHONS:
        fetch(tmp_path / "wheels", "aarch64", python)
    for python in PYTHONS:
        command = [
            sys.executable,
            "-m",
            "uv",
            "pip",
            "compile",
            "--quiet",
            "--no-index",
            "--find-links",
            str(tmp_path / "wheels"),
        ]
        target = [
            "--python-version",
            python,
            "--python-platform",
            "aarch64-manylinux_2_36",
            "--override",
            str(overridden),
        ]
        given = [
            "--only-binary",
            ":all:",
            "--constraint",
            "requirements.lock",
            "pyproject.toml",
            str(tmp_path / "needed"),
        ]
        done = subprocess.run([*command, *target, *given], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert "numpy==" in done.stdout


def test_for_whom_it_is_made() -> None:
    """It is made for the Pythons of Debian 12 and 13 on a 64-bit Pi."""
    assert PYTHONS == ("3.11", "3.13")
    assert {"manylinux2014_aarch64", "manylinux_2_28_aarch64"} <= set(platforms("aarch64"))
    assert not any("manylinux_2_37" in name for name in platforms("aarch64"))
