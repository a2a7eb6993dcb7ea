"""The built wheel plays from any directory, with the reader's package and without it.

Only here: a file that the checkout has and the wheel lacks, or a dependency that a fresh installation misses.
"""

from __future__ import annotations

import email
import http.client
import os
import re
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.client import PATIENCE_S, Client

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
CASE = ROOT / "tests" / "cases" / "galloping-pigs" / "game-1.jsonl"


def clean(**more: str) -> dict[str, str]:
    """Return an environment in which nothing of the checkout is found."""
    return {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")} | more


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("wheel")
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        str(directory),
        str(ROOT),
    ]
    subprocess.run(build, check=True, env=clean(), capture_output=True)
    [built] = directory.glob("*.whl")
    return built


class Installed:
    """A new virtual environment that has the wheel."""

    def __init__(self, directory: Path, *packages: str | Path) -> None:
        venv.create(directory, with_pip=True)
        self.bin = directory / "bin"
        for package in packages:
            no_deps = ["--no-deps"] if str(package).startswith("mfrc522") else []
            self.pip("install", *no_deps, str(package))

    def pip(self, *arguments: str) -> None:
        command = [self.bin / "python", "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
        subprocess.run([str(part) for part in command], check=True, env=clean(), capture_output=True)

    def run(self, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        command = [str(self.bin / "companion"), *arguments]
        return subprocess.run(command, cwd=cwd, env=clean(), capture_output=True, text=True, check=False)

    @contextmanager
    def demo(self, cwd: Path) -> Iterator[tuple[Client, Path]]:
        """Start a demo on the virtual table in `cwd`, and yield its client and its log."""
        log = cwd / "console.txt"
        with log.open("wb") as errors:
            running = subprocess.Popen(
                [self.bin / "companion", "run", "--mock", "--demo", "--port", "0"],
                cwd=cwd,
                env=clean(TMPDIR=str(cwd)),
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert running.stdout is not None
        greeting = ""
        for line in running.stdout:
            greeting += line
            if line.startswith("Ctrl+C"):
                break
        try:
            assert "Ctrl+C" in greeting, log.read_text()
            client = Client(int(re.findall(r"localhost:(\d+)", greeting)[0]))
            yield client.host(re.findall(r"PIN.*: (\d+)", greeting)[0]), log
        finally:
            running.terminate()
            status = running.wait(PATIENCE_S)
            running.stdout.close()
        assert status == 0


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Return the wheel and its dependencies."""
    return Installed(tmp_path_factory.mktemp("bare"), wheel)


@pytest.fixture(scope="module")
def full(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Return the wheel and the reader's package, as `make setup` installs it."""
    return Installed(tmp_path_factory.mktemp("full"), wheel, "mfrc522==0.0.7")


# --- what is in it -------------------------------------------------------------------------------


def test_the_wheel_holds_what_plays_and_nothing_else(wheel: Path) -> None:
    """It has pages, words, rules and the Pico's firmware, but no tests and no benchmarks."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = email.message_from_bytes(archive.read(next(n for n in names if n.endswith("/METADATA"))))
    assert {name.split("/")[0] for name in names} == {"companion", names[-1].split("/")[0]}
    tracked = subprocess.run(
        ["git", "ls-files", "companion", "firmware"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    tracked.remove("companion/firmware")  # a link to where it is edited, which is shipped in its place
    shipped = {f"companion/{name}" if name.startswith("firmware/") else name for name in tracked}
    assert shipped <= set(names), "everything of the checkout is in it"
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {"companion/py.typed", "companion/web/openapi.yaml"} <= set(names)
    assert metadata["License-Expression"] == "MIT"
    assert "Typing :: Typed" in (metadata.get_all("Classifier") or [])


def test_what_a_pi_5_cannot_have_is_never_pulled(wheel: Path) -> None:
    """No extra installs mfrc522, RPi.GPIO or spidev.

    mfrc522 requires RPi.GPIO, which breaks on a Pi 5 and needs a compiler everywhere.
    """
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if n.endswith("/METADATA"))
        metadata = email.message_from_bytes(archive.read(name))
    needed = [re.split(r"[^\w.-]", plain(line))[0] for line in metadata.get_all("Requires-Dist") or []]
    assert "flask" in needed
    assert {"mfrc522", "rpi-gpio", "spidev"}.isdisjoint(needed)


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.lower())


@pytest.mark.nightly
def test_its_dependencies_fit_together(bare: Installed) -> None:
    bare.pip("check")


# --- playing -------------------------------------------------------------------------------------


def test_the_commands_work_from_another_directory(bare: Installed, tmp_path: Path) -> None:
    assert bare.run("--version", cwd=tmp_path).stdout.startswith("companion, version ")
    replay = bare.run("replay", str(CASE), cwd=tmp_path)
    assert (replay.returncode, replay.stderr) == (0, "")
    assert "Galloping Pigs" in replay.stdout
    simulate = bare.run("simulate", "galloping-horse", "--games", "2", "--records", "here", cwd=tmp_path)
    assert simulate.returncode == 0, simulate.stderr
    assert len(list((tmp_path / "here").iterdir())) == 2


def lined_up(client: Client, table: dict[str, Any]) -> bool:
    """Return True if the line-up is accepted; else press OK again."""
    if table["next"]["do"] != "line-up":
        return True
    client.press("confirm")
    return False


def confirm_the_line_up(client: Client) -> None:
    """Press OK until the line-up on the track is accepted, then lay the food."""
    client.until(lambda table: lined_up(client, table))
    for seat in range(4):
        client.decide(do="place-food", seat=seat, space=seat + 8)
    client.until(lambda table: table["next"] == {"do": "play", "seats": [0]})


def served(client: Client) -> None:
    """Assert that the wheel serves the pages and all that they load."""
    loaded = re.findall(r'(?:src|href)="(/static/[^"]+)"', client.get("/"))
    assert loaded
    for path in ("/watch", "/host", "/mock", "/qr.svg", "/api/openapi.yaml", *loaded):
        connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=PATIENCE_S)
        connection.request("GET", path)
        answer = connection.getresponse()
        assert (answer.status, bool(answer.read())) == (200, True), path
        connection.close()


def spoken(client: Client, language: str) -> str:
    """Return the watch page for a browser that requests this language."""
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=PATIENCE_S)
    connection.request("GET", "/watch", headers={"Accept-Language": language})
    page = connection.getresponse().read().decode()
    connection.close()
    return page


def test_the_wheel_plays_a_card_on_the_virtual_table(full: Installed, tmp_path: Path) -> None:
    """A card, its pig and the lifted card pass through the real reader package, chip by chip."""
    with full.demo(tmp_path) as (client, log):
        served(client)
        assert "Aucune partie en cours" in spoken(client, "fr")
        assert "Gerade läuft kein Spiel" in spoken(client, "de")
        client.until(lambda table: table["parts"] == {"pad": "ok", "track": "ok", "panel": "ok"})
        confirm_the_line_up(client)
        uids = client.uids()
        client.pad(uids["card/red/3"])
        table: dict[str, Any] = client.until(lambda table: table["todo"] and table)
        assert table["state"]["played"] == [1, 0, 0, 0]
        [task] = table["todo"]
        assert (task["piece"], task["held"]) == ("red", True)
        client.space(task["to"]["space"], uids["piece/red"])
        client.until(lambda table: table["todo"] == [])
        client.pad()
        client.until(lambda table: table["odds"])
        assert log.read_text(encoding="utf-8") == ""


def test_a_bare_wheel_has_a_pad_in_mock_mode(bare: Installed, tmp_path: Path) -> None:
    """Without mfrc522 the virtual table reads cards: only a Pi needs the package."""
    with bare.demo(tmp_path) as (client, log):
        client.until(lambda table: table["parts"] == {"pad": "ok", "track": "ok", "panel": "ok"} or None)
        confirm_the_line_up(client)
        uids = client.uids()
        client.pad(uids["card/red/3"])
        client.until(lambda table: table["state"]["played"] == [1, 0, 0, 0] or None)
        assert log.read_text(encoding="utf-8") == ""
