"""wiring.md tells what `companion doctor` says of a USB reader: it is what it prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.devices import usb
from companion.devices.mock import keyboard, virtual_table

WIRING = Path(__file__).parents[1] / "wiring.md"
MOCK = "MOCK hardware: this says nothing about real parts\n"


def written(name: str) -> str:
    [block] = re.findall(rf"<!-- doctor {name} -->\n\n```\n(.*?)```", WIRING.read_text("utf-8"), re.DOTALL)
    return str(block)


def printed(data: Path) -> str:
    """What a terminal of 100 columns shows, without the line that says it is modelled."""
    (data / "companion.toml").write_text('pad = "usb"\npanel = false\n[track]\nkind = "none"\n', "utf-8")
    command = ["doctor", "--mock", "--seconds", "1", "--data", str(data)]
    ran = CliRunner().invoke(main, command, env={"COLUMNS": "100", "LANG": "C.UTF-8"}, catch_exceptions=False)
    assert ran.stdout.startswith(MOCK)
    return "\n".join(line.rstrip() for line in ran.stdout.removeprefix(MOCK).strip().splitlines()) + "\n"


@pytest.fixture(autouse=True)
def debians(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package has the version that Debian 12 has."""
    monkeypatch.setattr(usb, "_version", lambda: "1.6.1")


def test_when_all_is_well(tmp_path: Path) -> None:
    assert printed(tmp_path) == written("usb")


def test_when_the_plug_is_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = keyboard.World()
    world.plug(False)
    monkeypatch.setitem(virtual_table._WORLDS, "usb", lambda spi, reset: world)
    monkeypatch.setattr(usb, "NODES", tmp_path)
    assert printed(tmp_path) == written("usb absent")
