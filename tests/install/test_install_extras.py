"""`companion install --hotspot` and `--kiosk` in a directory: what is written, remembered, refused and taken back.

The programs are stand-ins; tests/appliance has a real Debian with NetworkManager, cage and Chromium.
"""

from __future__ import annotations

import os
from configparser import ConfigParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import install as command_module
from companion.cli import main
from companion.errors import InvalidInput
from companion.hotspot import HOTSPOT_FILE, Hotspot, load_hotspot
from companion.install import console, hotspot, kiosk
from companion.install.machine import Machine
from companion.install.program import Program

PROGRAMS = {
    "nmcli": 'case "$*" in *RUNNING*) echo running ;; *TYPE*) echo wifi ;; esac',
    "iw": "echo 'country 99: DFS-UNSET'",
    "systemctl": 'case "$1" in get-default) echo graphical.target ;; is-*) exit 1 ;; esac',
    "dpkg-query": "exit 1",
    "id": "echo 994",
} | dict.fromkeys(("useradd", "usermod", "userdel", "install", "apt-get"), "")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return a machine without anything of ours, with NetworkManager; the program itself is not copied."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, answer in PROGRAMS.items():
        (programs / name).write_text(f'#!/bin/sh\necho "{name} $*" >> {tmp_path}/asked\n{answer}\n')
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    one = Machine(tmp_path / "machine")
    one.root.mkdir()
    monkeypatch.setattr(command_module, "here", lambda: one)
    monkeypatch.setattr(command_module, "is_root", lambda: True)
    monkeypatch.setattr(Program, "done", lambda self, machine: True)
    return one


def install(*options: str, ends: int = 0) -> Result:
    """Return what the command does with these options."""
    said = CliRunner().invoke(main, ["install", "--yes", *options])
    assert said.exit_code == ends, said.output
    return said


def paths(machine: Machine) -> set[str]:
    """Return every file of it."""
    return {f"/{at.relative_to(machine.root)}" for at in machine.root.rglob("*") if at.is_file()}


def asked(machine: Machine) -> list[str]:
    """Return what the machine's programs were asked since."""
    log = machine.root.parent / "asked"
    lines = log.read_text().splitlines() if log.exists() else []
    log.write_text("")
    return lines


def connection(machine: Machine) -> ConfigParser:
    """Return the Wi-Fi, as NetworkManager gets it."""
    read = ConfigParser(interpolation=None)
    read.read_string(machine.text(hotspot.CONNECTION) or "")
    return read


def test_a_password_is_made_once(machine: Machine) -> None:
    """It is printed, in both files, for root alone in NetworkManager's, and the same at every later install."""
    said = install("--hotspot")
    password = connection(machine)["wifi-security"]["psk"]
    assert len(password) == 16
    assert f"“Race companion”, password {password}, and in it http://10.42.0.1/" in said.output
    assert machine.at(hotspot.CONNECTION).stat().st_mode & 0o777 == 0o600
    assert load_hotspot(machine.at(str(HOTSPOT_FILE))) == Hotspot("Race companion", password)
    for again in ((), ("--hotspot",), ("--hotspot-name", "Im Garten")):
        assert password in install(*again).output
    name = bytes(map(int, connection(machine)["wifi"]["ssid"].split(";")[:-1])).decode()
    assert name == "Im Garten"
    assert connection(machine)["wifi-security"]["psk"] == password


@pytest.mark.parametrize("name", ["Race companion", "Table 1", "Räce", "x"])
def test_its_channel_is_allowed_everywhere(name: str, machine: Machine) -> None:
    """A Wi-Fi that does not know its country may not begin on the channels 12 to 14."""
    install("--hotspot", "--hotspot-name", name)
    assert connection(machine)["wifi"]["channel"] in ("1", "6", "11")


def test_it_is_remembered_and_taken_back(machine: Machine) -> None:
    """The hotspot stays after one request; --no-hotspot takes it away and nothing else."""
    install()
    without = paths(machine)
    install("--hotspot")
    with_it = paths(machine)
    added = {hotspot.FILE, hotspot.CONNECTION, hotspot.NAMES, hotspot.NOTED}
    assert with_it - without == added
    assert "password" in (machine.text(console.PATH) or "")
    asked(machine)
    install()
    assert paths(machine) == with_it
    assert "end its Wi-Fi “Race companion”" in install("--no-hotspot").output
    assert paths(machine) == without
    assert "nmcli connection reload" in asked(machine)
    assert "password" not in (machine.text(console.PATH) or "")


def test_uninstalled_nothing_is_left(machine: Machine) -> None:
    """Hotspot and kiosk go with the rest."""
    install("--hotspot", "--kiosk")
    install("--uninstall")
    assert paths(machine) == set()


