"""`companion install` in a directory: what it writes, which programs it runs, and that nothing is left.

The programs are stand-ins that note their arguments; tests/appliance has a real Debian with a real systemd.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import companion
from companion.cli import install as command_module
from companion.cli import main
from companion.install import console, nightly, plan, program
from companion.install.bindings import link_bindings
from companion.install.machine import InstallError, Machine
from companion.install.package_errors import LOG
from companion.install.program import CURRENT, HOME, PACKAGES, Program, needed
from companion.install.steps import File, Line, Packages, Step, Traces

CONFIG = "/boot/firmware/config.txt"
PI = b"Raspberry Pi 4 Model B Rev 1.4\0"
AS_SHIPPED = "# the settings of a Pi\n#dtparam=spi=on\n\n[pi4]\narm_boost=1\n"


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Replace the machine's programs; return a function that returns their new command lines."""
    programs, log = tmp_path / "programs", tmp_path / "asked"
    programs.mkdir()
    log.touch()
    for name in ("systemctl", "dpkg-query", "useradd", "usermod", "userdel", "install", "apt-get", "rm"):
        answer = "exit 1" if name == "dpkg-query" else 'case "$1" in is-*) exit 1; esac'
        (programs / name).write_text(f'#!/bin/sh\necho "{name} $*" >> {log}\n{answer}\n')
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")

    def since() -> list[str]:
        lines = log.read_text().splitlines()
        log.write_text("")
        return lines

    return since


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a machine without anything of ours."""
    return Machine(tmp_path / "machine")


def files(machine: Machine) -> dict[str, str]:
    """Return every file and directory of it, and the text of the files."""
    found = sorted(machine.root.rglob("*"))
    return {str(at.relative_to(machine.root)): at.read_text() if at.is_file() else "" for at in found}


STEPS: list[tuple[str, Step, str, str]] = [
    ("a file", File("/etc/a.d/x.conf", "x = 1\n", "so", alone=True), "/etc/a.d/x.conf", "x = 1\n"),
    (
        "a line after a section of one model",
        Line(CONFIG, plan.SPI, "the bus"),
        CONFIG,
        AS_SHIPPED + "[all]\n# race-companion: the bus\ndtparam=spi=on\n",
    ),
]


@pytest.mark.parametrize(("step", "path", "text"), [row[1:] for row in STEPS], ids=[row[0] for row in STEPS])
def test_a_step_there_and_back(step: Step, path: str, text: str, machine: Machine) -> None:
    """Once done it is done, and taken back the machine is as it was, to the byte."""
    machine.write(CONFIG, AS_SHIPPED)
    before = files(machine) | {"etc": ""}
    (machine.root / "etc").mkdir(exist_ok=True)
    assert not step.done(machine)
    step.do(machine)
    assert step.done(machine)
    assert machine.text(path) == text
    step.undo(machine)
    assert files(machine) == before
    step.undo(machine)
    assert files(machine) == before


def test_a_line_that_is_there_already_stays(machine: Machine) -> None:
    """A setting that the owner switched on is neither added again nor taken away."""
    own = AS_SHIPPED.replace("#dtparam=spi=on", "dtparam=spi=on")
    machine.write(CONFIG, own)
    line = Line(CONFIG, plan.SPI, "the bus")
    assert line.done(machine)
    line.undo(machine)
    assert machine.text(CONFIG) == own


def test_a_program_that_fails_is_quoted(machine: Machine) -> None:
    """Its own words are in the message."""
    with pytest.raises(InstallError, match=r"`sh -c .*` ended with 3: no room"):
        machine.run("sh", "-c", "echo no room >&2; exit 3")
    with pytest.raises(InstallError, match="cannot be started"):
        machine.run("no-such-program")


NO_NETWORK = """\
WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by
'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish a new
connection: [Errno -3] Temporary failure in name resolution')': /simple/msgspec/
ERROR: Could not find a version that satisfies the requirement msgspec>=0.22 (from race-companion) (from versions: none)
ERROR: No matching distribution found for msgspec>=0.22
"""
NOT_BUILT = """\
error: subprocess-exited-with-error
  × Building wheel for lgpio (pyproject.toml) did not run successfully.
  note: This error originates from a subprocess, and is likely not a problem with pip.
