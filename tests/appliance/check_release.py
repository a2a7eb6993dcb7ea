"""From zero on a Debian that has no network and nothing of ours: one line, yes, and the page is there; then the next one.

make check-install

The release is made for this machine's processor, which stands in for a Pi's; its folder and its wheels are else the same.
"""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.install.signature import part, sum_of
from tests.appliance.debian import RELEASES, Debian, base, fresh, why_not
from tests.install.test_get_companion import without_key
from tools.release import NAME, release

HOME = "/home/pi"
NEXT = "8.3.0"
HEALTH = "curl -s http://localhost/healthz"


@pytest.fixture(scope="module", params=RELEASES)
def debian(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debian]:
    """Yield a Debian that runs; it has two releases in a user's home, of now and of a next version."""
    if (why := why_not()) is not None:
        pytest.fail(why, pytrace=False)
    root = fresh(base(request.param), "bare")
    dist = tmp_path_factory.mktemp("dist")
    made = release(platform.machine(), [RELEASES[request.param]], dist)
    next_one(made, dist / f"race-companion-{NEXT}.tar.gz")
    for file in dist.iterdir():
        shutil.copy(file, root / HOME.lstrip("/"))
    with tarfile.open(made) as archive:
        archive.extract(f"{NAME}/get-companion.sh", dist)
    without_key(dist / NAME / "get-companion.sh", root / HOME.lstrip("/"))
    one = Debian(root)
    one.boot()
    yield one
    one.stop()
    shutil.rmtree(root)


def next_one(made: Path, to: Path) -> None:
    """Make the same release under another version, with its sum."""
    folder = to.parent / "next"
    folder.mkdir()
    subprocess.run(["tar", "-xzf", str(made), "-C", str(folder)], check=True)
    at = folder / NAME / "companion" / "__init__.py"
    at.write_text(re.sub(r'__version__ = ".*"', f'__version__ = "{NEXT}"', at.read_text()))
    subprocess.run(["tar", "-czf", str(to), "-C", str(folder), NAME], check=True)
    shutil.rmtree(folder)
    part(to, ".sha256").write_text(sum_of(to))


def test_one_line_and_yes(debian: Debian) -> None:
    """It checks, unpacks, sets up, asks and installs; nothing was fetched from anywhere."""
    said = debian.run(f"cd {HOME} && yes | sh get-companion.sh {NAME}.tar.gz")
    print(said)
    assert "this is no Raspberry Pi" in said
    assert "go on? [y/N]" in said
    assert "the companion is installed and runs: open http://" in said
    assert json.loads(debian.run(HEALTH))["ok"] is True


def test_once_more_it_says_how_to_update(debian: Debian) -> None:
    """It does not put a version over another without trying it."""
    said = debian.run(f"cd /root/{NAME} && yes | sh get-companion.sh", check=False)
    assert f'sudo companion update "/root/{NAME}"' in said


def test_the_next_release(debian: Debian) -> None:
    """One file, without a network and without --wheels: the new version runs."""
    said = debian.run(f"companion update --unsigned {HOME}/race-companion-{NEXT}.tar.gz")
    print(said)
    assert "runs now" in said
    assert json.loads(debian.run(HEALTH))["version"] == NEXT


def test_and_back_by_its_folder(debian: Debian) -> None:
    """The folder that was unpacked first brings its own wheels too."""
    debian.run(f"companion update /root/{NAME}")
    assert json.loads(debian.run(HEALTH))["version"] == NAME.removeprefix("race-companion-")


def test_a_file_that_was_cut_changes_nothing(debian: Debian) -> None:
    """It is found by its sum."""
    before = json.loads(debian.run(HEALTH))["version"]
    for file in (NAME, f"race-companion-{NEXT}"):
        debian.run(f"truncate -s -1000 {HOME}/{file}.tar.gz")
        assert "is not as it was sent" in debian.run(
            f"companion update --unsigned {HOME}/{file}.tar.gz", check=False
        )
    assert json.loads(debian.run(HEALTH))["version"] == before
