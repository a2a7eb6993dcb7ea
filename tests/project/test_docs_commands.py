"""Every command in the documentation is run by a test: here, as it stands there, or by the one named."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.client import companion

ROOT = Path(__file__).parents[2]
PAPERS = [
    *(ROOT / name for name in ("README.md", "wiring.md", "CONTRIBUTING.md", "SECURITY.md", "companion/locale/README.md", "examples/companion-example/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]  # fmt: skip
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
PROGRAMS = re.compile(
    r"(\.venv/bin/)?(companion|make|python|pytest|pip|pipx|pre-commit|pybabel|sudo|sh|cd|tar|ssh|scp|curl|git|eval|"
    r"systemctl|journalctl|apt|apt-get|mosquitto_sub|mosquitto_pub)( |$)"
)
RECORD = ROOT / "tests" / "cases" / "galloping-pigs" / "game-1.jsonl"


class Here(NamedTuple):
    """A command that is run by this line, in an empty directory, by a user whose home is there."""

    line: str


class There(NamedTuple):
    """It changes the machine, or takes long: this file runs it, and has these words in it."""

    file: str
    words: str


class Nowhere(NamedTuple):
    """No test can run it, for this reason."""

    reason: str


ANOTHER = Nowhere("it goes from one machine to another")
INSTALL = There("tests/appliance/check_install.py", "install --yes")
HOTSPOT = There("tests/appliance/check_hotspot.py", "install --yes --hotspot")
FLASH = There("tests/devices/test_flash.py", '"flash"')
RUN = There("tests/support/client.py", '"run"')
DEBIANS = Nowhere("it is Debian's own, and changes the machine")
COMPLETION = There("tests/cli/test_cli.py", "_COMPANION_COMPLETE=bash_source")
UPDATE = There("tests/appliance/check_install.py", "companion update")
LISTENING = There("tests/publishing/test_mosquitto.py", "def test_the_lines_for_listeners_hear_it")
PI_ALONE = Nowhere("a Pi alone has it")
COPY_AND_BACK = Here("companion tags list && companion backup copy && companion restore copy --yes")
SIMULATE = Here("companion simulate galloping-horse --games 1 --bots easy")
TAGS = Here("echo 04A1B2C3D4E5F6 galloping-pigs/card/red/3 > tags.txt && companion tags import tags.txt && companion tags list | grep red/3")  # fmt: skip
TABLE = Here("companion tags list && companion tags export tags.csv && companion tags import tags.csv")

NEW_PLUGIN = There("tests/cli/test_new_plugin.py", '"plugins", "new"')
ADD_PLUGIN = There("tests/appliance/check_owner.py", "plugins add")
CLUB = Nowhere("it sets up a machine for good; tests/hub/test_evening.py runs the same programs and files")
COMMANDS: dict[str, Here | There | Nowhere] = {
    "companion --version": Here("companion --version"),
    "companion doctor": Here("companion doctor"),
    "companion doctor --mock": Here("companion doctor --mock"),
    "companion doctor --mock --fault pulled-cable pad": There("tests/diagnostics/test_guide.py", "pulled-cable pad"),
    "companion doctor [--mock [--fault KIND AT]] [--json]": Here("companion doctor --mock --json"),
    "companion bench-test": Here("companion bench-test"),
    "companion bench-test height": Here("companion bench-test height --mock </dev/null | grep 'not decided'"),
    "companion bench-test first-light": There("tests/diagnostics/test_bench_test.py", '"first-light", "--mock"'),
    "companion bench-test sweep": There("tests/diagnostics/test_bench_test.py", "EVERY"),
    "companion bench-test [NAME] [--mock]": There("tests/diagnostics/test_bench_test.py", '"first-light", "--mock"'),
    "companion replay": Here("companion replay game.jsonl"),
    "companion replay FILE [--json]": Here("companion replay game.jsonl --json"),
    "companion odds FILE": Here("companion odds game.jsonl"),
    "companion luck FILE": Here("companion luck game.jsonl"),
    "companion odds-chart": Here("companion odds-chart"),
    "companion hub [--database ADDRESS] [--mqtt ADDRESS] [--workers N]": There("tests/hub/test_command.py", '"--workers", "2"'),
    "companion hub": There("tests/hub/test_command.py", '"companion", "hub"'),
    "companion hub --database … code": There("tests/hub/test_command.py", '"code"'),
    "companion hub --mqtt mqtt://broker/club-1": There("tests/hub/test_command.py", "mqtt://"),
    "companion hub accept window-2": There("tests/hub/test_command.py", '"accept"'),
    "companion hub forget Ada": There("tests/hub/test_command.py", '"forget", "Ada"'),
    "companion hub import /media/stick/*.json": There("tests/hub/test_command.py", '"import", *files'),
    "companion sealed /media/stick": There("tests/hub/test_command.py", '"sealed"'),
    "companion sealed DIRECTORY": There("tests/hub/test_command.py", '"sealed"'),
    "journalctl -u club-hub": CLUB,
    "sudo -u companion /home/companion/hub/bin/pip install '/home/companion/race-companion[hub]'": CLUB,
    "sudo -u companion python3 -m venv /home/companion/hub": CLUB,
    "sudo -u companion sh -c 'umask 077; read -r said; echo \"$said\" > /home/companion/mqtt-password'": CLUB,
    "sudo -u postgres createdb --owner companion club": CLUB,
    "sudo -u postgres createuser companion": CLUB,
    "sudo adduser --system --home /home/companion companion": CLUB,
    "sudo apt install mosquitto postgresql nginx-light": CLUB,
    "sudo sed -i 's/worker_connections 768;/worker_connections 32768;/; 1i worker_rlimit_nofile 65536;' /etc/nginx/nginx.conf": CLUB,
    "sudo systemctl restart nginx": CLUB,
    "sudo cp -r . /home/companion/race-companion && sudo chown -R companion /home/companion": CLUB,
    "sudo mosquitto_passwd -c /etc/mosquitto/club-passwords hub": CLUB,
    "sudo chown mosquitto /etc/mosquitto/club-passwords": CLUB,
    "sudo chmod 600 /etc/mosquitto/club-passwords": CLUB,
    "sudo /home/companion/hub/bin/companion hub add-table window-2 --broker mqtt://hub.lan": There("tests/hub/test_accounts.py", '"add-table"'),
    "companion join-club 'mqtt://window-2:…@hub.lan'": There("tests/hub/test_accounts.py", '"join-club"'),
    "sudo systemctl enable --now club-hub": CLUB,
    "sudo systemctl reload mosquitto": CLUB,
    "sudo systemctl restart race-companion": CLUB,
    "sudo systemctl restart mosquitto": CLUB,
    "python tools/trace_card.py": There("tests/project/test_trace_card.py", "trace_card.card"),
    "git clone ADDRESS": ANOTHER,
    "git blame": Nowhere("it shows the history of a file"),
    "git config blame.ignoreRevsFile .git-blame-ignore-revs": Nowhere("it is a choice of each clone"),
    "python tools/prose.py --count": There("Makefile", "tools/prose.py"),
    "companion run --help": Here("companion run --help"),
    "companion plugins": Here("companion plugins"),
    "companion plugins --json": Here("companion plugins --json"),
    "companion plugins [--json]": Here("companion plugins --json"),
    "companion simulate beaver-creek --seats 2 --bots stubborn,easy": There("tests/test_plugins.py", "stubborn,easy"),
    "pip uninstall": Nowhere("it takes away what somebody chose to install"),
    "python -m pytest": There("tests/test_plugins.py", "its_own_tests"),
    "companion simulate GAME": SIMULATE,
    "companion simulate GAME [--bots …]": SIMULATE,
    "companion tags import FILE": TAGS,
    "companion tags import": TAGS,
    "companion tags list": TAGS,
    "companion tags export tags.csv": TABLE,
    "companion tags import tags.csv": TABLE,
    "companion tags export": TABLE,
    "companion backup FILE": Here("companion tags list && companion backup copy"),
    "companion backup --into /media/stick --keep 14": Here("companion tags list && companion backup --into . --keep 14"),
    "companion restore": COPY_AND_BACK,
    "companion restore FILE": COPY_AND_BACK,
    "companion settings": There("tests/cli/test_settings_command.py", '"settings"'),
    "companion settings [--fix]": There("tests/cli/test_settings_command.py", '"settings"'),
    "companion settings --fix": There("tests/cli/test_settings_command.py", '"--fix"'),
    "companion https": There("tests/cli/test_https.py", "https(tmp_path)"),
    "companion https off": There("tests/cli/test_https.py", '"off"'),
    "companion https [on\\|off]": There("tests/cli/test_https.py", '"on"'),
    "companion health [--port 8000]": Here("companion health --port $PORT"),
    "companion pin": Here("printf '13579\\n13579\\n' | companion pin"),
    "companion run": RUN,
    "companion run --mock": RUN,
    "companion run --mock --demo": There("tests/install/test_wheel.py", '"run", "--mock", "--demo"'),
    "companion run [--mock] [--demo] [--record] [--tables N]": There("tests/devices/test_recorder.py", '"--record"'),
    "companion run --mock --pico emulated": There("tests/devices/test_emulated_table.py", "emulated"),
    "companion flash": FLASH,
    "companion flash --check": FLASH,
    "companion flash --back": FLASH,
    "companion flash [--back] [--check]": FLASH,
    "companion install": INSTALL,
    "companion install --dry-run": There("tests/appliance/check_install.py", "install --dry-run"),
    "companion install [--dry-run] [--hotspot] [--kiosk] [--uninstall]": INSTALL,
    "companion install --hotspot": HOTSPOT,
    "sudo companion install --hotspot": HOTSPOT,
    "sudo companion install --kiosk": There("tests/appliance/check_kiosk.py", "install --yes --kiosk"),
    "chromium --kiosk http://companion.local/tv": Nowhere("it fills a screen, which no machine of the tests has"),
    "sudo nmcli connection up race-companion": Nowhere("it needs a Wi-Fi, which no machine of the tests has"),
    "sudo companion install": INSTALL,
    "sudo companion install --uninstall": There("tests/appliance/check_install.py", "install --uninstall"),
    "sudo companion install --uninstall --keep-data": There("tests/install/test_install.py", "--keep-data"),
    "companion update SOURCE [--wheels DIR] [--unsigned]": UPDATE,
    "companion update": UPDATE,
    "sudo companion update FOLDER": UPDATE,
    "sudo companion update FILE": UPDATE,
    "sh get-companion.sh": There("tests/install/test_get_companion.py", "get-companion.sh"),
    "RELEASE=https://example.org/race-companion-0.2.0.tar.gz SUM=0123abcd sh get-companion.sh": There(
        "tests/install/test_get_companion.py", "RELEASE=address, SUM=sum_of(release)"
    ),
    "python tools/sign_release.py new-key KEYFILE": There(
        "tests/install/test_signature.py", "sign_release.new_key(file"
    ),
    "python tools/sign_release.py sign RELEASE KEYFILE": There(
        "tests/install/test_signature.py", "sign_release.sign(release, file"
    ),
    'eval "$(_COMPANION_COMPLETE=bash_source companion)"': COMPLETION,
    "_COMPANION_COMPLETE=fish_source companion | source": COMPLETION,
    "pip install -e .": There("tests/test_plugins.py", '"pip", "install"'),
    "pip install": There("tests/install/test_wheel.py", '"install", *no_deps'),
    "pip install '.[test]'": There("Makefile", "--editable '.[test]'"),
    "pip install --no-deps mfrc522==0.0.7": There("Makefile", "--no-deps mfrc522==0.0.7"),
    "pip wheel --no-deps .": There("tests/install/test_wheel.py", '"wheel"'),
    "python -m companion.install.bindings": There("Makefile", "python -m companion.install.bindings"),
    "python -m hardware.signals": There("tests/hardware/test_signals.py", '"-m", "hardware.signals"'),
    "python -m hardware.board --lay": There("tests/hardware/test_kicad.py", "python -m hardware.board --lay"),
    "python -m tests.machine.arm64": Nowhere("it fetches a Debian for another processor, which it emulates"),
    "apt install qemu-system-arm mmdebstrap kmod e2fsprogs": DEBIANS,
    "python tools/micropython_releases.py": Nowhere("it fetches each release of MicroPython from two registries"),
    "python -m hardware.values": There("tests/hardware/test_values.py", "type python -m"),
    "python -m hardware.exploded": There("tests/hardware/test_exploded.py", "python -m hardware.exploded"),
    "python -m hardware": There("tests/hardware/test_files.py", "files.write"),
    "python -m hardware --check": There("tests/hardware/test_files.py", '"-m", "hardware", "--check"'),
    "pybabel init -i companion/locale/companion.pot -d companion/locale -D companion -l it": Here(
        "pybabel init -i $ROOT/companion/locale/companion.pot -d . -D companion -l it && ls it/LC_MESSAGES/companion.po"
    ),
    "pipx install pre-commit": Nowhere("a tool of whoever commits"),
    "pre-commit install": Nowhere("a tool of whoever commits"),
    "sudo apt install python3-spidev python3-lgpio python3-rpi-lgpio": There("Makefile", "python3-spidev python3-rpi-lgpio python3-lgpio"),
    "sudo raspi-config": PI_ALONE,
    "sudo raspi-config nonint do_blanking 1": PI_ALONE,
    "sudo reboot": PI_ALONE,
    "sudo adduser NAME spi": DEBIANS,
    "sudo apt install espeak-ng alsa-utils": DEBIANS,
    "sudo adduser NAME gpio": DEBIANS,
    "sudo adduser NAME dialout": DEBIANS,
    "sudo adduser NAME input": DEBIANS,
    "sudo apt install python3-evdev": DEBIANS,
    "sudo apt install pcscd": DEBIANS,
    "sudo apt install pcscd python3-pyscard": DEBIANS,
    "sudo systemctl enable --now pcscd.socket": DEBIANS,
    "companion plugins new river-run": Here("companion plugins new river-run --kind game"),
    "companion plugins new river-run --kind game": Here("companion plugins new river-run --kind game"),
    "companion plugins new NAME": NEW_PLUGIN,
    "companion plugins new NAME [--kind game]": NEW_PLUGIN,
    "companion plugins add river-run": ADD_PLUGIN,
    "companion plugins add SOURCE": ADD_PLUGIN,
    "companion plugins remove companion-river-run": ADD_PLUGIN,
    "pip install -e river-run": ADD_PLUGIN,
    "python -m unittest discover river-run/tests": There("tests/cli/test_new_plugin.py", '"unittest", "discover"'),
    "companion simulate river-run": ADD_PLUGIN,
    "companion simulate": SIMULATE,
    "pipx install": There("tests/install/test_wheel.py", "def test_a_bare_wheel_has_a_pad_in_mock_mode"),
    "companion simulate pond-hop": There("tests/cli/test_cli.py", "def test_as_many_seats_as_the_game_allows"),
    "sudo nmtui": PI_ALONE,
    "sudo nano /var/lib/race-companion/companion.toml": PI_ALONE,
    "companion backup copy.sqlite": There("tests/cli/test_installed.py", '"backup", "copy.sqlite"'),
    "companion restart": There("tests/cli/test_installed.py", '"stop", "start", "restart"'),
    "companion status": There("tests/cli/test_installed.py", 'there.does("status")'),
    "companion start": There("tests/cli/test_installed.py", '"stop", "start", "restart"'),
    "companion stop": There("tests/cli/test_installed.py", '"stop", "start", "restart"'),
    "companion logs": There("tests/cli/test_installed.py", 'here.does("logs"'),
    "companion logs [--lines N] [--follow]": There("tests/cli/test_installed.py", 'here.does("logs"'),
    "scp race-companion-*.tar.gz NAME@companion.local:": ANOTHER,
    "ssh NAME@companion.local": ANOTHER,
    "tar -xzf race-companion-*.tar.gz": There("tests/install/test_release.py", '"tar", "-xzf"'),
    "mosquitto_sub -h broker.lan -v -t 'companion/+/here'": LISTENING,
    "mosquitto_sub -h broker.lan -t 'companion/+/events'": LISTENING,
    "mosquitto_sub -h broker.lan -t 'companion/window-2/picture' -C 1": LISTENING,
    "mosquitto_sub -c -i NAME -q 1": LISTENING,
    "mosquitto_pub -h broker.lan -r -n -t companion/window-2/picture": LISTENING,
    "mosquitto_pub -h broker.lan -r -n -t companion/window-2/page": LISTENING,
    "python3 -c \"import base64, os; print('whsec_' + base64.b64encode(os.urandom(24)).decode())\"": There(
        "tests/publishing/test_webhook.py", "a_secret_of_the_page"
    ),
    "mosquitto_pub -h broker.lan -r -n -t homeassistant/device/companion_window-2/config": LISTENING,
    "cd race-companion-*/": There("tests/install/test_release.py", '"tar", "-xzf"'),
}  # fmt: skip
SLOW = (
    "companion odds-chart",
    "companion doctor --mock",
    "companion doctor --mock --json",
    "companion luck game.jsonl",
)


def blocks(paper: Path) -> list[list[str]]:
    """Return what stands there for a shell, block by block."""
    found = re.findall(r"^```sh\n(.*?)^```", paper.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [[line for line in block.splitlines() if line.strip()] for block in found]


def commands_in(paper: Path) -> set[str]:
    """Return each command in a line of text, and in a block for a shell, as it stands there."""
    text = re.sub(r"^```.*?^```", "", paper.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    inline = (" ".join(code.split()) for code in re.findall(r"`([^`]+)`", text))
    lines = (re.sub(r"\s+# .*", "", line) for block in blocks(paper) for line in block)
    return {code for code in inline if is_command(code)} | {line for line in lines if not runs_here(line)}


def is_command(code: str) -> bool:
    return bool(PROGRAMS.match(re.sub(r"^([A-Z_]+=\S+ )+", "", code))) and code != "companion"


def runs_here(line: str) -> bool:
    """Return whether it is one of those that ask a running companion, which are run block by block."""
    return line.startswith(("TABLE=", "curl "))


def proven(command: str) -> str | None:
    """Return why a test is to be trusted to run this command; None if none does."""
    plain = command.replace(".venv/bin/", "")
    program, _, rest = plain.partition(" ")
    if program == "make":
        [declared] = re.findall(r"^\.PHONY: (.*)", MAKEFILE, re.MULTILINE)
        target, *variables = rest.split()
        given = all(f"$({name.partition('=')[0]})" in MAKEFILE for name in variables)
        return "the Makefile has it" if target in declared.split() and given else None
    if program == "python" and (
        found := re.fullmatch(r"-m bench\.(\w+)( zero2| none --send figures\.json)?", rest)
    ):
        return "make bench-short runs it" if re.search(rf"\b{found[1]}\b", MAKEFILE) else None
    if program == "pytest":
        files = [word for word in rest.split() if word.startswith("tests/")]
        return "it is a test" if files and all((ROOT / file).is_file() for file in files) else None
    match COMMANDS.get(plain):
        case There(file, words):
            at = ROOT / file
            return file if at.is_file() and words in at.read_text("utf-8") else None
        case Here(line):
            return line
        case Nowhere(reason):
            return reason
        case None:
            return None


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: str(paper.relative_to(ROOT)))
def test_a_test_runs_each_command(paper: Path) -> None:
    """One that is new has to be added to COMMANDS, with what runs it."""
    assert sorted(command for command in commands_in(paper) if proven(command) is None) == []


def test_no_command_is_listed_that_no_page_has() -> None:
    everywhere = {command.replace(".venv/bin/", "") for paper in PAPERS for command in commands_in(paper)}
    assert sorted(set(COMMANDS) - everywhere) == []


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Yield the port of a companion at a separate table, which commands and programs ask."""
    with companion(tmp_path_factory.mktemp("table")) as running:
        yield running.client.port