ERROR: Failed building wheel for lgpio
"""


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (NO_NETWORK, "there is no way into the internet: connect this machine by cable or Wi-Fi"),
        ("Err:1 http://deb.debian.org\n  Temporary failure resolving 'deb.debian.org'\nE: Unable to locate package x", "there is no way into the internet"),
        ("ERROR: No matching distribution found for msgspec==0.99", "the package msgspec is missing: use a release made for this machine"),
        (NOT_BUILT, "the package lgpio could not be built: use a release"),
        ("E: Unable to locate package avahi-daemon", "this system does not know the package avahi-daemon"),
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "the card is full: make room"),
        ("E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812", "another program is installing something: wait"),
        ("E: dpkg was interrupted, you must manually run", "an earlier installation was cut off: type sudo dpkg --configure -a"),
        ("Package 'race-companion' requires a different Python: 3.9.2 not in '>=3.11'", "this machine has Python 3.9.2, which is too old"),
        ("Traceback", "pip failed"),
    ],
)  # fmt: skip
def test_apt_and_pip_in_one_sentence(said: str, sentence: str, machine: Machine, tmp_path: Path) -> None:
    """What is missing and what to do; all that they said is in a log, which is named."""
    machine.at("/var/log").mkdir(parents=True)
    pip = tmp_path / "pip"
    pip.write_text(f"#!/bin/sh\ncat <<'END' >&2\n{said}\nEND\nexit 1\n")
    pip.chmod(0o755)
    with pytest.raises(InstallError) as failed:
        machine.fetch("the new version", (str(pip), "install", "x"))
    text = str(failed.value)
    assert text.startswith(f"the new version could not be installed: {sentence}")
    assert text.endswith("Details are at the end of /var/log/race-companion-install.log.")
    assert "\n" not in text
    assert said.strip() in (machine.text(LOG) or "")


def test_traces_are_deleted(machine: Machine, asked: Callable[[], list[str]]) -> None:
    """The log, and the file in which systemd notes the last nightly copy, go with the companion."""
    for path in (LOG, nightly.STAMP):
        machine.write(path, "")
    for step in reversed(plan.steps(machine)):
        if isinstance(step, Traces):
            step.undo(machine)
    assert not machine.at(LOG).exists()
    assert not machine.at(nightly.STAMP).exists()


def test_only_what_was_missing_is_taken_away(machine: Machine, asked: Callable[[], list[str]]) -> None:
    """Debian packages that were there before stay."""
    packages = Packages(("python3-spidev", "python3-lgpio"), "the pins", "/etc/race-companion/packages")
    packages.do(machine)
    assert asked()[-1] == "apt-get install -y -qq --no-install-recommends python3-spidev python3-lgpio"
    packages.undo(machine)
    assert asked() == ["apt-get purge -y -qq --auto-remove python3-spidev python3-lgpio"]
    packages.undo(machine)
    assert asked() == []


def test_without_a_network_there_is_no_name(
    machine: Machine, asked: Callable[[], list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message says what is missing and what to do; all else is installed, and nothing is noted as ours."""
    machine.at("/var/log").mkdir(parents=True)
    monkeypatch.setattr(command_module, "here", lambda: machine)
    monkeypatch.setattr(command_module, "is_root", lambda: True)
    (tmp_path / "programs" / "apt-get").write_text("#!/bin/sh\necho no network >&2\nexit 100\n")
    done = CliRunner().invoke(main, ["install", "--yes"])
    assert done.exit_code == 0, done.output
    assert "found by its address only; run this again" in done.output
    assert "Details are at the end of /var/log/race-companion-install.log" in done.output
    assert "no network" not in done.output, "apt's own text is in the log"
    assert "no network" in (machine.text(LOG) or "")
    assert asked()[-1] == "systemctl restart race-companion.service"
    assert plan.AVAHI in [step for step in plan.steps(machine) if not step.done(machine)]
    assert machine.text(plan.AVAHI.noted) is None