REFUSED = {
    "a short password": ("Pigs", "1234567", "8 to 63 letters, not 7"),
    "a long password": ("Pigs", "a" * 64, "8 to 63 letters, not 64"),
    "a password with an accent": ("Pigs", "müsliriegel", "plain letters"),
    "no name": ("", "galopp-galopp", "1 to 32 bytes"),
    "a long name": ("ü" * 17, "galopp-galopp", "1 to 32 bytes"),
    "a name that cannot be seen": ("Pigs\n[ipv4]", "galopp-galopp", "can be seen"),
}


@pytest.mark.parametrize(("name", "password", "why"), REFUSED.values(), ids=REFUSED)
def test_what_a_wifi_does_not_take(name: str, password: str, why: str, machine: Machine) -> None:
    """It is said in a sentence, and nothing is changed."""
    with pytest.raises(InvalidInput, match=why):
        hotspot.checked(name, password)
    said = install("--hotspot", "--hotspot-name", name, "--hotspot-password", password, ends=1)
    assert why in said.output
    assert paths(machine) == set()


def test_a_name_alone_makes_no_hotspot(machine: Machine) -> None:
    """An error says what to write if the name is given without asking for it."""
    assert "say that too" in install("--hotspot-name", "Pigs", ends=2).output
    assert paths(machine) == set()


def test_without_network_manager_it_is_refused(machine: Machine) -> None:
    """The message says what to do; the rest can be installed."""
    (machine.root.parent / "programs" / "nmcli").write_text("#!/bin/sh\nexit 8\n")
    assert "sudo raspi-config, Advanced Options" in install("--hotspot", ends=1).output
    assert paths(machine) == set()
    install()


def rfkill(machine: Machine, kind: str, soft: str) -> None:
    """Write a switch of the kernel's."""
    for name, text in (("type", kind), ("soft", soft), ("hard", "0")):
        machine.write(f"/sys/class/rfkill/{kind}0/{name}", f"{text}\n")


def test_what_keeps_it_silent_is_said(machine: Machine) -> None:
    """A Wi-Fi that is switched off, or does not know its country; and how few phones it holds, in any case."""
    few, country = hotspot.doubts(machine)
    assert "few phones" in few
    assert "does not know its country" in country
    rfkill(machine, "bluetooth", "1")
    assert not hotspot.is_blocked(machine)
    rfkill(machine, "wlan", "1")
    assert "switched off" in list(hotspot.doubts(machine))[1]
    rfkill(machine, "wlan", "0")
    (machine.root.parent / "programs" / "iw").write_text("#!/bin/sh\necho 'country DE: DFS-ETSI'\n")
    assert list(hotspot.doubts(machine)) == [few]


def test_the_login_screen_says_words_only() -> None:
    """A text that agetty would take for an escape stays as it is."""
    said = console.issue(Hotspot("Pigs \\4", "x\\nyzabcd")).text
    assert "“Pigs \\\\4”, password x\\\\nyzabcd," in said


def desktop(machine: Machine) -> None:
    """Make it a Raspberry Pi OS with a desktop."""
    machine.write("/etc/systemd/system/display-manager.service", "")
    machine.write("/usr/bin/chromium-browser", "")


@pytest.mark.parametrize("has", [True, False], ids=["desktop", "no desktop"])
def test_the_page_on_the_screen(has: bool, machine: Machine) -> None:
    """In a desktop by its autostart, else by cage in place of the login; it stays until it is taken back."""
    if has:
        desktop(machine)
    install()
    without = paths(machine)
    asked(machine)
    install("--kiosk")
    own = {kiosk.AUTOSTART} if has else {f"/etc/systemd/system/{kiosk.UNIT}", kiosk.NOTED}
    assert paths(machine) - without == {kiosk.LAUNCHER, *own}
    lines = [line for line in asked(machine) if line.startswith("apt-get install")]
    fetched = [line for line in lines if "avahi" not in line]
    assert [line.split()[5:] for line in fetched] == (
        [] if has else [["cage", "xwayland", "libpam-systemd", "chromium"]]
    )
    install()
    assert kiosk.remembered(machine)
    install("--no-kiosk")
    assert paths(machine) == without
    assert any(line.startswith("apt-get purge") for line in asked(machine)) != has


def test_a_desktop_that_came_later(machine: Machine) -> None:
    """Only what was there without a desktop is taken back."""
    install("--kiosk")
    desktop(machine)
    before = paths(machine)
    install("--no-kiosk")
    assert f"/etc/systemd/system/{kiosk.UNIT}" in before - paths(machine)
    assert not any("kiosk" in path for path in paths(machine))