@pytest.fixture
def shell(tmp_path: Path, port: int) -> dict[str, str]:
    """Return an environment with a private home, in which the commands are found."""
    shutil.copy(RECORD, tmp_path / "game.jsonl")
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("COMPANION", "XDG", "LANG"))
    }
    return environment | {"HOME": str(tmp_path), "PATH": programs, "PORT": str(port), "ROOT": str(ROOT)}


def ran(line: str, shell: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", line],
        cwd=shell["HOME"],
        env=shell,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(line, marks=[pytest.mark.long] if line in SLOW else [])
        for line in dict.fromkeys(how.line for how in COMMANDS.values() if isinstance(how, Here))
    ],
)
def test_it_does_what_it_says(line: str, shell: dict[str, str]) -> None:
    """The command exits with 0, prints something, and prints no traceback.

    Only here: a slow command of the documentation, such as the odds chart, luck or the doctor, that fails as
    it is written there.
    """
    done = ran(line, shell)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert done.stdout


def test_what_the_page_for_programs_asks_is_answered(shell: dict[str, str]) -> None:
    """Its lines in their order, as they stand there, all succeed; a stream is ended by its time."""
    asked = 0
    for line in (line for block in blocks(ROOT / "docs" / "api.md") for line in block):
        assert runs_here(line), line
        if line.startswith("TABLE="):
            shell["TABLE"] = f"http://localhost:{shell['PORT']}"
            continue
        done = ran(line, shell)
        assert done.returncode == (28 if "--max-time" in line else 0), (line, done.stderr)
        said = done.stdout
        if "/events" in line:
            assert said.startswith("event: table\n"), line
        elif "openapi.yaml" in line:
            assert said.startswith("openapi:"), line
        else:
            assert "reason" not in json.loads(said), (line, said)
        asked += 1
    assert asked >= 10