@pytest.mark.long
def test_the_copy_runs_by_itself(machine: Machine) -> None:
    """The program that is copied answers with its version, from another directory and without this checkout.

    Only here: an installed copy that needs the checkout it was made from.
    """
    copied = Program()
    assert not copied.done(machine)
    copied.do(machine)
    assert copied.done(machine)
    python = machine.at(CURRENT) / "bin" / "python"
    said = subprocess.run(
        [python, "-m", "companion", "--version"], cwd="/", capture_output=True, text=True, env={"PATH": ""}
    )
    assert (said.stdout, said.stderr) == (f"companion, version {companion.__version__}\n", "")
    where = subprocess.run(
        [python, "-c", "import companion, flask; print(companion.__file__, flask.__file__)"],
        cwd="/", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert all(str(machine.root) in path for path in where.stdout.split())
    assert not list(machine.at(CURRENT).glob("lib/*/site-packages/pytest"))
    copied.undo(machine)
    assert not machine.at(HOME).exists()


def test_a_copy_is_on_the_disk_before_it_is_switched_to(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a power cut the version that is switched to has its files and their content, and the link is there."""
    source = machine.at("/source.py")
    machine.write("/source.py", "whole")
    done: list[str] = []

    def synced(place: Path) -> None:
        [new] = machine.at(HOME).iterdir()
        assert (new / PACKAGES / "source.py").read_text() == "whole"
        done.append(place.name)

    monkeypatch.setattr(program, "sync", synced)
    monkeypatch.setattr(
        program, "sync_directory", lambda place: done.append(str(place.relative_to(machine.root)))
    )
    monkeypatch.setattr("venv.EnvBuilder.create", lambda _, place: (Path(place) / "bin").mkdir(parents=True))
    name = program.lay(machine, {Path("source.py"): source})
    assert done == [f".{name}.new", HOME.lstrip("/")]
    program.switch(machine, name)
    assert done[2:] == [HOME.lstrip("/")]


def test_a_written_file_keeps_its_name_at_a_power_cut(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The directory is written too: ext4 may otherwise have the old name, or none, for some seconds."""
    synced: list[Path] = []
    monkeypatch.setattr("companion.install.machine.sync_directory", synced.append)
    machine.write("/etc/ours", "new")
    assert synced == [machine.at("/etc")]


def test_of_the_systems_packages_only_the_bindings_are_seen(tmp_path: Path) -> None:
    """spidev and lgpio of Debian, but not its click, which would be too old."""
    system, ours = tmp_path / "system", tmp_path / "ours"
    ours.mkdir()
    for name in (
        "spidev.cpython-311-aarch64-linux-gnu.so",
        "lgpio.py",
        "RPi/__init__.py",
        "click/__init__.py",
    ):
        (system / name).parent.mkdir(parents=True, exist_ok=True)
        (system / name).touch()
    for _ in range(2):
        linked = link_bindings(ours, system)
        assert sorted(linked) == ["RPi", "lgpio.py", "spidev.cpython-311-aarch64-linux-gnu.so"]
        assert sorted(at.name for at in ours.iterdir()) == sorted(linked)


def test_what_tests_need_is_not_copied() -> None:
    """Flask and what it needs, and nothing of an extra."""
    assert {"flask", "werkzeug", "numpy"} <= set(needed())
    assert not {"pytest", "mypy", "playwright"} & set(needed())


@pytest.mark.parametrize("model", [PI, b""], ids=["on a Pi", "elsewhere"])
def test_the_pins_are_for_a_pi(model: bytes, machine: Machine) -> None:
    """config.txt and the packages for the pins are a Pi's business alone."""
    machine.write("/proc/device-tree/model", model.decode())
    machine.write(CONFIG, AS_SHIPPED)
    whats = [step.what for step in plan.steps(machine)]
    assert any(plan.SPI in what for what in whats) == bool(model)
    assert any("python3-spidev" in what for what in whats) == bool(model)


def test_the_command(
    machine: Machine, asked: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what it will do, asks, does it in order, and leaves nothing when it is taken back."""
    machine.root.mkdir()
    monkeypatch.setattr(command_module, "here", lambda: machine)
    monkeypatch.setattr(command_module, "is_root", lambda: True)
    before = files(machine)
    dry = CliRunner().invoke(main, ["install", "--dry-run"])
    assert dry.exit_code == 0
    assert dry.output.splitlines()[0] == "this will:"
    assert files(machine) == before
    refused = CliRunner().invoke(main, ["install"], input="n\n")
    assert refused.exit_code == 1
    assert files(machine) == before
    asked()
    done = CliRunner().invoke(main, ["install", "--yes"])
    assert done.exit_code == 0, done.output
    assert "http://" in done.output.splitlines()[-1]
    commands = asked()
    assert commands[-1] == "systemctl restart race-companion.service"
    assert "systemctl daemon-reload" in commands
    assert any(line.startswith("useradd --system") for line in commands)
    dry_run = CliRunner().invoke(main, ["install", "--uninstall", "--keep-data", "--dry-run"])
    lost = CliRunner().invoke(main, ["install", "--uninstall", "--dry-run"])
    assert "delete /var/lib/race-companion:" not in dry_run.output
    assert lost.output.startswith("all games, boards and tags in /var/lib/race-companion go too")
    gone = CliRunner().invoke(main, ["install", "--uninstall", "--yes"])
    assert gone.exit_code == 0, gone.output
    assert "write /" not in gone.output
    left = [path for path, text in files(machine).items() if text]
    assert left == []


def test_installed_without_a_network_it_says_what_to_do(
    machine: Machine, asked: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No address of this machine alone is given to a tablet: cable, Wi-Fi or hotspot come first."""
    machine.root.mkdir()
    monkeypatch.setattr(command_module, "here", lambda: machine)
    monkeypatch.setattr(command_module, "is_root", lambda: True)
    monkeypatch.setattr("companion.http.network.own_address", lambda: "127.0.0.1")
    said = CliRunner().invoke(main, ["install", "--yes"]).output
    assert "127.0.0.1" not in said
    for word in ("network cable", "sudo nmtui", "sudo companion install --hotspot", "companion status"):
        assert word in said
    screen = machine.text(console.PATH) or ""
    assert "sudo nmtui" in screen
    assert all(len(line) <= 100 for line in screen.splitlines())


def test_only_root_may(
    machine: Machine, asked: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another user learns how to begin the command, and nothing is changed."""
    monkeypatch.setattr(command_module, "here", lambda: machine)
    monkeypatch.setattr(command_module, "is_root", lambda: False)
    said = CliRunner().invoke(main, ["install", "--yes"])
    assert said.exit_code == 1
    assert "begin the command with sudo" in said.output
    assert not machine.root.exists()
